"""Encoders that learn further: their networks with gradients, and the pieces of words, each cut by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jperrant.core.errors import UsageError
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.encoders import DEFAULT_LIMIT
from jperrant.encoders.network import Tokenizer, load_model
from jperrant.encoders.pretrained import computing, longest_input

# Flash attention's backward pass is slow on CPUs, and so are dropout masks of the size of attention.
_ATTENTION = "eager"
_NO_DROPOUT = {"attention_probs_dropout_prob": 0.0, "attention_dropout": 0.0}
#: Pieces that are kept of a word with more than all of them: the first and the last.
HEAD, TAIL = 6, 2


class WordPieces:
    """Cuts words into the pieces that an encoder reads.

    A word is cut as if a space stood before it: to tokenizers over bytes and to SentencePiece the space says that a
    word begins, others drop it.

    Args:
        folder: Where the encoder lies.

    Attributes:
        opening: Numbers of the tokens before a text, such as ``[CLS]``.
        closing: Numbers of those after it.
        limit: Most tokens that the tokenizer allows, or None.

    Raises:
        InputError: There is no tokenizer.
    """

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer(folder)
        (around,) = self._tokenizer.tokenize([" a"])
        self.opening, _, self.closing = around.parts
        self.limit = self._tokenizer.limit
        self._known: dict[str, tuple[int, ...]] = {}

    def of(self, forms: Sequence[str]) -> list[tuple[int, ...]]:
        """Return the numbers of the pieces of each word, at least one and at most ``HEAD + TAIL``."""
        new = [form for form in dict.fromkeys(forms) if form not in self._known]
        for form, tokens in zip(new, self._tokenizer.tokenize([f" {form}" for form in new]), strict=True):
            pieces = tokens.parts[1] or (self._tokenizer.unknown,)
            self._known[form] = pieces if len(pieces) <= HEAD + TAIL else pieces[:HEAD] + pieces[-TAIL:]
        return [self._known[form] for form in forms]


class Trainable:
    """An encoder whose weights learn.

    Args:
        folder: Where it lies.
        frozen: How many of its layers do not learn, counted from its input; with one or more its embeddings do not
            learn either. Of encoders whose layers share their weights only the embeddings can be frozen.

    Attributes:
        network: Torch's module; called with ``output_hidden_states`` it gives ``states`` of ``size`` numbers.
        states: Number of its hidden states, the embeddings counted.
        size: Numbers of a hidden state.
        limit: Most tokens it takes.
        pieces: Cuts words for it.

    Raises:
        CorruptModelError: The model cannot be loaded.
        InputError: There is no tokenizer, or it does not fit the model.
        UsageError: It has fewer layers than are to be frozen.
    """

    def __init__(self, folder: Path, frozen: int = 0) -> None:
        torch = import_extra("torch", ENCODERS)
        self.pieces = WordPieces(folder)
        self.network = load_model(folder, _ATTENTION, _NO_DROPOUT)
        limits = [limit for limit in (self.pieces.limit, longest_input(self.network)) if limit]
        self.limit: int = min(limits, default=DEFAULT_LIMIT)
        ids = [*self.pieces.opening, *self.pieces.of(["a"])[0], *self.pieces.closing]
        with computing(f"encoder {folder.name}"):
            states = self.network(input_ids=torch.tensor([ids]), output_hidden_states=True).hidden_states
        self.states, self.size = len(states), int(states[-1].shape[2])
        _freeze(self.network, frozen, folder.name)


def _freeze(network: Any, frozen: int, name: str) -> None:
    if not frozen:
        return
    layers = _layers(network)
    if layers is not None and frozen > len(layers):
        raise UsageError(f"frozen: found {frozen}, but encoder {name} has {len(layers)} layers")
    embeddings = getattr(network, "embeddings", None)
    still = [embeddings if embeddings is not None else network.get_input_embeddings()]
    for module in (*still, *(layers[:frozen] if layers is not None else ())):
        module.requires_grad_(False)


def _layers(network: Any) -> Any:
    """Return the list of a network's layers; families of models call it by different names."""
    torch = import_extra("torch", ENCODERS)
    count = network.config.num_hidden_layers
    lists = (m for m in network.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == count)
    return next(lists, None)

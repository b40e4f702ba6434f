"""Models with a head: causal language models (a loss for each token), regressors (a number for each text)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.encoders.hugging_face import (
    TOKENIZER_FILES,
    computing,
    find_encoder,
    load_tokenizer,
    load_with_head,
    longest_input,
    move_to,
    pick_device,
    tokenizer_limit,
)
from jperrant.encoders.vectors import Batches, Ids

CAUSAL = "causal language model"
#: The limit of models that name none.
DEFAULT_LIMIT = 1024
#: Tokens in a batch of causal models, where each token has a number for every word of the vocabulary.
CAUSAL_TOKENS = 2048
REGRESSOR = "regressor"
#: Tokens in a batch of regressors.
REGRESSOR_TOKENS = 16_384
#: The largest change, by rounding, of the logits of a causal model when the tokens that follow change.
_ROUNDING = 1e-5


class Window(NamedTuple):
    """A stretch of a text that a model reads at one time.

    Attributes:
        ids: The ids of its tokens.
        known: The number of its first tokens whose loss another window gives: BOS, or tokens of earlier windows.
    """

    ids: Ids
    known: int


class CausalLm:
    """A causal language model with its tokenizer.

    Args:
        folder: The folder of the model, in Hugging Face's layout.
        device: A device of torch; ``auto`` is a CUDA device if there is one, else the CPU.
        batch_size: The number of texts computed together; it changes speed and memory only.

    Attributes:
        limit: The most tokens that the model reads at one time, with the BOS token.

    Raises:
        InputError: The folder holds no causal language model, or no tokenizer.
        CorruptModelError: Its files cannot be loaded.
        UsageError: The device cannot be used.
    """

    def __init__(self, folder: Path, device: str = "auto", batch_size: int = 32) -> None:
        self._folder, self._batch_size = folder, batch_size
        self._name = f"{CAUSAL} {folder.name}"
        self._tokenizer = load_tokenizer(folder, CAUSAL)
        model = load_with_head(folder, "AutoModelForCausalLM", CAUSAL)
        self.limit = longest_input(model) or DEFAULT_LIMIT
        self._device = pick_device(device)
        self._model = move_to(model.float(), self._device)
        self._check_causal()
        bos = self._tokenizer.bos_token_id
        self._begin = self._tokenizer.eos_token_id if bos is None else bos
        if self._begin is None:
            raise InputError(
                f"{folder}: its tokenizer has no BOS token, which {CAUSAL}s need; give another model"
            )

    def losses(self, texts: Sequence[str]) -> list[FloatArray]:
        """Return for each text the loss of each token: minus the natural logarithm of its probability.

        A text begins after the model's BOS token, which has no loss itself. A text longer than the model takes
        is read in windows that overlap by half, so that each token has at least half a window before it.

        Returns:
            Arrays of shape ``(tokens,)``; an empty text has none.

        Raises:
            InputError: The model cannot be run, or memory does not suffice.
        """
        if not texts:
            return []
        encoded = self._tokenizer(list(texts), add_special_tokens=False, verbose=False)["input_ids"]
        windows = [cut_windows((self._begin, *ids), self.limit) for ids in encoded]
        flat = [window.ids for own in windows for window in own]
        computed = iter(Batches(self._run, self._batch_size, CAUSAL_TOKENS).run(flat))
        return [np.concatenate([next(computed)[window.known - 1 :] for window in own]) for own in windows]

    def _run(self, batch: Sequence[Ids]) -> list[FloatArray]:
        torch = import_extra("torch", ENCODERS)
        with computing(self._name):
            ids = torch.tensor(batch, dtype=torch.long, device=self._device)
            logits = self._model(input_ids=ids).logits[:, :-1].float()
            losses = torch.nn.functional.cross_entropy(
                logits.transpose(1, 2), ids[:, 1:], reduction="none"
            ).cpu()
        return list(losses.double().numpy())

    def _check_causal(self) -> None:
        """Refuse masked language models, which load as causal ones but give meaningless numbers."""
        torch = import_extra("torch", ENCODERS)
        with computing(self._name):
            ids = torch.tensor([[0, 0, 0, 0], [0, 0, 0, 1]], device=self._device)
            first, second = self._model(input_ids=ids).logits[:, :3].float()
            causal = torch.allclose(first, second, rtol=_ROUNDING, atol=_ROUNDING)
        if not causal:
            raise InputError(
                f"{self._folder}: expected a {CAUSAL}, but the predictions of this one depend on the words that "
                "follow, as in an encoder"
            )


def cut_windows(ids: Ids, limit: int) -> list[Window]:
    """Return the windows of a text whose first token is BOS.

    >>> [(w.ids, w.known) for w in cut_windows((0, 1, 2, 3, 4), 3)]
    [((0, 1, 2), 1), ((1, 2, 3), 2), ((2, 3, 4), 2)]
    """
    ends = [*range(limit, len(ids), max(1, limit // 2)), len(ids)]
    known = [1, *(limit - (end - before) for before, end in pairwise(ends))]
    return [Window(ids[max(0, end - limit) : end], old) for end, old in zip(ends, known, strict=True)]


@lru_cache(maxsize=1)
def load_causal_lm(name: str, device: str = "auto", batch_size: int = 32) -> CausalLm:
    """Load a causal language model from this machine; the model used last is kept in memory.

    Args:
        name: A folder, or a name on the Hugging Face hub that is in the local cache.
        device, batch_size: As for :class:`CausalLm`.

    Raises:
        MissingModelError: The model is not on this machine; the message has the command that downloads it.
        InputError, CorruptModelError, UsageError: As for :class:`CausalLm`.
    """
    return CausalLm(find_encoder(name, CAUSAL), device, batch_size)


class Regression(NamedTuple):
    """The number that a regressor gives a text.

    Attributes:
        value: The number, as the model gives it.
        cut: Whether the text was longer than the model reads.
    """

    value: float
    cut: bool


class Regressor:
    """An encoder with a head of one output, and its tokenizer.

    Args:
        folder: The folder of the model, in Hugging Face's layout.
        tokenizer: The folder of its tokenizer, if it is another one.
        max_tokens: The most tokens that it reads of a text, with special ones; the rest is cut off.
        device: A device of torch; ``auto`` is a CUDA device if there is one, else the CPU.
        batch_size: The number of texts computed together; it changes speed and memory only.

    Attributes:
        limit: The most tokens that it reads of a text, with special ones.

    Raises:
        InputError: The folder holds no regressor, or no tokenizer.
        CorruptModelError: Its files cannot be loaded.
        UsageError: The device cannot be used.
    """

    def __init__(
        self, folder: Path, tokenizer: Path, max_tokens: int, device: str = "auto", batch_size: int = 32
    ) -> None:
        self._folder, self._batch_size = folder, batch_size
        self._tokenizer = load_tokenizer(tokenizer, REGRESSOR)
        model = load_with_head(folder, "AutoModelForSequenceClassification", REGRESSOR)
        if model.config.num_labels != 1:
            raise InputError(
                f"{folder}: found a model with {model.config.num_labels} outputs, expected a {REGRESSOR} with one"
            )
        words, known = len(self._tokenizer), model.get_input_embeddings().weight.shape[0]
        if words > known:
            raise InputError(
                f"{folder}: its tokenizer {tokenizer} has {words} entries, but the model has embeddings for "
                f"{known}; give the tokenizer that it was trained with"
            )
        limits = [max_tokens, tokenizer_limit(self._tokenizer), longest_input(model.base_model)]
        self.limit = min(limit for limit in limits if limit)
        self._device = pick_device(device)
        self._model = move_to(model.float(), self._device)

    def score(self, texts: Sequence[str], seconds: Sequence[str] | None = None) -> list[Regression]:
        """Return the number of each text, or of each pair of texts.

        A pair that is too long loses tokens of the longer text first.

        Args:
            texts: The texts, or the first ones of pairs.
            seconds: The second texts of pairs.

        Raises:
            InputError: The model cannot be run, or memory does not suffice.
        """
        if not texts:
            return []
        sides = [list(texts)] if seconds is None else [list(texts), list(seconds)]
        whole = self._tokenizer(*sides, truncation=False, verbose=False)["input_ids"]
        read = self._tokenizer(
            *sides, truncation=True, max_length=self.limit, return_token_type_ids=True, verbose=False
        )
        # After the numbers of the tokens comes, for each token, the text that it belongs to (0 or 1).
        both = [(*ids, *types) for ids, types in zip(read["input_ids"], read["token_type_ids"], strict=True)]
        values = Batches(self._run, self._batch_size, 2 * REGRESSOR_TOKENS).run(both)
        return [Regression(value, len(ids) > self.limit) for value, ids in zip(values, whole, strict=True)]

    def _run(self, batch: Sequence[Ids]) -> list[float]:
        torch = import_extra("torch", ENCODERS)
        with computing(f"{REGRESSOR} {self._folder.name}"):
            ids, types = torch.tensor(batch, dtype=torch.long, device=self._device).chunk(2, dim=1)
            inputs: dict[str, Any] = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
            if getattr(self._model.config, "type_vocab_size", 0) > 1:
                inputs["token_type_ids"] = types
            values = self._model(**inputs).logits[:, 0].cpu()
        return [float(value) for value in values.tolist()]


@lru_cache(maxsize=4)
def load_regressor(
    name: str, *, tokenizer: str = "", max_tokens: int = 128, device: str = "auto", batch_size: int = 32
) -> Regressor:
    """Load a regressor from this machine; the regressors used last are kept in memory.

    Args:
        name: A folder, or a name on the Hugging Face hub that is in the local cache.
        tokenizer: The folder or name of its tokenizer, if its own folder holds none.
        max_tokens, device, batch_size: As for :class:`Regressor`.

    Raises:
        MissingModelError: The model is not on this machine; the message has the command that downloads it.
        InputError, CorruptModelError, UsageError: As for :class:`Regressor`.
    """
    folder = find_encoder(name, REGRESSOR)
    own = any(any(folder.glob(pattern)) for pattern in TOKENIZER_FILES)
    words = folder if own or not tokenizer else find_encoder(tokenizer, "tokenizer")
    return Regressor(folder, words, max_tokens, device, batch_size)

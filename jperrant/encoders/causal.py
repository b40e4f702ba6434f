"""Causal language models: how unexpected each token of a text is after those before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.encoders.find import find_encoder
from jperrant.encoders.pretrained import (
    computing,
    load_tokenizer,
    load_with_head,
    longest_input,
    move_to,
    pick_device,
)
from jperrant.encoders.sequences import Ids, run_by_length

KIND = "causal language model"
#: For models that name no limit.
DEFAULT_LIMIT = 1024
#: Tokens in a batch: each has a number for every word of the vocabulary.
MOST_TOKENS = 2048
#: How much what a causal model expects may change, by rounding, with the tokens behind.
_ROUNDING = 1e-5


class Window(NamedTuple):
    """A stretch of a text that a model reads at one time.

    Attributes:
        ids: The numbers of its tokens.
        known: How many of them were in the windows before, or stand before the text.
    """

    ids: Ids
    known: int


class CausalLm:
    """A causal language model with its tokenizer.

    Args:
        folder: Where it lies, in Hugging Face's layout.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.
        batch_size: Texts computed together; changes speed and memory only.

    Attributes:
        limit: Tokens the model takes at one time, the one that begins a text included.

    Raises:
        InputError: The folder holds no causal language model, or no tokenizer.
        CorruptModelError: Its files cannot be loaded.
        UsageError: The device cannot be used.
    """

    def __init__(self, folder: Path, device: str = "auto", batch_size: int = 32) -> None:
        self._folder, self._batch_size = folder, batch_size
        self._name = f"{KIND} {folder.name}"
        self._tokenizer = load_tokenizer(folder, KIND)
        model = load_with_head(folder, "AutoModelForCausalLM", KIND)
        self.limit = longest_input(model) or DEFAULT_LIMIT
        self._device = pick_device(device)
        self._model = move_to(model.float(), self._device)
        self._check_causal()
        bos = self._tokenizer.bos_token_id
        self._begin = self._tokenizer.eos_token_id if bos is None else bos
        if self._begin is None:
            raise InputError(
                f"{folder}: its tokenizer has no BOS token, which {KIND}s need; give another model"
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
        computed = iter(run_by_length(flat, self._run, self._batch_size, MOST_TOKENS))
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
        """Refuse encoders: masked language models load as causal ones and give numbers that mean nothing."""
        torch = import_extra("torch", ENCODERS)
        with computing(self._name):
            ids = torch.tensor([[0, 0, 0, 0], [0, 0, 0, 1]], device=self._device)
            first, second = self._model(input_ids=ids).logits[:, :3].float()
            causal = torch.allclose(first, second, rtol=_ROUNDING, atol=_ROUNDING)
        if not causal:
            raise InputError(
                f"{self._folder}: a {KIND} is needed; what this one expects at a place depends on the words "
                "behind it, as in an encoder"
            )


def cut_windows(ids: Ids, limit: int) -> list[Window]:
    """Return the windows of a text, the first token being the one that begins it.

    >>> [(w.ids, w.known) for w in cut_windows((0, 1, 2, 3, 4), 3)]
    [((0, 1, 2), 1), ((1, 2, 3), 2), ((2, 3, 4), 2)]
    """
    windows = [Window(ids[:limit], 1)]
    step = max(1, limit // 2)
    end = limit
    while end < len(ids):
        new = min(step, len(ids) - end)
        end += new
        windows.append(Window(ids[end - limit : end], limit - new))
    return windows


@lru_cache(maxsize=1)
def load_causal_lm(name: str, device: str = "auto", batch_size: int = 32) -> CausalLm:
    """Load a causal language model from this machine; the one used last is kept and given again.

    Args:
        name: A folder, or a name on the Hugging Face hub that is in the local cache.
        device, batch_size: As for :class:`CausalLm`.

    Raises:
        MissingModelError: It is not on this machine; the message holds the command that gets it.
        InputError, CorruptModelError, UsageError: As for :class:`CausalLm`.
    """
    return CausalLm(find_encoder(name, KIND), device, batch_size)

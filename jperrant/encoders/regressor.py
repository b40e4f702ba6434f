"""Regressors: encoders with a head that gives a text, or a pair of texts, one number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jperrant.core.errors import InputError
from jperrant.core.packages import ENCODERS, import_extra
from jperrant.encoders.find import find_encoder
from jperrant.encoders.pretrained import (
    computing,
    has_tokenizer,
    load_tokenizer,
    load_with_head,
    longest_input,
    move_to,
    pick_device,
    tokenizer_limit,
)
from jperrant.encoders.sequences import Ids, run_by_length

KIND = "regressor"
#: Tokens in a batch.
MOST_TOKENS = 16_384


class Regression(NamedTuple):
    """What a regressor says of a text.

    Attributes:
        value: The number, as the model gives it.
        cut: Whether the text was longer than the model reads.
    """

    value: float
    cut: bool


class Regressor:
    """An encoder with a head of one output, and its tokenizer.

    Args:
        folder: Where it lies, in Hugging Face's layout.
        tokenizer: Where its tokenizer lies, if not in the same folder.
        max_tokens: Tokens it reads of a text at most, special ones included; the rest is cut off.
        device: A device of torch, or ``auto`` for a CUDA one where there is one.
        batch_size: Texts computed together; changes speed and memory only.

    Attributes:
        limit: Tokens it reads of a text, special ones included.

    Raises:
        InputError: The folder holds no regressor, or no tokenizer.
        CorruptModelError: Its files cannot be loaded.
        UsageError: The device cannot be used.
    """

    def __init__(
        self, folder: Path, tokenizer: Path, max_tokens: int, device: str = "auto", batch_size: int = 32
    ) -> None:
        self._folder, self._batch_size = folder, batch_size
        self._tokenizer = load_tokenizer(tokenizer, KIND)
        model = load_with_head(folder, "AutoModelForSequenceClassification", KIND)
        if model.config.num_labels != 1:
            raise InputError(
                f"{folder}: found a model with {model.config.num_labels} outputs, expected a {KIND} with one"
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
        whole = self._tokens(texts, seconds, truncation=False)
        long = [index for index, ids in enumerate(whole) if len(ids) // 2 > self.limit]
        if long:
            cut = self._tokens(
                [texts[i] for i in long], seconds and [seconds[i] for i in long], truncation=True
            )
            for index, ids in zip(long, cut, strict=True):
                whole[index] = ids
        values = run_by_length(whole, self._run, self._batch_size, 2 * MOST_TOKENS)
        lengthy = set(long)
        return [Regression(value, index in lengthy) for index, value in enumerate(values)]

    def _tokens(self, texts: Sequence[str], seconds: Sequence[str] | None, truncation: bool) -> list[Ids]:
        """Return for each text the numbers of its tokens and, behind them, which of the two texts each is of."""
        found = self._tokenizer(
            list(texts),
            None if seconds is None else list(seconds),
            truncation=truncation,
            max_length=self.limit if truncation else None,
            return_token_type_ids=True,
            verbose=False,
        )
        both = zip(found["input_ids"], found["token_type_ids"], strict=True)
        return [(*ids, *types) for ids, types in both]

    def _run(self, batch: Sequence[Ids]) -> list[float]:
        torch = import_extra("torch", ENCODERS)
        with computing(f"{KIND} {self._folder.name}"):
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
    """Load a regressor from this machine; the ones used last are kept and given again.

    Args:
        name: A folder, or a name on the Hugging Face hub that is in the local cache.
        tokenizer: Where its tokenizer is, likewise, if its own folder holds none.
        max_tokens, device, batch_size: As for :class:`Regressor`.

    Raises:
        MissingModelError: It is not on this machine; the message holds the command that gets it.
        InputError, CorruptModelError, UsageError: As for :class:`Regressor`.
    """
    folder = find_encoder(name, KIND)
    elsewhere = bool(tokenizer) and not has_tokenizer(folder)
    words = find_encoder(tokenizer, "tokenizer") if elsewhere else folder
    return Regressor(folder, words, max_tokens, device, batch_size)

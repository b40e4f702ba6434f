"""Perplexity: how unexpected a causal language model finds the corrected text. Lower is better.

It sees neither source nor reference, so it says how usual a text is, not how well it was corrected; Scribendi Score
is made of it. A sentence is read after the model's BOS token; losses are means over its tokens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.option import option, option_group
from jperrant.encoders.options import ModelOptions
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.reference_free.base import (
    Judgement,
    ReferenceFreeScorer,
    TextPair,
    checked_numbers,
)

GPT2 = "gpt2"
#: Gives the loss of each token of each text: minus the natural logarithm of its probability.
LossFunction: TypeAlias = Callable[[Sequence[str]], Sequence[Sequence[float]]]
#: The largest exponent whose power of e is a float.
_LARGEST = 700.0


@dataclass(frozen=True, slots=True)
class PerplexityScorer(ReferenceFreeScorer):
    """Perplexity with its options.

    Attributes:
        language_model: A causal language model.
        level: ``corpus`` is the perplexity of all tokens; ``sentence`` the mean of the sentences' perplexities.
        losses: A function in the place of the language model: the loss of each token of each text.

    Raises:
        UsageError: An option is out of its range.
    """

    language_model: ModelOptions = option_group(ModelOptions(GPT2))
    level: Literal["corpus", "sentence"] = option(
        "corpus", "The perplexity of all tokens, or the mean of those of sentences."
    )
    losses: LossFunction | None = None

    name: ClassVar[str] = "perplexity"
    main: ClassVar[str] = "perplexity"
    counts: ClassVar[tuple[str, ...]] = ("tokens",)
    columns: ClassVar[tuple[str, ...]] = ("loss", "tokens", "perplexity", "sentences")
    lower_is_better: ClassVar[bool] = True

    @property
    def settings(self) -> tuple[str, ...]:
        """The model with the fingerprint of its weights, and the level."""
        model = "model:custom" if self.losses is not None else self.language_model.label
        return model, f"lvl:{self.level}"

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return perplexities, 1 or more; NaN for a text without tokens."""
        if self.level == "sentence":
            return {"perplexity": ratio(totals[..., 2], totals[..., 3], math.nan)}
        mean = ratio(totals[..., 0], totals[..., 1], math.nan)
        return {"perplexity": np.exp(np.minimum(mean, _LARGEST))}

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the summed loss and the number of tokens of each hypothesis.

        Raises:
            JperrantError: The model cannot be loaded or run.
        """
        texts = list(dict.fromkeys(pair.hypothesis for pair in pairs if pair.hypothesis))
        if self.losses is not None:
            remarks: dict[str, tuple[str, ...]] = {}
            found = [list(map(float, own)) for own in self.losses(texts)]
        else:
            arrays, remarks = token_losses(self.language_model, texts)
            found = [own.tolist() for own in arrays]
        sums = checked_numbers([math.fsum(own) for own in found], texts, "the language model")
        judged = {
            text: _judgement(loss, len(own), remarks.get(text, ()))
            for text, loss, own in zip(texts, sums, found, strict=True)
        }
        empty = _judgement(0.0, 0, ())
        return [judged.get(pair.hypothesis, empty) for pair in pairs]


def token_losses(
    options: ModelOptions, texts: Sequence[str]
) -> tuple[list[FloatArray], dict[str, tuple[str, ...]]]:
    """Return the loss of each token of each text, and remarks on texts longer than the model reads.

    Raises:
        InputError: No model is named, or the model cannot be run.
        JperrantError: The model cannot be loaded.
    """
    from jperrant.encoders.causal import load_causal_lm

    if not options.model:
        raise InputError("no language model was given; give a causal one with --model NAME_OR_FOLDER")
    model = load_causal_lm(options.model, options.device, options.batch_size)
    found = model.losses(texts)
    remark = (f"longer than the {model.limit} tokens of the language model; read in overlapping windows",)
    return found, {text: remark for text, own in zip(texts, found, strict=True) if len(own) >= model.limit}


def perplexities(
    options: ModelOptions, texts: Sequence[str]
) -> tuple[dict[str, float], dict[str, tuple[str, ...]]]:
    """Return the perplexity of each text that has a token, and remarks as :func:`token_losses`.

    Raises:
        JperrantError: As :func:`token_losses`.
    """
    found, remarks = token_losses(options, texts)
    means = [float(own.mean()) if len(own) else 0.0 for own in found]
    checked = checked_numbers(means, texts, "the language model")
    known = {
        text: perplexity(mean) for text, mean, own in zip(texts, checked, found, strict=True) if len(own)
    }
    return known, remarks


def perplexity(loss: float) -> float:
    """Return the perplexity of a mean loss.

    >>> perplexity(0.0)
    1.0
    """
    return math.exp(min(loss, _LARGEST))


def _judgement(loss: float, tokens: int, remarks: tuple[str, ...]) -> Judgement:
    if not tokens:
        return Judgement(
            (0, 0, 0, 0), {}, ("without tokens and so without perplexity; left out of the mean",)
        )
    return Judgement((loss, tokens, perplexity(loss / tokens), 1), {}, remarks)

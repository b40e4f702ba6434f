"""IMPARA: the quality of the corrected sentence by an estimator, 0 where the meaning has changed.

Maeda, Kaneko and Okazaki (2022), "IMPARA: Impact-Based Metric for GEC Using Parallel Data". The score of a sentence
is ``sigmoid(QE(hypothesis))`` where the cosine of the mean BERT vectors of source and hypothesis is above 0.9, else
0; that of a system the mean over sentences. The model named by default is that of a reproduction
(gotutiyan/IMPARA), not the authors'.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from jperrant.core.option import option, option_group
from jperrant.encoders.options import ModelOptions
from jperrant.evaluation.metrics.reference_free.base import (
    Judgement,
    PairFunction,
    ReferenceFreeScorer,
    TextFunction,
    TextPair,
    checked_numbers,
    cut_remark,
)

if TYPE_CHECKING:
    from jperrant.encoders import Encoder
    from jperrant.encoders.regressor import Regressor

THRESHOLD = 0.9
MAX_TOKENS = 128


@dataclass(frozen=True, slots=True)
class ImparaScorer(ReferenceFreeScorer):
    """IMPARA with its options.

    Attributes:
        estimator: The quality estimator.
        encoder: Gives sentences vectors, for their similarity.
        threshold: Similarity that source and hypothesis must exceed.
        tokenizer: The tokenizer of an estimator whose folder holds none.
        max_tokens: Tokens the estimator reads; the rest is cut off. For similarity texts are read whole.
        quality: A function in the place of the estimator: one number a text, before the sigmoid.
        similarity: A function in the place of the encoder: one number for each pair of source and hypothesis.

    Raises:
        UsageError: An option is out of its range.
    """

    estimator: ModelOptions = option_group(ModelOptions("gotutiyan/IMPARA-QE"))
    encoder: str = option("bert-base-cased", "minilm, a folder, or a model of the Hugging Face hub.")
    threshold: float = option(
        THRESHOLD, "Similarity of source and hypothesis that counts as the same text.", minimum=-1, maximum=1
    )
    tokenizer: str = option("bert-base-cased", "Tokenizer of regressors that have none in their folder.")
    max_tokens: int = option(MAX_TOKENS, "Tokens the model reads of a text; the rest is cut off.", minimum=8)
    quality: TextFunction | None = None
    similarity: PairFunction | None = None

    name: ClassVar[str] = "impara"
    main: ClassVar[str] = "impara"

    @property
    def settings(self) -> tuple[str, ...]:
        """Both models with the fingerprints of their weights, and the threshold."""
        from jperrant.encoders import encoder_label

        estimator = "model:custom" if self.quality is not None else self.estimator.label
        encoder = "custom" if self.similarity is not None else encoder_label(self.encoder)
        parts = [estimator, f"enc:{encoder}", f"above:{self.threshold:g}"]
        if self.max_tokens != MAX_TOKENS:
            parts.append(f"tokens:{self.max_tokens}")
        return tuple(parts)

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the quality of each hypothesis, or 0; quality and similarity as details.

        Raises:
            JperrantError: A model cannot be loaded or run.
        """
        self._load()
        similarities = self._similarities(pairs)
        hypotheses = list(dict.fromkeys(pair.hypothesis for pair in pairs))
        qualities = dict(zip(hypotheses, self._qualities(hypotheses), strict=True))
        judgements = []
        for pair, similarity in zip(pairs, similarities, strict=True):
            quality, remarks = qualities[pair.hypothesis]
            score = quality if similarity > self.threshold else 0.0
            judgements.append(Judgement((score, 1), {"quality": quality, "similarity": similarity}, remarks))
        return judgements

    def _load(self) -> None:
        """Load both models before either computes, so that one that is missing is told at once."""
        if self.quality is None:
            self._estimator()
        if self.similarity is None:
            self._encoder()

    def _estimator(self) -> Regressor:
        from jperrant.encoders.regressor import load_regressor

        return load_regressor(
            self.estimator.model,
            tokenizer=self.tokenizer,
            max_tokens=self.max_tokens,
            device=self.estimator.device,
            batch_size=self.estimator.batch_size,
        )

    def _encoder(self) -> Encoder:
        from jperrant.encoders import load_encoder

        return load_encoder(self.encoder, device=self.estimator.device, batch_size=self.estimator.batch_size)

    def _qualities(self, texts: Sequence[str]) -> list[tuple[float, tuple[str, ...]]]:
        if self.quality is not None:
            numbers = checked_numbers(self.quality(texts), texts, "the function for quality")
            return [(sigmoid(number), ()) for number in numbers]
        model = self._estimator()
        found = model.score(texts)
        numbers = checked_numbers([one.value for one in found], texts, "the quality estimator")
        remark = (cut_remark(model.limit),)
        return [
            (sigmoid(number), remark if one.cut else ()) for number, one in zip(numbers, found, strict=True)
        ]

    def _similarities(self, pairs: Sequence[TextPair]) -> list[float]:
        sources, hypotheses = [p.source for p in pairs], [p.hypothesis for p in pairs]
        if self.similarity is not None:
            return checked_numbers(
                self.similarity(sources, hypotheses), hypotheses, "the function for similarity"
            )
        encoder = self._encoder()
        texts = list(dict.fromkeys([*sources, *hypotheses]))
        vectors = dict(zip(texts, encoder.embed(texts), strict=True))
        return [cosine(vectors[pair.source], vectors[pair.hypothesis]) for pair in pairs]


def sigmoid(number: float) -> float:
    """Return the logistic function of a number, in 0 … 1.

    >>> sigmoid(0.0), sigmoid(-1000.0), sigmoid(1000.0)
    (0.5, 0.0, 1.0)
    """
    if number >= 0:
        return 1 / (1 + math.exp(-number))
    power = math.exp(number)
    return power / (1 + power)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    """Return the cosine of two vectors, from -1 to 1; 0 where one of them is zero, as of an empty text.

    >>> cosine(np.array([1.0, 0.0]), np.array([2.0, 0.0])), cosine(np.zeros(2), np.ones(2))
    (1.0, 0.0)
    """
    lengths = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / lengths if lengths else 0.0

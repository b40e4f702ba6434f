"""BERTScore: the similarity of two sentences, by the best match of each of their tokens in vector space.

Zhang et al. (2020), "BERTScore: Evaluating Text Generation with BERT". Token vectors have length 1. The similarity
of a token is its largest dot product with a token of the other sentence. Precision is the mean similarity of the
candidate's tokens, recall that of the reference's tokens, and F their harmonic mean. Special tokens (``[CLS]``,
``[SEP]``) do not count in the means, but other tokens may match them, as in the program ``bert_score``. There are
no idf weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.messages import merged_notes

if TYPE_CHECKING:
    from jperrant.encoders.vectors import Encoder

#: One row for each token, shape ``(tokens, dim)``.
Vectors: TypeAlias = npt.NDArray[np.floating]
#: The number of pairs whose sentences are kept as vectors at the same time.
WINDOW = 2048
#: The layers of some models that ``bert_score`` uses, as they agree best with human scores (Zhang et al. 2020).
LAYERS = {
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "bert-base-chinese": 8,
    "roberta-base": 10,
    "roberta-large": 17,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "distilbert-base-uncased": 5,
}


class BertScore:
    """F of BERTScore for many pairs of sentences; each distinct pair is compared once.

    Pairs with the same reference are compared together, so that few sentences are encoded more than once.

    Args:
        encoder: Makes the vectors.
        baseline: F of unrelated sentences, below 1; F is rescaled to ``(F - baseline) / (1 - baseline)``.
        window: Number of pairs whose sentences are encoded together; changes memory and speed only.
    """

    def __init__(self, encoder: Encoder, baseline: float = 0.0, window: int = WINDOW) -> None:
        self._encoder, self._baseline, self._window = encoder, baseline, window

    def __call__(
        self, candidates: Sequence[str], references: Sequence[str], notes: list[str] | None = None
    ) -> list[float]:
        """Return F of each candidate with the reference at the same place.

        Args:
            candidates, references: As many texts on both sides.
            notes: A list that collects notes for users, one line each.
        """
        pairs = list(zip(candidates, references, strict=True))
        place = {reference: number for number, reference in enumerate(dict.fromkeys(references))}
        ordered = sorted(dict.fromkeys(pairs), key=lambda pair: place[pair[1]])
        scores: dict[tuple[str, str], float] = {}
        found: list[str] = []
        for start in range(0, len(ordered), self._window):
            some = ordered[start : start + self._window]
            texts = list(dict.fromkeys(text for pair in some for text in pair))
            vectors = {
                text: Unit(tokens.vectors, tokens.special)
                for text, tokens in zip(texts, self._encoder.embed_tokens(texts, found), strict=True)
            }
            for candidate, reference in some:
                f = f_score(vectors[candidate], vectors[reference])[2]
                scores[candidate, reference] = (f - self._baseline) / (1 - self._baseline)
        if notes is not None:
            notes += merged_notes(found)
        return [scores[pair] for pair in pairs]


class Unit:
    """The tokens of a sentence, each vector of length 1.

    Args:
        vectors: Shape ``(tokens, dim)``.
        special: The tokens that do not count in the means, shape ``(tokens,)``.
    """

    __slots__ = ("ordinary", "vectors")

    def __init__(self, vectors: Vectors, special: npt.NDArray[np.bool_]) -> None:
        lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
        self.vectors: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
        self.ordinary = ~np.asarray(special, dtype=np.bool_)


def f_score(candidate: Unit, reference: Unit) -> tuple[float, float, float]:
    """Return precision and recall of two sentences, each in [-1, 1], and F, their harmonic mean.

    All three are 0 if a side has only special tokens.
    """
    if not candidate.ordinary.any() or not reference.ordinary.any():
        return 0.0, 0.0, 0.0
    similarity = candidate.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[candidate.ordinary].mean(dtype=np.float64))
    recall = float(similarity.max(axis=0)[reference.ordinary].mean(dtype=np.float64))
    if precision + recall == 0:
        return precision, recall, 0.0
    return precision, recall, 2 * precision * recall / (precision + recall)


def default_layer(name: str) -> int | None:
    """Return the layer of a model that ``bert_score`` uses; None, the last one, for models it does not list.

    >>> default_layer("google-bert/bert-base-uncased")
    9
    """
    return LAYERS.get(name.rstrip("/").rsplit("/", 1)[-1])

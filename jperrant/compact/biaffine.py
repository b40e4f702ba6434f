"""Deep biaffine scorers (Dozat and Manning 2017): of each head for each word, and of each relation between two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.exact import WIDE, Linear, Rounding, common_weights, rounded

_WORDS = 64
"""Words whose relations are scored at a time: enough for fast products, and some megabytes."""


class ArcScorer:
    """Scores each word as the head of each other, from what Stanza calls unlabeled, linearization and distance.

    Args:
        state: Arrays by their names.
        names: The scorers there are, ``unlabeled`` first.
    """

    def __init__(self, state: Mapping[str, Any], names: Sequence[str]) -> None:
        self._names = list(names)
        self._layers = []
        for name in names:
            weight = np.asarray(state[f"{name}.scorer.W_bilin.weight"], np.float64)[:, :, 0]
            layer = Linear(weight[:-1].T, weight[-1], None, WIDE)
            self._layers.append((layer, np.float32(state[f"{name}.scorer.W_bilin.bias"][0])))

    def __len__(self) -> int:
        """Return how many scorers there are."""
        return len(self._names)

    def __call__(self, sides: Sequence[Any], lengths: Sequence[int]) -> Any:
        """Return the score of each head for each word; ``-inf`` for itself and beyond the sentence.

        Args:
            sides: For each scorer what the words are as dependents and as heads, each of shape ``(words, size)``,
                sentences one after the other.
            lengths: Words of each sentence, the root counted, falling.

        Returns:
            Shape ``(sentences, words, words)``.
        """
        count, width = len(lengths), lengths[0]
        inside = np.arange(width) < np.asarray(lengths)[:, None]
        offset = np.arange(width)[None, :] - np.arange(width)[:, None]
        scores = self._pairs(0, sides, lengths)
        for number, name in enumerate(self._names[1:], start=1):
            pairs = self._pairs(number, sides, lengths)
            scores += _direction(pairs, offset) if name == "linearization" else _distance(pairs, offset)
        scores[~np.broadcast_to(inside[:, None, :], scores.shape)] = -np.inf
        scores.reshape(count, -1)[:, :: width + 1] = -np.inf
        return scores

    def _pairs(self, number: int, sides: Sequence[Any], lengths: Sequence[int]) -> Any:
        """Return what one scorer says of every two words of each sentence; zeros beyond it."""
        layer, bias = self._layers[number]
        dependents, governors = sides[2 * number], sides[2 * number + 1]
        between = layer(dependents)
        last = (between[:, -1] + bias)[:, None]
        first, second = rounded(between[:, :-1]), rounded(governors)
        scores = np.zeros((len(lengths), lengths[0], lengths[0]), np.float32)
        stop = 0
        for length, of_sentence in zip(lengths, scores, strict=True):
            start, stop = stop, stop + length
            part = of_sentence[:length, :length]
            part[:] = first[start:stop] @ second[start:stop].T
            part += last[start:stop]
        return scores


def _direction(scores: Any, offset: Any) -> Any:
    """Return the log probability of each head's side, from the score of its standing after the word."""
    scores *= np.sign(offset).astype(np.float32)
    return np.minimum(scores, 0) - np.log(1 + np.exp(-np.abs(scores)))


def _distance(scores: Any, offset: Any) -> Any:
    """Return how well each head's distance fits the one that is scored."""
    expected = np.maximum(scores, 0) + np.log(1 + np.exp(-np.abs(scores))) + 1
    return -np.log((np.abs(offset).astype(np.float32) - expected) ** 2 * np.float32(0.5) + 1)


class RelationScorer:
    """Scores the relations between words.

    Args:
        state: Arrays by their names.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        weight = np.asarray(state["deprel.scorer.W_bilin.weight"], np.float64)  # (dependent, head, relation)
        self.bias = np.asarray(state["deprel.scorer.W_bilin.bias"], np.float64)
        self._shape = (weight.shape[2], weight.shape[0])
        # One step for the whole matrix: so sums over what it makes need no rounding either.
        self._weight = common_weights(weight.transpose(2, 0, 1).reshape(-1, weight.shape[1]), WIDE)
        self._round = Rounding(None, WIDE)
        self._parts: dict[bytes, tuple[Any, Any]] = {}

    def best(self, dependents: Any, governors: Any, heads: Any, classes: Any, allowed: Any) -> Any:
        """Return the number of the best relation of each word to its head.

        Args:
            dependents: What words are as dependents, shape ``(words, size)``.
            governors: What they are as heads, same shape.
            heads: The head of each, shape ``(words,)``.
            classes: The class of each, same shape.
            allowed: Whether the words of each class can have each relation, shape ``(classes, relations)``.
        """
        words = rounded(_with_one(dependents))[..., None]
        inputs = self._round(_with_one(governors))
        best = np.empty(len(heads), np.intp)
        for number in np.unique(classes):
            relations, weight = self._part(allowed[number])
            members = np.flatnonzero(classes == number)
            for start in range(0, len(members), _WORDS):
                part = members[start : start + _WORDS]
                sums = (inputs[heads[part]] @ weight).reshape(len(part), len(relations), -1)
                scores = (sums.astype(np.float64) @ words[part])[..., 0]
                best[part] = relations[(scores + self.bias[relations]).argmax(axis=1)]
        return best

    def every(self, dependents: Any, governors: Any, allowed: Any) -> Any:
        """Return the log probability of each relation between every two words of a sentence.

        Args:
            dependents, governors: As ``best`` takes them.
            allowed: Whether each word can have each relation, shape ``(words, relations)``.

        Returns:
            Shape ``(dependents, heads, relations)``.
        """
        sums = self._round(_with_one(governors)) @ self._weight
        by_head = sums.reshape(-1, *self._shape).astype(np.float64)
        scores = rounded(_with_one(dependents)) @ by_head.swapaxes(1, 2) + self.bias
        scores = scores.transpose(1, 0, 2)
        scores[np.broadcast_to(~allowed[:, None], scores.shape)] = -np.inf
        scores = scores - scores.max(axis=2, keepdims=True)
        return scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))

    def _part(self, allowed: Any) -> tuple[Any, Any]:
        """Return the numbers of some relations and the part of the weights that scores these."""
        key = allowed.tobytes()
        if key not in self._parts:
            relations = np.flatnonzero(allowed)
            columns = self._weight.reshape(-1, *self._shape)[:, relations]
            self._parts[key] = relations, np.ascontiguousarray(columns.reshape(len(columns), -1))
        return self._parts[key]


def _with_one(vectors: Any) -> Any:
    return np.concatenate([vectors, np.ones((len(vectors), 1), np.float32)], axis=1)

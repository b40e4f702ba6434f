"""Stanza's tokenizer network: what ends at each character, a token, one of several words or a sentence.

A bidirectional LSTM over the characters scores each end; where the network is hierarchical, a second LSTM reads the
first one's states, those of likely token ends most, and adds to the scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.exact import Linear, Precision
from jperrant.compact.lstm import LSTM, Packing, directions

INSIDE, TOKEN_END, SENTENCE_END, SEVERAL_END, SEVERAL_SENTENCE_END = range(5)
"""What ends at a character; the last two are ends of tokens of several words."""
_HEADS = ("tok_clf", "sent_clf", "mwt_clf")


class BoundaryNetwork:
    """Labels characters.

    Args:
        state: The arrays of the network by their names.
        settings: Stanza's settings of the tokenizer.
        precision: The format of all numbers.
    """

    def __init__(self, state: Mapping[str, Any], settings: Mapping[str, Any], precision: Precision) -> None:
        self.embeddings = np.asarray(state["embeddings.weight"], np.float32)
        heads = [head for head in _HEADS if f"{head}.weight" in state]
        weights = np.concatenate([state[f"{head}.weight"] for head in heads])
        self._layers = [
            LSTM(directions(state, "rnn.", layer), None if layer == 0 else 1.0, precision=precision)
            for layer in range(settings["rnn_layers"])
        ]
        self._scores = Linear(
            weights, np.concatenate([state[f"{head}.bias"] for head in heads]), precision=precision
        )
        self._second: LSTM | None = None
        if settings["hierarchical"]:
            self._second = LSTM(directions(state, "rnn2."), 1.0, precision=precision)
            self._more = Linear(
                np.concatenate([state[f"{head}2.weight"] for head in heads]), precision=precision
            )
        self._sharpness = precision.dtype(settings["hier_invtemp"])

    def labels(self, rows: Any, places: Sequence[Any]) -> list[tuple[Any, float]]:
        """Return what ends at each character of some sequences.

        Args:
            rows: Embeddings and features of distinct characters, shape ``(distinct, size)``.
            places: For each sequence the row of each of its characters; longest first, none empty.

        Returns:
            For each sequence its labels, shape ``(characters,)``, and by how much its least sure score decided.
        """
        lengths = [len(sequence) for sequence in places]
        packing = Packing(lengths)
        taken = np.concatenate(places)[packing.order]
        states = _both(self._layers[0], rows, taken, packing)
        for layer in self._layers[1:]:
            states = _both(layer, states, None, packing)
        scores = self._scores.of_rounded(states)
        if self._second is not None:
            weighted = states
            if self._sharpness > 0:
                weighted = states * (np.tanh(scores[:, :1] * (self._sharpness / 2)) * 0.5 + 0.5)
            scores += self._more.of_rounded(_both(self._second, weighted, None, packing))
        labels, margins = np.empty(len(scores), np.int8), np.empty(len(scores))
        labels[packing.order], margins[packing.order] = _decided(scores)
        starts: Any = np.cumsum(lengths) - lengths
        return list(
            zip(np.split(labels, starts[1:]), np.minimum.reduceat(margins, starts).tolist(), strict=True)
        )


def _both(layer: LSTM, rows: Any, taken: Any, packing: Packing) -> Any:
    """Return the states of both directions for each packed place.

    Args:
        layer: A bidirectional layer.
        rows: Its inputs.
        taken: The row of each packed place; None where rows are packed.
        packing: The order of the places.
    """
    backwards = packing.reversal if taken is None else taken[packing.reversal]
    first, second = layer.run(layer.project(rows), [taken, backwards], packing.sizes)[0]
    return np.concatenate([first, second[packing.reversal]], axis=1)


def _decided(scores: Any) -> tuple[Any, Any]:
    """Return the likeliest label of each row of scores, and how far the scores are from another.

    The scores are of token ends, sentence ends and, maybe, several words. The probability of an end is that of a
    token end times that of each of the others, or of its opposite. Whether the best end is likelier than none
    follows from the scores alone: log s(t) - log s(-t) = t for the logistic s.
    """
    exact = scores.astype(np.float64)
    others = exact[:, 1:]
    lead = exact[:, 0] - np.log1p(np.exp(-np.abs(others))).sum(axis=1)
    labels = TOKEN_END + (others[:, 0] > 0)
    if others.shape[1] > 1:
        labels = labels + 2 * (others[:, 1] > 0)
    ends = lead > 0
    margins = np.where(ends, np.minimum(lead, np.abs(others).min(axis=1)), -lead)
    return np.where(ends, labels, INSIDE), margins

"""Stanza's network that cuts a token into the words it is written of: before which characters a word begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from jperrant.compact.exact import DOUBLE, Linear
from jperrant.compact.lstm import LSTM, Packing, directions
from jperrant.compact.speller import END, START
from jperrant.compact.vocabularies import Vocabulary


class Cutter:
    """Cuts tokens; threads may share it.

    Args:
        state: The arrays of the network by their names.
        settings: Stanza's settings.
        vocabulary: The characters.
    """

    def __init__(self, state: Mapping[str, Any], settings: Mapping[str, Any], vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._embeddings = np.asarray(state["embedding.weight"], np.float64)
        self._layers = [
            LSTM(directions(state, "encoder.", layer), None if layer == 0 else 1.0, precision=DOUBLE)
            for layer in range(settings["num_layers"])
        ]
        self._hidden, self._scores = (
            Linear(state[f"output_layer.{n}.weight"], state[f"output_layer.{n}.bias"], bound, DOUBLE)
            for n, bound in ((0, 1.0), (2, None))
        )

    def pieces(self, forms: Sequence[str]) -> list[list[str]]:
        """Return the pieces of each token."""
        found: dict[str, list[str]] = {}
        ordered = sorted(set(forms), key=lambda form: (-len(form), form))
        cuts = self._cuts(ordered) if ordered else []
        for form, places in zip(ordered, cuts, strict=True):
            edges = [0, *np.flatnonzero(places).tolist(), len(form)]
            found[form] = [form[start:end] for start, end in pairwise(edges) if start < end]
        return [found[form] for form in forms]

    def _cuts(self, forms: Sequence[str]) -> list[Any]:
        """Return for each character of each token, longest first, whether a word begins there."""
        source = [[START, *self.vocabulary.numbers(form), END] for form in forms]
        packing = Packing([len(characters) for characters in source])
        rows, taken = self._embeddings, np.concatenate(source)[packing.order]
        for layer in self._layers:
            places = [taken, taken[packing.reversal]]
            first, second = layer.run(layer.project(rows), places, packing.sizes)[0]
            rows, taken = np.concatenate([first, second[packing.reversal]], axis=1), np.arange(len(taken))
        scores = self._scores(np.maximum(self._hidden(rows), 0))
        begins = np.empty(len(scores), bool)
        begins[packing.order] = scores[:, 1] > scores[:, 0]
        ends = np.cumsum([len(characters) for characters in source])
        return [part[1:-1] for part in np.split(begins, ends[:-1])]

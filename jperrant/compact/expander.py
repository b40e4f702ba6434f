"""Stanza's expander of multi-word tokens: a dictionary, and a network that says where a token is cut into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from jperrant.compact.exact import DOUBLE, Linear
from jperrant.compact.lstm import LSTM, Packing, directions
from jperrant.compact.weights import END, START, Vocabulary, check_settings


class Expander:
    """Finds the words of tokens that stand for several; threads may share it.

    Args:
        model: What ``read_model`` returns.

    Raises:
        OtherFormatError: It is an expander of another kind: one that spells words.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, {"force_exact_pieces": True, "ensemble_dict": True, "dict_only": False})
        state = model["model"]
        self._dictionary: Mapping[str, str] = model["dict"]
        self._vocabulary = Vocabulary(model["vocab"])
        self._embeddings = np.asarray(state["embedding.weight"], np.float64)
        self._layers = [
            LSTM(directions(state, "encoder.", layer), 1.0 if layer else None, precision=DOUBLE)
            for layer in range(model["config"]["num_layers"])
        ]
        self._hidden, self._scores = (
            Linear(state[f"output_layer.{n}.weight"], state[f"output_layer.{n}.bias"], bound, DOUBLE)
            for n, bound in ((0, 1.0), (2, None))
        )

    def words(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the words of each token; the token itself where it is one word after all."""
        found = {form: self._looked_up(form) for form in forms}
        found |= self._cut(sorted((form for form in found if not found[form]), key=len, reverse=True))
        return {form: words if len(words) > 1 else (form,) for form, words in found.items()}

    def _looked_up(self, form: str) -> tuple[str, ...]:
        """Return the words in the dictionary, also of a token in capitals or with the first one."""
        words = self._dictionary.get(form, "")
        if not words and form.isupper():
            words = self._dictionary.get(form.lower(), "").upper()
        if not words and form[0].isupper() and form[1:].islower():
            lower = self._dictionary.get(form.lower(), "")
            words = lower[:1].upper() + lower[1:]
        return tuple(word for word in words.split(" ") if word)

    def _cut(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the pieces of each token, given longest first."""
        if not forms:
            return {}
        source = [[START, *self._vocabulary.numbers(form), END] for form in forms]
        lengths = list(map(len, source))
        packing = Packing(lengths)
        rows, taken = self._embeddings, np.concatenate(source)[packing.order]
        for layer in self._layers:
            rows, _, _ = layer.both(rows, taken, packing)
            taken = np.arange(len(taken))
        scores = packing.unpacked(self._scores(np.maximum(self._hidden(rows), 0)))
        begins = np.split(scores[:, 1] > scores[:, 0], np.cumsum(lengths)[:-1])
        cuts = [
            [0, *np.flatnonzero(part[1:-1]).tolist(), len(form)]
            for part, form in zip(begins, forms, strict=True)
        ]
        return {
            form: tuple(form[start:end] for start, end in pairwise(edges) if start < end)
            for form, edges in zip(forms, cuts, strict=True)
        }

"""Stanza's tagger of UPOS, XPOS and FEATS; the vectors of each distinct word are computed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.layers import (
    BOUND,
    READS_WORDS,
    CharacterVectors,
    HighwayLSTM,
    Linear,
    Packing,
    batches,
    simple_mark,
)
from jperrant.compact.weights import check_settings, parts_of, read_vocabularies
from jperrant.compact.words import Tags

_WORDS, _SENTENCES = 2_000, 100
_COLUMNS = ("upos", "xpos", "feats")


class Tagger:
    """Tags sentences of forms; thread-safe.

    Args:
        model: The result of ``read_model``.

    Raises:
        OtherFormatError: The model is of another kind.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        check_settings(model, {**READS_WORDS, "share_hid": True})
        state, vocabularies = model["model"], read_vocabularies(model["vocab"])
        self._tags = [vocabularies[name] for name in _COLUMNS]
        self._vocabulary, self._words = vocabularies["word"], state["word_emb.weight"]
        self._characters = CharacterVectors(state, vocabularies["char"], 0)
        transform = state["trans_char.weight"]
        self._lstm = HighwayLSTM(
            state, "taggerlstm", [(self._words.shape[1], None), (len(transform), transform)]
        )
        self._hidden = Linear(state["upos_hid.weight"], state["upos_hid.bias"], BOUND)
        names = ["upos_clf", *(n for column in _COLUMNS[1:] for n in parts_of(state, f"tag_clf.{column}"))]
        weight, bias = (
            np.concatenate([state[f"{name}.{end}"] for name in names]) for end in ("weight", "bias")
        )
        self._classify = Linear(weight, bias, None)
        self._ends = np.cumsum([len(state[f"{name}.bias"]) for name in names]).tolist()
        self._known: dict[bytes, Tags] = {}

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags]]:
        """Return the tags of the words of each sentence."""
        rows = {form: row for row, form in enumerate({form: None for words in sentences for form in words})}
        projection = self._project(list(map(simple_mark, rows)))
        tags: list[list[Tags]] = [[] for _ in sentences]
        for numbers in batches(list(map(len, sentences)), _WORDS, _SENTENCES):
            packing = Packing([len(sentences[n]) for n in numbers])
            taken = np.array([rows[form] for n in numbers for form in sentences[n]])[packing.order]
            found = iter(
                self._named(packing.unpacked(self._best(self._lstm.run(projection, taken, packing))))
            )
            for number in numbers:
                tags[number] = [next(found) for _ in sentences[number]]
        return tags

    def _project(self, forms: Sequence[str]) -> Any:
        embedded = self._words[self._vocabulary.numbers(forms)]
        return self._lstm.project([embedded, self._characters.vectors(forms)])

    def _best(self, outputs: Any) -> Any:
        """Return the number of the best tag in each part of each column, shape ``(words, parts)``."""
        scores = self._classify(np.maximum(self._hidden.of_rounded(outputs), 0))
        parts = np.split(scores, self._ends[:-1], axis=1)
        return np.stack([part.argmax(axis=1) for part in parts], axis=1).astype(np.uint16)

    def _named(self, best: Any) -> list[Tags]:
        size, content = best.itemsize * best.shape[1], best.tobytes()
        keys = [content[start : start + size] for start in range(0, len(content), size)]
        for key in set(keys).difference(self._known):
            numbers = iter(np.frombuffer(key, best.dtype).tolist())
            self._known[key] = Tags(*(t.tag([next(numbers) for _ in range(t.width)]) for t in self._tags))
        return [self._known[key] for key in keys]

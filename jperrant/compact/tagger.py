"""Stanza's tagger: UPOS, XPOS and FEATS of words, each distinct word read once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from jperrant.compact.batches import batches, simple_mark
from jperrant.compact.characters import CharacterVectors
from jperrant.compact.exact import WIDE, Linear
from jperrant.compact.highway import BOUND, HighwayLSTM
from jperrant.compact.lstm import Packing
from jperrant.compact.vocabularies import CompositeVocabulary, read_vocabularies
from jperrant.compact.words import Tags

_WORDS, _SENTENCES = 4_000, 200
_COLUMNS = ["upos", "xpos", "feats"]


class Tagger:
    """Tags sentences given as forms; threads may share it.

    Args:
        model: What ``read_model`` returns of a tagger that ``fits``.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        state, self._vocabularies = model["model"], read_vocabularies(model["vocab"])
        self._characters = CharacterVectors(state, self._vocabularies["char"], 0)
        self._words = state["word_emb.weight"]
        transform = state["trans_char.weight"]
        self._lstm = HighwayLSTM(
            state, "taggerlstm", [(self._words.shape[1], None), (len(transform), transform)]
        )
        self._hidden = Linear(state["upos_hid.weight"], state["upos_hid.bias"], BOUND, WIDE)
        names = ["upos_clf", *_classifiers(state, self._vocabularies)]
        weight, bias = (
            np.concatenate([state[f"{name}.{end}"] for name in names]) for end in ("weight", "bias")
        )
        self._classify = Linear(weight, bias, None, WIDE)
        self._ends = np.cumsum([len(state[f"{name}.bias"]) for name in names]).tolist()
        self._known: dict[bytes, Tags] = {}

    @staticmethod
    def fits(model: Mapping[str, Any]) -> bool:
        """Whether a model is of the kind this knows."""
        config = model.get("config", {})
        columns = config.get("tag_columns") or [[name] for name in _COLUMNS]
        return (
            bool(config.get("share_hid"))
            and [column[0] for column in columns] == _COLUMNS
            and readable(model, "taggerlstm")
        )

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[Tags]]:
        """Return the tags of each sentence's words."""
        forms = {form: None for sentence in sentences for form in sentence}
        rows = {form: row for row, form in enumerate(forms)}
        projection = self._project([simple_mark(form) for form in forms])
        tags: list[list[Tags]] = [[] for _ in sentences]
        for numbers in batches([len(s) for s in sentences], _WORDS, _SENTENCES):
            packing = Packing([len(sentences[n]) for n in numbers])
            taken = np.array([rows[form] for n in numbers for form in sentences[n]])
            codes = self._codes(self._lstm.run(projection, taken[packing.order], packing))
            in_order = np.empty_like(codes)
            in_order[packing.order] = codes
            named = self._named(in_order)
            stop = 0
            for number in numbers:
                start, stop = stop, stop + len(sentences[number])
                tags[number] = named[start:stop]
        return tags

    def _project(self, forms: Sequence[str]) -> Any:
        words = self._words[self._vocabularies["word"].numbers(forms)]
        return self._lstm.project([words, self._characters.vectors(forms)])

    def _codes(self, outputs: Any) -> Any:
        """Return the number of the best tag in each column, shape ``(words, columns)``."""
        hidden = self._hidden.of_rounded(outputs)
        np.maximum(hidden, 0, out=hidden)
        scores = self._classify(hidden)
        starts = [0, *self._ends[:-1]]
        best = [scores[:, start:stop].argmax(axis=1) for start, stop in zip(starts, self._ends, strict=True)]
        return np.stack(best, axis=1).astype(np.uint16)

    def _named(self, codes: Any) -> list[Tags]:
        known = self._known
        keys = np.ascontiguousarray(codes).view(f"V{codes.itemsize * codes.shape[1]}").ravel().tolist()
        for key, row in dict(zip(keys, codes, strict=True)).items():
            if key not in known:
                known[key] = self._tags(row.tolist())
        return [known[key] for key in keys]

    def _tags(self, codes: list[int]) -> Tags:
        names, start = [], 0
        for name in _COLUMNS:
            vocabulary = self._vocabularies[name]
            if isinstance(vocabulary, CompositeVocabulary):
                width = len(vocabulary.sizes)
                tag = vocabulary.unit(codes[start : start + width])
            else:
                width, tag = 1, vocabulary.unit(codes[start])
            names.append("" if tag == "_" else tag)
            start += width
        return Tags(*names)


def _classifiers(state: Mapping[str, Any], vocabularies: Mapping[str, Any]) -> list[str]:
    names = []
    for name in _COLUMNS[1:]:
        vocabulary = vocabularies[name]
        # Models older than Stanza 1.15 name them otherwise.
        prefix = f"tag_clf.{name}" if any(key.startswith("tag_clf.") for key in state) else _OLD_NAMES[name]
        if isinstance(vocabulary, CompositeVocabulary):
            names += [f"{prefix}.{number}" for number in range(len(vocabulary.sizes))]
        else:
            names.append(prefix)
    return names


_OLD_NAMES = {"xpos": "xpos_clf", "feats": "ufeats_clf"}


def readable(model: Mapping[str, Any], lstm: str) -> bool:
    """Whether a tagger or parser can be read word by word: no part but its own embeddings and characters.

    Args:
        model: What ``read_model`` returns.
        lstm: The name of its LSTM.
    """
    config, state = model.get("config", {}), model.get("model", {})
    return (
        isinstance(state, Mapping)
        and not any(config.get(name) for name in ("pretrain", "charlm", "bert_model", "use_peft"))
        and config.get("word_emb_dim", 0) > 0
        and "charmodel.char_attn.weight" in state
        and not config.get("char_bidirectional")
        and config.get("char_num_layers") == 1
        and all(f"{name}.lstm.weight_ih_l0" in state for name in ("charmodel.charlstm", f"{lstm}.lstm.0"))
    )

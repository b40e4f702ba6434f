"""Stanza's lemmatizer without Stanza: a dictionary, and a network for the words that are not in it."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

from jperrant.compact.speller import SPELLED, Speller
from jperrant.compact.vocabularies import Vocabulary

_FORMAT = 3
"""The version of the dictionary in the model file: JSON, packed."""
_ANY_TAG = "*"
_IDENTITY, _LOWER = 1, 2
_LARGEST = 1 << 28
_UNKNOWN = "<UNK>"
_NONE = "_"


class Lemmatizer:
    """Finds lemmas of words with their UPOS; threads may share it.

    Args:
        model: What Stanza saves of a lemmatizer that ``fits``.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        settings = model["config"]
        self._only_dictionary = bool(settings["dict_only"])
        self._caseless = bool(settings.get("caseless", False))
        self._asks_dictionary = self._only_dictionary or bool(settings.get("ensemble_dict", False))
        self._dictionary = _dictionary(model["dicts"])
        self._edits = bool(settings.get("edit", False))
        if not self._only_dictionary:
            self._tags = Vocabulary(model["vocab"]["pos"])
            characters = Vocabulary(model["vocab"]["char"])
            self._speller = Speller(model["model"], settings, characters, unknown=True)

    @staticmethod
    def fits(model: Mapping[str, Any]) -> bool:
        """Whether a lemmatizer is of the kind this knows: a lemma depends on form and UPOS alone."""
        settings = model["config"]
        return (
            model.get("dicts_version") == _FORMAT
            and not model.get("contextual")
            and (bool(settings["dict_only"]) or Speller.fits(settings))
        )

    def lemmas(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each form with its UPOS; "" where the model knows none."""
        known = {key: self._looked_up(*key) for key in keys} if self._asks_dictionary else {}
        unknown = [key for key in keys if known.get(key) is None]
        if self._only_dictionary:
            rest = [self._read(form) for form, _ in unknown]
        else:
            rest = self._spelt(unknown)
        found = {key: lemma for key, lemma in known.items() if lemma is not None}
        found |= zip(unknown, rest, strict=True)
        # As in Stanza's documents: an underscore is not a lemma, except of itself.
        return {key: "" if lemma == _NONE != key[0] else lemma for key, lemma in found.items()}

    def _read(self, form: str) -> str:
        return form.lower() if self._caseless else form

    def _looked_up(self, form: str, upos: str) -> str | None:
        form = self._read(form)
        for tag in (upos, _ANY_TAG):
            lemma = self._dictionary.get(tag, {}).get(form)
            if lemma is not None:
                return lemma
        return None

    def _spelt(self, keys: Sequence[tuple[str, str]]) -> list[str]:
        """Return the lemmas that the network finds."""
        spellings = self._speller.spell(
            [self._read(form) for form, _ in keys], [self._tags.number(upos) for _, upos in keys]
        )
        lemmas = []
        for (form, _), (edit, characters) in zip(keys, spellings, strict=True):
            lemma = "".join(characters) if edit == SPELLED else form.lower() if edit == _LOWER else form
            lemmas.append(form if not lemma or _UNKNOWN in lemma else lemma)
        return lemmas


def _dictionary(packed: bytes) -> dict[str, dict[str, str]]:
    """Return the lemmas of a model's dictionary, by tag and form.

    Raises:
        ValueError: It is too large, or not such a dictionary.
    """
    content = gzip.GzipFile(fileobj=io.BytesIO(packed)).read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError("the dictionary is too large")
    dictionary = json.loads(content)
    if not isinstance(dictionary, dict) or not all(isinstance(part, dict) for part in dictionary.values()):
        raise ValueError("the dictionary is not one of forms by tags")
    return dictionary

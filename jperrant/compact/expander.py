"""Stanza's expander of multi-word tokens without Stanza: a dictionary, and a network that cuts or spells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jperrant.compact.cutter import Cutter
from jperrant.compact.speller import Speller
from jperrant.compact.vocabularies import PREFIX, Vocabulary


class Expander:
    """Finds the words of tokens that stand for several; threads may share it.

    Args:
        model: What Stanza saves of an expander that ``fits``.
    """

    def __init__(self, model: Mapping[str, Any]) -> None:
        settings = model["config"]
        self._dictionary: Mapping[str, str] = model["dict"]
        self._only_dictionary = bool(settings["dict_only"])
        self._asks_dictionary = self._only_dictionary or bool(settings.get("ensemble_dict", False))
        self._cutter: Cutter | None = None
        self._speller: Speller | None = None
        vocabulary = Vocabulary(model["vocab"])
        self._marks = frozenset(vocabulary.units[:PREFIX])
        if not self._only_dictionary:
            if settings.get("force_exact_pieces", False):
                self._cutter = Cutter(model["model"], settings, vocabulary)
            else:
                self._speller = Speller(model["model"], settings, vocabulary, unknown=False)

    @staticmethod
    def fits(model: Mapping[str, Any]) -> bool:
        """Whether an expander is of the kind this knows."""
        settings = model["config"]
        needs_no_speller = bool(settings["dict_only"]) or settings.get("force_exact_pieces", False)
        return bool(needs_no_speller) or Speller.fits(settings)

    def words(self, forms: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the words of each token; the token itself where it is one word after all."""
        expansions = {form: self._looked_up(form) if self._asks_dictionary else None for form in forms}
        unknown = [form for form, expansion in expansions.items() if expansion is None]
        expansions |= zip(unknown, self._expanded(unknown), strict=True)
        found = {}
        for form, expansion in expansions.items():
            words = tuple(word for word in (expansion or form).split(" ") if word)
            found[form] = words if len(words) > 1 else (form,)
        return found

    def _expanded(self, forms: Sequence[str]) -> list[str]:
        """Return the words that the network finds, spaces between them."""
        if self._cutter is not None:
            return [" ".join(pieces) for pieces in self._cutter.pieces(forms)]
        if self._speller is None:
            return list(forms)
        expansions = (
            "".join(character for character in spelling.characters if character not in self._marks)
            for spelling in self._speller.spell(forms)
        )
        # An expansion without a space is none: the network may have gone astray.
        return [
            new if " " in new and new.strip() else form for form, new in zip(forms, expansions, strict=True)
        ]

    def _looked_up(self, form: str) -> str | None:
        """Return the expansion in the dictionary, also of a token in capitals or with the first one."""
        expansion = self._dictionary.get(form)
        if expansion is None and form.isupper():
            lower = self._dictionary.get(form.lower())
            expansion = None if lower is None else lower.upper()
        if expansion is None and form[0].isupper() and form[1:].islower():
            lower = self._dictionary.get(form.lower())
            expansion = None if lower is None else lower[0].upper() + lower[1:]
        return expansion

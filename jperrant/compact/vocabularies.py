"""Stanza's vocabularies, read from what its models save of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

PAD, UNKNOWN, EMPTY, ROOT = range(4)
"""Numbers that stand for themselves in every vocabulary of Stanza."""
PREFIX = 4


class Vocabulary:
    """Numbers of words, characters, lemmas or tags.

    Args:
        state: What Stanza saves: ``_unit2id``, ``_id2unit``, ``lower``, ``ignore``.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.units: list[str] = list(state["_id2unit"])
        self.lower = bool(state.get("lower", False))
        self._ids: dict[str, int] = dict(state["_unit2id"])
        self._ignored = frozenset(state.get("ignore") or ())
        if not all(isinstance(n, int) and 0 <= n < len(self.units) for n in self._ids.values()):
            raise ValueError("a vocabulary has numbers beyond its size")

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.units)

    def number(self, unit: str) -> int:
        """Return the number of a word or tag; that of unknown ones if it is not known."""
        if unit in self._ignored:
            return EMPTY
        return self._ids.get(unit.lower() if self.lower else unit, UNKNOWN)

    def numbers(self, units: Sequence[str]) -> list[int]:
        """Return the numbers of some words or characters."""
        if self._ignored or self.lower:
            return [self.number(unit) for unit in units]
        known = self._ids.get
        return [known(unit, UNKNOWN) for unit in units]

    def unit(self, number: int) -> str:
        """Return the word or tag that has a number."""
        return "_" if self._ignored and number == EMPTY else self.units[number]


class CompositeVocabulary:
    """Numbers of the parts of a tag, such as the features of FEATS or the morphemes' tags of Korean XPOS.

    Args:
        state: What Stanza saves: ``_unit2id``, ``_id2unit``, ``sep`` and ``keyed``.
    """

    def __init__(self, state: Mapping[str, Any]) -> None:
        self.keyed, self.separator = bool(state["keyed"]), state["sep"]
        self._ids: dict[Any, dict[str, int]] = {key: dict(ids) for key, ids in state["_unit2id"].items()}
        self._units: dict[Any, list[str]] = {key: list(units) for key, units in state["_id2unit"].items()}
        if list(self._ids) != list(self._units) or any(
            not all(isinstance(n, int) and 0 <= n < len(self._units[key]) for n in ids.values())
            for key, ids in self._ids.items()
        ):
            raise ValueError("a vocabulary has numbers beyond its size")

    @property
    def sizes(self) -> list[int]:
        """How many numbers each part has."""
        return [len(ids) for ids in self._ids.values()]

    def number(self, tag: str) -> list[int]:
        """Return the numbers of a tag's parts.

        Raises:
            ValueError: A part of a tag with keys has none.
        """
        parts = self._parts(tag)
        if self.keyed:
            return [ids.get(parts[key], UNKNOWN) if key in parts else EMPTY for key, ids in self._ids.items()]
        return [
            ids.get(parts[n], UNKNOWN) if n < len(parts) else EMPTY
            for n, ids in enumerate(self._ids.values())
        ]

    def unit(self, numbers: Sequence[int]) -> str:
        """Return the tag whose parts have these numbers; ``_`` if it has none."""
        named = [
            f"{key}={units[number]}" if self.keyed else units[number]
            for number, (key, units) in zip(numbers, self._units.items(), strict=False)
            if number != EMPTY
        ]
        return (self.separator or "").join(named) or "_"

    def _parts(self, tag: str) -> Any:
        if tag == "_":
            return {} if self.keyed else []
        parts = tag.split(self.separator) if self.separator else list(tag)
        if not self.keyed:
            return parts
        pairs = [part.split("=") for part in parts]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError(
                f"found features {tag[:80]!r}, expected Name=Value separated by {self.separator!r}"
            )
        return dict(pairs)


def read_vocabularies(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the vocabularies of a model by name, each a ``Vocabulary`` or a ``CompositeVocabulary``."""
    kinds = state["_key2class"]
    composite = {"XPOSVocab", "FeatureVocab"}
    return {
        name: CompositeVocabulary(saved) if kinds[name] in composite else Vocabulary(saved)
        for name, saved in state.items()
        if name != "_key2class"
    }

"""Morphological features of the two sides of an edit, and the name of the inflection that changed.

Principle. Features with a value on both sides, and not the same one, are what changed. A feature that one side
lacks usually comes along with another change (an infinitive has no person, a Russian past tense no person but a
gender), so those count only where no feature with a name changed its value. Values given as alternatives
(``Case=Acc,Dat``) agree with each of them. Changes that a pack gives one name are one change; changes with several
names cannot be compared, and the inflection is ``FORM``, as it is where nothing that has a name changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

#: The inflection where there is no better name.
FORM = "FORM"

Names = Mapping[str, str | Mapping[str, str]]


class Difference(NamedTuple):
    """How two sets of features differ.

    Attributes:
        changed: Names of features with different values.
        one_sided: Names of features that only one of them has.
    """

    changed: frozenset[str]
    one_sided: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        """All names."""
        return self.changed | self.one_sided


@lru_cache(maxsize=10_000)
def features(feats: str) -> Mapping[str, str]:
    """Return the features of a CoNLL-U field by name; empty for ``_`` and an empty field."""
    return {name: value for name, equals, value in (f.partition("=") for f in feats.split("|")) if equals}


@lru_cache(maxsize=100_000)
def difference(feats: str, other: str) -> Difference:
    """Return how the features of two tokens differ."""
    first, second = features(feats), features(other)
    changed = {
        name
        for name, value in first.items()
        if name in second and value != second[name] and not agree(value, second[name])
    }
    return Difference(frozenset(changed), frozenset(first.keys() ^ second.keys()))


def agree(value: str, other: str) -> bool:
    """Whether two values share an alternative (``Acc,Dat`` and ``Acc``)."""
    return not set(value.split(",")).isdisjoint(other.split(","))


class Inflection:
    """The names of inflections of one pack.

    Args:
        names: For each feature its name in labels (``Number: NUM``); where it depends on the word class, a mapping
            from class to name, with ``"*"`` for all others.
        labels: The labels of the pack; an inflection whose label is not among them is ``FORM``.
    """

    def __init__(self, names: Names, labels: frozenset[str]) -> None:
        self._names, self._labels = names, labels
        self._cached: dict[tuple[str, str, str], str] = {}

    def name(self, word_class: str, feats: str, other: str) -> str:
        """Return the name of the inflection that two tokens of a class differ in."""
        key = (word_class, feats, other)
        name = self._cached.get(key)
        if name is None:
            name = self._cached[key] = self._name(word_class, difference(feats, other))
        return name

    def _name(self, word_class: str, differing: Difference) -> str:
        name = ""
        for differing_features in (differing.changed, differing.one_sided):
            names = {named for feature in differing_features if (named := self._of(feature, word_class))}
            if names:
                name = names.pop() if len(names) == 1 else FORM
                break
        return name if f"{word_class}:{name}" in self._labels else FORM

    def _of(self, feature: str, word_class: str) -> str:
        name = self._names.get(feature, "")
        return name if isinstance(name, str) else name.get(word_class, name.get("*", ""))

"""Types of all languages in the groups that packs put their labels into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from jperrant.core.errors import InputError
from jperrant.core.values import DETECTION_TYPES
from jperrant.packs.discovery import GENERIC, known_packs
from jperrant.packs.inherit import inherited
from jperrant.packs.labels import OTHER, group_of

_OPERATIONS = ("M", "U", "R")


class Grouping:
    """Names the group of a type, whatever language it is of.

    >>> grouping = Grouping({"NOUN": "noun", "NOUN:NUM": "nominal-inflection"})
    >>> grouping("R:NOUN:NUM"), grouping("M:NOUN"), grouping("UNK"), grouping("R:NUON")
    ('R:nominal-inflection', 'M:noun', 'UNK', 'R:other')
    >>> sorted(grouping.unknown)
    ['NUON']

    Args:
        groups: The group of each label.

    Attributes:
        unknown: The labels that were asked for and are not in ``groups``, nor what they begin with.
    """

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._groups = groups
        self.unknown: set[str] = set()

    def __call__(self, type_: str) -> str:
        """Return the operation of a type and its group; types that only mark an error (``UNK``) stay."""
        if type_ in DETECTION_TYPES:
            return type_
        letter, _, label = type_.partition(":")
        if letter not in _OPERATIONS:
            letter, label = "", type_
        group = group_of(label, self._groups)
        if group == OTHER and label.partition(":")[0] not in self._groups:
            self.unknown.add(label)
        return f"{letter}:{group}" if letter else group


def common_groups() -> Mapping[str, str]:
    """Return the group of every label of the installed packs; no Python of theirs is run.

    Where packs disagree, the generic pack goes first, then the others by code. A pack that is wrong is left out.
    Packs are read as far as the labels that are asked for need it.
    """
    return _CommonGroups(known_packs())


class _CommonGroups(Mapping[str, str]):
    """Reads one pack after the other until a label is known."""

    def __init__(self, packs: Mapping[str, Path]) -> None:
        self._packs = packs
        self._unread = sorted(packs, key=lambda code: (code != GENERIC, code), reverse=True)
        self._groups: dict[str, str] = {}

    def __getitem__(self, label: str) -> str:
        while label not in self._groups and self._unread:
            self._read(self._unread.pop())
        return self._groups[label]

    def __iter__(self) -> Iterator[str]:
        while self._unread:
            self._read(self._unread.pop())
        return iter(self._groups)

    def __len__(self) -> int:
        return len(list(self))

    def _read(self, code: str) -> None:
        try:
            keys, problems = inherited(self._packs[code], self._packs)
        except InputError:
            return
        if not problems:
            groups = keys.get("groups", {})
            for label in keys.get("labels", {}):
                self._groups.setdefault(label, group_of(label, groups))

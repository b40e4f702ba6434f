"""Types of all languages in the groups that packs put their labels into."""

from __future__ import annotations

from collections.abc import Mapping

from jperrant.core.errors import InputError
from jperrant.core.values import DETECTION_TYPES
from jperrant.packs.discovery import GENERIC, known_packs
from jperrant.packs.labels import OTHER, group_of
from jperrant.packs.read import read_pack

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
    """
    packs = known_packs()
    groups: dict[str, str] = {}
    for code in sorted(packs, key=lambda code: (code != GENERIC, code)):
        try:
            keys = read_pack(packs[code], packs)[0].keys
        except InputError:
            continue
        for label in keys.labels:
            groups.setdefault(label, group_of(label, keys.groups))
    return groups

"""The colours in which tools show error types: one for each operation."""

from __future__ import annotations

_COLOURS = {"M": "#8fb2ff", "U": "#ffaaaa", "R": "#b4ffb4"}
_OTHER = "#dddddd"


def colour_of(type_: str) -> str:
    """Return the colour of a type: blue for what is missing, red for the unnecessary, green for replacements.

    >>> colour_of("M:DET"), colour_of("UNK")
    ('#8fb2ff', '#dddddd')
    """
    return _COLOURS.get(type_.partition(":")[0], _OTHER)

"""Texts and values for display: one short line each, control characters made visible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from rich.cells import cell_len, set_cell_size

#: Most characters of a text that are shown in one line.
LONGEST = 60


def shorten(text: str) -> str:
    """Return a text in quotes, cut to ``LONGEST`` characters."""
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def labels(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Return names as labels of limited width; names that differ never get the same label.

    A long name loses its middle. If two labels would then be equal, long names lose their beginning instead and
    are numbered.

    >>> labels(["gpt-4o-mini_fewshot-1", "gpt-4o-mini_fewshot-2", "T5"], 12)
    ['gpt-4o…hot-1', 'gpt-4o…hot-2', 'T5']

    Args:
        names: Names of systems, metrics or files.
        longest: The width of a label, in cells of a terminal; 8 or more.
    """
    long = [name for name in dict.fromkeys(names) if cell_len(name) > longest]
    half = longest // 2
    taken = {*names} - {*long}
    made = [_head(name, half) + "…" + _tail(name, longest - half - 1) for name in long]
    if len({*made} - taken) < len(long):
        made = [f"{number}: …{_tail(name, longest - 6)}" for number, name in enumerate(long, start=1)]
    cut = dict(zip(long, made, strict=True))
    return [cut.get(name, name) for name in names]


def file_names(paths: Sequence[str]) -> list[str]:
    """Return paths as short names: absolute paths keep only as many folders as tell them apart.

    >>> file_names(["/home/me/a/out.m2", "/home/me/b/out.m2", "made/by hand"])
    ['a/out.m2', 'b/out.m2', 'made/by hand']
    """
    parts = [own.parts if (own := PurePath(path)).is_absolute() else (path,) for path in paths]
    for depth in range(1, max(map(len, parts), default=0)):
        names = ["/".join(own[-depth:]) for own in parts]
        if len({*names}) == len({*paths}):
            return names
    return list(paths)


def _head(text: str, width: int) -> str:
    """Return the beginning of a text that fits into ``width`` terminal cells."""
    return set_cell_size(text, width).rstrip()


def _tail(text: str, width: int) -> str:
    """Return the end of a text that fits into ``width`` terminal cells."""
    return _head(text[::-1], width)[::-1]


def shown(value: object) -> str:
    """Return ``repr(value)``, without its middle if it is long."""
    text = repr(value)
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}…{text[-LONGEST:]}"


#: The sign shown for an empty sequence of tokens.
NOTHING = "∅"
#: Control characters except tab and newline, bidirectional controls, and lone surrogates.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Return a text with control characters, bidirectional controls and lone surrogates made visible.

    Tabs and newlines are kept.

    >>> printable("a\\x1b[31mb\\u202ec")
    'a‹U+001B›[31mb‹U+202E›c'
    """
    return _HIDDEN.sub(lambda match: f"‹U+{ord(match[0]):04X}›", text)

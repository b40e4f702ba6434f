"""Selecting edits by their types, in one way for metrics, searches and every other command.

A selector is a full type (``R:SPELL``), a category (``DET``: M:DET, U:DET and R:DET), a pattern with ``*`` and
``?`` (``R:VERB*``, ``*:DET``, ``NOUN*``), or several of these separated by commas. What begins with an operation is
compared with the whole type, anything else with the category: the type without its operation. ``=R:SPELL`` is that
type to the letter, which need not occur.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from functools import lru_cache

from jperrant.core.errors import UsageError, nearest

#: Stands before a type that is meant to the letter, as ``errant_compare`` takes all of them.
EXACT = "="
#: Types that a message names.
_SHOWN = 8
_OPERATION = re.compile(r"[A-Z*?]:")


def selectors_of(written: Iterable[str]) -> tuple[str, ...]:
    """Return selectors one by one.

    >>> selectors_of(["R:SPELL", "DET, NOUN*"])
    ('R:SPELL', 'DET', 'NOUN*')

    Raises:
        UsageError: One is empty.
    """
    parts = tuple([part.strip() for text in written for part in text.split(",")])
    if not all(part.removeprefix(EXACT) for part in parts):
        raise UsageError("found an empty selector of types, expected a type, a category or a pattern")
    return parts


@lru_cache(maxsize=4096)
def selects(selectors: tuple[str, ...], type_: str) -> bool:
    """Whether one of the selectors selects a type.

    >>> [type_ for type_ in ("M:DET", "R:VERB:SVA", "R:SPELL") if selects(("DET", "R:VERB*"), type_)]
    ['M:DET', 'R:VERB:SVA']
    """
    return any(_selects(selector, type_) for selector in selectors)


def check_selectors(selectors: Iterable[str], types: Collection[str], what: str) -> None:
    """Check that every selector selects one of the types that occur; those to the letter need not.

    Args:
        selectors: As ``selectors_of`` returns them.
        types: The types of all edits that are looked at; with none at all there is nothing to select from.
        what: What messages call the selectors (``--filter``).

    Raises:
        UsageError: One selects none; names the nearest type or category.
    """
    for selector in selectors if types else ():
        if selector.startswith(EXACT) or any(_selects(selector, type_) for type_ in types):
            continue
        known = set(types) if _OPERATION.match(selector) else {*types, *map(_category, types)}
        hint = nearest(selector, known) or nearest(selector.upper(), known) or _some(types)
        raise UsageError(
            f"no edit has the type {selector!r} of {what}{hint}; give a full type (R:SPELL), a category (DET), a "
            f"pattern (R:VERB*), or {EXACT}R:SPELL for a type that need not occur"
        )


def _some(types: Collection[str]) -> str:
    """Return the first types for a message."""
    more = ", …" if len(types) > _SHOWN else ""
    return f" (there are {', '.join(sorted(types)[:_SHOWN])}{more})"


def _selects(selector: str, type_: str) -> bool:
    if selector.startswith(EXACT):
        return type_ == selector.removeprefix(EXACT)
    return fnmatchcase(type_ if _OPERATION.match(selector) else _category(type_), selector)


def _category(type_: str) -> str:
    """Return a type without its operation; all of it if it has none (``noop``, ``UNK``)."""
    return type_[2:] if _OPERATION.match(type_) else type_

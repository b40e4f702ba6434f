"""How values show themselves in one short line; as HTML in a notebook: ``jperrant.core.markup``."""

from __future__ import annotations

from reprlib import Repr

#: Characters of a text that are shown in a line.
LONGEST = 60
_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = LONGEST
_SHORT.maxtuple = _SHORT.maxlist = 8


def short(text: str) -> str:
    """Return a text in quotes, its end cut off if it is long."""
    return repr(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def shown(value: object) -> str:
    """Return the representation of a value, with the middle of long ones left out."""
    text = _SHORT.repr(value)
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}…{text[-LONGEST:]}"


def named(name: str, *values: object, **fields: object) -> str:
    """Return a call that makes a value, long arguments shortened.

    Example:
        >>> named("Edit", 1, 2, ("is",), type="R:VERB:SVA")
        "Edit(1, 2, ('is',), type='R:VERB:SVA')"
    """
    arguments = [*map(shown, values), *(f"{field}={shown(value)}" for field, value in fields.items())]
    return f"{name}({', '.join(arguments)})"

"""Members of an enumeration by the names that people write."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from jperrant.core.errors import UsageError, nearest

_Member = TypeVar("_Member", bound=StrEnum)


def member(kind: type[_Member], name: str, what: str) -> _Member:
    """Return the member of an enumeration that a name stands for.

    Args:
        kind: The enumeration, whose values are the names.
        name: A name.
        what: What the members are, such as ``tokens``, for the message.

    Raises:
        UsageError: There is none of that name; the message lists them.
    """
    try:
        return kind(name)
    except ValueError:
        raise UsageError(
            f"unknown {what} {name!r}{nearest(name, [one.value for one in kind])}; expected one of "
            f"{', '.join(kind)}"
        ) from None

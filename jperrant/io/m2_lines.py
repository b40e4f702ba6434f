"""The lines of M2 files and its relatives: which kind a line is of, and the numbers in it."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum

#: A position after the end of any sentence; stands for numbers that are too long to be one.
FAR = 10**18
_LONGEST = 18
_TARGET = re.compile(r"T\d+(-A\d+)?(\s|\Z)")
_NUMBER = re.compile(r"\s*([+-]?)(\d+)\s*\Z")


class LineKind(Enum):
    """What a line of an M2 file is.

    Attributes:
        SOURCE: ``S`` and the tokens of a sentence.
        EDIT: ``A`` and an edit.
        TARGET: ``T0-A0`` and a corrected sentence, as ChERRANT writes it.
        REMARK: ``I`` and a remark, which MaxMatch's scorer passes over.
        BLANK: Nothing that can be seen.
        UNKNOWN: Anything else.
    """

    SOURCE = "S"
    EDIT = "A"
    TARGET = "T"
    REMARK = "I"
    BLANK = ""
    UNKNOWN = "?"


def visible(line: str) -> str:
    """Return a line from its first visible character on.

    White space of any kind, control characters and format characters are passed over. A byte-order mark is one of
    them: it stands inside a file where two files were joined.

    >>> visible("\\ufeff\\u3000 S a"), visible("S a")
    ('S a', 'S a')
    """
    for index, character in enumerate(line):
        if not character.isspace() and unicodedata.category(character) not in ("Cc", "Cf"):
            return line[index:] if index else line
    return ""


def kind_of(line: str) -> LineKind:
    """Return the kind of a line that begins with a visible character, or is empty."""
    if not line:
        return LineKind.BLANK
    letter = line[0]
    if letter == "A":
        return LineKind.EDIT
    if letter == "S" and (len(line) == 1 or line[1].isspace()):
        return LineKind.SOURCE
    if letter == "T" and _TARGET.match(line):
        return LineKind.TARGET
    if letter == "I" and (len(line) == 1 or line[1].isspace()):
        return LineKind.REMARK
    return LineKind.UNKNOWN


def bounded_int(digits: str) -> int:
    """Return the number that a sign and decimal digits write, at most ``FAR`` in size.

    Python refuses to read numbers of thousands of digits.
    """
    sign, number = (-1, digits[1:]) if digits.startswith("-") else (1, digits.removeprefix("+"))
    if len(number) > _LONGEST and len(number := number.lstrip("0") or "0") > _LONGEST:
        return sign * FAR
    return sign * int(number)


def number_of(text: str) -> int | None:
    """Return the whole number that a text is, or None if it is not one; see :func:`bounded_int`."""
    match = _NUMBER.match(text)
    return bounded_int(match[1] + match[2]) if match else None

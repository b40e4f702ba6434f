"""The numbers that annotators have in M2, from the names that tools have for them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from jperrant.core.errors import UsageError, nearest
from jperrant.core.m2_format import ANNOTATOR_DIGITS
from jperrant.exchange.findings import Findings

#: A name that is a number as M2 has it.
_NUMBER = re.compile(rf"0|[1-9][0-9]{{0,{ANNOTATOR_DIGITS - 1}}}")


def numbered(
    names: Collection[str], given: Mapping[str, int], known: Collection[int], findings: Findings
) -> dict[str, int]:
    """Return the number of each annotator.

    A number that was given comes first. A name that is a number keeps it. Other names get numbers in alphabetical
    order: those that no annotator of the export has if one of these is there too, else from 0 on.

    Args:
        names: The names the tool has.
        given: Numbers by name.
        known: The annotators of the export.
        findings: Gets a line for each name that is not a number.

    Raises:
        UsageError: A number is given for a name that does not occur, or to two names.
    """
    for name in given:
        if name not in names:
            raise UsageError(
                f"annotator {name!r} is in none of the files{nearest(name, names)}; "
                f"annotators in them: {', '.join(sorted(names)) or 'none'}"
            )
    numbers = dict(given)
    for name in sorted(names):
        if name not in numbers and _NUMBER.fullmatch(name):
            numbers[name] = int(name)
    _check_twice(numbers)
    taken = set(numbers.values())
    taken |= set(known) if taken & set(known) else set()
    for name in sorted(set(names) - numbers.keys()):
        number = next(n for n in range(len(taken) + 1) if n not in taken)
        numbers[name] = number
        taken.add(number)
        findings.add(
            f"annotator {name!r} is number {number}; choose other numbers with --annotator NAME=NUMBER",
            "names",
        )
    return numbers


def _check_twice(numbers: Mapping[str, int]) -> None:
    by_number: dict[int, str] = {}
    for name, number in numbers.items():
        if number in by_number:
            raise UsageError(
                f"annotators {by_number[number]!r} and {name!r} both have the number {number}; change one with "
                "--annotator NAME=NUMBER"
            )
        by_number[number] = name

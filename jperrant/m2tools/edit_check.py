"""One edit checked: does it change anything, is its type one of the pack, does its operation fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import NamedTuple

from jperrant.core.display import shorten
from jperrant.core.errors import ALIKE
from jperrant.core.values import Edit

OPERATIONS = ("M", "U", "R")
_BETWEEN = re.compile(r"[\s:_/.-]+")


class EditProblem(NamedTuple):
    """What is wrong with an edit.

    Attributes:
        code: Its kind, as in ``findings.CODES``.
        problem: What it is.
        fix: What would make it right; empty if that is not known.
        fixed: The edit made right where that is safe; None where it is not, or where the edit is to be removed.
        is_safe: Whether the fix is safe.
    """

    code: str
    problem: str
    fix: str = ""
    fixed: Edit | None = None
    is_safe: bool = False


class LabelCheck:
    """The labels that edits may have.

    Args:
        labels: The labels, without operations.
    """

    def __init__(self, labels: Iterable[str]) -> None:
        self.labels = frozenset(labels)
        plain: dict[str, set[str]] = {}
        for label in self.labels:
            plain.setdefault(_plain(label), set()).add(label)
        self._by_plain = {name: labels.pop() for name, labels in plain.items() if len(labels) == 1}

    def problem(self, edit: Edit, source: Sequence[str]) -> EditProblem | None:
        """Return what is wrong with the type of an edit that changes something; None if nothing is."""
        if edit.is_detection:
            return None
        allowed = allowed_operations(edit, source)
        operation, _, label = edit.type.partition(":")
        if operation not in OPERATIONS or label not in self.labels:
            return self._unknown(edit, allowed)
        if operation in allowed:
            return None
        right = f"{allowed[0]}:{label}"
        return EditProblem(
            "operation",
            f"type {edit.type} on an edit that {_MEANS[allowed[0]]} ({_shown(edit, source)})",
            right,
            replace(edit, type=right),
            True,
        )

    def _unknown(self, edit: Edit, allowed: Sequence[str]) -> EditProblem:
        operation, label = self._parts(edit.type)
        problem = f"type {shorten(edit.type)} is not a type of the pack"
        if label:
            right = f"{operation if operation in allowed else allowed[0]}:{label}"
            return EditProblem("unknown-label", problem, right, replace(edit, type=right), True)
        return EditProblem("unknown-label", problem + self._nearest(edit.type, allowed))

    def _parts(self, type_: str) -> tuple[str, str]:
        """Return operation and label of a type that is only written otherwise; empty for what is not known."""
        whole = self._by_plain.get(_plain(type_), "")
        if whole:
            return "", whole
        first, _, rest = _BETWEEN.sub(":", type_.strip(), count=1).partition(":")
        label = self._by_plain.get(_plain(rest), "")
        return (first.upper(), label) if first.upper() in OPERATIONS and label else ("", "")

    def _nearest(self, type_: str, allowed: Sequence[str]) -> str:
        operation = type_[:1] if type_[:1] in allowed else allowed[0]
        label = type_.partition(":")[2] if type_[:1] in OPERATIONS else type_
        close = get_close_matches(
            label.upper(), {known.upper(): known for known in sorted(self.labels)}, 1, ALIKE
        )
        found = next((known for known in self.labels if close and known.upper() == close[0]), "")
        return f" (did you mean '{operation}:{found}'?)" if found else ""


def allowed_operations(edit: Edit, source: Sequence[str]) -> tuple[str, ...]:
    """Return the operations that span and correction allow, the plainest first.

    As in ERRANT, a replacement that keeps all tokens of the source, capitals aside, and adds some may be called
    missing (``she`` to ``. She`` is ``M:PUNCT``), and one that only leaves tokens out unnecessary.

    >>> allowed_operations(Edit(0, 1, (".", "She"), "M:PUNCT"), ["she"])
    ('R', 'M')
    """
    span = tuple(source[edit.start : edit.end])
    corrections = [tokens for tokens in (edit.correction, *edit.alternatives) if tokens is not None]
    if not span:
        return ("M",)
    if not any(corrections):
        return ("U",)
    more = [_within(span, tokens) for tokens in corrections]
    less = [_within(tokens, span) for tokens in corrections]
    return ("R", *(["M"] if any(more) else []), *(["U"] if any(less) else []))


def changes_nothing(edit: Edit, source: Sequence[str]) -> bool:
    """Whether an edit proposes what is there already."""
    return (
        not edit.is_detection
        and edit.correction == tuple(source[edit.start : edit.end])
        and not edit.alternatives
    )


#: What an edit does that allows only one operation.
_MEANS = {"M": "inserts", "U": "deletes", "R": "replaces"}


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether tokens are among others, in their order, capitals aside."""
    rest = iter([token.casefold() for token in many])
    return all(token.casefold() in rest for token in few)


def _plain(name: str) -> str:
    """Return a type without what people write otherwise: capitals, spaces and other separators."""
    return _BETWEEN.sub("", name).casefold()


def _shown(edit: Edit, source: Sequence[str]) -> str:
    before = " ".join(source[edit.start : edit.end])
    return f"{shorten(before)} to {shorten(' '.join(edit.correction or ()))}"

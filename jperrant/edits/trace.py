"""Which rules are tried on an edit, which one fires, and which condition kept the others from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jperrant.edits.edit_context import EditContext
from jperrant.edits.program import Rule


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that was tried.

    Attributes:
        where: Its place: file, line, number and name.
        depth: How many rules it stands in.
        fires: Whether all its conditions hold.
        concludes: Whether it names the type, or drops the last tokens.
        key, value: The first condition that does not hold, as the pack gives it; an empty string where all do.
    """

    where: str
    depth: int
    fires: bool
    concludes: bool
    key: str = ""
    value: object = None


def trace(rules: Sequence[Rule], view: EditContext) -> Iterator[Step]:
    """Yield the rules that are tried on an edit, in order, up to the one that names its type.

    Raises:
        PackError: A hook fails.
        NeedsParse: A rule asks for a dependency that is not there yet.
    """
    while True:
        last = None
        for last in _tried(rules, view, 0):
            yield last
        if last is None or not last.concludes or _names_type(rules, last.where):
            return
        if max(len(view.source), len(view.target)) < 2:  # no token would be left
            return
        view.drop_last()


def leaves(rules: Sequence[Rule]) -> Iterator[Rule]:
    """Yield the rules that name a type."""
    for rule in rules:
        if rule.label is not None:
            yield rule
        yield from leaves(rule.rules)


def _tried(rules: Sequence[Rule], view: EditContext, depth: int) -> Iterator[Step]:
    for rule in rules:
        failed = next((part for part in rule.parts if not part.holds(view)), None)
        if failed is not None:
            yield Step(rule.where, depth, False, False, failed.key, failed.value)
            continue
        concludes = not rule.rules
        yield Step(rule.where, depth, True, concludes)
        if concludes:
            return
        for step in _tried(rule.rules, view, depth + 1):
            yield step
            if step.concludes:
                return


def _names_type(rules: Sequence[Rule], where: str) -> bool:
    return any([rule.where == where for rule in leaves(rules)])

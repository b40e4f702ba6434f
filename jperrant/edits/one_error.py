"""Joins two edits that are one error, such as a determiner replaced by an ending (``den bil`` → ``bilen``).

The merge strategy ``rules`` works within runs of changed words and does not know the constructions of a
language. A pack lists such constructions under ``one_error``. Edits joined by an entry become one edit, which
the rules then type like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jperrant.alignment.tokens import Alignment
from jperrant.core.errors import PackError
from jperrant.core.values import Span
from jperrant.edits.compiler import Compiler
from jperrant.edits.edit_context import EditContext, Vocabulary
from jperrant.edits.rule_parts import Condition, position_of, unknown_keys

#: Keys of an entry and what they hold.
ONE_ERROR_KEYS: dict[str, str] = {
    "name": "a short description of the error, shown in error messages",
    "edits": "two mappings of conditions, one for each edit, as under `when` in a rule",
    "whole": "instead: a mapping of conditions for the two together, as one edit",
    "within": "the maximum number of unchanged tokens between the two; default: 0",
    "ordered": "`true`: the first mapping applies to the first edit; otherwise the two may be in either order",
}
#: The largest number of unchanged tokens that ``within`` may allow between two edits.
_FURTHEST = 20


@dataclass(frozen=True, slots=True)
class OneError:
    """A construction whose two edits are one error.

    Attributes:
        whens: One condition for each edit, or a single one for the two together as one edit.
        within: How many unchanged tokens may stand between them.
        ordered: Whether the first condition applies to the first edit only.
        where: The place of the entry in the pack, for messages.
    """

    whens: tuple[Condition, ...]
    within: int
    ordered: bool
    where: str

    def joins(self, left: EditContext, right: EditContext, both: EditContext) -> bool:
        """Whether two neighbouring edits are this error.

        Args:
            left, right, both: The two edits, and the edit that spans both.

        Raises:
            PackError: A hook fails; the message names the entry.
            NeedsParse: A condition reads a dependency of a sentence that is not parsed yet.
        """
        try:
            if len(self.whens) == 1:
                return self.whens[0](both)
            first, second = self.whens
            return (first(left) and second(right)) or (not self.ordered and first(right) and second(left))
        except PackError as error:
            raise PackError(f"{self.where}: {error}") from error.__cause__


def compile_one_error(
    entries: Sequence[object], compiler: Compiler, file: str
) -> tuple[tuple[OneError, ...], list[str]]:
    """Compile the entries of the key ``one_error``; also return their errors, one line each."""
    compiled: list[OneError] = []
    problems: list[str] = []
    for number, entry in enumerate(entries):
        where, place = f"one_error[{number}]", position_of(entry) or file
        if not isinstance(entry, Mapping):
            problems.append(f"{place}: {where}: found {entry!r}, expected a mapping")
            continue
        where = f"{where} ({entry['name']})" if "name" in entry else where
        wrong = [("", problem) for problem in _shape(entry)]
        whens = () if wrong else tuple(map(compiler.conditions, entry.get("edits", [entry.get("whole")])))
        wrong += compiler.taken_problems()
        problems += [f"{line or place}: {where}: {problem}" for line, problem in wrong]
        if not wrong:
            within, ordered = entry.get("within", 0), entry.get("ordered", False)
            compiled.append(OneError(whens, within, ordered, f"{place}: {where}"))
    return tuple(compiled), problems


def unite(
    spans: Sequence[Span], alignment: Alignment, errors: Sequence[OneError], vocabulary: Vocabulary
) -> tuple[Span, ...]:
    """Join neighbouring spans that are one error, from left to right.

    Args:
        spans: Spans of edits in text order.
        alignment: The alignment that the spans come from.
        errors: The constructions whose edits are joined.
        vocabulary: What the pack says of tokens.
    """
    united: list[Span] = []
    for span in spans:
        if united and (both := _as_one(united[-1], span, alignment, errors, vocabulary)):
            united[-1] = both
        else:
            united.append(span)
    return tuple(united)


def _as_one(
    left: Span, right: Span, alignment: Alignment, errors: Sequence[OneError], vocabulary: Vocabulary
) -> Span | None:
    """Return the joined span of two edits if they are one error, else None."""
    gap = right.start - left.end
    near = [error for error in errors if gap <= error.within]
    if not near or gap != right.target_start - left.target_end:
        return None
    both = Span(left.start, right.end, left.target_start, right.target_end)
    sides = alignment.source, alignment.target
    views = [EditContext(*sides, span, vocabulary) for span in (left, right, both)]
    return both if any([error.joins(*views) for error in near]) else None


def _shape(entry: Mapping[str, object]) -> list[str]:
    """Return the errors in the keys of an entry."""
    problems = unknown_keys(entry, ONE_ERROR_KEYS)
    edits, whole, within = entry.get("edits"), entry.get("whole"), entry.get("within", 0)
    if "whole" in entry:
        if edits is not None or not isinstance(whole, Mapping) or not whole:
            problems.append(f"whole: found {whole!r}, expected one mapping of conditions, and no edits")
    elif not (
        isinstance(edits, list) and [isinstance(e, Mapping) and bool(e) for e in edits] == [True, True]
    ):
        problems.append(f"edits: found {edits!r}, expected two mappings of conditions")
    if within not in range(_FURTHEST + 1) or isinstance(within, bool):
        problems.append(f"within: found {within!r}, expected a number of tokens from 0 to {_FURTHEST}")
    if entry.get("ordered", False) not in (True, False):
        problems.append(f"ordered: found {entry['ordered']!r}, expected true or false")
    return problems

"""Two edits that are one error, such as an article and the ending that takes its place (``den bil`` → ``bilen``).

The strategy ``rules`` merges within runs of changed words and knows nothing of a language's constructions. A pack
names those under ``one_error``; what they join is one edit, whose type the rules then name as that of any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jperrant.alignment.tokens import Alignment
from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Span
from jperrant.edits.conditions import Compiler
from jperrant.edits.edit_context import EditContext, Vocabulary
from jperrant.edits.values import Condition, as_boolean, position_of

#: Keys of an entry and what they hold.
ONE_ERROR_KEYS: dict[str, str] = {
    "name": "a short description of the error, shown in error messages",
    "edits": "two mappings of conditions, one for each edit, as under `when` in a rule",
    "whole": "instead: a mapping of conditions for the two together, as one edit",
    "within": "the maximum number of unchanged tokens between the two; default: 0",
    "ordered": "`true`: the first mapping applies to the first edit; otherwise the two may be in either order",
}
#: The most unchanged tokens between two edits of one error.
_FURTHEST = 20


@dataclass(frozen=True, slots=True)
class OneError:
    """Conditions of two edits that are one error.

    Attributes:
        whens: The conditions of each, or of the two as one edit.
        within: How many unchanged tokens may stand between them.
        ordered: Whether the first conditions must be of the first edit.
        where: Its place in the pack, for errors.
    """

    whens: tuple[Condition, ...]
    within: int
    ordered: bool
    where: str

    def joins(self, left: EditContext, right: EditContext, both: EditContext) -> bool:
        """Whether two neighbouring edits are this error.

        Args:
            left, right, both: The two edits, and the one edit that they are together.

        Raises:
            PackError: A hook fails; names the entry.
            NeedsParse: A condition asks for a dependency that is not there yet.
        """
        try:
            if len(self.whens) == 1:
                return self.whens[0](both)
            first, second = self.whens
            return (first(left) and second(right)) or (not self.ordered and first(right) and second(left))
        except PackError as error:
            raise PackError(f"{self.where}: {error}") from error.__cause__


def compile_one_error(
    entries: object, compiler: Compiler, file: str
) -> tuple[tuple[OneError, ...], list[str]]:
    """Return the compiled entries of the key ``one_error``, and what is wrong with them, one line each."""
    compiled: list[OneError] = []
    problems: list[str] = []
    for number, entry in enumerate(entries if isinstance(entries, list) else []):
        where = f"one_error[{number}]"
        if not isinstance(entry, Mapping):
            problems.append(f"{file}: {where}: found {entry!r}, expected a mapping")
            continue
        where = f"{where} ({entry['name']})" if "name" in entry else where
        wrong = [f"{position_of(entry)}: {where}: {line}".removeprefix(": ") for line in _shape(entry)]
        named = [] if wrong else [entry["whole"]] if "whole" in entry else entry["edits"]
        whens = tuple([compiler.conditions(when) for when in named])
        wrong += [f"{place or position_of(entry)}: {where}: {line}" for place, line in compiler.problems]
        compiler.problems.clear()
        problems += wrong
        if not wrong:
            place = f"{position_of(entry) or file}: {where}"
            compiled.append(OneError(whens, entry.get("within", 0), entry.get("ordered", False), place))
    return tuple(compiled), problems


def unite(
    spans: Sequence[Span], alignment: Alignment, errors: Sequence[OneError], vocabulary: Vocabulary
) -> tuple[Span, ...]:
    """Return the spans with those joined that are one error, from left to right.

    Args:
        spans: Spans of edits in text order.
        alignment: The alignment that they are of.
        errors: What is joined.
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
    """Return the span of two edits that are one error; None where they are not."""
    gap = right.start - left.end
    near = [error for error in errors if gap <= error.within]
    if not near or gap != right.target_start - left.target_end:
        return None
    both = Span(left.start, right.end, left.target_start, right.target_end)
    views = [
        EditContext(alignment.source, alignment.target, span, vocabulary) for span in (left, right, both)
    ]
    return both if any([error.joins(*views) for error in near]) else None


def _shape(entry: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the keys of an entry."""
    problems = [
        f"unknown key {key!r}{nearest(str(key), ONE_ERROR_KEYS)}; expected one of {', '.join(ONE_ERROR_KEYS)}"
        for key in entry
        if key not in ONE_ERROR_KEYS
    ]
    edits, within = entry.get("edits"), entry.get("within", 0)
    if "whole" in entry:
        if edits is not None or not isinstance(entry["whole"], Mapping) or not entry["whole"]:
            problems.append(
                f"whole: found {entry['whole']!r}, expected one mapping of conditions, and no edits"
            )
    elif (
        not isinstance(edits, list) or len(edits) != 2 or not all(isinstance(e, Mapping) and e for e in edits)
    ):
        problems.append(f"edits: found {edits!r}, expected two mappings of conditions")
    if isinstance(within, bool) or not isinstance(within, int) or not 0 <= within <= _FURTHEST:
        problems.append(f"within: found {within!r}, expected a number of tokens from 0 to {_FURTHEST}")
    try:
        as_boolean("ordered", entry.get("ordered", False))
    except PackError as error:
        problems.append(str(error))
    return problems

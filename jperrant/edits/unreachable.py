"""Rules that can never fire: an earlier rule takes all of their edits, or their conditions contradict.

Only what the conditions say literally counts. A rule that is reported can never fire; one that is not reported may
still be useless for reasons that lie in the language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jperrant.core.errors import PackError

_OPERATIONS = frozenset("MUR")
#: The operations of which a condition can hold, or a test of a side: what it asks about must have tokens.
_POSSIBLE = {
    "source": ["U", "R"], "target": ["M", "R"],
    **{key: ["R"] for key in ("one_to_one", "same_first", "same_last", "pair", "change", "endings")},
}  # fmt: skip
#: Conditions that hold: side, condition or test, and value; the side is empty for conditions on the whole edit.
_Facts = frozenset[tuple[str, str, str]]


class Reach(NamedTuple):
    """What is known of an edit that reaches a rule: the conditions around it, and the rules before it.

    Attributes:
        facts: The conditions that hold here.
        sets: By side and property the values that are possible here, for those of which that is known.
        taken: Sets of facts under which a rule before has concluded.
    """

    facts: _Facts
    sets: Mapping[tuple[str, str], frozenset[str]]
    taken: list[_Facts]

    @property
    def operations(self) -> frozenset[str]:
        """The operations that are possible here."""
        return self.sets.get(("", "operation"), _OPERATIONS)

    @property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The values properties of the last target token (or source token, without a target) can have."""
        sides = ["both", "target"]  # a test of the target holds only where it has tokens
        if self.operations <= {"U"}:
            sides.append("source")
        common: dict[str, frozenset[str]] = {}
        for (side, name), values in self.sets.items():
            if side in sides:
                common[name] = common.get(name, values) & values
        return common

    def inside(self, when: Mapping[str, Any], strings: Callable[[str, object], Sequence[str]]) -> Reach:
        """Return what is known inside a rule with these conditions.

        Args:
            when: The conditions.
            strings: Reads a value that may be a string, a list or ``$list``, and its name.
        """
        facts, sets = set(self.facts), dict(self.sets)
        for side, name, value in _tests(when):
            if name != "operation":
                facts.add((side, name, repr(value)))
            wanted = isinstance(value, (str, list)) and name not in ("tokens", "length")
            if wanted and (side or name == "operation"):
                try:
                    values = frozenset(strings(name, value))
                except PackError:  # numbers
                    continue
                sets[side, name] = sets.get((side, name), values) & values
        others = _OPERATIONS - sets.get(("", "operation"), _OPERATIONS)  # fewer operations are more facts
        facts |= {("", f"operation not {letter}", "") for letter in others}
        return Reach(frozenset(facts), sets, self.taken)

    def problem(self) -> str:
        """Return why no edit can reach the rule; empty if one may."""
        for (side, name), values in self.sets.items():
            both = self.sets.get(("both", name), values) if side else values
            if not values & both:
                return f"its conditions leave no value for {_path(side, name)}"
        for side, name, value in sorted(self.facts):
            if value == "False" and (side, name, "True") in self.facts:
                return f"it requires {_path(side, name)} to be both true and false"
        if any(taken <= self.facts for taken in self.taken):
            return "an earlier rule fires wherever it would; move it up or remove it"
        return ""


def _path(side: str, name: str) -> str:
    return f"{side}: {name}" if side else name


def _tests(when: Mapping[str, Any]) -> Iterator[tuple[str, str, object]]:
    """Yield the conditions of a mapping one by one; those on a side test by test."""
    for key, value in when.items():
        if key in _POSSIBLE and value is not False:
            yield "", "operation", _POSSIBLE[key]
        if key in ("source", "target", "both") and isinstance(value, Mapping):
            yield from ((key, name, wanted) for name, wanted in value.items())
        elif key in ("same", "same_first", "same_last") and isinstance(value, list):
            yield from (("", key, name) for name in value)
        else:
            yield "", key, value

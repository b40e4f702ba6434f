"""Rules that can never fire: an earlier rule takes all of their edits, or their conditions contradict.

What is looked at is what the conditions say literally, so a rule that is found fault with can truly never fire,
while one that is let through may be useless for reasons only the language knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jperrant.core.errors import PackError

#: Conditions that fail where a side has no tokens.
_NEEDS_BOTH = ("one_to_one", "same_first", "same_last", "pair")
_Facts = frozenset[tuple[str, str]]


class ReachabilityCheck:
    """What is known of an edit that reaches a rule: the conditions around it, and the rules before it.

    Args:
        strings: Reads a value that may be a string, a list or ``$list``.
        facts: The conditions that hold here, as (path, value) pairs.
        taken: Sets of facts under which a rule before has concluded.

    Attributes:
        problem: Why nothing can come here, or an empty string.
        values: The values properties can have here, for those of which that is known.
    """

    def __init__(
        self,
        strings: Callable[[object], Sequence[str]],
        facts: _Facts = frozenset(),
        taken: tuple[_Facts, ...] = (),
        sets: Mapping[tuple[str, str], frozenset[str]] | None = None,
    ) -> None:
        self._strings, self._facts = strings, facts
        self._taken = list(taken)
        self._sets = dict(sets or {})
        self.problem = ""

    @property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The values properties of the last target token (or source token, without a target) can have."""
        sides = ["both", "target"]  # a test of the target holds only where it has tokens
        if self._sets.get(("", "operation"), frozenset("MUR")) <= {"U"}:
            sides.append("source")
        common: dict[str, frozenset[str]] = {}
        for (side, name), values in self._sets.items():
            if side in sides:
                common[name] = common.get(name, values) & values
        return common

    def enter(self, when: Mapping[str, Any]) -> ReachabilityCheck:
        """Return what holds inside a rule with these conditions."""
        facts = self._facts | frozenset(self._split(when))
        inside = ReachabilityCheck(self._strings, facts, tuple(self._taken), self._sets)
        inside.problem = inside._narrow(when) or self._behind(facts)
        return inside

    def leave(self, inside: ReachabilityCheck, concludes: bool) -> None:
        """Take note of a rule that was entered, and whether it always ends with a type."""
        self._taken = inside._taken
        if concludes:
            self._taken.append(inside._facts)

    def _behind(self, facts: _Facts) -> str:
        if any(taken <= facts for taken in self._taken):
            return "an earlier rule fires wherever it would; move it up or remove it"
        return ""

    def _narrow(self, when: Mapping[str, Any]) -> str:
        """Add the values properties can have here; return how they contradict each other, if they do."""
        for key, value in when.items():
            if key == "operation":
                self._meet(("", "operation"), value)
            elif key in ("source", "target", "both") and isinstance(value, Mapping):
                for name, wanted in value.items():
                    if isinstance(wanted, (str, list)) and name not in ("tokens", "length", "characters"):
                        self._meet((key, name), wanted)
        return self._contradiction()

    def _meet(self, key: tuple[str, str], wanted: object) -> None:
        try:
            values = frozenset(self._strings(wanted))
        except PackError:  # numbers
            return
        self._sets[key] = self._sets[key] & values if key in self._sets else values

    def _contradiction(self) -> str:
        for (side, name), values in self._sets.items():
            where = f"{side}: {name}" if side else name
            if not values:
                return f"its conditions leave no value for {where}"
            other = self._sets.get(("both", name)) if side in ("source", "target") else None
            if other is not None and not values & other:
                return f"its conditions leave no value for {where}"
        for path, value in self._facts:
            if value in ("True", "False") and (path, str(value == "False")) in self._facts:
                return f"it requires {path} to be both true and false"
        operation = self._sets.get(("", "operation"), frozenset("MUR"))
        empty = {"source": operation <= {"M"}, "target": operation <= {"U"}}
        for side in ("source", "target"):
            if empty[side] and any(path.startswith(f"{side}.") for path, _ in self._facts):
                return f"{side} has no tokens with operation {'/'.join(sorted(operation))}"
        if "R" not in operation:
            for key, value in sorted(self._facts):
                if key in _NEEDS_BOTH and value != "False":
                    return (
                        f"{key} needs tokens on both sides, and with operation {'/'.join(sorted(operation))} "
                        "one has none"
                    )
        return ""

    def _split(self, when: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the conditions of a mapping one by one; those on a side test by test."""
        facts = []
        for key, value in when.items():
            if key in ("source", "target", "both") and isinstance(value, Mapping):
                facts += [(f"{key}.{name}", repr(wanted)) for name, wanted in value.items()]
                if key != "both":  # even without a test the side must have tokens
                    facts.append((f"{key}.", ""))
            elif key in ("same", "same_first", "same_last"):
                facts += [(key, repr(name)) for name in (value if isinstance(value, list) else [value])]
            elif key == "operation":  # so that fewer operations are more facts
                facts += [("operation", f"not {letter}") for letter in set("MUR") - set(self._strings(value))]
            else:
                facts.append((key, repr(value)))
        return facts

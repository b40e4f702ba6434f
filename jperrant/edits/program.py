"""The rules of a pack as one Python function, which is written here and compiled once.

Trying rules one by one through functions of functions takes four times as long as the same written by hand,
because the commonest conditions do so little: so those are written out as expressions, in which every property
of a side is computed once, and all others are called. The text holds only names made here; whatever comes from
the pack is bound to such a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from jperrant.core.errors import PackError
from jperrant.edits.comparisons import Condition
from jperrant.edits.conditions import Part
from jperrant.edits.edit_context import EditContext
from jperrant.edits.lookahead import asks_for_relations, possible
from jperrant.edits.sides import Among, SideCompiler
from jperrant.edits.values import Values

Search = Callable[[EditContext], str | None]


class Rule(NamedTuple):
    """A compiled rule; exactly one of ``label``, ``rules`` and neither (``drop_last``) is its consequence.

    Attributes:
        parts: Its conditions.
        fires: All of them together.
        label: Makes the label; or the label itself.
        rules: The rules inside.
        where: Its place, for errors.
    """

    parts: tuple[Part, ...]
    fires: Condition
    label: Callable[[EditContext], str] | str | None
    rules: tuple[Rule, ...]
    where: str


def write(rules: Sequence[Rule], values: Values) -> Search:
    """Return the function that tries rules on an edit.

    It returns the first label, an empty string for ``drop_last``, or None where nothing fires.

    Raises:
        PackError: The rules are nested more deeply than Python can read.
    """
    return _Program(values).function(rules)


class _Program:
    def __init__(self, values: Values) -> None:
        self.values, self.sides = values, SideCompiler(values)
        self.names: dict[str, Any] = {"none": frozenset([""])}  # a property that no token of a side has
        self.properties: dict[str, int] = {}

    def function(self, rules: Sequence[Rule]) -> Search:
        body = list(self._lines(rules, 1))
        unset = [f"{side}{n} = " for n in self.properties.values() for side in "st"]
        head = [
            "def search(view):",
            " operation, one = view.operation, view.one_to_one",
            " source, target = view.source, view.target",
            *([f" {''.join(unset)}None"] if unset else []),
        ]
        try:
            exec(compile("\n".join([*head, *body]), "<rules of a pack>", "exec"), self.names)
        except (SyntaxError, RecursionError, MemoryError):
            raise PackError("the rules are nested too deeply; move inner rules to the top level") from None
        search: Search = self.names["search"]
        return search

    def _lines(self, rules: Sequence[Rule], depth: int) -> Iterator[str]:
        for rule in rules:
            condition = " and ".join(self._expressions(rule.parts)) or "True"
            yield f"{' ' * depth}if {condition}:"
            if rule.rules:
                yield from self._lines(rule.rules, depth + 1)
            elif rule.label is None:
                yield f"{' ' * (depth + 1)}return ''"
            else:
                call = "" if isinstance(rule.label, str) else "(view)"
                yield f"{' ' * (depth + 1)}return {self._bound(rule.label)}{call}"

    def _expressions(self, parts: Sequence[Part]) -> Iterator[str]:
        """Yield the conditions of a rule; before the first that asks for relations, whether those can hold."""
        can_hold = possible({part.key: part.value for part in parts}, self.values)
        for part in parts:
            if can_hold is not None and asks_for_relations(part.key, part.value):
                yield f"{self._bound(can_hold)}(view)"
                can_hold = None
            yield self._expression(part)

    def _bound(self, value: object) -> str:
        """Return a name for a value."""
        name = f"v{len(self.names)}"
        self.names[name] = value
        return name

    def _expression(self, part: Part) -> str:
        """Return a condition as an expression; in doubt, as a call."""
        key, value = part.key, part.value
        if key == "operation":
            return f"operation in {self._bound(frozenset(self.values.strings(value)))}"
        if key == "one_to_one":
            return "one" if value is True else "not one"
        if key in ("source", "target", "both", "either") and (among := self.sides.among(value)):
            source, target = self._among("s", among), self._among("t", among)
            return {
                "source": f"(source and {source})",
                "target": f"(target and {target})",
                "both": f"({source} and {target})",
                "either": f"((source and {source}) or (target and {target}))",
            }[key]
        if key == "same":
            names = self.values.strings(value)
            pairs = [f"{self._held('s', n)} == {self._held('t', n)} != none" for n in names]
            return f"({' and '.join(pairs)} if one else {self._bound(part.holds)}(view))"
        if key == "shared":
            source, target = self._held("s", str(value)), self._held("t", str(value))
            return (
                f"(len({source}) == 1 and {source} != none and (not target or {source} == {target}) "
                f"if source else len({target}) == 1 and {target} != none)"
            )
        return f"{self._bound(part.holds)}(view)"

    def _among(self, side: str, among: Sequence[Among]) -> str:
        tests = [f"{self._held(side, name)} <= {self._bound(wanted)}" for name, _, wanted in among]
        return f"({' and '.join(tests)})"

    def _held(self, side: str, name: str) -> str:
        """Return an expression for the values of a property on a side, which is computed at its first use."""
        number = self.properties.setdefault(name, len(self.properties))
        get = self._getter(number, name)
        held, look = f"{side}{number}", "on_source" if side == "s" else "on_target"
        return f"({held} if {held} is not None else ({held} := view.{look}({name!r}, {get})))"

    def _getter(self, number: int, name: str) -> str:
        self.names.setdefault(f"g{number}", self.values.getter(name))
        return f"g{number}"

"""Conditions of the rule language: each YAML key becomes a function from an edit to true or false.

A condition is checked when the pack is read, so that a misspelt key or value is an error that names it and never
a rule that silently does not fire. ``CONDITIONS`` is what docs/packs.md says of them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from jperrant.core.errors import PackError, nearest
from jperrant.edits.comparisons import COMPARISONS, Condition
from jperrant.edits.edit_context import EditContext, Getter
from jperrant.edits.entries import Entry
from jperrant.edits.lookahead import guarded
from jperrant.edits.sides import SideCompiler
from jperrant.edits.values import NOTHING, Lists, Values, as_list, as_mapping, as_string
from jperrant.edits.yaml_position import position_of

Hooks = Mapping[str, Condition]


class Part(NamedTuple):
    """One condition: as the pack gives it, and compiled."""

    key: str
    value: object
    holds: Condition


class Compiler:
    """Turns the conditions of one pack into functions.

    Args:
        hooks: The pack's own conditions, by name.
        lists: Named word lists, written ``$name`` in a condition.
        properties: The pack's own properties of tokens, which may take the place of built-in ones.
        closed: All values a property can have, for those of which that is known.

    Attributes:
        problems: What was found wrong, each with its place in the file as far as that is known.
    """

    def __init__(
        self,
        hooks: Hooks,
        lists: Lists,
        properties: Mapping[str, Getter] = MappingProxyType({}),
        closed: Mapping[str, frozenset[str]] = NOTHING,
    ) -> None:
        self.hooks = hooks
        self.values = Values(lists, properties, closed)
        self.sides = SideCompiler(self.values)
        self.problems: list[tuple[str, str]] = []

    def conditions(self, when: object) -> Condition:
        """Return the conjunction of the conditions in a mapping; what is wrong goes to ``problems``."""
        parts = self.parts(when)
        return guarded(conjunction([p.holds for p in parts]), {p.key: p.value for p in parts}, self.values)

    def parts(self, when: object) -> list[Part]:
        """Return the conditions in a mapping one by one; what is wrong goes to ``problems``."""
        parts = []
        try:
            for key, value in as_mapping(when, "when").items():
                try:
                    parts.append(Part(key, value, self._condition(key, value)))
                except PackError as error:
                    self.problems.append((position_of(when, key), str(error)))
        except PackError as error:
            self.problems.append(("", str(error)))
        return parts

    def _condition(self, key: str, value: object) -> Condition:
        if key not in CONDITIONS:
            raise PackError(
                f"unknown condition {key!r}{nearest(key, CONDITIONS)}; expected one of "
                f"{', '.join(sorted(CONDITIONS))}"
            )
        return CONDITIONS[key].compile(self, value)


def conjunction(parts: Sequence[Condition]) -> Condition:
    """Return the condition that holds where all of some hold."""
    if not parts:
        return lambda _: True
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda view: first(view) and second(view)

    def every(view: EditContext) -> bool:
        for part in parts:  # noqa: SIM110 - a generator takes twice the time
            if not part(view):
                return False
        return True

    return every


def _hook(compiler: Compiler, value: object) -> Condition:
    name = as_string("hook", value)
    if name not in compiler.hooks:
        raise PackError(
            f"unknown hook {name!r}{nearest(name, compiler.hooks)}; define it under CONDITIONS in hooks.py (run "
            "with --hooks)"
        )
    return compiler.hooks[name]


def _any(compiler: Compiler, value: object) -> Condition:
    options = [compiler.conditions(option) for option in as_list("any", value)]

    def some(view: EditContext) -> bool:
        for option in options:  # noqa: SIM110 - as above
            if option(view):
                return True
        return False

    return some


def _not(compiler: Compiler, value: object) -> Condition:
    test = compiler.conditions(value)
    return lambda view: not test(view)


# Conditions on the tokens of the sides


def _source(compiler: Compiler, value: object) -> Condition:
    test = compiler.sides.side(value)
    return lambda view: test(view, view.source)


def _target(compiler: Compiler, value: object) -> Condition:
    test = compiler.sides.side(value)
    return lambda view: test(view, view.target)


def _both(compiler: Compiler, value: object) -> Condition:
    test = compiler.sides.side(value)
    return lambda view: (
        (not view.source or test(view, view.source)) and (not view.target or test(view, view.target))
    )


def _either(compiler: Compiler, value: object) -> Condition:
    test = compiler.sides.side(value)
    return lambda view: test(view, view.source) or test(view, view.target)


#: Every condition: how it is compiled, an example, and when it holds.
CONDITIONS: dict[str, Entry] = {
    **COMPARISONS,
    "source": Entry(_source, "source: {upos: NOUN}", "the source side passes these tests"),
    "target": Entry(_target, "target: {known: true}", "the target side passes these tests"),
    "both": Entry(_both, "both: {class: VERB}", "every side that has tokens passes these tests"),
    "either": Entry(_either, "either: {xpos: VBG}", "the source or the target side passes these tests"),
    "hook": Entry(_hook, "hook: name", 'the function `CONDITIONS["name"]` of `hooks.py` returns true'),
    "any": Entry(_any, "any: [{…}, {…}]", "the conditions of at least one of these mappings hold"),
    "not": Entry(_not, "not: {…}", "the conditions of this mapping do not all hold"),
}

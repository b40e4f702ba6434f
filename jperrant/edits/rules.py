"""The rules of a pack: a list tried from the top, the first that fires names the type.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (a list of its own; where none of it fires the search goes on below), or ``drop_last: true`` (begin
again without the last token on both sides).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from jperrant.core.errors import PackError
from jperrant.core.values import UNKNOWN
from jperrant.edits.compiler import Compiler, Part, all_of
from jperrant.edits.edit_context import EditContext
from jperrant.edits.labels import Tables, TypeCompiler
from jperrant.edits.unreachable import Reach
from jperrant.edits.values import Condition, PositionedDict, position_of, unknown_keys

#: Keys of a rule and what they hold.
RULE_KEYS: dict[str, str] = {
    "name": "a short description of the rule, shown in error messages",
    "when": "a mapping of conditions that must all hold; without it, the rule always fires",
    "type": 'the label, or a pattern of properties such as `"{class}:INFL"` or `"{table[deprel]}"`',
    "rules": "nested rules; if none of them fires, the search continues below",
    "drop_last": "`true`: start again without the last token on both sides",
}


class Rule(NamedTuple):
    """A compiled rule.

    Attributes:
        parts: Its conditions.
        fires: All of them together.
        label: The label, or what makes it; an empty string for ``drop_last``, None where rules stand inside.
        rules: The rules inside.
        where: Its place, for errors.
    """

    parts: tuple[Part, ...]
    fires: Condition
    label: Callable[[EditContext], str] | str | None
    rules: tuple[Rule, ...]
    where: str


class Step(NamedTuple):
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


def first_label(
    rules: Sequence[Rule], view: EditContext, tried: list[Step] | None = None, depth: int = 0
) -> str | None:
    """Return the label of the first rule that fires, an empty string for ``drop_last``; None where nothing fires.

    Args:
        rules: The rules.
        view: The edit.
        tried: Takes the rules that are tried, in order; None for none.
        depth: How many rules these stand in.

    Raises:
        PackError: A hook fails, or a rule makes a label the pack does not declare; names the rule.
        NeedsParse: A rule asks for a dependency that is not there yet.
    """
    for parts, fires, label, inside, where in rules:
        try:
            if tried is not None:
                failed = next((part for part in parts if not part.holds(view)), Part("", None, fires))
                tried.append(Step(where, depth, not failed.key, not failed.key and not inside, *failed[:2]))
            if not fires(view):
                continue
            if label is not None:
                return label if isinstance(label, str) else label(view)
        except PackError as error:
            raise PackError(f"{where}: {error}") from error.__cause__
        found = first_label(inside, view, tried, depth + 1)
        if found is not None:
            return found
    return None


def _of_kind(rules: Sequence[Rule], view: EditContext) -> tuple[Rule, ...]:
    """Return the rules whose conditions on the operation and on one token for one hold, without these conditions.

    Most rules have such a condition, so that far fewer are left to be tried on each edit.
    """
    kept = []
    for rule in rules:
        known = [part for part in rule.parts if part.key in ("operation", "one_to_one")]
        if all([part.holds(view) for part in known]):
            parts = [part for part in rule.parts if part not in known]
            kept.append(rule._replace(fires=all_of(parts), rules=_of_kind(rule.rules, view)))
    return tuple(kept)


class RuleSet:
    """The compiled rules of a pack.

    Args:
        rules: The list as YAML gives it.
        labels: The pack's closed set of labels.
        compiler: Compiles the conditions.
        tables: Named tables that labels may be looked up in, as ``{table[property]}``.
        file: Where the rules come from, for errors; a rule read from a file names its own.
        problems: Takes every error in the rules, one line each, instead of the first being raised.

    Raises:
        PackError: A rule is wrong or can never fire; the message names its place in the list.
    """

    def __init__(
        self,
        rules: Sequence[object],
        labels: Sequence[str],
        compiler: Compiler,
        tables: Tables,
        file: str = "",
        problems: list[str] | None = None,
    ) -> None:
        self.labels, self.file = frozenset(labels), file
        self._compiler = compiler
        self._types = TypeCompiler(self.labels, compiler, tables)
        self._problems: list[str] = []
        self._rules = self._compile(rules, "rules", Reach(frozenset(), {}, []))
        self._of_kind: dict[tuple[str, bool], tuple[Rule, ...]] = {}
        if problems is not None:
            problems += self._problems
        elif self._problems:
            raise PackError(self._problems[0])

    def classify(self, view: EditContext, tried: list[Step] | None = None) -> str:
        """Return the full type of an edit, such as ``R:NOUN:NUM``.

        Args:
            view: The edit.
            tried: Takes the rules that are tried, in order, which takes time; None for none.

        Raises:
            PackError: No rule fires, a rule makes a label the pack does not declare, or a hook fails.
            NeedsParse: A rule asks for a dependency that is not there yet.
        """
        while (
            label := first_label(self._rules_for(view) if tried is None else self._rules, view, tried)
        ) == "":
            view.drop_last()
            if not view.source and not view.target:
                raise PackError(
                    f"{self.file}: drop_last: no token is left of {view.text!r} → {view.target_text!r}; add a "
                    "rule for single tokens before it"
                )
        if label is None:
            raise PackError(
                f"{self.file}: no rule fires for {view.text!r} → {view.target_text!r}; end the list "
                "with a rule without 'when'"
            )
        return UNKNOWN if label == UNKNOWN else f"{view.operation}:{label}"

    def _rules_for(self, view: EditContext) -> tuple[Rule, ...]:
        kind = view.operation, view.one_to_one
        if kind not in self._of_kind:
            self._of_kind[kind] = _of_kind(self._rules, view)
        return self._of_kind[kind]

    def _compile(self, rules: object, where: str, reach: Reach) -> tuple[Rule, ...]:
        if not isinstance(rules, list):
            self._note(self.file, where, f"found {rules!r}, expected a list of rules")
            return ()
        numbered = zip(_numbers(rules), rules, strict=True)
        compiled = [self._rule(rule, f"{where}[{number}]", reach) for number, rule in numbered]
        return tuple([rule for rule in compiled if rule is not None])

    def _rule(self, rule: object, where: str, reach: Reach) -> Rule | None:
        """Compile one rule, or note what is wrong with it and return None."""
        if not isinstance(rule, Mapping):
            self._note(self.file, where, f"found {rule!r}, expected a mapping")
            return None
        where = f"{where} ({rule['name']})" if "name" in rule else where
        before, when, nested = len(self._problems), rule.get("when", {}), rule.get("rules", [])
        for problem in _shape(rule):
            self._note(position_of(rule), where, problem)
        parts = self._compiler.parts(when)
        for place, problem in self._compiler.taken_problems():
            self._note(place or position_of(rule, "when"), where, problem)
        label: Callable[[EditContext], str] | str | None = "" if "drop_last" in rule else None
        try:
            label = self._types.compile(rule["type"]) if "type" in rule else label
        except PackError as error:
            self._note(position_of(rule, "type"), where, str(error))
        if len(self._problems) > before:  # look for more errors inside
            if isinstance(nested, list):
                self._compile(nested, where, Reach(frozenset(), {}, []))
            return None
        inside = reach.inside(when, self._compiler.strings)
        inherited = isinstance(rule, PositionedDict) and rule.file != self.file  # may well be overruled
        if (problem := inside.problem()) and not inherited:
            self._note(position_of(rule), where, f"this rule can never fire: {problem}")
        elif "type" in rule:
            for problem in self._types.undeclared(str(rule["type"]), inside.values):
                self._note(position_of(rule, "type"), where, problem)
        rules = self._compile(nested, where, inside)
        if "rules" not in rule:
            reach.taken.append(inside.facts)
        return Rule(tuple(parts), all_of(parts), label, rules, _line(position_of(rule) or self.file, where))

    def _note(self, place: str, where: str, problem: str) -> None:
        self._problems.append(_line(place, f"{where}: {problem}"))


def _line(place: str, text: str) -> str:
    return f"{place}: {text}" if place else text


def _shape(rule: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the keys of a rule."""
    problems = unknown_keys(rule, RULE_KEYS)
    if sum(key in rule for key in ("type", "rules", "drop_last")) != 1:
        problems.append("expected exactly one of type, rules and drop_last")
    elif rule.get("rules", True) == [] or rule.get("drop_last", True) is not True:
        problems.append("expected rules: with a list of at least one rule, or drop_last: true")
    if not isinstance(rule.get("name", ""), str):
        problems.append(f"name: found {rule['name']!r}, expected a text")
    return problems


def _numbers(rules: Sequence[object]) -> list[int]:
    """Return the number of each rule in its own file: inherited rules stand behind a pack's own."""
    numbers, counts = [], dict[str, int]()
    for rule in rules:
        file = rule.file if isinstance(rule, PositionedDict) else ""
        numbers.append(counts.get(file, 0))
        counts[file] = numbers[-1] + 1
    return numbers

"""The rules of a pack: a list tried from the top, the first that fires names the type.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (a list of its own; where none of it fires the search goes on below), or ``drop_last: true`` (begin
again without the last token on both sides).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import UNKNOWN
from jperrant.edits.conditions import Compiler, Part, all_of
from jperrant.edits.edit_context import EditContext
from jperrant.edits.labels import Tables, TypeCompiler
from jperrant.edits.unreachable import ReachabilityCheck
from jperrant.edits.values import Condition, PositionedDict, position_of

#: Keys of a rule and what they hold.
RULE_KEYS: dict[str, str] = {
    "name": "a short description of the rule, shown in error messages",
    "when": "a mapping of conditions that must all hold; without it, the rule always fires",
    "type": 'the label, or a pattern of properties such as `"{class}:INFL"` or `"{table[deprel]}"`',
    "rules": "nested rules; if none of them fires, the search continues below",
    "drop_last": "`true`: start again without the last token on both sides",
}

_CONSEQUENCES = ("type", "rules", "drop_last")


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


def first_label(rules: Sequence[Rule], view: EditContext) -> str | None:
    """Return the label of the first rule that fires, an empty string for ``drop_last``; None where nothing fires.

    Raises:
        PackError: A hook fails, or a rule makes a label the pack does not declare; names the rule.
        NeedsParse: A rule asks for a dependency that is not there yet.
    """
    for _, fires, label, inside, where in rules:
        try:
            if not fires(view):
                continue
            if label is not None:
                return label if isinstance(label, str) else label(view)
        except PackError as error:
            raise PackError(f"{where}: {error}") from error.__cause__
        found = first_label(inside, view)
        if found is not None:
            return found
    return None


def _of_kind(rules: Sequence[Rule], view: EditContext) -> tuple[Rule, ...]:
    """Return the rules for edits of one operation and, or not, of one token for one other.

    Most rules are for one of them, and most others need not ask for it again.
    """
    kept = []
    for rule in rules:
        known = [part for part in rule.parts if part.key in ("operation", "one_to_one")]
        if all([part.holds(view) for part in known]):
            parts = [part for part in rule.parts if part not in known]
            kept.append(rule._replace(fires=all_of(parts), rules=_of_kind(rule.rules, view)))
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Step:
    """A rule that was tried.

    Attributes:
        where: Its place: file, line, number and name.
        depth: How many rules it stands in.
        fires: Whether all its conditions hold.
        concludes: Whether it names the type, or drops the last tokens.
        drops: Whether it drops the last tokens.
        key, value: The first condition that does not hold, as the pack gives it; an empty string where all do.
    """

    where: str
    depth: int
    fires: bool
    concludes: bool
    drops: bool = False
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
        if last is None or not last.drops or max(len(view.source), len(view.target)) < 2:
            return
        view.drop_last()


def _tried(rules: Sequence[Rule], view: EditContext, depth: int) -> Iterator[Step]:
    for rule in rules:
        failed = next((part for part in rule.parts if not part.holds(view)), None)
        if failed is not None:
            yield Step(rule.where, depth, False, False, False, failed.key, failed.value)
            continue
        concludes = not rule.rules
        yield Step(rule.where, depth, True, concludes, rule.label == "")
        if concludes:
            return
        for step in _tried(rule.rules, view, depth + 1):
            yield step
            if step.concludes:
                return


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
        self.labels = frozenset(labels)
        self.file = file
        self._compiler = compiler
        self._types = TypeCompiler(self.labels, compiler.values, tables)
        self._problems: list[str] = []
        self._rules = self._compile(rules, "rules", ReachabilityCheck(compiler.values.strings))
        self._of_kind: dict[tuple[str, bool], tuple[Rule, ...]] = {}
        if problems is not None:
            problems += self._problems
        elif self._problems:
            raise PackError(self._problems[0])

    def classify(self, view: EditContext) -> str:
        """Return the full type of an edit, such as ``R:NOUN:NUM``.

        Raises:
            PackError: No rule fires, a rule makes a label the pack does not declare, or a hook fails.
            NeedsParse: A rule asks for a dependency that is not there yet.
        """
        while (label := first_label(self._rules_for(view), view)) == "":
            view.drop_last()
            if not view.source and not view.target:
                raise PackError(
                    f"{self.file}: drop_last: no token is left of {view.text!r} → {view.target_text!r}; add a "
                    "rule for single tokens before it"
                )
        if label is None:
            raise PackError(
                f"{self.file}: no rule fires for {view.text!r} → {view.target_text!r}; end the list "
                f"with a rule "
                "without 'when'"
            )
        return UNKNOWN if label == UNKNOWN else f"{view.operation}:{label}"

    def _rules_for(self, view: EditContext) -> tuple[Rule, ...]:
        kind = view.operation, view.one_to_one
        if kind not in self._of_kind:
            self._of_kind[kind] = _of_kind(self._rules, view)
        return self._of_kind[kind]

    def trace(self, view: EditContext) -> Iterator[Step]:
        """Yield the rules that are tried on an edit, in order; slow beside ``classify``.

        Raises:
            PackError: A hook fails.
            NeedsParse: A rule asks for a dependency that is not there yet.
        """
        return trace(self._rules, view)

    def _compile(self, rules: object, where: str, reach: ReachabilityCheck) -> tuple[Rule, ...]:
        if not isinstance(rules, list):
            problem = f"{self.file}: {where}: found {rules!r}, expected a list of rules"
            self._problems.append(problem.removeprefix(": "))
            return ()
        compiled, numbers = [], _numbers(rules)
        for number, rule in zip(numbers, rules, strict=True):
            compiled_rule = self._rule(rule, f"{where}[{number}]", reach)
            if compiled_rule is not None:
                compiled.append(compiled_rule)
        return tuple(compiled)

    def _rule(self, rule: object, where: str, reach: ReachabilityCheck) -> Rule | None:
        """Compile one rule, or note what is wrong with it and return None."""
        if not isinstance(rule, Mapping):
            self._problems.append(
                f"{self.file}: {where}: found {rule!r}, expected a mapping".removeprefix(": ")
            )
            return None
        where = f"{where} ({rule['name']})" if "name" in rule else where
        before = len(self._problems)
        for problem in _shape(rule):
            self._note(rule, where, problem)
        parts = self._compiler.parts(rule.get("when", {}))
        for place, problem in self._compiler.problems:
            self._problems.append(
                f"{place or position_of(rule, 'when')}: {where}: {problem}".removeprefix(": ")
            )
        self._compiler.problems.clear()
        label = None
        if "type" in rule:
            try:
                label = self._types.compile(rule["type"])
            except PackError as error:
                self._note(rule, where, str(error), "type")
        if len(self._problems) > before:
            if isinstance(rule.get("rules"), list):  # look for more errors inside
                self._compile(rule["rules"], where, ReachabilityCheck(self._compiler.values.strings))
            return None
        inside = reach.enter(rule.get("when", {}))
        inherited = isinstance(rule, PositionedDict) and rule.file != self.file  # may well be overruled
        if (problem := inside.problem) and not inherited:
            self._note(rule, where, f"this rule can never fire: {problem}")
        elif "type" in rule:
            for problem in self._types.undeclared(str(rule["type"]), inside.values):
                self._note(rule, where, problem, "type")
        nested = self._compile(rule["rules"], where, inside) if "rules" in rule else ()
        reach.leave(inside, concludes="rules" not in rule)
        place = position_of(rule) or self.file
        if "drop_last" in rule:
            label = ""
        return Rule(tuple(parts), all_of(parts), label, nested, f"{place}: {where}".removeprefix(": "))

    def _note(self, rule: Mapping[str, object], where: str, problem: str, key: str | None = None) -> None:
        self._problems.append(f"{position_of(rule, key)}: {where}: {problem}".removeprefix(": "))


def _shape(rule: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the keys of a rule."""
    problems = [
        f"unknown key {key!r}{nearest(str(key), RULE_KEYS)}; expected one of {', '.join(RULE_KEYS)}"
        for key in rule
        if key not in RULE_KEYS
    ]
    if sum(key in rule for key in _CONSEQUENCES) != 1:
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

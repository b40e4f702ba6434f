"""The rules of a pack: a list tried from the top, the first that fires names the type.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (a list of its own; where none of it fires the search goes on below), or ``drop_last: true`` (begin
again without the last token on both sides).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import UNKNOWN
from jperrant.edits.conditions import Compiler, conjunction
from jperrant.edits.edit_context import EditContext
from jperrant.edits.labels import Tables, TypeCompiler
from jperrant.edits.lookahead import guarded
from jperrant.edits.program import Rule, write
from jperrant.edits.rule_keys import RULE_KEYS
from jperrant.edits.trace import Step, leaves, trace
from jperrant.edits.unreachable import ReachabilityCheck
from jperrant.edits.yaml_position import PositionedDict, position_of

_CONSEQUENCES = ("type", "rules", "drop_last")


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
        self._search = write([] if self._problems else self._rules, compiler.values)
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
        try:
            while (label := self._search(view)) == "":
                view.drop_last()
                if not view.source and not view.target:
                    raise PackError(
                        f"drop_last: no token is left of {view.text!r} → {view.target_text!r}; add a rule for "
                        "single tokens before it"
                    )
        except PackError as error:
            raise PackError(f"{_blamed(self._rules, view) or self.file}: {error}") from error.__cause__
        if label is None:
            raise PackError(
                f"{self.file}: no rule fires for {view.text!r} → {view.target_text!r}; end the list "
                f"with a rule "
                "without 'when'"
            )
        return UNKNOWN if label == UNKNOWN else f"{view.operation}:{label}"

    def trace(self, view: EditContext) -> Iterator[Step]:
        """Yield the rules that are tried on an edit, in order; slow beside ``classify``.

        Raises:
            PackError: A hook fails.
            NeedsParse: A rule asks for a dependency that is not there yet.
        """
        return trace(self._rules, view)

    @property
    def leaves(self) -> tuple[str, ...]:
        """The places of the rules that name a type."""
        return tuple([rule.where for rule in leaves(self._rules)])

    def _compile(self, rules: object, where: str, reach: ReachabilityCheck) -> tuple[Rule, ...]:
        if not isinstance(rules, list):
            self._problems.append(f"{where}: found {rules!r}, expected a list of rules")
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
            self._problems.append(f"{where}: found {rule!r}, expected a mapping")
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
        holds = conjunction([part.holds for part in parts])
        fires = guarded(holds, {part.key: part.value for part in parts}, self._compiler.values)
        return Rule(tuple(parts), fires, label, nested, f"{place}: {where}".removeprefix(": "))

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


def _blamed(rules: tuple[Rule, ...], view: EditContext) -> str:
    """Return the place of the rule that raises an error when tried on an edit, or an empty string."""
    for _, fires, label, nested, where in rules:
        try:
            if fires(view) and label is not None:
                if not isinstance(label, str):
                    label(view)
                return ""
        except PackError:
            return where
        if nested and fires(view) and (blamed := _blamed(nested, view)):
            return blamed
    return ""

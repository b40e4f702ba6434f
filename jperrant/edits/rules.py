"""The rules of a pack: a list tried from the top, the first that fires names the type; and rules that never fire.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (a list of its own; where none of it fires the search goes on below), or ``drop_last: true`` (begin
again without the last token on both sides).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jperrant.core.errors import PackError, check_known, nearest
from jperrant.core.values import UNKNOWN
from jperrant.edits.compiler import Compiler, Part, all_of
from jperrant.edits.edit_context import FORM, EditContext
from jperrant.edits.values import Condition, PositionedDict, position_of, unknown_keys

#: Keys of a rule and what they hold.
RULE_KEYS: dict[str, str] = {
    "name": "a short description of the rule, shown in error messages",
    "when": "a mapping of conditions that must all hold; without it, the rule always fires",
    "type": 'the label, or a pattern of properties such as `"{class}:INFL"` or `"{table[deprel]}"`',
    "rules": "nested rules; if none of them fires, the search continues below",
    "drop_last": "`true`: start again without the last token on both sides",
}

Tables = Mapping[str, Mapping[str, str]]
_Label = Callable[[EditContext], str]
_FIELD = re.compile(r"\{([\w.]+)(?:\[([\w.]+)\])?\}")
_OPERATIONS = frozenset("MUR")
#: The operations of which a condition can hold, or a test of a side: what it asks about must have tokens.
_POSSIBLE = {
    "source": ["U", "R"], "target": ["M", "R"],
    **{key: ["R"] for key in ("one_to_one", "same_first", "same_last", "pair", "change", "endings")},
}  # fmt: skip
#: Conditions that hold: side, condition or test, and value; the side is empty for conditions on the whole edit.
_Facts = frozenset[tuple[str, str, str]]


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
        while (label := first_label(self._rules, view, tried)) == "":
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


# Types: labels, and patterns of properties that make labels


class TypeCompiler:
    """Turns what a rule gives for ``type`` into a function from an edit to a label.

    Args:
        labels: The pack's closed set of labels.
        compiler: Knows the properties of the pack.
        tables: Named tables that labels may be looked up in.
    """

    def __init__(self, labels: frozenset[str], compiler: Compiler, tables: Tables) -> None:
        self.labels, self.compiler, self.tables = labels, compiler, tables

    def compile(self, template: object) -> _Label | str:
        """Return a label as it is, and a pattern as what makes labels of edits.

        Raises:
            PackError: The label is not declared, or the pattern names an unknown property or table.
        """
        if not isinstance(template, str):
            raise PackError(f"type: found {template!r}, expected a label")
        if not _FIELD.search(template):
            return self._declared(template) if template != UNKNOWN else template
        # The inflection goes by the class of one token, and the label may have another one before it: PRON:DEF.
        make, with_form = self._maker(template), self._maker(template.replace("{inflection}", FORM))

        def label(view: EditContext) -> str:
            made = make(view)
            return made if made in self.labels else self._declared(with_form(view))

        return label

    def _maker(self, template: str) -> _Label:
        """Return what fills the fields of a pattern."""
        pattern, parts = (
            _FIELD.sub("{}", template),
            [self._field(match) for match in _FIELD.finditer(template)],
        )
        return lambda view: pattern.format(*[part(view) for part in parts])

    def undeclared(self, template: str, possible: Mapping[str, frozenset[str]]) -> Iterator[str]:
        """Yield what is wrong with the labels a pattern may make, as far as that is known.

        Args:
            template: The pattern.
            possible: The values a property can have where the rule fires, for those of which that is known.
        """
        fields = list(_FIELD.finditer(template))
        shape = re.compile(".+".join([re.escape(part) for part in _FIELD.sub("\0", template).split("\0")]))
        if fields and not any([shape.fullmatch(label) for label in self.labels]):
            yield f"no label under labels has the form {template!r}; declare one there"
            return
        if len(fields) != 1:
            return
        field, looked_up = fields[0].groups()
        values = possible.get(looked_up or field)
        if looked_up:
            entries = self.tables.get(field, {})
            if values is not None and (missing := sorted(values - entries.keys())):
                yield f"table {field!r} has no entry for {', '.join(missing)}"
            values = frozenset(entries.values())
        for value in sorted(values or ()):
            label = template.replace(fields[0][0], value)
            if label not in self.labels:
                yield self._not_declared(label)

    def _not_declared(self, label: str) -> str:
        return f"unknown label {label!r}{nearest(label, self.labels)}; declare it under labels"

    def _declared(self, label: str) -> str:
        if label not in self.labels:
            raise PackError(self._not_declared(label))
        return label

    def _field(self, match: re.Match[str]) -> _Label:
        """Return what fills a field: a property of the last token of target or source, or what a table has."""
        table, name = (match[1], match[2]) if match[2] else ("", match[1])
        get = self.compiler.property("type", name).get
        if not table:
            return lambda view: get(view, (view.target or view.source)[-1])
        check_known("table", table, self.tables, PackError)
        entries = self.tables[table]

        def look_up(view: EditContext) -> str:
            value = get(view, (view.target or view.source)[-1])
            if value not in entries:
                raise PackError(f"table {table!r} has no entry for {value!r}, which a rule looks up; add one")
            return entries[value]

        return look_up


# Rules that can never fire: an earlier rule takes all of their edits, or their conditions contradict. Only what the
# conditions say literally counts, so a rule that is not reported may still be useless for reasons of the language.


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

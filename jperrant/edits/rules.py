"""The rules of a pack: they are tried in order, and the first that fires gives the type of an edit.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (nested rules; if none of them fires, the search continues below) or ``drop_last: true`` (start again
without the last token on both sides). A rule that no edit can reach is an error (class ``Reach``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jperrant.core.errors import PackError, check_known, nearest
from jperrant.core.values import UNKNOWN
from jperrant.edits.compiler import Compiler, Part, all_of
from jperrant.edits.edit_context import FORM, EditContext
from jperrant.edits.rule_parts import Condition, PositionedDict, position_of, unknown_keys

#: The keys of a rule and their values.
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
#: The operations of edits for which a condition, or a test of a side, can hold: the side it tests must not be
#: empty.
_POSSIBLE = {
    "source": ["U", "R"], "target": ["M", "R"],
    **{key: ["R"] for key in ("one_to_one", "same_first", "same_last", "pair", "change", "endings")},
}  # fmt: skip
#: Conditions known to hold: side, key and value; the side is empty for conditions on the whole edit.
_Facts = frozenset[tuple[str, str, str]]


class Rule(NamedTuple):
    """A compiled rule.

    Attributes:
        parts: Its conditions.
        fires: Whether all of them hold.
        label: The label, or a function that makes it; an empty string for ``drop_last``, None for nested rules.
        rules: The nested rules.
        where: The place of the rule in the pack, for messages.
    """

    parts: tuple[Part, ...]
    fires: Condition
    label: Callable[[EditContext], str] | str | None
    rules: tuple[Rule, ...]
    where: str


class Step(NamedTuple):
    """A rule that was tried for an edit.

    Attributes:
        where: The place of the rule: file, line, number and name.
        depth: The number of rules that it is nested in.
        fires: Whether all its conditions hold.
        concludes: Whether it fires and has a type or ``drop_last``.
        key, value: The first condition that does not hold, as written in the pack; an empty key if all hold.
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
    """Return the label of the first rule that fires, an empty string for ``drop_last``, or None.

    Args:
        rules: The rules, in order.
        view: The edit.
        tried: Receives the rules that were tried, in order, if given.
        depth: The number of rules that these are nested in.

    Raises:
        PackError: A hook fails, or a rule makes an undeclared label; the message names the rule.
        NeedsParse: A rule reads a dependency of a sentence that is not parsed yet.
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
        rules: The rules as read from YAML.
        labels: The pack's closed set of labels.
        compiler: Compiles the conditions.
        tables: Named tables in which a type may look up labels, as ``{table[property]}``.
        file: The file of the rules, for messages; a rule read from a file names its own.
        problems: Receives all errors, one line each; if not given, the first error is raised.

    Raises:
        PackError: A rule is wrong or can never fire; the message names its place.
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
        """Return the type of an edit with its operation, such as ``R:NOUN:NUM``.

        Args:
            view: The edit.
            tried: Receives the rules that were tried, in order, if given; recording them is slow.

        Raises:
            PackError: No rule fires, a rule makes an undeclared label, or a hook fails.
            NeedsParse: A rule reads a dependency of a sentence that is not parsed yet.
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
        """Compile one rule; on an error, record it and return None."""
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
        if len(self._problems) > before:  # still report errors in nested rules
            if isinstance(nested, list):
                self._compile(nested, where, Reach(frozenset(), {}, []))
            return None
        inside = reach.inside(when, self._compiler.strings)
        inherited = isinstance(rule, PositionedDict) and rule.file != self.file  # likely overruled
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
    """Return the errors in the keys of a rule."""
    problems = unknown_keys(rule, RULE_KEYS)
    if sum(key in rule for key in ("type", "rules", "drop_last")) != 1:
        problems.append("expected exactly one of type, rules and drop_last")
    elif rule.get("rules", True) == [] or rule.get("drop_last", True) is not True:
        problems.append("expected rules: with a list of at least one rule, or drop_last: true")
    if not isinstance(rule.get("name", ""), str):
        problems.append(f"name: found {rule['name']!r}, expected a text")
    return problems


def _numbers(rules: Sequence[object]) -> list[int]:
    """Return the number of each rule in its own file; inherited rules follow the pack's own."""
    numbers, counts = [], dict[str, int]()
    for rule in rules:
        file = rule.file if isinstance(rule, PositionedDict) else ""
        numbers.append(counts.get(file, 0))
        counts[file] = numbers[-1] + 1
    return numbers


# Types: labels, and patterns that make labels from properties


class TypeCompiler:
    """Compiles the ``type`` of a rule into a label or a function from an edit to a label.

    Args:
        labels: The pack's closed set of labels.
        compiler: Resolves the properties of the pack.
        tables: Named tables in which a type may look up labels.
    """

    def __init__(self, labels: frozenset[str], compiler: Compiler, tables: Tables) -> None:
        self.labels, self.compiler, self.tables = labels, compiler, tables

    def compile(self, template: object) -> _Label | str:
        """Return a label as it is, and a pattern as a function from an edit to a label.

        Raises:
            PackError: The label is not declared, or the pattern names an unknown property or table.
        """
        if not isinstance(template, str):
            raise PackError(f"type: found {template!r}, expected a label")
        if not _FIELD.search(template):
            return self._declared(template) if template != UNKNOWN else template
        # A pattern can join one token's class with an inflection named for another's (PRON:DEF); FORM then
        # replaces it.
        make, with_form = self._maker(template), self._maker(template.replace("{inflection}", FORM))

        def label(view: EditContext) -> str:
            made = make(view)
            return made if made in self.labels else self._declared(with_form(view))

        return label

    def _maker(self, template: str) -> _Label:
        """Return a function that fills the fields of a pattern."""
        pattern, parts = (
            _FIELD.sub("{}", template),
            [self._field(match) for match in _FIELD.finditer(template)],
        )
        return lambda view: pattern.format(*[part(view) for part in parts])

    def undeclared(self, template: str, possible: Mapping[str, frozenset[str]]) -> Iterator[str]:
        """Yield an error for each undeclared label that a pattern is known to make.

        Args:
            template: The pattern.
            possible: The values that a property can have when the rule fires, if they are limited.
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
        """Return a function that fills a field with a property of the last token, or its entry in a table.

        The token is that of the target side, or of the source side if the target is empty.
        """
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


# Rules that can never fire: an earlier rule takes all of their edits, or their conditions contradict each
# other. Only literal contradictions are found; a rule that is not reported may still never fire in the
# language.


class Reach(NamedTuple):
    """What is known about an edit that reaches a rule, from the rules that contain it and the rules before it.

    Attributes:
        facts: Conditions that hold.
        sets: The possible values by side and property, if they are limited.
        taken: For each earlier rule that concludes, the facts under which it fires.
    """

    facts: _Facts
    sets: Mapping[tuple[str, str], frozenset[str]]
    taken: list[_Facts]

    @property
    def operations(self) -> frozenset[str]:
        """The operations that the edit can have."""
        return self.sets.get(("", "operation"), _OPERATIONS)

    @property
    def values(self) -> Mapping[str, frozenset[str]]:
        """The possible values of the last target token's properties; of the source token's without a target."""
        sides = ["both", "target"]  # a test of the target holds only if it has tokens
        if self.operations <= {"U"}:
            sides.append("source")
        common: dict[str, frozenset[str]] = {}
        for (side, name), values in self.sets.items():
            if side in sides:
                common[name] = common.get(name, values) & values
        return common

    def inside(self, when: Mapping[str, Any], strings: Callable[[str, object], Sequence[str]]) -> Reach:
        """Return what is certain of an edit for which these conditions hold, too.

        Args:
            when: The conditions.
            strings: Reads a string, a list or ``$name`` as strings, given the key and the value.
        """
        facts, sets = set(self.facts), dict(self.sets)
        for side, name, value in _tests(when):
            if name != "operation":
                facts.add((side, name, repr(value)))
            wanted = isinstance(value, (str, list)) and name not in ("tokens", "length")
            if wanted and (side or name == "operation"):
                try:
                    values = frozenset(strings(name, value))
                except PackError:  # a number
                    continue
                sets[side, name] = sets.get((side, name), values) & values
        others = _OPERATIONS - sets.get(("", "operation"), _OPERATIONS)  # fewer operations, more facts
        facts |= {("", f"operation not {letter}", "") for letter in others}
        return Reach(frozenset(facts), sets, self.taken)

    def problem(self) -> str:
        """Return why no edit can reach the rule, or an empty string."""
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
    """Yield the conditions of a mapping as side, key and value; a side's tests are yielded one by one."""
    for key, value in when.items():
        if key in _POSSIBLE and value is not False:
            yield "", "operation", _POSSIBLE[key]
        if key in ("source", "target", "both") and isinstance(value, Mapping):
            yield from ((key, name, wanted) for name, wanted in value.items())
        elif key in ("same", "same_first", "same_last") and isinstance(value, list):
            yield from (("", key, name) for name in value)
        else:
            yield "", key, value

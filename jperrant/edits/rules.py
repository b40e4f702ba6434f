"""The rules of a pack: a list tried from the top, the first that fires names the type.

A rule is a mapping with ``when`` (conditions, all of which must hold) and one consequence: ``type`` (a label),
``rules`` (a list of its own; where none of it fires the search goes on below), or ``drop_last: true`` (begin
again without the last token on both sides).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from jperrant.data import UNKNOWN, Token
from jperrant.edits.conditions import Compiler, Condition
from jperrant.edits.view import EditView
from jperrant.errors import PackError, nearest

Tables = Mapping[str, Mapping[str, str]]
_KEYS = ("name", "when", "type", "rules", "drop_last")
_FIELD = re.compile(r"\{(\w+)(?:\[(\w+)\])?\}")


class _Rule(NamedTuple):
    """A compiled rule; exactly one of ``label``, ``rules`` and ``drop_last`` is its consequence."""

    fires: Condition
    label: Callable[[EditView], str] | None
    rules: tuple[_Rule, ...]


class RuleSet:
    """The compiled rules of a pack.

    Args:
        rules: The list as YAML gives it.
        labels: The pack's closed set of labels.
        compiler: Compiles the conditions.
        tables: Named tables that labels may be looked up in, as ``{table[property]}``.

    Raises:
        PackError: A rule is wrong; the message names its place in the list.
    """

    def __init__(
        self, rules: Sequence[object], labels: Sequence[str], compiler: Compiler, tables: Tables
    ) -> None:
        self.labels = frozenset(labels)
        self._compiler, self._tables = compiler, tables
        self._rules = self._compile(rules, "rules")
        self._types: dict[tuple[str, str], str] = {}

    def classify(self, view: EditView) -> str:
        """Return the full type of an edit, such as ``R:NOUN:NUM``.

        Raises:
            PackError: No rule fires, or a rule names a label the pack does not declare.
            NeedsParse: A rule asks for a dependency that is not there yet.
        """
        while (label := _first(self._rules, view)) is None:
            view.drop_last()
        key = (view.operation, label)
        if key not in self._types:
            self._types[key] = self._type(*key)
        return self._types[key]

    def _type(self, operation: str, label: str) -> str:
        if label == UNKNOWN:
            return UNKNOWN
        if label not in self.labels:
            raise PackError(
                f"a rule names the label {label!r}, which the pack does not declare{nearest(label, self.labels)}"
            )
        return f"{operation}:{label}"

    def _compile(self, rules: object, where: str) -> tuple[_Rule, ...]:
        if not isinstance(rules, list):
            raise PackError(f"{where}: expected a list of rules, found {rules!r}")
        return tuple(self._rule(rule, f"{where}[{n}]") for n, rule in enumerate(rules))

    def _rule(self, rule: object, where: str) -> _Rule:
        if not isinstance(rule, Mapping):
            raise PackError(f"{where}: expected a mapping, found {rule!r}")
        where = f"{where} ({rule['name']})" if "name" in rule else where
        for key in rule:
            if key not in _KEYS:
                raise PackError(
                    f"{where}: unknown key {key!r}{nearest(str(key), _KEYS)}; known: {', '.join(_KEYS)}"
                )
        if sum(key in rule for key in ("type", "rules", "drop_last")) != 1:
            raise PackError(f"{where}: expected exactly one of type, rules and drop_last")
        try:
            fires = self._compiler.conditions(rule.get("when", {}))
            label = self._label(rule["type"]) if "type" in rule else None
        except PackError as error:
            raise PackError(f"{where}: {error}") from None
        nested = self._compile(rule["rules"], where) if "rules" in rule else ()
        if ("rules" in rule and not nested) or rule.get("drop_last", True) is not True:
            raise PackError(f"{where}: expected a list with rules, or drop_last: true")
        return _Rule(fires, label, nested)

    def _label(self, template: object) -> Callable[[EditView], str]:
        if not isinstance(template, str):
            raise PackError(f"type: expected a label, found {template!r}")
        fields = list(_FIELD.finditer(template))
        if not fields:
            if template != UNKNOWN and template not in self.labels:
                raise PackError(
                    f"label {template!r} is not declared under labels{nearest(template, self.labels)}"
                )
            return lambda _: template
        parts = [self._field(match) for match in fields]
        pattern = _FIELD.sub("{}", template)
        return lambda view: pattern.format(*[part(view) for part in parts])

    def _field(self, match: re.Match[str]) -> Callable[[EditView], str]:
        table, name = (match[1], match[2]) if match[2] else (None, match[1])
        get = self._compiler.getter(name)
        if table is None:
            return lambda view: get(view, _speaker(view))
        if table not in self._tables:
            raise PackError(f"unknown table {table!r} in a type{nearest(table, self._tables)}")
        entries = self._tables[table]

        def look_up(view: EditView) -> str:
            value = get(view, _speaker(view))
            if value not in entries:
                raise PackError(f"table {table!r} has no entry for {value!r}, which a rule looks up in it")
            return entries[value]

        return look_up


def _speaker(view: EditView) -> Token:
    """Return the token whose properties a label is made of: the target's last, or the source's."""
    return (view.target or view.source)[-1]


def _first(rules: tuple[_Rule, ...], view: EditView) -> str | None:
    """Return the label of the first rule that fires, or None to begin again."""
    found = _search(rules, view)
    if found is None:
        raise PackError(
            f"no rule fires for {view.text!r} → {view.target_text!r}; end the list with a rule without 'when'"
        )
    return found or None


def _search(rules: tuple[_Rule, ...], view: EditView) -> str | None:
    """Return the first label, an empty string for ``drop_last``, or None where nothing fires."""
    for fires, label, nested in rules:
        if fires(view):
            if label is not None:
                return label(view)
            if not nested:
                return ""
            found = _search(nested, view)
            if found is not None:
                return found
    return None

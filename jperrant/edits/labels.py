"""Types in rules: labels and patterns of properties that make labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import UNKNOWN, Token
from jperrant.edits.edit_context import FORM, EditContext
from jperrant.edits.values import Values

INFLECTION = "inflection"
Tables = Mapping[str, Mapping[str, str]]
_FIELD = re.compile(r"\{([\w.]+)(?:\[([\w.]+)\])?\}")


class TypeCompiler:
    """Turns what a rule gives for ``type`` into a function from an edit to a label.

    Args:
        labels: The pack's closed set of labels.
        values: Reads the properties of the pack.
        tables: Named tables that labels may be looked up in.
    """

    def __init__(self, labels: frozenset[str], values: Values, tables: Tables) -> None:
        self.labels, self.values, self.tables = labels, values, tables

    def compile(self, template: object) -> Callable[[EditContext], str] | str:
        """Return a label as it is, and a pattern as what makes labels of edits.

        Raises:
            PackError: The label is not declared, or the pattern names an unknown property or table.
        """
        if not isinstance(template, str):
            raise PackError(f"type: found {template!r}, expected a label")
        fields = list(_FIELD.finditer(template))
        if not fields:
            if template != UNKNOWN and template not in self.labels:
                raise PackError(self._not_declared(template))
            return template
        parts = [self._field(match) for match in fields]
        if len(parts) == 1 and fields[0][0] == template:
            return self._declared(parts[0])
        pattern = _FIELD.sub("{}", template)
        make = _filled(pattern, parts)
        if not any([_property(match) == INFLECTION for match in fields]):
            return self._declared(make)
        # The inflection goes by the class of one token, and the label may have another one before it: PRON:DEF.
        plain = _filled(
            pattern,
            [_form if _property(match) == INFLECTION else part
             for match, part in zip(fields, parts, strict=True)],
        )  # fmt: skip
        return self._declared(lambda view: made if (made := make(view)) in self.labels else plain(view))

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
        table, name = (fields[0][1], fields[0][2]) if fields[0][2] else ("", fields[0][1])
        side, _, rest = name.partition(".")
        values = (
            None if side == "source" and rest else possible.get(rest if side == "target" and rest else name)
        )
        if table:
            entries = self.tables.get(table, {})
            if values is not None and (missing := sorted(values - entries.keys())):
                yield f"table {table!r} has no entry for {', '.join(missing)}"
            values = frozenset(entries.values())
        for value in sorted(values or ()):
            label = _FIELD.sub(lambda _, value=value: value, template)  # type: ignore[misc]
            if label not in self.labels:
                yield self._not_declared(label)

    def _not_declared(self, label: str) -> str:
        return f"unknown label {label!r}{nearest(label, self.labels)}; declare it under labels"

    def _declared(self, make: Callable[[EditContext], str]) -> Callable[[EditContext], str]:
        """Return a function that makes only labels the pack declares."""
        labels = self.labels

        def label(view: EditContext) -> str:
            made = make(view)
            if made not in labels:
                raise PackError(self._not_declared(made))
            return made

        return label

    def _field(self, match: re.Match[str]) -> Callable[[EditContext], str]:
        table, name = (match[1], match[2]) if match[2] else (None, match[1])
        token_of, name = _side(name)
        get = self.values.getter(name)
        if table is None:
            return lambda view: get(view, token_of(view))
        if table not in self.tables:
            raise PackError(f"unknown table {table!r} in a type{nearest(table, self.tables)}")
        entries = self.tables[table]

        def look_up(view: EditContext) -> str:
            value = get(view, token_of(view))
            if value not in entries:
                raise PackError(f"table {table!r} has no entry for {value!r}, which a rule looks up; add one")
            return entries[value]

        return look_up


def _filled(pattern: str, parts: Sequence[Callable[[EditContext], str]]) -> Callable[[EditContext], str]:
    return lambda view: pattern.format(*[part(view) for part in parts])


def _form(_: EditContext) -> str:
    return FORM


def _property(match: re.Match[str]) -> str:
    """Return the property that fills a field of a pattern; an empty string where a table stands between."""
    return "" if match[2] else _side(match[1])[1]


def _side(name: str) -> tuple[Callable[[EditContext], Token], str]:
    """Return the token that a property in a pattern is of, and the property: ``source.class``, ``class``."""
    side, _, rest = name.partition(".")
    if side == "source" and rest:
        return lambda view: (view.source or view.target)[-1], rest
    return _label_token, rest if side == "target" and rest else name


def _label_token(view: EditContext) -> Token:
    """Return the token whose properties a label is made of: the target's last, or the source's."""
    return (view.target or view.source)[-1]

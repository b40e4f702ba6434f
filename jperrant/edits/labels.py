"""Types in rules: labels and patterns of properties that make labels."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from jperrant.core.errors import PackError, check_known, nearest
from jperrant.core.values import UNKNOWN
from jperrant.edits.compiler import Compiler
from jperrant.edits.edit_context import FORM, EditContext

Tables = Mapping[str, Mapping[str, str]]
_Label = Callable[[EditContext], str]
_FIELD = re.compile(r"\{([\w.]+)(?:\[([\w.]+)\])?\}")


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
        fields = list(_FIELD.finditer(template))
        if not fields:
            return self._declared(template) if template != UNKNOWN else template
        parts = [self._field(match) for match in fields]
        # The inflection goes by the class of one token, and the label may have another one before it: PRON:DEF.
        plain = [
            _form if match[0] == "{inflection}" else part for match, part in zip(fields, parts, strict=True)
        ]
        pattern = _FIELD.sub("{}", template)

        def label(view: EditContext) -> str:
            made = pattern.format(*[part(view) for part in parts])
            if made not in self.labels:
                made = pattern.format(*[part(view) for part in plain])
            return self._declared(made)

        return label

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


def _form(_: EditContext) -> str:
    return FORM

"""Inheritance: merges a pack.yaml with those of the packs that it extends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from itertools import product
from math import prod
from typing import Any

from jperrant.core.errors import nearest
from jperrant.core.values import UPOS
from jperrant.edits.edit_context import FORM
from jperrant.edits.rule_parts import PositionedDict, position_of
from jperrant.packs.labels import A_LABEL, LABEL
from jperrant.packs.yaml_file import Problem

#: Tables by label, in which a pattern can stand for several labels; so are the tables in ``label_sets``.
_BY_LABEL = ("labels", "groups", "counterparts")
#: Keys that are not inherited.
_OWN = ("code", "extends", "examples", "aliases", "measured")
#: Lists that continue with the parent's entries: its rules are tried if none of the pack's own fires.
_JOINED = ("rules", "one_error", "resources")
_BRACES = re.compile(r"\{([^{}]*)\}")
#: The most labels that one pattern may stand for.
_MOST = 10_000


def merged(contents: Sequence[PositionedDict]) -> tuple[PositionedDict, list[Problem]]:
    """Merge the contents of pack files; also return the errors in their label patterns and ``marks``.

    Args:
        contents: The content of each file, the pack's own first.
    """
    together, problems = PositionedDict(), list[Problem]()
    written = [_spelt_out(content, problems) for content in contents]
    for own in reversed(written):
        for key in _OWN:
            together.pop(key, None)
        removed = {label for label, description in _table(own, "labels").items() if description is None}
        if removed and isinstance(rules := together.get("rules"), list):
            together["rules"] = _without(removed, rules)
        for key in _JOINED:
            if isinstance(own.get(key), list) and isinstance(together.get(key), list):
                own[key] = [*own[key], *together[key]]
        _merge_into(together, own)
    return together, problems + _remove_unmarked(together, written)


def _merge_into(together: PositionedDict, own: PositionedDict) -> None:
    """Merge a mapping recursively into another; lists and scalars replace, None removes."""
    together.place = own.place
    for key, value in own.items():
        if value is None:
            together.pop(key, None)
            continue
        if isinstance(value, PositionedDict):
            below = together.get(key)
            below = below if isinstance(below, PositionedDict) else PositionedDict()
            _merge_into(below, value)
            value = below
        together[key], together.places[key] = value, position_of(own, key)


def expand(pattern: str) -> list[str]:
    """Return the labels that a pattern stands for.

    >>> expand("{NOUN,PRON}:{NUM,CASE}")
    ['NOUN:NUM', 'NOUN:CASE', 'PRON:NUM', 'PRON:CASE']
    """
    parts = _BRACES.split(pattern)
    choices = [part.split(",") if n % 2 else [part] for n, part in enumerate(parts)]
    return ["".join(choice.strip() for choice in row) for row in product(*choices)]


def _spelt_out(content: PositionedDict, problems: list[Problem]) -> PositionedDict:
    """Return a copy of a pack file with label patterns expanded; errors are added to ``problems``."""
    own = copy(content)
    for key in _BY_LABEL:
        if key in own:
            own[key] = _expanded(own[key], key, problems)
    if isinstance(sets := copy(own.get("label_sets")), PositionedDict):
        own["label_sets"] = sets
        for name, table in sets.items():
            sets[name] = _expanded(table, f"label_sets: {name}", problems)
    return own


def _expanded(table: Any, where: str, problems: list[Problem]) -> Any:
    """Expand the patterns in a table by label; a label given by name takes precedence over a pattern."""
    if not isinstance(table, PositionedDict):
        return table
    by_label = PositionedDict(table.place)
    for key, value in table.items():
        place, wrong = position_of(table, key), ""
        if prod([part.count(",") + 1 for part in _BRACES.findall(str(key))]) > _MOST:
            wrong = f"the pattern stands for more than {_MOST:,} labels; split it"
        for label in [] if wrong else expand(str(key)):
            if label in table and label != key:
                continue
            if not isinstance(key, str):
                wrong = f"found {key!r}, expected text; put it in quotes"
            elif not LABEL.fullmatch(label):
                wrong = f"{label!r} cannot be a label; expected {A_LABEL}"
            elif label in by_label:
                wrong = f"{label!r} is given by two patterns; remove it from one"
            by_label[label], by_label.places[label] = value, place
        if wrong:
            problems.append(Problem(place, f"{where}: {wrong}"))
    return by_label


def _without(labels: set[str], rules: Sequence[Any]) -> list[Any]:
    """Return the rules without those whose type is one of the labels, and without rules left empty by that."""
    kept = []
    for rule in rules:
        if isinstance(rule, PositionedDict):
            if str(rule.get("type")) in labels:
                continue
            if isinstance(inside := rule.get("rules"), list) and inside:
                rule = copy(rule)
                rule["rules"] = _without(labels, inside)
                if not rule["rules"]:
                    continue
        kept.append(rule)
    return kept


def _remove_unmarked(together: PositionedDict, written: Sequence[PositionedDict]) -> list[Problem]:
    """Remove inherited labels of inflections that the language does not mark; return errors in ``marks``.

    Only labels of the root (the generic pack) are removed. ``FORM``, which names no particular inflection,
    stays, and so do labels that another pack of the chain declares.

    Args:
        together: The merged content of the pack and its ancestors.
        written: The content of each of them, the root last.
    """
    marks, labels = together.get("marks"), together.get("labels")
    if not isinstance(labels, PositionedDict) or not isinstance(marks, PositionedDict):
        return []
    *others, root = [_table(one, "labels") for one in written]
    inflection = _table(written[-1], "inflection").values()
    tables = [given if isinstance(given, Mapping) else {"*": given} for given in inflection]
    inflections = {str(name) for table in tables for name in table.values()} - {FORM}
    known = root.keys() & {f"{word_class}:{name}" for word_class in UPOS for name in inflections}
    held = {word_class: names for word_class, names in marks.items() if isinstance(names, list)}
    marked = {f"{word_class}:{name}": word_class for word_class, names in held.items() for name in names}
    for label in known.difference(marked, *others):
        labels.pop(label, None)
    problems = []
    for label, word_class in marked.items():
        if label not in known:
            problem = f"{word_class}: marks: no inherited label is {label!r}{nearest(label, known)}"
            problems.append(Problem(position_of(marks, word_class), problem))
    return problems


def _table(content: PositionedDict, key: str) -> Mapping[Any, Any]:
    """Return the mapping under a key, or an empty one."""
    return table if isinstance(table := content.get(key), PositionedDict) else {}

"""Inheritance: what a pack.yaml and those of the packs that it extends say together."""

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
from jperrant.edits.values import PositionedDict, position_of
from jperrant.packs.labels import A_LABEL, LABEL
from jperrant.packs.yaml_file import Problem

#: Keys whose own keys are labels, of which patterns stand for several; and so are those of each of ``label_sets``.
_BY_LABEL = ("labels", "groups", "counterparts")
#: Keys that say something of one pack and nothing of those that extend it.
_OWN = ("code", "extends", "examples", "aliases", "measured")
#: Lists that go on with the parent's: its rules are tried where none of the pack's own fires.
_JOINED = ("rules", "one_error", "resources")
_BRACES = re.compile(r"\{([^{}]*)\}")
#: Labels that one pattern may stand for.
_MOST = 10_000


def merged(contents: Sequence[PositionedDict]) -> tuple[PositionedDict, list[Problem]]:
    """Return what pack files say together, and what is wrong with their patterns of labels.

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
    """Merge a mapping key by key into one that was made here; lists and other values replace, None removes."""
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
    """Return the labels a pattern stands for.

    >>> expand("{NOUN,PRON}:{NUM,CASE}")
    ['NOUN:NUM', 'NOUN:CASE', 'PRON:NUM', 'PRON:CASE']
    """
    parts = _BRACES.split(pattern)
    choices = [part.split(",") if n % 2 else [part] for n, part in enumerate(parts)]
    return ["".join(choice.strip() for choice in row) for row in product(*choices)]


def _spelt_out(content: PositionedDict, problems: list[Problem]) -> PositionedDict:
    """Return a copy of a pack file with its patterns of labels spelt out; what is wrong goes to ``problems``."""
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
    """Return a table by label with its patterns expanded; a label given by its own name goes before a pattern."""
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
    """Return rules without those that give one of some labels, and without those that then have none inside."""
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
    """Remove the root's labels of inflections that a language does not mark; return what is wrong in ``marks``.

    ``FORM`` stays, which is several inflections or none in particular, and so do labels that another pack declares.

    Args:
        together: What the pack and those that it extends say together.
        written: What each of them says, the root last.
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
    """Return the table under a key; an empty one where there is none."""
    return table if isinstance(table := content.get(key), PositionedDict) else {}

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
_OWN = ("code", "extends", "examples", "aliases", "measured", "marks")
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
    for content in reversed(contents):
        own = _spelt_out(content, problems)
        for key in _OWN:
            together.pop(key, None)
        for key in _JOINED:
            if isinstance(own.get(key), list) and isinstance(together.get(key), list):
                own[key] = [*own[key], *together[key]]
        problems += _remove_unmarked(together, own.get("marks"))
        _merge_into(together, own)
    return together, problems


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


def _remove_unmarked(inherited: PositionedDict, marks: object) -> list[Problem]:
    """Remove the inherited labels of inflections that a language does not mark; return what is wrong in ``marks``.

    ``FORM`` stays, which is several inflections or none in particular.

    Args:
        inherited: What the packs that a pack extends say together.
        marks: The inflections that each word class marks, as far as they are that.
    """
    labels, inflection = (inherited.get(key) or PositionedDict() for key in ("labels", "inflection"))
    if not isinstance(marks, Mapping) or not all(isinstance(one, Mapping) for one in (labels, inflection)):
        return []
    tables = [given if isinstance(given, Mapping) else {"*": given} for given in inflection.values()]
    inflections = {name for table in tables for name in table.values()} - {FORM}
    known = labels.keys() & {f"{word_class}:{name}" for word_class in UPOS for name in inflections}
    held = {word_class: names for word_class, names in marks.items() if isinstance(names, list)}
    marked = {f"{word_class}:{name}": word_class for word_class, names in held.items() for name in names}
    for label in known - marked.keys():
        del labels[label]
    unknown = {label: word_class for label, word_class in marked.items() if label not in known}
    return [
        Problem(
            position_of(marks, key), f"{key}: marks: no inherited label is {label!r}{nearest(label, known)}"
        )
        for label, key in unknown.items()
    ]

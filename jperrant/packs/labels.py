"""Labels of packs: patterns of them, and the groups that make labels of different languages comparable."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

from jperrant.core.errors import nearest
from jperrant.edits.yaml_position import PositionedDict, position_of
from jperrant.packs.problems import Problems

#: Groups that labels of all languages fall into, and what they hold.
GROUPS: dict[str, str] = {
    "spelling": "a word spelt wrongly, diacritics included",
    "orthography": "upper and lower case, and where words are parted",
    "punctuation": "punctuation marks",
    "word-order": "the right words in the wrong order",
    "noun": "the choice or the lack of a noun, name or numeral",
    "verb": "the choice or the lack of a verb or auxiliary",
    "adjective": "the choice or the lack of an adjective",
    "adverb": "the choice or the lack of an adverb",
    "pronoun": "the choice or the lack of a pronoun",
    "determiner": "the choice or the lack of a determiner, article or classifier",
    "adposition": "the choice or the lack of a preposition, postposition or case particle",
    "conjunction": "the choice or the lack of a conjunction",
    "particle": "the choice or the lack of another function word or particle",
    "nominal-inflection": "the form of a noun, adjective, pronoun or determiner: number, case, gender, degree",
    "verbal-inflection": "the form of a verb: tense, mood, agreement, endings, contractions",
    "word-formation": "another word of the same stem",
    "other": "everything else",
}
OTHER = "other"
#: Annotation schemes whose names for an error a pack may give under ``counterparts``.
SCHEMES = ("errant", "cherrant", "kagas")
_BRACES = re.compile(r"\{([^{}]*)\}")
_LABEL = re.compile(r"(?!(?:noop|UNK|Um)$)[^\s:|{}<>→]+(:[^\s:|{}<>→]+)*")
#: Labels that one pattern may stand for.
_MOST = 10_000


def expand(pattern: str) -> list[str]:
    """Return the labels a pattern stands for.

    >>> expand("{NOUN,PRON}:{NUM,CASE}")
    ['NOUN:NUM', 'NOUN:CASE', 'PRON:NUM', 'PRON:CASE']
    """
    parts = _BRACES.split(pattern)
    choices = [part.split(",") if n % 2 else [part] for n, part in enumerate(parts)]
    return ["".join(choice.strip() for choice in row) for row in product(*choices)]


def expanded(table: Mapping[Any, Any], where: str, problems: Problems) -> PositionedDict:
    """Return a table by label with its patterns expanded; a label that is given by name goes before a pattern.

    A label that two patterns give, or that is no label, goes to ``problems``.
    """
    own = table if isinstance(table, PositionedDict) else PositionedDict()
    found = PositionedDict(own.file, own.line)
    by_pattern: set[str] = set()
    for key, value in table.items():
        if prod([part.count(",") + 1 for part in _BRACES.findall(str(key))]) > _MOST:
            problems.add(
                position_of(table, key), f"{where}: the pattern stands for more than {_MOST:,} labels"
            )
            continue
        for label in expand(str(key)):
            if not _LABEL.fullmatch(label):
                problems.add(
                    position_of(table, key),
                    f"{where}: {label!r} is no label: no spaces, braces, bars, arrows or empty parts, and "
                    "not noop, UNK or Um",
                )
                continue
            if label in table and label != key:
                continue
            if label in by_pattern:
                problems.at(table, str(key), f"{where}: {label!r} is there twice, by two patterns")
            by_pattern.add(label)
            found[label] = value
            found.lines[label] = own.lines.get(key, 0)
    return found


def check_tables(
    labels: Iterable[str],
    groups: Mapping[str, str],
    counterparts: Mapping[str, Any],
    file: str,
    problems: Problems,
) -> None:
    """Check the tables ``groups`` and ``counterparts`` of a pack, as far as they stand in its own file."""
    known = list(labels)
    groups, counterparts = _own(groups, file), _own(counterparts, file)
    for label, group in groups.items():
        if not any(one == label or one.startswith(f"{label}:") for one in known):
            problems.at(groups, label, f"groups: no such label{nearest(label, known)}")
        if group not in GROUPS:
            problems.at(groups, label, f"groups: unknown group {group!r}{nearest(str(group), GROUPS)}; "
                        f"known: {', '.join(GROUPS)}")  # fmt: skip
    for label, names in counterparts.items():
        if label not in known:
            problems.at(counterparts, label, f"counterparts: no such label{nearest(label, known)}")
        if not isinstance(names, Mapping):
            problems.at(counterparts, label, f"counterparts: expected a mapping, found {names!r}")
            continue
        for scheme, value in names.items():
            if scheme not in SCHEMES:
                problems.at(names, str(scheme), f"counterparts: {label}: unknown scheme"
                            f"{nearest(str(scheme), SCHEMES)}; known: {', '.join(SCHEMES)}")  # fmt: skip
            elif not (value is None or isinstance(value, str) or _is_strings(value)):
                problems.at(names, scheme, f"counterparts: {label}: expected a type, a list of types or null, "
                            f"found {value!r}")  # fmt: skip


def _own(table: Mapping[str, Any], file: str) -> Mapping[str, Any]:
    """Return what a pack itself says in a table, without what it inherits."""
    own = PositionedDict(file)
    if not isinstance(table, PositionedDict) or table.file != file:
        return own
    own.update({key: value for key, value in table.items() if key in table.lines})
    own.lines = table.lines
    return own


def group_of(label: str, groups: Mapping[str, str]) -> str:
    """Return the group of a label: its own, or that of the longest label it begins with, or ``other``.

    >>> group_of("SPELL:PINYIN", {"SPELL": "spelling"})
    'spelling'
    """
    while label:
        if label in groups:
            return groups[label]
        label = label.rpartition(":")[0]
    return OTHER


def _is_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)

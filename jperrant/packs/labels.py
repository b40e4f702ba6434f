"""Labels of packs: patterns of them, and the groups that make labels of different languages comparable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, Protocol

from jperrant.core.errors import UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import DEFAULT_LABELS, DETECTION_TYPES, UPOS
from jperrant.edits.edit_context import FORM
from jperrant.edits.values import PositionedDict, position_of
from jperrant.packs.yaml_file import Problem

#: Groups that labels of all languages fall into, and what they hold.
GROUPS: dict[str, str] = {
    "spelling": "a misspelt word, including diacritics",
    "orthography": "upper and lower case, and word boundaries",
    "punctuation": "punctuation marks",
    "word-order": "the right words in the wrong order",
    "noun": "a wrong, missing or unnecessary noun, name or numeral",
    "verb": "a wrong, missing or unnecessary verb or auxiliary",
    "adjective": "a wrong, missing or unnecessary adjective",
    "adverb": "a wrong, missing or unnecessary adverb",
    "pronoun": "a wrong, missing or unnecessary pronoun",
    "determiner": "a wrong, missing or unnecessary determiner, article or classifier",
    "adposition": "a wrong, missing or unnecessary preposition, postposition or case particle",
    "conjunction": "a wrong, missing or unnecessary conjunction",
    "particle": "any other wrong, missing or unnecessary function word or particle",
    "nominal-inflection": "the form of a noun, adjective, pronoun or determiner: number, case, gender, degree",
    "verbal-inflection": "the form of a verb: tense, mood, agreement, endings, contractions",
    "word-formation": "another word of the same stem",
    "other": "everything else",
}
OTHER = "other"
#: Annotation schemes whose names for an error a pack may give under ``counterparts``.
SCHEMES = (
    "errant", "cherrant", "kagas", "areta", "cows", "errant_cs", "errant_de", "errant_el", "errant_gu", "errant_hi",
    "errant_ru",
    "errant_tr", "estgec", "iceec", "kost", "swell", "ua_gec", "valico",
)  # fmt: skip
_BRACES = re.compile(r"\{([^{}]*)\}")
#: What a label looks like, and how messages say it.
LABEL = re.compile(r"(?!(?:noop|UNK|Um)$)[^\s:|{}<>→]+(:[^\s:|{}<>→]+)*")
EXPECTED = "expected text without spaces, braces, bars, arrows or empty parts, other than noop, UNK and Um"
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


def expanded(table: PositionedDict, where: str) -> tuple[PositionedDict, list[Problem]]:
    """Return a table by label with its patterns expanded, and what is wrong with it.

    A label that is given by name goes before a pattern. Labels that two patterns give, or that are not labels, are
    problems.
    """
    by_label = PositionedDict(table.place)
    problems: list[Problem] = []
    for key, value in table.items():
        place, wrong = position_of(table, key), ""
        if prod([part.count(",") + 1 for part in _BRACES.findall(str(key))]) > _MOST:
            problems.append(
                Problem(place, f"{where}: the pattern stands for more than {_MOST:,} labels; split it")
            )
            continue
        for label in expand(str(key)):
            if label in table and label != key:
                continue
            if not isinstance(key, str):
                wrong = f"found {key!r}, expected text; put it in quotes"
            elif not LABEL.fullmatch(label):
                wrong = f"{label!r} cannot be a label; {EXPECTED}"
            elif label in by_label:
                wrong = f"{label!r} is given by two patterns; remove it from one"
            by_label[label], by_label.places[label] = value, place
        if wrong:
            problems.append(Problem(place, f"{where}: {wrong}"))
    return by_label, problems


def remove_unmarked(
    labels: dict[str, str], marks: PositionedDict, inflection: Mapping[str, str | Mapping[str, str]]
) -> list[Problem]:
    """Remove the labels of inflections that a language does not mark, and return what is wrong with what it marks.

    Args:
        labels: What is inherited; ``FORM`` stays, which is several inflections or none in particular.
        marks: The inflections that each word class marks.
        inflection: The names of inflections by feature, and by word class where they differ.
    """
    by_class = [name if isinstance(name, Mapping) else {"*": name} for name in inflection.values()]
    names = {name for table in by_class for name in table.values()} - {FORM}
    known = [f"{word_class}:{name}" for word_class in sorted(UPOS) for name in sorted(names)]
    known = [label for label in known if label in labels]
    marked = {f"{word_class}:{name}": word_class for word_class, held in marks.items() for name in held or ()}
    for label in known:
        if label not in marked:
            del labels[label]
    return [
        Problem(
            position_of(marks, word_class),
            f"{word_class}: marks: no inherited label is {label!r}{nearest(label, known)}",
        )
        for label, word_class in marked.items()
        if label not in known
    ]


class Labelled(Protocol):
    """What has labels, and names of them in other sets: a pack, or the keys of one."""

    @property
    def code(self) -> str:
        """The code of the pack."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels, each with what it means."""

    @property
    def label_sets(self) -> Mapping[str, Mapping[str, str]]:
        """Other names of labels, by the name of the set; a label that is not listed keeps its name."""

    @property
    def counterparts(self) -> Mapping[str, Mapping[str, Any]]:
        """By label its names in other schemes."""


@dataclass(frozen=True)
class LabelSet:
    """The names of a pack's types in another set of labels.

    Attributes:
        names: The name of each type, as in ``{"M:VERB": "M:XM"}``.
        left: The labels that have no name in the set and keep their own.
        several: The labels with several names, of which the first is taken.
    """

    names: Mapping[str, str]
    left: tuple[str, ...] = ()
    several: tuple[str, ...] = ()

    def note(self, name: str) -> str:
        """Return what to say of labels that are not one to one; empty if all are.

        Args:
            name: The name of the set.
        """
        said = []
        if self.left:
            kept = plural(len(self.left), "label")
            said.append(f"{kept} without a name in it keep their own ({', '.join(sorted(self.left))})")
        if self.several:
            said.append(
                f"{plural(len(self.several), 'label')} with several names in it are written by the first"
            )
        return f"label set {name!r}: {'; '.join(said)}" if said else ""


def sets_of(pack: Labelled) -> list[str]:
    """Return the names of the label sets of a pack: its own, and the schemes of which it gives counterparts."""
    schemes = {scheme for names in pack.counterparts.values() for scheme in names}
    return [DEFAULT_LABELS, *sorted({*pack.label_sets, *schemes})]


def label_set(pack: Labelled, name: str) -> LabelSet:
    """Return the names of a pack's types in another set.

    A name that is given as ``M:XM`` is that of one operation. A label without a counterpart has that of the label
    that it begins with (``NOUN:NUM`` of ``NOUN``).

    Raises:
        UsageError: The pack has no such set.
    """
    known = sets_of(pack)
    if name not in known:
        hint = f"{nearest(name, known)}; expected one of {', '.join(known)}"
        raise UsageError(f"pack {pack.code!r} has no label set {name!r}{hint}")
    own = {} if name == DEFAULT_LABELS else pack.label_sets.get(name)
    if own is not None:
        renamed = {label: own.get(label, label) for label in pack.labels}
        return LabelSet(
            {f"{op}:{label}": f"{op}:{other}" for label, other in renamed.items() for op in "MUR"}
        )
    names: dict[str, str] = {}
    left: list[str] = []
    several: list[str] = []
    for label in pack.labels:
        given = _counterparts(label, name, pack.counterparts)
        choices = {op: _of_operation(op, given) for op in "MUR"}
        names |= {f"{op}:{label}": f"{op}:{found[0] if found else label}" for op, found in choices.items()}
        if not all(choices.values()):
            left.append(label)
        elif max(map(len, choices.values())) > 1:
            several.append(label)
    return LabelSet(names, tuple(left), tuple(several))


def _counterparts(label: str, scheme: str, counterparts: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the names of a label in a scheme; those of the longest label that it begins with, if it has none."""
    while label:
        if scheme in (names := counterparts.get(label, {})):
            found = names[scheme] or []
            return [found] if isinstance(found, str) else found
        label = label.rpartition(":")[0]
    return []


def _of_operation(operation: str, names: list[str]) -> list[str]:
    """Return the names that are of one operation only, or else those of any.

    >>> _of_operation("M", ["SW", "M:XM"]), _of_operation("R", ["SW", "M:XM"])
    (['XM'], ['SW'])
    """
    own = [name[2:] for name in names if name.startswith(f"{operation}:")]
    return own or [name for name in names if name[:2] not in ("M:", "U:", "R:")]


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


class Grouping:
    """Names the group of a type, whatever language it is of.

    >>> grouping = Grouping({"NOUN": "noun", "NOUN:NUM": "nominal-inflection"})
    >>> grouping("R:NOUN:NUM"), grouping("M:NOUN"), grouping("UNK"), grouping("R:NUON")
    ('R:nominal-inflection', 'M:noun', 'UNK', 'R:other')
    >>> sorted(grouping.unknown)
    ['NUON']

    Args:
        groups: The group of each label.

    Attributes:
        unknown: The labels that were asked for and are not in ``groups``, nor what they begin with.
    """

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._groups = groups
        self.unknown: set[str] = set()

    def __call__(self, type_: str) -> str:
        """Return the operation of a type and its group; types that only mark an error (``UNK``) stay."""
        if type_ in DETECTION_TYPES:
            return type_
        letter, _, label = type_.partition(":")
        if letter not in ("M", "U", "R"):
            letter, label = "", type_
        group = group_of(label, self._groups)
        if group == OTHER and label.partition(":")[0] not in self._groups:
            self.unknown.add(label)
        return f"{letter}:{group}" if letter else group

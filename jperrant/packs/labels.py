"""The labels of packs: their names in other schemes, and their groups, which are the same in all languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from jperrant.core.messages import plural
from jperrant.core.values import DETECTION_TYPES

#: The groups of the labels of all languages, with descriptions.
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
#: The annotation schemes that a pack may name under ``counterparts``.
SCHEMES = (
    "errant", "cherrant", "kagas", "areta", "cows", "errant_cs", "errant_de", "errant_el", "errant_gu", "errant_hi",
    "errant_ru", "errant_tr", "estgec", "iceec", "kost", "swell", "ua_gec", "valico",
)  # fmt: skip
#: The form of a label, and its description in messages.
LABEL = re.compile(r"(?!(?:noop|UNK|Um)$)[^\s:|{}<>→]+(:[^\s:|{}<>→]+)*")
A_LABEL = "text without spaces, braces, bars, arrows or empty parts, other than noop, UNK and Um"


@dataclass(frozen=True)
class LabelSet:
    """The names of a pack's types in a label set.

    Attributes:
        names: The name of each type, as in ``{"M:VERB": "M:XM"}``.
        left: The labels without a name in the set, which keep their own.
        several: The labels with several names, of which the first is used.
    """

    names: Mapping[str, str]
    left: tuple[str, ...] = ()
    several: tuple[str, ...] = ()

    def note(self, name: str) -> str:
        """Return a message on labels that have no name or several; empty if each has exactly one.

        Args:
            name: The name of the set.
        """
        left = f"without a name in it keep their own ({', '.join(sorted(self.left))})"
        groups = ((self.left, left), (self.several, "with several names in it are written by the first"))
        said = [f"{plural(len(labels), 'label')} {what}" for labels, what in groups if labels]
        return f"label set {name!r}: {'; '.join(said)}" if said else ""


def label_set(given: Mapping[str, Sequence[str]]) -> LabelSet:
    """Return the label set in which each type gets a name.

    Args:
        given: The names of each label in the set; a name such as ``M:XM`` is for one operation only.
    """
    names: dict[str, str] = {}
    left, several = list[str](), list[str]()
    for label, written in given.items():
        choices = {op: _of_operation(op, written) for op in "MUR"}
        names |= {f"{op}:{label}": f"{op}:{found[0] if found else label}" for op, found in choices.items()}
        if not all(choices.values()):
            left.append(label)
        elif max(map(len, choices.values())) > 1:
            several.append(label)
    return LabelSet(names, tuple(left), tuple(several))


def _of_operation(operation: str, names: Sequence[str]) -> list[str]:
    """Return the names for one operation, or else those for all operations.

    >>> _of_operation("M", ["SW", "M:XM"]), _of_operation("R", ["SW", "M:XM"])
    (['XM'], ['SW'])
    """
    own = [name[2:] for name in names if name.startswith(f"{operation}:")]
    return own or [name for name in names if name[:2] not in ("M:", "U:", "R:")]


def prefixes(label: str) -> Iterator[str]:
    """Yield a label and its prefixes, the longest first.

    >>> list(prefixes("VERB:TENSE:PAST"))
    ['VERB:TENSE:PAST', 'VERB:TENSE', 'VERB']
    """
    while label:
        yield label
        label = label.rpartition(":")[0]


def group_of(label: str, groups: Mapping[str, str]) -> str:
    """Return the group of a label, or of its longest prefix that has a group, or ``other``.

    >>> group_of("SPELL:PINYIN", {"SPELL": "spelling"})
    'spelling'
    """
    return next((groups[one] for one in prefixes(label) if one in groups), OTHER)


class Grouping:
    """Maps types of any language to their groups.

    >>> grouping = Grouping({"NOUN": "noun", "NOUN:NUM": "nominal-inflection"})
    >>> grouping("R:NOUN:NUM"), grouping("M:NOUN"), grouping("UNK"), grouping("R:NUON")
    ('R:nominal-inflection', 'M:noun', 'UNK', 'R:other')
    >>> sorted(grouping.unknown)
    ['NUON']

    Args:
        groups: The group of each label.

    Attributes:
        unknown: The labels looked up so far that have no group of their own or by a prefix.
    """

    def __init__(self, groups: Mapping[str, str]) -> None:
        self._groups = groups
        self.unknown: set[str] = set()

    def __call__(self, type_: str) -> str:
        """Return the operation and group of a type; a type that only marks an error (``UNK``) is kept."""
        if type_ in DETECTION_TYPES:
            return type_
        letter, _, label = type_.partition(":")
        if letter not in ("M", "U", "R"):
            letter, label = "", type_
        group = group_of(label, self._groups)
        if group == OTHER and label.partition(":")[0] not in self._groups:
            self.unknown.add(label)
        return f"{letter}:{group}" if letter else group

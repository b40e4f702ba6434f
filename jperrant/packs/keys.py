"""The model of pack.yaml: the meaning and type of each key, and the label sets of a pack."""

# ruff: noqa: RUF012 (pydantic copies defaults for each pack)

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, WithJsonSchema

from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import DEFAULT_LABELS, UPOS
from jperrant.packs.labels import A_LABEL, GROUPS, LABEL, SCHEMES, LabelSet, label_set, prefixes
from jperrant.packs.yaml_file import Keys, Place, Switch, Text, expecting

#: The JSON Schema of pack.yaml, for editors.
SCHEMA = Path(__file__).with_name("pack.schema.json")


def _matching(pattern: str, expected: str) -> AfterValidator:
    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"found {text!r}, expected {expected}")
        return text

    return AfterValidator(check)


def _known(names: Iterable[str], what: str) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            known = ", ".join(sorted(names))
            raise ValueError(f"{name!r} is no {what}{nearest(name, names)}; expected one of {known}")
        return name

    return AfterValidator(check)


class _Removable:
    """Adds to the JSON Schema of a mapping that null removes an inherited entry."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        schema = handler(core)
        values = {"anyOf": [schema["additionalProperties"], {"type": "null"}]}
        return {**schema, "additionalProperties": values}


Name: TypeAlias = Annotated[str, Field(strict=True, min_length=1)]
Names: TypeAlias = list[Name]
_String: TypeAlias = Annotated[str, Field(strict=True)]
Table: TypeAlias = Annotated[dict[_String, _String], _Removable()]
_Tag: TypeAlias = Annotated[_String, _known(UPOS, "tag of Universal Dependencies")]
_Cost: TypeAlias = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
_Positive: TypeAlias = Annotated[_Cost, Field(gt=0)]
_Code: TypeAlias = Annotated[Text, _matching(r"[^/\\]+", "a code or the name of a folder beside this one")]
#: A path inside the pack's folder; a pack must not read other files.
_INSIDE = r"(?![/\\]|\w:|(.*[/\\])?\.\.([/\\]|$)).+"
_File: TypeAlias = Annotated[Text, _matching(_INSIDE, "a file in the pack's folder")]
_Module: TypeAlias = Annotated[_String, _matching(r"[A-Za-z_]\w*", "the name of a top-level module")]
#: A requirement for pip: a name with extras and versions, but no options or URLs.
_REQUIREMENT = r"[A-Za-z0-9][A-Za-z0-9._-]*(\[[A-Za-z0-9._,-]+\])?((===?|~=|!=|<=?|>=?)[A-Za-z0-9._*+!-]+,?)*"
_Package: TypeAlias = Annotated[_String, _matching(_REQUIREMENT, "a package for pip, such as 'jieba>=0.42'")]
_Scheme: TypeAlias = Annotated[_String, _known(SCHEMES, "known scheme")]
_Group: TypeAlias = Annotated[_String, _known(GROUPS, "group")]
_Label: TypeAlias = Annotated[_String, _matching(LABEL.pattern, A_LABEL)]
_Types: TypeAlias = Annotated[_String | list[_String] | None, expecting("a type, a list of types or null")]
_NAMES = expecting("a name for a feature, or names by word class (in quotes)")
_NameOrTable: TypeAlias = Annotated[_String | Table, _NAMES]
_Word: TypeAlias = Annotated[_String, Field(pattern=r"\S")]
_FILLED = Field(min_length=1)
_Forms: TypeAlias = Annotated[list[_Word], _FILLED] | Annotated[dict[_String, _Word], _FILLED]
_Words: TypeAlias = Annotated[
    _Forms | dict[_String, _Forms],
    expecting("a list of words, or lists of forms by lemma, in quotes where YAML does not read text"),
]
_PHRASE = "the words that a contraction stands for, such as 'in das'"
_Phrase: TypeAlias = Annotated[_String, _matching(r"\s*\S+\s+\S.*", _PHRASE)]
_EXAMPLES = expecting("a file in the pack's folder, or a list")


class Costs(Keys):
    """The costs of the token alignment; the defaults are those of ``AlignmentCosts``."""

    insertion: _Positive | None = None
    deletion: _Positive | None = None
    lemma: _Cost | None = None
    open_class: _Cost | None = None
    other_class: _Cost | None = None
    open_classes: frozenset[_Tag] | None = None
    ignore_case: Switch | None = None


class Merge(Keys):
    """The settings of merging; the defaults are those of ``MergeRules``."""

    possessive: frozenset[Name] | None = None
    bridges: _String | None = None
    content: frozenset[_Tag] | None = None
    verbal: frozenset[_Tag] | None = None
    determiner: frozenset[_Tag] | None = None
    similar: _Cost | None = None


class Tokens(Keys):
    """The settings of tokenisation without models; see ``TokenRules``."""

    abbreviations: Names = []
    whole: Names = []
    elisions: Names = []
    suffixes: Names = []
    marks: _String = ""
    ordinals: Switch = False


class PackKeys(Keys):
    """The keys of a pack.yaml, merged with those of the packs that it extends.

    Attributes:
        code: the language code, as in `--lang`; the only required key
        name: the name of the language; default: the code
        aliases: other codes for `--lang`, beside those of ISO 639
        extends: the pack to inherit from: the code of an installed pack, or the name of a folder beside this one
        measured: the learner text on which the pack was evaluated and the result, in one line; left out if it was
            not evaluated; not inherited
        stanza: Stanza's code of the language. The folder `models/` of the pack, in Stanza's layout, holds its
            `compact` models, which packs with the same code that extend it inherit
        join: the text between two tokens of running text: `" "` (default) or `""`, for which a different
            segmentation of the same string is not an edit
        unbroken: strings that are always one token, such as a placeholder
        tokens: what the language adds to the tokenisation of raw text without models (`abbreviations`, `whole`,
            `elisions`, `suffixes`, `marks`, `ordinals`); see [Raw text](#raw-text-without-models)
        encoder: the encoder that metrics over embeddings use for this language
        costs: costs of the token alignment (`insertion`, `deletion`, `lemma`, `open_class`, `other_class`,
            `open_classes`, `ignore_case`); default: those of ERRANT
        merge: language-specific settings of merging (`possessive`, `bridges`, `content`, `verbal`, `determiner`,
            `similar`)
        labels: the closed set of labels, each with a description. The types are `M:`, `U:` or `R:` and a label.
            `"{NOUN,PRON}:{NUM,CASE}"` stands for four labels; a label given by its own name takes precedence
        marks: the inflections that each word class marks, such as `{NOUN: [CASE, NUM]}`; labels of the generic
            pack for other inflections (`NOUN:DEF`) are removed, except those with `FORM`
        label_sets: alternative names of labels, by the name of the set, for `--labels NAME`; a label that is not
            listed keeps its name
        groups: the group of each label in the table for all languages ([labels.md](labels.md)); a label without
            a group of its own gets that of its prefix (`SPELL:PINYIN` that of `SPELL`)
        counterparts: for each label, its names in other schemes, which can be used like label sets: `{errant:
            NOUN:NUM, cherrant: NOUN, kagas: [NOUN, PARTICLE], areta: [SW, "M:XM"]}`. If there are several
            names, the first is written; `M:XM` is a name for the operation M only
        inflection: the names of inflections by feature; see [Inflection](#inflection)
        classes: the word class used in rules, by XPOS tag
        upos_classes: the same by UPOS tag, if the XPOS tag is not in `classes`
        deprels: the names of dependency relations used in rules, by `relation` or `relation/XPOS`; the longer key
            takes precedence; a relation that is not listed keeps its name
        lexicon: a file of known words in the pack's folder, one per line, plain or gzipped; lines that begin with
            `#` are comments
        dictionary: the name of a Hunspell dictionary, such as `sv_SE`, whose words are known in addition to those
            of the lexicon; see [Spelling](#spelling)
        resources: other files in the pack's folder that `hooks.py` reads; a missing one is an error
        requires: the Python packages that `hooks.py` needs besides jperrant: for each top-level module its
            requirement for `pip install`, as in `{jieba: "jieba>=0.42"}`. If one is missing, `annotate` ends
            with exit code 3 and the pip command
        words: the words of closed classes by UPOS tag, used to classify edits whose tokens have no tags; see
            [Without tags](#without-tags)
        contractions: the words that a contraction stands for, as in `{ins: in das}`
        endings: the endings of nouns, verbs and adjectives by UPOS tag and features, used to recognise two
            forms of one word if tokens have no tags; see [Without tags](#without-tags)
        lists: named lists, used as `$name` in a condition
        tables: named tables, used as `{table[property]}` in a type
        rules: the rules, each with `name`, `when`, `type`, `rules`, `drop_last`; see [Rules](#rules)
        one_error: pairs of edits that are one error, each with `name`, `edits`, `within`, `ordered`; see
            [Two edits that are one error](#two-edits-that-are-one-error)
        examples: sentences with the expected edits, run by `packs check`; a list, or the name of a YAML or JSON
            file with one; not inherited. See [Examples](#examples)
    """

    code: _Code
    name: Text = ""
    aliases: Names = []
    extends: _Code = ""
    measured: Text = ""
    stanza: Text = ""
    join: Literal["", " "] = " "
    unbroken: Names = []
    tokens: Tokens = Tokens()
    encoder: Text = ""
    costs: Costs = Costs()
    merge: Merge = Merge()
    labels: Table = {}
    marks: Annotated[dict[_String, Names], _Removable()] = {}
    label_sets: Annotated[dict[_String, Annotated[dict[_String, _Label], _Removable()]], _Removable()] = {}
    groups: Annotated[dict[_String, _Group], _Removable()] = {}
    counterparts: Annotated[dict[_String, dict[_Scheme, _Types]], _Removable()] = {}
    inflection: Annotated[dict[_String, _NameOrTable], _Removable()] = {}
    classes: Table = {}
    upos_classes: Annotated[dict[_Tag, _String], _Removable()] = {}
    deprels: Table = {}
    lexicon: _File = ""
    dictionary: Annotated[_File, _matching(r".*(?<!\.dic)(?<!\.aff)", "the name without .dic or .aff")] = ""
    resources: list[_File] = []
    requires: dict[_Module, _Package] = {}
    words: Annotated[dict[_Tag, _Words], _Removable()] = {}
    contractions: Annotated[dict[Name, _Phrase], _Removable()] = {}
    endings: Annotated[dict[_Tag, dict[_String, Names]], _Removable()] = {}
    lists: Annotated[dict[_String, Names], _Removable()] = {}
    tables: Annotated[dict[_String, Table], _Removable()] = {}
    rules: list[Any] = []
    one_error: list[Any] = []
    examples: Annotated[_File | list[Any], _EXAMPLES, WithJsonSchema({"type": ["array", "string"]})] = []

    def sets(self) -> list[str]:
        """Return the names of the label sets: the pack's own, and the schemes with counterparts."""
        schemes = {scheme for names in self.counterparts.values() for scheme in names}
        return [DEFAULT_LABELS, *sorted({*self.label_sets, *schemes})]

    def names_in(self, name: str) -> LabelSet:
        """Return the names of the pack's types in a label set.

        A label without a counterpart gets that of its longest prefix (``NOUN:NUM`` that of ``NOUN``).

        Raises:
            UsageError: The pack has no label set of this name.
        """
        if name not in (known := self.sets()):
            hint = f"{nearest(name, known)}; expected one of {', '.join(known)}"
            raise UsageError(f"pack {self.code!r} has no label set {name!r}{hint}")
        if name == DEFAULT_LABELS or name in self.label_sets:
            own = self.label_sets.get(name, {})
            return label_set({label: [own.get(label, label)] for label in self.labels})
        return label_set({label: self._counterparts(label, name) for label in self.labels})

    def _counterparts(self, label: str, scheme: str) -> list[str]:
        """Return the names of a label in a scheme, or those of its longest prefix that has any."""
        named = (self.counterparts.get(beginning, {}) for beginning in prefixes(label))
        found = next((names[scheme] for names in named if scheme in names), None)
        return [found] if isinstance(found, str) else found or []


def name_of(requirement: str) -> str:
    """Return the package that a requirement names.

    >>> name_of("jieba[all]>=0.42")
    'jieba'
    """
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0]


def unknown_labels(keys: PackKeys) -> Iterator[Place]:
    """Yield the place of each label in a table of the pack that the pack does not declare."""
    beginnings = {beginning for label in keys.labels for beginning in prefixes(label)}
    tables: list[tuple[Place, Iterable[str], Iterable[str]]] = [
        (("groups",), keys.groups, beginnings),
        (("counterparts",), keys.counterparts, keys.labels),
        *((("label_sets", name), table, keys.labels) for name, table in keys.label_sets.items()),
    ]
    for place, table, known in tables:
        yield from ((*place, label) for label in table if label not in known)

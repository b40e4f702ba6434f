"""The keys of pack.yaml and what each means; ``pack_model`` says what their values must look like."""

# ruff: noqa: RUF012 (nothing changes the defaults)

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


def name_of(requirement: str) -> str:
    """Return the package that a requirement names.

    >>> name_of("jieba[all]>=0.42")
    'jieba'
    """
    return re.split(r"[^A-Za-z0-9._-]", requirement)[0]


class PackKeys(NamedTuple):
    """What a pack.yaml says, that of the packs it extends included.

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
        encoder: the encoder that metrics over embeddings use for this language
        costs: costs of the token alignment (`insertion`, `deletion`, `lemma`, `open_class`, `other_class`,
            `open_classes`, `ignore_case`); default: those of ERRANT
        merge: language-specific settings of merging (`possessive`, `bridges`, `content`, `verbal`, `determiner`,
            `similar`)
        labels: the closed set of labels, each with a description. The types are `M:`, `U:` or `R:` and a label.
            `"{NOUN,PRON}:{NUM,CASE}"` stands for four labels; a label given by its own name takes precedence
        marks: the inflections that each word class marks, such as `{NOUN: [CASE, NUM]}`; inherited labels of other
            inflections (`NOUN:DEF`) are removed, except those of `FORM`
        label_sets: alternative names of labels, by the name of the set, for `--labels NAME`; a label that is not
            listed keeps its name
        groups: the group of each label in the table for all languages ([labels.md](labels.md)); a label without
            one belongs to the group of its prefix (`SPELL:PINYIN` to that of `SPELL`)
        counterparts: for each label, its names in other schemes:
            `{errant: NOUN:NUM, cherrant: NOUN, kagas: [NOUN, PARTICLE]}`
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
        words: the words of closed classes by UPOS tag, by which edits are typed where tokens have no tags; see
            [Without tags](#without-tags)
        contractions: the words that a contraction stands for, as in `{ins: in das}`
        lists: named lists, used as `$name` in a condition
        tables: named tables, used as `{table[property]}` in a type
        rules: the rules, each with `name`, `when`, `type`, `rules`, `drop_last`; see [Rules](#rules)
        one_error: pairs of edits that are one error, each with `name`, `edits`, `within`, `ordered`; see
            [Two edits that are one error](#two-edits-that-are-one-error)
        examples: sentences with the expected edits, run by `packs check`; a list, or the name of a YAML or JSON
            file with one; not inherited. See [Examples](#examples)
    """

    code: str
    name: str = ""
    aliases: list[str] = []
    extends: str = ""
    measured: str = ""
    stanza: str = ""
    join: str = " "
    unbroken: list[str] = []
    encoder: str = ""
    costs: Mapping[str, Any] = {}
    merge: Mapping[str, Any] = {}
    labels: Mapping[str, str] = {}
    marks: Mapping[str, list[str]] = {}
    label_sets: Mapping[str, Mapping[str, str]] = {}
    groups: Mapping[str, str] = {}
    counterparts: Mapping[str, Mapping[str, Any]] = {}
    inflection: Mapping[str, Any] = {}
    classes: Mapping[str, str] = {}
    upos_classes: Mapping[str, str] = {}
    deprels: Mapping[str, str] = {}
    lexicon: str = ""
    dictionary: str = ""
    resources: list[str] = []
    requires: Mapping[str, str] = {}
    words: Mapping[str, Any] = {}
    contractions: Mapping[str, str] = {}
    lists: Mapping[str, list[str]] = {}
    tables: Mapping[str, Mapping[str, str]] = {}
    rules: list[Any] = []
    one_error: list[Any] = []
    examples: Any = []

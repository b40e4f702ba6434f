"""Analysers are found by name, say what they give, and rules ask for no parse that changes nothing."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jperrant
from jperrant.annotation.annotator import Annotator
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.fingerprint import fingerprint
from jperrant.compact.words import read_relation_classes, relation_file
from jperrant.core.errors import CorruptModelError, MissingExtraError, MissingModelError, UsageError
from jperrant.core.values import Parallel, Sentence, Token, format_block
from jperrant.packs.pack import load_pack
from jperrant.parse.analyser import (
    GROUP,
    Language,
    PretokenisedParser,
    Scheme,
    analysers,
    find_analyser,
    stanza_models,
)
from jperrant.parse.compact_analyser import CompactAnalyser
from jperrant.parse.models import find_models
from jperrant.parse.stanza_analyser import StanzaAnalyser

pytestmark = pytest.mark.models

PAGE = (Path(__file__).parents[2] / "docs" / "analysers.md").read_text(encoding="utf-8")
[MODULE] = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
[WORDS] = re.findall(r"^\$ cat words.tsv\n(.*?)^\$", PAGE, flags=re.MULTILINE | re.DOTALL)
MINE = "\nclass Mine(ListTagger):\n    scheme = Scheme.CLEAR\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that brings an analyser."""
    (tmp_path / "listtagger.py").write_text(MODULE + MINE)
    (tmp_path / "words.tsv").write_text(WORDS)
    (tmp_path / "few.tsv").write_text(WORDS.partition("\n")[0] + "\n")
    info = tmp_path / "listtagger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: listtagger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\nlist = listtagger:ListTagger\nmine = listtagger:Mine\nbroken = nosuchmodule:Tagger\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.delitem(sys.modules, "listtagger", raising=False)
    return tmp_path


def test_an_analyser_of_another_package(package: Path) -> None:
    assert {"stanza", "spacy", "list", "mine"} <= analysers().keys()
    [expected] = re.findall(r"^A \d.*$", PAGE, flags=re.MULTILINE)
    (block,) = jperrant.load("en", models="list:words.tsv").annotate_many([("two cat", "two cats")])
    assert format_block(block) == f"S two cat\n{expected}\n\n"
    (block,) = jperrant.load("en", models="list:few.tsv").annotate_many([("two cat", "two cats")])
    assert "R:NOUN:NUM" not in format_block(block)


def test_the_pack_reads_relations_as_the_analyser_says(package: Path) -> None:
    names = jperrant.load("en", models="list:words.tsv").pack.vocabulary.deprels
    assert names["obj"] == "dobj"
    assert jperrant.load("en", models="mine:words.tsv").pack.vocabulary.deprels == {}


def test_identities_tell_analysers_apart(package: Path) -> None:
    several = ("list:words.tsv", "list:few.tsv", "none")
    assert len({tuple(fingerprint(AnnotatorOptions("en", models))) for models in several}) == 3
    before = fingerprint(AnnotatorOptions("en", "list:words.tsv"))
    assert "list tagger 1.0" in before
    Path("words.tsv").write_text("other\tother\tX\tFW\n")
    assert fingerprint(AnnotatorOptions("en", "list:words.tsv")) != before


def test_commands_for_models_of_stanza_alone() -> None:
    found = [stanza_models(models) for models in ("stanza:compact", "compact", "a/b")]
    assert found == ["compact", "compact", "a/b"]
    with pytest.raises(UsageError, match="found spacy:x, expected Stanza models"):
        stanza_models("spacy:x")


def test_which_analyser_runs_what_names_none() -> None:
    folder = load_pack("en").compact
    english = Language("en", "en", folder)
    for models, name, kind in (
        ("compact", "compact", CompactAnalyser), ("ewt-compact", "ewt-compact", CompactAnalyser),
        ("compact:", "compact", CompactAnalyser), (f"compact:{folder}", str(folder), CompactAnalyser),
        ("stanza:compact", "compact", StanzaAnalyser), (str(folder), str(folder), StanzaAnalyser),
    ):  # fmt: skip
        found = find_analyser(models, english)
        assert isinstance(found, kind)
        assert (found.name, found.scheme, found.tokenizes, found.can_parse) == (name, Scheme.UD, True, True)
    assert isinstance(find_analyser("none", english), PretokenisedParser)


@pytest.mark.skipif(os.name == "nt", reason="no such names")
def test_a_folder_with_a_colon_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "spacy:models"
    folder.mkdir()
    with pytest.raises(MissingModelError, match=r"found no resources\.json"):
        find_analyser(str(folder), Language("en", "en"))


def test_bad_names(package: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown analyser 'stansa' .*'stanza'.*expected one of "):
        find_analyser("stansa:compact", Language("en", "en"))
    with pytest.raises(MissingExtraError, match=r"'broken' cannot be loaded from nosuchmodule:Tagger"):
        find_analyser("broken:x", Language("en", "en"))
    with pytest.raises(UsageError, match=r"tokens=.words. needs models that split text"):
        jperrant.load("en", models="list:words.tsv", tokens="words")


#: The relations of each class; a subset is drawn for each word.
RELATIONS = {"AUX": ["aux", "cop"], "VERB": ["obj", "case"], "ADP": ["case"], "DET": ["det", "obj"]}
PACK = """
code: xx
extends: generic
labels: {A: a, B: b, C: c, D: d, E: e, F: f, G: g, H: h}
deprels: {case: prep, det/X: article}
rules:
  - {type: A, when: {both: {deprel: aux}}}
  - {type: B, when: {both: {upos: [VERB, ADP], deprel: {starts_with: pr}}, one_to_one: true}}
  - {type: C, when: {shared: deprel, target: {deprel: [prep, article]}}}
  - {type: D, when: {same: deprel, source: {deprel: {not: obj}}}}
  - {type: E, when: {any: [{values: {deprel: [aux, prep]}}, {values: {upos: [DET]}}]}}
  - {type: F, when: {operation: [M, U], not: {either: {deprel: obj}}}}
  - {type: G, when: {source: {deprel: [det, article]}}}
  - {type: H}
"""


class ClassParser(PretokenisedParser):
    """Gives each word the relation it is named for, and counts; ``tells`` which relations the classes have."""

    can_parse = True

    def __init__(self, tells: bool) -> None:
        super().__init__()
        self.tells, self.parsed = tells, list[str]()

    def relations_of(self, upos):
        return frozenset(RELATIONS[upos]) if self.tells else None

    def parse(self, sentences):
        self.parsed += [s.text for s in sentences]
        return [parsed(s) for s in sentences]


def parsed(sentence: Sentence) -> Sentence:
    """Return a sentence whose words have the relations that are their lemmas."""
    return replace(
        sentence, tokens=tuple([t._replace(head=0, deprel=t.deprel or t.lemma) for t in sentence.tokens])
    )


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pack")
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    return load_pack("", folder=str(folder))


def _words_of(upos: str) -> st.SearchStrategy[Token]:
    relations, tags = st.sampled_from(RELATIONS[upos]), st.sampled_from(["", "X"])
    return st.builds(
        lambda form, relation, tag: Token(form, relation, upos, tag), st.sampled_from("abcd"), relations, tags
    )


SENTENCES = st.lists(st.sampled_from(sorted(RELATIONS)).flatmap(_words_of), min_size=1, max_size=4).map(
    lambda tokens: Sentence(tuple(tokens), " ".join([t.form for t in tokens]))
)


def types(pack, records, tells):
    parser = ClassParser(tells)
    annotator = Annotator(pack.reading(parser), parser)
    found = [[e.type for e in block.annotations[0].edits] for block in annotator.annotate_many(records)]
    return found, parser.parsed


@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=4))
def test_types_are_those_of_full_parses(pack, pairs):
    records = [Parallel(source, (target,)) for source, target in pairs]
    found, asked = types(pack, records, tells=True)
    expected, asked_without = types(pack, records, tells=False)
    assert found == expected
    assert set(asked) <= set(asked_without)
    full = [Parallel(parsed(source), (parsed(target),)) for source, target in pairs]
    assert types(pack, full, tells=True) == (found, [])


@pytest.mark.parametrize(
    ("source", "target", "type_", "parsed"),
    [
        (Token("a", "cop", "AUX"), Token("b", "det", "DET"), "R:H", 0),
        (Token("a", "obj", "DET"), Token("b", "obj", "VERB"), "R:H", 2),
        (Token("a", "case", "ADP"), Token("b", "cop", "AUX"), "R:H", 2),
        (Token("a", "case", "ADP"), Token("b", "aux", "AUX"), "R:E", 2),
        # A relation that is given is known.
        (Token("a", "obj", "VERB", deprel="aux"), Token("b", "obj", "VERB", deprel="aux"), "R:A", 0),
        # A sentence with such a token is tagged again to be parsed, so its tags may become others.
        (Token("a", "aux", "ADP", words=("x", "y")), Token("b", "aux", "ADP", words=("x", "y")), "R:A", 2),
    ],
)
def test_what_is_parsed(pack, source, target, type_, parsed):
    records = [Parallel(Sentence((source,), "a"), (Sentence((target,), "b"),))]
    found, asked = types(pack, records, tells=True)
    assert (found, len(asked)) == ([[type_]], parsed)


@pytest.mark.parametrize("content", ["{", "[]", '{"NOUN": "obj"}', '{"NOUN": [1]}', "[" * 100_000])
def test_a_damaged_table_of_relations_is_told(content, tmp_path):
    model = tmp_path / "model.pt"
    assert read_relation_classes(model) == {}
    relation_file(model).write_text(content, encoding="utf-8")
    with pytest.raises(CorruptModelError, match=r"model\.relations\.json"):
        read_relation_classes(model)


@pytest.mark.parametrize("lang", ["en", "ko", "zh"])
def test_the_tables_of_the_packs_are_of_universal_dependencies(lang):
    """Auxiliaries are tagged AUX, and verbs are no determiners: https://universaldependencies.org/u/dep."""
    models = find_models("compact", lang, load_pack(lang).compact, lang)
    classes = read_relation_classes(models.files["depparse"])
    assert "aux" in classes["AUX"] - classes["NOUN"] - classes["ADV"] - classes["DET"]
    assert "nsubj" in classes["PRON"]
    assert "det" not in classes["VERB"]
    assert not classes["PUNCT"] & {"obj", "amod", "aux"}
    assert all("root" in names for names in classes.values())


def test_the_parser_of_a_pack_keeps_to_its_word(english):
    analyser = english.parser.parser
    texts = (
        "He must of been going to to the the school such a day , did n't he ?",
        "According to this , the house what he bought is more big as hers .",
    )
    tagged = analyser.tag([Sentence.from_forms(text.split()) for text in texts])
    wrong = [
        replace(s, tokens=tuple([t._replace(upos=upos) for t in s.tokens]))
        for s in tagged
        for upos in ("AUX", "NOUN", "PUNCT", "VERB")
    ]
    for token in (t for s in analyser.parse([*tagged, *wrong]) for t in s.tokens):
        assert token.deprel in analyser.relations_of(token.upos)

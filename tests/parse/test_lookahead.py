"""Rules know what no parse can change: fewer sentences are parsed, and the types are those of full parses."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.annotator import Annotator
from jperrant.compact.words import read_relation_classes, relation_file
from jperrant.core.errors import CorruptModelError
from jperrant.core.values import Parallel, Sentence, Token
from jperrant.packs import load_pack
from jperrant.parse.analyser import PretokenisedParser
from jperrant.parse.models import find_models

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
    """Gives each word the relation it is named for, and counts.

    Args:
        tells: Whether it says which relations the classes have.
    """

    can_parse = True

    def __init__(self, tells: bool) -> None:
        super().__init__()
        self.tells, self.parsed = tells, list[str]()

    def relations_of(self, upos):
        return frozenset(RELATIONS[upos]) if self.tells else None

    def parse(self, sentences):
        self.parsed += [s.text for s in sentences]
        return [replace(s, tokens=tuple(map(_parsed, s.tokens))) for s in sentences]


def _parsed(token: Token) -> Token:
    return token._replace(head=0, deprel=token.deprel or token.lemma)


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pack")
    (folder / "pack.yaml").write_text(PACK, "utf-8")
    return load_pack("", folder=str(folder))


def word(form: str, upos: str, relation: str, xpos: str = "") -> Token:
    return Token(form, relation, upos, xpos)


def sentence(*tokens: Token) -> Sentence:
    return Sentence(tokens, " ".join([t.form for t in tokens]))


WORDS = st.sampled_from(sorted(RELATIONS)).flatmap(
    lambda upos: st.builds(
        word,
        st.sampled_from("abcd"),
        st.just(upos),
        st.sampled_from(RELATIONS[upos]),
        st.sampled_from(["", "X"]),
    )
)
SENTENCES = st.lists(WORDS, min_size=1, max_size=4).map(lambda words: sentence(*words))


def types(pack, records, tells):
    parser = ClassParser(tells)
    annotator = Annotator(pack.reading(parser), parser)
    found = [[e.type for e in block.annotations[0].edits] for block in annotator.annotate_many(records)]
    return found, parser.parsed


@given(st.lists(st.tuples(SENTENCES, SENTENCES), max_size=4))
def test_types_are_those_of_full_parses(pack, pairs):
    records = [Parallel(source, (target,)) for source, target in pairs]
    found, parsed = types(pack, records, tells=True)
    expected, parsed_without = types(pack, records, tells=False)
    assert found == expected
    assert set(parsed) <= set(parsed_without)
    full = [
        Parallel(*(sentence(*map(_parsed, s.tokens)) if i == 0 else (sentence(*map(_parsed, s[0].tokens)),)
                   for i, s in enumerate(record)))
        for record in records
    ]  # fmt: skip
    assert types(pack, full, tells=True) == (found, [])


@pytest.mark.parametrize(
    ("source", "target", "type_", "parsed"),
    [
        (word("a", "AUX", "cop"), word("b", "DET", "det"), "R:H", 0),
        (word("a", "DET", "obj"), word("b", "VERB", "obj"), "R:H", 2),
        (word("a", "ADP", "case"), word("b", "AUX", "cop"), "R:H", 2),
        (word("a", "ADP", "case"), word("b", "AUX", "aux"), "R:E", 2),
    ],
)
def test_what_is_parsed(pack, source, target, type_, parsed):
    records = [Parallel(sentence(source), (sentence(target),))]
    found, asked = types(pack, records, tells=True)
    assert (found, len(asked)) == ([[type_]], parsed)


def test_a_relation_that_is_given_is_known(pack):
    given_aux = word("a", "VERB", "obj")._replace(deprel="aux")
    records = [Parallel(sentence(given_aux), (sentence(given_aux._replace(form="b")),))]
    assert types(pack, records, tells=True) == ([["R:A"]], [])


def test_tags_of_several_words_say_nothing(pack):
    """A sentence with such a token is tagged again to be parsed, so its tags may become others."""
    several = word("a", "ADP", "aux")._replace(words=("x", "y"))
    records = [Parallel(sentence(several), (sentence(several._replace(form="b")),))]
    assert types(pack, records, tells=True)[0] == [["R:A"]]


@pytest.mark.parametrize("content", ["{", "[]", '{"NOUN": "obj"}', '{"NOUN": [1]}', "[" * 100_000])
def test_a_damaged_table_of_relations_is_told(content, tmp_path):
    model = tmp_path / "model.pt"
    assert read_relation_classes(model) == {}
    relation_file(model).write_text(content, encoding="utf-8")
    with pytest.raises(CorruptModelError, match=r"model\.relations\.json"):
        read_relation_classes(model)


def test_the_tables_of_the_packs_are_of_universal_dependencies():
    """Auxiliaries are tagged AUX, and verbs are no determiners: https://universaldependencies.org/u/dep."""
    for lang in ("en", "ko", "zh"):
        models = find_models("compact", lang, load_pack(lang).compact, lang)
        classes = read_relation_classes(models.files["depparse"])
        assert "aux" in classes["AUX"]
        assert "aux" not in classes["NOUN"] | classes["ADV"] | classes["DET"]
        assert "nsubj" in classes["PRON"]
        assert "det" not in classes["VERB"]
        assert not classes["PUNCT"] & {"obj", "amod", "aux"}
        assert all("root" in names for names in classes.values())


@pytest.mark.models
def test_the_parser_of_a_pack_keeps_to_its_word(english):
    analyser = english.parser.parser
    tagged = analyser.tag([Sentence.from_forms(s.split()) for s in (
        "He must of been going to to the the school such a day , did n't he ?",
        "According to this , the house what he bought is more big as hers .",
    )])  # fmt: skip
    wrong = [replace(s, tokens=tuple(t._replace(upos=upos) for t in s.tokens)) for s in tagged for upos in
             ("AUX", "NOUN", "PUNCT", "VERB")]  # fmt: skip
    for token in (t for s in analyser.parse([*tagged, *wrong]) for t in s.tokens):
        assert token.deprel in analyser.relations_of(token.upos)

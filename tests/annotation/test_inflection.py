"""Inflections named by features: the principle, and analyses of Universal Dependencies treebanks."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.annotator import Annotator
from jperrant.core.values import UPOS, Sentence, Span, Token
from jperrant.edits.edit_context import EditContext, Inflection, agree, difference, features
from jperrant.packs import known_packs, load_pack
from jperrant.parse.analyser import PretokenisedParser

DATA = Path(__file__).parents[1] / "data" / "packs"
GENERIC = load_pack("generic")


def type_of(source: Token, target: Token) -> str:
    annotator = Annotator(GENERIC, PretokenisedParser())
    edits = annotator.annotate(Sentence((source,), source.form), Sentence((target,), target.form))
    return edits[0].type


def analyses() -> list[list[str]]:
    """Read forms with lemma, UPOS and FEATS; see README.md beside them."""
    lines = (DATA / "inflections.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


@pytest.mark.parametrize("row", analyses(), ids=lambda row: f"{row[0]}-{row[3]}-{row[5]}")
def test_analyses_of_many_languages(row):
    _, upos, lemma, source, feats, target, other, label = row
    assert (
        type_of(Token(source, lemma, upos, feats=feats), Token(target, lemma, upos, feats=other))
        == f"R:{label}"
    )


def test_tags_that_models_confuse_are_forms_of_one_word_all_the_same():
    finite = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"
    has, have = (
        Token("hat", "haben", "AUX", feats=finite),
        Token("haben", "haben", "VERB", feats="VerbForm=Inf"),
    )
    assert type_of(has, have) == "R:VERB:FORM"
    assert type_of(Token("Haus", "Haus", "PROPN", feats="Number=Sing"),
                   Token("Häuser", "Haus", "NOUN", feats="Number=Plur")) == "R:NOUN:NUM"  # fmt: skip
    assert type_of(Token("schnell", "schnell", "ADJ"), Token("schneller", "schnell", "ADV")) == "R:MORPH"


@pytest.mark.parametrize(
    ("names", "first", "second", "found"),
    [
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing", "Number=Plur", "NUM"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Plur|Case=Acc", "FORM"),
        # one name for two features: one change
        ({"Number": "NUM", "Case": "NUM"}, "Number=Sing|Case=Nom", "Number=Plur|Case=Acc", "NUM"),
        # what one side lacks counts only where nothing else changed
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Plur", "NUM"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "Number=Sing", "CASE"),
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "", "FORM"),
        ({"Number": "NUM", "Case": "NUM"}, "Number=Sing|Case=Nom", "", "NUM"),
        # alternatives agree with each of them
        ({"Case": "CASE"}, "Case=Acc,Dat", "Case=Dat", "FORM"),
        ({"Case": "CASE"}, "Case=Acc,Dat", "Case=Gen", "CASE"),
        # by word class; a name that is no label of the class is FORM
        ({"Number": {"VERB": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "NUM"),
        ({"Number": {"NOUN": "SVA", "*": "NUM"}}, "Number=Sing", "Number=Plur", "FORM"),
        ({"Number": {"VERB": "SVA"}}, "Number=Sing", "Number=Plur", "FORM"),
        ({}, "Number=Sing", "Number=Plur", "FORM"),
    ],
)
def test_the_principle(names, first, second, found):
    inflection = Inflection(names, frozenset({"NOUN:NUM", "NOUN:CASE", "NOUN:FORM"}))
    assert inflection.name("NOUN", first, second) == found


FEATS = st.dictionaries(
    st.sampled_from(["Number", "Case", "Gender", "Tense", "VerbForm", "Person", "Number[psor]"]),
    st.sampled_from(["A", "B", "A,B", "C"]),
).map(lambda found: "|".join(f"{name}={value}" for name, value in sorted(found.items())))


@given(FEATS, FEATS, st.sampled_from(["NOUN", "VERB", "ADJ", "X"]))
def test_inflections_are_symmetric_and_declared(first, second, word_class):
    inflection = GENERIC.vocabulary.inflection
    found = inflection.name(word_class, first, second)
    assert found == inflection.name(word_class, second, first)
    assert found == "FORM" or f"{word_class}:{found}" in GENERIC.labels
    assert inflection.name(word_class, first, first) == "FORM"
    changed, one_sided = difference(first, second)
    assert not changed & one_sided
    assert all(not agree(features(first)[name], features(second)[name]) for name in changed)


def test_features():
    assert features("Case=Nom|Number[psor]=Sing") == {"Case": "Nom", "Number[psor]": "Sing"}
    assert features("_") == features("") == {}


#: Classes between which a form of a word may be taken for another.
ALIKE = [(tag, tag) for tag in sorted(UPOS)] + [
    pair for tags in (("AUX", "VERB"), ("NOUN", "PROPN"), ("DET", "PRON")) for pair in (tags, tags[::-1])
]


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_every_change_of_a_feature_has_a_declared_label(code):
    """Whatever a language does not mark: models and learners' words have such features all the same."""
    pack = load_pack(code, dictionary="none")
    rules, vocabulary = pack.rules, pack.vocabulary
    for feature in GENERIC.vocabulary.inflection._names:
        for tags in ALIKE:
            for values in (("A", "B"), ("A", ""), ("", "B")):
                old, new = [
                    Token(form, "word", tag, feats=value and f"{feature}={value}")
                    for form, tag, value in zip(("worde", "wordi"), tags, values, strict=True)
                ]
                sides = Sentence((old,), old.form), Sentence((new,), new.form)
                rules.classify(
                    EditContext(*sides, Span(0, 1, 0, 1), vocabulary)
                )  # raises PackError otherwise


def test_the_inflection_goes_by_the_class_of_hooks(tmp_path):
    (tmp_path / "pack.yaml").write_text("code: xx\nextends: generic\n", "utf-8")
    (tmp_path / "hooks.py").write_text("PROPERTIES = {'class': lambda view, token: 'NOUN'}\n", "utf-8")
    annotator = Annotator(load_pack("", str(tmp_path)), PretokenisedParser())
    for feature, label in (("Number", "NOUN:NUM"), ("Person", "NOUN:FORM")):
        old, new = [Token(form, "go", "VERB", feats=f"{feature}={form}") for form in ("go", "goes")]
        (edit,) = annotator.annotate(Sentence((old,), old.form), Sentence((new,), new.form))
        assert edit.type == f"R:{label}"

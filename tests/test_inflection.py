"""Inflections named by features: the principle, and real analyses of Universal Dependencies treebanks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotator import Annotator
from jperrant.data import Sentence, Token
from jperrant.edits.features import Inflection, agree, difference, features
from jperrant.packs import load_pack
from jperrant.parse.given import GivenParser

GENERIC = load_pack("generic")


def type_of(source: Token, target: Token) -> str:
    annotator = Annotator(GENERIC, GivenParser())
    edits = annotator.annotate(Sentence((source,), source.form), Sentence((target,), target.form))
    return edits[0].type


# Forms with the lemma, UPOS and FEATS that the named treebank (UD 2) gives them.
@pytest.mark.parametrize(
    ("treebank", "upos", "lemma", "source", "target", "label"),
    [
        # German-GSD
        ("de", "NOUN", "Haus", "Haus Case=Nom|Gender=Neut|Number=Sing", "Häuser Case=Nom|Gender=Neut|Number=Plur", "NOUN:NUM"),
        ("de", "NOUN", "Haus", "Haus Case=Gen|Gender=Neut|Number=Sing", "Hauses Case=Nom|Gender=Neut|Number=Sing", "NOUN:CASE"),
        ("de", "NOUN", "Haus", "Hauses Case=Gen|Gender=Neut|Number=Sing", "Häusern Case=Dat|Gender=Neut|Number=Plur", "NOUN:FORM"),
        ("de", "DET", "der", "dem Case=Dat|Definite=Def|Gender=Masc|Number=Sing|PronType=Art", "den Case=Acc|Definite=Def|Gender=Masc|Number=Sing|PronType=Art", "DET:CASE"),
        ("de", "DET", "der", "der Case=Nom|Definite=Def|Gender=Masc|Number=Sing|PronType=Art", "das Case=Nom|Definite=Def|Gender=Neut|Number=Sing|PronType=Art", "DET:GENDER"),
        ("de", "ADJ", "schön", "schöner Case=Nom|Degree=Pos|Gender=Masc|Number=Sing", "schönere Case=Nom|Degree=Cmp|Gender=Masc|Number=Sing", "ADJ:DEGREE"),
        ("de", "VERB", "gehen", "geht Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "ging Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin", "VERB:TENSE"),
        ("de", "VERB", "gehen", "geht Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "gehen VerbForm=Inf", "VERB:FORM"),
        ("de", "VERB", "gehen", "geht Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "gehe Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", "VERB:SVA"),
        ("de", "VERB", "gehen", "gehe Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", "gehen Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin", "VERB:SVA"),
        ("de", "AUX", "haben", "hat Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "habe Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "AUX:MOOD"),
        # Czech-PDT: the past participle is a tense, a Slavic past needs no finite verb
        ("cs", "VERB", "dělat", "dělá Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Polarity=Pos|Tense=Pres|VerbForm=Fin|Voice=Act", "dělal Aspect=Imp|Gender=Masc|Number=Sing|Polarity=Pos|Tense=Past|VerbForm=Part|Voice=Act", "VERB:TENSE"),
        ("cs", "VERB", "dělat", "dělá Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Polarity=Pos|Tense=Pres|VerbForm=Fin|Voice=Act", "dělat Aspect=Imp|Polarity=Pos|VerbForm=Inf", "VERB:FORM"),
        ("cs", "VERB", "dělat", "dělal Aspect=Imp|Gender=Masc|Number=Sing|Polarity=Pos|Tense=Past|VerbForm=Part|Voice=Act", "dělali Animacy=Anim|Aspect=Imp|Gender=Masc|Number=Plur|Polarity=Pos|Tense=Past|VerbForm=Part|Voice=Act", "VERB:SVA"),
        ("cs", "VERB", "vědět", "ví Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Polarity=Pos|Tense=Pres|VerbForm=Fin|Voice=Act", "neví Aspect=Imp|Mood=Ind|Number=Sing|Person=3|Polarity=Neg|Tense=Pres|VerbForm=Fin|Voice=Act", "VERB:POLARITY"),
        ("cs", "ADJ", "nový", "nový Animacy=Inan|Case=Nom|Degree=Pos|Gender=Masc|Number=Sing|Polarity=Pos", "nová Case=Nom|Degree=Pos|Gender=Fem|Number=Sing|Polarity=Pos", "ADJ:GENDER"),
        ("cs", "NOUN", "hrad", "hrad Animacy=Inan|Case=Acc|Gender=Masc|Number=Sing|Polarity=Pos", "hradu Animacy=Inan|Case=Dat|Gender=Masc|Number=Sing|Polarity=Pos", "NOUN:CASE"),
        # Spanish-AnCora
        ("es", "ADJ", "blanco", "blanco Gender=Masc|Number=Sing", "blanca Gender=Fem|Number=Sing", "ADJ:GENDER"),
        ("es", "ADJ", "blanco", "blanco Gender=Masc|Number=Sing", "blancas Gender=Fem|Number=Plur", "ADJ:FORM"),
        ("es", "VERB", "tener", "tiene Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "tenga Mood=Sub|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "VERB:MOOD"),
        ("es", "VERB", "tener", "tiene Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "tendría Mood=Cnd|Number=Sing|Person=3|VerbForm=Fin", "VERB:MOOD"),
        ("es", "VERB", "comer", "come Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "comiendo VerbForm=Ger", "VERB:FORM"),
        ("es", "VERB", "comer", "come Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin", "comido Gender=Masc|Number=Sing|Tense=Past|VerbForm=Part", "VERB:FORM"),
        # Russian-SynTagRus: no person in the past, no gender in the plural
        ("ru", "VERB", "делать", "делаю Aspect=Imp|Mood=Ind|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin|Voice=Act", "делал Aspect=Imp|Gender=Masc|Mood=Ind|Number=Sing|Tense=Past|VerbForm=Fin|Voice=Act", "VERB:TENSE"),
        ("ru", "ADJ", "новый", "новый Case=Nom|Degree=Pos|Gender=Masc|Number=Sing", "новые Case=Nom|Degree=Pos|Number=Plur", "ADJ:NUM"),
        ("ru", "ADJ", "новый", "новый Case=Nom|Degree=Pos|Gender=Masc|Number=Sing", "новый Animacy=Inan|Case=Acc|Degree=Pos|Gender=Masc|Number=Sing", None),
        ("ru", "ADJ", "красивый", "красивый Case=Nom|Degree=Pos|Gender=Masc|Number=Sing", "красив Degree=Pos|Gender=Masc|Number=Sing|Variant=Short", "ADJ:FORM"),
        ("ru", "NOUN", "книга", "книга Animacy=Inan|Case=Nom|Gender=Fem|Number=Sing", "книгу Animacy=Inan|Case=Acc|Gender=Fem|Number=Sing", "NOUN:CASE"),
        # Finnish-TDT, Turkish-BOUN: possessors, layered features
        ("fi", "NOUN", "talo", "talo Case=Nom|Number=Sing", "taloni Case=Nom|Number=Sing|Number[psor]=Sing|Person[psor]=1", "NOUN:POSS"),
        ("tr", "NOUN", "ev", "evim Case=Nom|Number=Sing|Number[psor]=Sing|Person=3|Person[psor]=1", "evimiz Case=Nom|Number=Sing|Number[psor]=Plur|Person=3|Person[psor]=1", "NOUN:POSS"),
        # Swedish-Talbanken, Bulgarian-BTB
        ("sv", "NOUN", "hus", "hus Case=Nom|Definite=Ind|Gender=Neut|Number=Sing", "huset Case=Nom|Definite=Def|Gender=Neut|Number=Sing", "NOUN:DEF"),
        ("bg", "NOUN", "книга", "книга Definite=Ind|Gender=Fem|Number=Sing", "книгата Definite=Def|Gender=Fem|Number=Sing", "NOUN:DEF"),
        # French-GSD: a participle
        ("fr", "VERB", "aller", "allé Gender=Masc|Number=Sing|Tense=Past|VerbForm=Part", "allée Gender=Fem|Number=Sing|Tense=Past|VerbForm=Part", "VERB:SVA"),
        # nothing in the features
        ("fr", "ADV", "très", "tres ", "très ", "DIACR"),
        ("nl", "NOUN", "huis", "huisen Number=Plur", "huizen Number=Plur", "NOUN:FORM"),
        ("nl", "ADP", "met", "mit _", "met _", "ADP:FORM"),
    ],
)  # fmt: skip
def test_real_analyses(treebank, upos, lemma, source, target, label):
    def token(text: str) -> Token:
        form, _, feats = text.partition(" ")
        return Token(form, lemma, upos, feats=feats)

    first, second = token(source), token(target)
    if label is None:  # the same form: no edit, whatever the analyses say
        assert first.form == second.form
        return
    assert type_of(first, second) == f"R:{label}"


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
        # … and then the first in the order decides
        ({"Number": "NUM", "Case": "CASE"}, "Number=Sing|Case=Nom", "", "NUM"),
        ({"Case": "CASE", "Number": "NUM"}, "Number=Sing|Case=Nom", "", "CASE"),
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

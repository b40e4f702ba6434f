"""Edits of pronouns, articles, prepositions, conjunctions and auxiliaries, typed without any model.

The types were written down before the rules were run, from grammars: Butt and Benjamin for Spanish, the Duden for
German, Grevisse for French.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.core.values import Sentence

CASES = {
    "es": [
        ("soy cansado", "estoy cansado", "0 1 estoy R:AUX:COPULA"),
        ("nosotros es altos", "nosotros somos altos", "1 2 somos R:AUX:SVA"),
        ("ayer es lunes", "ayer era lunes", "1 2 era R:AUX:TENSE"),
        ("voy a el cine", "voy al cine", "1 3 al R:ADP:FORM"),
        ("vengo del casa", "vengo de casa", "1 2 de R:ADP:FORM"),
        ("la problema", "el problema", "0 1 el R:DET:GENDER"),
        ("mi padres", "mis padres", "0 1 mis R:DET:NUM"),
        ("pienso en ti", "pienso de ti", "1 2 de R:ADP"),
        ("le veo", "lo veo", "0 1 lo R:PRON:LEISMO"),
        ("gusta mucho", "me gusta mucho", "0 0 me M:PRON"),
        ("me gusta música", "me gusta la música", "2 2 la M:DET"),
        ("trabajo por vivir", "trabajo para vivir", "1 2 para R:ADP:PORPARA"),
    ],
    "de": [
        ("mit eine Frau", "mit einer Frau", "1 2 einer R:DET:CASE"),
        ("ein Frau", "eine Frau", "0 1 eine R:DET:GENDER"),
        ("ich helfe dich", "ich helfe dir", "2 3 dir R:PRON:CASE"),
        ("ich gehe in das Kino", "ich gehe ins Kino", "2 4 ins R:ADP:FORM"),
        ("ich bin zum Haus", "ich bin zu dem Haus", "2 3 zu dem R:ADP:FORM"),
        ("ich warte über dich", "ich warte auf dich", "2 3 auf R:ADP"),
        ("du bin hier", "du bist hier", "1 2 bist R:AUX:SVA"),
        ("ich bin gestern hier", "ich war gestern hier", "1 2 war R:AUX:TENSE"),
        ("ich habe gegangen", "ich bin gegangen", "1 2 bin R:AUX"),
        ("du und ich", "du oder ich", "1 2 oder R:CCONJ"),
        ("wenn er kommt", "ob er kommt", "0 1 ob R:SCONJ"),
        ("ich lese Buch", "ich lese das Buch", "2 2 das M:DET"),
    ],
    "fr": [
        ("je vais à le marché", "je vais au marché", "2 4 au R:ADP:FORM"),
        ("le livre de les enfants", "le livre des enfants", "2 4 des R:ADP:FORM"),
        ("la problème", "le problème", "0 1 le R:DET:GENDER"),
        ("ma père", "mon père", "0 1 mon R:DET:GENDER"),
        ("un amis", "des amis", "0 1 des R:DET:NUM"),
        ("j' ai allé", "je suis allé", "1 2 suis R:AUX:CHOICE"),
        ("nous est là", "nous sommes là", "1 2 sommes R:AUX:SVA"),
        ("il habite à France", "il habite en France", "2 3 en R:ADP"),
        ("je le parle", "je lui parle", "1 2 lui R:PRON"),
        ("pain et vin", "pain ou vin", "1 2 ou R:CCONJ"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("lang", CASES)
def test_textbook_edits_have_their_type_without_models(lang):
    annotator = jperrant.load(lang, models="none", dictionary="none")
    found = {
        source: [
            f"{e.start} {e.end} {' '.join(e.correction)} {e.type}" for e in annotator.annotate(source, target)
        ]
        for source, target, _ in CASES[lang]
    }
    missed = {
        source: (found[source], wanted) for source, _, wanted in CASES[lang] if wanted not in found[source]
    }
    assert missed == {}


TEXTBOOK = Path(__file__).parent.parent / "data" / "packs" / "textbook_edits.tsv"
#: How many of the pairs have their type, of 24 a language, of 14 or of 6, without models and without a dictionary.
RIGHT = {
    "es": 23, "de": 22, "fr": 23, "it": 24, "pt": 13, "nl": 22, "sv": 23, "cs": 11, "pl": 14, "ru": 13, "tr": 12,
    "hi": 13, "ja": 5, "el": 5, "ro": 4, "uk": 6, "et": 6, "lv": 6, "is": 6, "sl": 5, "ar": 6,
}  # fmt: skip


@pytest.mark.parametrize("lang", RIGHT)
def test_the_textbook_edits_of_a_language(lang):
    rows = [line.split("\t") for line in TEXTBOOK.read_text("utf-8").splitlines()]
    annotator = jperrant.load(lang, models="none", dictionary="none")
    right = [
        sorted(edit.type for edit in annotator.annotate(source, target)) == sorted(types.split())
        for code, _, source, target, types in rows
        if code == lang
    ]
    assert sum(right) >= RIGHT[lang]


def test_tags_that_are_given_take_precedence():
    annotator = jperrant.load("es", models="none", dictionary="none")
    pair = [Sentence.from_forms(text.split()) for text in ("la", "lo")]
    tagged = [
        Sentence(tuple([t._replace(upos="NOUN", lemma=t.form) for t in sentence.tokens]), sentence.text)
        for sentence in pair
    ]
    assert [e.type for e in annotator.annotate(*tagged)] == ["R:NOUN"]


WORDS = """
code: xx
extends: generic
words:
  DET: {li: {li: "Gender=Fem,Masc|Number=Sing", las: Number=Plur}, ti: {-: Number=Sing, -s: Number=Plur}}
  PRON: {li: [li, lo]}
  ADP: [de, en]
contractions: {del: de li}
endings:
  NOUN: {Number=Sing: ["-"], Number=Plur: [-s]}
  VERB: {Number=Sing|Person=2: [-s], Number=Sing|Person=3: ["-"], VerbForm=Inf: [-r]}
"""


@pytest.mark.parametrize(
    ("source", "target", "types"),
    [
        ("li", "las", ["R:DET:NUM"]),
        ("tis", "ti", ["R:DET:NUM"]),
        ("Li", "Lo", ["R:PRON:FORM"]),  # the class that both have, though li is a determiner first
        ("de las casa", "del casa", ["R:ADP:FORM"]),  # another article than that of the contraction
        ("en li casa", "del casa", ["R:OTHER", "U:ADP"]),  # another preposition
        ("casa", "de casa", ["M:ADP"]),
        ("casa", "dom", ["R:OTHER"]),
        ("li kasa", "li kasas", ["R:NOUN:NUM"]),  # a noun after a determiner
        ("lo kasa", "lo kasas", ["R:VERB:SVA"]),  # a verb after a pronoun
        ("kasa", "kasas", ["R:NOUN:NUM"]),  # otherwise the class that comes first
        ("kasa", "kasar", ["R:VERB:FORM"]),
        ("a", "as", ["R:OTHER"]),  # too short for a stem
    ],
)
def test_how_words_are_looked_up(tmp_path, source, target, types):
    (tmp_path / "pack.yaml").write_text(WORDS, "utf-8")
    annotator = jperrant.load(pack=str(tmp_path), models="none")
    assert sorted(e.type for e in annotator.annotate(source, target)) == sorted(types)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("words: {ART: [a]}", "ART: 'ART' is no tag of Universal Dependencies"),
        ("words: {DET: a}", "DET: found 'a', expected a list of words, or lists of forms by lemma"),
        ("words: {DET: {a: [true]}}", "DET: found True, expected a list of words"),
        ("words: {DET: {a: {a: 3}}}", "DET: found 3, expected a list of words"),
        ("contractions: {al: a}", "al: found 'a', expected the words that a contraction stands for"),
        ("one_error: [{whole: {contraction: 1}}]", "contraction: found 1, expected true or false"),
        ("one_error: [{whole: {}}]", "whole: found {}, expected one mapping of conditions, and no edits"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, lines, message):
    (tmp_path / "pack.yaml").write_text(f"code: xx\nextends: generic\n{lines}\n", "utf-8")
    [problem] = check_pack(str(tmp_path)).problems
    assert message in problem
    assert "pack.yaml:3" in problem

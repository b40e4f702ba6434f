"""Edits of pronouns, articles, prepositions, conjunctions, auxiliaries and endings, typed without any model."""

from __future__ import annotations

from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.core.values import Sentence

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

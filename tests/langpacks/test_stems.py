"""The stems of the English pack are nltk's, whose stemmer ERRANT uses."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.langpacks.en.lancaster import RULES, stem

pytestmark = pytest.mark.ci

WORDS = Path(__file__).resolve().parents[2] / "langpacks" / "en" / "data" / "words.txt.gz"
#: Endings that rules look for, and what may stand before and between them.
PIECES = st.sampled_from(
    ["ing", "ed", "s", "ly", "tion", "ai", "a", "um", "bb", "-", "'", "t", "ism", "ity", "ness", "ize", "y", "x"]
)  # fmt: skip


@pytest.fixture(scope="module")
def nltk_stem():
    lancaster = pytest.importorskip("nltk.stem.lancaster")
    return lancaster.LancasterStemmer().stem


def test_words_of_the_lexicon(nltk_stem):
    with gzip.open(WORDS, "rt", encoding="utf-8") as lines:
        words = [line.strip().lower() for line in lines][::97]
    assert len(words) > 500
    assert [stem(word) for word in words] == [nltk_stem(word) for word in words]


@given(st.lists(PIECES, min_size=1, max_size=6).map("".join))
def test_strange_words(nltk_stem, word):
    assert stem(word) == nltk_stem(word)


def test_the_rules_are_all_there(nltk_stem):
    assert nltk_stem.__self__.default_rule_tuple == tuple(RULES.split())
    assert stem("maximum") == "maxim"
    assert stem("a" * 2000 + "ing") == "a" * 2000 + "ing"

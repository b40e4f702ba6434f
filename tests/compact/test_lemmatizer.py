"""Lemmas without Stanza: those that Stanza finds with the same models, whatever the words and their company."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.compact.lemmatizer import Lemmatizer
from jperrant.compact.weights import OtherFormatError, read_model
from tests.stages import mostly_for_ci
from tests.strategies import examples

from .packages import networks, plain_lemmas, real_sentences

UPOS = ["ADJ", "NOUN", "VERB", "PROPN", "AUX", "PUNCT", "X", "NUM", "none of them"]
WORDS = {
    "en": ["mice", "Went", "BETTER", "antennæ", "ãntennas", "unfriended", "_", "<UNK>", "o'clock", "x" * 70],
    "zh": ["我们", "書", "_", "Went", "a" * 70],
    "ko": ["먹었습니다", "학교에서는", "彼는", "갔뷁다", "_", "버느라고", "ABC를", "가" * 60],
}


@pytest.mark.models
@pytest.mark.parametrize("lang", mostly_for_ci(WORDS, "en"))
def test_real_words(lang: str) -> None:
    words = sorted({word for sentence in real_sentences(lang)[:40] for word in sentence})
    keys = [(word, upos) for word in words for upos in ("NOUN", "VERB")]
    assert len(keys) > 400
    assert networks(lang).lemmatizer.lemmas(keys) == plain_lemmas(lang, "compact", keys)


@pytest.mark.models
@pytest.mark.parametrize("lang", WORDS)
@examples(30)
@given(data=st.data())
def test_any_words(lang: str, data: st.DataObject) -> None:
    words = st.one_of(st.text(min_size=1, max_size=7), st.sampled_from(WORDS[lang]))
    words = words.map(lambda word: "".join(word.split()) or "a")
    keys = data.draw(st.lists(st.tuples(words, st.sampled_from(UPOS)), min_size=1, max_size=8, unique=True))
    find = networks(lang).lemmatizer.lemmas
    assert find(keys) == plain_lemmas(lang, "compact", keys) == {key: find([key])[key] for key in keys}


def test_a_dictionary_alone() -> None:
    content = {"NOUN": {"Mice": "mouse", "data": "_"}, "*": {"mice": "mus", "_": "_"}}
    settings = read_model(networks("zh").files["lemma"])["config"]
    model = {"config": settings, "dicts_version": 3, "contextual": []}
    model["dicts"] = gzip.compress(json.dumps(content).encode())
    keys = [("Mice", "NOUN"), ("mice", "NOUN"), ("Mice", "VERB"), ("data", "NOUN"), ("_", "X")]
    found = Lemmatizer(model).lemmas(keys)
    assert [found[key] for key in keys] == ["mouse", "mus", "Mice", "", "_"]
    for other in ({"dicts_version": 1}, {"contextual": [{}]}, {"config": settings | {"caseless": True}}):
        with pytest.raises(OtherFormatError):
            Lemmatizer(model | other)
    with pytest.raises(ValueError, match="from tags to forms"):
        Lemmatizer(model | {"dicts": gzip.compress(b"[]")})

"""Cutting a correction into words as its source is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.alignment.projection import resegment
from jperrant.core.values import Sentence, Token
from jperrant.langpacks.zh.hooks import MISSPELT


def cut(words: str) -> Sentence:
    """Make a sentence of words separated by ``|``; other spaces are text."""
    tokens, at, text = [], 0, words.replace("|", "")
    for word in words.split("|"):
        form = word.strip()
        at = text.index(form, at)
        tokens.append(Token(form, start=at, end=at + len(form)))
        at += len(form)
    return Sentence(tuple(tokens), text)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("他|负责任|。", "他|负|责任|。", "他|负责任|。"),  # as in the source
        ("学|了|两|个|年汉|语", "学|了|两|年|汉语", "学|了|两|年汉|语"),
        ("跑|的|快", "跑得|快", "跑|得|快"),  # one particle for another
        ("明天|又|来", "明天|再来", "明天|再|来"),  # another word
        ("我|愛|汉语", "我|爱汉语", "我|爱|汉语"),  # a variant
        ("我|的|工|做|忙", "我|的|工作|忙", "我|的|工作|忙"),  # a misspelling broke the word
        ("工|的|作", "工作", "工|作"),  # left out
        ("很|高", "很|高兴", "很|高兴"),  # a word that grew
        ("各天|都|去", "每|天|都|去", "每|天|都|去"),
        ("我|去| 吧", "我| 去|吧", "我| 去|吧"),
    ],
)
def test_cuts(source, target, expected):
    [found] = resegment([cut(source)], [cut(target)], MISSPELT)
    assert found.forms == cut(expected).forms
    assert [found.text[t.start : t.end] for t in found.tokens] == list(found.forms)


CUT = (
    st.lists(st.text("我你他去的得a", min_size=1, max_size=3), min_size=1, max_size=6).map("|".join).map(cut)
)


@given(st.lists(CUT, min_size=1, max_size=3), st.lists(CUT, min_size=1, max_size=3))
def test_text_and_sentences_stay(source, target):
    found = resegment(source, target, MISSPELT)
    assert [s.text for s in found] == [s.text for s in target]
    for sentence in found:
        assert "".join(sentence.forms) == sentence.text
        assert [sentence.text[t.start : t.end] for t in sentence.tokens] == list(sentence.forms)


@given(st.lists(CUT, min_size=1, max_size=3))
def test_the_same_text_is_cut_the_same(source):
    whole = "".join(s.text for s in source)
    [found] = resegment(source, [Sentence((Token(whole, start=0, end=len(whole)),), whole)], MISSPELT)
    assert found.forms == tuple(form for s in source for form in s.forms)

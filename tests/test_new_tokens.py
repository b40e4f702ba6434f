"""Tokens made past the constructor are those that the constructor and ``dataclasses.replace`` make."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, astuple, fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.new_tokens import at_place, bare_token, new_token, with_arc, with_tags
from jperrant.core.values import Token

TEXTS = st.text(max_size=3)
HEADS = st.none() | st.integers(0, 5)
TOKENS = st.builds(
    Token, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, HEADS, TEXTS, st.integers(0, 9), st.integers(0, 9),
    st.lists(TEXTS, max_size=2).map(tuple),
)  # fmt: skip


@given(TOKENS, TEXTS, HEADS, st.integers(0, 9))
def test_tokens_are_those_of_the_constructor(token, text, head, place):
    made = new_token(*[getattr(token, field.name) for field in fields(Token)])
    assert type(made) is Token
    assert made == token
    assert hash(made) == hash(token)
    assert repr(made) == repr(token)
    assert pickle.loads(pickle.dumps(made)) == token
    assert bare_token(text, place, place) == Token(text, start=place, end=place)
    assert with_tags(token, text, "X", text, "Y") == replace(
        token, lemma=text, upos="X", xpos=text, feats="Y"
    )
    assert with_arc(token, head, text) == replace(token, head=head, deprel=text)
    assert at_place(token, place, 9) == replace(token, start=place, end=9)


def test_a_token_cannot_be_changed_afterwards():
    token = bare_token("a", 0, 1)
    with pytest.raises(FrozenInstanceError):
        token.form = "b"
    assert astuple(token) == astuple(Token("a", start=0, end=1))


def test_a_class_of_tokens_keeps_its_properties():
    class Loud(Token):
        __slots__ = ()

        @property
        def upos(self):
            return "LOUD"

    token = new_token("a", "", "X", "", "", None, "", 0, 1, (), Loud)
    assert (type(token), token.upos, token.form) == (Loud, "LOUD", "a")

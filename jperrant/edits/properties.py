"""Properties of tokens that rules can ask for."""

from __future__ import annotations

from collections.abc import Callable

from jperrant.data import Token
from jperrant.edits.view import EditView

Getter = Callable[[EditView, Token], str]


def _upos(_: EditView, token: Token) -> str:
    return token.upos


def _xpos(_: EditView, token: Token) -> str:
    return token.xpos


def _form(_: EditView, token: Token) -> str:
    return token.form


def _word(_: EditView, token: Token) -> str:
    return token.form.lower()


def _lemma(_: EditView, token: Token) -> str:
    return token.lemma


def _class(view: EditView, token: Token) -> str:
    return view.vocabulary.word_class(token)


#: What can be asked of a token: the form, the lower-cased form, and what its analysis says.
PROPERTIES: dict[str, Getter] = {
    "form": _form,
    "word": _word,
    "lemma": _lemma,
    "upos": _upos,
    "xpos": _xpos,
    "class": _class,
    "deprel": EditView.deprel,
}

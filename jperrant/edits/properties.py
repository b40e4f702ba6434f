"""Properties of tokens that rules can ask for."""

from __future__ import annotations

from typing import NamedTuple

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter
from jperrant.edits.features import features
from jperrant.edits.folding import is_punctuation

#: Properties that begin so are features: ``feats.Number``.
FEATURE = "feats."


class Property(NamedTuple):
    """A property and what it is, in words."""

    get: Getter
    doc: str


def is_punctuation_mark(token: Token) -> bool:
    """Whether a token is punctuation: by its tag, or where that says nothing else by its form."""
    return token.upos == "PUNCT" or (token.upos != "SYM" and is_punctuation(token.form))


def _upos(_: EditContext, token: Token) -> str:
    return token.upos


def _xpos(_: EditContext, token: Token) -> str:
    return token.xpos


def _form(_: EditContext, token: Token) -> str:
    return token.form


def _word(_: EditContext, token: Token) -> str:
    return token.form.lower()


def _lemma(_: EditContext, token: Token) -> str:
    # A lemmatiser trained on a treebank without a word's lemma predicts "_", as CoNLL-U writes none.
    return "" if token.lemma == "_" != token.form else token.lemma


def _feats(_: EditContext, token: Token) -> str:
    return token.feats


def _class(view: EditContext, token: Token) -> str:
    return view.vocabulary.word_class(token)


def _inflection(view: EditContext, _: Token) -> str:
    return view.inflection()


#: What can be asked of a token.
PROPERTIES: dict[str, Property] = {
    "form": Property(_form, "the text of the token"),
    "word": Property(_word, "the form in lower case"),
    "lemma": Property(_lemma, "the lemma"),
    "upos": Property(
        _upos, "the universal part-of-speech tag; values must be among the 17 of Universal Dependencies"
    ),
    "xpos": Property(_xpos, "the language-specific tag"),
    "class": Property(
        _class,
        "the word class: from `classes`, otherwise `upos_classes`, otherwise UPOS; `hooks.py` may override it",
    ),
    "feats": Property(_feats, "all features as one string (`Case=Nom|Number=Sing`)"),
    "deprel": Property(
        EditContext.deprel,
        "the dependency relation, renamed by `deprels`; requires parsing",
    ),
    "inflection": Property(
        _inflection,
        "the inflection in which the last tokens of the two sides differ, named by the key `inflection`; see "
        "[Inflection](#inflection)",
    ),
}


def feature_getter(name: str) -> Getter:
    """Return the property that is one feature; an empty string where a token lacks it."""
    return lambda _, token: features(token.feats).get(name, "")

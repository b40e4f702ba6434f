"""The building blocks of rules: values with their place in a file, properties of tokens, and tables of keys.

Each key of the rule language is a function. Its first arguments come from the pack; the last ones are what is
tested: an edit, or an edit and one of its sides or tokens. The type of an argument determines how its value is
read (``compiler.READERS``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from jperrant.core.errors import nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Property, Side, features
from jperrant.edits.forms import is_punctuation


class Positioned:
    """A value that knows where in a file it was read.

    Attributes:
        place: Where it begins: ``file:line``, with lines counted from 1; empty if unknown.
        places: Where each of its entries begins, by key or index.
    """

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.place = place
        self.places: dict[Hashable, str] = {}

    @property
    def file(self) -> str:
        """The name of the file; empty if unknown."""
        return self.place.rpartition(":")[0]


class PositionedDict(Positioned, dict[Any, Any]):
    """A mapping that was read from a file."""


class PositionedList(Positioned, list[Any]):
    """A list that was read from a file."""


def position_of(value: object, key: Hashable = None) -> str:
    """Return ``file:line`` of a value read from a file, or of one of its entries; empty if unknown."""
    return value.places.get(key, value.place) if isinstance(value, Positioned) else ""


#: The prefix of properties that are features, as in ``feats.Number``.
FEATURE = "feats."


def is_punctuation_mark(token: Token) -> bool:
    """Whether a token is punctuation by its UPOS tag or, unless it is tagged as a symbol, by its form."""
    return token.upos == "PUNCT" or (token.upos != "SYM" and is_punctuation(token.form))


def _lemma(_: EditContext, token: Token) -> str:
    # "_" stands for no lemma in CoNLL-U; a lemmatiser trained on a treebank that lacks lemmas predicts it.
    return "" if token.lemma == "_" != token.form else token.lemma


#: The built-in properties of tokens.
PROPERTIES: dict[str, Property] = {
    name: Property(name, get, doc, get is EditContext.deprel)
    for name, get, doc in (
        ("form", lambda _, token: token.form, "the text of the token"),
        ("word", lambda _, token: token.form.lower(), "the form in lower case"),
        ("lemma", _lemma, "the lemma"),
        ("upos", lambda _, token: token.upos, "the universal part-of-speech tag; values must be among the 17 of "
            "Universal Dependencies"),
        ("xpos", lambda _, token: token.xpos, "the language-specific tag"),
        ("class", lambda view, token: view.vocabulary.word_class(token), "the word class: from `classes`, "
            "otherwise `upos_classes`, otherwise UPOS; `hooks.py` may override it"),
        ("feats", lambda _, token: token.feats, "all features as one string (`Case=Nom|Number=Sing`)"),
        ("deprel", EditContext.deprel, "the dependency relation, renamed by `deprels`; requires parsing"),
        ("inflection", lambda view, _: view.inflection(), "the inflection in which the last tokens of the two "
            "sides differ, named by the key `inflection`; see [Inflection](#inflection)"),
    )
}  # fmt: skip


def feature_property(name: str) -> Property:
    """Return the property that reads one feature, such as ``feats.Number``; empty if a token lacks it."""
    feature = name.removeprefix(FEATURE)
    return Property(name, lambda _, token: features(token.feats).get(feature, ""))


Condition = Callable[[EditContext], bool]
TokenTest = Callable[[EditContext, Token], bool]
SideTest = Callable[[EditContext, Side], bool]
Text = Callable[[str], bool]
Number = Callable[[float], bool]


class Entry(NamedTuple):
    """A key of the rule language.

    Attributes:
        holds: The function.
        arguments: The type of each argument that a pack gives; empty for a key that is only true or false.
        options: The arguments that a pack gives by name in a mapping, with their defaults; ``...`` marks a
            required one.
        true: The value that ``true`` stands for, if the key also takes values other than true and false.
        example: The key with a value.
        doc: What the key means, for docs/packs.md.
    """

    holds: Callable[..., bool]
    arguments: Mapping[str, str]
    options: Mapping[str, Any]
    true: object
    example: str
    doc: str


_Function = TypeVar("_Function", bound=Callable[..., bool])


class KeyTable(dict[str, Entry]):
    """The keys of the rule language by name; docs/packs.md describes each key by its function's docstring."""

    def key(self, example: str, true: object = None, **options: Any) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a function as a key; the arguments are fields of ``Entry``.

        An argument of the function whose name is a Python keyword ends in an underscore.
        """

        def add(holds: _Function) -> _Function:
            doc = " ".join((holds.__doc__ or "").split()).removesuffix(".")
            doc = doc if doc[:2].isupper() else doc[:1].lower() + doc[1:]
            tested = ("EditContext", "Token", "Side", "bool")
            types = holds.__annotations__.items()
            arguments = {name: kind for name, kind in types if name in options or kind not in tested}
            self[example.partition(":")[0]] = Entry(holds, arguments, options, true, example, doc)
            return holds

        return add


def unknown_keys(entry: Mapping[str, object], known: Mapping[str, str]) -> list[str]:
    """Return a problem for each unknown key of a rule."""
    expected = ", ".join(known)
    return [
        f"unknown key {str(key)!r}{nearest(str(key), known)}; expected one of {expected}"
        for key in entry
        if key not in known
    ]

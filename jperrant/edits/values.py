"""What rules are made of: values with their places in files, properties of tokens, and tables of keys.

A key of the rule language is a function. Its first arguments are what a pack gives, the last what is tested: an
edit, or an edit and one of its sides or tokens. The type of an argument says how its value is read
(``compiler.READERS``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from jperrant.core.errors import nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Property, Side, features
from jperrant.edits.forms import is_punctuation


class Positioned:
    """What was read from a file.

    Attributes:
        place: Where it begins: ``file:line``, with lines from 1; empty where that is not known.
        places: The same of each of its keys or numbers.
    """

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.place = place
        self.places: dict[Hashable, str] = {}

    @property
    def file(self) -> str:
        """The file's name; empty where it is not known."""
        return self.place.rpartition(":")[0]


class PositionedDict(Positioned, dict[Any, Any]):
    """A mapping that was read from a file."""


class PositionedList(Positioned, list[Any]):
    """A list that was read from a file."""


def position_of(value: object, key: Hashable = None) -> str:
    """Return ``file:line`` of what was read from a file, or of one of its keys; empty where that is not known."""
    return value.places.get(key, value.place) if isinstance(value, Positioned) else ""


#: Properties that begin so are features: ``feats.Number``.
FEATURE = "feats."


def is_punctuation_mark(token: Token) -> bool:
    """Whether a token is punctuation: by its tag, or where that says nothing else by its form."""
    return token.upos == "PUNCT" or (token.upos != "SYM" and is_punctuation(token.form))


def _lemma(_: EditContext, token: Token) -> str:
    # A lemmatiser trained on a treebank without a word's lemma predicts "_", as CoNLL-U writes none.
    return "" if token.lemma == "_" != token.form else token.lemma


#: What can be asked of a token.
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
    """Return the property that is one feature, such as ``feats.Number``; empty where a token lacks it."""
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
        arguments: The types of the arguments that a pack gives; none where the key is simply true or false.
        options: Those of them that are keys of a mapping, with their defaults; ``...`` where there is none.
        true: The value that ``true`` stands for, if the key has others beside true and false.
        example: The key with a value.
        doc: What it means.
    """

    holds: Callable[..., bool]
    arguments: Mapping[str, str]
    options: Mapping[str, Any]
    true: object
    example: str
    doc: str


_Function = TypeVar("_Function", bound=Callable[..., bool])


class KeyTable(dict[str, Entry]):
    """Keys of the rule language by name; the docstring of a function is what docs/packs.md says of its key."""

    def key(self, example: str, true: object = None, **options: Any) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a key; the arguments are those of ``Entry``.

        An argument whose name is a word of Python ends in an underscore.
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

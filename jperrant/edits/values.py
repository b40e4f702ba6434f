"""Values in rules: properties, lists of names, numbers and bounds, texts. Reading a pack checks them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import UPOS as UPOS
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter, features
from jperrant.edits.forms import FOLDINGS, compile_pattern, is_punctuation


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


class Property(NamedTuple):
    """A property of a token, with its description."""

    get: Getter
    doc: str


def is_punctuation_mark(token: Token) -> bool:
    """Whether a token is punctuation: by its tag, or where that says nothing else by its form."""
    return token.upos == "PUNCT" or (token.upos != "SYM" and is_punctuation(token.form))


def _lemma(_: EditContext, token: Token) -> str:
    # A lemmatiser trained on a treebank without a word's lemma predicts "_", as CoNLL-U writes none.
    return "" if token.lemma == "_" != token.form else token.lemma


#: What can be asked of a token.
PROPERTIES: dict[str, Property] = {
    "form": Property(lambda _, token: token.form, "the text of the token"),
    "word": Property(lambda _, token: token.form.lower(), "the form in lower case"),
    "lemma": Property(_lemma, "the lemma"),
    "upos": Property(
        lambda _, token: token.upos,
        "the universal part-of-speech tag; values must be among the 17 of Universal Dependencies",
    ),
    "xpos": Property(lambda _, token: token.xpos, "the language-specific tag"),
    "class": Property(
        lambda view, token: view.vocabulary.word_class(token),
        "the word class: from `classes`, otherwise `upos_classes`, otherwise UPOS; `hooks.py` may override it",
    ),
    "feats": Property(lambda _, token: token.feats, "all features as one string (`Case=Nom|Number=Sing`)"),
    "deprel": Property(
        EditContext.deprel,
        "the dependency relation, renamed by `deprels`; requires parsing",
    ),
    "inflection": Property(
        lambda view, _: view.inflection(),
        "the inflection in which the last tokens of the two sides differ, named by the key `inflection`; see "
        "[Inflection](#inflection)",
    ),
}


def feature_getter(name: str) -> Getter:
    """Return the property that is one feature; an empty string where a token lacks it."""
    return lambda _, token: features(token.feats).get(name, "")


Lists = Mapping[str, Sequence[str]]
Number = Callable[[float], bool]
Text = Callable[[str], bool]
NOTHING: Mapping[str, frozenset[str]] = MappingProxyType({})

#: Bounds on a number.
BOUNDS: dict[str, Callable[[float, float], bool]] = {
    "above": lambda x, bound: x > bound,
    "at_least": lambda x, bound: x >= bound,
    "below": lambda x, bound: x < bound,
    "at_most": lambda x, bound: x <= bound,
}


class Values:
    """Reads the values in the rules of one pack.

    Args:
        lists: Named word lists, written ``$name``.
        properties: The pack's own properties of tokens, which may take the place of built-in ones.
        closed: All values a property can have, for those of which that is known.
    """

    def __init__(
        self, lists: Lists, properties: Mapping[str, Getter], closed: Mapping[str, frozenset[str]] = NOTHING
    ) -> None:
        self.lists = lists
        self.properties = {name: built_in.get for name, built_in in PROPERTIES.items()} | dict(properties)
        if "class" in properties and "inflection" not in properties:  # which goes by the class
            get_class = properties["class"]
            self.properties["inflection"] = lambda view, _: view.inflection(get_class)
        self.closed = {"upos": UPOS} | dict(closed)
        # What rules compare in lower case: the property, the words of a side, the endings of both sides.
        self._in_lower_case = {"word", "text", "source", "target"} - set(properties)
        for name in properties:
            self.closed.pop(name, None)

    def getter(self, name: str) -> Getter:
        """Return the function that reads a property.

        Raises:
            PackError: There is no such property; names the nearest.
        """
        if name.startswith(FEATURE) and name not in self.properties:
            return feature_getter(name.removeprefix(FEATURE))
        if name not in self.properties:
            known = [*self.properties, FEATURE + "NAME"]
            raise PackError(
                f"unknown property {name!r}{nearest(name, known)}; expected one of {', '.join(known)}"
            )
        return self.properties[name]

    def asks_for_relation(self, name: str) -> bool:
        """Whether a property is the relation, which asks for a parse; a pack may have its own."""
        return self.properties.get(name) is EditContext.deprel

    def strings(self, value: object) -> Sequence[str]:
        """Return the strings of a string, a list or ``$list``."""
        if isinstance(value, int) and not isinstance(value, bool):
            return (str(value),)  # Person: 3
        if isinstance(value, str):
            if not value.startswith("$") or value == "$":
                return (value,)
            if value[1:] not in self.lists:
                raise PackError(f"unknown list {value!r}{nearest(value[1:], self.lists)}")
            value = self.lists[value[1:]]
        values = as_list("a list of names", value)
        if not all(isinstance(v, (str, int)) and not isinstance(v, bool) for v in values):
            raise PackError(f"found {value!r}, expected names (YAML does not read true, false, null and numbers "
                            "as text; put them in quotes)")  # fmt: skip
        return [str(v) for v in values]

    def strings_or_none(self, value: object) -> Sequence[str]:
        """Return the strings of a string, a list or ``$list``; a named list may be empty."""
        named = isinstance(value, str) and value.startswith("$")
        return [] if named and self.lists.get(str(value)[1:]) == [] else self.strings(value)

    def known(self, name: str, value: object) -> frozenset[str]:
        """Return values of a property, each of which it can have."""
        values = frozenset(self.strings(value))
        possible = self.closed.get(name)
        if possible is not None:
            for impossible in sorted(values - possible - {""}):
                raise PackError(
                    f"{name}: no token can have the value {impossible!r}{nearest(impossible, possible)}"
                )
        if name in self._in_lower_case and not any([value == value.lower() for value in values]):
            found = min(values)
            raise PackError(f"{name}: no token can have the value {found!r}; expected {found.lower()!r}")
        return values

    def text(self, name: str, value: object) -> Text:
        """Compile a test of a string: values it may have, or a mapping of operators that must all hold."""
        if not isinstance(value, Mapping):
            return self.known(name, value).__contains__
        operators: dict[str, Callable[[object], Text]] = {
            "not": lambda v: _outside(self.known(name, v)),
            "starts_with": lambda v: _starting(tuple(self.strings(v))),
            "ends_with": lambda v: _ending(tuple(self.strings(v))),
            "contains": lambda v: _containing(self.strings_or_none(v)),
            "matches": _matching,
        }
        tests = []
        for operator, operand in as_mapping(value, name).items():
            if operator not in operators:
                raise PackError(
                    f"{name}: unknown operator {operator!r}{nearest(operator, operators)}; "
                    f"expected one of {', '.join(operators)}"
                )
            tests.append(operators[operator](operand))
        if not tests:
            raise PackError(f"{name}: found {value!r}, expected one of {', '.join(operators)}")
        return tests[0] if len(tests) == 1 else lambda text: all([test(text) for test in tests])

    def feature_test(self, value: object) -> Text:
        """Compile a test of the field FEATS: a mapping from features to the values they may have."""
        tests = [(name, self.text(name, wanted)) for name, wanted in as_mapping(value, "feats").items()]
        if not tests:
            raise PackError("feats: found none, expected features and their values")

        def test(feats: str) -> bool:
            present = features(feats)
            for name, fits in tests:
                held = present.get(name, "")
                if not fits(held) and not ("," in held and any(map(fits, held.split(",")))):
                    return False
            return True

        return test

    def number(self, value: object) -> Number:
        """Compile a number or a list of numbers, which values equal to three digits, or bounds on exact values."""
        if is_number(value):
            return lambda x: round(x, 3) == value
        if isinstance(value, list) and value and all(is_number(v) for v in value):
            return lambda x: round(x, 3) in value
        bounds = as_mapping(value, "a number")
        unknown = set(bounds) - set(BOUNDS)
        if unknown or not bounds:
            raise PackError(f"found {value!r}, expected a number or bounds ({', '.join(BOUNDS)})")
        tests: list[tuple[Callable[[float, float], bool], float]] = []
        for name, bound in bounds.items():
            if not isinstance(bound, (int, float)) or isinstance(bound, bool):
                raise PackError(f"{name}: found {bound!r}, expected a number")
            tests.append((BOUNDS[name], bound))
        if len(tests) == 1:
            only, limit = tests[0]
            return lambda x: only(x, limit)
        return lambda x: all([test(x, bound) for test, bound in tests])

    def foldings(self, value: object) -> Sequence[str]:
        """Return names of foldings."""
        names = self.strings(value)
        for name in names:
            if name not in FOLDINGS:
                known = ", ".join(FOLDINGS)
                raise PackError(f"unknown folding {name!r}{nearest(name, FOLDINGS)}; expected one of {known}")
        return names


def _outside(unwanted: frozenset[str]) -> Text:
    return lambda text: text not in unwanted


def _starting(prefixes: tuple[str, ...]) -> Text:
    return lambda text: text.startswith(prefixes)


def _ending(suffixes: tuple[str, ...]) -> Text:
    return lambda text: text.endswith(suffixes)


def _containing(parts: Sequence[str]) -> Text:
    return lambda text: any([part in text for part in parts])


def _matching(value: object) -> Text:
    return compile_pattern(as_string("matches", value))


def is_number(value: object) -> bool:
    """Whether a value is a number; YAML's true and false are not numbers."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def as_mapping(value: object, where: str) -> Mapping[str, object]:
    """Return a mapping with names for keys, or raise a PackError."""
    if not isinstance(value, Mapping):
        raise PackError(f"{where}: found {value!r}, expected a mapping of names")
    for key in value:
        if not isinstance(key, str):
            raise PackError(f"{where}: found the key {key!r}, expected a name; put it in quotes")
    return value


def as_list(where: str, value: object) -> Iterable[object]:
    """Return a list that is not empty, or raise a PackError."""
    if not isinstance(value, list) or not value:
        raise PackError(f"{where}: found {value!r}, expected a list")
    return value


def as_string(where: str, value: object) -> str:
    """Return a string, or raise a PackError."""
    if not isinstance(value, str):
        raise PackError(f"{where}: found {value!r}, expected a name")
    return value


def as_boolean(where: str, value: object) -> bool:
    """Return true or false, or raise a PackError."""
    if not isinstance(value, bool):
        raise PackError(f"{where}: found {value!r}, expected true or false")
    return value


Side = Sequence[Token]
Condition = Callable[[EditContext], bool]
TokenTest = Callable[[EditContext, Token], bool]
SideTest = Callable[[EditContext, Side], bool]


class Entry(NamedTuple):
    """A key of the rule language: how it is compiled, how it looks and what it means."""

    compile: Callable[..., Callable[..., bool]]
    example: str
    doc: str


_Function = TypeVar("_Function", bound=Callable[..., Any])


class KeyTable(dict[str, Entry]):
    """Keys of the rule language by name: what compiles their values, with its docstring for what they mean."""

    def key(self, example: str) -> Callable[[_Function], _Function]:
        """Return a decorator that adds what compiles a key.

        Args:
            example: The key with a value.
        """

        def add(compile: _Function) -> _Function:
            return self._add(example, compile, compile)

        return add

    def truth(self, example: str) -> Callable[[_Function], _Function]:
        """Return a decorator that adds a key that is simply true or false of an edit or token."""

        def add(test: _Function) -> _Function:
            def compile(_: object, value: object) -> Callable[..., bool]:
                wanted = as_boolean(example.partition(":")[0], value)
                return test if wanted else lambda *seen: not test(*seen)

            return self._add(example, compile, test)

        return add

    def _add(self, example: str, compile: Callable[..., Any], documented: _Function) -> _Function:
        doc = " ".join((documented.__doc__ or "").split()).removesuffix(".")
        doc = doc if doc[:2].isupper() else doc[:1].lower() + doc[1:]
        self[example.partition(":")[0]] = Entry(compile, example, doc)
        return documented


class TokenCompiler(Protocol):
    """What compiles tests of tokens inside other tests."""

    values: Values

    def tokens(self, where: str, value: object) -> TokenTest:
        """Compile a mapping of tests of one token, all of which must pass."""
        ...

"""Tests of one side of an edit: of every token, the first or last, all together, and the tokens around it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter
from jperrant.edits.forms import is_mark, is_word, script_test
from jperrant.edits.syntax import SYNTAX_TESTS
from jperrant.edits.values import (
    KeyTable,
    Side,
    SideTest,
    TokenCompiler,
    TokenTest,
    Values,
    as_list,
    as_mapping,
    is_punctuation_mark,
)

#: The furthest distance that can be asked for.
_FURTHEST = 1000
#: Tests of a side as a whole, and of a token that are no properties.
SIDE_TESTS, TOKEN_TESTS = KeyTable(), KeyTable()


@SIDE_TESTS.key("before: {word: to, within: 3}")
def _before(compiler: TokenCompiler, value: object) -> SideTest:
    """The token before the side passes; with `within: N`, one of the N tokens before it."""
    return _around(compiler, "before", value, -1)


@SIDE_TESTS.key("after: {upos: NOUN}")
def _after(compiler: TokenCompiler, value: object) -> SideTest:
    """The same for the token after the side."""
    return _around(compiler, "after", value, 1)


@SIDE_TESTS.key("preceded: [{lemma: be}, {upos: ADV}]")
def _preceded(compiler: TokenCompiler, value: object) -> SideTest:
    """The tokens directly before the side pass these tests, one mapping per token, in text order."""
    return _row(compiler, "preceded", value, before=True)


@SIDE_TESTS.key("followed: [{upos: NOUN}]")
def _followed(compiler: TokenCompiler, value: object) -> SideTest:
    """The same for the tokens directly after it."""
    return _row(compiler, "followed", value, before=False)


def _row(compiler: TokenCompiler, key: str, value: object, before: bool) -> SideTest:
    """Compile tests of several tokens in a row, one for each token, in text order."""
    tests = [compiler.tokens(key, tests) for tests in as_list(key, value)]

    def row(view: EditContext, side: Side) -> bool:
        tokens, start = view.tokens_around(side), view.place(side)
        first = start - len(tests) if before else start + len(side)
        if first < 0 or first + len(tests) > len(tokens):
            return False
        return all([test(view, tokens[first + n]) for n, test in enumerate(tests)])

    return row


def _around(compiler: TokenCompiler, key: str, value: object, step: int) -> SideTest:
    """Compile tests of the tokens on one side of an edit; one of these tokens must pass."""
    keys = dict(as_mapping(value, key))
    distance = _distance(key, keys.pop("within", 1))
    test = compiler.tokens(key, keys)
    if distance == 1:
        return _next(test, step)

    def around(view: EditContext, side: Side) -> bool:
        start, tokens = view.place(side), view.tokens_around(side)
        first = start - 1 if step < 0 else start + len(side)
        places = range(first, first + step * distance, step)
        return any([test(view, tokens[n]) for n in places if 0 <= n < len(tokens)])

    return around


def _next(test: TokenTest, step: int) -> SideTest:
    def next_to(view: EditContext, side: Side) -> bool:
        token = view.neighbour(side, step)
        return token is not None and test(view, token)

    return next_to


def _distance(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _FURTHEST:
        raise PackError(f"{key}: within: found {value!r}, expected a number of tokens from 1 to {_FURTHEST}")
    return value


class SideCompiler:
    """Turns the tests of a side into one function; a side without tokens passes none.

    Args:
        values: Reads the values of the pack.
    """

    def __init__(self, values: Values) -> None:
        self.values = values

    def side(self, value: object) -> SideTest:
        """Compile the mapping of tests given for a side.

        Raises:
            PackError: A key or value is not of the language.
        """
        tests = [self._side_test(key, wanted) for key, wanted in as_mapping(value, "a side").items()]
        if len(tests) == 1:
            only = tests[0]
            return lambda view, side: bool(side) and only(view, side)

        def side(view: EditContext, side: Side) -> bool:
            if not side:
                return False
            for test in tests:  # noqa: SIM110 - a generator takes twice the time
                if not test(view, side):
                    return False
            return True

        return side

    def _side_test(self, key: str, value: object) -> SideTest:
        if key in SIDE_TESTS:
            return SIDE_TESTS[key].compile(self, value)
        if key in TOKEN_TESTS or isinstance(value, Mapping):
            test = _each(self.token(key, value))
        else:
            get, wanted = self.getter(key), self.values.known(key, value)

            def test(view: EditContext, side: Side) -> bool:
                return view.values(side, key, get) <= wanted

        if key in TOKEN_TESTS or not self.values.asks_for_relation(key):
            return test
        text = self.values.text(key, value)
        return lambda view, side: all([view.may_be(token, text) for token in side]) and test(view, side)

    def getter(self, key: str) -> Getter:
        """Return the property of a test.

        Raises:
            PackError: There is no such test or property; names the nearest.
        """
        try:
            return self.values.getter(key)
        except PackError:
            known = [*self.values.properties, "feats.NAME", *TOKEN_TESTS, *SIDE_TESTS]
            raise PackError(
                f"unknown test or property {key!r}{nearest(key, known)}; expected one of {', '.join(known)}"
            ) from None

    def token(self, key: str, value: object) -> TokenTest:
        """Compile one test of a token.

        Raises:
            PackError: There is no such test; names the nearest.
        """
        if key == "feats" and isinstance(value, Mapping):
            test = self.values.feature_test(value)
            return lambda _, token: test(token.feats)
        if key in TOKEN_TESTS:
            return TOKEN_TESTS[key].compile(self, value)
        get = self.getter(key)
        if isinstance(value, Mapping):
            text = self.values.text(key, value)
            return lambda view, token: text(get(view, token))
        wanted = self.values.known(key, value)
        if len(wanted) == 1:
            only = next(iter(wanted))
            return lambda view, token: get(view, token) == only
        return lambda view, token: get(view, token) in wanted

    def tokens(self, where: str, value: object) -> TokenTest:
        """Compile a mapping of tests of one token, all of which must pass."""
        tests = [self.token(key, wanted) for key, wanted in as_mapping(value, where).items()]
        if not tests:
            raise PackError(f"{where}: found no tests, expected tests of a token")
        return tests[0] if len(tests) == 1 else lambda view, token: all([t(view, token) for t in tests])


def _each(test: TokenTest) -> SideTest:
    """Compile a test that every token of a side must pass."""

    def each(view: EditContext, side: Side) -> bool:
        for token in side:  # noqa: SIM110 - a generator takes twice the time
            if not test(view, token):
                return False
        return True

    return each


@TOKEN_TESTS.key("length: 3")
def _length(compiler: SideCompiler, value: object) -> TokenTest:
    """The form has this many characters; see numbers."""
    number = compiler.values.number(value)
    return lambda _, token: number(len(token.form))


@TOKEN_TESTS.truth("alphabetic: true")
def _alphabetic(_: EditContext, token: Token) -> bool:
    """The form has only letters, including vowel signs."""
    return is_word(token.form)


@TOKEN_TESTS.truth("capital: true")
def _capital(_: EditContext, token: Token) -> bool:
    """The form begins with a capital letter."""
    return token.form[0].isupper()


@TOKEN_TESTS.truth("digits: true")
def _digits(_: EditContext, token: Token) -> bool:
    """The form contains a digit."""
    return any([c.isdigit() for c in token.form])


@TOKEN_TESTS.truth("marks: true")
def _marks(_: EditContext, token: Token) -> bool:
    """The form contains a combining mark after decomposition (NFD)."""
    return any([is_mark(c) for c in unicodedata.normalize("NFD", token.form)])


@TOKEN_TESTS.truth("known: false")
def _known(view: EditContext, token: Token) -> bool:
    """The form, unchanged or in lower case, is in the lexicon; always true if the pack has none."""
    return view.vocabulary.knows(token.form)


@TOKEN_TESTS.truth("punctuation: true")
def _punctuation(_: EditContext, token: Token) -> bool:
    """UPOS is PUNCT, or the form has only punctuation marks and UPOS is not SYM."""
    return is_punctuation_mark(token)


@TOKEN_TESTS.key("script: [Cyrillic, Greek]")
def _script(compiler: SideCompiler, value: object) -> TokenTest:
    """The form has letters, all in one of these scripts (Unicode names)."""
    tests = [script_test(name) for name in compiler.values.strings(value)]
    return lambda _, token: any([test(token.form) for test in tests])


TOKEN_TESTS.update(SYNTAX_TESTS)


@SIDE_TESTS.key("tokens: 1")
def _tokens(compiler: SideCompiler, value: object) -> SideTest:
    """The side has this many tokens; see numbers."""
    number = compiler.values.number(value)
    return lambda _, side: number(len(side))


@SIDE_TESTS.key("text: {matches: '.*ly'}")
def _text(compiler: SideCompiler, value: object) -> SideTest:
    """Its words in lower case, separated by spaces; see texts."""
    test = compiler.values.text("text", value)
    return lambda _, side: test(" ".join([token.form for token in side]).lower())


@SIDE_TESTS.key("first: {word: more}")
def _first(compiler: SideCompiler, value: object) -> SideTest:
    """The first token passes."""
    test = compiler.tokens("first", value)
    return lambda view, side: bool(side) and test(view, side[0])


@SIDE_TESTS.key("last: {upos: NOUN}")
def _last(compiler: SideCompiler, value: object) -> SideTest:
    """The last token passes."""
    test = compiler.tokens("last", value)
    return lambda view, side: bool(side) and test(view, side[-1])


@SIDE_TESTS.key("some: {upos: AUX}")
def _some(compiler: SideCompiler, value: object) -> SideTest:
    """At least one token passes."""
    test = compiler.tokens("some", value)
    return lambda view, side: any([test(view, token) for token in side])


@SIDE_TESTS.key("sequence: {class: [NOUN, PART]}")
def _sequence(compiler: SideCompiler, value: object) -> SideTest:
    """The values are exactly this sequence."""
    values, wanted = compiler.values, []
    for name, row in as_mapping(value, "sequence").items():
        values.known(name, row)
        wanted.append((values.getter(name), list(values.strings(row))))
    return lambda view, side: all([[get(view, t) for t in side] == row for get, row in wanted])

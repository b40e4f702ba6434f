"""Tests of one side of an edit: of every token, the first or last, all together, and the tokens around it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Getter
from jperrant.edits.forms import is_mark, is_word, script_test
from jperrant.edits.syntax import SYNTAX_TESTS, Tree
from jperrant.edits.values import (
    Entry,
    Side,
    SideTest,
    TokenCompiler,
    TokenTest,
    Values,
    as_boolean,
    as_list,
    as_mapping,
    is_punctuation_mark,
)

#: What a neighbour may have to share with the side.
_UNITS = ("clause", "constituent")
#: The furthest distance that can be asked for.
_FURTHEST = 1000


def _before(compiler: TokenCompiler, value: object) -> SideTest:
    return _around(compiler, "before", value, -1)


def _after(compiler: TokenCompiler, value: object) -> SideTest:
    return _around(compiler, "after", value, 1)


def _preceded(compiler: TokenCompiler, value: object) -> SideTest:
    return _row(compiler, "preceded", value, before=True)


def _followed(compiler: TokenCompiler, value: object) -> SideTest:
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
    inside = _unit(key, keys.pop("inside", None))
    distance = _distance(key, keys.pop("within", _FURTHEST if inside else 1))
    test = compiler.tokens(key, keys)
    if distance == 1 and not inside:
        return _next(test, step)

    def around(view: EditContext, side: Side) -> bool:
        start, tokens = view.place(side), view.tokens_around(side)
        first = start - 1 if step < 0 else start + len(side)
        places = range(first, first + step * distance, step)
        allowed = _members(tokens, side, start, step, inside)
        return any([
            test(view, tokens[n])
            for n in places
            if 0 <= n < len(tokens) and (allowed is None or n in allowed)
        ])  # fmt: skip

    return around


def _next(test: TokenTest, step: int) -> SideTest:
    def next_to(view: EditContext, side: Side) -> bool:
        token = view.neighbour(side, step)
        return token is not None and test(view, token)

    return next_to


def _members(
    tokens: Sequence[Token], side: Side, start: int, step: int, inside: str
) -> frozenset[int] | None:
    """Return the places that share the clause or constituent of the side's nearest token; None for all."""
    if not inside:
        return None
    if not side:
        return frozenset()
    tree = Tree(tokens)
    if not tree.known:
        return frozenset()
    place = start if step < 0 else start + len(side) - 1
    return tree.constituent(place) if inside == "constituent" else frozenset(tree.clause_tokens(place))


def _unit(key: str, value: object) -> str:
    if value is not None and value not in _UNITS:
        raise PackError(
            f"{key}: inside: found {value!r}, expected {' or '.join(_UNITS)}{nearest(str(value), _UNITS)}"
        )
    return str(value or "")


def _distance(key: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _FURTHEST:
        raise PackError(f"{key}: within: found {value!r}, expected a number of tokens from 1 to {_FURTHEST}")
    return value


#: Tests of what stands around a side.
NEIGHBOUR_TESTS: dict[str, Entry] = {
    "before": Entry(
        _before,
        "before: {word: to, within: 3}",
        "the token before the side passes; with `within: N`, one of the N tokens before it; with `inside: "
        "clause` or `inside: constituent`, one in the same clause or constituent (requires parsing)",
    ),
    "preceded": Entry(
        _preceded,
        "preceded: [{lemma: be}, {upos: ADV}]",
        "the tokens directly before the side pass these tests, one mapping per token, in text order",
    ),
    "followed": Entry(_followed, "followed: [{upos: NOUN}]", "the same for the tokens directly after it"),
    "after": Entry(_after, "after: {upos: NOUN}", "the same for the token after the side"),
}


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


def _length(compiler: SideCompiler, value: object) -> TokenTest:
    number = compiler.values.number(value)
    return lambda _, token: number(len(token.form))


def _truth(name: str, test: TokenTest) -> Callable[[SideCompiler, object], TokenTest]:
    """Return what compiles a test that is simply true or false of a token."""

    def compile(_: SideCompiler, value: object) -> TokenTest:
        wanted = as_boolean(name, value)
        return lambda view, token: test(view, token) is wanted

    return compile


def _has_mark(form: str) -> bool:
    return any([is_mark(c) for c in unicodedata.normalize("NFD", form)])


def _script(compiler: SideCompiler, value: object) -> TokenTest:
    tests = [script_test(name) for name in compiler.values.strings(value)]
    return lambda _, token: any([test(token.form) for test in tests])


#: Tests of a token that are not properties.
TOKEN_TESTS: dict[str, Entry] = {
    "length": Entry(_length, "length: 3", "the form has this many characters; see numbers"),
    "alphabetic": Entry(
        _truth("alphabetic", lambda _, token: is_word(token.form)),
        "alphabetic: true",
        "the form has only letters, including vowel signs",
    ),
    "capital": Entry(
        _truth("capital", lambda _, token: token.form[0].isupper()),
        "capital: true",
        "the form begins with a capital letter",
    ),
    "digits": Entry(
        _truth("digits", lambda _, token: any([c.isdigit() for c in token.form])),
        "digits: true",
        "the form contains a digit",
    ),
    "marks": Entry(
        _truth("marks", lambda _, token: _has_mark(token.form)),
        "marks: true",
        "the form contains a combining mark after decomposition (NFD)",
    ),
    "script": Entry(
        _script,
        "script: [Cyrillic, Greek]",
        "the form has letters, all in one of these scripts (Unicode names)",
    ),
    "known": Entry(
        _truth("known", lambda view, token: view.vocabulary.knows(token.form)),
        "known: false",
        "the form, unchanged or in lower case, is in the lexicon; always true if the pack has none",
    ),
    "punctuation": Entry(
        _truth("punctuation", lambda _, token: is_punctuation_mark(token)),
        "punctuation: true",
        "UPOS is PUNCT, or the form has only punctuation marks and UPOS is not SYM",
    ),
    **SYNTAX_TESTS,
}


def _tokens(compiler: SideCompiler, value: object) -> SideTest:
    number = compiler.values.number(value)
    return lambda _, side: number(len(side))


def _characters(compiler: SideCompiler, value: object) -> SideTest:
    number = compiler.values.number(value)
    return lambda _, side: number(sum([len(token.form) for token in side]))


def _text(compiler: SideCompiler, value: object) -> SideTest:
    test = compiler.values.text("text", value)
    return lambda _, side: test(" ".join([token.form for token in side]).lower())


def _first(compiler: SideCompiler, value: object) -> SideTest:
    test = compiler.tokens("first", value)
    return lambda view, side: bool(side) and test(view, side[0])


def _last(compiler: SideCompiler, value: object) -> SideTest:
    test = compiler.tokens("last", value)
    return lambda view, side: bool(side) and test(view, side[-1])


def _some(compiler: SideCompiler, value: object) -> SideTest:
    test = compiler.tokens("some", value)
    return lambda view, side: any([test(view, token) for token in side])


def _sequence(compiler: SideCompiler, value: object) -> SideTest:
    values, wanted = compiler.values, []
    for name, row in as_mapping(value, "sequence").items():
        values.known(name, row)
        wanted.append((values.getter(name), list(values.strings(row))))
    return lambda view, side: all([[get(view, t) for t in side] == row for get, row in wanted])


#: Tests of a side as a whole.
SIDE_TESTS: dict[str, Entry] = {
    "tokens": Entry(_tokens, "tokens: 1", "the side has this many tokens; see numbers"),
    "characters": Entry(
        _characters, "characters: {at_most: 4}", "its tokens have this many characters in total"
    ),
    "text": Entry(
        _text, "text: {matches: '.*ly'}", "its words in lower case, separated by spaces; see texts"
    ),
    "first": Entry(_first, "first: {word: more}", "the first token passes"),
    "last": Entry(_last, "last: {upos: NOUN}", "the last token passes"),
    "some": Entry(_some, "some: {upos: AUX}", "at least one token passes"),
    "sequence": Entry(_sequence, "sequence: {class: [NOUN, PART]}", "the values are exactly this sequence"),
    **NEIGHBOUR_TESTS,
}

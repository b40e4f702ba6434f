"""Tests of the tokens before and after a side: the next one, or any within a distance or constituent."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.core.errors import PackError, nearest
from jperrant.core.values import Token
from jperrant.edits.clauses import Tree
from jperrant.edits.edit_context import EditContext
from jperrant.edits.entries import Entry, Side, SideTest, TokenCompiler, TokenTest
from jperrant.edits.values import as_list, as_mapping

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
    """Compile tests of the tokens on one side of an edit, of which one must pass."""
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

"""The conditions of the rule language: tests of an edit, of its two sides, and of their tokens.

Conditions are checked when the pack is read, so a misspelt key or value is an error that names it, never a rule
that silently does not fire. The tables of conditions in docs/packs.md are written from the docstrings here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TypeAlias

from rapidfuzz.distance import Prefix

from jperrant.core.values import Token
from jperrant.edits.edit_context import EditContext, Property, Side
from jperrant.edits.forms import Fold, is_word
from jperrant.edits.rule_parts import (
    PROPERTIES,
    Condition,
    KeyTable,
    Number,
    SideTest,
    Text,
    TokenTest,
    is_punctuation_mark,
)
from jperrant.edits.syntax import SYNTAX_TESTS

Names = Sequence[str]
Operations = frozenset[str]
Properties = Sequence[Property]
PropertyValues = Sequence[tuple[Property, frozenset[str]]]
Sequences = Sequence[tuple[Property, Sequence[str]]]
Changes = Sequence[tuple[Property, Text, Text]]
FeatureTest = Callable[[frozenset[str]], bool]
Pairs = frozenset[tuple[str, str]]
Scripts = Sequence[Text]
Hook: TypeAlias = Condition
BothSides: TypeAlias = Condition

#: The longest stem that ``endings`` tries, in letters; it bounds the time for very long words.
_LONGEST_STEM = 100
#: The largest number of words whose order ``moved`` compares.
_MOST_MOVED = 20
#: Conditions on an edit, tests of a side as a whole, and tests of a token besides its properties.
CONDITIONS, SIDE_TESTS, TOKEN_TESTS = KeyTable(), KeyTable(), KeyTable()


# Conditions on the whole edit


@CONDITIONS.key("operation: [M, U]")
def _operation(wanted: Operations, view: EditContext) -> bool:
    """The edit is one of these: M has no source tokens, U has no target tokens, R has both."""
    return view.operation in wanted


@CONDITIONS.key("one_to_one: true")
def _one_to_one(view: EditContext) -> bool:
    """One token replaces one token."""
    return view.one_to_one


@CONDITIONS.key("same_count: true")
def _same_count(view: EditContext) -> bool:
    """Both sides have the same number of tokens."""
    return len(view.source) == len(view.target)


@CONDITIONS.key("same_text: true")
def _same_text(view: EditContext) -> bool:
    """Both sides have the same words."""
    source, target = view.words()
    return source == target


@CONDITIONS.key("same_letters: true")
def _same_letters(view: EditContext) -> bool:
    """Short for `same_after: [case, spaces]`."""
    return view.source.joined().lower() == view.target.joined().lower()


@CONDITIONS.key("same_length: true")
def _same_length(view: EditContext) -> bool:
    """Both sides have the same number of characters."""
    return len(view.source.joined()) == len(view.target.joined())


@CONDITIONS.key("prefix: true")
def _prefix(view: EditContext) -> bool:
    """One side begins with the other."""
    source, target = view.source.joined(), view.target.joined()
    return source.startswith(target) or target.startswith(source)


@CONDITIONS.key("same_words: true", true="case")
def _same_words(fold: Fold, view: EditContext) -> bool:
    """Both sides have the same words in any order, ignoring case.

    A list of foldings instead of `true` sets what is ignored.
    """
    sides = view.source, view.target
    source, target = [sorted([fold(token.form) for token in side]) for side in sides]
    return source == target


@CONDITIONS.key("moved: {at_least: 0.5}")
def _moved(number: Number, view: EditContext) -> bool:
    """Both sides have the same words (at most 20) in another order; similar words count as the same.

    The numbers bound the similarity of the two words of each pair, as in `similarity`.
    """
    source, target = _lower_cased(view)
    if not 1 < len(source) == len(target) <= _MOST_MOVED:
        return False
    alike = [[view.vocabulary.similarity(word, other) for other in target] for word in source]
    order: dict[int, int] = {}
    for i, j in sorted(product(range(len(source)), repeat=2), key=lambda pair: -alike[pair[0]][pair[1]]):
        if i not in order and j not in order.values():
            order[i] = j
    return any(i != j for i, j in order.items()) and all(number(alike[i][j]) for i, j in order.items())


@CONDITIONS.key("same_after: [case, diacritics]")
def _same_after(fold: Fold, view: EditContext) -> bool:
    """Both sides are the same text if these differences are ignored; see foldings."""
    return fold(view.source.joined(" ")) == fold(view.target.joined(" "))


@CONDITIONS.key("same: [lemma, class]")
def _same(properties: Properties, view: EditContext) -> bool:
    """These properties are equal token by token, and no token lacks one.

    See [Empty is not equal](#empty-is-not-equal).
    """
    source, target = view.source, view.target
    return len(source) == len(target) and view.share(properties, list(zip(source, target, strict=True)))


@CONDITIONS.key("same_first: lemma")
def _same_first(properties: Properties, view: EditContext) -> bool:
    """These properties of the first tokens are equal."""
    return _same_at(0, properties, view)


@CONDITIONS.key("same_last: word")
def _same_last(properties: Properties, view: EditContext) -> bool:
    """These properties of the last tokens are equal."""
    return _same_at(-1, properties, view)


def _same_at(place: int, properties: Properties, view: EditContext) -> bool:
    return view.operation == "R" and view.share(properties, [(view.source[place], view.target[place])])


@CONDITIONS.key("shared: class")
def _shared(of: Property, view: EditContext) -> bool:
    """All tokens of both sides have the same value of this property."""
    if of.is_relation and not view.may_share([*view.source, *view.target]):
        return False
    values = view.source.values(view, of) | view.target.values(view, of)
    return len(values) == 1 and "" not in values


@CONDITIONS.key("values: {class: [PART, VERB]}")
def _values(wanted: PropertyValues, view: EditContext) -> bool:
    """The two sides together have exactly these values."""
    for of, values in wanted:
        if of.is_relation and not view.may_be([*view.source, *view.target], values.__contains__):
            return False
        if view.source.values(view, of) | view.target.values(view, of) != values:
            return False
    return True


@CONDITIONS.key("pair: [[was, were]]")
def _pair(pairs: Pairs, view: EditContext) -> bool:
    """One word of such a pair replaces the other, in either direction, ignoring case.

    `pair: $name` reads a list of groups, such as `[to too, there their they're]`; any two words of a group are
    a pair.
    """
    return view.one_to_one and (view.source[0].form.lower(), view.target[0].form.lower()) in pairs


@CONDITIONS.key("similarity: {above: 0.5}", of=PROPERTIES["form"], after=str.lower)
def _similarity(number: Number, of: Property, after: Fold, view: EditContext) -> bool:
    """The similarity of the lower-cased texts, from 0 to 1, is within these bounds; see numbers.

    It is the normalised Levenshtein similarity, or `SIMILARITY` of `hooks.py`. `of: lemma` compares another
    property than the form; `after: [case, diacritics]` sets other foldings.
    """
    source, target = [after("".join([of.get(view, t) for t in side])) for side in (view.source, view.target)]
    if of.name != "form" and not (source and target):
        return False
    return number(view.vocabulary.similarity(source, target))


@CONDITIONS.key("feats_changed: {only: [Number, Case]}")
def _feats_changed(test: FeatureTest, view: EditContext) -> bool:
    """The features that differ, token by token, are `only`, `any`, `all` or `none` of these.

    A list means `only`; `true` means that some feature differs, `false` that none does.
    """
    return test(view.changed_features())


@CONDITIONS.key("change: {feats.Case: {from: Nom, to: [Acc, Dat]}}")
def _change(changes: Changes, view: EditContext) -> bool:
    """These properties of the last tokens change `from` these values `to` those.

    If `from` or `to` is left out, any non-empty value passes.
    """
    if view.operation != "R":
        return False
    for of, source, target in changes:
        old, new = of.get(view, view.source[-1]), of.get(view, view.target[-1])
        if old == new or not source(old) or not target(new):
            return False
    return True


@CONDITIONS.key("compound: {linking: [s, en]}", linking=...)
def _compound(linking: Names, view: EditContext) -> bool:
    """One side is a compound written as one word, the other the same compound in parts.

    At each joint, one of these linking elements may be added or removed.
    """
    short, long = sorted(_lower_cased(view), key=len)
    return bool(linking) and len(short) == 1 < len(long) and _made_of(short[0], long, ["", *linking])


def _lower_cased(view: EditContext) -> list[list[str]]:
    return [[token.form.lower() for token in side] for side in (view.source, view.target)]


def _made_of(word: str, parts: Sequence[str], elements: Sequence[str]) -> bool:
    """Whether parts make up a word, with or without a linking element at each joint."""
    ends = {0}
    for part in parts[:-1]:
        stems = {part.removesuffix(element) for element in elements} - {""}
        ends = {
            end + len(stem) + len(element)
            for end in ends
            for stem in stems
            for element in elements
            if word.startswith(stem + element, end)
        }
    return any([word[end:] == parts[-1] for end in ends])


@CONDITIONS.key("contraction: true")
def _contraction(view: EditContext) -> bool:
    """One side is a word under `contractions`, the other the words that it stands for.

    All of these but the first may be other words of the same class under `words`.
    """
    short, long = sorted(_lower_cased(view), key=len)
    return len(short) == 1 and view.vocabulary.closed.contracts(short[0], long)


@CONDITIONS.key(
    "endings: {source: '', target: {matches: 'n?[dt][ae]'}}", source=..., target=..., stem=2, swap=False
)
def _endings(source: Text, target: Text, stem: int, swap: bool, view: EditContext) -> bool:
    """One token replaces another that shares its beginning but has a different ending.

    The shared beginning has at least `stem` letters; `source` and `target` test the endings in lower case. With
    `swap: true` the endings may also be the other way round.
    """
    if not view.one_to_one:
        return False
    old, new = view.source[0].form.lower(), view.target[0].form.lower()
    for cut in range(stem, min(Prefix.similarity(old, new), _LONGEST_STEM) + 1):
        if source(old[cut:]) and target(new[cut:]):
            return True
        if swap and source(new[cut:]) and target(old[cut:]):
            return True
    return False


@CONDITIONS.key("hook: name")
def _hook(hook: Hook, view: EditContext) -> bool:
    """The function `CONDITIONS["name"]` of `hooks.py` returns true."""
    return hook(view)


@CONDITIONS.key("any: [{…}, {…}]")
def _any(conditions: Sequence[Condition], view: EditContext) -> bool:
    """The conditions of at least one of these mappings hold."""
    for condition in conditions:  # noqa: SIM110 - a generator takes twice the time
        if condition(view):
            return True
    return False


@CONDITIONS.key("not: {…}")
def _not(condition: Condition, view: EditContext) -> bool:
    """The conditions of this mapping do not all hold."""
    return not condition(view)


@CONDITIONS.key("source: {upos: NOUN}")
def _source(test: SideTest, view: EditContext) -> bool:
    """The source side passes these tests."""
    return test(view, view.source)


@CONDITIONS.key("target: {known: true}")
def _target(test: SideTest, view: EditContext) -> bool:
    """The target side passes these tests."""
    return test(view, view.target)


@CONDITIONS.key("both: {class: VERB}")
def _both(test: BothSides, view: EditContext) -> bool:
    """Every side that has tokens passes these tests."""
    return test(view)


@CONDITIONS.key("either: {xpos: VBG}")
def _either(test: SideTest, view: EditContext) -> bool:
    """The source or the target side passes these tests."""
    return test(view, view.source) or test(view, view.target)


# Tests of a side: the tokens around it, and all of its tokens together


@SIDE_TESTS.key("before: {word: to, within: 3}", within=1)
def _before(test: TokenTest, within: int, view: EditContext, side: Side) -> bool:
    """The token before the side passes; with `within: N`, one of the N tokens before it."""
    return any([test(view, token) for token in side.tokens[max(0, side.start - within) : side.start]])


@SIDE_TESTS.key("after: {upos: NOUN}", within=1)
def _after(test: TokenTest, within: int, view: EditContext, side: Side) -> bool:
    """The token after the side passes; with `within: N`, one of the N tokens after it."""
    return any([test(view, token) for token in side.tokens[side.end : side.end + within]])


@SIDE_TESTS.key("preceded: [{lemma: be}, {upos: ADV}]")
def _preceded(tests: Sequence[TokenTest], view: EditContext, side: Side) -> bool:
    """The tokens directly before the side pass these tests, one mapping per token, in text order."""
    return _pass_each(tests, view, side.tokens[max(0, side.start - len(tests)) : side.start])


@SIDE_TESTS.key("followed: [{upos: NOUN}]")
def _followed(tests: Sequence[TokenTest], view: EditContext, side: Side) -> bool:
    """The tokens directly after the side pass these tests, one mapping per token, in text order."""
    return _pass_each(tests, view, side.tokens[side.end : side.end + len(tests)])


def _pass_each(tests: Sequence[TokenTest], view: EditContext, tokens: Sequence[Token]) -> bool:
    pairs = zip(tests, tokens, strict=False)
    return len(tests) == len(tokens) and all([test(view, token) for test, token in pairs])


@SIDE_TESTS.key("tokens: 1")
def _tokens(number: Number, _: EditContext, side: Side) -> bool:
    """The side has this many tokens; see numbers."""
    return number(len(side))


@SIDE_TESTS.key("text: {matches: '.*ly'}")
def _text(text: Text, _: EditContext, side: Side) -> bool:
    """The words of the side in lower case, separated by spaces, pass this test; see texts."""
    return text(side.joined(" ").lower())


@SIDE_TESTS.key("first: {word: more}")
def _first(test: TokenTest, view: EditContext, side: Side) -> bool:
    """The first token passes."""
    return test(view, side[0])


@SIDE_TESTS.key("last: {upos: NOUN}")
def _last(test: TokenTest, view: EditContext, side: Side) -> bool:
    """The last token passes."""
    return test(view, side[-1])


@SIDE_TESTS.key("some: {upos: AUX}")
def _some(test: TokenTest, view: EditContext, side: Side) -> bool:
    """At least one token passes."""
    return any([test(view, token) for token in side])


@SIDE_TESTS.key("sequence: {class: [NOUN, PART]}")
def _sequence(sequences: Sequences, view: EditContext, side: Side) -> bool:
    """The values of each property, token by token, are exactly this sequence."""
    return all([[of.get(view, token) for token in side] == values for of, values in sequences])


# Tests of every token


@TOKEN_TESTS.key("length: 3")
def _length(number: Number, _: EditContext, token: Token) -> bool:
    """The form has this many characters; see numbers."""
    return number(len(token.form))


@TOKEN_TESTS.key("alphabetic: true")
def _alphabetic(_: EditContext, token: Token) -> bool:
    """The form has only letters, including vowel signs."""
    return is_word(token.form)


@TOKEN_TESTS.key("capital: true")
def _capital(_: EditContext, token: Token) -> bool:
    """The form begins with a capital letter."""
    return token.form[0].isupper()


@TOKEN_TESTS.key("digits: true")
def _digits(_: EditContext, token: Token) -> bool:
    """The form contains a digit."""
    return any([c.isdigit() for c in token.form])


@TOKEN_TESTS.key("known: false")
def _known(view: EditContext, token: Token) -> bool:
    """The form, unchanged or in lower case, is in the lexicon; always true if the pack has none."""
    return view.vocabulary.knows(token.form)


@TOKEN_TESTS.key("punctuation: true")
def _punctuation(_: EditContext, token: Token) -> bool:
    """UPOS is PUNCT, or the form has only punctuation marks and UPOS is not SYM."""
    return is_punctuation_mark(token)


@TOKEN_TESTS.key("script: [Cyrillic, Greek]")
def _script(scripts: Scripts, _: EditContext, token: Token) -> bool:
    """The form has letters, all in one of these scripts (Unicode names)."""
    return any([script(token.form) for script in scripts])


TOKEN_TESTS.update(SYNTAX_TESTS)

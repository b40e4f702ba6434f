"""Conditions say the same before a sentence is parsed and after it, alone and in a list of rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.compiler import Compiler
from jperrant.edits.conditions import CONDITIONS, SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.edit_context import EditContext, Inflection, NeedsParse, Vocabulary, unparsed
from jperrant.edits.forms import FOLDINGS
from jperrant.edits.rule_parts import PROPERTIES, Condition
from jperrant.edits.rules import RuleSet
from tests.strategies import examples

FORMS = ["the", "The", "a", "an", "cat", "cats", "goes", "go", ",", ".", "č", "c", "x-y", "xy", "3"]
UPOS = ["NOUN", "VERB", "AUX", "DET", "PUNCT", ""]
XPOS = ["NN", "NNS", "VBZ", ""]
FEATS = ["", "Number=Sing", "Number=Plur", "Case=Acc,Dat|Number=Sing", "Case=Nom"]
RELATIONS = ["aux", "nsubj", "det", "root"]
VOCABULARY = Vocabulary(
    classes={"NN": "NOUN", "NNS": "NOUN"},
    upos_classes={"AUX": "VERB"},
    deprels={"aux/VBZ": "auxpass", "nsubj": "subject"},
    lexicon=frozenset(["the", "cat", "go"]),
    inflection=Inflection({"Number": "NUM", "Case": "CASE"}, frozenset(["NOUN:NUM", "NOUN:CASE"])),
)
LISTS = {"words": ["the", "cat"]}
HOOKS: dict[str, Condition] = {"mine": lambda view: len(view.text) > len(view.target_text)}
COMPILER = Compiler(HOOKS, LISTS, {}, {"class": frozenset([*UPOS, *FORMS])})


def _some(values: list[str]) -> st.SearchStrategy[object]:
    """Return one of some names, or a list of them."""
    return st.sampled_from(values) | st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True)


NAMES = st.sampled_from([*PROPERTIES, "feats.Number", "feats.Case"])
MANY_NAMES = NAMES | st.lists(NAMES, min_size=1, max_size=3)
BOUND = st.integers(0, 4) | st.floats(0, 1).map(lambda x: round(x, 2))
BOUNDS = st.dictionaries(
    st.sampled_from(["above", "at_least", "below", "at_most"]), BOUND, min_size=1, max_size=2
)
NUMBER = BOUND | st.lists(BOUND, min_size=1, max_size=2) | BOUNDS
FOLDS = _some(list(FOLDINGS))
#: In lower case, as ``word`` and ``text`` are.
WORDS = [form for form in FORMS if form == form.lower()]
OPERATIONS = st.sampled_from(["not", "starts_with", "ends_with"])
PATTERNS = st.sampled_from(["[a-z]+", r".*\w", "(a|t).*"]).map(lambda pattern: {"matches": pattern})
TEXT = _some(WORDS) | st.just("$words") | st.dictionaries(OPERATIONS, _some(WORDS), min_size=1) | PATTERNS
DEPRELS = [*RELATIONS, "subject", "auxpass"]
#: Values of properties that are all of some closed set.
CLOSED = {"upos": UPOS[:-1], "inflection": ["NUM", "CASE", "FORM"], "deprel": DEPRELS}
PROPERTY_TESTS = {name: _some(CLOSED[name]) if name in CLOSED else TEXT for name in PROPERTIES}
PARTNERS = st.sampled_from(["head", "subject"]) | st.fixed_dictionaries({"dependent": _some(RELATIONS)})
FEATURES = _some(["Number", "Case"])
AGREEMENT = st.fixed_dictionaries({"with": PARTNERS, "in": FEATURES})
TOKEN_VALUES = {
    "length": NUMBER,
    **dict.fromkeys(("alphabetic", "capital", "digits", "known", "punctuation"), st.booleans()),
    "head": st.fixed_dictionaries({"upos": _some(UPOS[:-1])}),
    **dict.fromkeys(("agrees", "disagrees"), AGREEMENT),
    "constituent": NUMBER,
    "position": st.sampled_from([{"first": "clause"}, {"last": "clause"}, {"first": "sentence"}]),
    "script": _some(["Latin", "Greek"]),
    "dependent": st.fixed_dictionaries({"deprel": _some(RELATIONS)}),
}


def _mapping(values: dict[str, st.SearchStrategy[object]], least: int = 1) -> st.SearchStrategy[object]:
    """Return a mapping of one or two of some keys, with their values."""
    keys = st.lists(st.sampled_from(sorted(values)), min_size=least, max_size=2, unique=True)
    return keys.flatmap(lambda chosen: st.fixed_dictionaries({key: values[key] for key in chosen}))


TOKEN = _mapping(PROPERTY_TESTS | TOKEN_VALUES)
NEAR = st.sampled_from([{"within": 1}, {"within": 3}])
SIDE_VALUES = {
    "tokens": NUMBER,
    "text": TEXT,
    **dict.fromkeys(("first", "last", "some"), TOKEN),
    "sequence": st.fixed_dictionaries({"upos": st.lists(st.sampled_from(UPOS[:-1]), min_size=1, max_size=2)}),
    **dict.fromkeys(("before", "after"), TOKEN | st.builds(lambda tests, more: tests | more, TOKEN, NEAR)),
}
SIDE_VALUES |= dict.fromkeys(("preceded", "followed"), st.lists(TOKEN, min_size=1, max_size=2))
SIDE = _mapping(PROPERTY_TESTS | TOKEN_VALUES | SIDE_VALUES)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "operation": _some(["M", "U", "R"]),
    **dict.fromkeys(("one_to_one", "same_count", "same_length", "same_text", "same_letters"), st.booleans()),
    **dict.fromkeys(("contraction", "prefix"), st.booleans()),
    "same_after": FOLDS,
    "same_words": st.booleans() | FOLDS,
    "moved": NUMBER,
    **dict.fromkeys(("same", "same_first", "same_last"), MANY_NAMES),
    "shared": NAMES,
    "values": _mapping({"upos": _some(UPOS[:-1]), "word": _some(WORDS), "xpos": _some(XPOS)}),
    "pair": st.lists(st.lists(st.sampled_from(FORMS), min_size=2, max_size=2), min_size=1, max_size=2),
    "similarity": NUMBER | st.fixed_dictionaries({"of": NAMES, "after": FOLDS, "above": BOUND}),
    "feats_changed": st.booleans() | FEATURES | _mapping(dict.fromkeys(("only", "any", "all", "none"), FEATURES)),
    **dict.fromkeys(("source", "target", "both", "either"), SIDE),
    "change": _mapping(dict.fromkeys(("xpos", "word", "feats.Number"), _mapping({"from": TEXT, "to": TEXT}))),
    "endings": st.fixed_dictionaries(
        {"source": TEXT, "target": TEXT, "stem": st.integers(1, 3), "swap": st.booleans()}),
    "compound": st.fixed_dictionaries({"linking": _some(["s", "e"])}),
    "hook": st.just("mine"),
}  # fmt: skip
WHEN = _mapping(VALUES, least=0)
VALUES = VALUES | {"any": st.lists(WHEN, min_size=1, max_size=3), "not": WHEN}

Drawn = tuple[Sentence, Sentence, Span]


def _sentence(draw: random.Random) -> Sentence:
    tokens = []
    for _ in range(draw.randint(1, 4)):
        form, relation, upos, xpos, feats = map(draw.choice, (FORMS, RELATIONS, UPOS, XPOS, FEATS))
        lemma = draw.choice([form.lower(), "go"])
        tokens.append(Token(form, lemma, upos, xpos, feats, draw.randint(0, 1), relation))
    return Sentence(tuple(tokens), " ".join([token.form for token in tokens]))


def _edit(draw: random.Random) -> Drawn:
    """Return an edit of two sentences."""
    source = _sentence(draw)
    target = source if draw.random() < 0.2 else _sentence(draw)
    bounds = [sorted(draw.choices(range(len(s.tokens) + 1), k=2)) for s in (source, target)]
    if all(start == end for start, end in bounds):
        bounds[0] = [0, 1]
    return source, target, Span(*bounds[0], *bounds[1])


_DRAW = random.Random(11)
#: Edits that each condition is tried on, whatever its value; every kind of them is there many times.
EDITS = [_edit(_DRAW) for _ in range(250)]


def _context(edit: Drawn, shorter: bool = False, parsed: bool = True) -> EditContext:
    """Return an edit as rules see it; where it is not parsed, a parse can give any relation."""
    *sides, span = edit
    if not parsed:
        bare = [tuple([t._replace(head=None, deprel="") for t in side.tokens]) for side in sides]
        sides = [unparsed(Sentence(tokens, side.text)) for tokens, side in zip(bare, sides, strict=True)]
    context = EditContext(*sides, span, VOCABULARY)
    if shorter and len(context.source) > 1 and len(context.target) > 1:
        context.drop_last()
    return context


def _result(form: object, context: EditContext) -> object:
    try:
        return form(context)  # type: ignore[operator]
    except NeedsParse:
        return NeedsParse


def test_every_condition_and_test_is_tried():
    assert VALUES.keys() == CONDITIONS.keys()
    assert TOKEN_VALUES.keys() == TOKEN_TESTS.keys()
    assert SIDE_VALUES.keys() == SIDE_TESTS.keys()
    assert PROPERTY_TESTS.keys() == PROPERTIES.keys()


@pytest.mark.parametrize("condition", sorted(VALUES))
def test_a_condition_says_nothing_before_a_parse_that_a_parse_denies(condition):
    @examples(100)
    @given(VALUES[condition], st.booleans())
    def check(value: object, shorter: bool) -> None:
        holds = COMPILER.conditions({condition: value})
        for edit in EDITS:
            before = _result(holds, _context(edit, shorter, parsed=False))
            assert before in (holds(_context(edit, shorter)), NeedsParse), edit

    check()


@examples(100)
@given(st.lists(WHEN, min_size=2, max_size=6), st.booleans())
def test_a_list_of_rules_fires_as_its_conditions_say_one_by_one(whens, parsed):
    rules = []
    for number, when in enumerate(whens):
        nested = {"when": when, "type": f"T{number}"}
        rules.append({"rules": [nested]} if number % 2 else nested)
    labels = [f"T{n}" for n in range(len(whens) + 1)]
    rule_set = RuleSet([*rules, {"type": labels[-1]}], labels, COMPILER, {}, "", [])
    conditions = [*map(COMPILER.conditions, whens), lambda _: True]

    def one_by_one(context: EditContext) -> str:
        number = next(n for n, holds in enumerate(conditions) if holds(context))
        return f"{context.operation}:T{number}"

    for edit in EDITS:
        found = _result(one_by_one, _context(edit, parsed=parsed))
        assert _result(rule_set.classify, _context(edit, parsed=parsed)) == found

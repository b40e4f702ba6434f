"""The rule language: what fires, what is refused, what each condition says; and rules that cannot fire."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import InputError, PackError
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.compiler import Compiler
from jperrant.edits.conditions import CONDITIONS, SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.edit_context import EditContext, NeedsParse, Vocabulary, unparsed
from jperrant.edits.forms import FOLDINGS, folding
from jperrant.edits.rule_parts import PROPERTIES
from jperrant.edits.rules import RuleSet, Step
from tests.strategies import examples

LABELS = ["NOUN", "NOUN:NUM", "OTHER", "VERB"]
LISTS = {"open": ["NOUN", "VERB"], "bad": "NOUN", "empty": [], "sounds": ["their there They're", "to too"]}
VOCABULARY = Vocabulary(lexicon=frozenset({"cat", "the"}))
CASES = yaml.safe_load(Path(__file__).with_name("conditions.yaml").read_text("utf-8"))
#: Yesterday (1) bought (2) the (3) boys (4), who (6) sleeps (7), a (9) car (10); the fifth and eighth are commas.
CLAUSES = (
    "igår/ADV/igår//advmod/2 köpte/VERB/köpa/Number=Plur/root/0 de/DET/den/Number=Plur/det/4 "
    "pojken/NOUN/pojke/Number=Sing|Gender=Com/nsubj/2 ,/PUNCT/,//punct/7 som/PRON/som//nsubj/7 "
    "sover/VERB/sova/Number=Sing/acl:relcl/4 ,/PUNCT/,//punct/7 en/DET/en/Number=Sing/det/10 "
    "bil/NOUN/bil/Number=Sing/obj/2 i/ADP/i//case/12 stan/NOUN/stad//obl/2"
)


def cases(*sections: str) -> list[tuple[Any, ...]]:
    """Return the cases of some sections of conditions.yaml."""
    return [tuple(case.values()) for section in sections for case in CASES[section]]


def sentence(text: str, upos: str = "") -> Sentence:
    """Make a sentence of ``form/UPOS/lemma/FEATS/deprel/head`` tokens, or of words of one class."""
    tokens = []
    for part in text.split():
        analysis = part if not upos else f"{part}/{upos}/{part.lower()}"
        form, tag, lemma, feats, deprel, head = (analysis.split("/") + [""] * 6)[:6]
        tokens.append(Token(form, lemma, tag, feats=feats, deprel=deprel, head=int(head) if head else None))
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def view(
    source: str, target: str, span: Span | None = None, parsable: bool = False, upos: str = ""
) -> EditContext:
    left, right = sentence(source, upos), sentence(target, upos)
    if parsable:
        left, right = unparsed(left), unparsed(right)
    return EditContext(left, right, span or Span(0, len(left.tokens), 0, len(right.tokens)), VOCABULARY)


def rule_set(*rules: object, tables=None, hooks=None) -> RuleSet:
    return RuleSet(list(rules), LABELS, Compiler(hooks or {}, LISTS), tables or {})


def holds(when: dict, edit: EditContext) -> bool:
    """Whether conditions hold: as those of a rule, and alone."""
    rules = [{"type": "NOUN", "when": when}, *([{"type": "OTHER"}] if when else [])]
    found = rule_set(*rules).classify(edit).endswith("NOUN")
    assert Compiler({}, LISTS).conditions(when)(edit) == found
    return found


@pytest.mark.parametrize(
    ("when", "source", "target", "wanted", "upos"),
    [(*case, upos) for section, upos in (("nouns", "NOUN"), ("analysed", "")) for case in cases(section)],
)
def test_conditions(when, source, target, wanted, upos):
    assert holds(when, view(source, target, upos=upos)) is wanted


@pytest.mark.parametrize(("place", "tests", "wanted"), cases("clauses"))
def test_clauses_agreement_and_position(place, tests, wanted):
    span = Span(place, place + 1, place, place + 1)
    assert holds({"source": tests}, view(CLAUSES, CLAUSES, span)) is wanted
    if "within" not in str(tests) and "ADV" not in str(tests) and "sentence" not in str(tests):
        bare = " ".join(word.split("/")[0] for word in CLAUSES.split())
        assert not holds({"source": tests}, view(bare, bare, span))


@pytest.mark.parametrize("when", [case["when"] for case in CASES["no_values"]], ids=str)
@pytest.mark.parametrize("lemmas", [("", ""), ("_", "_"), ("", "a"), ("a", "")], ids=str)
def test_no_comparison_holds_where_a_side_has_none(when, lemmas):
    """In the one function, in the conditions one by one, and under ``not``."""
    edit = view(*[f"a//{lemma}" for lemma in lemmas])
    assert not holds(when, edit)
    assert holds({"not": when}, edit)
    steps: list[Step] = []
    rule_set({"type": "NOUN", "when": when}, {"type": "OTHER"}).classify(edit, steps)
    assert [step.fires for step in steps] == [False, True]


@pytest.mark.parametrize("mark", [".", "./PUNCT", "./X"])
def test_the_last_word_of_a_sentence_stands_before_its_punctuation(mark):
    """Also where there are no tags, as without models."""
    edit = view(f"Han kom ikke {mark}", f"Han kom aldrig {mark}", Span(2, 3, 2, 3))
    assert holds({"source": {"position": {"last": "sentence"}}}, edit)


def test_dependencies_are_asked_for_only_where_a_rule_needs_them():
    rules = rule_set(
        {"type": "NOUN", "when": {"pair": [["a", "b"]]}},
        {"type": "VERB", "when": {"both": {"deprel": "aux"}}},
        {"type": "OTHER"},
    )
    assert rules.classify(view("a", "b", parsable=True)) == "R:NOUN"
    with pytest.raises(NeedsParse):
        rules.classify(view("a", "c", parsable=True))
    assert rules.classify(view("a", "c")) == "R:OTHER"


# Rules and types


def test_rules_may_be_nested_as_deeply_as_a_file_can_hold():
    rule: dict = {"type": "NOUN"}
    for _ in range(100):  # reading refuses more than 200 lists and mappings in each other
        rule = {"rules": [rule]}
    assert rule_set(rule).classify(view("a", "b")) == "R:NOUN"


def test_drop_last_begins_again():
    rules = rule_set(
        {"type": "NOUN", "when": {"operation": "M"}},
        {"drop_last": True, "when": {"one_to_one": False, "same_last": "word"}},
        {"type": "OTHER"},
    )
    assert rules.classify(view("Doctor", "The doctor")) == "M:NOUN"
    assert rules.classify(view("a Doctor", "The doctor")) == "R:OTHER"
    with pytest.raises(InputError, match="drop_last: no token is left of 'a' → 'b'"):
        rule_set({"drop_last": True}).classify(view("a", "b"))


def test_labels_from_properties_and_tables():
    edit = view("a", "b", upos="NOUN")
    assert rule_set({"type": "{upos}:NUM"}).classify(edit) == "R:NOUN:NUM"
    assert rule_set({"type": "{names[upos]}"}, tables={"names": {"NOUN": "VERB"}}).classify(edit) == "R:VERB"
    assert rule_set({"type": "UNK"}).classify(edit) == "UNK"
    with pytest.raises(PackError, match="unknown label 'XYZ'"):
        rule_set({"type": "{upos}"}).classify(view("a", "b", upos="XYZ"))
    with pytest.raises(PackError, match="table 'names' has no entry for 'NOUN'"):
        rule_set({"type": "{names[upos]}"}, tables={"names": {}}).classify(edit)


# What is not of the language


@pytest.mark.parametrize(("rule", "problem"), cases("refused_rules"))
def test_rules_that_are_not_of_the_language(rule, problem):
    with pytest.raises(PackError, match=problem) as error:
        rule_set({"type": "OTHER", "when": {"operation": "M"}}, {"name": "outer", "rules": [rule]})
    assert str(error.value).startswith("rules[1] (outer)[0]")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(("when", "problem"), cases("refused_conditions"))
def test_conditions_that_are_not_of_the_language(when, problem):
    with pytest.raises(PackError, match=problem):
        rule_set({"type": "NOUN", "when": when})


def test_no_rule_fires():
    problem = "no rule fires for 'a' → 'b'; end the list with a rule without 'when'"
    with pytest.raises(PackError, match=problem):
        rule_set({"type": "NOUN", "when": {"operation": "M"}}).classify(view("a", "b"))


def test_every_key_has_an_example_that_compiles_and_a_meaning():
    tables = [(CONDITIONS, "{0}"), (TOKEN_TESTS, "both: {{{0}}}"), (SIDE_TESTS, "both: {{{0}}}")]
    for table, pattern in tables:
        for name, entry in table.items():
            example = entry.example.replace("{…}", "{operation: M}").replace("…", "operation: M")
            compiler = Compiler({"name": lambda view: True}, {})
            compiler.conditions(yaml.safe_load(pattern.format(example)))
            assert not compiler.problems
            assert example.startswith(f"{name}: ")
            assert entry.doc
    assert all(found.doc for found in PROPERTIES.values())


@given(
    st.text("aAnN'’İıKＡéÉ\u0301ﬁ㎏™ Łł", max_size=6),
    st.lists(st.sampled_from(sorted(FOLDINGS)), min_size=2, max_size=4, unique=True),
)
def test_the_order_of_foldings_is_of_no_account(text, names):
    assert folding(names)(text) == folding(names[::-1])(text)


# Rules that are found to be unreachable truly never fire, whatever the edit.

WORDS, CLASSES = st.sampled_from(["a", "b", "A", "ab"]), st.sampled_from(["NOUN", "VERB", "PUNCT"])
TOKENS = st.builds(Token, WORDS, lemma=WORDS, upos=CLASSES, feats=st.sampled_from(["", "X=1"]))
SIDES = st.lists(TOKENS, max_size=2)


def some(values: dict[str, list[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a mapping of some of the keys, each with one of its values."""
    return st.fixed_dictionaries({}, optional={key: st.sampled_from(own) for key, own in values.items()})


TESTS = some({
    "upos": ["NOUN", "VERB", ["NOUN", "VERB"], {"not": "NOUN"}], "word": ["a", ["a", "b"]],
    "tokens": [1, 2], "alphabetic": [True, False],
})  # fmt: skip
OF_BOTH = some({
    "operation": ["M", "U", "R", ["M", "U"], ["U", "R"]], "one_to_one": [True, False], "not": [{"operation": "M"}],
    "change": [{"upos": {"to": "NOUN"}}], "endings": [{"source": "", "target": "b", "stem": 1}],
    "same_last": ["word", ["word", "lemma"]], "same": ["upos", ["upos", "lemma"]], "shared": ["upos"],
})  # fmt: skip
OF_SIDES = st.fixed_dictionaries({}, optional=dict.fromkeys(("source", "target", "both", "either"), TESTS))
WHEN = st.builds(lambda both, sides: both | sides, OF_BOTH, OF_SIDES)
LEAF = st.fixed_dictionaries({"type": st.just("YES")}, optional={"when": WHEN})
NODE = st.fixed_dictionaries({"rules": st.lists(LEAF, min_size=1, max_size=3)}, optional={"when": WHEN})


@examples(300)
@given(st.lists(LEAF | NODE, min_size=1, max_size=6), st.lists(st.tuples(SIDES, SIDES), min_size=1))
def test_a_rule_that_is_said_never_to_fire_never_does(rules, edits):
    problems: list[str] = []
    rule_set = RuleSet([*rules, {"type": "YES"}], ["YES"], Compiler({}, {}), {}, "", problems)
    dead = {line.partition(":")[0] for line in problems if "can never fire" in line}
    assert len(dead) == len(problems)
    for source, target in edits:
        if source or target:
            steps: list[Step] = []
            span = Span(0, len(source), 0, len(target))
            sides = Sentence(tuple(source), ""), Sentence(tuple(target), "")
            rule_set.classify(EditContext(*sides, span, Vocabulary()), steps)
            assert dead.isdisjoint([step.where for step in steps if step.fires])

"""The rule language: what fires, and that what is not of the language is an error that names it."""

from __future__ import annotations

import pytest

from jperrant.core.errors import PackError
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.compiler import Compiler
from jperrant.edits.edit_context import EditContext, NeedsParse, Vocabulary, unparsed
from jperrant.edits.rules import RuleSet, Step

LABELS = ["NOUN", "NOUN:NUM", "OTHER", "VERB"]
LISTS = {"open": ["NOUN", "VERB"], "bad": "NOUN", "empty": [], "sounds": ["their there They're", "to too"]}


def rule_set(rules: object, tables=None, hooks=None) -> RuleSet:
    return RuleSet(rules, LABELS, Compiler(hooks or {}, LISTS), tables or {})


def view(source: str, target: str, upos: str = "NOUN", parsable: bool = False) -> EditContext:
    def side(text: str) -> Sentence:
        return Sentence(tuple(Token(f, f.lower(), upos) for f in text.split()), text)

    left, right = side(source), side(target)
    if parsable:
        left, right = unparsed(left), unparsed(right)
    span = Span(0, len(left.tokens), 0, len(right.tokens))
    return EditContext(left, right, span, Vocabulary(lexicon=frozenset({"cat", "the"})))


@pytest.mark.parametrize(
    ("when", "source", "target", "fires"),
    [
        ({}, "a", "b", True),
        ({"operation": "M"}, "", "b", True),
        ({"operation": ["M", "U"]}, "a", "b", False),
        ({"one_to_one": True}, "a", "b c", False),
        ({"one_to_one": False}, "a", "b c", True),
        ({"same_text": True}, "a b", "a b", True),
        ({"same_letters": True}, "any way", "Anyway", True),
        ({"same_words": True}, "a b", "B a", True),
        ({"same_words": True}, "a b", "b a a", False),
        ({"prefix": True}, "cat", "cats", True),
        ({"prefix": True}, "Cat", "cats", False),
        ({"similarity": {"above": 0.5}}, "abcd", "abcx", True),
        ({"similarity": 0.75}, "abcd", "abcx", True),
        ({"similarity": [0.1, 0.75]}, "abcd", "abcx", True),
        ({"similarity": {"at_least": 0.75, "below": 0.8}}, "abcd", "abcx", True),
        ({"similarity": {"at_most": 0.7}}, "abcd", "abcx", False),
        ({"similarity": 0.667}, "abc", "abx", True),
        ({"similarity": {"at_least": 0.667}}, "abc", "abx", False),
        ({"similarity": {"below": 0.667}}, "abc", "abx", True),
        ({"source": {"word": "the"}}, "The", "a", True),
        ({"source": {"form": "the"}}, "The", "a", False),
        ({"target": {"upos": "$open"}}, "a", "b", True),
        ({"both": {"upos": {"not": "$open"}}}, "a", "b", False),
        ({"both": {"word": {"starts_with": "c"}}}, "cat", "Cats", True),
        ({"both": {"tokens": 1}}, "", "b", True),
        ({"either": {"tokens": {"above": 1}}}, "a", "b c", True),
        ({"either": {"tokens": 0}}, "", "b", False),
        ({"source": {"known": True}}, "Cat", "b", True),
        ({"source": {"known": False, "alphabetic": True}}, "teh", "the", True),
        ({"source": {"alphabetic": True}}, "co-op", "the", False),
        ({"source": {"length": {"at_most": 3}}}, "cat", "b", True),
        ({"same": "lemma"}, "Cat", "cat", True),
        ({"same": ["lemma", "form"]}, "Cat", "cat", False),
        ({"same": "upos"}, "a", "b c", False),
        ({"same_first": "word"}, "The cat", "the", True),
        ({"same_last": "word"}, "cat", "The cat", True),
        ({"same_last": "word"}, "", "cat", False),
        ({"shared": "upos"}, "a", "b c", True),
        ({"shared": "word"}, "a", "b", False),
        ({"values": {"upos": ["NOUN"]}}, "a", "b c", True),
        ({"values": {"upos": ["NOUN", "VERB"]}}, "a", "b c", False),
        ({"pair": [["was", "were"]]}, "Were", "was", True),
        ({"pair": [["was", "were"]]}, "was", "was", False),
        ({"pair": [["Stadt", "Staat"]]}, "Staat", "Stadt", True),
        ({"pair": "$sounds"}, "there", "they're", True),
        ({"pair": "$sounds"}, "their", "too", False),
        ({"pair": "$empty"}, "to", "too", False),
        ({"either": {"sequence": {"upos": ["NOUN", "NOUN"]}}}, "a", "b c", True),
        ({"either": {"first": {"word": "more"}}}, "More big", "bigger", True),
        ({"either": {"last": {"word": "more"}}}, "more big", "bigger", False),
        ({"any": [{"operation": "M"}, {"operation": "R"}]}, "a", "b", True),
        ({"not": {"operation": "R"}}, "a", "b", False),
    ],
)
def test_conditions(when, source, target, fires):
    rules = rule_set([{"type": "NOUN", "when": when}, *([{"type": "OTHER"}] if when else [])])
    assert rules.classify(view(source, target)).split(":", 1)[1] == ("NOUN" if fires else "OTHER")


NONE = [
    {"same": "lemma"},
    {"same": ["form", "lemma"]},
    {"same": "feats.Case"},
    {"same_first": "lemma"},
    {"same_last": "upos"},
    {"shared": "upos"},
    {"change": {"lemma": {"to": "a"}}},
    {"similarity": {"of": "lemma", "at_least": 0}},
    {"similarity": {"of": "lemma", "at_most": 1}},
]


@pytest.mark.parametrize("when", NONE, ids=str)
@pytest.mark.parametrize("lemmas", [("", ""), ("_", "_"), ("", "a"), ("a", "")], ids=str)
def test_no_comparison_holds_where_a_side_has_none(when, lemmas):
    """In the one function, in the conditions one by one, and under ``not``."""
    left, right = (Sentence((Token("a", lemma),), "a") for lemma in lemmas)
    edit = EditContext(left, right, Span(0, 1, 0, 1), Vocabulary())
    fires, inverse = ([{"type": "NOUN", "when": w}, {"type": "OTHER"}] for w in (when, {"not": when}))
    assert rule_set(fires).classify(edit) == "R:OTHER"
    assert rule_set(inverse).classify(edit) == "R:NOUN"
    steps: list[Step] = []
    rule_set(fires).classify(edit, steps)
    assert [step.fires for step in steps] == [False, True]
    assert not Compiler({}, LISTS).conditions(when)(edit)


def test_tokens_of_which_one_has_no_lemma_are_not_the_same():
    left, right = (Sentence((Token("a", "a"), Token("b", "")), "a b") for _ in range(2))
    edit = EditContext(left, right, Span(0, 2, 0, 2), Vocabulary())
    assert not Compiler({}, LISTS).conditions({"same": "lemma"})(edit)
    assert Compiler({}, LISTS).conditions({"same_first": "lemma"})(edit)


def test_an_underscore_is_a_lemma_of_itself():
    edit = view("_", "_")
    assert Compiler({}, LISTS).conditions({"same": "lemma"})(edit)


def test_a_change_from_none_is_named():
    left, right = Sentence((Token("a"),), "a"), Sentence((Token("b", "b"),), "b")
    edit = EditContext(left, right, Span(0, 1, 0, 1), Vocabulary())
    assert Compiler({}, LISTS).conditions({"change": {"lemma": {"from": "", "to": "b"}}})(edit)


def test_nested_rules_fall_through():
    rules = rule_set(
        [
            {"when": {"operation": "R"}, "rules": [{"type": "NOUN", "when": {"pair": [["a", "b"]]}}]},
            {"type": "OTHER"},
        ]
    )
    assert rules.classify(view("a", "b")) == "R:NOUN"
    assert rules.classify(view("a", "c")) == "R:OTHER"


def test_drop_last_begins_again():
    rules = rule_set(
        [
            {"type": "NOUN", "when": {"operation": "M"}},
            {"drop_last": True, "when": {"one_to_one": False, "same_last": "word"}},
            {"type": "OTHER"},
        ]
    )
    assert rules.classify(view("Doctor", "The doctor")) == "M:NOUN"
    assert rules.classify(view("a Doctor", "The doctor")) == "R:OTHER"


def test_labels_from_properties_and_tables():
    assert rule_set([{"type": "{upos}:NUM"}]).classify(view("a", "b")) == "R:NOUN:NUM"
    tables = {"names": {"NOUN": "VERB"}}
    assert rule_set([{"type": "{names[upos]}"}], tables).classify(view("a", "b")) == "R:VERB"
    assert rule_set([{"type": "UNK"}]).classify(view("a", "b")) == "UNK"


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ({"typ": "NOUN"}, r"unknown key 'typ' \(did you mean 'type'\?\); expected one of name, when"),
        ({"when": {}}, "exactly one of type, rules and drop_last"),
        ({"type": "NOUN", "drop_last": True}, "exactly one"),
        ({"type": "NOUM"}, r"unknown label 'NOUM' \(did you mean 'NOUN'"),
        ({"type": 3}, "expected a label"),
        ({"type": None}, "expected a label"),
        ({"type": "{uops}"}, r"unknown property 'uops' \(did you mean 'upos'"),
        ({"type": "{tabel[upos]}"}, r"unknown table 'tabel'"),
        ({"rules": []}, "expected rules: with a list"),
        ({"rules": "x"}, "expected a list of rules"),
        ({"drop_last": False}, "drop_last: true"),
        ("NOUN", "expected a mapping"),
        ({"type": "NOUN", "when": []}, "expected a mapping"),
        ({"type": "NOUN", "when": {"oparation": "M"}},
         r"unknown condition 'oparation' \(did you mean 'operation'"),
        ({"type": "NOUN", "when": {"operation": "X"}}, "expected M, U or R"),
        ({"type": "NOUN", "when": {"one_to_one": "yes"}}, "expected true or false"),
        ({"type": "NOUN", "when": {"same": "lema"}}, r"unknown property 'lema' \(did you mean 'lemma'"),
        ({"type": "NOUN", "when": {"both": {"uposs": "X"}}}, "unknown test or property 'uposs'"),
        ({"type": "NOUN", "when": {"both": {"upos": "$opne"}}}, r"unknown list '\$opne' \(did you mean '\$open'"),
        ({"type": "NOUN", "when": {"both": {"upos": "$bad"}}}, "found 'NOUN', expected a list"),
        ({"type": "NOUN", "when": {"both": {"upos": "$empty"}}}, "expected a list"),
        ({"type": "NOUN", "when": {"both": {"word": False}}}, "found False, expected a list"),
        ({"type": "NOUN", "when": {"both": {"word": ["yes", True]}}}, "put them in quotes"),
        ({"type": "NOUN", "when": {"pair": [[False, "not"]]}}, "put them in quotes"),
        ({"type": "NOUN", "when": {"source": {"sequence": {"upos": ["NUON", "X"]}}}},
         "upos: no token can have"),
        ({"type": "NOUN", "when": {"source": {"word": ["Haus", "Stadt"]}}}, "'Haus'; expected 'haus'"),
        ({"type": "NOUN", "when": {"source": {"text": "Zum Haus"}}}, "'Zum Haus'; expected 'zum haus'"),
        ({"type": "NOUN", "when": {"endings": {"source": "E", "target": ""}}}, "'E'; expected 'e'"),
        ({"type": "NOUN", "when": {"source": {"script": "Lu"}}}, "script: unknown script 'Lu'"),
        ({"type": "NOUN", "when": {"source": {"script": "Greek}x|\\p{Latin"}}}, "script: unknown script"),
        ({"type": "NOUN", "when": {"pair": "x"}}, "pair: found 'x', expected a list"),
        ({"type": "NOUN", "when": {"pair": ["og", "at"]}}, r"pair: found \['og'\], expected pairs"),
        ({"type": "NOUN", "when": {"pair": [["a", "b", "c"]]}}, "pair: found .*, expected pairs"),
        ({"type": "NOUN", "when": {"pair": "$open"}},
         r"pair: found 'NOUN' in \$open, expected words with spaces"),
        ({"type": "NOUN", "when": {"both": {"upos": {"nott": "X"}}}}, "expected one of not, starts_with"),
        ({"type": "NOUN", "when": {"similarity": {"over": 1}}}, "expected a number or bounds"),
        ({"type": "NOUN", "when": {"similarity": {}}}, "expected a number or bounds"),
        ({"type": "NOUN", "when": {"similarity": {"above": "x"}}}, "above: found 'x', expected a number"),
        ({"type": "NOUN", "when": {"similarity": "x"}}, "expected a mapping"),
        ({"type": "NOUN", "when": {"hook": "x"}}, "unknown hook 'x'"),
        ({"type": "NOUN", "when": {"any": []}}, "expected a list"),
    ],
)  # fmt: skip
def test_what_is_not_of_the_language(rule, problem):
    with pytest.raises(PackError, match=problem) as error:
        rule_set(
            [{"type": "OTHER", "when": {"operation": "M"}}, {"name": "outer", "when": {}, "rules": [rule]}]
        )
    assert str(error.value).startswith("rules[1] (outer)[0]")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("rules", [None, {}, "x"])
def test_rules_are_a_list(rules):
    with pytest.raises(PackError, match="expected a list of rules"):
        rule_set(rules)


@pytest.mark.parametrize("rules", [[], [{"type": "NOUN", "when": {"operation": "M"}}]])
def test_no_rule_fires(rules):
    with pytest.raises(
        PackError, match="no rule fires for 'a' → 'b'; end the list with a rule without 'when'"
    ):
        rule_set(rules).classify(view("a", "b"))


def test_a_label_made_of_a_property_must_be_declared():
    with pytest.raises(PackError, match="unknown label 'XYZ'"):
        rule_set([{"type": "{upos}"}]).classify(view("a", "b", upos="XYZ"))
    with pytest.raises(PackError, match="table 'names' has no entry for 'NOUN'"):
        rule_set([{"type": "{names[upos]}"}], {"names": {}}).classify(view("a", "b"))


def test_dependencies_are_asked_for_only_where_a_rule_needs_them():
    rules = rule_set(
        [
            {"type": "NOUN", "when": {"pair": [["a", "b"]]}},
            {"type": "VERB", "when": {"both": {"deprel": "aux"}}},
            {"type": "OTHER"},
        ]
    )
    assert rules.classify(view("a", "b", parsable=True)) == "R:NOUN"
    with pytest.raises(NeedsParse):
        rules.classify(view("a", "c", parsable=True))
    assert rules.classify(view("a", "c")) == "R:OTHER"


def test_hooks():
    rules = rule_set(
        [{"type": "NOUN", "when": {"hook": "short"}}, {"type": "OTHER"}],
        hooks={"short": lambda v: len(v.text) < 3},
    )
    assert rules.classify(view("a", "b")) == "R:NOUN"
    assert rules.classify(view("abc", "b")) == "R:OTHER"

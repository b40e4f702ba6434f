"""The rule language beyond what ERRANT needs: features, foldings, texts, context; and rules that cannot fire."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import PackError
from jperrant.core.values import Sentence, Span, Token
from jperrant.edits.compiler import Compiler
from jperrant.edits.conditions import CONDITIONS, SIDE_TESTS, TOKEN_TESTS
from jperrant.edits.edit_context import EditContext, NeedsParse, Vocabulary, unparsed
from jperrant.edits.forms import (
    FOLDINGS,
    folding,
    without_diacritics,
    without_punctuation,
)
from jperrant.edits.rules import Rule, RuleSet, first_label
from jperrant.edits.values import PROPERTIES
from tests.strategies import examples


def sentence(text: str) -> Sentence:
    """Make a sentence of ``form/UPOS/lemma/FEATS/deprel/head`` tokens."""
    tokens = []
    for part in text.split():
        form, upos, lemma, feats, deprel, head = (part.split("/") + [""] * 6)[:6]
        tokens.append(Token(form, lemma, upos, feats=feats, deprel=deprel, head=int(head) if head else None))
    return Sentence(tuple(tokens), " ".join(t.form for t in tokens))


def view(source: str, target: str, span: Span | None = None, parsable: bool = False) -> EditContext:
    left, right = sentence(source), sentence(target)
    if parsable:
        left, right = unparsed(left), unparsed(right)
    span = span or Span(0, len(left.tokens), 0, len(right.tokens))
    return EditContext(left, right, span, Vocabulary())


def holds(when: dict, edit: EditContext) -> bool:
    rules = RuleSet([{"type": "YES", "when": when}, {"type": "NO"}], ["YES", "NO"], Compiler({}, {}), {})
    found = rules.classify(edit).endswith("YES")
    compiler = Compiler({}, {})
    assert compiler.conditions(when)(edit) == found
    return found


SING, PLUR = "cat/NOUN/cat/Case=Nom|Number=Sing", "cats/NOUN/cat/Case=Nom|Number=Plur"


@pytest.mark.parametrize(
    ("when", "source", "target", "wanted"),
    [
        # features
        ({"source": {"feats": {"Number": "Sing"}}}, SING, PLUR, True),
        ({"source": {"feats": {"Number": ["Plur", "Dual"]}}}, SING, PLUR, False),
        ({"both": {"feats": {"Case": "Nom", "Number": {"not": "Dual"}}}}, SING, PLUR, True),
        ({"both": {"feats": {"Gender": ""}}}, SING, PLUR, True),
        ({"both": {"feats": {"Gender": {"not": ""}}}}, SING, PLUR, False),
        ({"source": {"feats": {"Case": "Dat"}}}, "der/DET/der/Case=Acc,Dat", "x", True),
        ({"source": {"feats": {"Case": {"starts_with": "D"}}}}, "der/DET/der/Case=Acc,Dat", "x", True),
        ({"same": "feats.Case"}, SING, PLUR, True),
        ({"same": ["feats.Number"]}, SING, PLUR, False),
        ({"source": {"feats.Number": "Sing"}}, SING, PLUR, True),
        ({"values": {"feats.Number": ["Sing", "Plur"]}}, SING, PLUR, True),
        ({"source": {"feats.Number[psor]": "Sing"}}, "evim/NOUN/ev/Number[psor]=Sing", "x", True),
        ({"feats_changed": True}, SING, PLUR, True),
        ({"feats_changed": True}, SING, SING, False),
        ({"feats_changed": False}, SING, SING, True),
        ({"feats_changed": "Number"}, SING, PLUR, True),
        ({"feats_changed": ["Number", "Case"]}, SING, PLUR, True),
        ({"feats_changed": ["Case"]}, SING, PLUR, False),
        ({"feats_changed": {"any": ["Number", "Tense"]}}, SING, PLUR, True),
        ({"feats_changed": {"all": ["Number", "Tense"]}}, SING, PLUR, False),
        ({"feats_changed": {"none": ["Tense"]}}, SING, PLUR, True),
        ({"feats_changed": {"only": ["Case"]}}, SING, "cat/NOUN/cat/Number=Sing", True),
        ({"feats_changed": True}, SING, f"{SING} {PLUR}", False),
        # foldings
        ({"same_after": "case"}, "The Cat", "the cat", True),
        ({"same_after": "case"}, "The Cat", "thecat", False),
        ({"same_after": ["case", "spaces"]}, "The Cat", "thecat", True),
        ({"same_after": "diacritics"}, "Žluťoučký kůň", "Zlutoucky kun", True),
        ({"same_after": "diacritics"}, "Łódź", "Lodz", True),
        ({"same_after": "diacritics"}, "тёмный", "темный", True),
        ({"same_after": "diacritics"}, "Ελλάδα", "Ελλαδα", True),
        ({"same_after": "diacritics"}, "كِتَاب", "كتاب", True),
        ({"same_after": "diacritics"}, "か", "が", False),
        ({"same_after": "diacritics"}, "हिन्दी", "हनद", False),
        ({"same_after": "width"}, "ＡＢＣ", "ABC", True),
        ({"same_after": ["punctuation", "spaces"]}, "Hello , world", "Hello world", True),
        ({"same_after": "punctuation"}, "co-op", "coop", True),
        ({"same_words": ["diacritics"]}, "kůň bílý", "bílý kun", True),
        ({"same_words": True}, "kůň bílý", "bílý kun", False),
        ({"same_words": False}, "a b", "b c", True),
        # texts and regular expressions
        ({"source": {"form": {"matches": "[A-Z].*"}}}, "Cat", "x", True),
        ({"source": {"form": {"matches": "[A-Z]"}}}, "Cat", "x", False),
        ({"source": {"form": {"ends_with": ["s", "x"], "not": "cats"}}}, "dogs", "x", True),
        ({"source": {"form": {"ends_with": ["s", "x"], "not": "cats"}}}, "cats", "x", False),
        ({"source": {"text": "a lot"}}, "A lot", "x", True),
        ({"source": {"text": {"matches": "a (lot|bit)"}}}, "a bit", "x", True),
        # counts
        ({"same_count": True}, "a b", "c d", True),
        ({"same_length": True}, "ab c", "xyz", True),
        ({"same_length": True}, "ab c", "xy", False),
        # tokens
        ({"both": {"punctuation": True}}, ", ;", ".", True),
        ({"both": {"punctuation": True}}, "%/SYM", ".", False),
        ({"both": {"punctuation": False}}, "a", "b", True),
        ({"source": {"capital": True}}, "Cat", "x", True),
        ({"source": {"alphabetic": True}}, "किताब", "x", True),
        ({"source": {"alphabetic": True}}, "किताब2", "x", False),
        ({"source": {"alphabetic": True}}, "cafe\u0301", "x", False),  # as ERRANT has it
        ({"source": {"digits": True}}, "r2d2", "x", True),
        ({"source": {"some": {"upos": "AUX"}}}, "has/AUX gone/VERB", "x", True),
        ({"source": {"some": {"upos": "NOUN"}}}, "has/AUX gone/VERB", "x", False),
        # similarity of something else
        ({"similarity": {"of": "lemma", "above": 0.9}}, "went/VERB/go", "gone/VERB/go", True),
        ({"similarity": {"after": ["case", "diacritics"], "at_least": 1}}, "Kůň", "kun", True),
        ({"similarity": {"at_least": 1}}, "Kůň", "kun", False),
        # scripts and marks
        ({"same_after": "diacritics"}, "ज़रा", "जरा", True),
        ({"same_after": "marks"}, "किताब", "कताब", True),
        ({"source": {"script": "Cyrillic"}}, "пам'ять", "x", True),
        ({"source": {"script": "Cyrillic"}}, "паmять", "x", False),
        ({"source": {"script": ["Latin", "Greek"]}}, "λόγος", "x", True),
        ({"source": {"script": "Latin"}}, "2026", "x", False),
        ({"source": {"script": "Devanagari"}}, "हिन्दी", "x", True),
        # numbers are text
        ({"source": {"feats": {"Person": 3}}}, "is/AUX/be/Person=3", "x", True),
        ({"source": {"feats.Person": [1, 2]}}, "is/AUX/be/Person=3", "x", False),
        # what changes into what
        ({"change": {"feats.Number": {"from": "Sing", "to": ["Plur", "Dual"]}}}, SING, PLUR, True),
        ({"change": {"feats.Number": {"from": "Plur"}}}, SING, PLUR, False),
        ({"change": {"feats.Number": {"to": "Plur"}}}, SING, PLUR, True),
        ({"change": {"feats.Number": {"to": "Sing"}}}, SING, SING, False),
        # endings
        ({"endings": {"source": "", "target": "lar"}}, "insan", "insanlar", True),
        ({"endings": {"source": "", "target": "lar"}}, "insanlar", "insan", False),
        ({"endings": {"source": "", "target": "lar", "swap": True}}, "İnsanlar", "İnsan", True),
        ({"endings": {"source": "larla", "target": "la"}}, "zamanlarla", "zamanla", True),
        ({"endings": {"source": "", "target": "lar", "stem": 6}}, "insan", "insanlar", False),
        ({"endings": {"source": {"matches": "[ıi]"}, "target": {"matches": "[ae]"}}}, "evi", "eve", True),
        ({"endings": {"source": "i", "target": "e"}}, "evi mi", "eve", False),
        # compounds
        ({"compound": {"linking": "s"}}, "arbets plats", "arbetsplats", True),
        ({"compound": {"linking": "s"}}, "arbet plats", "arbetsplats", True),
        ({"compound": {"linking": "s"}}, "Arbetplats", "arbets plats", True),
        ({"compound": {"linking": "s"}}, "arbeta plats", "arbetsplats", False),
        ({"compound": {"linking": ["n", "en"]}}, "Sonne Schein Dauer", "Sonnenscheindauer", True),
        ({"compound": {"linking": "s"}}, "a", "a", False),
        # any and not, nested
        ({"any": [{"same": "lemma"}, {"not": {"operation": "M"}}]}, "a", "b", True),
        ({"not": {"any": [{"one_to_one": True}, {"same_count": True}]}}, "a", "b c", True),
    ],
)
def test_conditions(when, source, target, wanted):
    assert holds(when, view(source, target)) is wanted


def test_what_is_around():
    text = "to/PART go/VERB home/NOUN"
    edit = view(text, "to go house", Span(1, 2, 1, 2))
    assert holds({"source": {"before": {"upos": "PART"}, "after": {"upos": "NOUN"}}}, edit)
    assert holds({"target": {"after": {"word": "house"}}}, edit)
    assert not holds({"source": {"before": {"upos": "VERB"}}}, edit)
    at_edge = view(text, "go", Span(0, 1, 0, 0))
    assert not holds({"source": {"before": {"form": {"not": "x"}}}}, at_edge)


def test_heads_and_dependents():
    text = "he/PRON/he//nsubj/2 goes/VERB/go//root/0 home/ADV/home//advmod/2"
    edit = view(text, text, Span(1, 2, 1, 2))
    assert holds({"both": {"dependent": {"deprel": "nsubj", "upos": "PRON"}}}, edit)
    assert not holds({"both": {"dependent": {"deprel": "obj"}}}, edit)
    assert not holds({"both": {"head": {"upos": "VERB"}}}, edit)  # a root has none
    first = view(text, text, Span(0, 1, 0, 1))
    assert holds({"both": {"head": {"upos": "VERB"}}}, first)
    for when in ({"both": {"head": {"upos": "VERB"}}}, {"both": {"dependent": {"upos": "VERB"}}}):
        with pytest.raises(NeedsParse):
            holds(when, view("a", "b", parsable=True))
        assert not holds(when, view("a", "b"))


@pytest.mark.parametrize(
    ("when", "problem"),
    [
        ({"source": {"agrees": {"with": "hed", "in": "Number"}}}, r"did you mean 'head'"),
        ({"source": {"agrees": "Number"}}, "expected a mapping"),
        ({"source": {"agrees": {"with": "head"}}}, "expected for example {with: head, in"),
        ({"source": {"disagrees": {"with": "head", "inn": "Number"}}}, r"did you mean 'in'"),
        ({"source": {"position": {"first": "word"}}}, "unknown unit of first 'word'; expected one of clause"),
        (
            {"source": {"before": {"word": "a", "within": 0}}},
            "within: found 0, expected a whole number from 1",
        ),
        ({"source": {"script": "Latinn"}}, "unknown script 'Latinn'"),
        ({"change": {"upos": "NOUN"}}, "expected a mapping"),
        ({"change": {"upos": {"frm": "NOUN"}}}, "expected {from"),
        ({"endings": {"source": "a"}}, "expected for example {source"),
        (
            {"endings": {"source": "a", "target": "b", "stem": 0}},
            "stem: found 0, expected a whole number from 1",
        ),
        ({"compound": {"link": "s"}}, "unknown key of compound 'link'"),
        ({"same_after": "cases"}, r"unknown folding 'cases' \(did you mean 'case'"),
        ({"source": {"form": {"matches": "("}}}, "is not a regular expression"),
        ({"source": {"form": {}}}, "expected one of not, starts_with"),
        ({"source": {"feats": {}}}, "expected features"),
        (
            {"source": {"feats": {"Case": {"nto": "x"}}}},
            r"unknown operator of Case 'nto' \(did you mean 'not'",
        ),
        ({"source": {"feats": {3: "x"}}}, "put it in quotes"),
        ({"feats_changed": {"olny": ["Case"]}}, "expected true, false, names or only, any, all, none"),
        ({"feats_changed": {}}, "expected true"),
        ({"similarity": {"of": "lema", "above": 1}}, "unknown property 'lema'"),
        ({"similarity": {"of": "lemma"}}, "expected a number or bounds"),
        ({"similarity": {"above": True}}, "expected a number"),
        ({"source": {"before": {}}}, "expected tests of a token"),
        ({"source": {"head": "x"}}, "expected a mapping"),
        ({"source": {"upos": "VREB"}}, r"no token can have the value 'VREB' \(did you mean 'VERB'"),
        ({"same_words": 3}, "unknown folding '3'"),
        ({"any": [{"oeration": "M"}]}, "unknown condition 'oeration'"),
    ],
)
def test_what_is_not_of_the_language(when, problem):
    with pytest.raises(PackError, match=problem):
        holds(when, view("a", "b"))


def test_several_problems_of_one_rule_are_all_found():
    found: list[str] = []
    when = {"oparation": "M", "same": "lema", "any": [{"pare": []}, {"prefix": 3}]}
    RuleSet([{"type": "NO", "when": when}], ["YES"], Compiler({}, {}), {}, "", found)
    assert len(found) == 5


def test_every_key_has_an_example_that_compiles_and_a_meaning():
    lists, hooks = {}, {"name": lambda view: True}
    import yaml

    for name, entry in CONDITIONS.items():
        text = entry.example.replace("{…}", "{operation: M}").replace("…", "operation: M")
        when = yaml.safe_load(text)
        assert list(when) == [name]
        compiler = Compiler(hooks, lists, closed={})
        compiler.conditions(when)
        assert not compiler.problems
        assert entry.doc
    for name, entry in (TOKEN_TESTS | SIDE_TESTS).items():
        when = {"both": yaml.safe_load(entry.example)}
        assert list(when["both"]) == [name]
        compiler = Compiler(hooks, lists)
        compiler.conditions(when)
        assert not compiler.problems
    assert all(found.doc for found in PROPERTIES.values())


def test_rules_may_be_nested_as_deeply_as_a_file_can_hold():
    rule: dict = {"type": "YES"}
    for _ in range(100):  # reading refuses more than 200 lists and mappings in each other
        rule = {"rules": [rule]}
    found = Sentence.from_forms(["a"]), Sentence.from_forms(["b"])
    rules = RuleSet([rule], ["YES"], Compiler({}, {}), {})
    assert rules.classify(EditContext(*found, Span(0, 1, 0, 1), Vocabulary())) == "R:YES"


def test_foldings():
    assert without_diacritics("Příliš žluťoučký kůň") == "Prilis zlutoucky kun"
    assert without_diacritics("가나다") == "가나다"
    assert without_punctuation("«don't», he said…") == "dont he said"
    assert folding(["joiners"])("می\u200cروم") == "میروم"
    assert folding(["letters"])("كتابي") == "کتابی"


# Rules that are found to be unreachable truly never fire, whatever the edit.

WORDS = st.sampled_from(["a", "b", "A", "ab"])
TOKENS = st.builds(
    Token,
    WORDS,
    lemma=WORDS,
    upos=st.sampled_from(["NOUN", "VERB", "PUNCT"]),
    feats=st.sampled_from(["", "X=1"]),
)
SIDES = st.lists(TOKENS, max_size=2)
TESTS = st.dictionaries(
    st.sampled_from(["upos", "word", "tokens", "alphabetic"]), st.nothing(), max_size=0
) | st.fixed_dictionaries(
    {},
    optional={
        "upos": st.sampled_from(["NOUN", "VERB", ["NOUN", "VERB"], {"not": "NOUN"}]),
        "word": st.sampled_from(["a", ["a", "b"]]),
        "tokens": st.sampled_from([1, 2]),
        "alphabetic": st.booleans(),
    },
)
WHEN = st.fixed_dictionaries(
    {},
    optional={
        "operation": st.sampled_from(["M", "U", "R", ["M", "U"], ["U", "R"]]),
        "one_to_one": st.booleans(),
        "same_last": st.sampled_from(["word", ["word", "lemma"]]),
        "same": st.sampled_from(["upos", ["upos", "lemma"]]),
        "shared": st.just("upos"),
        "source": TESTS,
        "target": TESTS,
        "both": TESTS,
        "either": TESTS,
        "not": st.fixed_dictionaries({"operation": st.just("M")}),
    },
)
LEAF = st.fixed_dictionaries({"type": st.just("YES")}, optional={"when": WHEN})
NODE = st.fixed_dictionaries({"rules": st.lists(LEAF, min_size=1, max_size=3)}, optional={"when": WHEN})


@examples(300)
@given(
    st.lists(LEAF | NODE, min_size=1, max_size=6), st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=20)
)
def test_a_rule_that_is_said_never_to_fire_never_does(rules, edits):
    problems: list[str] = []
    RuleSet(rules, ["YES"], Compiler({}, {}), {}, "", problems)
    dead = {line.partition(":")[0] for line in problems if "can never fire" in line}
    assert len(dead) == len(problems)

    def compiled(rule, where):
        parts = tuple(Compiler({}, {}).parts(rule.get("when", {})))
        nested = tuple(compiled(r, f"{where}[{n}]") for n, r in enumerate(rule.get("rules", [])))
        fires = Compiler({}, {}).conditions(rule.get("when", {}))
        return Rule(parts, fires, None if nested else where, nested, where)

    ready = [compiled(r, f"rules[{n}]") for n, r in enumerate(rules)]
    for source, target in edits:
        if source or target:
            left, right = Sentence(tuple(source), ""), Sentence(tuple(target), "")
            span = Span(0, len(source), 0, len(target))
            where = first_label(ready, EditContext(left, right, span, Vocabulary()))
            while where:
                assert where not in dead
                where = where.rpartition("[")[0] if where.count("[") > 1 else ""


@pytest.mark.parametrize("mark", [".", "./PUNCT", "./X"])
def test_the_last_word_of_a_sentence_stands_before_its_punctuation(mark):
    """Also where there are no tags, as without models."""
    edit = view(f"Han kom ikke {mark}", f"Han kom aldrig {mark}", Span(2, 3, 2, 3))
    assert holds({"source": {"position": {"last": "sentence"}}}, edit)


@given(
    st.text("aAnN'’İıKＡéÉ\u0301ﬁ㎏™ Łł", max_size=6),
    st.lists(st.sampled_from(sorted(FOLDINGS)), min_size=2, max_size=4, unique=True),
)
def test_the_order_of_foldings_is_of_no_account(text, names):
    assert folding(names)(text) == folding(names[::-1])(text)
    assert holds({"same_after": ["doubled", "case"]}, view("Nno", "no"))

"""packs check, show, new, list and explain: every problem at once, with its line, and a skeleton that is sound."""

from __future__ import annotations

import json
import re
from itertools import zip_longest
from pathlib import Path

import jsonschema
import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack, explain, sentences
from jperrant.core.errors import InputError, UsageError
from jperrant.packs.describe import describe, new_pack
from jperrant.packs.discovery import known_packs
from jperrant.packs.keys import SCHEMA
from jperrant.packs.pack import load_pack
from jperrant.packs.yaml_file import read_yaml
from tests.commands import printed
from tests.stages import mostly_for_ci

BASE = "code: xx\nextends: generic\n"
WRONG = """\
code: xx
extends: generic
lexikon: words.txt
stanza: [xx]
labels:
  BAD: a label
  BAD NAME: another
  "{A,B}:C": ok
  "{A}:C": twice
counterparts:
  NUON: {errant: NOUN}
  BAD: {erant: NOUN, kagas: 3}
costs: {lema: 1, insertion: x}
merge: {similar: true}
lists:
  some: [a, true]
resources: [nowhere.txt]
"""
WRONG_RULES = """\
code: xx
extends: generic
labels: {BAD: a label}
rules:
  - when: {oparation: M, same: lema}
    type: BAD
  - name: outer
    when: {one_to_one: true}
    rules:
      - {type: GOOD, when: {both: {upos: NUON}}}
      - {type: BAD}
      - {type: BAD, when: {same: lemma}}
  - {type: BAD, when: {operation: M, source: {word: x}}}
"""
WRONG_PATTERNS = """\
code: xx
labels: {A: a}
tables: {names: {NOUN: C}}
rules:
  - {type: '{class}', when: {both: {class: [NOUN, VERB]}}}
  - {type: '{names[upos]}', when: {target: {upos: ADJ}}}
  - type: A
"""


def problems(folder: str) -> list[str]:
    start = str(Path(folder) / "pack.yaml")
    found = check_pack(folder).problems
    assert all(line.startswith(start) and "\n" not in line for line in found), found
    return [line.removeprefix(start).removeprefix(":") for line in found]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        # First what is wrong with the keys, then what is wrong with the rules.
        (WRONG, [
            "3: unknown key 'lexikon' (did you mean 'lexicon'?)",
            "4: stanza: found ['xx'], expected text in one line",
            "12: erant: 'erant' is no known scheme (did you mean 'errant'?)",
            "12: kagas: found 3, expected a type",
            "13: insertion: found 'x', expected a number",
            "13: unknown key 'lema' (did you mean 'lemma'?)",
            "14: similar: found True, expected a number",
            "16: some: found True (YAML does not read true, false and numbers as text; put it in quotes), expected",
            "17: resources: found no file ",
            "7: labels: 'BAD NAME' cannot be a label",
            "9: labels: 'A:C' is given by two patterns",
        ]),
        (WRONG_RULES, [
            "5: rules[0]: unknown condition 'oparation' (did you mean 'operation'?)",
            "5: rules[0]: unknown property 'lema' (did you mean 'lemma'?)",
            "10: rules[1] (outer)[0]: upos: no token can have the value 'NUON' (did you mean 'NOUN'?)",
            "10: rules[1] (outer)[0]: unknown label 'GOOD'",
            "12: rules[1] (outer)[2]: this rule can never fire: an earlier rule fires wherever it would",
            "13: rules[2]: this rule can never fire: its conditions leave no value for operation",
        ]),
        (WRONG_PATTERNS, [
            "5: rules[0]: unknown label 'NOUN'; declare it under labels",
            "5: rules[0]: unknown label 'VERB'; declare it under labels",
            "6: rules[1]: table 'names' has no entry for ADJ",
            "6: rules[1]: unknown label 'C'; declare it under labels",
        ]),
        (f"{BASE}counterparts: {{NUON: {{errant: NOUN}}}}\n",
         ["3: NUON: counterparts: unknown label (did you mean 'NOUN'?)"]),
        (f"{BASE}groups: {{NOUN: speling}}\nlabel_sets: {{ud: {{NUON: X}}}}\n",
         ["3: NOUN: 'speling' is no group (did you mean 'spelling'?); expected one of adjective, "]),
        ("code: xx\nlabels: {3: x}\n", ["2: labels: found 3, expected text; put it in quotes"]),
        ("code: xx\nlabels:\n  A: x\n  B: y\n  A: z\n",
         ["5: the key 'A' is given twice, first in line 3; remove one"]),
    ],
)  # fmt: skip
def test_everything_that_is_wrong_is_told_at_once(pack, content, wanted):
    folder = pack(content)
    found = problems(folder)
    assert [line[: len(start)] for line, start in zip_longest(found, wanted, fillvalue="")] == wanted
    with pytest.raises(InputError, match=re.escape(f"pack.yaml:{wanted[0]}")):
        load_pack("", folder)  # raises the first


@pytest.mark.parametrize(
    ("rules", "never"),
    [
        # An earlier rule fires wherever it would.
        (["{type: A}", "{type: B}"], [6, 7]),
        (["{rules: [{type: A}]}", "{type: B}"], [6, 7]),
        (["{type: A, when: {same: lemma}}", "{type: B, when: {same: [lemma, upos]}}"], [6]),
        (["{type: A, when: {operation: [M, U]}}", "{type: B, when: {operation: M}}"], [6]),
        (["{type: A, when: {operation: M}}", "{type: B, when: {operation: [M, U]}}"], []),
        (["{type: A, when: {both: {word: x}}}", "{type: B, when: {both: {word: x, upos: X}}}"], [6]),
        (["{type: A, when: {source: {upos: NOUN}}}", "{type: B, when: {target: {upos: NOUN}}}"], []),
        (["{when: {same: upos}, rules: [{type: A}]}", "{when: {same: upos}, type: B}"], [6]),
        (["{when: {same: upos}, rules: [{type: A, when: {same: xpos}}]}", "{when: {same: upos}, type: B}"], []),
        (["{drop_last: true, when: {same_last: word}}", "{type: A, when: {same_last: word}}"], [6]),
        (["{type: A, when: {any: [{operation: M}, {operation: U}]}}", "{type: A, when: {operation: M}}"], []),
        # Its conditions contradict each other or those of the rules around it.
        (["{type: A, when: {operation: [M, U], one_to_one: true}}"], [5]),
        (["{type: A, when: {operation: U, target: {word: x}}}"], [5]),
        (["{type: A, when: {operation: U, source: {word: x}}}"], []),
        (["{type: A, when: {both: {upos: NOUN}, source: {upos: VERB}}}"], [5]),
        (["{type: A, when: {source: {upos: NOUN}, target: {upos: VERB}}}"], []),
        (["{type: A, when: {either: {upos: NOUN}, source: {upos: VERB}}}"], []),
        (["{when: {both: {upos: $some}}, rules: [{type: B}, {type: A, when: {target: {upos: VERB}}}]}"], [5]),
        (["{when: {source: {known: true}}, rules: [{type: A, when: {source: {known: false}}}]}"], [5]),
    ],
)  # fmt: skip
def test_rules_that_can_never_fire(pack, rules, never):
    lines = "".join([f"  - {rule}\n" for rule in [*rules, "{type: A}"]])
    found = problems(pack(f"code: xx\nlabels: {{A: a, B: b}}\nlists: {{some: [NOUN]}}\nrules:\n{lines}"))
    assert [int(line.partition(":")[0]) for line in found] == never
    assert all("this rule can never fire" in line for line in found)


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ("{source: a b, target: a c}", r":4: examples: found neither edits nor never"),
        ("{source: a, target: b, edits: [], nmae: x}", r"unknown key 'nmae' \(did you mean 'name'"),
        ("{source: a, target: b, edits: [[0, 1, b, 'R:OTHR']]}", "'R:OTHR' is not a type of the pack"),
        ("{source: a, target: b, edits: [[0, 1, c, 'R:OTHER']]}", "turn the source into 'c', expected 'b'"),
        ("{source: a, target: b, edits: [[0, 2, c, 'R:OTHER']]}", "reaches outside"),
        ("{source: a, target: b, edits: [[0, 1, b, 'R:NOUN']]}", "found 0 1 'b' R:OTHER, expected 0 1 'b' R:NOUN"),
        ("{source: a, target: b, never: ['R:OTHER']}", "found 0 1 'b' R:OTHER, which .* lists under never"),
        ("{source: a, target: b, edits: [[0, 1, b]]}", r"expected \[start, end, correction, type\]"),
        ("{source: [{lemma: a}], target: b, edits: []}", r":4: source: found {'lemma': 'a'}, expected form/upos/"),
        ("{source: [a/b/c/d/e/f/g/h], target: b, edits: []}", r"expected form/upos/lemma/feats/xpos/deprel/"),
        ("{source: a, target: [b/////x/2], edits: []}", r":4: target: found head '2', expected the number"),
        ("{source: 3, target: b, edits: []}", "expected a string or a list of tokens"),
        ("{source: a, target: b, edits: [], known: a}", r":4: known: found 'a', expected a list"),
        ("{source: a, target: b, never: [R:NOUN], given: true}", r":4: .* found true, expected it together"),
    ],
)  # fmt: skip
def test_wrong_examples(pack, example, problem):
    found = check_pack(pack(f"{BASE}examples:\n  - {example}\n")).problems
    assert len(found) == 1
    assert re.search(problem, found[0]), found


def test_every_wrong_example_is_named_with_its_line(pack):
    folder = pack(
        f"{BASE}examples:\n- {{source: a, target: b}}\n- 7\n- source: a\n  target: 3\n  edits: []\n"
    )
    assert [line.partition(": ")[0] for line in problems(folder)] == ["4", "5", "7"]


def test_examples_may_be_in_a_file(pack):
    folder = pack(f"{BASE}examples: other.yaml\n")
    assert [line.partition(" found no file")[0] for line in problems(folder)] == ["3: examples:"]
    file, edits = Path(folder, "other.yaml"), [[1, 1, ", b", "M:OTHER"]]
    file.write_text(json.dumps({"source": "a", "target": "a , b", "edits": edits}).join("[]"))
    assert problems(folder) == []
    file.write_text("- {source: a, target: a, edits: []}\n\n- {source: a, target: b, edits: []}\n", "utf-8")
    (line,) = check_pack(folder).problems
    assert line.startswith(f"{file}:3: examples[1]: its edits turn")


@pytest.mark.parametrize(
    ("keys", "example"),
    [
        ("", "{source: a, target: b, edits: [[0, 1, b, 'R:NOUN', ['R:OTHER']]]}"),
        # Words that are known whatever the pack's dictionary holds.
        *(("dictionary: sv_SE\n",
           f"{{source: a wrod, target: a word, known: {known}, edits: [[1, 2, word, '{type_}']]}}")
          for known, type_ in (("[a, word]", "R:SPELL"), ("[a, wrod]", "R:OTHER"), ("[]", "R:OTHER"))),
        # Aligned, the pair would be two edits; and an edit that changes nothing would be none.
        ("", "{source: a b c, target: d c, given: true, edits: [[0, 2, d, 'R:OTHER'], [2, 3, c, UNK]]}"),
    ],
)  # fmt: skip
def test_right_examples(pack, keys, example):
    assert check_pack(pack(f"{BASE}{keys}examples:\n  - {example}\n")).problems == ()


@pytest.mark.parametrize(
    ("hooks", "problem"),
    [
        ("CONDITIONS = {'mine': lambda view: True}\nPROPERTIES = {'mine': lambda view, token: 'B'}\n",
         r"pack\.yaml:4: rules\[0\] \(mine\): unknown label 'B'"),
        ("CONDITIONS = []\n", "CONDITIONS: expected a mapping"),
        ("CONDITIONS = {'mine': 3}\n", "CONDITIONS: expected a mapping from names to functions"),
        ("MERGE = 3\n", "MERGE: expected a function"),
        ("raise SystemError('x')\n", r"hooks\.py fails: SystemError: x"),
    ],
)  # fmt: skip
def test_hooks_that_fail_are_named_with_their_rule(pack, hooks, problem):
    rules = "  - {name: mine, type: '{mine}', when: {hook: mine}}\n  - type: A\n"
    examples = "  - {source: a, target: b, edits: [[0, 1, b, 'R:A']]}\n"
    folder = pack(f"code: xx\nlabels: {{A: a}}\nrules:\n{rules}examples:\n{examples}", hooks=hooks)
    [found] = check_pack(folder).problems
    assert re.search(problem, found), found
    assert "\n" not in found


# Every pack is loaded by test_type_groups.py; CI runs the examples of all.
@pytest.mark.parametrize(
    "code", mostly_for_ci(sorted(known_packs()), "generic", "en", "zh", "ko", "ja", "cs", "hi", "es")
)
def test_built_in_packs_are_sound_and_their_examples_hold(code):
    assert check_pack(code).problems == ()


def test_a_new_pack_passes_at_once_and_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for code in ("no", "qaa"):
        path = new_pack(code)
        assert check_pack(code).problems == ()
        assert load_pack("", code).code == code
    text = path.read_text("utf-8")  # what its comments say about labels holds
    for old, new, count in (
        ("labels: {}", "labels: {PART:FORM: null}", 0),
        ("labels: {}", "labels: {SYM: null}", 2),
        ("# marks:", "marks:", 0),
    ):
        path.write_text(text.replace(old, new), "utf-8")
        assert len(check_pack("qaa").problems) == count
    assert "jperrant packs check 'a b'" in printed("packs", "new", "qab", "--folder", "a b")
    assert "jperrant packs check 'a b'" in (tmp_path / "a b" / "pack.yaml").read_text("utf-8")
    for code, problem in (("no", "exists"), ("en", "a pack 'en' exists"), ("../x", "cannot be a language")):
        with pytest.raises(UsageError, match=problem):
            new_pack(code)


def test_describe_runs_no_python(pack):
    folder = pack("code: xx\nextends: en\nlabels: {MINE: x}\n", hooks="raise SystemExit(1)\n")
    found = describe("", folder)
    assert (found["extends"], found["measured"]) == (["en"], "")
    mine = {"label": "MINE", "group": "other", "description": "x", "example": "", "counterparts": {}}
    assert mine in found["labels"]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_every_label_is_shown_with_an_edit(code):
    shown = {row["label"]: row["example"] for row in describe(code)["labels"]}
    assert [label for label, edit in shown.items() if " → " not in edit] == ["SPACE"] * (code == "en")
    if code == "sl":  # its own examples go before those of the packs that it extends
        assert (shown["NOUN:NUM"], shown["DET:REFL"]) == ("knjiga → knjige", "njegovo → svojo")


# Why an edit has its type


ARTICLES = """\
code: xx
extends: generic
labels: {ART: article, GEN: genitive}
groups: {ART: determiner, GEN: nominal-inflection}
rules:
  - name: articles
    when: {source: {word: [a, the]}}
    rules:
      - {name: one for another, type: ART, when: {one_to_one: true}}
      - {name: left out, type: ART, when: {operation: U}}
  - {name: genitive, type: GEN, when: {source: {feats.Case: Gen}}}
examples:
  - {name: an article, source: the cat, target: a cat, edits: [[0, 1, a, "R:ART"]]}
  - {name: no article, source: that cat, target: a cat, never: ["R:ART"]}
"""


def test_the_rules_that_were_tried(pack):
    folder = pack(ARTICLES)
    assert problems(folder) == []
    annotator = jperrant.load(pack=folder, models="none")
    (explanation,) = explain(
        annotator, *sentences(annotator, "see cat's/NOUN/cat/Case=Gen", "see cat", given=True)
    )
    assert explanation.edit.type == "R:GEN"
    tried = [(step.where.partition(": ")[2], step.fires, step.key) for step in explanation.steps]
    assert tried == [("rules[0] (articles)", False, "source"), ("rules[1] (genitive)", True, "")]
    assert explain(annotator, *sentences(annotator, "a", "a", given=True)) == ()
    (explanation,) = explain(annotator, *sentences(annotator, "a b", "the b", given=False))
    steps = [(step.depth, step.fires, step.concludes) for step in explanation.steps]
    assert steps == [(0, True, False), (1, True, True)]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        *((source, "I have to go to the big house .") for source in ("It are red", "I has to going to big houses")),
        ("Cat sleeps .", "The cat sleeps ."), ("Cat", "Old cat sleeps"), ("The cat sleeps .", "Cat ."),
    ],
)  # fmt: skip
def test_the_last_rule_that_was_tried_is_the_one_that_fired(source, target):
    """Against the function that the rules compile to, with English rules, ``drop_last`` included."""
    annotator = jperrant.load("en")
    explanations = explain(annotator, annotator.parse(source), annotator.parse(target))
    assert explanations
    for explanation in explanations:
        last = explanation.steps[-1]
        assert last.fires
        assert last.concludes
        assert "the last word" not in last.where


def test_the_commands(pack):
    folder = pack(ARTICLES)
    assert re.search("^en .*ERRANT 3", printed("packs", "list"), re.MULTILINE), "how it was measured"
    listed = {one["code"]: one for one in json.loads(printed("packs", "list", "--json"))}
    assert (listed["ko"]["name"], Path(listed["ko"]["folder"]).is_dir()) == ("Korean", True)
    assert json.loads(printed("packs", "show", "en", "--json"))["code"] == "en"
    for named in (["--pack", folder], [folder]):
        assert "# genitive" in printed("packs", "show", *named)
    words = ["packs", "explain", folder, "the cat", "a cat", "--models", "none"]
    assert re.search(r"0 1  the → a  R:ART\n[^$]*yes xx/pack.yaml:9 \(one for another\)", printed(*words))
    (edit,) = json.loads(printed(*words, "--json"))
    assert (edit["type"], edit["rules"][-1]["fires"], edit["rules"][-1]["fails"]) == ("R:ART", True, None)
    [wrong, right] = json.loads(printed("packs", "check", pack(WRONG), "generic", "--json", code=1))
    assert (len(wrong["problems"]), len(right["problems"])) == (11, 0)


# pack.schema.json


@pytest.fixture(scope="module")
def validator():
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("code", mostly_for_ci(sorted(known_packs()), "generic", "en", "zh", "hi"))
def test_the_schema_accepts_built_in_packs(validator, code):
    folder = known_packs()[code]
    content = read_yaml(folder / "pack.yaml")
    assert [error.message for error in validator.iter_errors(content)] == []
    if isinstance(content.get("examples"), str):
        content["examples"] = read_yaml(folder / content["examples"])
        assert [error.message for error in validator.iter_errors(content)] == []


@pytest.mark.parametrize(
    "line",
    [
        "lexikon: words.txt", "name: 3", "aliases: [true]", "join: '-'", "costs: {lema: 1}", "costs: {lemma: -1}",
        "merge: {similar: true}", "labels: {A: 3}", "tables: {a: {b: 3}}", "inflection: {Number: [NUM]}",
        "rules: {type: NOUN}", "rules: [{type: NOUN, rules: []}]", "rules: [{when: {operation: M}}]",
        "rules: [{type: NOUN, wen: {}}]", "rules: [{type: NOUN, drop_last: true}]",
        "rules: [{type: NOUN, when: {oparation: M}}]", "rules: [{type: NOUN, when: {one_to_one: 1}}]",
        "rules: [{type: NOUN, when: {same_after: cases}}]", "rules: [{type: NOUN, when: {similarity: {abov: 1}}}]",
        "rules: [{type: NOUN, when: {both: {first: {}}}}]", "rules: [{type: NOUN, when: {both: {tokens: x}}}]",
        "rules: [{type: NOUN, when: {both: {form: {like: x}}}}]", "rules: [{type: NOUN, when: {any: []}}]",
        "rules: [{type: NOUN, when: {not: {source: {known: 3}}}}]", "examples: 3", "examples: [{source: a}]",
        "requires: [x]",
    ],
)  # fmt: skip
def test_what_the_schema_refuses_is_refused_when_the_pack_is_read(validator, pack, line):
    folder = pack(f"{BASE}{line}\n")
    assert list(validator.iter_errors(read_yaml(Path(folder, "pack.yaml"))))
    assert problems(folder)

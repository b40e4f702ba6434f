"""packs check, show, new and list: every problem at once, with its line, and a skeleton that is sound."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.annotation.pack_check import check_pack
from jperrant.cli.main import app
from jperrant.core.errors import InputError, PackError, UsageError
from jperrant.packs.describe import describe, new_pack
from jperrant.packs.discovery import known_packs
from jperrant.packs.pack import load_pack
from tests.stages import mostly_for_ci

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


def problems(folder: str) -> list[str]:
    start = str(Path(folder) / "pack.yaml")
    found = check_pack(folder).problems
    assert all(line.startswith(start) and "\n" not in line for line in found), found
    return [line.removeprefix(start).removeprefix(":") for line in found]


def assert_begin(found: list[str], wanted: list[str]) -> None:
    missing = [one for one in wanted if not any(line.startswith(one) for line in found)]
    assert not missing, "\n".join(found)
    assert len(found) == len(wanted), "\n".join(found)


def test_everything_that_is_wrong_at_once(pack):
    """First what is wrong with the keys, then what is wrong with the rules."""
    found = problems(pack(WRONG))
    wanted = [
        "3: unknown key 'lexikon' (did you mean 'lexicon'?)",
        "4: stanza: found ['xx'], expected text in one line",
        "7: labels: 'BAD NAME' cannot be a label",
        "9: labels: 'A:C' is given by two patterns",
        "12: erant: 'erant' is no known scheme (did you mean 'errant'?)",
        "12: kagas: found 3, expected a type",
        "13: unknown key 'lema' (did you mean 'lemma'?)",
        "13: insertion: found 'x', expected a number",
        "14: similar: found True, expected a number",
        "16: some: found True (YAML does not read true, false and numbers as text; put it in quotes), expected",
        "17: resources: found no file ",
    ]
    assert_begin(found, wanted)
    wanted = [
        "5: rules[0]: unknown condition 'oparation' (did you mean 'operation'?)",
        "5: rules[0]: unknown property 'lema' (did you mean 'lemma'?)",
        "10: rules[1] (outer)[0]: upos: no token can have the value 'NUON' (did you mean 'NOUN'?)",
        "10: rules[1] (outer)[0]: unknown label 'GOOD'",
        "12: rules[1] (outer)[2]: this rule can never fire: an earlier rule fires wherever it would",
        "13: rules[2]: this rule can never fire: its conditions leave no value for operation",
    ]
    assert_begin(problems(pack(WRONG_RULES)), wanted)
    found = problems(pack("code: xx\nextends: generic\ncounterparts: {NUON: {errant: NOUN}}\n"))
    assert found == ["3: NUON: counterparts: unknown label (did you mean 'NOUN'?)"]
    found = problems(
        pack("code: xx\nextends: generic\ngroups: {NOUN: speling}\nlabel_sets: {ud: {NUON: X}}\n")
    )
    wanted = ["3: NOUN: 'speling' is no group (did you mean 'spelling'?); expected one of adjective, "]  # fmt: skip
    assert_begin(found, wanted)
    assert problems(pack("code: xx\nlabels: {3: x}\n")) == [
        "2: labels: found 3, expected text; put it in quotes"
    ]


def test_the_first_problem_is_raised_when_a_pack_is_used(pack):
    with pytest.raises(PackError, match=r"pack\.yaml:3: unknown key 'lexikon'"):
        load_pack("", pack(WRONG))


RULES = "code: xx\nlabels: {{A: a, B: b}}\nlists: {{some: [NOUN]}}\nrules:\n{}"


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("  - {type: A}\n  - {type: B}\n", 6),
        ("  - {type: A, when: {same: lemma}}\n  - {type: B, when: {same: [lemma, upos]}}\n"
         "  - type: A\n", 6),
        ("  - {type: A, when: {operation: [M, U]}}\n  - {type: B, when: {operation: M}}\n  - type: A\n", 6),
        ("  - {type: A, when: {both: {word: x}}}\n  - {type: B, when: {both: {word: x, upos: X}}}\n"
         "  - type: A\n", 6),
        ("  - {rules: [{type: A}]}\n  - {type: B}\n", 6),
        ("  - {when: {same: upos}, rules: [{type: A}]}\n  - {when: {same: upos}, type: B}\n  - type: A\n", 6),
        ("  - {drop_last: true, when: {same_last: word}}\n  - {type: A, when: {same_last: word}}\n"
         "  - type: A\n", 6),
        ("  - {type: A, when: {operation: [M, U], one_to_one: true}}\n  - type: A\n", 5),
        ("  - {type: A, when: {operation: U, target: {word: x}}}\n  - type: A\n", 5),
        ("  - {type: A, when: {both: {upos: NOUN}, source: {upos: VERB}}}\n  - type: A\n", 5),
        ("  - when: {both: {upos: $some}}\n    rules:\n      - {type: A, when: {target: {upos: VERB}}}\n"
         "  - type: A\n", 7),
        ("  - when: {one_to_one: true}\n    rules:\n      - {type: A, when: {one_to_one: false}}\n"
         "  - type: A\n", 7),
        ("  - when: {source: {known: true}}\n    rules:\n      - {type: A, when: {source: {known: false}}}\n"
         "  - type: A\n", 7),
    ],
)  # fmt: skip
def test_rules_that_can_never_fire(pack, rules, line):
    found = problems(pack(RULES.format(rules)))
    assert len(found) == 1
    assert found[0].startswith(f"{line}: rules[")
    assert "can never fire" in found[0]


@pytest.mark.parametrize(
    "rules",
    [
        "  - {type: A, when: {operation: M}}\n  - {type: B, when: {operation: [M, U]}}\n  - type: A\n",
        "  - {when: {same: upos}, rules: [{type: A, when: {same: xpos}}]}\n  - {when: {same: upos}, type: B}\n"
        "  - type: A\n",
        "  - {type: A, when: {source: {upos: NOUN}}}\n  - {type: B, when: {target: {upos: NOUN}}}\n  - type: A\n",
        "  - {type: A, when: {either: {upos: NOUN}, source: {upos: VERB}}}\n  - type: A\n",
        "  - {type: A, when: {source: {upos: NOUN}, target: {upos: VERB}}}\n  - type: A\n",
        "  - {type: A, when: {any: [{operation: M}, {operation: U}]}}\n  - {type: A, when: {operation: M}}\n"
        "  - type: A\n",
        "  - {type: A, when: {operation: U, source: {word: x}}}\n  - type: A\n",
    ],
)
def test_rules_that_can_fire(pack, rules):
    assert problems(pack(RULES.format(rules))) == []


def test_labels_that_a_pattern_may_make_are_checked(pack):
    rules = (
        "  - {type: '{class}', when: {both: {class: [NOUN, VERB]}}}\n"
        "  - {type: '{names[upos]}', when: {target: {upos: ADJ}}}\n  - type: A\ntables: {names: {NOUN: C}}\n"
    )
    assert problems(pack(RULES.format(rules))) == [
        "5: rules[0]: unknown label 'NOUN'; declare it under labels",
        "5: rules[0]: unknown label 'VERB'; declare it under labels",
        "6: rules[1]: table 'names' has no entry for ADJ",
        "6: rules[1]: unknown label 'C'; declare it under labels",
    ]


def test_a_key_twice(pack):
    with pytest.raises(InputError, match=r"pack\.yaml:3: the key 'code' is given twice, first in line 1"):
        load_pack("", pack("code: xx\nlabels: {}\ncode: yy\n"))
    found = problems(pack("code: xx\nlabels:\n  A: x\n  B: y\n  A: z\n"))
    assert found == ["5: the key 'A' is given twice, first in line 3; remove one"]


def test_a_pack_may_extend_the_installed_one_of_its_code_but_not_itself(pack):
    found = load_pack("", pack("code: en\nextends: en\nname: My English\nlabels: {MINE: x}\n", "mine"))
    assert "MINE" in found.labels
    assert "VERB:SVA" in found.labels
    with pytest.raises(PackError, match="cycle"):
        load_pack("", pack("code: qq\nextends: qq\n", "qq"))


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ("{source: a b, target: a c}", r":4: examples: found neither edits nor never"),
        ("{source: a, target: b, edits: [], nmae: x}", r"unknown key 'nmae' \(did you mean 'name'"),
        ("{source: a, target: b, edits: [[0, 1, b, 'R:OTHR']]}", "'R:OTHR' is not a type of the pack"),
        ("{source: a, target: b, edits: [[0, 1, c, 'R:OTHER']]}", "turn the source into 'c', expected 'b'"),
        ("{source: a, target: b, edits: [[0, 2, c, 'R:OTHER']]}", "reaches outside"),
        ("{source: a, target: b, edits: [[0, 1, b, 'R:NOUN']]}", "found 0 1 'b' R:OTHER, expected 0 1 'b' R:NOUN"),
        ("{source: a, target: b, edits: [[0, 1, b]]}", r"expected \[start, end, correction, type\]"),
        ("{source: [{lemma: a}], target: b, edits: []}", r":4: source: found {'lemma': 'a'}, expected form/upos/"),
        ("{source: [a/b/c/d/e/f/g/h], target: b, edits: []}", r"expected form/upos/lemma/feats/xpos/deprel/"),
        ("{source: [a/X///y/z], target: b, edits: []}", ""),
        ("{source: a, target: [b/////x/2], edits: []}", r":4: target: found head '2', expected the number"),
        ("{source: a, target: [b/////x/-1], edits: []}", r":4: target: found head '-1', expected the number"),
        ("{source: 3, target: b, edits: []}", "expected a string or a list of tokens"),
        ("{source: a, target: b, edits: [], known: a}", r":4: known: found 'a', expected a list"),
        ("{source: a, target: b, never: ['R:NOUN'], given: "
            "true}", r":4: examples: given: found true, expected it together with edits"),
    ],
)  # fmt: skip
def test_wrong_examples(pack, example, problem):
    found = check_pack(pack(f"code: xx\nextends: generic\nexamples:\n  - {example}\n")).problems
    assert len(found) == 1
    assert re.search(problem, found[0]), found


def test_every_wrong_example_is_named_with_its_line(pack):
    folder = pack("code: xx\nextends: generic\nexamples:\n- {source: a, target: b}\n- 7\n"
                  "- source: a\n  target: 3\n  edits: []\n")  # fmt: skip
    assert [line.partition(": ")[0] for line in problems(folder)] == ["4", "5", "7"]
    pack("code: xx\nextends: generic\nexamples: examples.yaml\n")
    file = Path(folder, "examples.yaml")
    file.write_text("- {source: a, target: a, edits: []}\n\n- {source: a, target: b, edits: []}\n", "utf-8")
    (line,) = check_pack(folder).problems
    assert line.startswith(f"{file}:3: examples[1]: its edits turn")


def test_examples_are_run_with_what_they_also_accept(pack):
    example = "{source: a, target: b, edits: [[0, 1, b, 'R:NOUN', ['R:OTHER']]]}"
    assert problems(pack(f"code: xx\nextends: generic\nexamples:\n  - {example}\n")) == []
    folder = pack("code: xx\nextends: generic\nexamples: other.json\n")
    assert problems(folder)
    other = [{"source": "a", "target": "a , b", "edits": [[1, 1, ", b", "M:OTHER"]]}]
    Path(folder, "other.json").write_text(json.dumps(other))
    assert problems(folder) == []


@pytest.mark.parametrize(
    ("known", "type_"), [("[a, word]", "R:SPELL"), ("[a, wrod]", "R:OTHER"), ("[]", "R:OTHER")]
)
def test_an_example_says_which_words_are_known(pack, known, type_):
    example = f"{{source: a wrod, target: a word, known: {known}, edits: [[1, 2, word, '{type_}']]}}"
    checked = check_pack(pack(f"code: xx\nextends: generic\ndictionary: sv_SE\nexamples:\n  - {example}\n"))
    assert checked.problems == ()


def test_given_edits_are_typed_where_they_stand(pack):
    """Aligned, the pair would be two edits; and an edit that changes nothing would be none."""
    edits = "[[0, 2, d, 'R:OTHER'], [2, 3, c, UNK]]"
    example = f"{{source: a b c, target: d c, given: true, edits: {edits}}}"
    assert check_pack(pack(f"code: xx\nextends: generic\nexamples:\n  - {example}\n")).problems == ()


HOOKED = (
    "code: xx\nlabels: {A: a}\nrules:\n  - {name: mine, type: '{mine}', when: {hook: mine}}\n  - type: A\n"
)


@pytest.mark.parametrize(
    ("hooks", "problem"),
    [
        ("CONDITIONS = {'mine': lambda view: True}\nPROPERTIES = {'mine': lambda view, token: 3}\n",
         r"property 'mine' returns 3, expected a string"),
        ("CONDITIONS = {'mine': lambda view: True}\nPROPERTIES = {'mine': lambda view, token: 'B'}\n",
         r"pack\.yaml:4: rules\[0\] \(mine\): unknown label 'B'"),
        ("CONDITIONS = []\n", "CONDITIONS: expected a mapping"),
        ("CONDITIONS = {'mine': 3}\n", "CONDITIONS: expected a mapping from names to functions"),
        ("MERGE = 3\n", "MERGE: expected a function"),
        ("raise SystemError('x')\n", r"hooks\.py fails: SystemError: x"),
    ],
)  # fmt: skip
def test_hooks_that_fail_are_named_with_their_rule(pack, hooks, problem):
    folder = pack(HOOKED + "examples:\n  - {source: a, target: b, edits: [[0, 1, b, 'R:A']]}\n", hooks=hooks)
    found = check_pack(folder).problems
    assert re.search(problem, found[0]), found
    assert "\n" not in found[0]


# Every pack is loaded by test_type_groups.py; CI runs the examples of all.
@pytest.mark.parametrize(
    "code", mostly_for_ci(sorted(known_packs()), "generic", "en", "zh", "ko", "ja", "cs", "hi", "es")
)
def test_built_in_packs_are_sound_and_their_examples_hold(code):
    assert check_pack(code).problems == ()


def test_a_new_pack_passes_at_once_and_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for code in ("da", "no", "qaa"):
        path = new_pack(code)
        assert check_pack(str(path.parent)).problems == ()
        assert load_pack("", str(path.parent)).code == code
    text = path.read_text("utf-8")  # what its comments say about labels holds
    for label, count in (("PART:FORM: null", 0), ("SYM: null", 2)):
        assert label.partition(":")[0] in text
        path.write_text(text.replace("labels: {}", f"labels: {{{label}}}"), "utf-8")
        assert len(check_pack(str(path.parent)).problems) == count
    path.write_text(text.replace("# marks:", "marks:"), "utf-8")
    assert check_pack(str(path.parent)).problems == ()
    spaced = CliRunner().invoke(app, ["packs", "new", "qab", "--folder", "a b"]).output
    assert "jperrant packs check 'a b'" in spaced
    assert "jperrant packs check 'a b'" in (tmp_path / "a b" / "pack.yaml").read_text("utf-8")
    with pytest.raises(UsageError, match="exists already"):
        new_pack("da")
    with pytest.raises(UsageError, match="a pack 'en' exists already"):
        new_pack("en")
    with pytest.raises(UsageError, match="cannot be a language code"):
        new_pack("../x")


def test_describe_runs_no_python(pack):
    folder = pack("code: xx\nextends: generic\nlabels: {MINE: x}\n", hooks="raise SystemExit(1)\n")
    found = describe("", folder)
    assert found["extends"] == ["generic"]
    mine = {"label": "MINE", "group": "other", "description": "x", "example": "", "counterparts": {}}
    assert mine in found["labels"]
    assert json.loads(json.dumps(found)) == found


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_every_label_is_shown_with_an_edit(code):
    shown = {row["label"]: row["example"] for row in describe(code)["labels"]}
    assert [label for label, edit in shown.items() if " → " not in edit] == ["SPACE"] * (code == "en")
    if code == "sl":  # its own examples go before those of the packs that it extends
        assert (shown["NOUN:NUM"], shown["DET:REFL"]) == ("knjiga → knjige", "njegovo → svojo")


def test_the_commands(pack, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert "generic" in run(app, ["packs", "list"]).output
    assert "VERB:SVA" in run(app, ["packs", "show", "en"]).output
    assert json.loads(run(app, ["packs", "show", "en", "--json"]).output)["code"] == "en"
    assert run(app, ["packs", "new", "da"]).exit_code == 0
    found = run(app, ["packs", "check", "da", "generic"])
    assert (found.exit_code, found.output.count("no problems")) == (0, 2)
    wrong = run(app, ["packs", "check", pack(WRONG), "--json"])
    assert wrong.exit_code == 1
    assert len(json.loads(wrong.output)[0]["problems"]) == 11

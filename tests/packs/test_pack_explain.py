"""Why an edit has its type, and near misses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.annotation.pack_check import check_pack, explain, sentences
from jperrant.cli.main import app
from jperrant.packs.pack import load_pack

PACK = """\
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


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "xx"
    path.mkdir()
    (path / "pack.yaml").write_text(PACK, "utf-8")
    return path


def write(folder, old: str, new: str) -> str:
    (folder / "pack.yaml").write_text(PACK.replace(old, new), "utf-8")
    return str(folder)


def test_the_rules_that_were_tried(folder):
    annotator = jperrant.load(pack=str(folder), models="none")
    (explanation,) = explain(
        annotator, *sentences(annotator, "see cat's/NOUN/cat/Case=Gen", "see cat", given=True)
    )
    assert explanation.edit.type == "R:GEN"
    tried = [(step.where.partition(": ")[2], step.fires, step.key) for step in explanation.steps]
    assert tried == [("rules[0] (articles)", False, "source"), ("rules[1] (genitive)", True, "")]
    assert explain(annotator, *sentences(annotator, "a", "a", given=True)) == ()
    (explanation,) = explain(annotator, *sentences(annotator, "a b", "the b", given=False))
    assert [(step.depth, step.fires, step.concludes) for step in explanation.steps] == [
        (0, True, False),
        (1, True, True),
    ]


@pytest.mark.parametrize(
    "source", ["It are red", "I has to going to big houses", "me brother car", "a apple", "he eats a lot of"]
)
def test_the_last_rule_that_was_tried_is_the_one_that_fired(source):
    """Against the function that the rules compile to, with English rules, ``drop_last`` included."""
    annotator = jperrant.load("en")
    for explanation in explain(
        annotator, annotator.parse(source), annotator.parse("I have to go to the big house .")
    ):
        last = explanation.steps[-1]
        assert last.fires
        assert last.concludes


@pytest.mark.parametrize(
    ("source", "target"),
    [("Cat sleeps .", "The cat sleeps ."), ("Cat", "Old cat sleeps"), ("The cat sleeps .", "Cat .")],
)
def test_explanations_go_on_while_either_side_has_a_token(source, target):
    annotator = jperrant.load("en")
    explanations = explain(annotator, annotator.parse(source), annotator.parse(target))
    assert explanations
    assert all(e.steps[-1].concludes and "the last word" not in e.steps[-1].where for e in explanations)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("that cat", "the cat", "which the example lists under never"),
        ('never: ["R:ART"]', 'never: ["R:ATR"]', "'R:ATR' is not a type of the pack"),
        ('never: ["R:ART"]', "never: R:ART", "never: found 'R:ART', expected a list"),
        ('never: ["R:ART"]', "name: x", "given twice"),
        (', never: ["R:ART"]', "", "found neither edits nor never"),
    ],
)
def test_near_misses_and_groups(folder, old, new, problem):
    assert any(problem in line for line in check_pack(write(folder, old, new)).problems)


def test_the_commands(folder):
    run = CliRunner()
    done = run.invoke(app, ["packs", "explain", str(folder), "the cat", "a cat", "--models", "none"])
    assert "0 1  the → a  R:ART" in done.output
    assert "yes xx/pack.yaml:9 (one for another)" in done.output
    done = run.invoke(
        app, ["packs", "explain", str(folder), "the cat", "a cat", "--models", "none", "--json"]
    )
    (edit,) = json.loads(done.output)
    assert (edit["type"], edit["rules"][-1]["fires"], edit["rules"][-1]["fails"]) == ("R:ART", True, None)
    for named in (["--pack", str(folder)], [str(folder)]):
        assert "# genitive" in run.invoke(app, ["packs", "show", *named]).output


def test_how_a_pack_was_measured(folder):
    run = CliRunner()
    assert "ERRANT 3" in next(
        line for line in run.invoke(app, ["packs", "list"]).output.splitlines() if line.startswith("en ")
    )
    write(folder, "extends: generic", "extends: en\nmeasured: nowhere")
    assert load_pack("", str(folder)).code == "xx"

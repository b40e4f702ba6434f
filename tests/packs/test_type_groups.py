"""Groups of types that all languages share, and scores by them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.evaluation.analysis import grouped
from jperrant.evaluation.metrics.base import add_rows
from jperrant.evaluation.statistics.ranking import rank_systems
from jperrant.packs.discovery import known_packs
from jperrant.packs.labels import GROUPS, OTHER, Grouping, group_of
from jperrant.packs.merge import expand
from jperrant.packs.pack import load_pack
from jperrant.packs.read import common_groups

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"


def test_grouping():
    grouping = Grouping({"NOUN": "noun", "NOUN:NUM": "nominal-inflection", "OTHER": "other"})
    types = ["R:NOUN:NUM", "M:NOUN", "U:NOUN:POSS", "R:OTHER", "UNK", "R:NUON", "WS", "Um"]
    found = ["R:nominal-inflection", "M:noun", "U:noun", "R:other", "UNK", "R:other", "other", "Um"]
    assert [grouping(type_) for type_ in types] == found
    assert grouping.unknown == {"NUON", "WS"}


@pytest.mark.parametrize("code", sorted(known_packs()))
def test_every_label_of_a_built_in_pack_has_a_group(code):
    pack = load_pack(code)
    ungrouped = [label for label in pack.labels if group_of(label, pack.keys.groups) == OTHER]
    assert all(pack.keys.groups.get(label) == OTHER for label in ungrouped), ungrouped


def test_where_packs_disagree_the_generic_one_goes_first(tmp_path, monkeypatch):
    packs = {code: tmp_path / code for code in ("aa", "generic", "zz")}
    for code, group in (("aa", "verb"), ("generic", "noun"), ("zz", "adverb")):
        packs[code].mkdir()
        labels = ["BOTH"] if code == "generic" else ["BOTH", code.upper(), "THEIRS"]
        tables = {"code": code, "labels": dict.fromkeys(labels, ""), "groups": dict.fromkeys(labels, group)}
        text = json.dumps(tables)
        (packs[code] / "pack.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setattr("jperrant.packs.discovery.known_packs", lambda: packs)
    common = common_groups()
    assert common["BOTH"] == "noun"
    assert [common[label] for label in ("ZZ", "AA", "THEIRS")] == ["adverb", "verb", "verb"]


def test_labels_have_counterparts_in_errant():
    # ERRANT has nothing like measure words, counters and placeholders.
    without = {"zh": {"MC", "QUANT"}, "ja": {"QUANT"}}
    for code in known_packs():
        pack = load_pack(code)
        lacking = {label for label in pack.labels if not pack.keys.counterparts.get(label, {}).get("errant")}
        assert lacking == without.get(code, set()), code


def test_built_in_packs_agree_on_the_group_of_a_label():
    common = common_groups()
    for code in known_packs():
        pack = load_pack(code)
        for label in pack.labels:
            assert group_of(label, pack.keys.groups) == common[label], (code, label)


def test_a_label_means_one_thing_in_all_packs():
    """What stands before the colon is the meaning; after it a pack says how its language shows it."""
    meanings: dict[str, set[str]] = {}
    for code in known_packs():
        for label, description in load_pack(code).labels.items():
            meanings.setdefault(label, set()).add(description.partition(": ")[0])
    assert {label: found for label, found in meanings.items() if len(found) > 1} == {}
    assert len(meanings) > 150


def test_grouping_adds_up_and_changes_nothing_else():
    [score] = jperrant.score(str(CONLL14 / "conll14-AMU.errant"), str(CONLL14 / "conll14.errant"))
    found = grouped(score, Grouping(common_groups()))
    assert found.values == score.values
    assert found.total == score.total
    assert add_rows(found.by_type.values(), 3) == add_rows(score.by_type.values(), 3)
    assert found.by_type["R:spelling"] == score.by_type["R:SPELL"]
    assert {type_.partition(":")[2] for type_ in found.by_type} <= set(GROUPS)


def test_grouping_changes_no_ranking(short_conll: Path):
    """Sentences count with their best reference, whichever was chosen for the totals."""
    files = [str(short_conll / f"conll14-{name}.errant") for name in ("AMU", "CAMB")]
    scores = jperrant.score(files, str(short_conll / "conll14.errant"), metrics=["cleme2"])
    found = [grouped(score, Grouping(common_groups())) for score in scores]
    assert rank_systems(found) == rank_systems(scores)


def test_score_by_groups():
    files = [str(CONLL14 / name) for name in ("conll14-AMU.errant", "conll14.errant")]
    found = CliRunner().invoke(app, ["score", *files[:-1], "--ref", files[-1], "--groups"])
    assert found.exit_code == 0
    assert "verbal-inflection" in found.output
    assert "VERB:SVA" not in found.output


def test_patterns_of_labels():
    assert [expand(pattern) for pattern in ("NOUN", "{A,B}", "{A, B}:X", "A:{C}")] == [
        ["NOUN"], ["A", "B"], ["A:X", "B:X"], ["A:C"],
    ]  # fmt: skip
    assert expand("{A,B}:{C,D}") == ["A:C", "A:D", "B:C", "B:D"]


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("hyphens", "ORTH:HYPHEN"), ("elision", "ELISION"), ("words that sound alike", "SPELL:HOMOPHONE"),
        ("reflexive,", "VERB:REFL"), ("place of a clitic", "PRON:PLACE"), ("of a participle", "VERB:AGR"),
        ("choice of the copula", "AUX:COPULA"), ("second place", "WO:V2"),
    ],
)  # fmt: skip
def test_what_several_languages_have_has_one_name(words, label):
    labels = {key: text for code in known_packs() for key, text in load_pack(code).labels.items()}
    assert [key for key, text in labels.items() if words in text.partition(": ")[0]] == [label]

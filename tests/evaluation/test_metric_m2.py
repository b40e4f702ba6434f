"""The metric ``m2`` on blocks and files: figures on CoNLL-2014, types, levels, notes, empty and odd input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jperrant.core.errors import EditError, InputError
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.maxmatch import MaxMatchScorer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.scorers import make_scorer
from jperrant.evaluation.scoring import score

CONLL = Path(__file__).parents[1] / "data" / "conll14"
GOLD = str(CONLL / "conll14.errant")
#: Correct, proposed, gold and the mean F of sentences: the published scorer's counts, with conll14.errant as gold.
EXPECTED = {
    "AMU": (513, 1227, 2446, 0.38387258146523434),
    "CAMB": (779, 1964, 2653, 0.3548836379009659),
    "IITB": (29, 91, 2092, 0.3173189181668602),
    "INPUT": (0, 0, 2070, 0.3132621951219512),
}
CASES = {
    case["name"]: case
    for case in json.loads(
        (Path(__file__).parents[1] / "data" / "maxmatch" / "cases.json").read_text("utf-8")
    )
}


def block(source: str, *annotators: tuple[Edit, ...]) -> Block:
    return Block(tuple(source.split()), tuple(Annotation(n, edits) for n, edits in enumerate(annotators)))


def score_blocks(hypothesis: list[Block], references: list[Block], **options: object) -> Score:
    [result] = score(hypothesis, references, metrics=make_scorer("m2", **options))
    return result


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("system", EXPECTED)
def test_conll14_has_the_counts_of_the_published_scorer(system: str) -> None:
    correct, proposed, gold, mean = EXPECTED[system]
    [result] = score(str(CONLL / f"conll14-{system}.errant"), GOLD, metrics="m2")
    assert result.counts == {"correct": correct, "proposed": proposed, "gold": gold}
    precision = correct / proposed if proposed else 1
    f = 1.25 * correct / (0.25 * gold + proposed)
    assert result.values == pytest.approx({"precision": precision, "recall": correct / gold, "f": f})
    # The sentence level chooses among the same candidates.
    sentence = MaxMatchScorer(level="sentence")
    rows = [candidate.row for candidate in sentence.combine(result.candidates)]
    assert sum(row[5] for row in rows) / len(rows) == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("name", ["three_sentences", "order_of_sentences", "noop_of_another_annotator"])
def test_chosen_annotators_are_those_of_the_published_scorer(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    (tmp_path / "gold.m2").write_text(case["gold"], "utf-8")
    sources = [line[2:] for line in case["gold"].split("\n") if line.startswith("S ")]
    system = [
        block(source, (Edit(0, len(source.split()), tuple(text.split()), "R:OTHER"),))
        for source, text in zip(sources, case["hypotheses"], strict=True)
    ]
    [result] = score(system, str(tmp_path / "gold.m2"), metrics="m2")
    assert [candidate.reference for candidate in result.combined] == case["chosen"]
    assert (result.counts["correct"], result.counts["proposed"]) == (case["correct"], case["proposed"])
    assert result.values["f"] == pytest.approx(case["f"], abs=5e-5)


SOURCE = "My friend swim in lake ."
GOLD_EDITS = (Edit(2, 3, ("swims",), "SVA"), Edit(4, 4, ("the",), "ArtOrDet", alternatives=(("a",),)))


def test_edits_count_by_operation_and_type_of_the_gold_edits() -> None:
    system = block(SOURCE, (Edit(0, 1, (), "U:X"), Edit(4, 5, ("a", "lake"), "R:X")))
    result = score_blocks([system], [block(SOURCE, GOLD_EDITS)])
    counts = {type_: row[:3] for type_, row in result.by_type.items()}
    assert counts == {"M:ArtOrDet": (1, 1, 1), "R:SVA": (0, 0, 1), "U:UNMATCHED": (0, 1, 0)}


def test_how_the_system_file_cuts_its_edits_does_not_matter() -> None:
    one = block(SOURCE, (Edit(2, 5, ("swims", "in", "the", "lake"), "R:OTHER"),))
    assert score_blocks([one], [block(SOURCE, GOLD_EDITS)]).values["f"] == 1


def test_several_texts_of_a_system_are_alternatives() -> None:
    system = block(SOURCE, (Edit(0, 1, (), "U:X"),), GOLD_EDITS)
    [chosen] = score_blocks([system], [block(SOURCE, GOLD_EDITS)]).combined
    assert (chosen.hypothesis, chosen.row[:3]) == (1, (2, 2, 2))


def test_the_order_of_sentences_can_decide_and_is_then_noted() -> None:
    case = CASES["order_of_sentences"]
    first = block("p q r", (Edit(0, 1, ("1",), "X"), Edit(1, 2, ("8",), "X")), GOLD_EDITS[:0])
    assert case["chosen"] == [0, 0]
    system = [block("p q r", (Edit(0, 1, ("1",), "X"),)), block("p q r", (Edit(0, 1, ("2",), "X"),))]
    result = score_blocks(system, [first, block("p q r", (Edit(0, 1, ("2",), "X"),))])
    backwards = score_blocks(system[::-1], [block("p q r", (Edit(0, 1, ("2",), "X"),)), first])
    differs = result.counts != backwards.counts
    assert any("order of sentences" in line for line in result.warnings) == differs


def test_a_sentence_with_too_many_arcs_is_noted() -> None:
    source, text = [f"a{n}" for n in range(80)], tuple(f"b{n}" for n in range(80))
    system = block(" ".join(source), (Edit(0, 80, text, "R:OTHER"),))
    result = score_blocks([system], [system])
    assert result.values["f"] == 1
    assert any("sentence 1 (counted from 1)" in line for line in result.warnings)


def test_equal_gold_edits_are_noted() -> None:
    the = Edit(4, 4, ("the",), "M:DET")
    result = score_blocks([block(SOURCE, (the,))], [block(SOURCE, (the, the))])
    assert result.counts == {"correct": 2, "proposed": 1, "gold": 2}
    assert any("equal gold edits" in line for line in result.warnings)


@pytest.mark.parametrize("level", ["corpus", "sentence"])
@pytest.mark.parametrize(
    ("system", "gold", "expected"),
    [
        (block(""), block(""), (1, 1, 1)),
        (block("p"), block("p"), (1, 1, 1)),
        (block("p q"), block("p q", (Edit(0, 1, ("1",), "R:X"),)), (1, 0, 0)),
        (block("p q", (Edit(0, 1, ("1",), "R:X"),)), block("p q"), (0, 1, 0)),
        (block("p", (Edit(0, 1, (), "U:X"),)), block("p", (Edit(0, 1, None, "UNK"),)), (1, 1, 1)),
    ],
    ids=["empty", "one token", "system unchanged", "reference unchanged", "everything deleted"],
)
def test_odd_sentences_have_defined_values(
    level: str, system: Block, gold: Block, expected: tuple[float, float, float]
) -> None:
    result = score_blocks([system], [gold], level=level)
    assert tuple(result.values.values()) == expected


def test_no_sentences_have_the_values_of_nothing_done_wrong() -> None:
    [result] = evaluate(MaxMatchScorer(), [Pair([], [])])
    assert result.values == {"precision": 1, "recall": 1, "f": 1}


def test_input_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    overlapping = block("p q r", (Edit(0, 2, (), "U:X"), Edit(1, 3, (), "U:X")))
    with pytest.raises(EditError, match="sentence 2 "):
        score_blocks([block("p q r"), overlapping], [block("p q r")] * 2)
    (tmp_path / "overlapping.m2").write_text(format_block(overlapping), "utf-8")
    with pytest.raises(InputError, match=r"overlapping\.m2: sentence 1 "):
        score(str(tmp_path / "overlapping.m2"), [block("p q r")], metrics="m2")


def test_gold_edits_may_overlap() -> None:
    gold = block("p q r", (Edit(0, 2, (), "U:X"), Edit(1, 3, (), "U:Y")))
    result = score_blocks([block("p q r", (Edit(1, 3, (), "U:X"),))], [gold])
    assert result.counts == {"correct": 1, "proposed": 1, "gold": 2}


def test_the_signature_names_every_option() -> None:
    scorer = MaxMatchScorer(max_unchanged_words=3, ignore_whitespace_casing=True, level="sentence", beta=1)
    assert scorer.settings == ("lvl:sentence", "beta:1", "unchanged:3", "casing:ignored")

"""GoToScorer against the published program: chunks, weights and counts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from jperrant.core.errors import EditError
from jperrant.core.values import Block, Edit
from jperrant.evaluation.metrics.goto import (
    Chunk,
    Verdict,
    chunks_of,
    difficulty,
    verdicts,
    weighted_counts,
)
from jperrant.io.m2 import FormatDeviations, parse_m2
from tests import strategies

CASES = json.loads((Path(__file__).parents[1] / "data" / "goto" / "cases.json").read_text("utf-8"))


def blocks_of(m2: str) -> list[Block]:
    return list(parse_m2(m2.split("\n"), "case", FormatDeviations()))


def chunks_by(blocks: Sequence[Block], annotator: int) -> list[list[Chunk]]:
    found = [(block, block.annotation(annotator)) for block in blocks]
    return [chunks_of(block.source, annotation.edits if annotation else ()) for block, annotation in found]


def verdicts_of(case: Mapping[str, Any]) -> tuple[list[list[Chunk]], list[list[list[Verdict]]]]:
    """Return the chunks of each sentence, and for each sentence the verdicts on each system."""
    gold = chunks_by(blocks_of(case["gold"]), case["reference"])
    hypotheses = blocks_of(case["hypotheses"])
    systems = [chunks_by(hypotheses, number) for number in range(len(case["systems"]))]
    return gold, [
        [verdicts(chunks, sentence) for sentence in row]
        for chunks, row in zip(gold, zip(*systems, strict=True), strict=True)
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_right_systems_of_each_chunk_are_those_of_the_published_program(case: Mapping[str, Any]) -> None:
    _, sentences = verdicts_of(case)
    right = [
        [sum(verdict.right for verdict in column) for column in zip(*systems, strict=True)]
        for systems in sentences
    ]
    assert right == case["right"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_counts_are_those_of_the_published_program(case: Mapping[str, Any]) -> None:
    gold, sentences = verdicts_of(case)
    for number, expected in enumerate(case["systems"]):
        rows = [
            weighted_counts(chunks, systems[number], difficulty(systems))[0]
            for chunks, systems in zip(gold, sentences, strict=True)
        ]
        totals = [sum(column) for column in zip(*rows, strict=True)]
        assert totals == pytest.approx([expected[name] for name in ("tp", "fp", "fn", "tn")], abs=5e-5)


def test_types_are_those_of_the_reference_or_else_of_the_system() -> None:
    source = ("They", "swimming", ".")
    gold = chunks_of(source, [Edit(1, 1, ("were",), "M:VERB:TENSE")])
    system = chunks_of(source, [Edit(2, 3, ("!",), "R:PUNCT")])
    verdict = verdicts(gold, system)
    total, by_type = weighted_counts(gold, verdict, [0.5] * len(gold))
    assert by_type == {"M:VERB:TENSE": (0, 0, 0.5, 0), "R:PUNCT": (0, 0.5, 0, 0)}
    assert total == (0, 0.5, 0.5, 0.5 * (len(gold) - 2))


@given(strategies.blocks())
def test_chunks_cover_every_token_once_and_give_the_corrected_text(block: Block) -> None:
    for annotation in block.annotations:
        chunks = chunks_of(block.source, annotation.edits)
        assert [token for c in chunks for token in block.source[c.start : c.end]] == list(block.source)
        assert [(c.start, c.end, c.correction) for c in chunks if c.edited] == [
            (e.start, e.end, e.correction) for e in annotation.edits if not e.is_detection
        ]


@given(strategies.blocks())
def test_a_system_equal_to_the_reference_is_right_everywhere(block: Block) -> None:
    for annotation in block.annotations:
        chunks = chunks_of(block.source, annotation.edits)
        assert all(verdict.right for verdict in verdicts(chunks, chunks))
        assert difficulty([verdicts(chunks, chunks)]) == (0.0,) * len(chunks)


def test_an_empty_sentence_has_one_empty_chunk() -> None:
    assert chunks_of((), ()) == [Chunk(0, 0, ())]


@pytest.mark.parametrize("edits", [[Edit(0, 2, (), "U:X"), Edit(1, 2, (), "U:X")], [Edit(1, 4, (), "U:X")]])
def test_edits_without_chunks_are_named(edits: list[Edit]) -> None:
    with pytest.raises(EditError, match=r"edit 1 [24] "):
        chunks_of(("p", "q"), edits)

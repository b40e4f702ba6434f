"""Given the same annotation, jperrant writes what ERRANT 3.0.2 wrote, byte for byte."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import jperrant
from jperrant.core.edits import apply_edits
from jperrant.core.values import Parallel, format_block
from jperrant.io.conllu_files import parse_conllu
from jperrant.io.m2 import FormatDeviations, parse_m2

DATA = Path(__file__).parents[1] / "data"


def unzip(name: str) -> str:
    return gzip.decompress((DATA / "errant" / name).read_bytes()).decode()


def conllu(tokens: list[list[object]]) -> list[str]:
    rows = [
        "\t".join(map(str, (n, form, lemma, upos, xpos, "_", head, deprel, "_", "_")))
        for n, (form, upos, xpos, lemma, deprel, head) in enumerate(tokens, start=1)
    ]
    return ["# text", *rows, ""]


@pytest.fixture(scope="module")
def records() -> list[Parallel]:
    pairs = json.loads(unzip("pairs.json.gz"))
    sides = [
        list(parse_conllu([line for pair in pairs for line in conllu(pair[side])], side))
        for side in ("orig", "cor")
    ]
    return [Parallel(source, (target,)) for source, target in zip(*sides, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("merging", "lev"),
    [("rules", False), ("all-split", False), ("all-merge", False), ("all-equal", False), ("rules", True)],
)
def test_m2_of_the_stored_sample(records, merging, lev):
    annotator = jperrant.load("en", models="none", merging=merging, lev=lev)
    expected = unzip(f"{merging}{'-lev' if lev else ''}.m2.gz")
    found = [format_block(block) for block in annotator.annotate_many(records)]
    assert len(found) == 460
    for ours, theirs in zip(found, expected.split("\n\n"), strict=False):
        assert ours == theirs + "\n\n"
    assert "".join(found) == expected


def test_the_sample_is_in_our_dialect_and_leads_to_the_target(records):
    blocks = list(
        parse_m2(unzip("rules.m2.gz").removesuffix("\n").split("\n"), "sample", FormatDeviations(strict=True))
    )
    assert len(blocks) == len(records)
    for block, record in zip(blocks, records, strict=True):
        # Edits of type UNK mark and do not correct; ERRANT's restate the source.
        assert apply_edits(block.source, block.annotations[0].edits) == record.corrections[0].forms

"""Spans outside their sentence: one rule in every reader, tool and metric."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import FormatError, InputError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.io.m2 import FormatDeviationWarning, read_m2
from jperrant.m2tools.dialects import corrected_lines
from jperrant.m2tools.retokenise import to_characters, to_tokens_of

TAIL = "|||REQUIRED|||-NONE-|||0"
#: Spans as written on the sentence "a b c", and the part inside.
SPANS = {
    "0 999": (0, 3),
    "0 99999999": (0, 3),
    "7 9": (3, 3),
    "-5 2": (0, 2),
    "-7 -5": (0, 0),
    "2 1": (2, 2),
    f"0 {'9' * 5000}": (0, 3),
    f"-{'9' * 5000} 1": (0, 1),
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, tuple[Path, Path]]:
    """For each span a file that has it as written, and one that has the part inside."""
    paths = {}
    for number, (span, (start, end)) in enumerate(SPANS.items()):
        wild, tame = tmp_path / f"{number}.m2", tmp_path / f"{number}.inside.m2"
        wild.write_text(f"S a b c\nA {span}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        tame.write_text(f"S a b c\nA {start} {end}|||R:X|||d{TAIL}\n\n", encoding="utf-8")
        paths[span] = wild, tame
    return paths


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jperrant.io.m2.FormatDeviationWarning")
@pytest.mark.parametrize("metric", ["errant", "cleme", "cleme2"])
@pytest.mark.parametrize("span", SPANS)
def test_every_metric_scores_the_part_inside(
    files: dict[str, tuple[Path, Path]], metric: str, span: str
) -> None:
    wild, tame = files[span]
    for hyp, ref in ((wild, tame), (tame, wild), (wild, wild)):
        [score] = jperrant.score(hyp, ref, metrics=metric)
        [expected] = jperrant.score(tame, tame, metrics=metric)
        assert score.counts == expected.counts
        assert any("span outside the sentence" in note for note in score.warnings)


@pytest.mark.parametrize("span", SPANS)
@pytest.mark.parametrize("mode", ["cs", "cse", "ds", "dt"])
def test_no_mode_counts_more_tokens_than_there_are(
    files: dict[str, tuple[Path, Path]], mode: str, span: str
) -> None:
    wild, _ = files[span]
    [score] = jperrant.score(wild, wild, metrics=f"errant:mode={mode}")
    assert 1 <= score.counts["tp"] <= 3
    assert score.counts["fp"] == score.counts["fn"] == 0


def test_blocks_in_memory_follow_the_rule() -> None:
    wild = [Block(("a",), (Annotation(0, (Edit(0, 10**12, ("b",), "R:X"),)),))]
    [score] = jperrant.score(wild, wild, metrics="errant:mode=dt")
    assert score.counts["tp"] == 1
    assert any("1 edit outside the sentence is clipped" in note for note in score.warnings)
    with pytest.raises(InputError, match="sentence 1 has 1 edit outside"):
        jperrant.score(wild, wild, strict=True)


@pytest.mark.parametrize("span", SPANS)
def test_tools_take_the_part_inside(files: dict[str, tuple[Path, Path]], span: str) -> None:
    wild, tame = files[span]
    with pytest.warns(FormatDeviationWarning, match="span outside the sentence"):
        blocks = list(read_m2(str(wild)))
    assert blocks == list(read_m2(str(tame), strict=True))
    [edit] = next(to_characters(blocks)).annotations[0].edits
    assert (edit.start, edit.end) == SPANS[span]
    other = [Block(("ab", "c"), blocks[0].annotations)]
    assert next(to_tokens_of(blocks, other, "a", "b")).source == ("ab", "c")
    assert list(corrected_lines(blocks))
    with pytest.raises(FormatError, match=":2: span outside the sentence"):
        list(read_m2(str(wild), strict=True))


def test_retokenising_blocks_in_memory() -> None:
    for start, end in ((0, 9), (7, 9), (-5, 1), (-7, -6), (2, 1)):
        wild = Block(("a", "b"), (Annotation(0, (Edit(start, end, ("c",), "R:X"),)),))
        tame = Block(("ab",), (Annotation(0, (Edit(0, 1, ("c",), "R:X"),)),))
        for blocks, models in (([wild], [tame]), ([tame], [wild]), ([wild], [wild])):
            for block in to_tokens_of(blocks, models, "a", "b"):
                jperrant.io.m2.write_m2([block], io.StringIO())
        [block] = to_characters([wild])
        jperrant.io.m2.write_m2([block], io.StringIO())

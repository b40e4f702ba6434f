"""The human ceiling of annotators who looked at different sentences."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import FormatError, UsageError
from jperrant.reporting.agreement import format_agreement

#: 0 and 1 looked at the first sentence and agree; 1 and 2 looked at the second and differ.
PARTS = """S a b c
A 0 1|||R:OTHER|||x|||REQUIRED|||-NONE-|||0
A 0 1|||R:OTHER|||x|||REQUIRED|||-NONE-|||1

S d e f
A 1 2|||R:OTHER|||x|||REQUIRED|||-NONE-|||1
A 1 2|||R:OTHER|||y|||REQUIRED|||-NONE-|||2

"""


@pytest.fixture
def parts(tmp_path: Path) -> str:
    (tmp_path / "parts.m2").write_text(PARTS, encoding="utf-8")
    return str(tmp_path / "parts.m2")


@pytest.mark.parametrize(("metric", "agreed", "differing"), [("errant", 1.0, 0.0), ("wer", 0.0, 1 / 3)])
def test_annotators_who_share_no_sentence_have_no_score_against_each_other(
    parts: str, metric: str, agreed: float, differing: float
) -> None:
    [ceiling] = jperrant.agreement(parts, metrics=[metric], samples=20).ceilings
    found = {(s.annotator, s.references): (s.sets, s.mean) for s in ceiling.scores}
    middle = (agreed + differing) / 2
    assert found["0", 1] == (1, agreed)
    assert found["2", 1] == (1, pytest.approx(differing))
    assert found["1", 1] == (2, pytest.approx(middle if metric == "errant" else differing / 2))
    assert ceiling.ceilings[0].mean == pytest.approx((agreed + differing + found["1", 1][1]) / 3)
    assert all(
        math.isnan(value) for pair in (("0", "2"), ("2", "0")) for value in ceiling.pairs[pair].values()
    )
    assert "refs:1|" in ceiling.signature


def test_gotoscorer_leaves_out_sets_whose_annotator_shares_no_sentence(parts: str) -> None:
    [ceiling] = jperrant.agreement(parts, metrics=["goto:unweighted=yes"]).ceilings
    found = {(s.annotator, s.references): s.sets for s in ceiling.scores}
    assert found == {("0", 1): 1, ("1", 1): 2, ("2", 1): 1, ("0", 2): 1, ("1", 2): 1, ("2", 2): 0}
    with pytest.raises(UsageError, match="no annotator 2"):
        jperrant.agreement(parts, metrics=["goto:reference=2"])


def test_edits_that_a_metric_cannot_use_are_named_where_they_stand(parts: str) -> None:
    """Not by their number among the sentences, or the annotators, that are scored together."""
    overlapping = PARTS.replace(
        "1 2|||R:OTHER|||y", "0 2|||R:OTHER|||y|||REQUIRED|||-NONE-|||2\nA 1 3|||R:OTHER|||z"
    )
    Path(parts).write_text(overlapping, encoding="utf-8")
    assert jperrant.agreement(parts, metrics=["errant"]).ceilings
    for metric in ("cleme2", "gleu"):
        with pytest.raises(FormatError, match=r"parts\.m2:8: overlapping edits: 0 2 and 1 3"):
            jperrant.agreement(parts, metrics=["errant", metric])


def test_rows_of_one_metric_with_several_options_say_which(parts: str) -> None:
    agreed = jperrant.agreement(parts, metrics=["errant", "gleu", "errant:mode=ds"])
    rows = [line.split("\t") for line in format_agreement(agreed, "tsv", tables=["ceiling"]).splitlines()]
    assert [row[0] for row in rows[1:] if row[1] == "1"] == ["errant mode:cs f", "gleu", "errant mode:ds f"]

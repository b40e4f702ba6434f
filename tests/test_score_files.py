"""Scoring files: what is refused, what is read leniently."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.errors import FormatError, UsageError
from jperrant.evaluation.run import score_files


def test_files_that_cannot_be_scored(tmp_path: Path) -> None:
    empty, good, bad = tmp_path / "empty.m2", tmp_path / "good.m2", tmp_path / "bad.m2"
    empty.write_text("\n\n")
    good.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    bad.write_text("S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||me\n")
    with pytest.raises(FormatError, match=r"empty\.m2: found no sentences"):
        score_files([str(empty), str(good)])
    with pytest.raises(FormatError, match=r"bad\.m2:2: annotator 'me' is not a number"):
        score_files([str(good), str(bad)])
    with pytest.raises(UsageError, match=r"HYP... REF with the references last"):
        score_files([str(good)])
    [score] = score_files([str(good), str(good)], options={"beta": 1})
    assert score.values["f"] == 1.0


def test_what_was_read_leniently_is_said(tmp_path: Path) -> None:
    odd = tmp_path / "odd.m2"
    odd.write_text("S a b\nA  0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    [score] = score_files([str(odd), str(odd)])
    assert all("unusual white space in the span" in line for line in score.warnings)
    with pytest.raises(FormatError, match=r"odd\.m2:2"):
        score_files([str(odd), str(odd)], strict=True)

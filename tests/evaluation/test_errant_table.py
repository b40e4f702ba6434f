"""ERRANT's printed layout, character by character as errant_compare 3.0.2 printed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.score import evaluate
from jperrant.evaluation.reading import load_pairs
from jperrant.reporting.errant_table import format_compare, verbose_lines

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"

AMU_BY_OPERATION = """
===================== Span-Based Correction ======================
Category       TP       FP       FN       P        R        F0.5
M              57       70       345      0.4488   0.1418   0.3132
R              426      725      1166     0.3701   0.2676   0.3438
U              0        0        423      1.0      0.0      0.0

=========== Span-Based Correction ============
TP	FP	FN	Prec	Rec	F0.5
483	795	1934	0.3779	0.1998	0.3208
==============================================

"""

VERBOSE = """\
----------------------------------------
Original sentence 0: a b c
----------------------------------------
SENTENCE 0 - HYP 0 - REF 0
HYPOTHESIS EDITS : [(0, 1, 'x', 'R:NOUN'), (2, 2, 'the', 'M:DET')]
REFERENCE EDITS  : [(0, 1, 'x', 'R:NOUN'), (1, 2, '', 'U:VERB')]
Local TP/FP/FN   : 1 1 1
Local P/R/F0.5  : 0.5 0.5 0.5
Global TP/FP/FN  : 1 1 1
Global P/R/F0.5  : 0.5 0.5 0.5
----------------------------------------
^^ HYP 0, REF 0 chosen for sentence 0
Local results:
   Category   TP   FP   FN
     R:NOUN    1    0    0
      M:DET    0    1    0
     U:VERB    0    0    1
"""


def test_table_by_operation() -> None:
    pairs = load_pairs([str(CONLL14 / "conll14-AMU.errant")], str(CONLL14 / "conll14.errant"))
    [score] = evaluate(ErrantScorer(), pairs)
    assert format_compare(score, ErrantScorer(), 1) == AMU_BY_OPERATION
    overall = AMU_BY_OPERATION[AMU_BY_OPERATION.index("\n\n=") + 2 :]
    assert format_compare(score, ErrantScorer()) == "\n" + overall


R_NOUN, M_DET = Edit(0, 1, ("x",), "R:NOUN"), Edit(2, 2, ("the",), "M:DET")
HYP = Block(("a", "b", "c"), (Annotation(0, (R_NOUN, M_DET)),))
REF = Block(("a", "b", "c"), (Annotation(0, (R_NOUN, Edit(1, 2, (), "U:VERB"))),))


def test_verbose_block() -> None:
    pair = Pair([HYP], [REF])
    [score] = evaluate(ErrantScorer(), [pair])
    assert "\n".join(verbose_lines(score, ErrantScorer(), pair)) + "\n" == VERBOSE


def test_verbose_shows_every_candidate_and_running_totals() -> None:
    second = Block(REF.source, (*REF.annotations, Annotation(1)))
    pair = Pair([HYP, Block(HYP.source)], [REF, second])
    [score] = evaluate(ErrantScorer(beta=1), [pair])
    lines = list(verbose_lines(score, ErrantScorer(beta=1), pair))
    at = lines.index("SENTENCE 1 - HYP 0 - REF 1")
    assert lines[at + 1 : at + 7] == [
        "HYPOTHESIS EDITS : []", "REFERENCE EDITS  : []", "Local TP/FP/FN   : 0 0 0",
        "Local P/R/F1.0  : 1.0 1.0 1.0", "Global TP/FP/FN  : 1 1 1", "Global P/R/F1.0  : 0.5 0.5 0.5",
    ]  # fmt: skip
    assert lines[-3:] == [
        "^^ HYP 0, REF 1 chosen for sentence 1",
        "Local results:",
        "   Category   TP   FP   FN",
    ]


@pytest.mark.parametrize(
    ("mode", "wide", "narrow"),
    [
        ("dt", "===================== Token-Based Detection ======================",
         "=========== Token-Based Detection ============"),
        ("ds", "====================== Span-Based Detection ======================",
         "============ Span-Based Detection ============"),
        ("cse", "============= Span-Based Correction + Classification =============",
         "=== Span-Based Correction + Classification ==="),
    ],
)  # fmt: skip
def test_titles(mode: str, wide: str, narrow: str) -> None:
    [score] = evaluate(ErrantScorer(mode), [Pair([HYP], [REF])])
    lines = format_compare(score, ErrantScorer(mode), 3).split("\n")
    assert lines[1] == wide
    assert narrow in lines


def test_long_names_push_the_columns_and_f_names_beta() -> None:
    hyp = Block(("a",), (Annotation(0, (Edit(0, 1, ("b",), "R:VERB:INFL:LONG"),)),))
    [score] = evaluate(ErrantScorer(beta=2), [Pair([hyp], [hyp])])
    lines = format_compare(score, ErrantScorer(beta=2), 3).split("\n")
    assert lines[2].endswith("F2.0")
    assert lines[3] == "R:VERB:INFL:LONG 1        0        0        1.0      1.0      1.0"


def test_scores_without_any_edit() -> None:
    noop = Block(("a",), (Annotation(0),))
    [score] = evaluate(ErrantScorer(), [Pair([noop], [noop])])
    assert "0\t0\t0\t1.0\t1.0\t1.0" in format_compare(score, ErrantScorer(), 3)

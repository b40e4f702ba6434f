"""ERRANT's score: figures, choices of references, laws, and the layout that errant_compare 3.0.2 prints."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.errors import UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.analysis import category, rows_by_category
from jperrant.evaluation.metric_names import make_scorer
from jperrant.evaluation.metrics.base import Candidate, Pair
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.fmeasure import f_measure, f_measures
from jperrant.evaluation.metrics.system_score import Score, evaluate
from jperrant.reporting.errant_table import format_compare, verbose_lines

OPTIONS: tuple[dict[str, Any], ...] = (
    {}, {"mode": "ds"}, {"mode": "dt"}, {"mode": "cse"}, {"beta": 1}, {"single": True}, {"multi": True},
)  # fmt: skip
#: Printed by errant_compare 3.0.2: TP/FP/FN/P/R/F of each system, in the order of OPTIONS.
GOLDEN = {
    "AMU": "483/795/1934/0.3779/0.1998/0.3208 622/656/1903/0.4867/0.2463/0.4072 "
    "721/564/2242/0.5611/0.2433/0.4449 481/797/1936/0.3764/0.199/0.3194 482/796/1926/0.3772/0.2002/0.2615 "
    "471/731/1482/0.3918/0.2412/0.3483 12/64/250/0.1579/0.0458/0.106",
    "CAMB": "725/1329/1886/0.353/0.2777/0.3348 928/1126/1808/0.4518/0.3392/0.4237 "
    "1164/1040/2200/0.5281/0.346/0.4778 720/1334/1891/0.3505/0.2758/0.3325 "
    "723/1331/1871/0.352/0.2787/0.3111 682/1201/1429/0.3622/0.3231/0.3536 45/126/244/0.2632/0.1557/0.2312",
    "IITB": "28/65/2064/0.3011/0.0134/0.0568 42/51/2063/0.4516/0.02/0.0848 54/44/2381/0.551/0.0222/0.0955 "
    "28/65/2064/0.3011/0.0134/0.0568 28/65/2064/0.3011/0.0134/0.0256 26/60/1617/0.3023/0.0158/0.0654 "
    "2/5/252/0.2857/0.0079/0.0355",
    "INPUT": "0/0/2070/1.0/0.0/0.0 0/0/2070/1.0/0.0/0.0 0/0/2380/1.0/0.0/0.0 0/0/2070/1.0/0.0/0.0 "
    "0/0/2070/1.0/0.0/0.0 0/0/1626/1.0/0.0/0.0 0/0/248/1.0/0.0/0.0",
}


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize("at", range(len(OPTIONS)))
def test_golden_numbers(conll14: dict[str, Pair], at: int) -> None:
    scores = evaluate(make_scorer("errant", **OPTIONS[at]), list(conll14.values()))
    for system, score in zip(conll14, scores, strict=True):
        figures = [*score.counts.values(), *(round(v, 4) for v in score.values.values())]
        assert "/".join(map(str, figures)) == GOLDEN[system].split()[at], system


def test_choice_depends_on_beta_and_order(conll14: dict[str, Pair]) -> None:
    """As measured with errant_compare: 722 to 724, in the order of the file 723."""
    sentences = list(zip(conll14["CAMB"].hypothesis, conll14["CAMB"].references, strict=True))
    assert run(ErrantScorer(beta=1), sentences).total[0] == 723
    for seed in range(2):
        random.Random(seed).shuffle(sentences)
        assert 722 <= run(ErrantScorer(beta=1), sentences).total[0] <= 724


def candidates(*rows: tuple[int, int, int]) -> tuple[Candidate, ...]:
    return tuple(Candidate(0, number, row) for number, row in enumerate(rows))


def totals(scorer: ErrantScorer, sentences: list[tuple[Candidate, ...]]) -> tuple[float, ...]:
    return Score(scorer, "", "", sentences, tuple(scorer.combine(sentences))).total


A = candidates((3, 0, 2), (1, 2, 9))
B = candidates((1, 0, 12), (0, 1, 1))


def test_greedy_choice_depends_on_the_order_and_exact_choice_does_not() -> None:
    scorer, exact = ErrantScorer(), ErrantScorer(exact=True)
    assert (totals(scorer, [A, B]), totals(scorer, [B, A])) == ((3, 1, 3), (4, 0, 14))
    [line] = scorer.notes([A, B], scorer.combine([A, B]))
    assert "order of sentences: tp/fp/fn 3/1/3, backwards 4/0/14" in line
    assert totals(exact, [A, B]) == totals(exact, [B, A])
    assert exact.notes([A, B], exact.combine([A, B])) == []


ROWS = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


@given(st.lists(st.lists(ROWS, min_size=1, max_size=3), max_size=6), st.sampled_from([0.5, 1.0, 2.0]))
def test_greedy_choice_is_best_at_every_step(rows: list[list[tuple[int, int, int]]], beta: float) -> None:
    combined = ErrantScorer(beta=beta).combine([candidates(*sentence) for sentence in rows])
    total = np.zeros(3, dtype=int)
    for sentence, chosen in zip(rows, combined, strict=True):
        at, ranks = chosen.reference or 0, []
        for row in sentence:
            tp, fp, fn = (total + row).tolist()
            precision = tp / (tp + fp) if fp else 1.0
            recall = tp / (tp + fn) if fn else 1.0
            below = beta**2 * precision + recall
            f = (1 + beta**2) * precision * recall / below if below else 0.0
            ranks.append((round(f, 4), row[0], -row[1], -row[2]))
        assert ranks[at] == max(ranks)
        assert max(ranks) not in ranks[:at]
        total += sentence[at]


TYPES = ("M:DET", "R:NOUN", "R:NOUN:NUM", "U:VERB", "UNK")
LENGTH = 4


@st.composite
def annotations(draw: st.DrawFn, annotator: int = 0) -> Annotation:
    """Edits that may repeat and overlap."""
    spans = draw(st.lists(st.tuples(st.integers(0, LENGTH), st.integers(0, 2)), max_size=4))
    texts, types = st.sampled_from([(), ("x",), ("x", "y")]), st.sampled_from(TYPES)
    edits = [Edit(at, min(LENGTH, at + size), draw(texts), draw(types)) for at, size in sorted(spans)]
    return Annotation(annotator, tuple(edits))


@st.composite
def blocks(draw: st.DrawFn, annotators: int) -> Block:
    return Block(tuple("abcd"), tuple(draw(annotations(n)) for n in range(annotators)))


PAIRS = st.lists(st.tuples(blocks(1), blocks(2)), min_size=1, max_size=6)
MODES = st.sampled_from(["cs", "cse", "ds", "dt"])


def run(scorer: ErrantScorer, sentences: list[tuple[Block, Block]]) -> Score:
    hyp, ref = zip(*sentences, strict=True)
    [score] = evaluate(scorer, [Pair(hyp, ref)])
    return score


@given(PAIRS, MODES, st.randoms(use_true_random=False))
def test_exact_counts_every_edit_once_in_any_order(
    sentences: list[tuple[Block, Block]], mode: str, order: random.Random
) -> None:
    score = run(ErrantScorer(mode, exact=True), sentences)
    for (hyp, ref), choice in zip(sentences, score.combined, strict=True):
        ours = keys(hyp.annotations[0], mode)
        theirs = keys(ref.annotations[choice.reference], mode)
        tp = sum((ours & theirs).values())
        assert choice.row == (tp, ours.total() - tp, theirs.total() - tp)
    order.shuffle(sentences)
    found = run(ErrantScorer(mode, exact=True), sentences)
    assert (found.total, found.by_type) == (score.total, score.by_type)


def keys(annotation: Annotation, mode: str) -> Counter[tuple[object, ...]]:
    """The compared edits, written anew from the description of the modes."""
    found: Counter[tuple[object, ...]] = Counter()
    for e in annotation.edits:
        if mode == "dt":
            found.update((i,) for i in (range(e.start, e.end) if e.end > e.start else [e.start]))
        elif mode == "ds":
            found[(e.start, e.end)] += 1
        elif e.type != "UNK":
            found[(e.start, e.end, e.correction, e.type if mode == "cse" else "")] += 1
    return found


@given(PAIRS, MODES, st.booleans())
def test_types_add_up_to_the_whole(sentences: list[tuple[Block, Block]], mode: str, exact: bool) -> None:
    score = run(ErrantScorer(mode, exact=exact), sentences)
    for level in (1, 2, 3):
        rows = rows_by_category(score.by_type, level).values()
        assert tuple(map(sum, zip((0, 0, 0), *rows, strict=True))) == score.total
    assert tuple(score.rows.sum(axis=0)) == score.total


@given(PAIRS, MODES)
def test_without_repeated_edits_exact_changes_no_candidate(
    sentences: list[tuple[Block, Block]], mode: str
) -> None:
    plain, exact = run(ErrantScorer(mode), sentences), run(ErrantScorer(mode, exact=True), sentences)
    for ours, theirs in zip(plain.candidates, exact.candidates, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert (a.row == b.row) == ("repeated" not in a.details)
    same = [(Block(ref.source, ref.annotations[:1]), ref) for _, ref in sentences]
    for scorer in (ErrantScorer(mode), ErrantScorer(mode, exact=True)):
        assert run(scorer, same).values == {"precision": 1.0, "recall": 1.0, "f": 1.0}


def block(*edits: Edit) -> Block:
    return Block(("a", "b", "c"), (Annotation(0, edits),))


THE = Edit(1, 1, ("the",), "M:DET")


def test_issue_49_is_reproduced_and_said() -> None:
    once, twice = block(THE), block(THE, THE)
    [warning] = run(ErrantScorer(), [(once, twice)]).warnings
    assert "errant issue 49" in warning
    assert "first sentence 1 (counted from 1)" in warning
    for hyp, ref, total in ((once, twice, (2, 0, 0)), (twice, once, (1, 0, 0)), (twice, block(), (0, 2, 0))):
        assert run(ErrantScorer(), [(hyp, ref)]).total == total
    exact = run(ErrantScorer(exact=True), [(once, twice)])
    assert (exact.total, exact.warnings) == ((1, 0, 1), ())


MARKED, NOUN, OTHER = Edit(0, 2, None, "UNK"), Edit(1, 1, ("the",), "M:NOUN"), Edit(1, 1, ("the",), "M:OTHER")
SOME = (Edit(0, 1, ("x",), "R:NOUN"), Edit(1, 3, ("x",), "R:NOUN"), Edit(3, 3, ("x", "y"), "M:OTHER"))


@pytest.mark.parametrize(
    ("options", "hyp", "ref", "by_type"),
    [
        # Equal types match first, and hits have the types of the reference.
        ({"exact": True}, (NOUN,), (THE, NOUN), {"M:DET": (0, 0, 1), "M:NOUN": (1, 0, 0)}),
        ({"exact": True}, (OTHER,), (THE,), {"M:DET": (1, 0, 0)}),
        ({}, (OTHER,), (THE,), {"M:DET": (1, 0, 0)}),
        # Detections count only where detection is scored, an insertion at the token to its right.
        ({}, (MARKED,), (), {}),
        ({"mode": "ds"}, (MARKED,), (), {"UNK": (0, 1, 0)}),
        ({"mode": "dt"}, (MARKED,), (), {"UNK": (0, 2, 0)}),
        ({"mode": "dt"}, (THE,), (Edit(1, 2, ("x",), "R:X"),), {"R:X": (1, 0, 0)}),
        ({"single": True}, SOME, (), {"R:NOUN": (0, 1, 0)}),
        ({"multi": True}, SOME, (), {"R:NOUN": (0, 1, 0), "M:OTHER": (0, 1, 0)}),
        ({"filter": ["R:NOUN"]}, SOME, (), {"M:OTHER": (0, 1, 0)}),
        ({"filter": ["R"]}, SOME, (), {"R:NOUN": (0, 2, 0), "M:OTHER": (0, 1, 0)}),
    ],
)
def test_which_edits_count_and_with_which_type(
    options: dict[str, object], hyp: tuple[Edit, ...], ref: tuple[Edit, ...], by_type: dict[str, object]
) -> None:
    assert run(make_scorer("errant", **options), [(block(*hyp), block(*ref))]).by_type == by_type


def test_differing_sources_and_missing_annotators_are_said() -> None:
    two = Block(("a", "b", "c"), (Annotation(0), Annotation(1)))
    score = run(ErrantScorer(), [(block(), two), (Block(("x",)), block())])
    assert score.values == {"precision": 1.0, "recall": 1.0, "f": 1.0}, "nothing to correct"
    assert any("source differs" in w and "first in sentence 2" in w for w in score.warnings)
    assert any("first sentence 2 (counted from 1; annotator 1 is missing)" in w for w in score.warnings)
    assert score.signature.split("|")[3] == "refs:1-2"
    hyp = Block(two.source, (Annotation(4), Annotation(2, (THE,))))
    [chosen] = run(ErrantScorer(), [(hyp, Block(two.source, (Annotation(7, (THE,)),)))]).combined
    assert (chosen.hypothesis, chosen.reference) == (2, 7), "annotators of systems are candidates, too"


def test_signature() -> None:
    scorers = ErrantScorer(), ErrantScorer("ds", 1, True, False, ("U:DET", "R:X"), True)
    plain, full = (run(scorer, [(block(), block())]).signature for scorer in scorers)
    assert plain.startswith("errant|mode:cs|beta:0.5|refs:1|v:")
    assert full.startswith("errant|mode:ds|beta:1|edits:single|filter:R:X,U:DET|exact:yes|refs:1|v:")


@given(st.lists(ROWS, min_size=1), st.sampled_from([0.5, 1.0, 0.7]))
def test_both_f_measures_agree(rows: list[tuple[int, int, int]], beta: float) -> None:
    many = f_measures(*np.array(rows, dtype=np.float64).T, beta)
    for at, row in enumerate(rows):
        assert tuple(float(v[at]) for v in many.values()) == f_measure(*row, beta=beta)


def test_f_of_the_smallest_masses_divides_by_no_zero() -> None:
    # Precision is the smallest float; recall, and beta squared times precision, are 0.
    assert f_measure(5e-324, 1.0, 2.0, beta=1e-6) == (5e-324, 0.0, 0.0)


def test_categories() -> None:
    found = [category(t, level) for t, level in product(("R:NOUN:NUM", "UNK"), (1, 2, 3))]
    assert found == ["R", "NOUN:NUM", "R:NOUN:NUM", "UNK", "UNK", "UNK"]
    with pytest.raises(UsageError, match="found category 4, expected one of 1 = operation"):
        rows_by_category({}, 4)


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


def test_table_by_operation(conll14: dict[str, Pair]) -> None:
    [score] = evaluate(ErrantScorer(), [conll14["AMU"]])
    assert format_compare(score, ErrantScorer(), 1) == AMU_BY_OPERATION
    overall = AMU_BY_OPERATION[AMU_BY_OPERATION.index("\n\n=") + 2 :]
    assert format_compare(score, ErrantScorer()) == "\n" + overall


def test_verbose_block_and_running_totals() -> None:
    noun, det = Edit(0, 1, ("x",), "R:NOUN"), Edit(2, 2, ("the",), "M:DET")
    hyp, ref = block(noun, det), block(noun, Edit(1, 2, (), "U:VERB"))
    assert "\n".join(verbose(ErrantScorer(), [hyp], [ref])) + "\n" == VERBOSE
    # Every candidate is shown.
    two = Block(ref.source, (*ref.annotations, Annotation(1)))
    lines = verbose(ErrantScorer(beta=1), [hyp, Block(hyp.source)], [ref, two])
    at = lines.index("SENTENCE 1 - HYP 0 - REF 1")
    assert lines[at + 3 : at + 7] == [
        "Local TP/FP/FN   : 0 0 0", "Local P/R/F1.0  : 1.0 1.0 1.0", "Global TP/FP/FN  : 1 1 1",
        "Global P/R/F1.0  : 0.5 0.5 0.5",
    ]  # fmt: skip
    assert lines[-3] == "^^ HYP 0, REF 1 chosen for sentence 1"


def verbose(scorer: ErrantScorer, hypothesis: list[Block], references: list[Block]) -> list[str]:
    pair = Pair(hypothesis, references)
    [score] = evaluate(scorer, [pair])
    return list(verbose_lines(score, scorer, pair))


@pytest.mark.parametrize(
    ("mode", "title"),
    [("dt", "Token-Based Detection"), ("ds", "Span-Based Detection"),
     ("cse", "Span-Based Correction + Classification")],
)  # fmt: skip
def test_titles_and_long_names(mode: str, title: str) -> None:
    """Titles are centred in 66 and 46 characters; long names push the columns."""
    hyp, scorer = block(Edit(0, 1, ("b",), "R:VERB:INFL:LONG")), ErrantScorer(mode, beta=2)
    lines = format_compare(run(scorer, [(hyp, hyp)]), scorer, 3).split("\n")
    assert lines[1] == f"{f' {title} ':=^66}"
    assert f"{f' {title} ':=^46}" in lines
    assert lines[2].endswith("F2.0")
    assert lines[3] == "R:VERB:INFL:LONG 1        0        0        1.0      1.0      1.0"

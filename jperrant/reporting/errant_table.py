"""Scores as ``errant_compare`` prints them, character by character."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from jperrant.evaluation.analysis import rows_by_category
from jperrant.evaluation.metrics.base import Candidate, Pair, Row
from jperrant.evaluation.metrics.errant import ErrantScorer, Keyed
from jperrant.evaluation.metrics.fmeasure import f_measure
from jperrant.evaluation.metrics.system_score import Score

TITLES = {
    "dt": " Token-Based Detection ",
    "ds": " Span-Based Detection ",
    "cse": " Span-Based Correction + Classification ",
    "cs": " Span-Based Correction ",
}
CATEGORY_WIDTH, OVERALL_WIDTH, VERBOSE_WIDTH = 66, 46, 40
COUNTS = ("TP", "FP", "FN")


def format_compare(score: Score, scorer: ErrantScorer, level: int | None = None) -> str:
    """Return ERRANT's table of a score, with a blank line before and after it.

    Args:
        score: The score, by ``scorer``.
        scorer: The metric, which has the mode (for the title) and beta.
        level: Show a table by category before the overall figures: 1, 2 or 3.
    """
    title, header_f = TITLES[scorer.mode], f"F{scorer.beta}"
    lines = [""]
    if level is not None:
        lines.append(f"{title:=^{CATEGORY_WIDTH}}")
        lines.append(_category_line("Category", [*COUNTS, "P", "R", header_f]))
        for name, row in rows_by_category(score.by_type, level).items():
            lines.append(_category_line(name, [*row, *_rounded(row, scorer.beta)]))
        lines.append("")
    lines.append(f"{title:=^{OVERALL_WIDTH}}")
    lines.append("\t".join([*COUNTS, "Prec", "Rec", header_f]))
    lines.append("\t".join(str(figure) for figure in (*score.total, *_rounded(score.total, scorer.beta))))
    lines += ["=" * OVERALL_WIDTH, ""]
    return "\n".join(lines) + "\n"


def verbose_lines(score: Score, scorer: ErrantScorer, pair: Pair) -> Iterator[str]:
    """Yield ERRANT's verbose report of each sentence: every candidate, and the one that was chosen.

    Args:
        score: The score of ``pair`` by ``scorer``.
        scorer: The metric, whose options decide which edits are compared.
        pair: The system with its references.
    """
    total: Row = (0, 0, 0)
    for number, (candidates, chosen) in enumerate(zip(score.candidates, score.combined, strict=True)):
        block, reference = pair.hypothesis[number], pair.references[number]
        yield "-" * VERBOSE_WIDTH
        yield f"Original sentence {number}: {' '.join(block.source)}"
        hyps = {a.annotator: scorer.keyed(a) for a in block.annotations}
        refs = {a.annotator: scorer.keyed(a) for a in reference.annotations}
        for candidate in candidates:
            # A sentence without annotations stands for annotator 0's noop, which has no keys.
            edits = hyps.get(candidate.hypothesis, {}), refs.get(candidate.reference or 0, {})
            yield from _candidate_lines(number, candidate, *edits, total, scorer.beta)
        total = _plus(total, chosen.row)
        yield "-" * VERBOSE_WIDTH
        yield f"^^ HYP {chosen.hypothesis}, REF {chosen.reference} chosen for sentence {number}"
        yield "Local results:"
        yield from _local_table(chosen.by_type)


def _candidate_lines(
    number: int, candidate: Candidate, hyp: Keyed, ref: Keyed, total: Row, beta: float
) -> Iterator[str]:
    running = _plus(total, candidate.row)
    yield "-" * VERBOSE_WIDTH
    yield f"SENTENCE {number} - HYP {candidate.hypothesis} - REF {candidate.reference}"
    yield f"HYPOTHESIS EDITS : {_edits(hyp)}"
    yield f"REFERENCE EDITS  : {_edits(ref)}"
    yield f"Local TP/FP/FN   : {_spaced(candidate.row)}"
    yield f"Local P/R/F{beta}  : {_spaced(_rounded(candidate.row, beta))}"
    yield f"Global TP/FP/FN  : {_spaced(running)}"
    yield f"Global P/R/F{beta}  : {_spaced(_rounded(running, beta))}"


def _edits(keyed: Keyed) -> list[tuple[int | str, ...]]:
    """Return the keys in order, each with the type of its first edit."""
    return [(*key, keyed[key][0]) for key in sorted(keyed)]


def _local_table(by_type: Mapping[str, Row]) -> Iterator[str]:
    """Yield the counts by type, every column right-aligned three wider than its longest cell."""
    table = [["Category", *COUNTS], *([type_, *map(str, row)] for type_, row in by_type.items())]
    widths = [max(map(len, column)) + 3 for column in zip(*table, strict=True)]
    for line in table:
        yield "".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))


def _category_line(name: str, figures: Sequence[object]) -> str:
    return " ".join([name.ljust(14), *(str(figure).ljust(8) for figure in figures)]).rstrip()


def _rounded(row: Row, beta: float) -> list[float]:
    return [round(value, 4) for value in f_measure(*row, beta=beta)]


def _spaced(figures: Sequence[object]) -> str:
    return " ".join(str(figure) for figure in figures)


def _plus(left: Row, right: Row) -> Row:
    return tuple(a + b for a, b in zip(left, right, strict=True))

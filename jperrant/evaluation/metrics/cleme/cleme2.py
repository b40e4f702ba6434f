"""CLEME2.0: how much a system hits, gets wrong, misses and over-corrects, and one score of all four.

Ye et al. (2025), "CLEME2.0: Towards Interpretable Evaluation by Disentangling Edits for Grammatical Error
Correction". With TP, FPne, FPun and FN chunks and N = TP + FPne + FN, the chunks that need a change::

    hit = TP / N    wrong = FPne / N    under = FN / N    over = FPun / (TP + FPne + FPun)
    score = a1 hit + a2 (1 - wrong) + a3 (1 - under) + a4 (1 - over)

0/0 is 0, so that a sentence that is rightly left alone scores a2 + a3 + a4. Counts equal those of the published
code; ``docs/cleme.md`` says where jperrant departs from it on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, TypeAlias, cast

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row
from jperrant.evaluation.metrics.cleme.chunk_scorer import ChunkScorer, Sums
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence

#: Weights of hit, 1 - wrong, 1 - under and 1 - over.
Factors: TypeAlias = tuple[float, float, float, float]

COUNTS = ("tp", "fp", "fp_ne", "fp_un", "fn", "tn")
RATES = ("hit", "wrong", "under", "over", "score")
#: What Ye et al. (2025) state for each level; with these their correlations come out.
PAPER: dict[str, Factors] = {"corpus": (0.45, 0.35, 0.15, 0.05), "sentence": (0.35, 0.25, 0.20, 0.20)}
#: The default in the published code; with these, at both levels, the paper's Table 12 comes out.
TABLE12: Factors = (0.50, 0.40, 0.05, 0.05)
NAMED = {"paper": PAPER, "table12": {"corpus": TABLE12, "sentence": TABLE12}}


@dataclass(frozen=True, slots=True)
class Cleme2Scorer(ChunkScorer):
    """CLEME2.0 with its options.

    Attributes:
        factors: ``paper``, ``table12``, or four numbers separated by commas, each in (0, 1), that sum to 1; from
            Python also as a tuple of numbers.
        numbers: The factors as numbers.

    Raises:
        UsageError: An option is out of its range.
    """

    factors: str = option("paper", "Weights of hit, wrong, under, over: paper, table12, or a1,a2,a3,a4.")
    numbers: Factors = field(init=False)

    name: ClassVar[str] = "cleme2"
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "score"
    lower_values: ClassVar[tuple[str, ...]] = ("wrong", "under", "over")

    def check(self) -> None:
        """Make what the options name."""
        # Without arguments super() does not find the class: slots make a new one.
        ChunkScorer.check(self)
        object.__setattr__(self, "numbers", parse_factors(self.factors, self.level))

    @property
    def columns(self) -> tuple[str, ...]:
        """Counts; at sentence level also the sentence's rates and 1, the number of sentences."""
        return COUNTS if self.level == "corpus" else (*COUNTS, *RATES, "sentences")

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; the factors where they are not the paper's."""
        settings = (
            () if self.numbers == PAPER[self.level] else (f"f:{','.join(f'{a:g}' for a in self.numbers)}",)
        )
        return (*self.shared_settings, *settings)

    def row(self, sums: Sums) -> Row:
        """Return the row of a sentence, or of what it has of one type."""
        tp, ne, un, fn, tn = sums
        counts = (tp, ne + un, ne, un, fn, tn)
        if self.level == "corpus":
            return counts
        sentence_rates = rates(tp, ne, un, fn)
        return (*counts, *sentence_rates, overall(sentence_rates, self.numbers), 1)

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of the reference with the best score of each sentence.

        At corpus level that is the score of the totals so far, in the order of the sentences; exactly, and at
        sentence level, the sentence's own. Ties go by the chunks, or the rates, then to the first.
        """
        factors = self.numbers
        if self.exact:
            fractions = tuple([Fraction(str(a)) for a in factors])
            return choose_per_sentence(candidates, lambda _, row: exact_key(row, fractions, self.level))
        if self.level == "sentence":
            return choose_per_sentence(candidates, lambda _, row: sentence_key(row))
        return choose_greedily(candidates, self.corpus_key, before)

    def corpus_key(self, total: Row, row: Row) -> tuple[float, ...]:
        """Return the score of the totals so far, then what decides between equal ones."""
        return (score_of(total, self.numbers), *count_key(row))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the four rates, each in [0, 1], and the score; at sentence level their means."""
        if self.level == "sentence":
            return {
                name: ratio(totals[..., len(COUNTS) + column], totals[..., -1], 0.0)
                for column, name in enumerate(RATES)
            }
        tp, _, ne, un, fn = (totals[..., column] for column in range(5))
        needed = tp + ne + fn
        ratios = [ratio(part, needed, 0.0) for part in (tp, ne, fn)]
        ratios.append(ratio(un, tp + ne + un, 0.0))
        a1, a2, a3, a4 = self.numbers
        hit, wrong, under, over = ratios
        score = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
        return dict(zip(RATES, (*ratios, np.asarray(score)), strict=True))


def parse_factors(factors: str | Sequence[float], level: str) -> Factors:
    """Return the factors that a text names, or that are given as numbers.

    >>> parse_factors(".5,.3,.1,.1", "corpus")
    (0.5, 0.3, 0.1, 0.1)

    Raises:
        UsageError: They are not four numbers, one is outside (0, 1), or they do not sum to 1.
    """
    text = factors if isinstance(factors, str) else ",".join(map(str, factors))
    if text in NAMED:
        return NAMED[text][level]
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(0 < a < 1 for a in numbers) or abs(math.fsum(numbers) - 1) > 1e-9:
        raise UsageError(
            f"found factors {text!r}, expected {' or '.join(NAMED)}, or four numbers between 0 and 1 that sum "
            "to 1, "
            "for hit, wrong, under and over, such as .45,.35,.15,.05"
        )
    return numbers[0], numbers[1], numbers[2], numbers[3]


def rates(tp: float, ne: float, un: float, fn: float) -> tuple[float, float, float, float]:
    """Return hit, wrong, under and over; 0 where nothing is divided by nothing."""
    needed, proposed = tp + ne + fn, tp + ne + un
    over = un / proposed if proposed else 0.0
    if not needed:
        return 0.0, 0.0, 0.0, over
    return tp / needed, ne / needed, fn / needed, over


def overall(rates_of_sentence: Sequence[float], factors: Factors) -> float:
    """Return the score of four rates."""
    hit, wrong, under, over = rates_of_sentence
    a1, a2, a3, a4 = factors
    # From left to right, as in the published code: rounding decides between equal references.
    return a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)


def score_of(row: Row, factors: Factors) -> float:
    """Return the score of the counts in a row."""
    tp, _, ne, un, fn = row[:5]
    return overall(rates(tp, ne, un, fn), factors)


def count_key(row: Row) -> tuple[float, ...]:
    """Return what decides between references of one score at corpus level; more is better."""
    tp, fp, _, _, fn, tn = row[:6]
    return tp, -fp, -fn, tn


def sentence_key(row: Row) -> tuple[float, ...]:
    """Return what decides between references at sentence level; more is better."""
    hit, wrong, under, over, score = row[6:11]
    return score, hit, -wrong, -under, -over


def exact_key(row: Row, factors: Iterable[Fraction], level: str) -> tuple[float, ...]:
    """Return the key of a sentence in rational numbers, in which equal scores are equal.

    Fractions compare with floats exactly.
    """
    tp, ne, un, fn = (Fraction(row[column]) for column in (0, 2, 3, 4))
    needed, proposed = tp + ne + fn, tp + ne + un
    hit, wrong, under = [part / needed if needed else Fraction(0) for part in (tp, ne, fn)]
    over = un / proposed if proposed else Fraction(0)
    a1, a2, a3, a4 = factors
    score = a1 * hit + a2 * (1 - wrong) + a3 * (1 - under) + a4 * (1 - over)
    rest = count_key(row) if level == "corpus" else (hit, -wrong, -under, -over)
    return cast("tuple[float, ...]", (score, *rest))

"""How sure a score is: bootstrap intervals, and paired tests between systems.

Everything works on the rows of chosen candidates, sentence by sentence, and so for every metric; the choice
of references is not repeated for each sample. The unit drawn is the sentence (the block).

- Bootstrap intervals and the paired bootstrap: Koehn (2004), "Statistical Significance Tests for Machine
  Translation Evaluation".
- Paired approximate randomisation, and the shift of the bootstrap to the null hypothesis: Riezler and Maxwell
  (2005), "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT", figures 1 and 2.
- Systems whose sentences were aligned to the references need not have the same groups. Rows may be summed, so
  the paired tests draw the smallest stretches of the reference file at whose ends every system has a
  boundary; the figures tested are those of the table.
- Percentiles and ``(c + 1) / (samples + 1)`` as in sacreBLEU (Post 2018). Other than there, a sample with
  exactly the observed difference counts against significance, as in Riezler and Maxwell: two equal systems
  get p = 1.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.evaluation.metrics.score import Score

Test: TypeAlias = Literal["bootstrap", "randomisation"]
#: Samples where none are asked for, as in sacreBLEU.
SAMPLES = {"bootstrap": 1000, "randomisation": 10000}
SEED = 12345
_LARGEST_SEED = 2**32 - 1
#: Numbers drawn at a time.
_DRAWN_TOGETHER = 1 << 22
#: Numbers of samples that are counted at a time; more leave the processor's cache.
_COUNTED_TOGETHER = 1 << 15
#: The share of samples inside an interval.
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A bootstrap confidence interval.

    Attributes:
        low, high: The smallest and largest value when the outer 2.5 % of samples are dropped on each side.
        mean: The mean over all samples.
    """

    low: float
    high: float
    mean: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired test of one system against the baseline.

    Attributes:
        test: ``bootstrap`` or ``randomisation``.
        baseline, hypothesis: The names of the systems.
        samples, seed: What was drawn.
        difference: System minus baseline, for each value of the metric.
        p: Two-sided p-value of each difference, in (0, 1].
    """

    test: Test
    baseline: str
    hypothesis: str
    samples: int
    seed: int
    difference: dict[str, float]
    p: dict[str, float]


def intervals(score: Score, samples: int | None = None, seed: int = SEED) -> dict[str, Interval]:
    """Return a 95 % bootstrap interval for each value of a score.

    Args:
        score: What was measured.
        samples: Number of bootstrap samples; 1000 if None.
        seed: Of the random numbers; the same seed gives the same interval.

    Raises:
        UsageError: Too few samples, no sentence, or a seed that is negative or too large.
    """
    samples = _checked(score, samples, "bootstrap", seed)
    intervals_of = {}
    for name, values in score.scorer.values(bootstrap_totals([score.rows], samples, seed)[0]).items():
        interval = middle(values)
        if interval is not None:
            intervals_of[name] = interval
    return intervals_of


def middle(drawn: FloatArray) -> Interval | None:
    """Return the interval of a value's bootstrap samples; None where no sample has a value.

    Args:
        drawn: The value of each sample, NaN for none.
    """
    drawn = _known(drawn)
    if not len(drawn):
        return None
    ordered = np.sort(drawn)
    cut = int(len(drawn) * (1 - LEVEL) / 2)
    return Interval(float(ordered[cut]), float(ordered[len(drawn) - cut - 1]), float(drawn.mean()))


def paired_tests(
    scores: Sequence[Score], test: Test = "bootstrap", samples: int | None = None, seed: int = SEED
) -> list[Comparison]:
    """Test each system but the first against the first, the baseline.

    Args:
        scores: Two systems or more, scored by one metric over the same references.
        test: ``bootstrap`` (Koehn 2004) or ``randomisation`` (Riezler and Maxwell 2005).
        samples: Number of samples or shufflings; 1000 and 10000 if None.
        seed: Of the random numbers. All systems see the same samples.

    Raises:
        UsageError: Fewer than two systems, other metrics or sentences, too few samples, or a seed that is
            negative or too large.
    """
    if len(scores) < 2:
        raise UsageError("a paired test compares two or more systems; give several hypotheses")
    samples = _checked(scores[0], samples, test, seed)
    baseline = scores[0]
    for score in scores[1:]:
        if score.scorer != baseline.scorer or _reference_size(score) != _reference_size(baseline):
            raise UsageError(
                f"{score.hypothesis} and {baseline.hypothesis} cannot be paired: they were not scored by one "
                f"metric over the same sentences ({_reference_size(score)} and {_reference_size(baseline)})"
            )
    rows = paired_rows(scores)
    if test == "bootstrap":
        return _paired_bootstrap(scores, rows, samples, seed)
    return [
        _paired_randomisation(baseline, score, rows[0], row, samples, seed)
        for score, row in zip(scores[1:], rows[1:], strict=True)
    ]


def paired_rows(scores: Sequence[Score], rows: Sequence[FloatArray] | None = None) -> list[FloatArray]:
    """Return the rows of each system summed over stretches that all systems share, in the order of the text.

    Args:
        scores: Systems scored by one metric over the same references. Those scored sentence by sentence keep
            their rows unless another one was aligned.
        rows: Other figures of each system's sentences, shape ``(sentences, columns)``; those of the scores if None.

    Returns:
        Arrays of one shape ``(stretches, columns)``; row *n* of each is about the same reference sentences.
        What a system has beyond the references belongs to the stretch before it.
    """
    rows_of_systems = [score.rows for score in scores] if rows is None else rows
    if not any(score.spans for score in scores):
        return list(rows_of_systems)
    spans = [score.spans or tuple((n, n + 1) for n in range(score.sentences)) for score in scores]
    ends = sorted(
        set.intersection(*({end for _, end in spans_of_system if end} for spans_of_system in spans))
    )
    sums = []
    for theirs, spans_of_system in zip(rows_of_systems, spans, strict=True):
        summed = np.zeros((max(1, len(ends)), theirs.shape[1]))
        stretches = [min(bisect_left(ends, end), len(summed) - 1) for _, end in spans_of_system]
        np.add.at(summed, stretches, theirs)
        sums.append(summed)
    return sums


def _reference_size(score: Score) -> int:
    """Return how many sentences the references have."""
    return max((end for _, end in score.spans), default=0) if score.spans else score.sentences


def _paired_bootstrap(
    scores: Sequence[Score], rows: Sequence[FloatArray], samples: int, seed: int
) -> list[Comparison]:
    totals = bootstrap_totals(rows, samples, seed)
    drawn = [score.scorer.values(total) for score, total in zip(scores, totals, strict=True)]
    comparisons = []
    for score, values in zip(scores[1:], drawn[1:], strict=True):
        observed = _difference(scores[0], score)
        p = {}
        for name in observed:
            difference = values[name] - drawn[0][name]
            # Riezler and Maxwell, figure 2: shifted by their mean, the samples stand for "no difference".
            p[name] = p_value(difference - _known(difference, 0.0).mean(), observed[name])
        comparisons.append(
            Comparison("bootstrap", scores[0].hypothesis, score.hypothesis, samples, seed, observed, p)
        )
    return comparisons


def _paired_randomisation(
    baseline: Score, score: Score, theirs: FloatArray, ours: FloatArray, samples: int, seed: int
) -> Comparison:
    """Riezler and Maxwell, figure 1: exchange the systems' rows of each sentence with probability 1/2."""
    random = np.random.default_rng(seed)
    gap = theirs - ours
    shuffles = track(range(samples), "exchanging rows", samples)
    moved = np.stack([random.integers(0, 2, size=len(gap)) @ gap for _ in shuffles])
    ours_exchanged, theirs_exchanged = ours.sum(axis=0) + moved, theirs.sum(axis=0) - moved
    ours_drawn, theirs_drawn = score.scorer.values(ours_exchanged), score.scorer.values(theirs_exchanged)
    observed = _difference(baseline, score)
    p = {name: p_value(ours_drawn[name] - theirs_drawn[name], observed[name]) for name in observed}
    return Comparison("randomisation", baseline.hypothesis, score.hypothesis, samples, seed, observed, p)


def bootstrap_totals(systems: Sequence[FloatArray], samples: int, seed: int) -> list[FloatArray]:
    """Return for each system the totals of the samples, shape ``(samples, columns)``; one draw serves all."""
    totals = [np.empty((samples, rows.shape[1])) for rows in systems]
    drawn = draws(len(systems[0]), samples, seed)
    for sample, times in enumerate(track(drawn, "drawing samples", samples)):
        for total, rows in zip(totals, systems, strict=True):
            total[sample] = times @ rows
    return totals


def draws(sentences: int, samples: int, seed: int) -> Iterator[FloatArray]:
    """Yield how many times each sentence is drawn, with replacement, in each sample."""
    random = np.random.default_rng(seed)
    together = max(1, _COUNTED_TOGETHER // max(sentences, 1))
    for start in range(0, samples, together):
        yield from times_drawn(random, sentences, min(together, samples - start))


def times_drawn(random: np.random.Generator, sentences: int, samples: int) -> FloatArray:
    """Return how many times each of so many sentences is drawn, with replacement, shape ``(samples, sentences)``.

    The numbers of a sample follow those of the sample before it, however many samples are drawn together.
    """
    if sentences * samples > _DRAWN_TOGETHER:  # so that of a large corpus only the result is in memory
        return np.stack([_times_in_parts(random, sentences) for _ in range(samples)])
    drawn = (
        random.integers(0, sentences, size=(samples, sentences)) if sentences else np.empty((samples, 0), int)
    )
    cells = drawn + sentences * np.arange(samples)[:, np.newaxis]
    return np.bincount(cells.ravel(), minlength=samples * sentences).reshape(drawn.shape).astype(np.float64)


def _times_in_parts(random: np.random.Generator, sentences: int) -> FloatArray:
    times = np.zeros(sentences)
    for start in range(0, sentences, _DRAWN_TOGETHER):
        drawn = random.integers(0, sentences, size=min(_DRAWN_TOGETHER, sentences - start))
        times += np.bincount(drawn, minlength=sentences)
    return times


def _difference(baseline: Score, score: Score) -> dict[str, float]:
    theirs = baseline.values
    return {name: value - theirs[name] for name, value in score.values.items()}


def _known(drawn: FloatArray, otherwise: float | None = None) -> FloatArray:
    """Return the samples that have a value: one may hold none of the sentences that have a figure.

    Args:
        drawn: The values of the samples, NaN for none.
        otherwise: What to return as the only value if there is none.
    """
    known = drawn[~np.isnan(drawn)]
    return known if len(known) or otherwise is None else np.array([otherwise])


def p_value(drawn: FloatArray, observed: float) -> float:
    """Return the share of samples at least as far from 0 as what was observed, the observation included.

    What is not a number differs from nothing: 1.
    """
    if np.isnan(observed):
        return 1.0
    # The same difference, summed in another order, may differ in the last bits.
    drawn = _known(drawn)
    far = np.abs(drawn) >= abs(observed) - 1e-12
    return float((far.sum() + 1) / (len(drawn) + 1))


def check_seed(seed: int) -> None:
    """Refuse a seed that random numbers cannot begin with.

    Raises:
        UsageError: It is negative or too large.
    """
    if not 0 <= seed <= _LARGEST_SEED:
        raise UsageError(f"found seed {seed}, expected a number from 0 to {_LARGEST_SEED}")


def _checked(score: Score, samples: int | None, test: Test, seed: int) -> int:
    check_seed(seed)
    if test not in SAMPLES:
        raise UsageError(f"unknown test {test!r}; expected one of {', '.join(SAMPLES)}")
    if samples is not None and samples < 1:
        raise UsageError(f"found {samples} samples, expected 1 or more (usually {SAMPLES[test]})")
    if not score.sentences:
        raise UsageError(f"{score.hypothesis}: found no sentences to draw from")
    return SAMPLES[test] if samples is None else samples

"""How sure a score is: samples of sentences, bootstrap intervals and p-values; ``differences`` pairs systems.

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

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.evaluation.metrics.score import Score

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


def intervals(score: Score, samples: int | None = None, seed: int = SEED) -> dict[str, Interval]:
    """Return a 95 % bootstrap interval for each value of a score.

    Args:
        score: What was measured.
        samples: Number of bootstrap samples; 1000 if None.
        seed: Of the random numbers; the same seed gives the same interval.

    Raises:
        UsageError: Too few samples, no sentence, or a seed that is negative or too large.
    """
    samples = SAMPLES["bootstrap"] if samples is None else samples
    check_drawn(score, samples, seed)
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
    ends = _shared_ends(scores)
    sums = []
    for theirs, score in zip(rows_of_systems, scores, strict=True):
        summed = np.zeros((max(1, len(ends)), theirs.shape[1]))
        places = [min(bisect_left(ends, end), len(summed) - 1) for _, end in _spans(score)]
        np.add.at(summed, places, theirs)
        sums.append(summed)
    return sums


def stretches(scores: Sequence[Score]) -> list[tuple[int, int]]:
    """Return the half-open ranges of reference sentences that ``paired_rows`` sums, in the order of its rows."""
    if not any(score.spans for score in scores):
        return [(n, n + 1) for n in range(scores[0].sentences)]
    ends = _shared_ends(scores)
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else [(0, 0)]


def reference_size(score: Score) -> int:
    """Return how many sentences the references have."""
    return max((end for _, end in score.spans), default=0) if score.spans else score.sentences


def _spans(score: Score) -> Sequence[tuple[int, int]]:
    return score.spans or [(n, n + 1) for n in range(score.sentences)]


def _shared_ends(scores: Sequence[Score]) -> list[int]:
    """Return where a sentence of the references ends in every system."""
    return sorted(set.intersection(*({end for _, end in _spans(score) if end} for score in scores)))


def bootstrap_totals(systems: Sequence[FloatArray], samples: int, seed: int) -> list[FloatArray]:
    """Return for each system the totals of the samples, shape ``(samples, columns)``; one draw serves all."""
    totals = [np.empty((samples, rows.shape[1])) for rows in systems]
    drawn = draws(len(systems[0]), samples, seed)
    for sample, times in enumerate(track(drawn, "drawing samples", samples)):
        for total, rows in zip(totals, systems, strict=True):
            total[sample] = times @ rows
    return totals


def subsets_of(numbers: Sequence[int], size: int, most: int, seed: str) -> list[tuple[int, ...]]:
    """Return the subsets of a size, or ``most`` of them, drawn at random, where there are more.

    >>> subsets_of(range(3), 2, 5, "")
    [(0, 1), (0, 2), (1, 2)]
    """
    if math.comb(len(numbers), size) <= most:
        return list(combinations(numbers, size))
    generator, drawn = Random(seed), set[tuple[int, ...]]()
    while len(drawn) < most:
        drawn.add(tuple(sorted(generator.sample(numbers, size))))
    return sorted(drawn)


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


def check_drawn(score: Score, samples: int, seed: int) -> None:
    """Refuse what cannot be drawn.

    Raises:
        UsageError: Too few samples, no sentence, or a seed that is negative or too large.
    """
    check_seed(seed)
    if samples < 1:
        raise UsageError(f"found {samples} samples, expected 1 or more (usually {SAMPLES['bootstrap']})")
    if not score.sentences:
        raise UsageError(f"{score.hypothesis}: found no sentences to draw from")

"""Bootstrap intervals of scores and paired tests of systems, for any metric.

Samples are drawn from the rows of the chosen candidates, one row per sentence; references are not chosen again for
each sample. The same samples serve all systems, values and error types.

- Bootstrap intervals and the paired bootstrap: Koehn (2004), "Statistical Significance Tests for Machine
  Translation Evaluation".
- Paired approximate randomisation, and the shift of the bootstrap to the null hypothesis: Riezler and Maxwell
  (2005), "On Some Pitfalls in Automatic Evaluation and Significance Testing for MT", figures 1 and 2.
- Systems that were aligned to the references can have different sentence boundaries. Paired tests then sum rows
  over the smallest stretches of reference sentences that begin and end at boundaries of every system, and draw
  these.
- Percentiles and ``(c + 1) / (samples + 1)`` follow sacreBLEU (Post 2018). Unlike there, a sample with exactly the
  observed difference counts against significance, as in Riezler and Maxwell: two equal systems have p = 1.
- p-values are corrected for multiple tests. Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure",
  bounds the probability of any false finding. Benjamini and Hochberg (1995), "Controlling the False Discovery
  Rate", bound the expected share of false findings, for independent or positively dependent tests. Corrected
  p-values are compared with the significance level itself.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, check_known, nearest
from jperrant.core.messages import plural
from jperrant.core.progress import track
from jperrant.evaluation.metrics.base import Row, Scorer
from jperrant.evaluation.metrics.system_score import Score

#: The default number of samples of each test, as in sacreBLEU.
SAMPLES = {"bootstrap": 1000, "randomisation": 10000}
#: The default number of samples of tests by error type: enough for p-values corrected for a hundred tests.
SAMPLES_BY_TYPE = 10_000
#: The largest number of samples: more than any journal asks for, and it takes minutes.
MOST_SAMPLES = 1_000_000
SEED = 12345
_LARGEST_SEED = 2**32 - 1
#: The most samples, and the most cells (samples times sentences), that are drawn at once; they bound memory.
_TOGETHER, _CELLS = 256, 1 << 20
#: The share of samples inside an interval.
LEVEL = 0.95
#: The corrections of p-values for multiple tests, with their names in tables.
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "none"}
#: A function from summed rows, shape ``(samples, …, columns)``, to values by name, shape ``(samples, …)``.
Values: TypeAlias = Callable[[FloatArray], Mapping[str, FloatArray]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A bootstrap confidence interval.

    Attributes:
        low, high: The ends of the interval: the extreme values after 2.5 % of the samples are dropped on each side.
        mean: The mean over all samples.
    """

    low: float
    high: float
    mean: float


def intervals(score: Score, samples: int | None = None, seed: int = SEED) -> dict[str, Interval]:
    """Return a 95 % bootstrap interval for each value of a score.

    Args:
        score: The score of a system.
        samples: Number of bootstrap samples; 1000 if None.
        seed: Seed of the random numbers; the same seed gives the same interval.

    Raises:
        UsageError: The score has no sentences, or samples or seed are out of their range.
    """
    samples = SAMPLES["bootstrap"] if samples is None else samples
    check_drawn(score, samples, seed)
    [drawn] = bootstrap_values([score.rows], score.scorer.values, samples, seed)
    return {name: found for name, values in drawn.items() if (found := middle(values)) is not None}


def middle(drawn: FloatArray) -> Interval | None:
    """Return the interval of a value; None if it is undefined in all samples.

    Args:
        drawn: The value in each sample, shape ``(samples,)``; NaN where undefined.
    """
    known = drawn[~np.isnan(drawn)]
    return Interval(*interval(known), float(known.mean())) if len(known) else None


def interval(drawn: FloatArray) -> tuple[float, float]:
    """Return the ends of the middle 95 % of samples, without NaN values; NaN if there are no others."""
    ordered = np.sort(drawn[~np.isnan(drawn)])
    if not len(ordered):
        return float("nan"), float("nan")
    cut = int(len(ordered) * (1 - LEVEL) / 2)
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


def paired_rows(scores: Sequence[Score], rows: Sequence[FloatArray] | None = None) -> list[FloatArray]:
    """Return the rows of each system, summed over the stretches of text that all systems share.

    A stretch is a sentence, unless a system was aligned to the references.

    Args:
        scores: Systems scored by one metric against the same references.
        rows: The rows of each system, shape ``(sentences, columns)``; those of the scores if None.

    Returns:
        One array for each system, all of shape ``(stretches, columns)``; row *n* of each covers the same reference
        sentences. Text that the references lack belongs to the stretch before it.
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
    """Return the half-open ranges of reference sentences that the rows of ``paired_rows`` cover."""
    if not any(score.spans for score in scores):
        return [(n, n + 1) for n in range(scores[0].sentences)]
    ends = _shared_ends(scores)
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else [(0, 0)]


def reference_size(score: Score) -> int:
    """Return the number of reference sentences."""
    return max((end for _, end in score.spans), default=0) if score.spans else score.sentences


def _spans(score: Score) -> Sequence[tuple[int, int]]:
    return score.spans or [(n, n + 1) for n in range(score.sentences)]


def _shared_ends(scores: Sequence[Score]) -> list[int]:
    """Return the numbers of reference sentences at whose ends every system has a boundary."""
    return sorted(set.intersection(*({end for _, end in _spans(score) if end} for score in scores)))


def subsets_of(numbers: Sequence[int], size: int, most: int, seed: str) -> list[tuple[int, ...]]:
    """Return all subsets of a size, or a random sample of ``most`` of them if there are more.

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
    """Yield bootstrap samples as counts of each sentence, drawn with replacement, shape ``(some, sentences)``.

    The counts do not depend on how many samples are drawn at once.
    """
    random = np.random.default_rng(seed)
    for number in _portions(samples, sentences):
        drawn = (
            random.integers(0, sentences, size=(number, sentences))
            if sentences
            else np.empty((number, 0), int)
        )
        cells = drawn + sentences * np.arange(number)[:, np.newaxis]
        yield np.bincount(cells.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(np.float64)


def bootstrap_values(
    systems: Sequence[FloatArray], values: Values, samples: int, seed: int
) -> list[dict[str, FloatArray]]:
    """Return the values of each bootstrap sample; all systems share the samples.

    Args:
        systems: The rows of each system, shape ``(sentences, …, columns)``; the axes in between hold parts of a
            sentence, such as error types.
        values: The function from summed rows to values.
        samples, seed: The number of samples, and the seed.

    Returns:
        For each system the values by name, shape ``(samples, …)``.
    """
    drawn: list[list[Mapping[str, FloatArray]]] = [[] for _ in systems]
    for times in draws(len(systems[0]), samples, seed):
        for own, rows in zip(drawn, systems, strict=True):
            totals = times @ rows.reshape(len(rows), -1)
            own.append(values(totals.reshape(len(times), *rows.shape[1:])))
    return [{name: np.concatenate([one[name] for one in own]) for name in own[0]} for own in drawn]


def p_value(drawn: FloatArray, observed: float) -> float:
    """Return the share of samples at least as far from 0 as the observation, which counts as a sample.

    The p-value of NaN is 1. NaN samples are left out.
    """
    if np.isnan(observed):
        return 1.0
    # The same difference, summed in another order, can differ in the last bits.
    drawn = drawn[~np.isnan(drawn)]
    far = np.abs(drawn) >= abs(observed) - 1e-12
    return float((far.sum() + 1) / (len(drawn) + 1))


def check_samples(samples: int | None, seed: int) -> None:
    """Check a number of samples, None standing for the default, and a seed.

    Raises:
        UsageError: Either is out of its range.
    """
    if not 0 <= seed <= _LARGEST_SEED:
        raise UsageError(f"found seed {seed}, expected a number from 0 to {_LARGEST_SEED}")
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise UsageError(f"found {samples} samples, expected 1 to {MOST_SAMPLES:,}")


def check_drawn(score: Score, samples: int, seed: int) -> None:
    """Check that samples can be drawn from a score.

    Raises:
        UsageError: The score has no sentences, or samples or seed are out of their range.
    """
    check_samples(samples, seed)
    if not score.sentences:
        raise UsageError(f"{score.hypothesis}: found no sentences to draw from")


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference of a system from the baseline in one figure.

    Attributes:
        value: The system's figure minus the baseline's.
        low, high: The ends of the 95 % bootstrap interval of the difference.
        p: The two-sided p-value of a paired test, in (0, 1].
        p_corrected: The p-value corrected for the number of tests.
    """

    value: float
    low: float
    high: float
    p: float
    p_corrected: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired test of one system against the baseline.

    Attributes:
        test: ``bootstrap`` or ``randomisation``.
        baseline, hypothesis: The names of the systems.
        samples, seed: The number of samples, and the seed.
        correction: The correction of p-values: ``holm``, ``bh`` or ``none``. The tests of one value of the whole
            text are one family of tests, those of all error types and systems another.
        differences: The difference in each value of the metric.
        types: The difference in the main value for each error type; empty if not asked for. NaN if one of the two
            systems and its references have no edits of the type.
    """

    test: str
    baseline: str
    hypothesis: str
    samples: int
    seed: int
    correction: str
    differences: dict[str, Difference]
    types: dict[str, Difference] = field(default_factory=dict)


class SentenceDifference(NamedTuple):
    """A sentence, or a stretch of aligned sentences, with different scores of a system and the baseline.

    Attributes:
        sentences: The numbers of the reference sentences, from 1.
        value, baseline: The main value of the system and of the baseline there.
        difference: ``value`` minus ``baseline``.
        effect: The contribution to the difference of the whole text: the latter minus what it is without these
            sentences.
    """

    sentences: tuple[int, ...]
    value: float
    baseline: float
    difference: float
    effect: float


def paired_tests(
    scores: Sequence[Score],
    test: str = "randomisation",
    samples: int | None = None,
    seed: int = SEED,
    *,
    baseline: str = "",
    correction: str = "holm",
    by_type: bool = False,
) -> list[Comparison]:
    """Test each system against the baseline (``jperrant.paired_tests``).

    Args:
        scores: Two systems or more, scored by one metric against the same references.
        test: ``randomisation`` (approximate randomisation, Riezler and Maxwell 2005), which is also valid for types
            with few edits, or ``bootstrap`` (paired bootstrap, Koehn 2004), whose p-values are too small there.
        samples: Number of samples; if None, 10,000, or 1,000 for the bootstrap without types.
        seed: Seed of the random numbers; all systems share the samples.
        baseline: The name of the baseline system; the first system if empty.
        correction: The correction of p-values: ``holm``, ``bh`` (Benjamini and Hochberg) or ``none``.
        by_type: Whether the main value of each error type is tested too.

    Returns:
        The comparison of each system except the baseline, in the order of the scores.

    Raises:
        UsageError: There are fewer than two systems, their metrics or sentences differ, a system, test or
            correction is unknown, or samples or seed are out of their range.

    Example:
        >>> [found] = jperrant.paired_tests(jperrant.score(["a.m2", "b.m2"], "gold.m2"), by_type=True)
        >>> [name for name, one in found.types.items() if one.p_corrected < 0.05]
    """
    first, *others = paired = _paired(scores, baseline)
    check_test(test, correction)
    tested = samples if samples is not None else SAMPLES_BY_TYPE if by_type else SAMPLES[test]
    # Intervals need fewer samples than tests.
    drawn = tested if by_type or samples is not None else SAMPLES["bootstrap"]
    check_drawn(first, tested, seed)

    def differences(
        rows: Sequence[FloatArray], figures: Sequence[dict[str, FloatArray]]
    ) -> list[dict[str, list[Difference]]]:
        def values(totals: FloatArray) -> dict[str, FloatArray]:
            found = first.scorer.values(totals)
            return {name: found[name] for name in figures[0]}

        samples = bootstrap_values(rows, values, drawn, seed)
        null = None if test == "bootstrap" else swapped_values(rows, values, tested, seed)
        return _differences(figures, samples, null, correction)

    whole = differences(
        [rows[:, None, :] for rows in paired_rows(paired)],
        [{name: np.array([value]) for name, value in score.values.items()} for score in paired],
    )
    types, main = types_of(scores) if by_type else [], first.scorer.main
    parts: list[dict[str, list[Difference]]] = [{main: []} for _ in others]
    if types:
        by_types = rows_by_type(paired, types)
        totals = [rows.sum(axis=0) for rows in by_types]
        parts = differences(by_types, [{main: known_value(first.scorer, total, main)} for total in totals])
    return [
        Comparison(
            test,
            first.hypothesis,
            score.hypothesis,
            tested,
            seed,
            correction,
            {name: one for name, [one] in own.items()},
            dict(zip(types, of_types[main], strict=True)),
        )
        for score, own, of_types in zip(others, whole, parts, strict=True)
    ]


def check_test(test: str = "randomisation", correction: str = "holm") -> None:
    """Check that a paired test and a correction exist.

    Raises:
        UsageError: One is unknown; names the known ones.
    """
    for what, name, known in (("test", test, [*SAMPLES]), ("correction", correction, [*CORRECTIONS])):
        check_known(what, name, known)


def check_baseline(systems: Sequence[str], baseline: str) -> None:
    """Check that a baseline is one of the systems, or empty.

    Raises:
        UsageError: It is not one of the systems; names the systems.
    """
    if baseline and baseline not in systems:
        raise UsageError(
            f"found no system {baseline!r} for the baseline{nearest(baseline, systems)}; expected one of "
            f"{', '.join(systems)}"
        )


def corrected(p: Sequence[float], correction: str = "holm") -> list[float]:
    """Return corrected p-values in the given order.

    >>> corrected([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]

    Args:
        p: The p-values of one family of tests.
        correction: ``holm``, ``bh`` or ``none``.

    Raises:
        UsageError: The correction is unknown.
    """
    check_test(correction=correction)
    if correction == "none" or not p:
        return list(p)
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    tests, rank = len(values), np.arange(1, len(values) + 1)
    if correction == "holm":  # the smallest of m values times m, the next times m - 1, never falling
        adjusted = np.maximum.accumulate(values[order] * (tests - rank + 1))
    else:  # the largest times m/m, the one before times m/(m - 1), never rising on the way down
        adjusted = np.minimum.accumulate((values[order] * tests / rank)[::-1])[::-1]
    result = np.empty(tests)
    result[order] = np.minimum(adjusted, 1)
    return [float(one) for one in result]


def types_of(scores: Sequence[Score]) -> list[str]:
    """Return the sorted error types of systems and their references."""
    return sorted({type_ for score in scores for type_ in score.by_type})


def rows_by_type(scores: Sequence[Score], types: Sequence[str]) -> list[FloatArray]:
    """Return the rows of each system by error type.

    Args:
        scores: Systems scored by one metric against the same references.
        types: The error types.

    Returns:
        One array for each system, of shape ``(stretches, types, columns)``; see :func:`paired_rows`.
    """
    columns, number = len(scores[0].scorer.columns), {name: n for n, name in enumerate(types)}
    flat = []
    for score in scores:
        rows = np.zeros((score.sentences, len(types), columns))
        for sentence, candidate in enumerate(score.combined):
            for type_, row in candidate.by_type.items():
                rows[sentence, number[type_]] = row
        flat.append(rows.reshape(score.sentences, -1))
    return [rows.reshape(len(rows), len(types), columns) for rows in paired_rows(scores, flat)]


def support_of(scorer: Scorer, total: Row | FloatArray) -> float | None:
    """Return tp + fn of a summed row, the number or weight of reference edits; None if the metric lacks these."""
    if "tp" not in scorer.columns or "fn" not in scorer.columns:
        return None
    return float(total[scorer.columns.index("tp")] + total[scorer.columns.index("fn")])


def swapped_values(
    systems: Sequence[FloatArray], values: Values, samples: int, seed: int
) -> list[dict[str, FloatArray]]:
    """Return the differences from the baseline when rows are swapped with probability 1/2.

    Approximate randomisation: Riezler and Maxwell (2005), figure 1.

    Args:
        systems: The rows of each system, as in :func:`bootstrap_values`; the first system is the baseline.
        values: The function from summed rows to values.
        samples, seed: The number of samples, and the seed.

    Returns:
        For each further system the differences by value, shape ``(samples, …)``.
    """
    first, *others = systems
    random = np.random.default_rng(seed)
    drawn: list[list[dict[str, FloatArray]]] = [[] for _ in others]
    for number in _portions(samples, len(first)):
        swaps = random.integers(0, 2, size=(number, len(first))).astype(np.float64)
        for own, rows in zip(drawn, others, strict=True):
            moved = (swaps @ (first - rows).reshape(len(first), -1)).reshape(number, *first.shape[1:])
            ours, theirs = values(rows.sum(axis=0) + moved), values(first.sum(axis=0) - moved)
            own.append({name: ours[name] - theirs[name] for name in ours})
    return [{name: np.concatenate([one[name] for one in own]) for name in own[0]} for own in drawn]


def sentence_differences(score: Score, baseline: Score) -> list[SentenceDifference]:
    """Return the sentences with different scores, those with the largest lead of the system first.

    Args:
        score, baseline: The system and the baseline, scored by one metric against the same references. Sentences
            without a score are left out.
    """
    main = score.scorer.main
    sign = -1 if score.scorer.lower_is_better else 1
    rows = paired_rows([score, baseline])
    ours, theirs = (score.scorer.values(own)[main] for own in rows)
    without = [score.scorer.values(own.sum(axis=0) - own)[main] for own in rows]
    effect = (score.values[main] - baseline.values[main]) - (without[0] - without[1])
    found = [
        SentenceDifference(tuple(range(start + 1, end + 1)), a, b, a - b, e)
        for (start, end), a, b, e in zip(
            stretches([score, baseline]), ours.tolist(), theirs.tolist(), effect.tolist(), strict=True
        )
        if abs(a - b) > 0
    ]
    return sorted(found, key=lambda s: (-sign * s.difference, -sign * s.effect, s.sentences))


def _paired(scores: Sequence[Score], baseline: str) -> list[Score]:
    """Return the baseline followed by the other systems.

    Raises:
        UsageError: There are fewer than two systems, the baseline is not among them, or metrics or sentences
            differ.
    """
    if len(scores) < 2:
        raise UsageError("a paired test compares two or more systems; give several hypotheses")
    names = [score.hypothesis for score in scores]
    check_baseline(names, baseline)
    place = names.index(baseline) if baseline else 0
    first, others = scores[place], [*scores[:place], *scores[place + 1 :]]
    for score in others:
        if score.scorer != first.scorer or reference_size(score) != reference_size(first):
            both = " and ".join(
                f"{one.hypothesis} ({one.metric}, {plural(reference_size(one), 'sentence')})"
                for one in (first, score)
            )
            raise UsageError(f"{both} cannot be paired; give scores of one metric over the same sentences")
    return [first, *others]


def known_value(scorer: Scorer, totals: FloatArray, name: str) -> FloatArray:
    """Return a value of summed rows, shape ``(…, columns)``; NaN for rows of zeros.

    By convention 0/0 is 1 in many metrics, which would be misleading for a type without edits.
    """
    figures: FloatArray = np.where(totals.any(axis=-1), scorer.values(totals)[name], np.nan)
    return figures


def _differences(
    figures: Sequence[dict[str, FloatArray]],
    drawn: Sequence[dict[str, FloatArray]],
    swapped: Sequence[dict[str, FloatArray]] | None,
    correction: str,
) -> list[dict[str, list[Difference]]]:
    """Return the differences of each further system from the first, by value, one for each part.

    Args:
        figures: The values of each system, shape ``(parts,)``; the first system is the baseline.
        drawn: The values of each system in bootstrap samples, shape ``(samples, parts)``.
        swapped: The differences in samples of :func:`swapped_values`; None for the paired bootstrap.
        correction: The correction of p-values, over all systems and parts of one value.
    """
    found: list[dict[str, list[Difference]]] = [{} for _ in figures[1:]]
    for value, baseline in figures[0].items():
        raw = []
        for n in range(1, len(figures)):
            gaps = drawn[n][value] - drawn[0][value]
            null = gaps if swapped is None else swapped[n - 1][value]
            for observed, gap, part in zip(figures[n][value] - baseline, gaps.T, null.T, strict=True):
                ends = interval(gap) if observed == observed else (np.nan, np.nan)
                raw.append((float(observed), *ends, _p(part, float(observed), shifted=swapped is None)))
        adjusted = corrected([one[-1] for one in raw], correction)
        made = [Difference(*one, p) for one, p in zip(raw, adjusted, strict=True)]
        for n, own in enumerate(found):
            own[value] = made[n * len(baseline) : (n + 1) * len(baseline)]
    return found


def _p(null: FloatArray, observed: float, shifted: bool) -> float:
    """Return a p-value; bootstrap samples are first shifted to a mean of 0, the null hypothesis.

    Riezler and Maxwell (2005), figure 2.
    """
    known = null[~np.isnan(null)]
    return p_value(known - known.mean() if shifted and len(known) else known, observed)


def _portions(samples: int, sentences: int) -> Iterator[int]:
    """Yield the numbers of samples that are drawn at once, smaller ones for larger corpora."""
    together = max(1, min(_TOGETHER, _CELLS // max(sentences, 1)))
    starts = range(0, samples, together)
    yield from (min(together, samples - start) for start in track(starts, "drawing samples", len(starts)))

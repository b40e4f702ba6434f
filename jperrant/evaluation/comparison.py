"""Why one system is better than another: by error type, by sentence and by edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.core.markup import table_html
from jperrant.core.messages import plural
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.inputs import References, Source, Systems
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import Score
from jperrant.evaluation.request import evaluate_all
from jperrant.evaluation.run import TextKeywords, read_pairs
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.shared_edits import SystemEdit, edits_by_sentence, stretches
from jperrant.evaluation.statistics.correction import corrected
from jperrant.evaluation.statistics.differences import (
    Difference,
    bootstrap_p,
    bootstrap_values,
    interval,
    swapped_values,
)
from jperrant.evaluation.statistics.significance import SEED, Test, p_value, paired_rows
from jperrant.evaluation.type_figures import rows_by_part, support_of, types_of

#: Samples where none are asked for: enough for a p-value that is corrected for a hundred tests.
SAMPLES = 10_000
#: The paired tests by name.
TESTS: dict[str, Test] = {"randomisation": "randomisation", "bootstrap": "bootstrap"}


@dataclass(frozen=True, slots=True)
class PairedTestOptions:
    """How p-values are made.

    Attributes:
        test: The paired test.
        samples, seed: What is drawn.
        correction: For many tests, as in ``corrected``.
    """

    test: Test = "randomisation"
    samples: int = SAMPLES
    seed: int = SEED
    correction: str = "holm"


@dataclass(frozen=True, slots=True)
class PartComparison:
    """The systems side by side in one part of the text: all of it, or the edits of one error type.

    Attributes:
        type: The error type; empty for the whole.
        support: For each system the number (or weight) of the edits of the references that were chosen for it; None
            if the metric has no tp and fn.
        values: The metric's main value of each system; not a number where neither it nor its references have edits.
        differences: Of the first system to each of the others; not a number where one has no value.
    """

    type: str
    support: tuple[float | None, ...]
    values: tuple[float, ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class SentenceComparison:
    """The systems side by side in one sentence, or in the stretch of sentences that had to be taken together.

    Attributes:
        sentences: The numbers of the reference file's sentences, from 1.
        source: The tokens; empty where the systems have other ones.
        values: The metric's main value of each system; not a number where it has none.
        advantage: How far the first system is above the mean of the others; positive if it is better, also where a
            lower value is.
        effect: By how much the first system's advantage in the whole text would fall without these sentences.
        edits: The edits of all systems.
    """

    sentences: tuple[int, ...]
    source: tuple[str, ...]
    values: tuple[float, ...]
    advantage: float
    effect: float
    edits: tuple[SystemEdit, ...]


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Systems compared by one metric; the first one with each of the others.

    Attributes:
        scores: The score of each system.
        overall: The whole text.
        types: The error types, sorted by name; none if the metric does not know types.
        sentences: All sentences, those first in which the first system beats the others most.
        options: How the p-values were made. Those by type are corrected for the number of types times the number of
            other systems, those of the whole for the number of other systems.
        notes: What a person should know, one line each.
    """

    scores: Scores
    overall: PartComparison
    types: tuple[PartComparison, ...]
    sentences: tuple[SentenceComparison, ...]
    options: PairedTestOptions
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(score.hypothesis for score in self.scores)

    @property
    def scorer(self) -> Scorer:
        """The metric."""
        first: Score = self.scores[0]
        return first.scorer

    def __repr__(self) -> str:
        others = ", ".join(
            f"{name} {d.value:+.4f} (p = {d.p:.2g})"
            for name, d in zip(self.systems[1:], self.overall.differences, strict=True)
        )
        return (
            f"SystemComparison({self.systems[0]} in {self.scorer.name} {self.scorer.main} against {others})"
        )

    def _repr_html_(self) -> str:
        """Return the whole and the error types as HTML for a notebook."""
        others = self.systems[1:]
        measure = f"{self.scorer.name} {self.scorer.main}"
        header = ["type", "support", *self.systems]
        for name in others:
            header += [f"minus {name}", "low", "high", "p"]
        rows = [
            [
                part.type or "all",
                _whole(part.support[0]),
                *part.values,
                *(x for d in part.differences for x in (d.value, d.low, d.high, d.p_corrected)),
            ]
            for part in (self.overall, *self.types)
        ]
        notes = (self.scores[0].signature, f"p corrected: {self.options.correction}", *self.notes)
        return table_html(header, rows, notes, caption=f"{measure} of {self.systems[0]} and others")


def compare_systems(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    test: str = "randomisation",
    samples: int | None = None,
    seed: int = SEED,
    correction: str = "holm",
    **texts: Unpack[TextKeywords],
) -> SystemComparison:
    """Compare a system with others: by error type, sentence by sentence, and edit by edit.

    Args:
        systems: Two systems or more, as in :func:`jperrant.score`.
        references, source: As in :func:`jperrant.score`.
        metrics: One metric, with its options if it is to have some.
        test: ``randomisation`` (approximate, Riezler and Maxwell 2005), which also holds for types with few edits,
            or ``bootstrap`` (paired, Koehn 2004), which takes chance for a difference there.
        samples, seed: What is drawn; 10,000 samples if None.
        correction: ``holm``, ``bh`` (Benjamini and Hochberg) or ``none``.
        **texts: ``lang``, ``raw``, ``models`` and the like, as in :func:`jperrant.score`.

    Raises:
        UsageError: Fewer than two systems, an unknown metric, option, test or correction.
        InputError: A file cannot be read, is not M2, or is another text than the references.

    Example:
        >>> found = jperrant.compare_systems({"A": "a.m2", "B": "b.m2"}, "gold.m2")
        >>> [t.type for t in found.types if t.differences[0].p_corrected < 0.05]
    """
    statistics = check_comparison(test, samples, seed, correction)
    scorers, pairs = read_pairs(systems, references, source=source, metrics=metrics, **texts)
    return compare_pairs(scorers, pairs, statistics)


def check_comparison(
    test: str = "randomisation", samples: int | None = None, seed: int = SEED, correction: str = "holm"
) -> PairedTestOptions:
    """Return how p-values are made, refusing what cannot be.

    Args:
        test, samples, seed, correction: As in :func:`compare_systems`.

    Raises:
        UsageError: An unknown test or correction, or an impossible number of samples.
    """
    corrected([], correction)
    check_samples(samples, seed)
    if test not in TESTS:
        raise UsageError(f"unknown test {test!r}{nearest(test, TESTS)}; expected one of {', '.join(TESTS)}")
    return PairedTestOptions(TESTS[test], SAMPLES if samples is None else samples, seed, correction)


def check_one_metric(metrics: Sequence[object]) -> None:
    """Refuse several metrics: systems are compared by one.

    Raises:
        UsageError: There is not one.
    """
    if len(metrics) != 1:
        raise UsageError(
            f"found {len(metrics)} metrics, but systems are compared by one; run it once for each"
        )


def compare_pairs(
    scorers: Sequence[Scorer], pairs: Sequence[Pair], options: PairedTestOptions | None = None
) -> SystemComparison:
    """Compare systems that have been read.

    Args:
        scorers: The metric; exactly one.
        pairs: The systems with their references.
        options: How p-values are made.

    Raises:
        UsageError: Not one metric, or fewer than two systems.
    """
    check_one_metric(scorers)
    if len(pairs) < 2:
        raise UsageError(
            "found fewer than two systems; give two or more to compare, and the references with --ref"
        )
    if not pairs[0].hypothesis:
        raise UsageError(f"{pairs[0].name}: found no sentences to compare")
    return compare_scores(evaluate_all(scorers, pairs), pairs, options)


def compare_scores(
    scores: Scores, pairs: Sequence[Pair], options: PairedTestOptions | None = None
) -> SystemComparison:
    """Compare systems that have been scored.

    Args:
        scores: The scores of the systems by one metric.
        pairs: The systems with their references, in the same order.
        options: How p-values are made.
    """
    options = options or PairedTestOptions()
    parts = _parts(scores, options)
    sentences = _sentences(scores, pairs)
    notes = [] if len(parts) > 1 else [f"metric {scores[0].metric!r} has no figures by type here"]
    if other := sum(not one.source for one in sentences):
        notes.append(
            f"{plural(other, 'sentence')} with different tokens in different systems; their edits are not "
            "compared"
        )
    return SystemComparison(scores, parts[0], tuple(parts[1:]), tuple(sentences), options, tuple(notes))


def _parts(scores: Sequence[Score], options: PairedTestOptions) -> list[PartComparison]:
    """Return the comparison of the whole and of each type."""
    samples, seed = options.samples, options.seed
    scorer = scores[0].scorer
    types = types_of(scores)
    rows = rows_by_part(scores, types)
    totals = [own.sum(axis=0) for own in rows]
    values = [_values(scorer, total) for total in totals]
    drawn = bootstrap_values(scorer, rows, scorer.main, samples, seed)
    raw = []
    for other in range(1, len(scores)):
        differences = values[0] - values[other]
        if options.test == "bootstrap":
            p = [bootstrap_p(d, o) for d, o in zip((drawn[0] - drawn[other]).T, differences, strict=True)]
        else:
            swapped = swapped_values(scorer, rows[0], rows[other], scorer.main, samples, seed)
            p = [p_value(d, o) for d, o in zip(swapped.T, differences, strict=True)]
        nothing = np.isnan(differences)
        ends = [interval(d) for d in np.where(nothing, np.nan, drawn[0] - drawn[other]).T]
        raw.append([(float(d), *e, q) for d, e, q in zip(differences, ends, p, strict=True)])
    adjusted = _adjusted([[one[3] for one in own] for own in raw], options.correction)
    return [
        PartComparison(
            name,
            tuple(support_of(scorer, total[n]) for total in totals),
            tuple(float(own[n]) for own in values),
            tuple(Difference(*raw[k][n], adjusted[k][n]) for k in range(len(raw))),
        )
        for n, name in enumerate(["", *types])
    ]


def _values(scorer: Scorer, total: FloatArray) -> FloatArray:
    """Return the main value of each part; not a number for types of which there are no edits on either side.

    Args:
        scorer: The metric, whose ratios of nothing are 1 by convention.
        total: Summed rows, shape ``(parts, columns)``, those of the whole first.
    """
    known = total.any(axis=-1)
    known[0] = True
    figures: FloatArray = np.where(known, scorer.values(total)[scorer.main], np.nan)
    return figures


def _adjusted(p: Sequence[Sequence[float]], correction: str) -> list[list[float]]:
    """Return corrected p-values: those of the whole are one family, those of all types another."""
    whole = corrected([own[0] for own in p], correction)
    width = len(p[0]) - 1
    types = corrected([one for own in p for one in own[1:]], correction)
    return [[whole[n], *types[n * width : (n + 1) * width]] for n in range(len(p))]


def _sentences(scores: Sequence[Score], pairs: Sequence[Pair]) -> list[SentenceComparison]:
    """Return all sentences, those first in which the first system beats the others most."""
    scorer = scores[0].scorer
    sign = -1.0 if scorer.lower_is_better else 1.0
    rows = paired_rows(scores)
    values = [scorer.values(own)[scorer.main] for own in rows]
    without = [scorer.values(own.sum(axis=0) - own)[scorer.main] for own in rows]
    whole = [np.full(len(rows[0]), score.values[scorer.main]) for score in scores]
    advantage = sign * _ahead(values)
    effect = sign * (_ahead(whole) - _ahead(without))
    ranges = stretches(scores)
    edits = edits_by_sentence(scores, pairs, ranges)
    found = [
        SentenceComparison(
            tuple(range(start + 1, end + 1)), source, tuple(float(v[n]) for v in values), a, e, own
        )
        for n, ((start, end), (source, own), a, e) in enumerate(
            zip(ranges, edits, advantage.tolist(), effect.tolist(), strict=True)
        )
    ]
    # A sentence for which the metric has no figure is for nobody.
    return sorted(found, key=lambda s: (-_known(s.advantage), -_known(s.effect), s.sentences))


def _ahead(values: Sequence[FloatArray]) -> FloatArray:
    """Return how far the first system's values are above the mean of the others'."""
    others: FloatArray = np.mean(np.stack(values[1:]), axis=0)
    return values[0] - others


def _whole(support: float | None) -> float | None:
    """Return a count as a whole number; a weight stays."""
    return int(support) if support is not None and support.is_integer() else support


def _known(figure: float) -> float:
    return 0.0 if np.isnan(figure) else figure

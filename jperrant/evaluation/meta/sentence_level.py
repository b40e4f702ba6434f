"""Meta-evaluation at sentence level: how often a metric prefers the system that a judge preferred.

Accuracy = agreements / pairs; Kendall's τ = (agreements − disagreements) / pairs, as Kobayashi, Mita and Komachi
(2024), "Revisiting Meta-evaluation for Grammatical Error Correction", section 5.1. What a tie of the metric
counts is a rule of its own (``TIE_RULES``), and the number of ties is always given: metrics that often do not
decide profit from a lenient rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.evaluation.meta.dataset import JudgementSet
from jperrant.evaluation.meta.judged_pairs import JudgedPairs, agreements, judged_pairs, score_gaps
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.statistics.differences import interval
from jperrant.evaluation.statistics.significance import SEED


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """How far one metric agrees with judgements of sentences.

    Attributes:
        metric: The metric.
        judgements: The set of judgements.
        group: The group of systems.
        rule: What ties count, one of ``TIE_RULES``.
        accuracy: Share of pairs with which the metric agrees, 0 to 1; NaN without pairs.
        kendall: Share of agreements minus that of disagreements, -1 to 1; NaN without pairs.
        pairs: The number of pairs judged, ties among them.
        agree: With how many of them the metric agrees; half pairs under the rule ``half`` are not in it.
        ties: In how many of them the metric does not decide.
        interval: Ends of the 95 % bootstrap interval of the accuracy; sentences are drawn. None if not asked for.
    """

    metric: str
    judgements: str
    group: str
    rule: str
    accuracy: float
    kendall: float
    pairs: int
    agree: int
    ties: int
    interval: tuple[float, float] | None = None


def sentence_agreement(
    scores: MetricScores,
    judged: JudgementSet,
    systems: Sequence[str],
    *,
    ties: str = "half",
    group: str = "",
    samples: int = 0,
    seed: int = SEED,
) -> SentenceAgreement:
    """Return how far a metric agrees with judgements of sentences.

    Args:
        scores: The metric.
        judged: The judgements.
        systems: The systems whose pairs count.
        ties: One of ``TIE_RULES``.
        group: What the systems are called together.
        samples: Bootstrap samples for the interval; 0 for none.
        seed: Of the samples.

    Raises:
        UsageError: The metric has no scores of sentences, or no judgement tells two of the systems apart.
    """
    pairs = judged_pairs(judged, systems)
    if not len(pairs):
        raise UsageError(
            f"judgements {judged.name!r}: no judge ranked two of the systems {', '.join(systems)} differently; "
            "give judgements that do"
        )
    agrees = agreements(pairs, scores, ties)
    gaps = score_gaps(pairs, scores)
    counted = agrees[~np.isnan(agrees)]
    accuracy = float(counted.mean()) if len(counted) else math.nan
    return SentenceAgreement(
        scores.name,
        judged.name,
        group,
        ties,
        accuracy,
        2 * accuracy - 1,  # an agreement of ½ is half for and half against
        int((~np.isnan(gaps)).sum()),
        int((agrees == 1).sum()),
        int((gaps == 0).sum()),
        _interval(pairs, agrees, samples, seed) if samples else None,
    )


def _interval(pairs: JudgedPairs, agrees: FloatArray, samples: int, seed: int) -> tuple[float, float]:
    """Return the ends of the bootstrap interval of the accuracy; all pairs of a sentence are drawn together."""
    counted = ~np.isnan(agrees)
    _, sentence = np.unique(pairs.sentences, return_inverse=True)
    agreed = np.bincount(sentence, weights=np.nan_to_num(agrees))
    number = np.bincount(sentence, weights=counted)
    random = np.random.default_rng(seed)
    drawn = np.empty(samples)
    for sample in range(samples):
        chosen = random.integers(0, len(number), size=len(number))
        total = number[chosen].sum()
        drawn[sample] = agreed[chosen].sum() / total if total else np.nan
    return interval(drawn)

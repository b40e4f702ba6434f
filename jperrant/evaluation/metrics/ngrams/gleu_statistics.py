"""GLEU of Napoles et al.: the statistics of a sentence, and the score of summed statistics.

Napoles, Sakaguchi, Post and Tetreault, "Ground Truth for Grammatical Error Correction Metrics" (ACL 2015) and
"GLEU Without Tuning" (2016), whose definition this is: BLEU with n-grams up to 4 in which an n-gram of the
hypothesis that the source has and the reference has not counts against it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.evaluation.metrics.ngrams.counting import NgramCounts

#: Which n-grams are penalised: those of the published script, or those that the formula means.
Variant: TypeAlias = Literal["official", "corrected"]
#: What a statistic that is 0 counts as in the score of a sentence.
Smoothing: TypeAlias = Literal["ones", "none"]
#: Which Python's randint draws references.
Generator: TypeAlias = Literal["python2", "python3"]
#: The largest n.
ORDER = 4
#: Two lengths, then a numerator and a denominator for each n.
COLUMNS = (
    "hypothesis_length",
    "reference_length",
    *(f"{part}_{n}" for n in range(1, ORDER + 1) for part in ("matches", "ngrams")),
)


def gleu_statistics(
    source: Sequence[NgramCounts],
    hypothesis: Sequence[NgramCounts],
    reference: Sequence[NgramCounts],
    variant: Variant,
) -> tuple[int, ...]:
    """Return the statistics of one hypothesis against one reference, in the order of ``COLUMNS``.

    With counts h, s and r of an n-gram in hypothesis, source and reference, the numerator of an n is

    - ``official``: Σ min(h, r) − Σ min(h, s) over n-grams that the reference does not have at all, at least 0.
      An n-gram that the source repeats and the reference has once is not penalised.
    - ``corrected``: Σ min(h, r) − Σ max(min(h, s) − r, 0), which may be negative (Koyama et al. 2024).

    Args:
        source, hypothesis, reference: Their n-grams, n = 1 … 4.
        variant: Which n-grams are penalised.
    """
    row = [sum(hypothesis[0].values()), sum(reference[0].values())]
    for s, h, r in zip(source, hypothesis, reference, strict=True):
        matches = penalty = 0
        for ngram, count in h.items():
            in_source, in_reference = s.get(ngram, 0), r.get(ngram, 0)
            matches += min(count, in_reference)
            if variant == "corrected":
                penalty += max(min(count, in_source) - in_reference, 0)
            elif not in_reference:
                penalty += min(count, in_source)
        numerator = matches - penalty
        row += [numerator if variant == "corrected" else max(numerator, 0), sum(h.values())]
    return tuple(row)


def gleu(statistics: FloatArray) -> FloatArray:
    """Return GLEU of summed statistics, in 0 … 1: exp(min(0, 1 − r/c) + ¼ Σ ln(numerator/denominator)).

    It is 0 where any statistic is not above 0: also for texts without a single 4-gram.

    Args:
        statistics: Shape ``(…, 10)``, in the order of ``COLUMNS``.
    """
    statistics = np.asarray(statistics, dtype=np.float64)
    defined = np.all(statistics > 0, axis=-1)
    safe = np.where(np.expand_dims(defined, -1), statistics, 1.0)
    brevity = np.minimum(0.0, 1.0 - safe[..., 1] / safe[..., 0])
    precision = np.log(safe[..., 2::2] / safe[..., 3::2]).sum(axis=-1) / ORDER
    return np.where(defined, np.exp(brevity + precision), 0.0)


def smooth_sentence(statistics: FloatArray, smoothing: Smoothing = "ones") -> FloatArray:
    """Return the statistics of sentences as their scores are made of.

    Args:
        statistics: Shape ``(…, 10)``.
        smoothing: ``ones`` sets each statistic that is not above 0 to 1, as the published script does: a right
            sentence of three words, which has no 4-grams, scores 1, and an empty hypothesis is as long as a word
            that matches. ``none`` does so only where the hypothesis has no n-grams of an n.
    """
    if smoothing == "ones":
        return np.where(statistics > 0, statistics, 1.0)
    smoothed = statistics.copy()
    for n in range(2, len(COLUMNS), 2):
        none = statistics[..., n + 1] == 0
        smoothed[..., n : n + 2] = np.where(none[..., None], 1.0, statistics[..., n : n + 2])
    return smoothed


def draw_references(
    references: Sequence[int], draws: int, seed: int, generator: Generator = "python2"
) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """Return which reference each draw takes of each sentence, shape ``(draws, sentences)``.

    Draw j is seeded with ``seed`` · j and takes one number for each sentence, as the published script does.
    With seed 101 and the same number of references for each sentence the draws are those of that script run
    with the Python 2 it is written for. Python 3's ``randint`` draws others: those of gec-metrics.

    Args:
        references: The number of references of each sentence, each at least 1.
        draws: How many times the corpus is scored.
        seed: An integer.
        generator: Whose ``randint`` draws.
    """
    if generator == "python3":
        drawn = np.empty((draws, len(references)), dtype=np.intp)
        for draw in range(draws):
            randint = random.Random(seed * draw).randint
            drawn[draw] = [randint(0, number - 1) for number in references]
        return drawn
    many = np.array(references, dtype=np.float64)
    uniform = np.empty((draws, len(references)))
    for draw in range(draws):
        uniform_number = random.Random(seed * draw).random
        uniform[draw] = [uniform_number() for _ in references]
    return (uniform * many).astype(np.intp)

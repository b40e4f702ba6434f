"""GLEU and GREEN: comparisons of the n-grams of source, hypothesis and reference.

GLEU: Napoles, Sakaguchi, Post and Tetreault, "Ground Truth for Grammatical Error Correction Metrics" (ACL 2015)
and, for the definition used here, "GLEU Without Tuning" (2016). It is BLEU with n-grams up to 4 in which
n-grams of the hypothesis that occur in the source but not in the reference are penalised. The statistics of a
sentence with several references are the mean over these. The published program instead draws one reference for
each sentence, 500 times; that figure differs by less than .0001 on CoNLL-2014. The draws are an option.

GREEN: Koyama, "n-gram F-score for Evaluating Grammatical Error Correction" (2024). Each n-gram of source,
hypothesis and reference is correctly or wrongly kept, deleted or inserted; precision and recall are geometric
means over n.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Candidates, LevelScorer, Pair, Row, SystemCandidates
from jperrant.evaluation.metrics.corrected_texts import UNIT, TextScorer, TextUnit, units_of
from jperrant.evaluation.metrics.fmeasure import Level, beta_option, fs_of, means, ratio
from jperrant.evaluation.metrics.reference_choice import choose_by_keys, mean_candidate

#: The counts of the n-grams of one order; unigrams are strings, longer n-grams tuples of strings.
NgramCounts: TypeAlias = Mapping[object, int]
#: The counts of one text for each n.
Ngrams: TypeAlias = tuple[NgramCounts, ...]
#: The penalised n-grams: those of the published script, or those of the corrected formula.
Variant: TypeAlias = Literal["official", "corrected"]
#: The treatment of statistics that are 0 in the score of a sentence.
Smoothing: TypeAlias = Literal["ones", "none"]
#: The version of Python whose ``randint`` draws references.
Generator: TypeAlias = Literal["python2", "python3"]
#: The largest n.
GLEU_ORDER = 4
#: The statistics of GLEU: two lengths, then a numerator and a denominator for each n.
GLEU_COLUMNS = (
    "hypothesis_length",
    "reference_length",
    *(f"{part}_{n}" for n in range(1, GLEU_ORDER + 1) for part in ("matches", "ngrams")),
)
#: The recall for an n without n-grams to recall: 0 or 1.
NoNgrams: TypeAlias = Literal["zero", "one"]
#: The counts of GREEN for each n: true keeps, deletions and insertions; over-deletions, over-insertions;
#: under-deletions, under-insertions.
KINDS = ("tk", "td", "ti", "od", "oi", "ud", "ui")
#: The indices in ``KINDS`` of n-grams that exactly one text lacks (source, hypothesis, reference), and of those
#: that exactly one text has.
_LACKED, _ALONE = (2, 3, 5), (1, 4, 6)
GREEN_VALUES = ("green", "precision", "recall")


def count_ngrams(units: Sequence[str], order: int) -> tuple[NgramCounts, ...]:
    """Return the counts of n-grams of a text for n = 1 … ``order``.

    Args:
        units: The words or the characters of the text.
        order: The largest n, at least 1.

    >>> [dict(counts) for counts in count_ngrams(("a", "b", "a"), 2)]
    [{'a': 2, 'b': 1}, {('a', 'b'): 1, ('b', 'a'): 1}]
    """
    longer: list[Counter[object]] = [
        Counter(zip(*(units[i:] for i in range(n)), strict=False)) for n in range(2, order + 1)
    ]
    return (Counter[object](units), *longer)


@dataclass(frozen=True, slots=True)
class NgramScorer(TextScorer):
    """A metric over the n-grams of source, hypothesis and reference.

    Attributes:
        unit: ``words`` or ``characters``.
    """

    unit: TextUnit = option("words", UNIT)

    @property
    @abstractmethod
    def longest(self) -> int:
        """The largest n."""

    def derived(self, tokens: Sequence[str]) -> Ngrams:
        """Return the n-grams of a text."""
        return count_ngrams(units_of(tokens, self.unit), self.longest)


@dataclass(frozen=True, slots=True)
class GleuScorer(NgramScorer):
    """GLEU: n-gram overlap of a corrected text with the references, less n-grams wrongly kept from the source.

    Attributes:
        variant: ``official`` counts like the published script; ``corrected`` also penalises n-grams that the source
            has more often than the reference.
        level: ``corpus`` sums statistics over sentences; ``sentence`` takes the mean of the sentences' scores.
        draws: The number of random draws of one reference per sentence; 0 for the mean of the statistics.
        seed: Seed of the draws; 101 gives those of the published script.
        generator: ``python2`` for the draws of the published script; ``python3`` for those of the script under
            Python 3 and of gec-metrics.
        smoothing: At sentence level ``ones`` sets statistics of 0 to 1, like the published script. With ``none``,
            as in gec-metrics, a sentence without a matching n-gram of some n scores 0, and an n for which the
            hypothesis is too short counts as fully matched.

    Raises:
        UsageError: An option is out of its range, ``draws`` is combined with sentence level, or ``generator`` is
            given without ``draws``.
    """

    variant: Variant = option(
        "official",
        "Which n-grams kept from the source are penalised.",
        choices={"official": "those that the reference lacks", "corrected": "also those it has less often"},
    )
    level: Level = option("corpus", "Summed statistics, or the mean of sentence scores.")
    draws: int = option(
        0, "Random draws of one reference a sentence; 0: mean statistics.", minimum=0, maximum=10_000
    )
    seed: int = option(101, "Seed of the draws; 101 draws as the published script.", minimum=0)
    generator: Generator = option(
        "python2",
        "The random number generator of the draws.",
        choices={"python2": "the published script's", "python3": "those of gec-metrics"},
    )
    smoothing: Smoothing = option("ones", "A statistic of 0 in a sentence becomes 1 (ones), or stays 0.")

    name: ClassVar[str] = "gleu"
    main: ClassVar[str] = "gleu"

    def check(self) -> None:
        """Check that draws are at corpus level, and that a generator has draws."""
        if self.generator != "python2" and not self.draws:
            raise UsageError(
                f"generator={self.generator} has no effect without draws; give draws as well (published: 500)"
            )
        if self.draws and self.level == "sentence":
            raise UsageError(
                "draws need level=corpus, as level=sentence takes the mean over all references; remove draws"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """The summed statistics, or those of each draw, or the sum of sentence scores and their number."""
        if self.level == "sentence":
            return ("gleu", "sentences")
        if self.draws:
            return tuple(
                f"{column}_draw_{draw}" for draw in range(1, self.draws + 1) for column in GLEU_COLUMNS
            )
        return GLEU_COLUMNS

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; those of draws and smoothing only if they apply."""
        parts = [f"var:{self.variant}", f"lvl:{self.level}", f"unit:{self.unit}"]
        if self.draws:
            parts += [f"draws:{self.draws}", f"seed:{self.seed}"]
            # The generator of the published script is the default and left out.
            parts += [f"gen:{self.generator}"] if self.generator != "python2" else []
        if self.level == "sentence":
            parts.append(f"smooth:{self.smoothing}")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Whether references are drawn, which takes one random number for each sentence of the corpus."""
        return bool(self.draws)

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the mean over references for each sentence, or the statistics of all draws."""
        if not self.draws:
            return [mean_candidate(sentence) for sentence in candidates]
        drawn = draw_references(
            [len(sentence) for sentence in candidates], self.draws, self.seed, self.generator
        )
        return [
            Candidate(
                sentence[0].hypothesis, None, tuple(number for i in chosen for number in sentence[i].row)
            )
            for sentence, chosen in zip(candidates, drawn.T.tolist(), strict=True)
        ]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return GLEU in 0 … 1; with draws the mean over them."""
        if self.level == "sentence":
            return means(totals, ("gleu",), 0)
        if self.draws:
            of_draws = totals.reshape(*totals.shape[:-1], self.draws, len(GLEU_COLUMNS))
            return {"gleu": gleu(of_draws).mean(axis=-1)}
        return {"gleu": gleu(totals)}

    @property
    def longest(self) -> int:
        """The largest n: 4."""
        return GLEU_ORDER

    def row(self, source: Ngrams, hypothesis: Ngrams, reference: Ngrams) -> Row:
        """Return the statistics, or at sentence level the score and 1."""
        statistics = gleu_statistics(source, hypothesis, reference, self.variant)
        if self.level == "corpus":
            return statistics
        return float(gleu(smooth_sentence(np.array(statistics, dtype=np.float64), self.smoothing))), 1


def gleu_statistics(
    source: Sequence[NgramCounts],
    hypothesis: Sequence[NgramCounts],
    reference: Sequence[NgramCounts],
    variant: Variant,
) -> tuple[int, ...]:
    """Return the statistics of one hypothesis against one reference, in the order of ``GLEU_COLUMNS``.

    With counts h, s and r of an n-gram in hypothesis, source and reference, the numerator of an n is

    - ``official``: Σ min(h, r) − Σ min(h, s), the second sum over n-grams with r = 0; at least 0.
    - ``corrected``: Σ min(h, r) − Σ max(min(h, s) − r, 0), which can be negative (Koyama et al. 2024).

    Args:
        source, hypothesis, reference: The n-grams of the texts, n = 1 … 4.
        variant: The penalised n-grams.
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

    It is 0 if any statistic is 0 or less, also for texts without 4-grams.

    Args:
        statistics: Shape ``(…, 10)``, in the order of ``GLEU_COLUMNS``.
    """
    statistics = np.asarray(statistics, dtype=np.float64)
    defined = np.all(statistics > 0, axis=-1)
    safe = np.where(np.expand_dims(defined, -1), statistics, 1.0)
    brevity = np.minimum(0.0, 1.0 - safe[..., 1] / safe[..., 0])
    precision = np.log(safe[..., 2::2] / safe[..., 3::2]).sum(axis=-1) / GLEU_ORDER
    return np.where(defined, np.exp(brevity + precision), 0.0)


def smooth_sentence(statistics: FloatArray, smoothing: Smoothing = "ones") -> FloatArray:
    """Return smoothed statistics for the scores of sentences.

    Args:
        statistics: Shape ``(…, 10)``, in the order of ``GLEU_COLUMNS``.
        smoothing: ``ones`` sets statistics of 0 or less to 1, like the published script: a correct sentence of
            three words, without 4-grams, scores 1, and an empty hypothesis counts as one matching word. ``none``
            does so only for an n without n-grams in the hypothesis.
    """
    if smoothing == "ones":
        return np.where(statistics > 0, statistics, 1.0)
    smoothed = statistics.copy()
    for n in range(2, len(GLEU_COLUMNS), 2):
        none = statistics[..., n + 1] == 0
        smoothed[..., n : n + 2] = np.where(none[..., None], 1.0, statistics[..., n : n + 2])
    return smoothed


def draw_references(
    references: Sequence[int], draws: int, seed: int, generator: Generator = "python2"
) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """Return the index of the drawn reference, shape ``(draws, sentences)``.

    As in the published script, draw j is seeded with ``seed`` · j and takes one number for each sentence. With seed
    101 and equal numbers of references the draws equal those of that script under Python 2, for which it was
    written. ``randint`` of Python 3 draws other references, those of gec-metrics.

    Args:
        references: The number of references of each sentence, at least 1.
        draws: The number of draws.
        seed: The seed.
        generator: The version of Python whose ``randint`` draws.
    """
    drawn = np.empty((draws, len(references)), dtype=np.intp)
    for draw in range(draws):
        source = random.Random(seed * draw)
        if generator == "python3":
            drawn[draw] = [source.randint(0, number - 1) for number in references]
        else:
            drawn[draw] = [int(source.random() * number) for number in references]
    return drawn


@dataclass(frozen=True, slots=True)
class GreenScorer(NgramScorer, LevelScorer):
    """GREEN: F-beta over the n-grams that were rightly or wrongly kept, deleted and inserted.

    Attributes:
        beta: Weight of recall in F; 2 in the paper.
        level: ``corpus`` sums counts over sentences; ``sentence`` takes the mean of the sentences' values.
        order: The largest n.
        short: The recall for an n without n-grams to recall, as in short sentences: ``zero`` as in the published
            tool, so that a correct sentence of three words scores 0, or ``one`` as in gec-metrics.

    Raises:
        UsageError: An option is out of its range.
    """

    beta: float = beta_option(2.0)
    level: Level = option("corpus", "Summed counts, or the mean of sentence values.")
    order: int = option(4, "The largest n of the n-grams.", minimum=1, maximum=16)
    short: NoNgrams = option(
        "zero",
        "Recall where a sentence is too short for an n.",
        choices={"zero": "0, the published tool", "one": "1, gec-metrics"},
    )

    name: ClassVar[str] = "green"
    main: ClassVar[str] = "green"

    measured: ClassVar[tuple[str, ...]] = GREEN_VALUES

    @property
    def summed(self) -> tuple[str, ...]:  # type: ignore[override]
        """The counts of each n."""
        return green_columns(self.order)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature."""
        return (
            f"beta:{self.beta:g}",
            f"lvl:{self.level}",
            f"unit:{self.unit}",
            f"n:{self.order}",
            f"short:{self.short}",
        )

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return the candidate of each sentence with the highest F over n = 1 … N, then 1 … N−1, and so on."""
        keys_of = partial(green_keys, beta=self.beta, no_ngrams=self.short)
        return choose_by_keys(candidates, keys_of, len(self.summed))

    def measure(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return F-beta, precision and recall of the n-grams, each in 0 … 1."""
        return green(counts, self.beta, self.short)

    @property
    def longest(self) -> int:
        """The largest n."""
        return self.order

    def row(self, source: Ngrams, hypothesis: Ngrams, reference: Ngrams) -> Row:
        """Return the counts."""
        return green_counts(source, hypothesis, reference)

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:
        """Return the counts of every hypothesis against every reference; at sentence level also the values."""
        # super() without arguments fails in dataclasses with slots.
        systems = TextScorer.candidates(self, pairs, prepared)
        return systems if self.level == "corpus" else [self._with_values(own.sentences) for own in systems]

    def _with_values(self, candidates: Candidates) -> SystemCandidates:
        rows = [candidate.row for sentence in candidates for candidate in sentence]
        counts = np.array(rows, dtype=np.float64).reshape(len(rows), self.order * len(KINDS))
        values = green(counts, self.beta, self.short)
        own = zip(*(values[name].tolist() for name in GREEN_VALUES), strict=True)
        return SystemCandidates(
            [[replace(c, row=(*c.row, *next(own), 1)) for c in sentence] for sentence in candidates]
        )


def green_columns(order: int) -> tuple[str, ...]:
    """Return the names of the counts for n = 1 … ``order``."""
    return tuple(f"{kind}_{n}" for n in range(1, order + 1) for kind in KINDS)


def green_counts(
    source: Sequence[NgramCounts], hypothesis: Sequence[NgramCounts], reference: Sequence[NgramCounts]
) -> tuple[int, ...]:
    """Return the counts of one hypothesis against one reference, in the order of ``KINDS`` for each n.

    With counts s, h and r of an n-gram in source, hypothesis and reference: TK = min(s, r, h),
    TD = max(0, s − max(r, h)), TI = max(0, min(r, h) − s), OD = max(0, min(s, r) − h),
    OI = max(0, h − max(s, r)), UD = max(0, min(s, h) − r), UI = max(0, r − max(s, h)).
    """
    row: list[int] = []
    for s, h, r in zip(source, hypothesis, reference, strict=True):
        row += _counts_of_order(s, h, r)
    return tuple(row)


def _counts_of_order(source: NgramCounts, hypothesis: NgramCounts, reference: NgramCounts) -> list[int]:
    counts = [0] * len(KINDS)
    for ngram in source.keys() | hypothesis.keys() | reference.keys():
        s, h, r = source.get(ngram, 0), hypothesis.get(ngram, 0), reference.get(ngram, 0)
        if s == h == r:  # true of most n-grams, as most of a text is left unchanged
            counts[0] += s
            continue
        (low, fewest), (middle, _), (high, most) = sorted(((s, 0), (h, 1), (r, 2)))
        # ``low`` n-grams occur in all three texts, ``middle - low`` more in two, ``high - middle`` more in one.
        counts[0] += low
        counts[_LACKED[fewest]] += middle - low
        counts[_ALONE[most]] += high - middle
    return counts


def green(counts: FloatArray, beta: float, no_ngrams: NoNgrams) -> dict[str, FloatArray]:
    """Return ``green`` (F-beta), ``precision`` and ``recall`` of summed counts, each in 0 … 1.

    Precision and recall are geometric means over n of TP/(TP+FP) and TP/(TP+FN), where TP = TK + TD + TI,
    FP = OD + OI and FN = UD + UI. The precision of an n without TP and FP is 1.

    Args:
        counts: The counts of sentences or their sums, shape ``(…, 7 · order)``, from ``green_counts``.
        beta: Weight of recall in F.
        no_ngrams: The recall of an n without TP and FN: 0 (``zero``, the published tool) or 1 (``one``,
            gec-metrics).
    """
    precision, recall = map(_geometric_mean, _ratios(np.asarray(counts, dtype=np.float64), no_ngrams))
    return {"green": fs_of(precision, recall, beta), "precision": precision, "recall": recall}


def green_keys(counts: FloatArray, beta: float, no_ngrams: NoNgrams) -> FloatArray:
    """Return the keys for the choice of references: F-beta over n = 1 … N, 1 … N−1, …, 1.

    Args:
        counts: Shape ``(candidates, 7 · order)``.
        beta, no_ngrams: As in ``green``.

    Returns:
        Shape ``(candidates, order)``; compared from left to right, the highest is best.
    """
    counts = np.asarray(counts, dtype=np.float64)
    order = counts.shape[-1] // len(KINDS)
    widths = range(order * len(KINDS), 0, -len(KINDS))
    return np.stack([green(counts[..., :width], beta, no_ngrams)["green"] for width in widths], axis=-1)


def _ratios(counts: FloatArray, no_ngrams: NoNgrams) -> tuple[FloatArray, FloatArray]:
    """Return precision and recall of each n, both of shape ``(…, order)``."""
    by_order = counts.reshape(*counts.shape[:-1], counts.shape[-1] // len(KINDS), len(KINDS))
    tp, fp, fn = by_order[..., :3].sum(-1), by_order[..., 3:5].sum(-1), by_order[..., 5:].sum(-1)
    return ratio(tp, tp + fp, 1.0), ratio(tp, tp + fn, float(no_ngrams == "one"))


def _geometric_mean(ratios: FloatArray) -> FloatArray:
    """Return the geometric mean of ratios; 0 if one of them is 0."""
    logarithms = np.log(np.where(ratios == 0, 1.0, ratios))
    mean = np.exp(logarithms.sum(-1) / ratios.shape[-1])
    return np.where((ratios == 0).any(-1), 0.0, mean)

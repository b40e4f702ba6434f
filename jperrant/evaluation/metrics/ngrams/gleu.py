"""GLEU: how close a corrected text is to its references, less what it keeps of the source's errors.

Statistics and formula: ``gleu_statistics``. A sentence with several references counts with the mean of its
statistics over them, which is what the 500 random draws of the published procedure come to (within .0001 on
CoNLL-2014), without their randomness; the draws are an option.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError
from jperrant.core.option import option
from jperrant.evaluation.metrics.base import Candidate, Candidates, Row
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.ngrams.gleu_statistics import (
    COLUMNS,
    ORDER,
    draw_references,
    gleu,
    gleu_statistics,
    smooth_sentence,
)
from jperrant.evaluation.metrics.ngrams.scorer import Ngrams, NgramScorer


@dataclass(frozen=True, slots=True)
class GleuScorer(NgramScorer):
    """GLEU with its options.

    Attributes:
        variant: ``official`` counts as the published script does; ``corrected`` also penalises n-grams that the
            source repeats and the reference has fewer times.
        level: ``corpus`` sums statistics over sentences; ``sentence`` takes the mean of the sentences' scores.
        draws: How often each sentence draws one of its references at random; 0 for the mean of the statistics.
        seed: Of the draws; 101 gives those of the published script.
        generator: ``python2`` draws as the published script does, ``python3`` as it does under Python 3, and as
            gec-metrics does.
        smoothing: At sentence level, ``ones`` sets each statistic that is 0 to 1, as the published script does;
            with ``none`` a sentence without a right n-gram of some n scores 0, and an n for which the hypothesis
            is too short counts as right, as in gec-metrics.

    Raises:
        UsageError: An option is out of its range, draws are asked for sentences, or a generator without draws.
    """

    variant: Literal["official", "corrected"] = option(
        "official",
        "Which n-grams kept from the source are penalised.",
        choices={"official": "those that the reference lacks", "corrected": "those it has less often, too"},
    )
    level: Literal["corpus", "sentence"] = option(
        "corpus", "Summed statistics, or the mean of sentence scores."
    )
    draws: int = option(
        0, "Random draws of one reference a sentence; 0: mean statistics.", minimum=0, maximum=10_000
    )
    seed: int = option(101, "Seed of the draws; 101 draws as the published script.", minimum=0)
    generator: Literal["python2", "python3"] = option(
        "python2",
        "Whose random numbers draw references.",
        choices={"python2": "the published script's", "python3": "those of gec-metrics"},
    )
    smoothing: Literal["ones", "none"] = option(
        "ones", "Statistics that are 0 in a sentence: 1, or the score is 0."
    )

    name: ClassVar[str] = "gleu"
    main: ClassVar[str] = "gleu"

    def check(self) -> None:
        """Check that draws are of a corpus, and that nothing is said of draws where there are none."""
        if self.generator != "python2" and not self.draws:
            raise UsageError(
                f"generator={self.generator} says how references are drawn; give draws as well (published: 500)"
            )
        if self.draws and self.level == "sentence":
            raise UsageError(
                "draws need level=corpus, as level=sentence takes the mean over all references; remove draws"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Summed statistics, those of each draw, or the sum and the number of sentence scores."""
        if self.level == "sentence":
            return ("gleu", "sentences")
        if self.draws:
            return tuple(f"{column}_draw_{draw}" for draw in range(1, self.draws + 1) for column in COLUMNS)
        return COLUMNS

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; draws and smoothing where they matter."""
        parts = [f"var:{self.variant}", f"lvl:{self.level}", f"unit:{self.unit}"]
        if self.draws:
            parts += [f"draws:{self.draws}", f"seed:{self.seed}"]
            # The draws of the published script go without saying.
            parts += [f"gen:{self.generator}"] if self.generator != "python2" else []
        if self.level == "sentence":
            parts.append(f"smooth:{self.smoothing}")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Whether references are drawn: the draws take a random number for each sentence of the corpus."""
        return bool(self.draws)

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return for each sentence the mean over its references, or the statistics of all draws."""
        if not self.draws:
            return [_mean(sentence) for sentence in candidates]
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
            return {"gleu": ratio(totals[..., 0], totals[..., 1], 0.0)}
        if self.draws:
            of_draws = totals.reshape(*totals.shape[:-1], self.draws, len(COLUMNS))
            return {"gleu": gleu(of_draws).mean(axis=-1)}
        return {"gleu": gleu(totals)}

    @property
    def longest(self) -> int:
        """The largest n; the paper's."""
        return ORDER

    def row(self, source: Ngrams, hypothesis: Ngrams, reference: Ngrams) -> Row:
        """Return the statistics, or at sentence level the score and 1."""
        statistics = gleu_statistics(source, hypothesis, reference, self.variant)
        if self.level == "corpus":
            return statistics
        return float(gleu(smooth_sentence(np.array(statistics, dtype=np.float64), self.smoothing))), 1


def _mean(candidates: Sequence[Candidate]) -> Candidate:
    if len(candidates) == 1:
        return candidates[0]
    columns = zip(*(candidate.row for candidate in candidates), strict=True)
    row = tuple([sum(column) / len(candidates) for column in columns])
    return Candidate(candidates[0].hypothesis, None, row)

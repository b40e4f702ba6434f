"""Scribendi Score: +1 for a sentence that a language model finds better and that is still the same, -1 for others.

Islam and Magnani (2021), "Is this the end of the gold standard? A straightforward reference-less grammatical error
correction metric". The authors published no code; the constants are those of the paper, details those of the
implementation that other papers use (gotutiyan/scribendi_score). A sentence counts

- 0 if the system left it as it was,
- -1 if its perplexity is not lower than that of the source,
- 1 if the larger of token sort ratio and Levenshtein distance ratio is at least 0.8, else -1,

and a system the sum over sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from rapidfuzz.distance import Indel

from jperrant.core.arrays import FloatArray
from jperrant.core.option import option, option_group
from jperrant.encoders.options import ModelOptions
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.reference_free.base import (
    Judgement,
    ReferenceFreeScorer,
    TextFunction,
    TextPair,
    checked_numbers,
)
from jperrant.evaluation.metrics.reference_free.perplexity import GPT2, perplexities

THRESHOLD = 0.8
_NO_WORD = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class ScribendiScorer(ReferenceFreeScorer):
    """Scribendi Score with its options.

    Attributes:
        language_model: A causal language model.
        threshold: The ratio that the larger of the two must reach.
        level: ``corpus`` sums over sentences, as published; ``sentence`` takes their mean.
        perplexity: A function in the place of the language model: the perplexity of each text.

    Raises:
        UsageError: An option is out of its range.
    """

    language_model: ModelOptions = option_group(ModelOptions(GPT2))
    threshold: float = option(
        THRESHOLD, "Similarity of source and hypothesis that counts as the same text.", minimum=0, maximum=1
    )
    level: Literal["corpus", "sentence"] = option("corpus", "The sum of sentence scores, or their mean.")
    perplexity: TextFunction | None = None

    name: ClassVar[str] = "scribendi"
    main: ClassVar[str] = "scribendi"
    columns: ClassVar[tuple[str, ...]] = ("score", "sentences", "better", "unchanged", "worse")
    counts: ClassVar[tuple[str, ...]] = ("better", "unchanged", "worse")

    @property
    def settings(self) -> tuple[str, ...]:
        """The model with the fingerprint of its weights, the threshold and the level."""
        model = "model:custom" if self.perplexity is not None else self.language_model.label
        return model, f"lvl:{self.level}", f"from:{self.threshold:g}"

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the sum over sentences, or their mean from -1 to 1."""
        if self.level == "corpus":
            return {"scribendi": totals[..., 0]}
        return {"scribendi": ratio(totals[..., 0], totals[..., 1], 0.0)}

    def judge(self, pairs: Sequence[TextPair]) -> list[Judgement]:
        """Return the score of each pair; perplexities and ratios of changed sentences as details.

        Raises:
            JperrantError: The model cannot be loaded or run.
        """
        changed = [pair for pair in pairs if pair.source != pair.hypothesis]
        texts = list(dict.fromkeys(text for pair in changed for text in pair if text))
        known, remarks = self._perplexities(texts)
        return [self._judge(pair, known, remarks) for pair in pairs]

    def _judge(
        self, pair: TextPair, known: dict[str, float], remarks: dict[str, tuple[str, ...]]
    ) -> Judgement:
        if pair.source == pair.hypothesis:
            return Judgement((0, 1, 0, 1, 0))
        ratios = token_sort_ratio(*pair), levenshtein_ratio(*pair)
        before, after = known.get(pair.source), known.get(pair.hypothesis)
        # Nothing can be said of an empty text; one that was emptied or filled is another text in any case.
        lower = before is not None and after is not None and after < before
        better = lower and max(ratios) >= self.threshold
        row = (1, 1, 1, 0, 0) if better else (-1, 1, 0, 0, 1)
        details: dict[str, object] = {
            "source_perplexity": before,
            "perplexity": after,
            "token_sort_ratio": ratios[0],
            "levenshtein_ratio": ratios[1],
        }
        return Judgement(
            row, details, tuple(dict.fromkeys(r for text in pair for r in remarks.get(text, ())))
        )

    def _perplexities(self, texts: Sequence[str]) -> tuple[dict[str, float], dict[str, tuple[str, ...]]]:
        if not texts:
            return {}, {}
        if self.perplexity is not None:
            numbers = checked_numbers(self.perplexity(texts), texts, "the function for perplexity")
            return dict(zip(texts, numbers, strict=True)), {}
        return perplexities(self.language_model, texts)


def token_sort_ratio(one: str, other: str) -> float:
    """Return the similarity of two texts whatever the order of their words, in hundredths from 0 to 1.

    The ratio of fuzzywuzzy with python-Levenshtein: punctuation becomes spaces, letters lower case, words are
    sorted; then the Levenshtein ratio, rounded to a hundredth. Two texts without a word are equal. Unlike there,
    accented letters are kept.

    >>> token_sort_ratio("The Cat , sat !", "the cat sat"), token_sort_ratio("a b", "c d")
    (1.0, 0.33)
    """
    first, second = (
        " ".join(sorted(_NO_WORD.sub(" ", text).strip().lower().split())) for text in (one, other)
    )
    return round(100 * levenshtein_ratio(first, second)) / 100


def levenshtein_ratio(one: str, other: str) -> float:
    """Return 1 - d / (len + len) over characters, d being the Levenshtein distance with substitution 2.

    Two empty texts are equal: 1.

    >>> levenshtein_ratio("This is a sentence .", "This a is sentence .")
    0.9
    """
    return float(Indel.normalized_similarity(one, other))

"""What reference-free metrics share: from pairs of source and corrected text to means of sentence scores.

A metric of this family looks at a source and a corrected text. Equal pairs of all systems are judged once. A row
holds the sentence's score and a 1 to divide by, so that the score of a system is a mean over its sentences.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.messages import CountedNote, plural
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
)
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.metrics.texts import REFUSED, corrected_texts, units_of

#: Gives each text a number.
TextFunction: TypeAlias = Callable[[Sequence[str]], Sequence[float]]
#: Gives each pair of texts, a source and a hypothesis, a number.
PairFunction: TypeAlias = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
#: Letters of a text shown in a message.
_SHOWN = 80


class TextPair(NamedTuple):
    """A source and what a system made of it, as texts."""

    source: str
    hypothesis: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a metric says of one pair of texts.

    Attributes:
        row: The statistics.
        details: What else there is to tell of it, ready for JSON.
        remarks: What a person should know, as the end of a line that counts sentences.
    """

    row: Row
    details: dict[str, object] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceFreeScorer(Scorer):
    """A metric of texts without references; several texts of a system in a sentence count with their mean."""

    columns: ClassVar[tuple[str, ...]] = ("score", "sentences")
    needs_references: ClassVar[bool] = False
    needs_edits: ClassVar[bool] = False
    refuses: ClassVar[tuple[str, ...]] = REFUSED

    @abstractmethod
    def judge(self, pairs: Sequence[TextPair]) -> Sequence[Judgement]:
        """Return the judgement of each pair of texts; none is given twice."""

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:  # noqa: ARG002
        """Return the judgement of every hypothesis; what systems share is judged once."""
        systems = [text_pairs(pair) for pair in pairs]
        distinct = list(dict.fromkeys(text for own in systems for sentence in own for _, text in sentence))
        judged = dict(zip(distinct, self.judge(distinct) if distinct else (), strict=True))
        return [_system(own, judged) for own in systems]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return for each sentence the mean over its hypothesis annotators."""
        return [mean_candidate(sentence) for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the mean over sentences; 0 for no sentence."""
        return {self.name: ratio(totals[..., 0], totals[..., 1], 0.0)}


def text_of(tokens: Sequence[str]) -> str:
    """Return tokens as a text: separated by spaces, but not where the script is written without them.

    >>> text_of(("He", "goes", ".")), text_of(("他", "去", "。"))
    ('He goes .', '他去。')
    """
    return "".join(units_of(tokens, "characters"))


def text_pairs(pair: Pair) -> list[list[tuple[int, TextPair]]]:
    """Return for each sentence the number of every hypothesis annotator with source and corrected text.

    Raises:
        EditError: Edits of an annotator overlap or reach outside the sentence; names file and sentence.
    """
    corrected = corrected_texts(pair.hypothesis, pair.name, pair.first)
    return [
        [(number, TextPair(text_of(block.source), text_of(tokens))) for number, tokens in sentence]
        for block, sentence in zip(pair.hypothesis, corrected, strict=True)
    ]


def mean_candidate(candidates: Sequence[Candidate]) -> Candidate:
    """Return the candidate of a sentence: the only one, or the mean of the rows of several."""
    if len(candidates) == 1:
        return candidates[0]
    columns = zip(*(candidate.row for candidate in candidates), strict=True)
    return Candidate(candidates[0].hypothesis, None, tuple([sum(c) / len(candidates) for c in columns]))


def remark_notes(remarks: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return one line for each remark with the number of sentences it is true of."""
    counted = Counter(remark for of_sentence in remarks for remark in dict.fromkeys(of_sentence))
    return tuple(
        [
            CountedNote(count, f"{{count}} sentence {remark}", f"{{count}} sentences {remark}")
            for remark, count in counted.items()
        ]
    )


def checked_numbers(numbers: Sequence[float], texts: Sequence[str], what: str) -> list[float]:
    """Return the numbers that a model or a function gave for texts.

    Raises:
        InputError: There are more or fewer numbers than texts, or one is not finite; names the text.
    """
    found = list(numbers)
    if len(found) != len(texts):
        raise InputError(f"{what} gave {plural(len(found), 'number')} for {plural(len(texts), 'text')}")
    checked = []
    for number, text in zip(found, texts, strict=True):
        try:
            value = float(number)
        except (TypeError, ValueError):
            value = math.nan
        if not math.isfinite(value):
            shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
            raise InputError(f"found {number!r} from {what} for {shown!r}, expected a finite number")
        checked.append(value)
    return checked


def cut_remark(tokens: int) -> str:
    """Return the remark on a text that is longer than a model reads."""
    return f"longer than the {tokens} tokens that the model reads; only the beginning is scored"


def _system(
    own: Sequence[Sequence[tuple[int, TextPair]]], judged: dict[TextPair, Judgement]
) -> SystemCandidates:
    sentences, remarks = [], []
    for sentence in own:
        judgements = [(number, judged[texts]) for number, texts in sentence]
        sentences.append([Candidate(n, None, j.row, details=j.details) for n, j in judgements])
        remarks.append(tuple([remark for _, j in judgements for remark in j.remarks]))
    return SystemCandidates(sentences, remark_notes(remarks))

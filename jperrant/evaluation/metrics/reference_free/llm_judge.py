"""LLM-S and LLM-E: a language model scores the corrections of a sentence from 1 to 5 (Kobayashi et al. 2024).

The different corrections of one sentence, of all systems that are scored together, are shown in one prompt, at
most five at a time; equal ones once. Systems are compared sentence by sentence, by position, where they have the
same source; a system that was aligned to other references stands alone.

A score that the model does not give is missing: the sentence counts in no mean, and is counted as missing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.messages import CountedNote, plural
from jperrant.core.option import option, option_group
from jperrant.core.values import Annotation
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
    annotations_of,
)
from jperrant.evaluation.metrics.reference_free.base import text_of
from jperrant.evaluation.metrics.reference_free.prompts import (
    ANSWER_TOKENS,
    EDIT_CRITERIA,
    SCHEMA,
    SENTENCE_CRITERIA,
    make_prompt,
    read_scores,
    split_targets,
)
from jperrant.evaluation.metrics.texts import REFUSED, changing, corrected_texts
from jperrant.llm.options import LlmOptions, Model
from jperrant.llm.questions import Questions, tell


class Place(NamedTuple):
    """Where corrections are compared: the alignment and position of a sentence, and its source."""

    spans: tuple[tuple[int, int], ...]
    position: int
    source: str


#: For each sentence of a system the annotators and what is shown of their corrections.
Targets: TypeAlias = list[tuple[Place, list[tuple[int, str]]]]
#: The score of a correction at a place; what has none is missing.
Given: TypeAlias = Mapping[tuple[Place, str], int]


@dataclass(frozen=True, slots=True)
class _LlmJudge(Scorer):
    """What LLM-S and LLM-E share.

    Attributes:
        llm: The language model and how it is asked.
        custom_model: A model given in Python; goes before ``llm.model``.
        announce: Is told the costs before the first question.
    """

    llm: LlmOptions = option_group(LlmOptions(), prefix="llm_")
    custom_model: Model | None = None
    announce: Callable[[str], None] = tell

    columns: ClassVar[tuple[str, ...]] = ("score", "judged", "missing")
    counts: ClassVar[tuple[str, ...]] = ("judged", "missing")
    needs_references: ClassVar[bool] = False
    refuses: ClassVar[tuple[str, ...]] = REFUSED
    #: What is shown of a correction.
    kind: ClassVar[Literal["sentences", "edits"]]

    @property
    @abstractmethod
    def criterion_words(self) -> tuple[str, str]:
        """The criterion by name and in words."""

    @abstractmethod
    def targets_of(self, pair: Pair) -> list[list[tuple[int, str]]]:
        """Return for each sentence of a system its annotators and what is shown of their corrections."""

    @property
    def settings(self) -> tuple[str, ...]:
        """The model and the criterion."""
        model = self.custom_model.model if self.custom_model else self.llm.model
        return f"llm:{model.rstrip('/').rsplit('/', 1)[-1]}", f"crit:{self.criterion_words[0]}"

    def check_models(self) -> None:
        """Check that a model is named; answers may all be kept, so that it need not be there.

        Raises:
            UsageError: No model is named.
        """
        if self.custom_model is None:
            self.llm.load(ANSWER_TOKENS, SCHEMA)

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[SystemCandidates]:  # noqa: ARG002
        """Return the score of every correction; corrections of one sentence are judged together.

        Raises:
            UsageError: No model is named, or more questions are needed than the limit allows.
            InputError: The model cannot be asked, or gives no score for any sentence of a system.
        """
        model = self.custom_model or self.llm.load(ANSWER_TOKENS, SCHEMA)
        questions = Questions(
            model, self.llm.cache_path, self.llm.limit, self.announce, answer_tokens=ANSWER_TOKENS // 4
        )
        systems = [self._targets(pair) for pair in pairs]
        given = self._ask(questions, systems)
        return [self._system(pair, own, given, len(pairs)) for pair, own in zip(pairs, systems, strict=True)]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:  # noqa: ARG002
        """Return for each sentence the mean over those hypothesis annotators that were scored."""
        return [_mean(sentence) for sentence in candidates]

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the mean score over judged sentences, from 1 to 5; not a number where none was judged."""
        judged = totals[..., 1]
        found = np.full(judged.shape, np.nan)
        return {self.name: np.divide(totals[..., 0], judged, out=found, where=judged > 0)}

    def _targets(self, pair: Pair) -> Targets:
        return [
            (Place(pair.spans, position, text_of(block.source)), own)
            for position, (block, own) in enumerate(zip(pair.hypothesis, self.targets_of(pair), strict=True))
        ]

    def _ask(self, questions: Questions, systems: Sequence[Targets]) -> Given:
        together: dict[Place, list[str]] = {}
        for own in systems:
            for place, targets in own:
                together.setdefault(place, []).extend(text for _, text in targets)
        words = self.criterion_words[1]
        asked = [
            (place, group, make_prompt(self.kind, words, place.source, group))
            for place, targets in together.items()
            for group in split_targets(targets)
        ]
        sizes = {prompt: len(group) for _, group, prompt in asked}
        answers = questions.ask(
            list(sizes),
            lambda prompt, text: read_scores(text, sizes[prompt]),
            lambda prompt, scores: sizes[prompt] - len(scores),
        )
        return {
            (place, group[number - 1]): score
            for place, group, prompt in asked
            for number, score in answers.get(prompt, {}).items()
        }

    def _system(self, pair: Pair, own: Targets, given: Given, systems: int) -> SystemCandidates:
        sentences = [
            [_candidate(number, given.get((place, text))) for number, text in targets]
            for place, targets in own
        ]
        missing = sum(not any(c.row[1] for c in sentence) for sentence in sentences)
        if sentences and missing == len(sentences):
            raise InputError(
                f"{pair.name}: the language model gave no score from 1 to 5 for any of its "
                f"{plural(len(sentences), 'sentence')}; its answers are not the JSON that the prompt asks for; "
                "try another model"
            )
        notes: list[str] = []
        if missing:
            notes.append(
                CountedNote(
                    missing,
                    "the language model gave no score for {count} sentence, which counts in no mean",
                    "the language model gave no score for {count} sentences, which count in no mean",
                )
            )
        if systems > 1:
            notes.append(
                f"corrections of the {systems} systems were shown together; with other systems scores may change"
            )
        return SystemCandidates(sentences, tuple(notes))


@dataclass(frozen=True, slots=True)
class LlmSentenceScorer(_LlmJudge):
    """LLM-S: the language model is shown corrected sentences.

    Attributes:
        criterion: What is judged.
    """

    criterion: Literal["overall", "grammaticality", "fluency", "meaning"] = option(
        "overall", "What the language model judges.", choices=SENTENCE_CRITERIA
    )

    name: ClassVar[str] = "llm-s"
    description: ClassVar[str] = (
        "LLM-S: a language model scores the corrected sentences of all systems from 1 to 5"
    )
    main: ClassVar[str] = "llm-s"
    needs_edits: ClassVar[bool] = False
    kind: ClassVar[Literal["sentences", "edits"]] = "sentences"

    @property
    def criterion_words(self) -> tuple[str, str]:
        """The criterion by name and in words."""
        return self.criterion, SENTENCE_CRITERIA[self.criterion]

    def targets_of(self, pair: Pair) -> list[list[tuple[int, str]]]:
        """Return the corrected texts."""
        corrected = corrected_texts(pair.hypothesis, pair.name, pair.first)
        return [[(number, text_of(tokens)) for number, tokens in sentence] for sentence in corrected]


@dataclass(frozen=True, slots=True)
class LlmEditScorer(_LlmJudge):
    """LLM-E: the language model is shown the source with the edits marked in it.

    Attributes:
        criterion: What is judged.
    """

    criterion: Literal["overall", "difficulty", "impact"] = option(
        "overall", "What the language model judges.", choices=EDIT_CRITERIA
    )

    name: ClassVar[str] = "llm-e"
    description: ClassVar[str] = "LLM-E: a language model scores the edits of each system from 1 to 5"
    main: ClassVar[str] = "llm-e"
    kind: ClassVar[Literal["sentences", "edits"]] = "edits"

    @property
    def criterion_words(self) -> tuple[str, str]:
        """The criterion by name and in words."""
        return self.criterion, EDIT_CRITERIA[self.criterion]

    def targets_of(self, pair: Pair) -> list[list[tuple[int, str]]]:
        """Return the sources with marked edits.

        Raises:
            EditError: Edits overlap or reach outside the sentence; names file and sentence.
        """
        corrected_texts(pair.hypothesis, pair.name, pair.first)  # refuses what cannot be marked
        return [
            [(a.annotator, mark_edits(block.source, a)) for a in annotations_of(block)]
            for block in pair.hypothesis
        ]


def mark_edits(source: Sequence[str], annotation: Annotation) -> str:
    """Return a source with the edits of an annotator marked in it.

    >>> from jperrant.core.values import Edit
    >>> mark_edits("He go home".split(), Annotation(0, (Edit(1, 2, ("goes",), "R"), Edit(3, 3, (".",), "M"))))
    'He [go → goes] home [ → .]'
    """
    pieces: list[str] = []
    position = 0
    for edit in changing(annotation):
        pieces += source[position : edit.start]
        before, after = text_of(source[edit.start : edit.end]), text_of(edit.correction or ())
        pieces.append(f"[{before} → {after}]")
        position = edit.end
    return text_of([*pieces, *source[position:]])


def _candidate(annotator: int, score: int | None) -> Candidate:
    row = (0, 0, 1) if score is None else (score, 1, 0)
    return Candidate(annotator, None, row, details={"score": score})


def _mean(candidates: Sequence[Candidate]) -> Candidate:
    if len(candidates) == 1:
        return candidates[0]
    scores = [c.row[0] for c in candidates if c.row[1]]
    if not scores:
        return candidates[0]
    score = sum(scores) / len(scores)
    return Candidate(candidates[0].hypothesis, None, (score, 1, 0), details={"score": score})

"""Weights of chunks by what a language model says (Ye et al. 2025, section 3.3 and appendix A).

Each chunk is asked about by itself (``prompts``), answers are numbers from 1 to 5. Anything else is asked again,
and taken as 3, the middle, if that does not help. The authors published no code for this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.metrics.cleme.chunk_labels import LabelledSentence
from jperrant.evaluation.metrics.cleme.weights.base import SentenceWeights, WeightedSystems, checked
from jperrant.evaluation.metrics.cleme.weights.prompts import (
    HIGHEST,
    LOWEST,
    PROMPTS,
    Question,
    parse_answer,
    questions,
)
from jperrant.llm.options import Model
from jperrant.llm.questions import Questions, tell

MIDDLE = (LOWEST + HIGHEST) / 2


@dataclass(frozen=True, slots=True)
class LlmWeighting:
    """Weights by a language model.

    Attributes:
        model: Answers.
        prompt: Which of ``PROMPTS`` is asked.
        cache: File in which answers are kept; a run that was stopped goes on where it was.
        limit: Ask no more than so many questions; more are refused before the first. None for any number.
        announce: Is told the costs before the first question.

    Raises:
        UsageError: There is no such prompt.
    """

    model: Model
    prompt: str = "edit"
    cache: Path | None = None
    limit: int | None = None
    announce: Callable[[str], None] = tell

    def __post_init__(self) -> None:
        if self.prompt not in PROMPTS:
            raise UsageError(
                f"unknown prompt {self.prompt!r}{nearest(self.prompt, PROMPTS)}; expected one of "
                f"{', '.join(PROMPTS)}"
            )

    @property
    def _questions(self) -> Questions:
        return Questions(self.model, self.cache, self.limit, self.announce)

    @property
    def settings(self) -> tuple[str, ...]:
        """The name, the model and the prompt."""
        return "w:llm", self._questions.label, f"prompt:{self.prompt}"

    @property
    def by_reference(self) -> bool:
        """What is asked depends on the reference."""
        return True

    def weights_of(self, systems: Sequence[Sequence[LabelledSentence]]) -> WeightedSystems:
        """Return the weights, from 1 to 5, or from 0 to 4 where two answers are subtracted.

        Raises:
            UsageError: More questions are needed than the limit allows; says how many.
            InputError: The model cannot be asked.
        """
        asked = [
            [[questions(sentence, mark, self.prompt) for mark in sentence.labels] for sentence in sentences]
            for sentences in systems
        ]
        prompts = dict.fromkeys(
            q.prompt for sentences in asked for j in sentences for mark in j for q in mark
        )
        answers = self._questions.ask(list(prompts), lambda _, text: parse_answer(text))
        return WeightedSystems(
            [
                [
                    _weights_of_sentence(sentence, labels, answers)
                    for sentence, labels in zip(sentences, theirs, strict=True)
                ]
                for sentences, theirs in zip(systems, asked, strict=True)
            ]
        )


def _weights_of_sentence(
    sentence: LabelledSentence, labels: Sequence[Sequence[Question]], answers: dict[str, int]
) -> SentenceWeights:
    weights, deviations = [], []
    for asked in labels:
        weights.append(sum(question.sign * answers.get(question.prompt, MIDDLE) for question in asked))
        deviations += [
            f"answers of the language model that are not a number from {LOWEST} to {HIGHEST}, taken as {MIDDLE:g}"
            for question in asked
            if question.prompt not in answers
        ]
    return checked(weights, sentence, tuple(deviations))

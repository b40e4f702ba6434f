"""Weighing chunks by what a language model says (Ye et al. 2025, section 3.3 and appendix A).

Each chunk is asked about by itself (``prompts``), answers are numbers from 1 to 5. Anything else is asked again,
and taken as 3, the middle, if that does not help. The authors published no code for this.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from jperrant.core.errors import UsageError, nearest
from jperrant.evaluation.metrics.cleme.chunk_labels import LabelledSentence
from jperrant.evaluation.metrics.cleme.weights.base import Weighed, WeightedSystems, checked
from jperrant.evaluation.metrics.cleme.weights.prompts import (
    HIGHEST,
    LOWEST,
    PROMPTS,
    Question,
    parse_answer,
    questions,
)
from jperrant.llm.answers import Answers
from jperrant.llm.options import Model

MIDDLE = (LOWEST + HIGHEST) / 2
#: Letters of English text a token has, about.
LETTERS = 4


def tell(line: str) -> None:
    """Tell a person something on stderr."""
    print(line, file=sys.stderr, flush=True)


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
        UsageError: There is no such prompt, or the limit is negative.
    """

    model: Model
    prompt: str = "edit"
    cache: Path | None = None
    limit: int | None = None
    announce: Callable[[str], None] = tell

    def __post_init__(self) -> None:
        if self.prompt not in PROMPTS:
            raise UsageError(
                f"unknown prompt {self.prompt!r}{nearest(self.prompt, PROMPTS)}; prompts: {', '.join(PROMPTS)}"
            )
        if self.limit is not None and self.limit < 0:
            raise UsageError(f"a limit of {self.limit} questions, expected 0 or more")

    @property
    def settings(self) -> tuple[str, ...]:
        """The name, the model and the prompt."""
        return "w:llm", f"llm:{self.model.model.rstrip('/').rsplit('/', 1)[-1]}", f"prompt:{self.prompt}"

    @property
    def by_reference(self) -> bool:
        """What is asked depends on the reference."""
        return True

    def weigh(self, systems: Sequence[Sequence[LabelledSentence]]) -> WeightedSystems:
        """Return the weights, from 1 to 5, or from 0 to 4 where two answers are subtracted.

        Raises:
            UsageError: More questions are needed than the limit allows; says how many.
            InputError: The model cannot be asked.
        """
        asked = [
            [[questions(sentence, mark, self.prompt) for mark in sentence.labels] for sentence in own]
            for own in systems
        ]
        prompts = dict.fromkeys(q.prompt for own in asked for j in own for mark in j for q in mark)
        answers = self._answers(list(prompts))
        return WeightedSystems(
            [
                [_weighed(sentence, labels, answers) for sentence, labels in zip(own, theirs, strict=True)]
                for own, theirs in zip(systems, asked, strict=True)
            ]
        )

    def _answers(self, prompts: Sequence[str]) -> dict[str, int]:
        """Return the readable answers by prompt."""
        kept = Answers(self.cache, self.model.model)
        found: dict[str, int] = {}
        for prompt in prompts:
            number = parse_answer(kept.get(prompt) or "")
            if number is not None:
                found[prompt] = number
        missing = [prompt for prompt in prompts if prompt not in found]
        if missing:
            self._check_costs(len(prompts), missing)
        for _ in range(1 + self.model.again):
            for at, answer in self.model.answer(missing) if missing else ():
                number = parse_answer(answer)
                if number is not None:
                    found[missing[at]] = number
                    kept.put(missing[at], answer)
            missing = [prompt for prompt in missing if prompt not in found]
        return found

    def _check_costs(self, total: int, missing: Sequence[str]) -> None:
        tokens = sum(map(len, missing)) // LETTERS
        costs = (
            f"language model {self.model.model}: {len(missing)} questions to ask, {total - len(missing)} already "
            f"answered; about {tokens:,} tokens to send and {len(missing):,} to receive"
        )
        if self.limit is not None and len(missing) > self.limit:
            raise UsageError(f"{costs}; the limit is {self.limit} questions (--llm-limit)")
        self.announce(costs)


def _weighed(
    sentence: LabelledSentence, labels: Sequence[Sequence[Question]], answers: dict[str, int]
) -> Weighed:
    weights, oddities = [], []
    for asked in labels:
        weights.append(sum(question.sign * answers.get(question.prompt, MIDDLE) for question in asked))
        oddities += [
            f"answers of the language model that are no number from {LOWEST} to {HIGHEST}, taken as {MIDDLE:g}"
            for question in asked
            if question.prompt not in answers
        ]
    return checked(weights, sentence, tuple(oddities))

"""Asking a language model many questions: from the cache first, within a limit, with the costs told before."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.llm.answers import Answers
from jperrant.llm.options import Model
from jperrant.llm.thinking import after_thinking

T = TypeVar("T")
#: Letters of English text a token has, about.
LETTERS = 4
#: Seconds between two lines that say how far it is.
INTERVAL = 30.0


def _nothing(_prompt: str, _value: object) -> int:
    return 0


def tell(line: str) -> None:
    """Tell a person something on stderr."""
    print(line, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Questions:
    """How questions are put to a language model.

    Attributes:
        model: Answers them.
        cache: File that keeps the answers, each as soon as it comes; a run that was stopped continues where it
            was. None keeps none.
        limit: Ask no more questions than that; more are refused before the first. None for any number.
        announce: Is told the costs before the first question.
        answer_tokens: Tokens that an answer has, for the costs.

    Raises:
        UsageError: The limit is negative.
    """

    model: Model
    cache: Path | None = None
    limit: int | None = None
    announce: Callable[[str], None] = tell
    answer_tokens: int = 1

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 0:
            raise UsageError(f"found a limit of {self.limit} questions, expected 0 or more")

    @property
    def label(self) -> str:
        """The model for a signature, without the folders above it."""
        return f"llm:{self.model.model.rstrip('/').rsplit('/', 1)[-1]}"

    def ask(
        self,
        prompts: Sequence[str],
        read: Callable[[str, str], T | None],
        lacks: Callable[[str, T], int] = _nothing,
    ) -> dict[str, T]:
        """Return the answers by prompt, without those that cannot be read.

        What cannot be read, or is not complete, is asked again as often as the model allows. If no complete
        answer comes, the one that lacks least counts.

        Args:
            prompts: The questions, each once.
            read: From a prompt and the text of its answer, without thinking, to a value; None if the text is no
                answer.
            lacks: How much of its prompt a value does not answer, 0 for nothing.

        Raises:
            UsageError: More questions are needed than the limit allows; says how many.
            InputError: The model cannot be asked.
        """
        kept = Answers(self.cache, self.model.model)
        answers = _kept_answers(kept, prompts, read)
        missing = [prompt for prompt in prompts if prompt not in answers]
        if missing:
            self._check_costs(len(prompts), missing)
        partial: dict[str, tuple[int, str]] = {}
        for _ in range(1 + self.model.again):
            for prompt, text in self._answered(missing, answers, len(prompts)):
                value = read(prompt, after_thinking(text))
                if value is None:
                    continue
                lacking = lacks(prompt, value)
                if prompt in partial and lacking >= partial[prompt][0]:
                    continue
                answers[prompt] = value
                if lacking:
                    partial[prompt] = lacking, text
                else:
                    partial.pop(prompt, None)
                    kept.put(prompt, text)
            missing = [prompt for prompt in missing if prompt not in answers or prompt in partial]
        for prompt, (_, text) in partial.items():
            kept.put(prompt, text)
        return answers

    def _answered(
        self, prompts: Sequence[str], answers: Collection[str], total: int
    ) -> Iterator[tuple[str, str]]:
        """Yield each question with its answer as it comes, and say from time to time how far it is."""
        told = time.monotonic()
        for index, text in self.model.answer(prompts) if prompts else ():
            if time.monotonic() - told >= INTERVAL:
                told = time.monotonic()
                self.announce(f"language model {self.model.model}: {len(answers)} of {total} answered")
            yield prompts[index], text

    def _check_costs(self, total: int, missing: Sequence[str]) -> None:
        tokens = sum(map(len, missing)) // LETTERS
        costs = (
            f"language model {self.model.model}: {plural(len(missing), 'question')} to ask, "
            f"{total - len(missing)} already answered; about {tokens:,} tokens to send and "
            f"{self.answer_tokens * len(missing):,} to receive"
        )
        if self.limit is not None and len(missing) > self.limit:
            raise UsageError(f"{costs}; the limit is {plural(self.limit, 'question')} (--llm-limit)")
        self.announce(costs)


def _kept_answers(
    kept: Answers, prompts: Sequence[str], read: Callable[[str, str], T | None]
) -> dict[str, T]:
    """Return those answers that are kept and can be read."""
    answers: dict[str, T] = {}
    for prompt in prompts:
        text = kept.get(prompt)
        value = None if text is None else read(prompt, after_thinking(text))
        if value is not None:
            answers[prompt] = value
    return answers

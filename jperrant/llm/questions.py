"""Asking a language model many questions, with stored answers, a limit, and the costs shown first."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import check_options, option
from jperrant.core.progress import track
from jperrant.core.store import Store
from jperrant.llm.chat import MAX_TOKENS, Chat, Model, after_thinking

T = TypeVar("T")

#: Letters of English text in a token, about.
LETTERS = 4
#: The name of answers in the store.
_KIND = "answers"


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """Which language model is asked, and how: the options of every metric that asks one.

    Attributes:
        model: Its name at the endpoint.
        endpoint: URL of an OpenAI-compatible endpoint.
        cache: File that keeps the answers; empty for none.
        limit: The most questions that are asked; None for any number.
        jobs: Questions sent to the endpoint at one time.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "Language model: its name at the endpoint.")
    endpoint: str = option("", "URL of an endpoint with OpenAI's chat protocol.")
    cache: str = option("", "File that keeps the answers of the language model.")
    limit: int | None = option(
        None, "Refuse to ask the language model more often; 0 shows the costs.", minimum=0
    )
    jobs: int = option(4, "Questions to the endpoint at one time.", minimum=1, maximum=256)

    def __post_init__(self) -> None:
        check_options(self)

    def load(self, max_tokens: int = MAX_TOKENS, schema: Mapping[str, Any] | None = None) -> Model:
        """Return the model, which is contacted when it is first asked.

        Args:
            max_tokens: Tokens an answer may have.
            schema: JSON schema that the endpoint is told to follow, if it knows schemas.

        Raises:
            UsageError: No model or no endpoint is named, or the endpoint is not a URL.
            MissingExtraError: The ``openai`` package is not installed.
        """
        if not self.model or not self.endpoint:
            missing = "llm_endpoint" if self.model else "llm_model, and llm_endpoint"
            raise UsageError(
                f"no language model was given; give {missing}: the name of a model and the URL of an endpoint "
                "with OpenAI's chat protocol, such as http://localhost:8000/v1 of a server on this machine"
            )
        return Chat(self.model, self.endpoint, self.jobs, max_tokens=max_tokens, schema=schema)


def tell(line: str) -> None:
    """Tell a person something on stderr."""
    print(line, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Questions:
    """Asks a language model questions.

    Attributes:
        model: Answers them.
        cache: File that keeps the answers, each as soon as it comes; a run that was stopped continues where it
            was. Empty keeps none.
        limit: The most questions that are asked; more are refused before the first is sent. None for any
            number.
        announce: Called with the expected costs before the first question.
        answer_tokens: Tokens that an answer has, for the costs.
    """

    model: Model
    cache: str | Path = ""
    limit: int | None = None
    announce: Callable[[str], None] = tell
    answer_tokens: int = 1

    @property
    def label(self) -> str:
        """The model for a signature, without the folders above it."""
        return f"llm:{self.model.model.rstrip('/').rsplit('/', 1)[-1]}"

    def ask(
        self,
        prompts: Sequence[str],
        read: Callable[[str, str], T | None],
        lacks: Callable[[str, T], int] = lambda _prompt, _value: 0,
    ) -> dict[str, T]:
        """Return the readable answers by prompt.

        A question without a readable and complete answer is asked again as often as the model allows. If no
        answer is complete, the most complete one counts.

        Args:
            prompts: The questions, each once.
            read: Returns the value of an answer, given the prompt and the text without thinking; None if it is
                unreadable.
            lacks: Returns how much of its prompt a value does not answer; 0 if it answers all.

        Raises:
            UsageError: More questions are needed than the limit allows; says how many.
            InputError: The model cannot be asked, or the file of answers cannot be used.
        """
        store = answers_in(Path(self.cache)) if self.cache else None
        kept = self._kept(store, prompts)
        answers = {p: v for p, text in kept.items() if (v := read(p, after_thinking(text))) is not None}
        missing = [prompt for prompt in prompts if prompt not in answers]
        if missing:
            self._check_costs(len(prompts), missing)
        partial: dict[str, tuple[int, str]] = {}
        for _ in range(1 + self.model.again):
            coming = self.model.answer(missing) if missing else ()
            for index, text in track(coming, f"asking language model {self.model.model}", len(missing)):
                prompt = missing[index]
                value = read(prompt, after_thinking(text))
                if value is None or (prompt in partial and lacks(prompt, value) >= partial[prompt][0]):
                    continue
                answers[prompt] = value
                partial[prompt] = lacks(prompt, value), text
                if not partial[prompt][0]:
                    self._keep(store, prompt, text)
            missing = [prompt for prompt in missing if partial.get(prompt, (1, ""))[0]]
        for prompt in [prompt for prompt in missing if prompt in partial]:
            self._keep(store, prompt, partial[prompt][1])
        return answers

    def _check_costs(self, total: int, missing: Sequence[str]) -> None:
        tokens = sum(map(len, missing)) // LETTERS
        costs = (
            f"language model {self.model.model}: {plural(len(missing), 'question')} to ask, "
            f"{total - len(missing)} already answered; about {tokens:,} tokens to send and "
            f"{self.answer_tokens * len(missing):,} to receive"
        )
        if self.limit is not None and len(missing) > self.limit:
            raise UsageError(f"{costs}; the limit is {plural(self.limit, 'question')} (llm_limit)")
        self.announce(costs)

    def _kept(self, store: Store | None, prompts: Sequence[str]) -> dict[str, str]:
        """Return the stored answers by prompt."""
        keys = {self._key(prompt): prompt for prompt in prompts}
        found = store.get_many(_KIND, list(keys)) if store else {}
        return {keys[key]: answer.decode() for key, answer in found.items()}

    def _keep(self, store: Store | None, prompt: str, answer: str) -> None:
        if store:
            store.put(_KIND, {self._key(prompt): answer.encode("utf-8", "replace")})

    def _key(self, prompt: str) -> str:
        return hashlib.sha256(json.dumps([self.model.model, prompt]).encode()).hexdigest()


def answers_in(path: Path) -> Store:
    """Return the store of answers that a user has named; any other file is refused, as a store would replace it.

    Raises:
        InputError: It is another file.
    """
    start = b""
    with suppress(OSError), path.open("rb") as stream:  # the store reports the problem with the file
        start = stream.read(16)
    if start and not start.startswith(b"SQLite format 3"):
        raise InputError(f"cache {path}: found no answers in it; give another file as llm_cache")
    return Store(path)

"""Asking a language model many questions: stored answers, a limit, and the expected costs before the first one."""

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

#: The approximate number of letters in a token of English text.
LETTERS = 4
#: The kind under which the store keeps answers.
_KIND = "answers"


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """The options of every metric that asks a language model.

    Attributes:
        model: The name of the language model at the endpoint.
        endpoint: The URL of an endpoint with OpenAI's chat protocol.
        cache: The file that keeps the answers; empty for none.
        limit: The most questions to ask; None for no limit.
        jobs: The number of questions sent at the same time.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "Name of the language model at the endpoint.")
    endpoint: str = option("", "URL of an endpoint with OpenAI's chat protocol.")
    cache: str = option("", "File that keeps the answers of the language model.")
    limit: int | None = option(None, "Most questions to the language model; 0 shows the costs.", minimum=0)
    jobs: int = option(4, "Questions sent at the same time.", minimum=1, maximum=256)

    def __post_init__(self) -> None:
        check_options(self)

    def load(self, max_tokens: int = MAX_TOKENS, schema: Mapping[str, Any] | None = None) -> Model:
        """Return the model; it is contacted only with the first question.

        Args:
            max_tokens: The most tokens of an answer.
            schema: The JSON schema that answers must follow, if the endpoint supports schemas.

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
    """Print a line on stderr."""
    print(line, file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Questions:
    """Asks a language model questions.

    Attributes:
        model: The language model.
        cache: The file that keeps each answer as soon as it comes, so that an interrupted run can continue;
            empty for none.
        limit: The most questions to ask, checked before the first; None for no limit.
        announce: A function that gets the expected costs before the first question.
        answer_tokens: The number of tokens of an answer, for the expected costs.
    """

    model: Model
    cache: str | Path = ""
    limit: int | None = None
    announce: Callable[[str], None] = tell
    answer_tokens: int = 1

    @property
    def label(self) -> str:
        """The model as a signature names it: without the folders of its path."""
        return f"llm:{self.model.model.rstrip('/').rsplit('/', 1)[-1]}"

    def ask(
        self,
        prompts: Sequence[str],
        read: Callable[[str, str], T | None],
        lacks: Callable[[str, T], int] = lambda _prompt, _value: 0,
    ) -> dict[str, T]:
        """Return the readable answers by prompt.

        A question without a readable and complete answer is repeated, as often as the model allows. If no answer
        is complete, the most complete one is returned.

        Args:
            prompts: The questions, each once.
            read: Returns the value of an answer, given the prompt and the text without thinking; None if it is
                unreadable.
            lacks: Returns how many parts of its prompt a value does not answer; 0 if it is complete.

        Raises:
            UsageError: More questions are needed than the limit allows; names their number.
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
    """Return the store of answers in a file; a file with other content is refused, as the store would replace it.

    Raises:
        InputError: The file is not a store of answers.
    """
    start = b""
    with suppress(OSError), path.open("rb") as stream:  # the store reports the problem with the file
        start = stream.read(16)
    if start and not start.startswith(b"SQLite format 3"):
        raise InputError(f"cache {path}: found no answers in it; give another file as llm_cache")
    return Store(path)

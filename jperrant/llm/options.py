"""The options of a language model, shared by every metric that asks one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from jperrant.core.errors import UsageError
from jperrant.core.option import check_options, option


class Model(Protocol):
    """A language model that answers questions."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def again(self) -> int:
        """How often an unreadable answer is asked for again."""

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt, in any order."""


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """Which language model is asked, and how.

    Attributes:
        model: Its name at the endpoint, or a folder or name on the Hugging Face hub.
        endpoint: URL of an OpenAI-compatible endpoint; empty for a model on this machine.
        cache: File that keeps the answers; empty for none.
        limit: Refuse to ask more questions than that; None for any number.
        jobs: Questions sent to the endpoint at one time.

    Raises:
        UsageError: An option is out of its range.
    """

    model: str = option("", "Language model: a name at the endpoint, or a folder.")
    endpoint: str = option("", "URL of an OpenAI-compatible endpoint; a local model if left out.")
    cache: str = option("", "File that keeps the answers of the language model.")
    limit: int | None = option(
        None, "Refuse to ask the language model more often; 0 shows the costs.", minimum=0
    )
    jobs: int = option(4, "Questions to the endpoint at one time.", minimum=1, maximum=256)

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def cache_path(self) -> Path | None:
        """The file that keeps the answers, if any."""
        return Path(self.cache) if self.cache else None

    def load(self, max_tokens: int = 8, schema: Mapping[str, Any] | None = None) -> Model:
        """Return the model, which is contacted or loaded when it is first asked.

        Args:
            max_tokens: Tokens an answer may have.
            schema: JSON schema that an endpoint is told to follow; a local model only reads of it in the prompt.

        Raises:
            UsageError: No model is named, or the endpoint is not a URL.
        """
        if not self.model:
            raise UsageError(
                "no language model was given; give --llm-model, and --llm-endpoint if it runs elsewhere"
            )
        if self.endpoint:
            from jperrant.llm.chat import Chat

            return Chat(self.model, self.endpoint, self.jobs, max_tokens=max_tokens, schema=schema)
        from jperrant.llm.local import LocalModel

        return LocalModel(self.model, max_tokens)

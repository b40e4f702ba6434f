"""How an endpoint is asked: what it refuses of a request is left out of the next."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jperrant.llm.thinking import THINKING_TOKENS

#: Ye et al. (2025), appendix A.
TEMPERATURE = 0.1
#: What endpoints answer that do not know, or do not take, something of the request.
_UNSUPPORTED = frozenset({400, 404, 415, 422, 501})
#: What may be refused.
_FIELD = re.compile(r"\b(?:max_tokens|temperature|response_format)\b")
#: How endpoints say that a question is not answered for its content.
_FILTERED = ("content_filter", "invalid_prompt")
#: How OpenAI's endpoint says that a model has thought until there was no room left.
_NO_ROOM = ("output limit was reached", "higher max_tokens")


@dataclass(slots=True)
class Manner:
    """What requests to an endpoint have besides the question; one for all questions, whichever thread asks.

    OpenAI's protocol has changed: newer models take ``max_completion_tokens`` for ``max_tokens`` and no temperature
    but their own; other endpoints know neither this nor ``response_format``. Each attribute changes once at most,
    so that every question is sent again a few times at most.

    Attributes:
        schema: Whether the schema of answers is sent.
        temperature: Whether the temperature is sent.
        limit: What the largest number of tokens is called.
        thinks: Whether the model was seen to think, which takes more tokens than its answer.
    """

    schema: bool = True
    temperature: bool = True
    limit: str = "max_tokens"
    thinks: bool = False

    def fields(self, max_tokens: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return what a request has besides the model and the question.

        Args:
            max_tokens: Tokens an answer may have, without thoughts.
            schema: The JSON schema of answers, if they have one.
        """
        fields: dict[str, Any] = {self.limit: max(max_tokens, THINKING_TOKENS if self.thinks else 0)}
        if self.temperature:
            fields["temperature"] = TEMPERATURE
        if schema and self.schema:
            json_schema = {"name": "answer", "strict": True, "schema": schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        return fields

    def learn(self, fields: Mapping[str, Any], code: int, body: str) -> None:
        """Take note of what an endpoint says of a request that it refuses.

        Args:
            fields: What ``fields`` has returned for that request.
            code: The HTTP status.
            body: What the endpoint says.
        """
        if code not in _UNSUPPORTED:
            return
        refused = _refused(body, fields)
        if any(words in body for words in _NO_ROOM) and not self.thinks:
            self.thinks = True
        elif refused == "max_tokens":
            self.limit = "max_completion_tokens"
        elif refused == "temperature":
            self.temperature = False
        elif "response_format" in fields:
            self.schema = False

    def warnings(self, model: str) -> Iterator[str]:
        """Yield what a person should know of how a model is asked."""
        if not self.temperature:
            yield (
                f"language model {model}: the endpoint takes no temperature of {TEMPERATURE}; "
                "at its own, answers vary more from run to run"
            )
        if self.thinks:
            yield (
                f"language model {model} thinks before it answers: an answer may take up to "
                f"{THINKING_TOKENS:,} tokens, which can cost more than announced"
            )


def is_filtered(body: str) -> bool:
    """Return whether an endpoint refuses a question for what it is about, as filters of content do."""
    try:
        return json.loads(body)["error"]["code"] in _FILTERED
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _refused(body: str, fields: Collection[str]) -> str:
    """Return which of some fields a refusal is about: the one it gives as such, or names first; empty if none."""
    try:
        parameter = json.loads(body)["error"]["param"]
    except (ValueError, KeyError, TypeError, RecursionError):
        parameter = None
    named = _FIELD.findall(parameter if isinstance(parameter, str) else body)
    return next((name for name in named if name in fields), "")

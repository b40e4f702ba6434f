"""The interface of language models, and models at any endpoint with OpenAI's chat protocol.

The ``openai`` package sends requests and repeats failed ones. Limits protect from endpoints that cannot be
trusted: the key is not sent to a redirect, an answer has a maximum size and a maximum total time, and error
messages are one short line.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, as_completed
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import LLM, import_extra

#: The environment variables that may hold the key, the first one first. The key is sent to the endpoint and
#: stored nowhere.
KEYS = ("JPERRANT_LLM_KEY", "OPENAI_API_KEY")
#: The most tokens of an answer without thinking, unless the caller says otherwise.
MAX_TOKENS = 8
#: The most tokens of an answer once the model has shown thoughts or an answer was cut short.
THINKING_TOKENS = 8192
_BEGINS, _ENDS = "<think>", "</think>"
#: Ye et al. (2025), appendix A.
TEMPERATURE = 0.1
#: The longest answer that is read, in bytes: thousands of times what any question here needs.
MAX_BYTES = 4_000_000
#: The HTTP statuses by which endpoints refuse a field of the request.
_UNSUPPORTED = frozenset({400, 404, 415, 422, 501})
#: The fields that an endpoint may refuse.
_FIELD = re.compile(r"\b(?:max_tokens|temperature|response_format)\b")
#: The words by which endpoints say that they refuse a question because of its content.
_FILTERED = ("content_filter", "invalid_prompt")
#: The words by which OpenAI's endpoint says that thinking used up all tokens.
_NO_ROOM = ("output limit was reached", "higher max_tokens")
#: The exceptions that reading JSON of an unknown form can raise.
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)


class Model(Protocol):
    """A language model that answers questions."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def again(self) -> int:
        """How often a question is repeated after an unreadable answer; 0 if the answer would be the same."""

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt, in any order."""


def after_thinking(text: str) -> str:
    """Return an answer without the model's thinking; empty if the thinking was cut short.

    Some models write their thoughts between two tags before the answer, and some endpoints remove these. If the
    chat template puts the opening tag into the prompt, only the closing tag is in the answer.

    >>> after_thinking("<think>3? No, better.</think> 4"), after_thinking("Better. </think>4"), after_thinking("4")
    (' 4', '4', '4')
    """
    answer = text.rpartition(_ENDS)[2]
    return "" if answer.lstrip().startswith(_BEGINS) else answer


def is_thought(text: str, *, cut: bool) -> bool:
    """Return whether an answer holds nothing but thoughts.

    Args:
        text: The answer.
        cut: Whether the answer reached its limit of tokens. If it is empty then, it consisted of thoughts that the
            endpoint removed.

    >>> is_thought("<think>3?", cut=False), is_thought("", cut=True), is_thought("3?", cut=True)
    (True, True, False)
    """
    return not after_thinking(text).strip() and (cut or bool(text.strip()))


@dataclass(slots=True)
class Manner:
    """The fields of requests to an endpoint, besides the question, as far as the endpoint accepts them.

    Newer models of OpenAI take ``max_completion_tokens`` instead of ``max_tokens``, and only their default
    temperature. Other endpoints may know neither ``max_completion_tokens`` nor ``response_format``. All questions
    share the fields. Each attribute changes at most once, so that a question is repeated only a few times.

    Attributes:
        schema: Whether the schema of answers is sent.
        temperature: Whether the temperature is sent.
        limit: The name of the field for the largest number of tokens.
        thinks: Whether an answer had thoughts, which take more tokens than the answer itself.
        cut: The questions whose answer was cut short; when they are repeated, the limit of tokens is higher.
    """

    schema: bool = True
    temperature: bool = True
    limit: str = "max_tokens"
    thinks: bool = False
    cut: set[str] = field(default_factory=set)

    def learn(self, fields: Collection[str], code: int, parameter: object, said: str) -> None:
        """Learn from the refusal of a request which fields the endpoint accepts.

        Args:
            fields: The fields of the request besides the model and the question.
            code: The HTTP status.
            parameter: The field that the endpoint names as refused.
            said: The message of the endpoint.
        """
        if code not in _UNSUPPORTED:
            return
        named = _FIELD.findall(parameter if isinstance(parameter, str) else said)
        refused = next((name for name in named if name in fields), "")
        if any(words in said for words in _NO_ROOM) and not self.thinks:
            self.thinks = True
        elif refused == "max_tokens":
            self.limit = "max_completion_tokens"
        elif refused == "temperature":
            self.temperature = False
        elif "response_format" in fields:
            self.schema = False

    def remarks(self, model: str) -> Iterator[str]:
        """Yield remarks on how a model was asked, a line each."""
        if not self.temperature:
            yield (
                f"language model {model}: the endpoint refuses temperature {TEMPERATURE}; "
                "at its default temperature answers vary more from run to run"
            )
        if self.thinks:
            yield (
                f"language model {model} thinks before it answers: an answer may take up to "
                f"{THINKING_TOKENS:,} tokens and cost more than announced"
            )


@dataclass(frozen=True, slots=True)
class Chat:
    """A model at an endpoint.

    Attributes:
        model: The name of the model at the endpoint.
        endpoint: The URL before ``/chat/completions``.
        jobs: The number of questions sent at the same time.
        again: How often a question is repeated after an unreadable answer.
        max_tokens: The most tokens of an answer, without thoughts.
        schema: The JSON schema that answers must follow, if the endpoint supports schemas.
        seconds: Time limit for one answer, from the question to its last byte.
        tries: How often a question is sent if the endpoint fails or does not answer.
        manner: The fields that the endpoint accepts, as far as is known.

    Raises:
        UsageError: The endpoint is not a URL, jobs is below 1, or the key cannot be sent.
        MissingExtraError: The ``openai`` package is not installed.
    """

    model: str
    endpoint: str
    jobs: int = 4
    again: int = 2
    max_tokens: int = MAX_TOKENS
    schema: Mapping[str, Any] | None = None
    seconds: float = 120.0
    tries: int = 5
    manner: Manner = field(default_factory=Manner, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _is_url(self.endpoint):
            raise UsageError(f"endpoint {self.endpoint!r}: expected a URL such as https://host/v1")
        _key()  # a key that cannot be sent is refused before anything is prepared
        if self.jobs < 1:
            raise UsageError(f"found {self.jobs} jobs for the language model, expected 1 or more")
        import_extra("openai", LLM)

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt as soon as it comes.

        If an error or Ctrl-C ends the run, the answers so far are yielded before it is raised. Nothing is sent
        after an error.

        Raises:
            InputError: The endpoint refuses, or keeps failing.
        """
        import asyncio

        from anyio.from_thread import start_blocking_portal

        turns = asyncio.Semaphore(self.jobs)
        errors: list[BaseException] = []
        asked: dict[Future[str | None], int] = {}
        known = set(self.manner.remarks(self.model))

        async def ask_in_turn(prompt: str) -> str | None:
            async with turns:
                try:
                    return None if errors else await self.ask(client, prompt)
                except Exception as error:  # raised once pending answers have come
                    errors.append(error)
                    return None

        # An event loop in a thread of its own, as programs such as Jupyter have one running already.
        with start_blocking_portal() as portal, portal.wrap_async_context_manager(self.client()) as client:
            try:
                for index, prompt in enumerate(prompts):
                    asked[portal.start_task_soon(ask_in_turn, prompt)] = index
                for future in as_completed(list(asked)):
                    if (answer := future.result()) is not None:
                        for remark in set(self.manner.remarks(self.model)) - known:
                            known.add(remark)
                            warnings.warn(remark, stacklevel=2)
                        yield asked[future], answer
                    del asked[future]
            except KeyboardInterrupt as interrupt:
                errors.append(interrupt)
                for future, index in asked.items():
                    if future.done() and (answer := future.result()) is not None:
                        yield index, answer
                raise
        if errors:
            raise errors[0]

    async def ask(self, client: Any, prompt: str) -> str:
        """Return the answer to a question; empty if the endpoint's content filter refuses the question.

        Args:
            client: An ``openai.AsyncOpenAI``.
            prompt: The question.

        Raises:
            InputError: The endpoint refuses, or keeps failing.
        """
        import openai

        headers = {} if _key() else {"Authorization": openai.Omit()}
        turns = [{"role": "user", "content": prompt}]
        while True:
            fields = self._fields(prompt)
            try:
                answer = await client.chat.completions.with_raw_response.create(
                    model=self.model, messages=turns, extra_headers=headers, **fields
                )
            except openai.APIStatusError as error:
                said = _error_of(error.response.content)
                if said.get("code") in _FILTERED:
                    # A content filter refuses some learner texts, such as those about wars.
                    return ""
                self.manner.learn(fields, error.status_code, said.get("param"), error.response.text)
                if fields == self._fields(prompt):
                    raise self._failed(_reason(error.response, said)) from None
            except openai.OpenAIError as error:
                raise self._failed(_cause(error)) from None
            else:
                text, cut = self._read(answer.content)
                if cut:
                    self.manner.cut.add(prompt)
                if not is_thought(text, cut=cut):
                    return text
                self.manner.thinks = True
                if fields == self._fields(prompt):
                    return text

    def client(self) -> Any:
        """Return the client of the ``openai`` package, with limits for what an endpoint may send."""
        import openai

        return openai.AsyncOpenAI(
            api_key=_key() or "none",
            base_url=self.endpoint,
            max_retries=self.tries - 1,
            http_client=_bounded_client(self.seconds),
        )

    def _fields(self, prompt: str) -> dict[str, Any]:
        """Return the fields of a request besides the model and the question."""
        room = THINKING_TOKENS if self.manner.thinks or prompt in self.manner.cut else 0
        fields: dict[str, Any] = {self.manner.limit: max(self.max_tokens, room)}
        if self.manner.temperature:
            fields["temperature"] = TEMPERATURE
        if self.schema and self.manner.schema:
            json_schema = {"name": "answer", "strict": True, "schema": self.schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        return fields

    def _read(self, content: bytes) -> tuple[str, bool]:
        """Return the text of a chat completion, and whether it was cut short."""
        try:
            choice = json.loads(content)["choices"][0]
            # Some endpoints leave the content out if a filter or thinking left none.
            said = choice["message"].get("content")
            if isinstance(said, list):  # parts, of which those of type ``text`` have text
                said = "".join(str(part["text"]) for part in said if part["type"] == "text")
            return str(said or ""), choice.get("finish_reason") == "length"
        except _UNREADABLE:
            raise self._failed("its answer is not a chat completion") from None

    def _failed(self, why: str) -> InputError:
        return InputError(
            f"language model {self.model} at {self.endpoint}: {why}; llm_cache=FILE keeps the answers so far"
        )


def _bounded_client(seconds: float) -> Any:
    """Return an HTTP client without redirects and with limits of time and size."""
    import asyncio

    import httpx2
    import openai

    class Bounded(openai.DefaultAsyncHttpxClient):  # type: ignore[misc, unused-ignore]
        async def send(self, request: Any, **settings: Any) -> Any:
            content = b""
            try:
                async with asyncio.timeout(seconds):
                    response = await super().send(request, **{**settings, "stream": True})
                    async with aclosing(response):
                        async for part in response.aiter_raw():
                            content += part
                            if len(content) > MAX_BYTES:
                                raise openai.OpenAIError(f"its answer has more than {MAX_BYTES:,} bytes")
            except TimeoutError:
                raise httpx2.ReadTimeout(f"no whole answer in {seconds:g} seconds", request=request) from None
            said = _error_of(content) if response.status_code == 200 else {}
            hidden = "choices" not in said and bool(said.get("message") or said.get("detail"))
            return httpx2.Response(
                502
                if hidden
                else response.status_code,  # as if the router had reported that its endpoint failed
                headers={name: response.headers[name] for name in _HEADERS if name in response.headers},
                content=content,
                request=request,
                extensions={"hidden": hidden},
            )

    return Bounded(follow_redirects=False, timeout=seconds)


#: The headers of an answer that are kept. Content-Encoding is dropped, so that nothing is decompressed: the
#: decompressed size would have no limit.
_HEADERS = ("content-type", "location", "retry-after", "retry-after-ms", "x-should-retry")


def _error_of(content: bytes) -> dict[str, Any]:
    """Return the message in an endpoint's error; empty if there is none."""
    with suppress(*_UNREADABLE):
        found = json.loads(content)
        found = found[0] if isinstance(found, list) else found  # as Gemini's endpoint has it
        found = found.get("error", found)  # some servers omit "error"; in others it is a string
        return {"message": found} if isinstance(found, str) else dict(found)
    return {}


def _reason(response: Any, said: Mapping[str, Any]) -> str:
    """Return an endpoint's reason for a refusal in one line, shortened."""
    text = str(said.get("message") or said.get("detail") or "")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
    shown = f" ({line})" if line else ""
    why = f"HTTP {response.status_code} {response.reason_phrase}"
    if response.extensions["hidden"]:
        return f"its answer is an error{shown}"
    if 300 <= response.status_code < 400:
        target = repr(response.headers.get("location", "nowhere"))[:200]
        return f"{why}: it redirects to {target}; give that URL if you trust it"
    if response.status_code in (401, 403):  # the key is missing, wrong, or not allowed to
        return f"{why}; set the key in {' or '.join(KEYS)}"
    return why + shown


def _cause(error: BaseException) -> str:
    """Return the first cause of a connection error, such as ``Connection refused``."""
    said, cause = str(error), error.__cause__ or error.__context__
    while cause is not None:
        if isinstance(cause, OSError) and cause.errno and cause.errno > 0:
            return os.strerror(cause.errno)
        said, cause = str(cause) or said, cause.__cause__ or cause.__context__
    return said


def _is_url(endpoint: str) -> bool:
    with suppress(ValueError):  # for example a port with letters, or brackets without an IPv6 address
        parts = urlsplit(endpoint)
        there = bool(parts.hostname) and parts.port != 0
        return there and parts.scheme in ("http", "https") and _can_be_sent(endpoint)
    return False


def _key() -> str:
    """Return the key without a line end that a file added; empty if there is none.

    Raises:
        UsageError: The key has characters that no header can have. The message does not show the key.
    """
    name = next((name for name in KEYS if os.environ.get(name, "").strip()), KEYS[0])
    key = os.environ.get(name, "").strip()
    if not _can_be_sent(key):
        raise UsageError(
            f"the environment variable {name} has characters that no key has, such as spaces or line ends; "
            "copy the key again"
        )
    return key


def _can_be_sent(text: str) -> bool:
    """Return whether all characters are printable ASCII other than spaces, as in URLs and keys."""
    return text.isascii() and text.isprintable() and " " not in text

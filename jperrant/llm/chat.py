"""Asking a language model over the network, through any endpoint that speaks OpenAI's chat protocol.

The ``openai`` package sends, waits and tries again. Around it stand limits for endpoints that are not to be
trusted: the key follows no redirect, an answer has a largest size and a longest time as a whole, and the text of
errors is one short line.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from jperrant.core.errors import InputError, UsageError
from jperrant.core.packages import LLM, import_extra
from jperrant.llm.model import MAX_TOKENS, THINKING_TOKENS, is_thought

#: Where the key is looked for; it is sent to the endpoint and kept nowhere.
KEYS = ("JPERRANT_LLM_KEY", "OPENAI_API_KEY")
#: Ye et al. (2025), appendix A.
TEMPERATURE = 0.1
#: The longest answer that is read, in bytes: thousands of times what any question here needs.
MAX_BYTES = 4_000_000
#: What endpoints answer that do not know, or do not take, something of the request.
_UNSUPPORTED = frozenset({400, 404, 415, 422, 501})
#: What may be refused.
_FIELD = re.compile(r"\b(?:max_tokens|temperature|response_format)\b")
#: How endpoints say that a question is not answered for its content.
_FILTERED = ("content_filter", "invalid_prompt")
#: How OpenAI's endpoint says that a model has thought until there was no room left.
_NO_ROOM = ("output limit was reached", "higher max_tokens")

#: The index of a question and its answer, the error that ended all of them, or None after the last.
_Result: TypeAlias = tuple[int, str] | BaseException | None


@dataclass(slots=True)
class Manner:
    """What requests to an endpoint have besides the question; one for all questions.

    OpenAI's protocol has changed: newer models take ``max_completion_tokens`` for ``max_tokens`` and no temperature
    but their own; other endpoints know neither this nor ``response_format``. Each attribute changes once at most,
    so that every question is sent again a few times at most.

    Attributes:
        schema: Whether the schema of answers is sent.
        temperature: Whether the temperature is sent.
        limit: What the largest number of tokens is called.
        thinks: Whether the model was seen to think, which takes more tokens than its answer.
        cut: Questions whose answer was cut short; asked again, it may be longer.
    """

    schema: bool = True
    temperature: bool = True
    limit: str = "max_tokens"
    thinks: bool = False
    cut: set[str] = field(default_factory=set)

    def fields(self, prompt: str, max_tokens: int, schema: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return what a request has besides the model and the question.

        Args:
            prompt: The question.
            max_tokens: Tokens an answer may have, without thoughts.
            schema: The JSON schema of answers, if they have one.
        """
        room = THINKING_TOKENS if self.thinks or prompt in self.cut else 0
        fields: dict[str, Any] = {self.limit: max(max_tokens, room)}
        if self.temperature:
            fields["temperature"] = TEMPERATURE
        if schema and self.schema:
            json_schema = {"name": "answer", "strict": True, "schema": schema}
            fields["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        return fields

    def learn(self, fields: Collection[str], code: int, parameter: object, said: str) -> None:
        """Take note of what an endpoint says of a request that it refuses.

        Args:
            fields: The names of what ``fields`` has returned for that request.
            code: The HTTP status.
            parameter: What of the request the endpoint names as refused.
            said: What the endpoint says.
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


@dataclass(frozen=True, slots=True)
class Chat:
    """A model at an endpoint.

    Attributes:
        model: Its name there.
        endpoint: The URL before ``/chat/completions``.
        jobs: Questions asked at one time.
        again: How often an unreadable answer is asked for again; it may come out otherwise.
        max_tokens: Tokens an answer may have, without thoughts.
        schema: JSON schema that answers must follow, where the endpoint knows them.
        seconds: How long one answer is waited for, from the question to its last byte.
        tries: How often a question is sent while the endpoint fails or does not answer.
        manner: What the endpoint has been found to take.

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
        _key()  # one that cannot be sent is told before anything is prepared
        if self.jobs < 1:
            raise UsageError(f"found {self.jobs} jobs for the language model, expected 1 or more")
        import_extra("openai", LLM)

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt as they come.

        What has been answered when an error or Ctrl-C ends the run is yielded before it is raised.

        Raises:
            InputError: The endpoint refuses, or keeps failing.
        """
        results: SimpleQueue[_Result] = SimpleQueue()
        asking = _Asking(self, prompts, results)
        known = set(self.manner.warnings(self.model))
        asking.start()
        try:
            while result := _next_result(results, asking):
                if isinstance(result, BaseException):
                    raise result
                for warning in self.manner.warnings(self.model):
                    if warning not in known:
                        known.add(warning)
                        warnings.warn(warning, stacklevel=2)
                yield result
        finally:
            asking.stop()

    async def ask(self, client: Any, prompt: str) -> str:
        """Return the answer to a question; empty if the endpoint's filter of content refuses it.

        Args:
            client: An ``openai.AsyncOpenAI``.
            prompt: The question.

        Raises:
            InputError: The endpoint refuses, or keeps failing.
        """
        import openai

        headers = {} if _key() else {"Authorization": openai.Omit()}
        while True:
            fields = self.manner.fields(prompt, self.max_tokens, self.schema)
            turns = [{"role": "user", "content": prompt}]
            try:
                answer = await client.chat.completions.with_raw_response.create(
                    model=self.model, messages=turns, extra_headers=headers, **fields
                )
            except openai.APIStatusError as error:
                body = error.response.text
                said = _error_of(body)
                if said.get("code") in _FILTERED:
                    return ""  # learners write of wars and crimes, too: a question without an answer
                self.manner.learn(fields, error.status_code, said.get("param"), body)
                if fields == self.manner.fields(prompt, self.max_tokens, self.schema):
                    raise self._failed(_reason(error.response, _message(body))) from None
            except openai.OpenAIError as error:
                raise self._failed(_cause(error)) from None
            else:
                try:
                    text, cut = _read(answer.content)
                except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                    raise self._failed("its answer is not a chat completion") from None
                if cut:
                    self.manner.cut.add(prompt)
                if is_thought(text, cut=cut):
                    self.manner.thinks = True
                    if fields != self.manner.fields(prompt, self.max_tokens, self.schema):
                        continue
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

    def _failed(self, why: str) -> InputError:
        return InputError(
            f"language model {self.model} at {self.endpoint}: {why}; answers so far are kept with llm_cache=FILE"
        )


class _Asking(threading.Thread):
    """Asks questions in an event loop of its own, as programs such as Jupyter have one running already."""

    def __init__(self, chat: Chat, prompts: Sequence[str], results: SimpleQueue[_Result]) -> None:
        super().__init__(daemon=True)
        self._chat, self._prompts, self._results = chat, prompts, results
        self._left = iter(range(len(prompts)))
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        """Ask all questions; the last result is an error or None."""
        try:
            asyncio.run(self._ask_all())
        except BaseException as error:
            self._results.put(error)
        else:
            self._results.put(None)

    def stop(self) -> None:
        """Send nothing more, and wait for no answer."""
        loop = self._loop
        if loop is not None and self.is_alive():
            with suppress(RuntimeError):  # it has just ended
                loop.call_soon_threadsafe(lambda: [task.cancel() for task in asyncio.all_tasks(loop)])
            self.join()

    async def _ask_all(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with self._chat.client() as client:
            ended = await asyncio.gather(
                *(self._ask_some(client) for _ in range(self._chat.jobs)), return_exceptions=True
            )
        if errors := [error for error in ended if error is not None]:
            raise errors[0]

    async def _ask_some(self, client: Any) -> None:
        """Ask one question after the other; after an error nobody sends another one."""
        for index in self._left:
            try:
                self._results.put((index, await self._chat.ask(client, self._prompts[index])))
            except BaseException:
                for _ in self._left:  # the others find nothing left
                    pass
                raise


def _next_result(results: SimpleQueue[_Result], asking: _Asking) -> _Result:
    """Return the next result; Ctrl-C is one, after those that are there already."""
    try:
        return results.get()
    except KeyboardInterrupt as interrupt:
        asking.stop()
        answered: list[_Result] = []
        while not results.empty():
            result = results.get()
            answered += [result] if isinstance(result, tuple) else []
        for result in [*answered, interrupt]:
            results.put(result)
        return results.get()


def _bounded_client(seconds: float) -> Any:
    """Return an HTTP client that follows no redirects, and waits and reads no longer than it should."""
    import httpx2
    import openai

    class Bounded(openai.DefaultAsyncHttpxClient):  # type: ignore[misc, unused-ignore]
        async def send(self, request: Any, **settings: Any) -> Any:
            try:
                async with asyncio.timeout(seconds):
                    response = await super().send(request, **{**settings, "stream": True})
                    content = await _content(response)
            except TimeoutError:
                raise httpx2.ReadTimeout(f"no whole answer in {seconds:g} seconds", request=request) from None
            status, hidden = response.status_code, response.status_code == 200 and _is_error(content)
            return httpx2.Response(
                502 if hidden else status,  # as routers answer whose own endpoint has failed
                headers={name: response.headers[name] for name in _HEADERS if name in response.headers},
                content=content,
                request=request,
                extensions={"hidden": hidden},
            )

    async def _content(response: Any) -> bytes:
        content = b""
        try:
            async for part in response.aiter_raw():
                content += part
                if len(content) > MAX_BYTES:
                    raise openai.OpenAIError(f"its answer has more than {MAX_BYTES:,} bytes")
        finally:
            await response.aclose()
        return content

    return Bounded(follow_redirects=False, timeout=seconds)


#: What is read of the headers of an answer; it is not decompressed, which would have no largest size.
_HEADERS = ("content-type", "location", "retry-after", "retry-after-ms", "x-should-retry")


def _read(content: bytes) -> tuple[str, bool]:
    """Return the text of a chat completion, and whether it was cut short.

    Raises:
        ValueError, LookupError, TypeError, AttributeError, RecursionError: It is none.
    """
    choice = json.loads(content)["choices"][0]
    # Some endpoints leave the content out where a filter, or thinking, has left none.
    said = choice["message"].get("content")
    if isinstance(said, list):  # parts, of which those of type ``text`` have text
        said = "".join(str(part["text"]) for part in said if part["type"] == "text")
    return str(said or ""), choice.get("finish_reason") == "length"


def _error_of(body: str | bytes) -> dict[str, Any]:
    """Return what an endpoint says of an error; empty if nothing is found."""
    try:
        found = json.loads(body)
        found = found[0] if isinstance(found, list) else found  # as Gemini's endpoint has it
        found = found.get("error", found)  # without it in some servers, and a text in others
        return {"message": found} if isinstance(found, str) else dict(found)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}


def _is_error(content: bytes) -> bool:
    """Return whether an answer under the status of success is an error."""
    said = _error_of(content)
    return "choices" not in said and bool(said.get("message") or said.get("detail"))


def _message(body: str) -> str:
    """Return what an endpoint says of an error, on one line and cut short."""
    said = _error_of(body)
    text = str(said.get("message") or said.get("detail") or "")
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f" ({line[:200]})" if line else ""


def _cause(error: BaseException) -> str:
    """Return the first cause of a connection error, such as ``Connection refused``."""
    said = str(error)
    next_one: BaseException | None = error
    while next_one is not None:
        if isinstance(next_one, OSError) and next_one.errno and next_one.errno > 0:
            return os.strerror(next_one.errno)
        said = str(next_one) or said
        next_one = next_one.__cause__ or next_one.__context__
    return said


def _reason(response: Any, said: str) -> str:
    """Return why an endpoint refuses."""
    why = f"HTTP {response.status_code} {response.reason_phrase}"
    if response.extensions["hidden"]:
        return f"its answer is an error{said}"
    if 300 <= response.status_code < 400:
        target = repr(response.headers.get("location", "nowhere"))[:200]
        return f"{why}: it redirects to {target}; give that URL if you trust it"
    if response.status_code in (401, 403):  # the key is missing, wrong, or not allowed to
        return f"{why}; set the key in {' or '.join(KEYS)}"
    return why + said


def _is_url(endpoint: str) -> bool:
    try:
        parts = urlsplit(endpoint)
        _ = parts.port
    except ValueError:  # such as brackets without an IPv6 address
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and _can_be_sent(endpoint)


def _key() -> str:
    """Return the key, without the line end that it has from a file; empty if there is none.

    Raises:
        UsageError: It has characters that no header can have. The key itself is never shown.
    """
    for name in KEYS:
        if key := os.environ.get(name, "").strip():
            if not _can_be_sent(key):
                raise UsageError(
                    f"the environment variable {name} has characters that no key has, such as spaces or line ends; "
                    "copy the key again"
                )
            return key
    return ""


def _can_be_sent(text: str) -> bool:
    """Return whether all characters are printable ASCII other than spaces, as in URLs and keys."""
    return text.isascii() and text.isprintable() and " " not in text

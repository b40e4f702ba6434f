"""Asking a language model over the network, through any endpoint that speaks OpenAI's chat protocol."""

from __future__ import annotations

import email.utils
import json
import os
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from jperrant.core.errors import InputError, UsageError
from jperrant.llm.manner import Manner, is_filtered
from jperrant.llm.thinking import is_thought

#: Where the key is looked for; it is sent to the endpoint and kept nowhere.
KEYS = ("JPERRANT_LLM_KEY", "OPENAI_API_KEY")
TRIES = 5
SECONDS = 120.0
MAX_TOKENS = 8
#: The longest answer that is read, in bytes: thousands of times what any question here needs.
MAX_BYTES = 4_000_000
#: The longest that is waited because the endpoint asks for it (Retry-After).
MAX_WAIT = 120.0
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
#: What endpoints answer to a key that is missing, wrong, or not allowed to.
_REFUSED = frozenset({401, 403})


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: urllib would send the key along to whatever host the answer names."""

    def redirect_request(self, *_: object) -> None:
        """Return no request, so that the answer is an error as any other."""


class _ErrorAnswer(ConnectionError):
    """An error under the status of success, as routers answer whose own endpoint has failed."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A model at an endpoint.

    Attributes:
        model: Its name there.
        endpoint: The URL before ``/chat/completions``.
        jobs: Questions asked at one time.
        sleep: Waits some seconds before a question is sent again.
        again: How often an unreadable answer is asked for again; it may come out otherwise.
        max_tokens: Tokens an answer may have, without thoughts.
        schema: JSON schema that answers must follow, where the endpoint knows them.
        seconds: How long one answer is waited for.
        manner: What the endpoint has been found to take.

    Raises:
        UsageError: The endpoint is not a URL, jobs is below 1, or the key cannot be sent.
    """

    model: str
    endpoint: str
    jobs: int = 4
    sleep: Callable[[float], None] = time.sleep
    again: int = 2
    max_tokens: int = MAX_TOKENS
    schema: Mapping[str, Any] | None = None
    seconds: float = SECONDS
    manner: Manner = field(default_factory=Manner, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _is_url(self.endpoint):
            raise UsageError(f"endpoint {self.endpoint!r}: expected a URL such as https://host/v1")
        _key()  # one that cannot be sent is told before anything is prepared
        if self.jobs < 1:
            raise UsageError(f"found {self.jobs} jobs for the language model, expected 1 or more")

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt as they come.

        Raises:
            InputError: The endpoint refuses, or keeps failing.
        """
        pool = ThreadPoolExecutor(self.jobs)
        known = set(self.manner.warnings(self.model))
        try:
            asked = {pool.submit(self._ask, prompt): index for index, prompt in enumerate(prompts)}
            for done in as_completed(asked):
                answer = done.result()
                for warning in self.manner.warnings(self.model):
                    if warning not in known:
                        known.add(warning)
                        warnings.warn(warning, stacklevel=2)
                yield asked[done], answer
        finally:
            # After an error nothing more is sent.
            pool.shutdown(cancel_futures=True)

    def _ask(self, prompt: str) -> str:
        why, wait, attempt = "", 0.0, 0
        while attempt < TRIES:
            if attempt:
                self.sleep(max(wait, 0.5 * 2 ** (attempt - 1)))
            wait, fields = 0.0, self._fields()
            try:
                text, cut = self._post(prompt, fields)
            except HTTPError as error:
                with error:
                    body = _body(error)
                    if is_filtered(body):
                        return ""  # learners write of wars and crimes, too: a question without an answer
                    self.manner.learn(fields, error.code, body)
                    if fields != self._fields():
                        continue
                    why = self._reason(error, body)
                    if error.code not in _PASSING:
                        break
                    wait = retry_after(error.headers)
            except (URLError, HTTPException, TimeoutError, ConnectionError) as error:
                why = str(getattr(error, "reason", error))
            else:
                if is_thought(text, cut=cut):
                    self.manner.thinks = True
                    if fields != self._fields():
                        continue
                return text
            attempt += 1
        raise self._failed(why)

    def _fields(self) -> dict[str, Any]:
        return self.manner.fields(self.max_tokens, self.schema)

    def _post(self, prompt: str, fields: Mapping[str, Any]) -> tuple[str, bool]:
        """Return the answer, and whether it was cut short."""
        body = {"model": self.model, "messages": [{"role": "user", "content": prompt}], **fields}
        headers = {"Content-Type": "application/json"}
        if key := _key():
            headers["Authorization"] = f"Bearer {key}"
        url = self.endpoint.rstrip("/") + "/chat/completions"
        request = Request(url, json.dumps(body).encode(), headers)
        with build_opener(_NoRedirects).open(request, timeout=self.seconds) as response:
            text = response.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise self._failed(f"its answer has more than {MAX_BYTES:,} bytes")
        try:
            choice = json.loads(text)["choices"][0]
            # Some endpoints leave the content out where a filter, or thinking, has left none.
            return _text(choice["message"].get("content")), choice.get("finish_reason") == "length"
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            if said := _said(text.decode("utf-8", "replace")):
                raise _ErrorAnswer(f"its answer is an error{said}") from None
            raise self._failed("its answer is not a chat completion") from None

    def _reason(self, error: HTTPError, body: str) -> str:
        """Return why an endpoint refuses.

        Raises:
            InputError: It redirects, which is not followed.
        """
        why = f"HTTP {error.code} {error.reason}"
        if 300 <= error.code < 400:
            why += f": it redirects to {_target(error)}; give that URL if you trust it"
            raise self._failed(why) from None
        if error.code in _REFUSED:
            return f"{why}; set the key in {' or '.join(KEYS)}"
        return why + _said(body)

    def _failed(self, why: str) -> InputError:
        return InputError(
            f"language model {self.model} at {self.endpoint}: {why}; answers so far are kept with --llm-cache"
        )


def _body(error: HTTPError) -> str:
    """Return what an endpoint sends with an error."""
    try:
        return error.read(MAX_BYTES).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""


def _said(body: str) -> str:
    """Return what an endpoint says of an error, on one line and cut short; empty if nothing is found."""
    try:
        found = json.loads(body)
        found = found[0] if isinstance(found, list) else found  # as Gemini's endpoint has it
        found = found.get("error", found)  # without it in some servers, and a text in others
        said = found if isinstance(found, str) else found.get("message") or found["detail"]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in str(said)).split())
    return f" ({line[:200]})" if line else ""


def _text(content: Any) -> str:
    """Return the text of an answer, which is a string, parts of which those of type ``text`` have text, or null."""
    if isinstance(content, list):
        return "".join(str(part["text"]) for part in content if part["type"] == "text")
    return str(content or "")


def retry_after(headers: Message | None) -> float:
    """Return the seconds that an answer asks to wait, from 0 to ``MAX_WAIT``; 0 if it does not say.

    RFC 9110, section 10.2.3: a number of seconds or a date.
    """
    value = (headers.get("Retry-After") or "").strip() if headers is not None else ""
    if value.isascii() and value.isdecimal():
        return min(MAX_WAIT, float(value[:9]))
    try:
        date = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return 0.0
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return min(MAX_WAIT, max(0.0, (date - datetime.now(UTC)).total_seconds()))


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


def _target(error: HTTPError) -> str:
    return repr(error.headers.get("Location", "nowhere"))[:200]

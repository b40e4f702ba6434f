"""Weights of chunks by a language model, against a fake one and a tiny real one."""

from __future__ import annotations

import gzip
import socketserver
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from jperrant.core.errors import InputError, UsageError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.cleme.scorer import Cleme2Scorer
from jperrant.evaluation.metrics.cleme.weights import LlmWeighting, parse_answer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.llm.chat import Chat
from jperrant.llm.questions import Questions

from .chunk_cases import INSERTED, X, Y, block
from .test_llm_judges import Endpoint, server

__all__ = ["server"]  # a fixture


def answering(answers: Mapping[str, str]) -> Callable[[str], str]:
    """Answer a prompt by a part of it; others with 2."""
    return lambda prompt: next((a for part, a in answers.items() if part in prompt), "2")


@pytest.fixture(autouse=True)
def _answers() -> None:
    Endpoint.reply = answering({})


def weigher(endpoint: str, **options: Any) -> LlmWeighting:
    return LlmWeighting(Chat("tiny", endpoint, 2, tries=3), **options)


def run(weights: LlmWeighting, hyp: Block, ref: Block) -> Score:
    [found] = evaluate(Cleme2Scorer(custom_weighting=weights), [Pair([hyp], [ref])])
    return found


def test_llm_weights(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    Endpoint.reply = answering({'Edit: "b" → "x"': "4", 'Edit: (nothing) → "z"': " 5.\n"})
    said: list[str] = []
    found = run(weigher(server, announce=said.append), block(X), block(Y, INSERTED))
    assert (found.counts["fp_ne"], found.counts["fn"]) == (4, 5)
    assert "w:llm|llm:tiny|prompt:edit" in found.signature
    assert "secret" not in found.signature
    assert Endpoint.keys == ["Bearer secret"] * 2
    assert all(body["temperature"] == 0.1 and body["model"] == "tiny" for body in Endpoint.bodies)
    [costs] = said
    assert costs.startswith("language model tiny: 2 questions to ask, 0 already answered; about ")


@dataclass
class Repeating:
    """A model that answers each question with itself."""

    model: str = "m"
    again: int = 0
    asked: int = 0

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        for index, prompt in enumerate(prompts):
            self.asked += 1
            yield index, prompt


def test_answers_are_kept_whatever_they_hold(tmp_path: Path) -> None:
    texts = ["4\u2028", "5\x85", "a\r\nb\x0b", "好"]
    model = Repeating()
    for _ in range(2):
        asked = Questions(model, tmp_path / "new" / "answers", announce=lambda _: None)
        assert asked.ask(texts, lambda _, text: text) == {text: text for text in texts}
    assert model.asked == len(texts), "the second time nothing is asked"


@pytest.mark.parametrize("text", ["S a b\n\nS c\n", "[" * 100_000 + "\n"])
def test_answers_are_not_added_to_a_file_of_another_kind(text: str, tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="found no answers in it"):
        Questions(Repeating(), path).ask(["q"], lambda _, text: text)
    assert path.read_text(encoding="utf-8") == text


def test_a_damaged_answer_is_asked_for_again(tmp_path: Path) -> None:
    path, model = tmp_path / "answers", Repeating()
    asked = Questions(model, path, announce=lambda _: None)
    asked.ask(["one", "two"], lambda _, text: text)
    with closing(sqlite3.connect(path)) as connection, connection:
        [first] = connection.execute("SELECT value FROM packed LIMIT 1").fetchone()
        connection.execute("UPDATE packed SET value = ? WHERE value = ?", [first[:-1] + b"x", first])
    assert asked.ask(["one", "two"], lambda _, text: text) == {"one": "one", "two": "two"}
    assert model.asked == 3


def test_the_limit_shows_the_costs_first(server: str) -> None:
    with pytest.raises(UsageError, match=r"2 questions to ask.*tokens.*the limit is 1 question"):
        run(weigher(server, limit=1), block(X), block(Y, INSERTED))
    assert not Endpoint.bodies


def test_unreadable_answers(server: str) -> None:
    Endpoint.reply = answering({'Edit: "b" → "x"': "It is a 4 or 5."})
    found = run(weigher(server), block(X), block(Y))
    assert found.counts["fp_ne"] == 3
    assert len(Endpoint.bodies) == 3, "asked again twice"
    assert any("answers of the language model" in line and line.endswith(": 1") for line in found.warnings)


@pytest.mark.parametrize(
    ("answer", "number"),
    [
        *(("3", 3), (" 3\n", 3), ("3.", 3), ("**5**", 5), ("4.0", 4), ('"1"', 1)),
        *((wrong, None) for wrong in ("6", "0", "3/5", "3.5", "Answer: 3", "", "33", "-3", "3 4")),
    ],
)
def test_answers_are_read_strictly(answer: str, number: int | None) -> None:
    assert parse_answer(answer) == number


@pytest.mark.ci
def test_failing_endpoints(server: str) -> None:
    Endpoint.failures = [503, 429]
    run(weigher(server), block(X), block(Y))
    assert len(Endpoint.bodies) == 3
    Endpoint.failures = [401] * 9
    with pytest.raises(InputError, match=r"tiny at http.*: HTTP 401"):
        run(weigher(server), block(X), block(Y))
    assert len(Endpoint.failures) == 8, "a refusal is not asked again"
    Endpoint.failures = [500] * 9
    with pytest.raises(InputError, match="HTTP 500"):
        run(weigher(server), block(X), block(Y))
    with pytest.raises(InputError, match=r"tiny at http://127.0.0.1:1/v1: .*refused"):
        run(weigher("http://127.0.0.1:1/v1"), block(X), block(Y))


def test_braces_in_the_text_are_text(server: str) -> None:
    braces = Block(("{0}", "{sentence}"), (Annotation(0, (Edit(0, 1, ("{}",), "R"),)),))
    run(weigher(server), braces, braces)
    assert (
        'Uncorrected sentence: "{0} {sentence}"\nEdit: "{0}" → "{}"\n'
        in Endpoint.bodies[0]["messages"][0]["content"]
    )


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_host_does_not_get_the_key(
    server: str, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    monkeypatch.setenv("JPERRANT_LLM_KEY", "secret")
    port = server.rsplit(":", 1)[1].split("/")[0]
    Endpoint.failures = [code]
    Endpoint.headers_of_failures = {"Location": f"http://localhost:{port}/v1/chat/completions"}
    with pytest.raises(InputError, match=rf"HTTP {code} .* redirects to 'http://localhost:{port}"):
        list(Chat("m", server).answer(["q"]))
    assert Endpoint.keys == ["Bearer secret"], "one request, to the endpoint that was named"


@pytest.mark.ci
def test_an_endpoint_that_says_how_long_to_wait_is_heard(server: str) -> None:
    Endpoint.failures, Endpoint.headers_of_failures = [429], {"Retry-After-Ms": "", "Retry-After": "1"}
    start = time.monotonic()
    assert list(Chat("m", server).answer(["q"])) == [(0, "2")]
    assert time.monotonic() - start >= 1


class Dripping(socketserver.BaseRequestHandler):
    """Sends a byte at a time, for ever: of the headers, the body, or what follows it."""

    begins: ClassVar[bytes]

    def handle(self) -> None:
        self.request.recv(65_536)
        try:
            self.request.sendall(self.begins)
            while True:
                self.request.sendall(b"1" if b"chunked" not in self.begins else b"x: y\r\n")
                time.sleep(0.01)
        except OSError:
            pass  # the other side has stopped waiting


@pytest.mark.parametrize(
    "begins",
    [
        b"HTTP/1.1 200 OK\r\nX: ",
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        b"HTTP/1.1 500 Oh\r\n\r\n",
    ],
    ids=["headers", "body", "trailers", "error"],
)
def test_an_answer_has_a_longest_time_as_a_whole(begins: bytes) -> None:
    Dripping.begins = begins
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dripping) as served:
        served.daemon_threads = True
        threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        endpoint = f"http://127.0.0.1:{served.server_address[1]}/v1"
        start = time.monotonic()
        with pytest.raises(
            InputError, match=r"m at http.*: (no whole answer in 0.2 seconds|.*header|.*trailer)"
        ):
            list(Chat("m", endpoint, seconds=0.2, tries=1).answer(["q"]))
        assert time.monotonic() - start < 5
        served.shutdown()


def test_a_compressed_answer_is_not_unpacked(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = gzip.compress(b" " * 50_000_000)

    def send(self: Endpoint) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(bomb)

    monkeypatch.setattr(Endpoint, "do_POST", send)
    with pytest.raises(InputError, match="its answer is not a chat completion"):
        list(Chat("m", server).answer(["q"]))

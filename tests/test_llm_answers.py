"""What is read of a language model's answer: not its thinking, and of an answer in parts the text."""

from __future__ import annotations

import doctest
import json
from http.server import BaseHTTPRequestHandler

import pytest

from jperrant.core.errors import InputError
from jperrant.llm import questions

from .test_llm_judges import Endpoint, block, judged, server

__all__ = ["server"]  # a fixture

SCORED = '{"scores": [{"target": 1, "score": 5}]}'


@pytest.mark.parametrize(
    "content",
    [
        f'<think>Perhaps {{"scores": [{{"target": 1, "score": 2}}]}}?</think>\n\n{SCORED}',
        f"{{It}} is good.\n</think>\n{SCORED}",
        [{"type": "text", "text": SCORED[:9]}, {"type": "text", "text": SCORED[9:]}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": "{"}]}, {"type": "text", "text": SCORED}],
    ],
    ids=["thinking", "tag in the template", "parts", "parts with thinking"],
)
def test_the_score_is_what_follows_the_thinking(server: str, content: object) -> None:
    Endpoint.reply = lambda _: json.dumps({"choices": [{"message": {"content": content}}]}).encode()
    assert judged(server, [block("goes")])[0].values == {"llm-s": 5.0}
    assert len(Endpoint.bodies) == 1


def test_a_thought_that_is_cut_short_is_no_score(server: str) -> None:
    Endpoint.reply = lambda _: f"<think>\nPerhaps {SCORED}, but"
    with pytest.raises(InputError, match="no score from 1 to 5"):
        judged(server, [block("goes")])


def test_what_an_endpoint_says_of_an_error_is_told(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = json.dumps({"error": {"message": "'max_tokens' is not\n\x1b[31msupported " + "x" * 900}}).encode()
    monkeypatch.setattr(
        Endpoint, "send_response", lambda self, _: BaseHTTPRequestHandler.send_response(self, 400)
    )
    Endpoint.reply = lambda _: said
    with pytest.raises(
        InputError, match=r"HTTP 400 Bad Request \('max_tokens' is not \[31msupported x+\);"
    ) as raised:
        judged(server, [block("goes")])
    assert len(str(raised.value)) < 500


def test_examples_of_docstrings() -> None:
    result = doctest.testmod(questions)
    assert result.attempted
    assert not result.failed

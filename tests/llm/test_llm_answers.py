"""What is read of a language model's answer: not its thinking, and of an answer in parts the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from jperrant.core.errors import InputError
from jperrant.evaluation.metrics.llm_judges import SCHEMA
from jperrant.llm.chat import Chat
from tests.evaluation.test_llm_judges import GOES, Endpoint, block, by_text, judged, server

__all__ = ["server"]  # a fixture


def answer(**choice: object) -> bytes:
    return json.dumps({"choices": [choice]}).encode()


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
    Endpoint.reply = lambda _: answer(message={"content": content})
    assert judged(server, [block("goes")])[0].values == {"llm-s": 5.0}
    assert len(Endpoint.bodies) == 1


def test_a_thought_that_is_cut_short_is_no_score(server: str) -> None:
    Endpoint.reply = lambda _: f"<think>\nPerhaps {SCORED}, but"
    with (
        pytest.warns(match="thinks before it answers: an answer may take up to 8,192 tokens"),
        pytest.raises(InputError, match="no score from 1 to 5"),
    ):
        judged(server, [block("goes")])


@pytest.mark.parametrize("listed", [False, True])
def test_what_an_endpoint_says_of_an_error_is_told(
    listed: bool, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = {"message": "max_tokens, temperature or\n\x1b[31msomething " + "x" * 900}
    refusing(monkeypatch, lambda _: error, listed=listed)
    told = r"HTTP 400 Bad Request \(max_tokens, temperature or \[31msomething x+\);"
    with pytest.raises(InputError, match=told) as raised:
        judged(server, [block("goes")])
    assert len(str(raised.value)) < 500
    assert len(Endpoint.bodies) == 4, "another time without each of the three"


#: From what a request has to the error that an endpoint has for it; None where it takes it.
Refusal = Callable[[dict[str, Any]], dict[str, object] | None]


def refusing(monkeypatch: pytest.MonkeyPatch, *refusals: Refusal, listed: bool = False) -> None:
    """Have the endpoint refuse requests, and answer those that it takes."""
    status: list[int] = []

    def reply(prompt: str) -> bytes | str:
        found = [{"error": error} for refusal in refusals if (error := refusal(Endpoint.bodies[-1]))]
        status.append(400 if found else 200)
        return json.dumps(found if listed else found[0]).encode() if found else by_text(GOES)(prompt)

    send = BaseHTTPRequestHandler.send_response
    monkeypatch.setattr(Endpoint, "send_response", lambda self, _: send(self, status.pop()))
    Endpoint.reply = reply


def field_error(field: str, message: str, param: str | None = None) -> Refusal:
    return lambda body: {"message": message, "param": param} if field in body else None


#: As OpenAI's endpoint answers of its newer models.
TOKENS = field_error("max_tokens", "Unsupported: 'max_tokens'. Use 'max_completion_tokens'.", "max_tokens")
OWN_TEMPERATURE = field_error("temperature", "'temperature' does not support 0.1.", "temperature")


def test_fields_that_an_endpoint_refuses_are_not_sent_again(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch, TOKENS, OWN_TEMPERATURE)
    blocks = [block("goes"), block("goes", "he gone home")]
    model = Chat("tiny", server, 1, max_tokens=256, schema=SCHEMA)
    with pytest.warns(match=r"refuses temperature 0.1; at its default temperature answers vary more") as told:
        assert judged(server, blocks, custom_model=model)[0].values == {"llm-s": 5.0}
    assert len(told) == 1
    assert [sorted(body) for body in Endpoint.bodies] == [
        ["max_tokens", "messages", "model", "response_format", "temperature"],
        ["max_completion_tokens", "messages", "model", "response_format", "temperature"],
        *[["max_completion_tokens", "messages", "model", "response_format"]] * 2,
    ]
    assert Endpoint.bodies[-1]["max_completion_tokens"] == 256


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("max_tokens", "'max_tokens': not here"), ("temperature", "temperature: no"),
        ("response_format", "unknown field `response_format`"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_refusals_without_the_name_of_a_field_of_its_own(
    name: str, said: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch, field_error(name, said))
    judged(server, [block("goes")])
    first, second = Endpoint.bodies
    assert set(first) - set(second) == {name}


@pytest.mark.parametrize(
    "choice",
    [
        {"message": {"content": ""}, "finish_reason": "length"},
        {"message": {"content": None, "reasoning_content": "Well"}, "finish_reason": "length"},
        {"message": {"role": "assistant"}, "finish_reason": "length"},
        {"message": {"content": "<think>Well"}},
    ],
    ids=["hidden", "beside", "without content", "inside"],
)
def test_a_model_that_thinks_gets_the_room_for_it(choice: dict[str, object], server: str) -> None:
    thought, answered = answer(**choice), by_text(GOES)
    Endpoint.reply = lambda prompt: answered(prompt) if Endpoint.bodies[-1]["max_tokens"] > 256 else thought
    with pytest.warns(match="tiny thinks before it answers") as told:
        [score] = judged(server, [block("goes")])
    assert (score.values, len(told)) == ({"llm-s": 5.0}, 1)
    assert [body["max_tokens"] for body in Endpoint.bodies] == [256, 8192]


def test_an_endpoint_that_says_there_was_no_room_to_think(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"message": "max_tokens or model output limit was reached. Try again with higher max_tokens."}
    refusing(monkeypatch, TOKENS, lambda body: said if body.get("max_completion_tokens") == 256 else None)
    with pytest.warns(match="thinks before it answers"):
        assert judged(server, [block("goes")])[0].values == {"llm-s": 5.0}
    assert len(Endpoint.bodies) == 3


@pytest.mark.parametrize("code", ["content_filter", "invalid_prompt"])
def test_a_question_that_is_refused_for_its_content_has_no_answer(
    code: str, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = {"message": "The response was filtered.", "param": "prompt", "code": code}
    refusing(monkeypatch, lambda body: said if "war" in body["messages"][0]["content"] else None)
    [score] = judged(server, [block("goes"), block("goes", "he go war")])
    assert (score.values, score.counts) == ({"llm-s": 5.0}, {"judged": 1, "missing": 1})
    assert all("response_format" in body for body in Endpoint.bodies)


def test_an_answer_that_a_filter_has_left_out_is_none(server: str) -> None:
    left_out = answer(message={"role": "assistant"}, finish_reason="content_filter")
    Endpoint.reply = lambda prompt: left_out if "war" in prompt else by_text(GOES)(prompt)
    [score] = judged(server, [block("goes"), block("goes", "he go war")])
    assert score.counts == {"judged": 1, "missing": 1}


def test_an_error_under_the_status_of_success_is_told_and_asked_again(server: str) -> None:
    error = json.dumps({"error": {"message": "Provider returned error", "code": 502}}).encode()
    Endpoint.reply = lambda prompt: error if len(Endpoint.bodies) < 3 else by_text(GOES)(prompt)
    assert judged(server, [block("goes")])[0].values == {"llm-s": 5.0}
    Endpoint.reply = lambda _: error
    with pytest.raises(InputError, match=r"its answer is an error \(Provider returned error\);"):
        judged(server, [block("goes")])

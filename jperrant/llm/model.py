"""The interface of language models for metrics, and separating a model's thinking from its answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

#: Tokens an answer may have where it needs no thinking and nothing else is said.
MAX_TOKENS = 8
#: Tokens an answer may have once a model was seen to think, or its answer was cut short.
THINKING_TOKENS = 8192
_BEGINS, _ENDS = "<think>", "</think>"


class Model(Protocol):
    """A language model that answers questions."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def again(self) -> int:
        """How often an unreadable answer is asked for again; 0 where the answer would be the same."""

    def answer(self, prompts: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the index and the answer of each prompt, in any order."""


def after_thinking(text: str) -> str:
    """Return what an answer says after the thinking of a model; empty if the thinking was cut short.

    Models that think write it into the answer unless their endpoint takes it out; some chat templates have the
    opening tag in the prompt.

    >>> after_thinking("<think>3? No, better.</think> 4"), after_thinking("Better. </think>4"), after_thinking("4")
    (' 4', '4', '4')
    """
    answer = text.rpartition(_ENDS)[2]
    return "" if answer.lstrip().startswith(_BEGINS) else answer


def is_thought(text: str, *, prompt: str = "", cut: bool = False) -> bool:
    """Return whether an answer ended before it said anything but thoughts.

    Args:
        text: The answer.
        prompt: The question as the model got it, which may open the thought.
        cut: Whether all the tokens that it may have were used; without thoughts in sight, those that the endpoint
            has taken out did.

    >>> is_thought("<think>3?"), is_thought("", cut=True), is_thought("3?", prompt="… <think>"), is_thought("3?")
    (True, True, True, False)
    """
    if prompt.rstrip().endswith(_BEGINS) and _ENDS not in text:
        return True
    return not after_thinking(text).strip() and (cut or bool(text.strip()))

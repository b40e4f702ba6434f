"""Sequences of token numbers: the windows of long texts, and batches that shrink when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from jperrant.core.errors import InputError
from jperrant.core.messages import plural

R = TypeVar("R")
#: The numbers of a text's tokens, or one such sequence for each input of a model.
Ids: TypeAlias = tuple[int, ...]
#: Vectors as models give them, one a row.
Vectors: TypeAlias = npt.NDArray[np.float32]


class TokenVectors(NamedTuple):
    """The vectors of the tokens of a text.

    Attributes:
        vectors: Shape ``(tokens, dim)``, special tokens included.
        special: Shape ``(tokens,)``; True for the special tokens that the tokenizer added.
    """

    vectors: Vectors
    special: npt.NDArray[np.bool_]


class Network(Protocol):
    """A model that gives each token of a sequence a vector."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def run(self, batch: Sequence[Sequence[int]]) -> list[Vectors]:
        """Return for each sequence of token numbers its vectors, shape ``(tokens, dim)``.

        Raises:
            MemoryError: The batch is too large for the device.
        """


class Tokens(NamedTuple):
    """A text as its encoder's tokenizer sees it.

    Attributes:
        ids: Numbers of the tokens, special ones included.
        prefix, suffix: How many special tokens stand before and behind the text's own.
    """

    ids: tuple[int, ...]
    prefix: int
    suffix: int

    @property
    def special(self) -> tuple[bool, ...]:
        """Whether each token is a special one that the tokenizer added."""
        size = len(self.ids) - self.prefix - self.suffix
        return (True,) * self.prefix + (False,) * size + (True,) * self.suffix

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """The special tokens before the text's own, these, and the special ones behind them."""
        end = len(self.ids) - self.suffix
        return self.ids[: self.prefix], self.ids[self.prefix : end], self.ids[end:]


def cut(tokens: Tokens, limit: int) -> list[tuple[int, ...]]:
    """Return the windows of a text, each at most ``limit`` tokens, special tokens around each.

    Neighbouring windows share half of their tokens.

    >>> cut(Tokens((101, 1, 2, 3, 4, 5, 102), 1, 1), 6)
    [(101, 1, 2, 3, 4, 102), (101, 2, 3, 4, 5, 102)]
    """
    if len(tokens.ids) <= limit:
        return [tokens.ids]
    before, inner, after = tokens.parts
    size = limit - len(before) - len(after)
    return [before + inner[start : start + size] + after for start in _starts(len(inner), size)]


def join(tokens: Tokens, windows: Sequence[Vectors], limit: int) -> Vectors:
    """Return the vectors of a text from those of its windows, shape ``(tokens, dim)``.

    Each token has the vector of the window in which it stands farther from the end; special tokens have the
    mean over all windows, so that each of them tells of the whole text.
    """
    if len(windows) == 1:
        return windows[0]
    prefix, suffix = tokens.prefix, tokens.suffix
    length = len(tokens.ids) - prefix - suffix
    size = limit - prefix - suffix
    starts = _starts(length, size)
    middles = [(right + left + size) // 2 for left, right in pairwise(starts)]
    inner = [
        window[prefix + begin - start : prefix + end - start]
        for window, start, begin, end in zip(windows, starts, [0, *middles], [*middles, length], strict=True)
    ]
    before = np.mean([window[:prefix] for window in windows], axis=0)
    after = np.mean([window[len(window) - suffix :] for window in windows], axis=0)
    return np.concatenate([before, *inner, after]).astype(np.float32)


def _starts(length: int, size: int) -> list[int]:
    """Return where the windows begin; the last one ends with the text."""
    step = max(1, size // 2)
    return [*range(0, length - size, step), length - size]


class Batches(Generic[R]):
    """Runs sequences through a model.

    Args:
        run: Computes a batch: something for each sequence.
        size: Sequences in a batch at most; halved when memory runs out.
        tokens: Tokens in a batch at most, unless one sequence has more, and all of one length; None for any number
            of any length.

    Attributes:
        notes: One line for each time the batch was halved.
    """

    def __init__(
        self, run: Callable[[Sequence[Ids]], Sequence[R]], size: int, tokens: int | None = None
    ) -> None:
        self._run, self.size, self.tokens = run, size, tokens
        self.notes: list[str] = []

    def run(self, sequences: Sequence[Ids]) -> Iterator[tuple[int, R]]:
        """Yield the index of each sequence and what the model gives for it, the longest first.

        Sorted by length, a batch pads little; longest first, memory runs out at once or never.

        Raises:
            InputError: Memory does not suffice for one sequence alone.
        """
        order = sorted(range(len(sequences)), key=lambda number: (-len(sequences[number]), number))
        start = 0
        while start < len(order):
            longest = len(sequences[order[start]])
            together = self.size
            if self.tokens is not None:
                together = min(self.size, max(1, self.tokens // max(longest, 1)))
            chosen = order[start : start + together]
            if self.tokens is not None:  # padding changes the last digits, and saves nothing
                chosen = [number for number in chosen if len(sequences[number]) == longest]
            try:
                found = self._run([sequences[number] for number in chosen])
            except MemoryError as error:
                self._halve(len(chosen), longest, error)
                continue
            yield from zip(chosen, found, strict=True)
            start += len(chosen)

    def _halve(self, used: int, tokens: int, error: MemoryError) -> None:
        if used == 1:
            raise InputError(
                f"out of memory with one text of {plural(tokens, 'token')}; use a smaller model, dtype=bfloat16 "
                f"if the metric has it, or device=cpu ({error})"
            ) from error
        self.size = used // 2
        self.notes.append(
            f"out of memory with {used} texts of up to {plural(tokens, 'token')} at a time; continued with "
            f"{self.size}"
        )


def run_by_length(
    sequences: Sequence[Ids], run: Callable[[Sequence[Ids]], Sequence[R]], size: int, tokens: int
) -> list[R]:
    """Return what a model gives for each sequence; equal ones are run once, those of one length together.

    Args:
        sequences: The sequences.
        run, size, tokens: As for :class:`Batches`.

    Raises:
        InputError: Memory does not suffice for one sequence alone.
    """
    distinct = list(dict.fromkeys(sequences))
    found = {distinct[number]: result for number, result in Batches(run, size, tokens).run(distinct)}
    return [found[sequence] for sequence in sequences]

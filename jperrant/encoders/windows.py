"""Token sequences longer than a model takes: cut into overlapping windows, and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from jperrant.encoders.types import Vectors


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

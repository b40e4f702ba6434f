"""A reporter of progress for tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class Heard:
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.done: list[tuple[str, int | None, int]] = []

    @contextmanager
    def __call__(self, what: str, total: int | None) -> Iterator[Any]:
        count = 0

        def advance(values: Iterable[Any]) -> Iterator[Any]:
            nonlocal count
            for value in values:
                count += 1
                yield value

        yield advance
        self.done.append((what, total, count))

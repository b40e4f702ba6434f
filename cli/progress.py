"""Progress bars: on stderr, and only where somebody looks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    """Give a function that passes values on and shows how many have come; total None is an unknown number."""
    if not sys.stderr.isatty():
        yield lambda values: values
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(values: Iterable[T]) -> Iterator[T]:
            for value in values:
                yield value
                bar.advance(task)

        yield advance

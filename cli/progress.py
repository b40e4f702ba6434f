"""Progress on stderr: a bar on a terminal, lines elsewhere; nothing for what is over in seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
#: Seconds before the first line, and from one line to the next.
FIRST, INTERVAL = 5.0, 30.0


@contextmanager
def progress(
    what: str, total: int | None, quiet: bool = False
) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    """Give a function that passes values on and shows how many have come.

    Args:
        what: What is being done ("annotating").
        total: Number of values; None if it is not known.
        quiet: Show nothing.
    """
    if quiet:
        yield lambda values: values
    elif sys.stderr.isatty():
        with _bar(what, total) as advance:
            yield advance
    else:
        with _lines(what, total) as advance:
            yield advance


@contextmanager
def _bar(what: str, total: int | None) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
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


@contextmanager
def _lines(what: str, total: int | None) -> Iterator[Callable[[Iterable[T]], Iterable[T]]]:
    """Print a line after ``FIRST`` seconds and every ``INTERVAL`` seconds after that, even if no values come."""
    count, ended, start = 0, threading.Event(), time.monotonic()

    def report() -> None:
        pause = FIRST
        while not ended.wait(pause):
            print(progress_line(what, count, total, time.monotonic() - start), file=sys.stderr, flush=True)
            pause = INTERVAL

    def advance(values: Iterable[T]) -> Iterator[T]:
        nonlocal count
        for value in values:
            yield value
            count += 1

    thread = threading.Thread(target=report, daemon=True, name="progress")
    thread.start()
    try:
        yield advance
    finally:
        ended.set()
        thread.join()


class Reports:
    """Shows the progress that library code reports, one thing at a time: what is done inside it is part of it.

    Args:
        verbose: Print a line when something is done: how often and how long.
    """

    def __init__(self, verbose: bool = False) -> None:
        self._verbose, self._shown = verbose, False

    @contextmanager
    def __call__(self, what: str, total: int | None) -> Iterator[Callable[[Iterable[Any]], Iterable[Any]]]:
        """Give a function that passes values on and shows how many have come."""
        start, count = time.monotonic(), 0

        def counted(values: Iterable[Any]) -> Iterator[Any]:
            nonlocal count
            for count, value in enumerate(values, start=1):  # noqa: B007
                yield value

        inner, self._shown = self._shown, True
        try:
            with progress(what, total, quiet=inner) as advance:
                yield lambda values: advance(counted(values))
        finally:
            self._shown = inner
        if self._verbose:
            print(f"{what}: {count} in {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)


def progress_line(what: str, count: int, total: int | None, seconds: float) -> str:
    """Return a line of progress.

    Example:
        >>> progress_line("annotating", 500, 2000, 65)
        'annotating: 500 of 2000 (25 %), 1:05, about 3:15 left'
    """
    line = f"{what}: {count}"
    if total:
        line += f" of {total} ({min(count / total, 1):.0%})".replace("%", " %")
    line += f", {_clock(seconds)}"
    if total and 0 < count < total:
        line += f", about {_clock(seconds * (total - count) / count)} left"
    return line


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""Progress of long work: library code reports it, and the caller may show it.

Nothing is shown unless the caller asks for it, as the command line does. The request holds only in the caller's
context (``contextvars``), not in other threads or processes, and not in later calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
#: Takes what is being done and the number of values (None if unknown). Returns a context manager that gives a
#: function, which passes values on and shows how many have passed.
Reporter: TypeAlias = Callable[
    [str, int | None], AbstractContextManager[Callable[[Iterable[Any]], Iterable[Any]]]
]

_REPORTER: ContextVar[Reporter | None] = ContextVar("jperrant_progress", default=None)


@contextmanager
def reporting(reporter: Reporter | None) -> Iterator[None]:
    """Show the progress of everything done inside with ``reporter``; None shows nothing."""
    token = _REPORTER.set(reporter)
    try:
        yield
    finally:
        _REPORTER.reset(token)


def track(values: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Pass values on and report their progress; inside a tracked iteration only the outer one is reported.

    Args:
        values: The values to iterate over.
        what: What is being done with them (``encoding``).
        total: Their number; None if unknown.
    """
    reporter = _REPORTER.get()
    if reporter is None:
        yield from values
        return
    with reporter(what, total) as advance:
        yield from advance(values)

"""Progress of long work: library code reports it, and the caller may show it.

Nothing is shown unless the caller asks for it, as the command line does. What was asked for holds in the caller's
context (``contextvars``): another thread or process, and a call made later, know nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")
#: From what is being done and the number of values (None if not known) to a context that gives a function,
#: which passes values on and shows how many have come.
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
        values: What is gone through.
        what: What is being done with them (``encoding``).
        total: Their number; None if it is not known.
    """
    reporter = _REPORTER.get()
    if reporter is None:
        yield from values
        return
    with reporter(what, total) as advance:
        yield from advance(values)

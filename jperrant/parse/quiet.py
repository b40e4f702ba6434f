"""Stanza's log lines, kept off the screen for the thread that asks; those of other threads are logged as before."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_LOGGER = "stanza"


class _OtherThreads(logging.Filter):
    """Lets through what is logged by threads that are not quiet."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: Counter[int] = Counter()
        self.lock = threading.Lock()
        self.places: list[logging.Filterer] = []

    def filter(self, record: logging.LogRecord) -> bool:
        return not self.threads[record.thread or 0]

    def enter(self, thread: int) -> None:
        with self.lock:
            if not any(self.threads.values()):
                logger = logging.getLogger(_LOGGER)
                # Handlers too: some parts of Stanza have loggers below this one.
                self.places = [logger, *logger.handlers]
                for place in self.places:
                    place.addFilter(self)
            self.threads[thread] += 1

    def leave(self, thread: int) -> None:
        with self.lock:
            self.threads[thread] -= 1
            self.threads += Counter()  # forgets threads that are done
            if not self.threads:
                for place in self.places:
                    place.removeFilter(self)


_filter = _OtherThreads()


@contextmanager
def quiet_stanza() -> Iterator[None]:
    """Drop what Stanza logs in this thread; the logger is as it was when the last such call ends."""
    import stanza  # noqa: F401 - sets up its logger

    thread = threading.get_ident()
    _filter.enter(thread)
    try:
        yield
    finally:
        _filter.leave(thread)

"""One thread for numpy's matrix products while networks compute.

Their products are small: several threads wait for each other longer than they compute, and keep the processors of
other programs busy while they wait. The number of threads changes no result, since the products are exact.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """Holds the limit while at least one thread computes."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.computing = 0
        self.limit: Any = None

    def enter(self) -> None:
        with self.lock:
            self.computing += 1
            if self.computing == 1:
                self.limit = _controller().limit(limits=1, user_api="blas")

    def leave(self) -> None:
        with self.lock:
            self.computing -= 1
            if not self.computing:
                self.limit.restore_original_limits()


_limit = _Limit()


@cache
def _controller() -> Any:
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Have numpy's matrix products use one thread; as many as before when the last such call ends."""
    _limit.enter()
    try:
        yield
    finally:
        _limit.leave()

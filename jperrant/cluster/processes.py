"""Worker processes on this machine; they end when the process that started them ends.

Each process has pipes and a thread of its own, so that one that dies fails its own call and blocks nobody. The
processes of ``ProcessPoolExecutor`` share one pipe: it hangs when one of them is killed in the middle of a result.
They are started by ``subprocess`` and not by ``multiprocessing``, whose processes print a traceback if their parent
is gone before they have read what it sends.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from subprocess import PIPE, Popen
from typing import Any

from jperrant.cluster.work import Crew, portable
from jperrant.core.errors import UsageError

#: Processes at most; no machine has so many cores.
MOST_JOBS = 1024
_PROGRAM = "from jperrant.cluster.processes import serve; serve()"


@contextmanager
def crew_of(cluster: str | None, jobs: int) -> Iterator[Crew]:
    """Give this process, several processes, or the workers of a cluster.

    Args:
        cluster: As the address of ``dask_crew``; None for none.
        jobs: Number of processes of this machine.

    Raises:
        UsageError: They do not fit together.
        JperrantError: As ``dask_crew``.
    """
    if cluster is None:
        yield crew_here(jobs)
        return
    if jobs != 1:
        raise UsageError(
            "--jobs sets the processes of this machine and --cluster uses its own workers; give only one of them"
        )
    from jperrant.cluster.dask_cluster import dask_crew  # with Dask

    with dask_crew(cluster) as crew:
        yield crew


def crew_here(jobs: int) -> Crew:
    """Return this process, or so many that are started when there is work for them, and replaced when they die.

    Raises:
        UsageError: No machine has so many cores, or the number is not positive.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"found {jobs} jobs, expected 1 to {MOST_JOBS}")
    return Crew() if jobs == 1 else Crew(lambda: _ProcessExecutor(jobs), lambda: jobs)


class _ProcessExecutor(Executor):
    """Calls functions in other processes, at most ``jobs`` at a time."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs)
        self._started: list[Popen[bytes]] = []
        self._idle: list[Popen[bytes]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        """Call a function in a process that has nothing to do, or in a new one."""
        if not self._idle:
            self._started.append(_started())
            self._idle.append(self._started[-1])
        return self._threads.submit(self._call, self._idle.pop(), (function, args, keywords))

    def _call(self, process: Popen[bytes], call: tuple[Any, ...]) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump(call, process.stdin)
            process.stdin.flush()
            result, error = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise BrokenExecutor from None
        self._idle.append(process)
        if error is not None:
            raise error
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes, whatever they do."""
        for process in self._started:
            process.kill()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process in self._started:
            with suppress(OSError), process:  # waits for its end, and closes its pipes
                pass


def _started() -> Popen[bytes]:
    """Return a new process. Its session is its own, so that a terminal's signals come to its parent alone."""
    # The processes share the cores.
    environment = {"OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-P", "-c", _PROGRAM]
    return Popen(command, stdin=PIPE, stdout=PIPE, env=environment, start_new_session=True)


def serve() -> None:
    """Do the calls that come through standard input, until its other end is closed or its owner gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where there are no sessions
    calls: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
    threading.Thread(target=_read, args=(calls,), daemon=True).start()
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what code prints is no result
    with suppress(OSError):
        while True:
            pickle.dump(_answer(*calls.get()), results)
            results.flush()
    os._exit(1)


def _read(calls: SimpleQueue[tuple[Any, ...]]) -> None:
    """Pass calls on as they come, and end this process when there will be no more, whatever it does."""
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            calls.put(pickle.load(sys.stdin.buffer))
    os._exit(1)


def _answer(function: Callable[..., Any], args: Any, keywords: Any) -> tuple[Any, Exception | None]:
    try:
        return function(*args, **keywords), None
    except Exception as error:  # such as a class that is in the program and not in a module
        return None, portable(error)

"""Processes of this machine that do tasks, and end when the process that started them does.

Each process has a pipe and a thread of its own, so that one that dies fails its own task and blocks nobody. The
processes of ``ProcessPoolExecutor`` share one pipe: it hangs when one of them is killed in the middle of a result.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from jperrant.cluster.work import Done, Submit, Task, Work, Workers, check_jobs, done
from jperrant.core.memory import manage_memory

#: Seconds after a worker's end within which its parent sees a signal that was sent to both.
_SIGNAL_DELAY = 0.1
#: prctl's option that has a signal sent to this process when its parent ends (Linux).
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class _Worker:
    """A process, and this end of its pipe."""

    process: SpawnProcess
    connection: Connection

    def do(self, *messages: Work | Task) -> Done:
        """Have a task done; a process that has just been started is sent the work before.

        Raises:
            BrokenExecutor: The process is gone.
        """
        try:
            for message in messages:
                self.connection.send(message)
            results: Done = self.connection.recv()
        except (EOFError, OSError):
            # A signal to all processes of a group ends workers too: this process must obey it first.
            time.sleep(_SIGNAL_DELAY)
            raise BrokenExecutor from None
        return results


class Processes(Workers):
    """Processes that are started when there is work for them, and replaced when they die.

    Args:
        jobs: Processes at most.
        advice: What to do where memory does not suffice.

    Raises:
        UsageError: An impossible number.
    """

    size = 0

    def __init__(self, jobs: int, advice: str = Workers.advice) -> None:
        check_jobs(jobs)
        self.size, self.advice = jobs, advice

    @contextmanager
    def begin(self, work: Work) -> Iterator[Submit]:
        """Give a function that submits tasks; no process outlives the context."""
        started: list[_Worker] = []
        idle: list[_Worker] = []

        def do(worker: _Worker, *messages: Work | Task) -> Done:
            results = worker.do(*messages)
            idle.append(worker)
            return results

        def submit(task: Task) -> Future[Done]:
            with blocked_signals():  # by the thread, too: the main thread gets them
                if idle:
                    return threads.submit(do, idle.pop(), task)
                return threads.submit(do, _started(self.advice, started), work, task)

        threads = ThreadPoolExecutor(self.size)
        try:
            yield submit
        finally:
            for worker in started:
                worker.process.kill()
            threads.shutdown()
            for worker in started:
                worker.process.join()
                worker.connection.close()


def _started(advice: str, workers: list[_Worker]) -> _Worker:
    """Return a new process, which is one of the workers from its first moment; called with signals blocked."""
    # Not forked: torch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    in_main_thread = threading.current_thread() is threading.main_thread()
    process = context.Process(target=_work, args=(theirs, advice, in_main_thread), daemon=True)
    process.start()
    workers.append(_Worker(process, ours))
    theirs.close()  # so that the worker's end shows as the end of the connection
    return workers[-1]


def _work(connection: Connection, advice: str, from_main_thread: bool) -> None:
    """Do the tasks that come through a connection after the work, until its other end is closed.

    This process ends with its parent before it reads the work, which may import much.
    """
    manage_memory()
    leave_signals_to_parent()
    _end_with_parent(from_main_thread)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes share the cores
    with suppress(EOFError, OSError):  # the parent has closed its end, or is gone
        work = connection.recv()
        while True:
            connection.send(done(work, connection.recv(), advice))


def leave_signals_to_parent() -> None:
    """Ignore what a terminal sends to every process of a group; the parent ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        # Blocked while this process was started.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGHUP, signal.SIGTERM})


def _end_with_parent(from_main_thread: bool) -> None:
    """Have this process end when its parent does, whatever ends the parent.

    A thread waits for the parent's end. On Linux the kernel also kills this process, which works even while
    the interpreter is busy in one long call; it does so when the thread that started this process ends, so it
    is asked to only if that is the main thread.
    """
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent watch").start()
    if sys.platform == "linux" and from_main_thread:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


@contextmanager
def blocked_signals() -> Iterator[None]:
    """Block the signals that end a program while a process or thread starts, which inherits that.

    A thread that got one would have the main thread interrupted while it starts a process. A terminal sends its
    signals to every process of a group; a worker leaves them to its parent.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start, which would come with the first process, unblocks signals
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

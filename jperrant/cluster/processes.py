"""Processes of this machine that do tasks, and end when the process that started them does."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from jperrant.cluster.process import (
    SIGNAL_DELAY,
    blocked_signals,
    end_with_parent,
    leave_signals_to_parent,
    portable,
)
from jperrant.cluster.work import Outcome, Task, Work, check_jobs
from jperrant.core.errors import WorkerError
from jperrant.core.memory import manage_memory

#: How often a task is begun whose process dies.
ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class _End:
    """Comes after the last result of a task.

    Attributes:
        error: What ended it; None if it is done.
    """

    error: Exception | None = None


@dataclass
class _Worker:
    """A process, this end of its pipe, the number of the task it is doing, and how many results of it came."""

    process: SpawnProcess
    connection: Connection
    task: int
    results: int = 0


class Processes:
    """Processes with a pipe each, so that one that dies blocks nobody else; started when there is work for them.

    A process that dies is replaced, and its task begun again, ``ATTEMPTS`` times at most; results that came of it
    before do not come twice.

    Args:
        jobs: Processes at most.

    Attributes:
        size: Their number.

    Raises:
        UsageError: An impossible number.
    """

    def __init__(self, jobs: int) -> None:
        check_jobs(jobs)
        self.size = jobs

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """Do tasks, as ``Crew.outcomes``; no process outlives the iterator."""
        waiting = [*range(len(tasks))][::-1]
        begun = [0] * len(tasks)
        come = [0] * len(tasks)  # results of each task
        workers: dict[Connection, _Worker] = {}
        try:
            while waiting or workers:
                while waiting and len(workers) < self.size:
                    worker = _started(work, waiting.pop())
                    workers[worker.connection] = worker
                    _begin(worker, tasks, begun)
                for ready in wait(list(workers)):
                    worker = next(one for one in workers.values() if one.connection is ready)
                    result = _received(worker.connection)
                    if result is None:
                        _end(workers.pop(worker.connection))
                        if begun[worker.task] < ATTEMPTS:
                            waiting.append(worker.task)
                        else:
                            yield tasks[worker.task], _died(begun[worker.task])
                    elif not isinstance(result, _End):
                        worker.results += 1
                        if worker.results > come[worker.task]:  # else one that came before a process died
                            come[worker.task] = worker.results
                            yield tasks[worker.task], result[0]
                    else:
                        done = tasks[worker.task]
                        if waiting:
                            worker.task = waiting.pop()
                            _begin(worker, tasks, begun)
                        else:
                            _end(workers.pop(worker.connection))
                        if result.error is not None:
                            yield done, result.error
        finally:
            for worker in workers.values():
                _end(worker)


def _started(work: Work, task: int) -> _Worker:
    """Return a new process and the task that it is going to be given."""
    # Not forked: torch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    in_main_thread = threading.current_thread() is threading.main_thread()
    process = context.Process(target=_work, args=(theirs, work, in_main_thread), daemon=True)
    with blocked_signals():
        process.start()
    theirs.close()  # so that the worker's end shows as the end of the connection
    return _Worker(process, ours, task)


def _begin(worker: _Worker, tasks: Sequence[Task], begun: list[int]) -> None:
    begun[worker.task] += 1
    worker.results = 0
    try:
        worker.connection.send(tasks[worker.task])
    except OSError:
        return  # it is gone, which shows when it should answer


def _received(connection: Connection) -> tuple[object] | _End | None:
    """Return a result, the end of a task, or None where the process is gone."""
    try:
        result: tuple[object] | _End = connection.recv()
    except (EOFError, OSError):
        # A signal to all processes of a group ends workers too: this process must obey it first.
        time.sleep(SIGNAL_DELAY)
        return None
    return result


def _died(times: int) -> WorkerError:
    return WorkerError(
        f"its worker process ended unexpectedly {times} times, perhaps because memory ran out; "
        "try fewer --jobs"
    )


def _end(worker: _Worker) -> None:
    """End a process, whatever it is doing."""
    worker.process.kill()
    worker.process.join()
    worker.connection.close()


def _work(connection: Connection, work: Work, from_main_thread: bool) -> None:
    """Do the tasks that come through a connection until its other end is closed."""
    manage_memory()
    leave_signals_to_parent()
    end_with_parent(from_main_thread)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes share the cores
    while True:
        try:
            task = connection.recv()
            try:
                for result in work(task):
                    connection.send((result,))
                connection.send(_End())
            except Exception as error:
                connection.send(_End(portable(error)))
        except (EOFError, OSError):  # the parent has closed its end, or is gone
            return

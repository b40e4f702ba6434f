"""Processes that compute portions of steps; they end when the process that started them does."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from jperrant.cluster.process import (
    SIGNAL_DELAY,
    blocked_signals,
    end_with_parent,
    leave_signals_to_parent,
    portable,
)
from jperrant.core.errors import WorkerError
from jperrant.evaluation.studies.compute import Workshop
from jperrant.evaluation.studies.steps import Step


def compute_timed(shop: Workshop, steps: Sequence[Step]) -> Iterator[tuple[Step, float]]:
    """Compute steps of one group and yield each with the seconds it took."""
    begin = time.perf_counter()
    for step in shop.compute(steps):
        end = time.perf_counter()
        yield step, end - begin
        begin = end


class Pool:
    """Processes with a pipe each, so that one that dies blocks nobody else; started when there is work for them.

    Args:
        shop: Computes the steps.
        jobs: Processes at most.
    """

    def __init__(self, shop: Workshop, jobs: int) -> None:
        self._shop, self._jobs = shop, jobs
        self._workers: dict[Connection, SpawnProcess] = {}

    def compute(self, portions: Sequence[Sequence[Step]]) -> Iterator[tuple[Step, float]]:
        """Compute portions of steps and yield each step with the seconds it took, as they end.

        Args:
            portions: Steps of one group each.

        Raises:
            WorkerError: A process died.
            JperrantError: As ``Workshop.compute``.
        """
        waiting = [*portions][::-1]
        while len(self._workers) < min(self._jobs, len(portions)):
            self._start()
        busy: set[Connection] = set()
        for connection in self._workers:
            if waiting:
                connection.send(waiting.pop())
                busy.add(connection)
        while busy:
            for ready in wait(list(busy)):
                connection = next(one for one in busy if one is ready)
                outcome = _received(connection)
                if isinstance(outcome, Exception):
                    raise outcome
                if outcome is not None:
                    yield outcome
                elif waiting:
                    connection.send(waiting.pop())
                else:
                    busy.remove(connection)

    def end(self) -> None:
        """End the processes, whatever they are doing."""
        for connection, process in self._workers.items():
            process.kill()
            process.join()
            connection.close()

    def _start(self) -> None:
        # Not forked: torch's threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        in_main_thread = threading.current_thread() is threading.main_thread()
        process = context.Process(target=_work, args=(theirs, self._shop, in_main_thread), daemon=True)
        with blocked_signals():
            process.start()
            self._workers[ours] = process
        theirs.close()  # so that the worker's end shows as the end of the connection


def _received(connection: Connection) -> tuple[Step, float] | Exception | None:
    """Return a step that is done, an error, or None at the end of a portion."""
    try:
        outcome: tuple[Step, float] | Exception | None = connection.recv()
    except (EOFError, OSError):
        # A signal to all processes of a group ends workers too: this process must obey it first.
        time.sleep(SIGNAL_DELAY)
        return WorkerError(
            "a worker process ended unexpectedly, perhaps because memory ran out; try fewer --jobs"
        )
    return outcome


def _work(connection: Connection, shop: Workshop, from_main_thread: bool) -> None:
    """Compute the portions that come through a connection until its other end is closed."""
    leave_signals_to_parent()
    end_with_parent(from_main_thread)
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes share the cores
    while True:
        try:
            steps: Sequence[Step] = connection.recv()
            try:
                for done in compute_timed(shop, steps):
                    connection.send(done)
                connection.send(None)
            except Exception as error:
                connection.send(portable(error))
        except (EOFError, OSError):  # the parent has closed its end, or is gone
            return

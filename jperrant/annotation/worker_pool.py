"""The processes that annotate batches, for :func:`jperrant.annotation.workers.annotate_stream`."""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.worker_process import ADVICE, Outcome, work
from jperrant.cluster.process import SIGNAL_DELAY, blocked_signals
from jperrant.core.errors import WorkerError
from jperrant.core.values import Block, Parallel
from jperrant.io.record_check import Unannotated

#: Batches read ahead of the one that is written, for each worker.
AHEAD = 2
#: Seconds that idle workers have to end by themselves.
GRACE = 0.5


@dataclass(frozen=True, slots=True)
class _Worker:
    """A worker process and this end of its connection."""

    process: SpawnProcess
    connection: Connection


class Batches:
    """The batches of a stream, one after the other; an error in reading is the outcome of the last one."""

    def __init__(self, records: Iterable[Parallel], size: int) -> None:
        self._stream, self._size = iter(records), size
        self.count, self.exhausted = 0, False

    def next(self) -> list[Parallel] | Exception | None:
        """Return the next batch, the error that reading it raised, or None where there are no more."""
        try:
            batch = list(islice(self._stream, self._size))
        except Exception as error:
            self.exhausted = True
            self.count += 1
            return error
        self.exhausted = not batch
        self.count += bool(batch)
        return batch or None


class Pool:
    """Worker processes, started as there is work for them.

    A worker is sent a batch only when it waits for one, so that neither side ever writes while the other does.

    Args:
        options, raw, tolerant, jobs: As in ``annotate_stream``.
    """

    def __init__(self, options: AnnotatorOptions, raw: bool, tolerant: bool, jobs: int) -> None:
        self._arguments, self._jobs = (options, raw, tolerant), jobs
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._busy: dict[Connection, tuple[int, _Worker]] = {}

    def annotate(self, batches: Batches) -> Iterator[Block | Unannotated]:
        """Yield the blocks of all batches in order."""
        outcomes: dict[int, Outcome] = {}
        written = 0
        while True:
            while not batches.exhausted and self._has_room() and batches.count < written + AHEAD * self._jobs:
                number, batch = batches.count, batches.next()
                if isinstance(batch, Exception):
                    outcomes[number] = batch
                elif batch is not None:
                    self._submit(number, batch)
            outcome = outcomes.pop(written, None)
            if isinstance(outcome, Exception):
                raise outcome
            if outcome is not None:
                written += 1
                yield from outcome
            elif self._busy:
                outcomes.update(self._finished())
            else:
                return

    def _has_room(self) -> bool:
        return bool(self._idle) or len(self._workers) < self._jobs

    def _submit(self, number: int, batch: Sequence[Parallel]) -> None:
        worker = self._idle.pop() if self._idle else self._start()
        self._busy[worker.connection] = (number, worker)
        try:
            worker.connection.send(batch)
        except OSError:
            raise _worker_died() from None

    def _start(self) -> _Worker:
        # Not forked: torch's threads do not survive a fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        in_main_thread = threading.current_thread() is threading.main_thread()
        process = context.Process(target=work, args=(theirs, *self._arguments, in_main_thread), daemon=True)
        worker = _Worker(process, ours)
        with blocked_signals():
            process.start()
            self._workers.append(worker)
        theirs.close()  # so that the worker's end shows as the end of the connection
        return worker

    def _finished(self) -> Iterator[tuple[int, Outcome]]:
        """Wait for workers, and yield the numbers and outcomes of the batches that are done."""
        for connection in wait(list(self._busy)):
            assert isinstance(connection, Connection)
            number, worker = self._busy.pop(connection)
            try:
                outcome = connection.recv()
            except (EOFError, OSError):
                raise _worker_died() from None
            self._idle.append(worker)
            yield number, outcome

    def close(self) -> None:
        """End the workers, none of which has anything to do."""
        for worker in self._workers:
            worker.connection.close()
        for worker in self._workers:
            worker.process.join(GRACE)
        self.kill()

    def kill(self) -> None:
        """End the workers, whatever they are doing."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join(GRACE)
            worker.connection.close()
        self._workers, self._idle, self._busy = [], [], {}


def _worker_died() -> WorkerError:
    """Return the error for a worker that is gone."""
    # A signal to all processes of a group ends workers too: this process must obey it first.
    time.sleep(SIGNAL_DELAY)
    return WorkerError(f"a worker process ended unexpectedly, perhaps because memory ran out; {ADVICE}")

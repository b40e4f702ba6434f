"""The one loop that gives tasks to workers, collects results in order, and repeats tasks of dead workers."""

from __future__ import annotations

import gc
import pickle
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import AbstractContextManager, chdir, closing
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol, TypeAlias, cast

from jperrant.core.errors import JperrantError, WorkerError
from jperrant.core.messages import differences

#: Something to do; a value that pickles.
Task: TypeAlias = Any
#: A task with one of its results, or with the error that ended it.
Outcome: TypeAlias = tuple[Task, Any]
#: The results of a task, the last of which may be the error that ended it.
Done: TypeAlias = list[Any]

#: Tasks begun ahead of the first unfinished one, for each worker, where results come in order.
_AHEAD = 2
_MEMORY = "try fewer --jobs, a smaller --batch-size, or workers with more memory"
_DIED = (
    f"its worker process ended unexpectedly each time it was tried, perhaps because memory ran out; {_MEMORY}"
)


class Work(Protocol):
    """How tasks are done; a value that pickles. Every process has one of its own, which may keep what it loads."""

    def __call__(self, task: Task) -> Iterator[Any]:
        """Do a task and yield its results, each of which pickles: the same ones in the same order if done again."""
        ...

    def signature(self) -> Mapping[str, str]:
        """Return what results depend on besides the tasks; the machines of a cluster agree on it.

        Raises:
            JperrantError: This process cannot do the work.
        """
        return {}


@dataclass(frozen=True)
class Crew:
    """Who does tasks: this process, one after the other, or other processes, each of which does one at a time.

    A task whose worker dies is begun again when nothing else runs, so that no other task suffers from it and all
    memory is there for it. If its worker dies again, that is its error.

    Attributes:
        begin: Gives an executor, none of whose calls runs on when the context ends; None for this process.
        count: Tells how many workers there are.
        death: What the future of a task raises whose worker died.
        signed: Whether workers may have other code or models than this process, and must prove that they do not.
    """

    begin: Callable[[], AbstractContextManager[Executor]] | None = None
    count: Callable[[], int] = lambda: 1
    death: type[Exception] = BrokenExecutor
    signed: bool = False

    def outcomes(
        self, work: Work, tasks: Iterable[Task], in_order: bool = False
    ) -> Generator[Outcome, None, None]:
        """Do tasks and yield their results; nothing runs on when the iterator is closed.

        The error that ends a task is its last outcome; the others go on.

        Args:
            work: How tasks are done.
            tasks: Read no further ahead than the workers need. An error in reading them is raised when the tasks
                before it are done.
            in_order: Whether results come in the order of the tasks; else as they come.

        Raises:
            WorkerError: A worker cannot do the work, or does it in another way than this process.
        """
        if self.begin is None:
            for task in tasks:
                for one in _results(work, task):
                    yield task, one
            return
        early: dict[int, list[Outcome]] = {}
        passed = 0
        with closing(self._arrivals(work, tasks, in_order)) as arrivals:
            for number, found in arrivals:
                early[number if in_order else passed] = found
                while passed in early:
                    yield from early.pop(passed)
                    passed += 1

    def _arrivals(
        self, work: Work, tasks: Iterable[Task], in_order: bool
    ) -> Generator[tuple[int, list[Outcome]], None, None]:
        """Yield the number of each task, from 0, and its outcomes, as tasks are done."""
        problems: list[Exception] = []
        numbered = _until_error(enumerate(tasks), problems)
        running: dict[Future[Done], tuple[int, Task]] = {}
        lost: dict[int, Task] = {}
        run = token_hex(8), work, work.signature() if self.signed else {}, str(Path.cwd())
        arrived: list[tuple[int, list[Outcome]]] = []
        begun = 0
        with cast(Callable[[], Any], self.begin)() as executor:
            while True:
                size, unfinished = self.count(), [*(number for number, _ in running.values()), *lost]
                oldest = min(unfinished, default=begun)
                while len(running) < size and not (in_order and begun >= oldest + _AHEAD * size):
                    if (one := next(numbered, None)) is None:
                        break
                    running[_submitted(executor, run, one[1])] = one
                    begun += 1
                yield from arrived  # when the workers have something to do
                arrived.clear()
                if alone := not running:
                    if not lost:
                        break
                    number, task = lost.popitem()
                    running[_submitted(executor, run, task)] = number, task
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number, task = running.pop(future)
                    try:
                        results = future.result()
                    except self.death:
                        if not alone:
                            lost[number] = task
                            continue
                        results = [WorkerError(_DIED)]
                    except CancelledError:
                        raise
                    except Exception as other:
                        raise _apart(other) from None
                    arrived.append((number, [(task, one) for one in results]))
        for problem in problems:
            raise problem


def _until_error(tasks: Iterable[Any], problems: list[Exception]) -> Iterator[Any]:
    """Yield tasks; an error in reading them ends them, and is kept."""
    try:
        yield from tasks
    except Exception as error:
        problems.append(error)


def _submitted(executor: Executor, run: tuple[Any, ...], task: Task) -> Future[Done]:
    return executor.submit(pickle.loads, pickle.dumps(_Call(*run, task)))


class _Call:
    """A call of ``_do`` that is made where it is unpickled: Dask hangs where it cannot unpickle a call itself."""

    def __init__(self, *args: Any) -> None:
        self.args = args

    def __reduce__(self) -> tuple[Any, ...]:
        return _do, self.args


#: The work of each run that this process does tasks of, with what it has loaded.
_WORKS: dict[str, Work] = {}
#: Threads of a worker take turns: Python runs one of them at a time, and each would load its own models.
_TURN = threading.Lock()


def _do(run: str, work: Work, signature: Mapping[str, str], folder: str, task: Task) -> Done:
    """Do a task in a worker.

    Args:
        run: Which run the task belongs to.
        work: How it is done; a worker keeps that of the first task of the run.
        signature: What the worker must agree with, if anything.
        folder: That of the process which gave the task; paths begin there.
        task: The task.

    Raises:
        WorkerError: The worker would give other results.
        OSError: It lacks the folder.
    """
    with _TURN, chdir(folder):
        if run not in _WORKS:
            gc.set_threshold(500_000)  # as the command line does, for values that are many and in no cycles
            if signature and (different := differences(signature, work.signature())):
                raise WorkerError("; ".join(different))
            _WORKS.clear()
            _WORKS[run] = work
        results = _results(_WORKS[run], task)
        return [portable(one) if isinstance(one, Exception) else one for one in results]


def _results(work: Work, task: Task) -> Iterator[Any]:
    """Yield the results of a task, and the error that ends it."""
    try:
        yield from work(task)
    except Exception as error:
        yield error


def _apart(error: Exception) -> WorkerError:
    """Return the error for a worker that cannot take part."""
    name = "" if isinstance(error, JperrantError) else f"{type(error).__name__}: "
    return WorkerError(
        f"a worker cannot take part: {name}{error}; all workers need the same jperrant, and the same files under "
        "the same paths"
    )


def portable(error: Exception) -> Exception:
    """Return an error that pickles: the error itself with the place it was raised at, if it can be."""
    if isinstance(error, MemoryError):
        return WorkerError(f"a worker process ran out of memory; {_MEMORY}")
    if not isinstance(error, JperrantError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"a worker process failed: {type(error).__name__}: {error}")
    return error

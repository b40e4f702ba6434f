"""Tasks, who does them, and the one loop that gives them out, collects results and tries again what is lost."""

from __future__ import annotations

import gc
import pickle
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, chdir
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol, TypeAlias

from jperrant.core.errors import JperrantError, UsageError, WorkerError
from jperrant.core.messages import differences

#: Something to do; a value that pickles.
Task: TypeAlias = Any
#: A task with one of its results, or with the error that ended it.
Outcome: TypeAlias = tuple[Task, Any]
#: The results of a task, and the error that ended it.
Done: TypeAlias = tuple[list[Any], Exception | None]

#: Processes at most; no machine has so many cores.
MOST_JOBS = 1024
#: Tasks begun ahead of the one whose results come next, for each worker, where results come in order.
_AHEAD = 2
_DIED = "its worker process ended unexpectedly each time it was tried, perhaps because memory ran out"


def check_jobs(jobs: int) -> None:
    """Check a number of processes.

    Raises:
        UsageError: No machine has so many cores, or it is not positive.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"found {jobs} jobs, expected 1 to {MOST_JOBS}")


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


class Crew:
    """Who does tasks: this process, one after the other, unless it is one of the classes derived from this."""

    @property
    def size(self) -> int:
        """How many tasks are done at a time."""
        return 1

    def outcomes(
        self,
        work: Work,
        tasks: Iterable[Task],
        in_order: bool = False,  # noqa: ARG002
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
        for task in tasks:
            try:
                for result in work(task):
                    yield task, result
            except Exception as error:
                yield task, error


class Workers(Crew, ABC):
    """Other processes, each of which does one task at a time.

    A task whose worker dies is begun again when nothing else runs, so that no other task suffers from it and all
    memory is there for it. If its worker dies again, that is its error.

    Attributes:
        advice: What to do where memory does not suffice.
        death: What the future of a task raises whose worker died.
    """

    advice = "try fewer --jobs"
    death: type[Exception] = BrokenExecutor

    @abstractmethod
    def begin(self) -> AbstractContextManager[Executor]:
        """Give an executor, none of whose calls runs on when the context ends."""

    def signature(self, work: Work) -> Mapping[str, str]:  # noqa: ARG002
        """Return what every worker must agree with; nothing for processes of this machine."""
        return {}

    def outcomes(
        self, work: Work, tasks: Iterable[Task], in_order: bool = False
    ) -> Generator[Outcome, None, None]:
        """Do tasks, as ``Crew.outcomes``."""
        problems: list[Exception] = []
        numbered = _until_error(tasks, problems)
        running: dict[Future[Done], tuple[int, Task]] = {}
        lost: dict[int, Task] = {}
        come: dict[int, list[Outcome]] = {}
        begun = arrived = passed = 0
        with self.begin() as executor:
            shared = (token_hex(8), work, self.signature(work), str(Path.cwd()), self.advice)

            def submit(task: Task) -> Future[Done]:
                return executor.submit(pickle.loads, pickle.dumps(_Call(*shared, task)))

            while True:
                size = self.size
                while len(running) < size and not (in_order and begun >= passed + _AHEAD * size):
                    if (one := next(numbered, None)) is None:
                        break
                    running[submit(one[1])] = one
                    begun += 1
                if passed in come:
                    yield from come.pop(passed)
                    passed += 1
                    continue
                alone = not running
                if alone and not lost:
                    break
                if alone:
                    number, task = lost.popitem()
                    running[submit(task)] = number, task
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    number, task = running.pop(future)
                    try:
                        results, error = future.result()
                    except self.death:
                        if not alone:
                            lost[number] = task
                            continue
                        results, error = [], WorkerError(f"{_DIED}; {self.advice}")
                    except Exception as other:
                        raise _apart(other) from None
                    found = [*results, error] if error else results
                    come[number if in_order else arrived] = [(task, one) for one in found]
                    arrived += 1
        for problem in problems:
            raise problem


def _until_error(tasks: Iterable[Task], problems: list[Exception]) -> Iterator[tuple[int, Task]]:
    """Yield tasks by number; an error in reading them ends them, and is kept."""
    try:
        yield from enumerate(tasks)
    except Exception as error:
        problems.append(error)


#: The work of each run that this process does tasks of, with what it has loaded.
_WORKS: dict[str, Work] = {}
#: Threads of a worker take turns: Python runs one of them at a time, and each would load its own models.
_TURN = threading.Lock()


def _do(run: str, work: Work, signature: Mapping[str, str], folder: str, advice: str, task: Task) -> Done:
    """Do a task in a worker.

    Args:
        run: Which run the task belongs to.
        work: How it is done; a worker keeps that of the first task of the run.
        signature: What the worker must agree with, if anything.
        folder: That of the process which gave the task; paths begin there.
        advice: What to do where memory does not suffice.
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
        return _done(_WORKS[run], task, advice)


class _Call:
    """A call of ``_do`` that is made where it is unpickled: Dask hangs where it cannot unpickle a call itself."""

    def __init__(self, *args: Any) -> None:
        self.args = args

    def __reduce__(self) -> tuple[Any, ...]:
        return _do, self.args


def _apart(error: Exception) -> WorkerError:
    """Return the error for a worker that cannot take part."""
    name = "" if isinstance(error, JperrantError) else f"{type(error).__name__}: "
    return WorkerError(
        f"a worker cannot take part: {name}{error}; all workers need the same jperrant, and the same files under "
        "the same paths"
    )


def _done(work: Work, task: Task, advice: str) -> Done:
    results = []
    try:
        for result in work(task):
            results.append(result)
    except Exception as error:
        return results, portable(error, advice)
    return results, None


def portable(error: Exception, advice: str) -> Exception:
    """Return an error that pickles: the error itself with the place it was raised at, if it can be."""
    if isinstance(error, MemoryError):
        return WorkerError(f"a worker process ran out of memory; {advice}")
    if not isinstance(error, JperrantError):
        error.add_note("In a worker process:\n" + traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"a worker process failed: {type(error).__name__}: {error}")
    return error

"""Tasks, who does them, and the one loop that gives them out, collects results and tries again what is lost."""

from __future__ import annotations

import pickle
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

from jperrant.core.errors import JperrantError, UsageError, WorkerError

#: Something to do; a value that pickles.
Task: TypeAlias = Any
#: A task with one of its results, or with the error that ended it.
Outcome: TypeAlias = tuple[Task, Any]
#: The results of a task, and the error that ended it.
Done: TypeAlias = tuple[list[Any], Exception | None]
#: Gives a task to a worker.
Submit: TypeAlias = Callable[[Task], "Future[Done]"]

#: Processes at most; no machine has so many cores.
MOST_JOBS = 1024
#: Tasks begun ahead of the one whose results come next, for each worker, where results come in order.
_AHEAD = 2


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
        """Return what results depend on besides the tasks; processes that work together agree on it.

        Raises:
            JperrantError: This process cannot do the work.
        """
        return {}

    def check(self) -> None:
        """Check that this process has what the work needs, such as the files.

        Raises:
            JperrantError: It does not.
        """
        return

    def name_of(self, task: Task) -> str:
        """Return what messages call a task."""
        return str(task)


class Crew(Protocol):
    """Who does tasks."""

    @property
    def size(self) -> int:
        """How many tasks are done at a time."""
        ...

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
        """
        ...


class Alone:
    """This process, which does one task after the other."""

    size = 1

    def outcomes(
        self,
        work: Work,
        tasks: Iterable[Task],
        in_order: bool = True,  # noqa: ARG002
    ) -> Generator[Outcome, None, None]:
        """Do tasks in their order and yield each result as soon as it is there."""
        for task in tasks:
            try:
                for result in work(task):
                    yield task, result
            except Exception as error:
                yield task, error


class Workers(ABC):
    """Other processes, each of which does one task at a time.

    A task whose worker dies is begun again when nothing else runs, so that no other task suffers from it and all
    memory is there for it. If its worker dies again, that is its error.

    Attributes:
        advice: What to do where memory does not suffice.
        death: What the future of a task raises whose worker died.
    """

    advice = "try fewer --jobs"
    death: type[Exception] = BrokenExecutor

    @property
    @abstractmethod
    def size(self) -> int:
        """How many tasks are done at a time."""

    @abstractmethod
    def begin(self, work: Work) -> AbstractContextManager[Submit]:
        """Give a function that submits tasks of some work, until the context ends."""

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
        with self.begin(work) as submit:
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
                        results, error = [], self._died()
                    come[number if in_order else arrived] = [
                        (task, one) for one in [*results, *([error] if error else [])]
                    ]
                    arrived += 1
        for problem in problems:
            raise problem

    def _died(self) -> WorkerError:
        return WorkerError(
            "its worker process ended unexpectedly each time it was tried, perhaps because memory ran out; "
            f"{self.advice}"
        )


def _until_error(tasks: Iterable[Task], problems: list[Exception]) -> Iterator[tuple[int, Task]]:
    """Yield tasks by number; an error in reading them ends them, and is kept."""
    try:
        yield from enumerate(tasks)
    except Exception as error:
        problems.append(error)


def done(work: Work, task: Task, advice: str) -> Done:
    """Do a task in a worker.

    Args:
        work: How it is done.
        task: The task.
        advice: What to do where memory does not suffice.
    """
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

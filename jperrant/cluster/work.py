"""What can be done by several processes, and what comes of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from jperrant.core.errors import UsageError

#: Something to do; a small value that pickles. No task equals another.
Task: TypeAlias = Any
#: A task with one of its results, or with the error that ended it.
Outcome: TypeAlias = tuple[Task, Any]


#: Processes at most; no machine has so many cores.
MOST_JOBS = 1024


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
        ...

    def check(self) -> None:
        """Check that this process has what the work needs, such as the files.

        Raises:
            JperrantError: It does not.
        """
        ...

    def name_of(self, task: Task) -> str:
        """Return what messages call a task."""
        ...


class Crew(Protocol):
    """Who does tasks: this process, several of this machine, or those of a cluster."""

    @property
    def size(self) -> int:
        """How many tasks are done at a time."""
        ...

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """Do tasks and yield their results as they come, in any order.

        The error that ends a task is its last outcome; the others go on.
        """
        ...


class Alone:
    """This process, which does one task after the other."""

    size = 1

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """Do tasks in their order and yield their results."""
        for task in tasks:
            results = iter(work(task))
            while True:
                try:
                    result = next(results)
                except StopIteration:
                    break
                except Exception as error:
                    yield task, error
                    break
                yield task, result

"""Workers: processes of this machine or of a Dask cluster, and the one loop that gives them tasks.

Results can come in the order of the tasks, and tasks of dead workers are repeated. Worker processes end when
the process that started them ends. Each has pipes and a thread of its own, so that a process that dies fails
only its own call. (The processes of ``ProcessPoolExecutor`` share one pipe, which hangs when one of them is
killed in the middle of a result.) They are started by ``subprocess`` and not by ``multiprocessing``, whose
processes print a traceback if their parent ends before they have read what it sends. Dask's scheduler passes on
paths and counts, never sentences.
"""

from __future__ import annotations

import gc
import logging
import math
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent import futures
from contextlib import AbstractContextManager, chdir, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from subprocess import PIPE, Popen
from typing import IO, Any, Protocol, TypeAlias, cast

from jperrant.core.errors import InputError, JperrantError, UsageError, WorkerError
from jperrant.core.messages import differences
from jperrant.core.packages import import_extra
from jperrant.core.paths import is_file

#: What a worker is given to do: any value that can be pickled.
Task: TypeAlias = Any
#: A task with one of its results, or with the error that ended it.
Outcome: TypeAlias = tuple[Task, Any]

#: Most tasks per worker that are begun ahead of the first unfinished one, if results come in order.
_AHEAD = 2
_MEMORY = "try fewer --jobs, a smaller --batch-size, or workers with more memory"
_DIED = (
    "its worker process ended unexpectedly each time it was tried, perhaps because memory ran out; " + _MEMORY
)
#: Most processes that can be asked for; no machine has that many cores.
MOST_JOBS = 1024
#: Seconds to wait for the answer of a scheduler, and for its first worker.
PATIENCE = 10.0


class Work(Protocol):
    """How tasks are done; can be pickled. Every process has its own copy, which may keep what it loads."""

    def __call__(self, task: Task) -> Iterator[Any]:
        """Do a task and yield its results, which can be pickled; the same ones in the same order each time."""
        ...

    def signature(self) -> Mapping[str, str]:
        """Return what results depend on besides the tasks; all machines of a cluster must agree on it.

        Raises:
            JperrantError: This process cannot do the work.
        """
        return {}


@dataclass(frozen=True)
class Crew:
    """The workers that do tasks: this process, or other processes, each doing one task at a time.

    A task whose worker dies is started again when no other task runs, so that it has all memory and cannot make
    another task fail. If its worker dies again, the task ends with an error.

    Attributes:
        begin: Opens an executor; all its calls have ended when the context ends. None for this process.
        count: Returns the number of workers.
        death: The error that the future of a task raises if its worker died.
        signed: Whether workers must show that their signature is that of this process, as their code or models
            may differ.
    """

    begin: Callable[[], AbstractContextManager[futures.Executor]] | None = None
    count: Callable[[], int] = lambda: 1
    death: type[Exception] = futures.BrokenExecutor
    signed: bool = False

    def outcomes(
        self, work: Work, tasks: Iterable[Task], in_order: bool = False
    ) -> Generator[Outcome, None, None]:
        """Do tasks and yield their results; all work ends when the iterator is closed.

        The error that ends a task is its last outcome; other tasks go on.

        Args:
            work: How tasks are done.
            tasks: The tasks, read no further ahead than the workers need. An error in reading them is raised
                when the tasks before it are done.
            in_order: Whether results come in the order of the tasks, or as tasks are finished.

        Raises:
            WorkerError: A worker cannot do the work, or would do it differently from this process.
        """
        if self.begin is None:
            for task in tasks:
                for one in _results(work, task):
                    yield task, one
            return
        run = token_hex(8), work, work.signature() if self.signed else {}, str(Path.cwd())
        running: dict[futures.Future[list[Any]], tuple[int, Task]] = {}
        lost: dict[int, Task] = {}
        done: dict[int, list[Outcome]] = {}
        problems: list[Exception] = []
        numbered, begun, passed = _until_error(enumerate(tasks), problems), 0, 0
        with self.begin() as executor:
            while True:
                size = self.count()
                oldest = min([*(number for number, _ in running.values()), *lost], default=begun)
                ahead = oldest + _AHEAD * size if in_order else math.inf
                while len(running) < size and begun < ahead and (one := next(numbered, None)):
                    running[_submitted(executor, run, one[1])] = one
                    begun += 1
                while done and (not in_order or passed in done):  # only after workers have been given tasks
                    yield from done.pop(passed if in_order else next(iter(done)))
                    passed += 1
                if alone := not running:
                    if not lost:
                        break
                    number, task = lost.popitem()
                    running[_submitted(executor, run, task)] = number, task
                for future in futures.wait(running, return_when=futures.FIRST_COMPLETED).done:
                    number, task = running.pop(future)
                    try:
                        done[number] = [(task, result) for result in future.result()]
                    except self.death:
                        if alone:
                            done[number] = [(task, WorkerError(_DIED))]
                        else:
                            lost[number] = task
                    except futures.CancelledError:
                        raise
                    except Exception as error:
                        raise _apart(error) from None
        for problem in problems:
            raise problem


def _submitted(executor: futures.Executor, run: tuple[Any, ...], task: Task) -> futures.Future[list[Any]]:
    return executor.submit(pickle.loads, pickle.dumps(_Call(*run, task)))


def _until_error(tasks: Iterable[Any], problems: list[Exception]) -> Iterator[Any]:
    """Yield tasks; an error in reading them ends the iteration and is added to ``problems``."""
    try:
        yield from tasks
    except Exception as error:
        problems.append(error)


class _Call:
    """A call of ``_do``, made when the worker unpickles it: Dask hangs if it cannot unpickle a call itself."""

    def __init__(self, *args: Any) -> None:
        self.args = args

    def __reduce__(self) -> tuple[Any, ...]:
        return _do, self.args


#: The work of the run whose tasks this process does, with what it has loaded, by the name of the run.
_WORKS: dict[str, Work] = {}
#: Threads of a worker take turns: Python runs one of them at a time, and each would load its own models.
_TURN = threading.Lock()


def _do(run: str, work: Work, signature: Mapping[str, str], folder: str, task: Task) -> list[Any]:
    """Do a task in a worker and return its results, the last of which may be the error that ended it.

    Args:
        run: Which run the task belongs to.
        work: How the task is done; a worker keeps the one that came with the first task of the run.
        signature: The signature that the worker must have; empty if it is not checked.
        folder: The working directory of the process that gave the task; relative paths begin there.
        task: The task.

    Raises:
        WorkerError: The worker would give other results.
        OSError: The worker does not have the folder.
    """
    with _TURN, chdir(folder):
        if run not in _WORKS:
            gc.set_threshold(500_000)  # as the command line does: values are many, and none is in a cycle
            if signature and (different := differences(signature, work.signature())):
                raise WorkerError("; ".join(different))
            _WORKS.clear()
            _WORKS[run] = work
        results = _results(_WORKS[run], task)
        return [_portable(one) if isinstance(one, Exception) else one for one in results]


def _results(work: Work, task: Task) -> Iterator[Any]:
    """Yield the results of a task, and the error that ends it."""
    try:
        yield from work(task)
    except Exception as error:
        yield error


def _apart(error: Exception) -> WorkerError:
    """Return the error for a worker that cannot take part."""
    name = "" if isinstance(error, JperrantError) else f"{type(error).__name__}: "
    advice = "all workers need the same jperrant, and the same files under the same paths"
    return WorkerError(f"a worker cannot take part: {name}{error}; {advice}")


def _portable(error: Exception) -> Exception:
    """Return an error that can be pickled: if possible the error itself, with a note where it was raised."""
    if isinstance(error, MemoryError):
        return WorkerError(f"a worker process ran out of memory; {_MEMORY}")
    if not isinstance(error, JperrantError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        return cast(Exception, pickle.loads(pickle.dumps(error)))
    except Exception:
        return WorkerError(f"a worker process failed: {type(error).__name__}: {error}")


def crew_here(jobs: int) -> Crew:
    """Return a crew of this process, or of several that are started on demand and replaced when they die.

    Raises:
        UsageError: The number of jobs is not from 1 to ``MOST_JOBS``.
    """
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"found {jobs} jobs, expected 1 to {MOST_JOBS}")
    return Crew() if jobs == 1 else Crew(lambda: _Processes(jobs), lambda: jobs)


class _Processes(futures.Executor):
    """Calls functions in other processes, at most ``jobs`` at a time."""

    def __init__(self, jobs: int) -> None:
        self._threads = futures.ThreadPoolExecutor(jobs)
        self._started: list[Popen[bytes]] = []
        self._idle: list[Popen[bytes]] = []

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> futures.Future[Any]:
        """Call a function in a process that has nothing to do, or in a new one."""
        if not self._idle:
            # The processes share the cores, so each has one thread. Each has a session of its own, so that only
            # the parent gets the signals of a terminal. The parent also gives the warnings.
            environment = {"OMP_NUM_THREADS": "1", **os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            command = [sys.executable, "-P", "-W", "ignore", "-c", f"from {__name__} import serve; serve()"]
            self._started.append(
                Popen(command, stdin=PIPE, stdout=PIPE, env=environment, start_new_session=True)
            )
            self._idle.append(self._started[-1])
        return self._threads.submit(self._call, self._idle.pop(), (function, args))

    def _call(self, process: Popen[bytes], call: tuple[Any, ...]) -> Any:
        calls, results = cast(Any, process.stdin), cast(Any, process.stdout)
        try:
            pickle.dump(call, calls)
            calls.flush()
            result, error = pickle.load(results)
        except (EOFError, OSError, pickle.UnpicklingError):
            raise futures.BrokenExecutor from None
        self._idle.append(process)
        if error is not None:
            raise error
        return result

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes, even in the middle of a task."""
        for process in self._started:
            process.kill()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process in self._started:
            with suppress(OSError), process:  # waits for its end, and closes its pipes
                pass


def serve() -> None:
    """Do the calls that come through standard input, until its other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # needed on systems without sessions
    results, worker = os.fdopen(os.dup(1), "wb"), futures.ThreadPoolExecutor(1)
    os.dup2(2, 1)  # what the called code prints must not get among the results
    with suppress(EOFError, OSError, pickle.UnpicklingError):
        while True:
            worker.submit(_answer, pickle.load(sys.stdin.buffer), results)
    os._exit(1)  # even in the middle of a task


def _answer(call: tuple[Callable[..., Any], Any], results: IO[bytes]) -> None:
    """Write what a call returns, or the error that it raises."""
    try:
        answer = pickle.dumps((call[0](*call[1]), None))
    except Exception as error:  # such as a result of a class defined in the main program
        answer = pickle.dumps((None, _portable(error)))
    except BaseException:
        os._exit(1)
    results.write(answer)
    results.flush()


@contextmanager
def crew_of(cluster: str | None, jobs: int, patience: float = PATIENCE) -> Iterator[Crew]:
    """Open a crew: this process, several processes, or the workers of a Dask cluster, which may come and go.

    A worker of a cluster that dies is replaced if the cluster does so (a nanny, a job scheduler). Its task is
    repeated by another worker, as often as the cluster's ``allowed-failures`` allows; after that it counts as a
    task whose worker died. The signature of workers that join later is checked, too.

    Args:
        cluster: The address of a scheduler (``tcp://host:8786``, ``tls://…``), or a scheduler file; None for no
            cluster.
        jobs: Number of processes of this machine.
        patience: Seconds to wait for the answer of a scheduler, and for its first worker.

    Raises:
        UsageError: ``cluster`` and ``jobs`` are given together, or ``cluster`` is neither an address nor a
            file.
        MissingExtraError: Dask is not installed.
        InputError: The scheduler cannot be reached, or has no workers.
    """
    if cluster is None:
        yield crew_here(jobs)
        return
    if jobs != 1:
        raise UsageError(
            "--jobs is for this machine, and --cluster has workers of its own; give only one of them"
        )
    distributed = import_extra("distributed", "cluster")
    if not is_file(cluster) and ":" not in cluster:
        raise UsageError(
            f"--cluster {cluster}: expected the address of a scheduler (tcp://host:8786), or a scheduler file"
        )
    where = {"scheduler_file" if is_file(cluster) else "address": cluster}
    # Dask's log is silenced, as the errors below say in one line what went wrong.
    with distributed.utils.silence_logging_cmgr(level=logging.CRITICAL, root="distributed"):
        try:
            client = distributed.Client(**where, timeout=patience, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            problem = f"no scheduler answers within {patience:g} seconds ({type(error).__name__})"
            advice = "is it running, and can this machine reach it?"
            raise InputError(f"--cluster {cluster}: {problem}; {advice}") from None

        @contextmanager
        def begin() -> Iterator[futures.Executor]:
            try:
                client.wait_for_workers(1, timeout=patience)
            except TimeoutError:
                problem = f"found no workers after {patience:g} seconds; start at least one"
                raise InputError(f"--cluster {cluster}: {problem}") from None
            executor = client.get_executor(pure=False)
            try:
                yield executor
            except (futures.CancelledError, OSError):
                problem = "lost the connection to the scheduler; finished work is kept"
                raise WorkerError(f"--cluster {cluster}: {problem}") from None
            finally:
                with suppress(Exception):  # the scheduler may be gone
                    executor.shutdown(wait=False)

        with client:
            yield Crew(begin, lambda: max(1, len(client.nthreads())), distributed.KilledWorker, signed=True)

"""Workers of Dask, on this machine or on many; the scheduler carries paths and counts, never sentences."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import secrets
from collections import deque
from collections.abc import Generator, Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any

from jperrant.cluster.process import blocked_signals
from jperrant.cluster.work import Outcome, Task, Work, check_jobs
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.extras import import_extra
from jperrant.core.messages import differences, plural
from jperrant.core.paths import is_file

if TYPE_CHECKING:
    from distributed import Client, Future

    from jperrant.cluster.dask_worker import Prepared

#: ``--cluster`` for workers of this machine.
LOCAL = "local"
#: Seconds in which a scheduler must answer and have a worker.
PATIENCE = 10.0
_EXTRA = "cluster"
#: How often work is given to workers that die meanwhile.
_ATTEMPTS = 5
#: By default a cluster gives up a worker that takes 15 seconds to start again, workers watch their own stacks, and
#: hand back what memory they free at once.
_CONFIG = {
    "distributed.deploy.lost-worker-timeout": "1 day",
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}
#: What Dask sets in the environment of the process that starts workers, for them to inherit.
_INHERITED = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PYTHONHASHSEED",
    "__DASK_PARENT_PID",
)
#: States of what ended while the scheduler was there.
_STATES = ("finished", "error")


@contextmanager
def dask_crew(address: str, jobs: int = 1, patience: float = PATIENCE) -> Iterator[DaskCrew]:
    """Give the workers of a cluster.

    Args:
        address: ``local`` for processes of this machine that are started now and end with the context; the address
            of a scheduler (``tcp://host:8786``, ``tls://…``); or its scheduler file.
        jobs: Number of local workers.
        patience: Seconds in which a scheduler must answer and have a worker.

    Raises:
        MissingExtraError: Dask is not installed.
        UsageError: It is no address; or an impossible number of workers.
        InputError: The scheduler cannot be reached, or has no workers.
    """
    distributed = import_extra("distributed", _EXTRA)
    utils = import_extra("distributed.utils", _EXTRA)
    with ExitStack() as stack:
        # What goes wrong is said in one line by whoever asked.
        stack.enter_context(utils.silence_logging_cmgr(level=logging.CRITICAL, root="distributed"))
        if address == LOCAL:
            check_jobs(jobs)
            config = import_extra("dask.config", _EXTRA)
            stack.enter_context(config.set(_CONFIG))
            stack.enter_context(_restored(os.environ))
            with blocked_signals():  # the workers leave them to this process
                cluster = stack.enter_context(
                    distributed.LocalCluster(
                        n_workers=jobs,
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address="127.0.0.1:0",  # any port: several clusters may run
                        memory_limit=0,
                        silence_logs=logging.CRITICAL,
                    )
                )
                client = stack.enter_context(distributed.Client(cluster, set_as_default=False))
        else:
            client = stack.enter_context(_connected(distributed, address, patience))
        yield DaskCrew(client, address, patience)


@contextmanager
def _restored(environment: MutableMapping[str, str]) -> Iterator[None]:
    """Set the variables that Dask sets in this process to what they were, when the workers have ended."""
    before = {name: environment.get(name) for name in _INHERITED}
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                environment.pop(name, None)
            else:
                environment[name] = value


def _connected(distributed: Any, address: str, patience: float) -> Any:
    """Return the client of a scheduler that runs.

    Raises:
        UsageError: It is no address.
        InputError: It cannot be reached.
    """
    where: dict[str, Any] = {"address": address}
    if is_file(address):
        where = {"scheduler_file": address}
    elif ":" not in address:
        raise UsageError(
            f"--cluster {address}: expected 'local', the address of a scheduler (tcp://host:8786), or a "
            "scheduler file"
        )
    try:
        return distributed.Client(**where, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise InputError(
            f"--cluster {address}: no scheduler answers within {patience:g} seconds "
            f"({type(error).__name__}); is it running, and can this machine reach it?"
        ) from None


class DaskCrew:
    """The workers of a cluster; each does one task at a time.

    A worker that dies is replaced where the cluster does so (a nanny, a scheduler of jobs), and its task done again
    by another, as often as the cluster's ``allowed-failures`` say. A task that was there when so many died is then
    done once more, by itself: what kills its worker again ends with an error.

    Args:
        client: Knows the scheduler.
        address: How the user called it.
        patience: Seconds in which there must be a worker.
    """

    def __init__(self, client: Client, address: str, patience: float) -> None:
        self._client, self._address, self._patience = client, address, patience

    @property
    def size(self) -> int:
        """How many tasks the workers can do at a time; they may come and go.

        Raises:
            WorkerError: The scheduler is gone.
        """
        try:
            return max(1, len(self._client.nthreads()))
        except (OSError, RuntimeError):
            raise WorkerError(
                f"--cluster {self._address}: lost the connection to the scheduler; finished work is kept"
            ) from None

    def outcomes(self, work: Work, tasks: Sequence[Task]) -> Generator[Outcome, None, None]:
        """Do tasks, as ``Crew.outcomes``.

        Raises:
            WorkerError: Workers differ from this process, or the scheduler is gone.
            InputError: There are no workers.
        """
        name = f"jperrant-{secrets.token_hex(8)}"
        self._prepare(work, name)
        try:
            yield from self._done(name, tasks)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self._client.unregister_worker_plugin(name)

    def _done(self, name: str, tasks: Sequence[Task]) -> Iterator[Outcome]:
        suspects: list[int] = []
        for number, outcome in self._results(name, tasks, [*range(len(tasks))], None):
            if isinstance(outcome, _Killed):
                suspects.append(number)
            else:
                yield from ((tasks[number], one) for one in outcome)
        for number, outcome in self._results(name, tasks, suspects, 1):
            if isinstance(outcome, _Killed):
                yield (
                    tasks[number],
                    WorkerError(
                        f"every worker that tried it died (last: {outcome}), perhaps because memory ran out; "
                        "use workers with more memory"
                    ),
                )
            else:
                yield from ((tasks[number], one) for one in outcome)

    def _results(
        self, name: str, tasks: Sequence[Task], numbers: Sequence[int], most: int | None
    ) -> Iterator[tuple[int, list[Any] | _Killed]]:
        """Yield the results of tasks by number, or who died over them.

        Args:
            name: That of the work.
            tasks: All tasks.
            numbers: Those to be done.
            most: How many are done at a time; None for one a worker.
        """
        from distributed import as_completed

        from jperrant.cluster.dask_worker import do

        waiting, running = deque(numbers), dict["Future", int]()
        completed = as_completed(loop=self._client.loop)
        try:
            while waiting or running:
                while waiting and len(running) < (most or self.size):
                    number = waiting.popleft()
                    future = self._client.submit(
                        do, name, tasks[number], key=f"{name}-{number}-{most}", pure=False
                    )
                    running[future] = number
                    completed.add(future)
                future = next(completed)
                yield running.pop(future), self._result(future)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(running))

    def _result(self, future: Future) -> list[Any] | _Killed:
        """Return the results of a task, its error as the last one.

        Raises:
            WorkerError: The scheduler is gone.
        """
        from distributed import KilledWorker

        if future.status not in _STATES:
            raise WorkerError(
                f"--cluster {self._address}: lost the connection to the scheduler; finished work is kept"
            )
        if future.status == "finished":
            result = future.result()
            return [result] if isinstance(result, Exception) else list(result)
        error = future.exception()
        if isinstance(error, KilledWorker):
            return _Killed(error.last_worker.address)
        return [error if isinstance(error, Exception) else WorkerError(str(error))]

    def _prepare(self, work: Work, name: str) -> None:
        """Wait for a worker, see that all agree with this process, and give them the work.

        Raises:
            InputError: There is none.
            WorkerError: One does not agree; says which and why.
        """
        from jperrant.cluster.dask_worker import Prepared, report

        try:
            self._client.wait_for_workers(1, timeout=self._patience)
        except TimeoutError:
            raise InputError(
                f"--cluster {self._address}: found no workers after {self._patience:g} seconds; "
                "start at least one"
            ) from None
        signature = work.signature()
        version = {"jperrant": importlib.metadata.version("jperrant")}
        installed = self._client.run(importlib.metadata.version, "jperrant", on_error="return")
        self._refuse(version, {a: {"jperrant": v} if isinstance(v, str) else v for a, v in installed.items()})
        self._refuse(signature, self._client.run(report, work, on_error="return"))
        self._give(Prepared(name, work, signature, self._address == LOCAL), name)

    def _give(self, plugin: Prepared, name: str) -> None:
        """Give the work to all workers; again where one dies meanwhile, as then others may not have got it.

        Raises:
            WorkerError: One does not agree, or workers die at every attempt.
        """
        for _ in range(_ATTEMPTS):
            try:
                self._client.register_plugin(plugin, name=name)
                return
            except OSError as error:
                problem = error
        raise WorkerError(
            f"--cluster {self._address}: workers die as soon as they get the work, or the scheduler is gone "
            f"({type(problem).__name__}: {problem}); finished work is kept"
        )

    def _refuse(self, signature: Mapping[str, str], reports: Mapping[str, Any]) -> None:
        """Refuse workers that differ.

        Args:
            signature: What all must agree with.
            reports: What each says of itself, by its address, or the error that came instead.

        Raises:
            WorkerError: There are some; names the first.
        """
        wrong = {}
        for address, found in sorted(reports.items()):
            if isinstance(found, OSError):
                continue  # it died meanwhile; what replaces it checks itself when it gets the work
            if not isinstance(found, Mapping):
                wrong[address] = str(found) if isinstance(found, str) else f"{type(found).__name__}: {found}"
            elif different := differences(signature, found):
                wrong[address] = "; ".join(different)
        if wrong:
            address, problem = next(iter(wrong.items()))
            others = f" (and {plural(len(wrong) - 1, 'other worker')})" if len(wrong) > 1 else ""
            raise WorkerError(f"worker {address}{others} cannot take part: {problem}")


class _Killed(str):
    """The address of the last of the workers that died over a task."""

    __slots__ = ()

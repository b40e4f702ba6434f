"""Workers of Dask, on this machine or on many; the scheduler carries paths and counts, never sentences."""

from __future__ import annotations

import importlib.metadata
import logging
import os
import secrets
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from jperrant.cluster.processes import blocked_signals
from jperrant.cluster.work import Outcome, Submit, Task, Work, Workers, check_jobs
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.extras import import_extra
from jperrant.core.messages import differences, plural
from jperrant.core.paths import is_file

if TYPE_CHECKING:
    from distributed import Client

#: ``--cluster`` for workers of this machine.
LOCAL = "local"
#: Seconds in which a scheduler must answer and have a worker.
PATIENCE = 10.0
#: How often workers are started, or given work, that die meanwhile.
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
        WorkerError: Local workers die while they start.
    """
    distributed = import_extra("distributed", "cluster")
    utils = import_extra("distributed.utils", "cluster")
    with ExitStack() as stack:
        # What goes wrong is said in one line by whoever asked.
        stack.enter_context(utils.silence_logging_cmgr(level=logging.CRITICAL, root="distributed"))
        if address == LOCAL:
            check_jobs(jobs)
            stack.enter_context(import_extra("dask.config", "cluster").set(_CONFIG))
            stack.callback(_restore, {name: os.environ.get(name) for name in _INHERITED})
            with blocked_signals():  # the workers leave them to this process
                cluster = stack.enter_context(_local_cluster(distributed, jobs))
                client = stack.enter_context(distributed.Client(cluster, set_as_default=False))
        else:
            client = stack.enter_context(_connected(distributed, address, patience))
        yield DaskCrew(client, address, patience)


def _restore(environment: Mapping[str, str | None]) -> None:
    """Set the variables that Dask sets in this process to what they were, when the workers have ended."""
    for name, value in environment.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def _local_cluster(distributed: Any, jobs: int) -> Any:
    """Start workers of this machine; again where one dies meanwhile, which Dask ends all of them for.

    Raises:
        WorkerError: Workers die at every attempt.
    """
    for _ in range(_ATTEMPTS):
        with suppress(RuntimeError, OSError):
            return distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",  # any port: several clusters may run
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
    raise WorkerError(
        f"--cluster {LOCAL}: a worker ended unexpectedly at each of {_ATTEMPTS} starts, perhaps because memory ran "
        "out; try fewer --jobs"
    )


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


class DaskCrew(Workers):
    """The workers of a cluster; each does one task at a time.

    A worker that dies is replaced where the cluster does so (a nanny, a scheduler of jobs), and its task done again
    by another, as often as the cluster's ``allowed-failures`` say. Only a task that was there when so many died
    counts as one whose worker died.

    Args:
        client: Knows the scheduler.
        address: How the user called it.
        patience: Seconds in which there must be a worker.
    """

    advice = "use workers with more memory"

    def __init__(self, client: Client, address: str, patience: float) -> None:
        from distributed import KilledWorker

        self._client, self._address, self._patience = client, address, patience
        self.death = KilledWorker

    @property
    def size(self) -> int:
        """How many tasks the workers can do at a time; they may come and go.

        Raises:
            WorkerError: The scheduler is gone.
        """
        try:
            return max(1, len(self._client.nthreads()))
        except (OSError, RuntimeError):
            raise self._lost() from None

    def outcomes(
        self, work: Work, tasks: Iterable[Task], in_order: bool = False
    ) -> Generator[Outcome, None, None]:
        """Do tasks, as ``Crew.outcomes``.

        Raises:
            WorkerError: Workers differ from this process, or the scheduler is gone.
            InputError: There are no workers.
        """
        try:
            yield from super().outcomes(work, tasks, in_order)
        except CancelledError:
            raise self._lost() from None

    @contextmanager
    def begin(self, work: Work) -> Iterator[Submit]:
        """Give a function that submits tasks, when all workers have the work."""
        from jperrant.cluster.dask_worker import do

        name = f"jperrant-{secrets.token_hex(8)}"
        self._prepare(work, name)
        executor = self._client.get_executor(pure=False)
        try:
            yield partial(executor.submit, do, name)
        finally:
            with suppress(Exception):  # the scheduler may be gone
                executor.shutdown(wait=False)
                self._client.unregister_worker_plugin(name)

    def _prepare(self, work: Work, name: str) -> None:
        """Wait for a worker, see that all agree with this process, and give them the work.

        Where a worker dies meanwhile others may not have got it, and it is given again.

        Raises:
            InputError: There is none.
            WorkerError: One does not agree; says which and why. Or workers die at every attempt.
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
        plugin = Prepared(work, signature, self.advice, self._address == LOCAL)
        for _ in range(_ATTEMPTS):
            with suppress(OSError):
                self._client.register_plugin(plugin, name=name)
                return
        raise WorkerError(
            f"--cluster {self._address}: workers die as soon as they get the work, or the scheduler is gone; "
            "finished work is kept"
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

    def _lost(self) -> WorkerError:
        return WorkerError(
            f"--cluster {self._address}: lost the connection to the scheduler; finished work is kept"
        )

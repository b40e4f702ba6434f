"""Workers of Dask, on this machine or on many; the scheduler carries paths and counts, never sentences."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any

from jperrant.cluster.work import Outcome, Task, Work, Workers, check_jobs
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.packages import import_extra
from jperrant.core.paths import is_file

if TYPE_CHECKING:
    from distributed import Client

#: ``--cluster`` for workers of this machine.
LOCAL = "local"
#: Seconds in which a scheduler must answer and have a worker.
PATIENCE = 10.0
#: How often local workers are started that die meanwhile.
_ATTEMPTS = 5
#: By default a cluster gives up a worker that takes 15 seconds to start again, workers watch their own stacks, and
#: hand back what memory they free at once.
_CONFIG = {
    "distributed.deploy.lost-worker-timeout": "1 day",
    "distributed.worker.profile.enabled": False,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}


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
    check_jobs(jobs)
    if address != LOCAL and jobs != 1:
        raise UsageError(
            "--jobs sets the processes of this machine and --cluster uses its own workers; give only one of them"
        )
    distributed = import_extra("distributed", "cluster")
    utils = import_extra("distributed.utils", "cluster")
    with ExitStack() as stack:
        # What goes wrong is said in one line by whoever asked.
        stack.enter_context(utils.silence_logging_cmgr(level=logging.CRITICAL, root="distributed"))
        if address == LOCAL:
            stack.enter_context(import_extra("dask.config", "cluster").set(_CONFIG))
            for restore, *given in ((os.environ.update, dict(os.environ)), (os.environ.clear,)):
                stack.callback(restore, *given)  # what Dask sets for workers to inherit
            with _blocked_signals():
                cluster = stack.enter_context(_local_cluster(distributed, jobs))
                client = stack.enter_context(distributed.Client(cluster, set_as_default=False))
        else:
            client = stack.enter_context(_connected(distributed, address, patience))
        yield DaskCrew(client, address, patience)


@contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block the signals that end a program while threads and processes start, which inherit that.

    A terminal sends its signals to every process of a group; workers leave them to this one, which ends them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    # A process of Python's own, whose start unblocks signals; it tells of what is left by a program that is killed.
    os.environ["PYTHONWARNINGS"] = f"{os.environ.get('PYTHONWARNINGS', '')},ignore:resource_tracker".lstrip(
        ","
    )
    resource_tracker.ensure_running()
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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
        """How many tasks the workers can do at a time; they may come and go."""
        return max(1, len(self._client.nthreads()))

    def signature(self, work: Work) -> Mapping[str, str]:
        """Return what the work depends on; also workers that join later must agree with it."""
        return work.signature()

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
        except (CancelledError, OSError):
            raise WorkerError(
                f"--cluster {self._address}: lost the connection to the scheduler; finished work is kept"
            ) from None

    @contextmanager
    def begin(self) -> Iterator[Executor]:
        """Give the executor of a cluster that has workers."""
        try:
            self._client.wait_for_workers(1, timeout=self._patience)
        except TimeoutError:
            raise InputError(
                f"--cluster {self._address}: found no workers after {self._patience:g} seconds; "
                "start at least one"
            ) from None
        executor = self._client.get_executor(pure=False)
        try:
            yield executor
        finally:
            with suppress(Exception):  # the scheduler may be gone
                executor.shutdown(wait=False)

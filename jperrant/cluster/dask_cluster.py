"""Workers of a Dask cluster; the scheduler carries paths and counts, never sentences."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from jperrant.cluster.work import Crew
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.packages import import_extra
from jperrant.core.paths import is_file

if TYPE_CHECKING:
    from distributed import Client

#: Seconds in which a scheduler must answer and have a worker.
PATIENCE = 10.0


@contextmanager
def dask_crew(address: str, patience: float = PATIENCE) -> Iterator[Crew]:
    """Give the workers of a cluster, which may come and go.

    A worker that dies is replaced where the cluster does so (a nanny, a scheduler of jobs), and its task done again
    by another, as often as the cluster's ``allowed-failures`` say. Only a task that was there when so many died
    counts as one whose worker died. Workers that join later must agree with this process too.

    Args:
        address: The address of a scheduler (``tcp://host:8786``, ``tls://…``), or its scheduler file.
        patience: Seconds in which a scheduler must answer and have a worker.

    Raises:
        MissingExtraError: Dask is not installed.
        UsageError: It is no address.
        InputError: The scheduler cannot be reached, or has no workers.
    """
    distributed = import_extra("distributed", "cluster")
    utils = import_extra("distributed.utils", "cluster")
    # What goes wrong is said in one line by whoever asked.
    with (
        utils.silence_logging_cmgr(level=logging.CRITICAL, root="distributed"),
        _connected(distributed, address, patience) as client,
    ):
        begin = partial(_executor, client, address, patience)
        yield Crew(begin, lambda: max(1, len(client.nthreads())), distributed.KilledWorker, signed=True)


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
            f"--cluster {address}: expected the address of a scheduler (tcp://host:8786), or a scheduler file"
        )
    try:
        return distributed.Client(**where, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise InputError(
            f"--cluster {address}: no scheduler answers within {patience:g} seconds "
            f"({type(error).__name__}); is it running, and can this machine reach it?"
        ) from None


@contextmanager
def _executor(client: Client, address: str, patience: float) -> Iterator[Executor]:
    """Give the executor of a cluster that has workers.

    Raises:
        InputError: There are no workers.
        WorkerError: The scheduler is gone.
    """
    try:
        client.wait_for_workers(1, timeout=patience)
    except TimeoutError:
        raise InputError(
            f"--cluster {address}: found no workers after {patience:g} seconds; start at least one"
        ) from None
    executor = client.get_executor(pure=False)
    try:
        yield executor
    except (CancelledError, OSError):
        raise WorkerError(
            f"--cluster {address}: lost the connection to the scheduler; finished work is kept"
        ) from None
    finally:
        with suppress(Exception):  # the scheduler may be gone
            executor.shutdown(wait=False)

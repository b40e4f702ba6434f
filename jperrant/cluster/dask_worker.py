"""What runs on a worker of Dask: it prepares once, and does tasks one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from distributed import Worker, WorkerPlugin, get_worker

from jperrant.cluster.process import leave_signals_to_parent, portable
from jperrant.cluster.work import Task, Work
from jperrant.core.errors import JperrantError, WorkerError
from jperrant.core.memory import manage_memory
from jperrant.core.messages import differences


class Prepared(WorkerPlugin):  # type: ignore[misc]
    """Makes a worker ready for some work: checks that it works as the others do, and keeps what it loads.

    Args:
        name: Stands for the work among all that a cluster may be given.
        work: The work.
        signature: That of the process that gave it.
        local: Whether the worker is of the same machine and ends with that process.
    """

    idempotent = False

    def __init__(self, name: str, work: Work, signature: Mapping[str, str], local: bool) -> None:
        self.name, self.work, self.signature, self.local = name, work, signature, local

    def setup(self, worker: Worker) -> None:
        """Prepare a worker, also one that joins later.

        Raises:
            WorkerError: It would give other results.
            JperrantError: It cannot do the work.
        """
        self.lock = threading.Lock()
        if self.local:
            manage_memory()
            leave_signals_to_parent()
        if different := differences(self.signature, self.work.signature()):
            raise WorkerError(f"worker {worker.address} differs: {'; '.join(different)}")


def report(work: Work) -> Mapping[str, str] | str:
    """Return the signature of work on this worker, or why it cannot be done."""
    try:
        work.check()
        return work.signature()
    except (JperrantError, OSError) as error:
        return str(error)


def do(name: str, task: Task) -> list[Any] | Exception:
    """Do a task and return its results, or the error that ended it.

    Threads of a worker take turns: Python runs one of them at a time, and each would load its own models.
    """
    plugin = get_worker().plugins[name]
    assert isinstance(plugin, Prepared)
    with plugin.lock:
        try:
            return list(plugin.work(task))
        except Exception as error:
            return portable(error, "give the worker more memory")

"""What runs on a worker of Dask: it prepares once, and does tasks one after the other."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from distributed import Worker, WorkerPlugin, get_worker

from jperrant.cluster.processes import leave_signals_to_parent
from jperrant.cluster.work import Done, Task, Work, done
from jperrant.core.errors import JperrantError, WorkerError
from jperrant.core.memory import manage_memory
from jperrant.core.messages import differences


class Prepared(WorkerPlugin):  # type: ignore[misc]
    """Makes a worker ready for some work: checks that it works as the others do, and keeps what it loads.

    Args:
        work: The work.
        signature: That of the process that gave it.
        advice: What to do where memory does not suffice.
        local: Whether the worker is of the same machine and ends with that process.
    """

    idempotent = False

    def __init__(self, work: Work, signature: Mapping[str, str], advice: str, local: bool) -> None:
        self.work, self.signature, self.advice, self.local = work, signature, advice, local

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


def do(name: str, task: Task) -> Done:
    """Do a task of work that this worker was given under a name.

    Threads of a worker take turns: Python runs one of them at a time, and each would load its own models.
    """
    plugin = get_worker().plugins[name]
    assert isinstance(plugin, Prepared)
    with plugin.lock:
        return done(plugin.work, task, plugin.advice)

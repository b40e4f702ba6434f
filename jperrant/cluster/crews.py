"""Who does tasks: chosen by what users say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jperrant.cluster.work import Alone, Crew
from jperrant.core.errors import UsageError


@contextmanager
def crew_of(cluster: str | None, jobs: int) -> Iterator[Crew]:
    """Give this process, several processes, or the workers of a cluster.

    Args:
        cluster: As in ``dask_crew``; None for none.
        jobs: Number of processes of this machine.

    Raises:
        UsageError: They do not fit together.
        JperrantError: As ``dask_crew``.
    """
    if cluster is None and jobs == 1:
        yield Alone()
    elif cluster is None:
        from jperrant.cluster.processes import Processes

        yield Processes(jobs)
    else:
        from jperrant.cluster.dask_cluster import LOCAL, dask_crew

        if cluster != LOCAL and jobs != 1:
            raise UsageError(
                "--jobs sets the processes of this machine and --cluster uses its own workers; give only one of "
                "them"
            )
        with dask_crew(cluster, jobs) as crew:
            yield crew

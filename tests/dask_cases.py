"""A Dask cluster of this machine, for tests: its workers are processes, replaced when they die."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def local_cluster(workers: int = 1) -> Iterator[str]:
    """Start a scheduler and its workers and give the scheduler's address."""
    import dask.config
    from distributed import LocalCluster

    # By default a cluster gives up a worker that takes 15 seconds to start again.
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": "1 day"}),
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
        ) as cluster,
    ):
        yield cluster.scheduler_address


if __name__ == "__main__":
    with local_cluster(2) as address:
        print(address, flush=True)
        input()

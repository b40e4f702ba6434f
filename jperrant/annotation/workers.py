"""Annotation by several processes; the output is that of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jperrant.annotation.annotator import BATCH, Annotator
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.records import in_script, texts_of
from jperrant.annotation.tolerant import annotate_tolerantly
from jperrant.cluster.work import check_jobs
from jperrant.core.errors import UsageError
from jperrant.core.values import Block, Parallel
from jperrant.io.record_check import Unannotated

#: A bound that no memory reaches.
MOST_IN_BATCH = 1_000_000


def annotate_stream(
    options: AnnotatorOptions,
    records: Iterable[Parallel],
    *,
    raw: bool = False,
    jobs: int = 1,
    batch: int = BATCH,
    tolerant: bool = False,
    annotator: Annotator | None = None,
) -> Iterator[Block | Unannotated]:
    """Yield one block for each record, in order, annotated by ``jobs`` processes.

    The processes end with the iterator: when it is exhausted or closed, when it raises, and when the process
    that runs it ends in whatever manner.

    Args:
        options: How to annotate.
        records: Sources and their corrections; read no further ahead than the processes need.
        raw: Take the texts as raw.
        jobs: Number of processes; the output does not depend on it.
        batch: Records annotated together.
        tolerant: Go on where a record cannot be annotated, and yield why in its place.
        annotator: One made of these options; None loads one.

    Raises:
        UsageError: ``jobs`` or ``batch`` is not positive.
        WorkerError: A worker process died.
        JperrantError: As ``load`` and ``annotate_many``; the languages, packs and models are checked before
            the first record is read.
    """
    check_jobs(jobs)
    if not 1 <= batch <= MOST_IN_BATCH:
        raise UsageError(f"found batch size {batch}, expected 1 to {MOST_IN_BATCH:,}")
    annotator = annotator or options.load()
    if jobs > 1 or tolerant:  # annotate_many looks itself
        records = in_script(annotator.pack, records, texts_of)
    if jobs == 1 and tolerant:
        yield from annotate_tolerantly(annotator, records, raw=raw, batch=batch)
        return
    if jobs == 1:
        yield from annotator.annotate_many(records, raw=raw, batch=batch)
        return
    from jperrant.annotation.worker_pool import (  # with multiprocessing, which one process needs not
        Batches,
        Pool,
    )

    pool = Pool(options, raw, tolerant, jobs)
    try:
        yield from pool.annotate(Batches(records, batch))
    except BaseException:
        pool.kill()
        raise
    pool.close()

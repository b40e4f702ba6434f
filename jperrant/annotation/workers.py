"""Annotation by several processes; the output is that of one."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice

from jperrant.annotation.annotator import BATCH, Annotator
from jperrant.annotation.batch import Batch
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.records import in_script, texts_of
from jperrant.annotation.tolerant import annotate_tolerantly
from jperrant.cluster.work import Work, check_jobs
from jperrant.core.errors import UsageError
from jperrant.core.values import Block, Parallel
from jperrant.io.record_check import Unannotated
from jperrant.parse.analyser import Analyser
from jperrant.parse.cache import CachedParser
from jperrant.parse.splitting import SplittingParser

#: A bound that no memory reaches.
MOST_IN_BATCH = 1_000_000
#: What to do where memory does not suffice.
_ADVICE = "try fewer --jobs or a smaller --batch-size"


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
    that runs it ends, however it does.

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
        WorkerError: Worker processes die over a batch, each time it is tried.
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
    from jperrant.cluster.processes import Processes  # with multiprocessing, which one process needs not

    work, stream = _BatchWork(options, raw, tolerant), iter(records)
    batches = iter(lambda: list(islice(stream, batch)), [])
    with closing(Processes(jobs, _ADVICE).outcomes(work, batches, in_order=True)) as outcomes:
        for _, outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
            yield outcome


@dataclass
class _BatchWork(Work):
    """Annotates batches; a process has one, which keeps the annotator that it loads for the first.

    Attributes:
        options, raw, tolerant: As in ``annotate_stream``.
    """

    options: AnnotatorOptions
    raw: bool
    tolerant: bool
    _annotator: Annotator | None = field(default=None, repr=False)

    def __call__(self, batch: Sequence[Parallel]) -> Iterator[Block | Unannotated]:
        """Return the blocks of a batch."""
        self._annotator = self._annotator or load_beside_others(self.options)
        if self.tolerant:
            return annotate_tolerantly(self._annotator, batch, raw=self.raw, batch=len(batch))
        return Batch(self._annotator, batch, self.raw).blocks()


def load_beside_others(options: AnnotatorOptions) -> Annotator:
    """Return an annotator for a worker process: it uses one thread and gives no warnings."""
    with warnings.catch_warnings():  # the parent has said it
        warnings.simplefilter("ignore")
        annotator = options.load()
    parser = annotator.parser
    while isinstance(parser, CachedParser | SplittingParser):
        parser = parser.parser
    if isinstance(parser, Analyser):
        parser.use_one_thread()  # the processes share the cores
    return annotator

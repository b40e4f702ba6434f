"""Annotation by several processes; the output is that of one."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice

from jperrant.annotation.annotator import BATCH, Annotator, load
from jperrant.annotation.verbs import DEFAULT_LABELS, GIVEN
from jperrant.core.errors import UsageError, WorkerError
from jperrant.core.extras import STANZA, import_extra
from jperrant.core.values import Block, Parallel
from jperrant.parse.models import COMPACT, NONE


@dataclass(frozen=True, slots=True)
class Settings:
    """What an annotator is made of, fit to be sent to another process; the arguments of ``load``."""

    lang: str = "en"
    models: str = COMPACT
    pack: str | None = None
    merging: str = "rules"
    lev: bool = False
    labels: str = DEFAULT_LABELS
    tokens: str = GIVEN
    lexicon: str | None = None

    def load(self) -> Annotator:
        """Return a new annotator."""
        return load(
            self.lang,
            models=self.models,
            pack=self.pack,
            merging=self.merging,
            lev=self.lev,
            labels=self.labels,
            tokens=self.tokens,
            lexicon=self.lexicon,
        )


def annotate_stream(
    settings: Settings, records: Iterable[Parallel], *, raw: bool = False, jobs: int = 1, batch: int = BATCH
) -> Iterator[Block]:
    """Yield one block for each record, in order, annotated by ``jobs`` processes.

    Args:
        settings: How to annotate.
        records: Sources and their corrections; read no further ahead than the processes need.
        raw: Take the texts as raw.
        jobs: Number of processes; the output does not depend on it.
        batch: Records annotated together.

    Raises:
        UsageError: ``jobs`` or ``batch`` is not positive.
        WorkerError: A worker process died.
        JperrantError: As ``load`` and ``annotate_many``; the languages, packs and models are checked before
            the first record is read.
    """
    if jobs < 1 or batch < 1:
        raise UsageError(f"jobs and batch size must be at least 1, found {jobs} and {batch}")
    annotator = settings.load()
    if jobs == 1:
        yield from annotator.annotate_many(records, raw=raw, batch=batch)
        return
    stream = iter(records)
    # Not forked: torch's threads do not survive a fork.
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(settings, raw))
    try:
        yield from _ordered(executor, stream, ahead=2 * jobs, batch=batch)
    except BrokenProcessPool:
        raise WorkerError(
            "a worker process ended unexpectedly, perhaps for want of memory; "
            "try fewer --jobs or a smaller --batch-size"
        ) from None
    except BaseException:
        for process in multiprocessing.active_children():  # nobody waits for what they are at
            process.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _ordered(
    executor: ProcessPoolExecutor, stream: Iterator[Parallel], ahead: int, batch: int
) -> Iterator[Block]:
    """Yield blocks in the order of their records, with at most ``ahead`` batches under way."""
    waiting: deque[Future[list[Block]]] = deque()
    while True:
        while len(waiting) < ahead and (chunk := list(islice(stream, batch))):
            with _no_interrupts():
                waiting.append(executor.submit(_annotate, chunk))
        if not waiting:
            return
        yield from waiting.popleft().result()


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold back Ctrl-C while processes start: they inherit that, and would print where they are otherwise."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_annotator: Annotator
_raw: bool


def _start(settings: Settings, raw: bool) -> None:
    """Set up a worker process."""
    global _annotator, _raw
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends its workers
    if settings.models != NONE:
        import_extra("torch", STANZA).set_num_threads(1)  # the processes share the cores
    _annotator, _raw = settings.load(), raw


def _annotate(chunk: Sequence[Parallel]) -> list[Block]:
    return list(_annotator.annotate_many(chunk, raw=_raw, batch=len(chunk)))

"""A process that annotates batches for another one and ends when that one does.

Each worker has a pipe of its own, so that a worker that dies in the middle of a message blocks nobody else.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import TypeAlias

from jperrant.annotation.annotator import Annotator
from jperrant.annotation.batch import Batch
from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.tolerant import annotate_tolerantly
from jperrant.cluster.process import end_with_parent, leave_signals_to_parent, portable
from jperrant.core.memory import manage_memory
from jperrant.core.values import Block, Parallel
from jperrant.io.record_check import Unannotated
from jperrant.parse.analyser import Analyser
from jperrant.parse.cache import CachedParser
from jperrant.parse.splitting import SplittingParser

#: The blocks of a batch, or the error that annotating it raised.
Outcome: TypeAlias = list[Block | Unannotated] | Exception

#: What to do where memory does not suffice.
ADVICE = "try fewer --jobs or a smaller --batch-size"


def work(
    connection: Connection, options: AnnotatorOptions, raw: bool, tolerant: bool, from_main_thread: bool
) -> None:
    """Annotate the batches that come through a connection until its other end is closed.

    Args:
        connection: Batches come in, and one outcome for each goes out.
        options, raw, tolerant: As in ``annotate_stream``.
        from_main_thread: Whether the parent's main thread started this process.
    """
    manage_memory()
    leave_signals_to_parent()
    end_with_parent(from_main_thread)
    annotator: Annotator | None = None
    while True:
        try:
            batch: Sequence[Parallel] = connection.recv()
            annotator, outcome = _annotate(annotator, options, batch, raw, tolerant)
            connection.send(outcome)
        except (EOFError, OSError):  # the parent has closed its end, or is gone
            return


def _annotate(
    annotator: Annotator | None,
    options: AnnotatorOptions,
    batch: Sequence[Parallel],
    raw: bool,
    tolerant: bool,
) -> tuple[Annotator | None, Outcome]:
    """Return the annotator, made now if there is none yet, and the outcome of a batch."""
    try:
        annotator = annotator or load_beside_others(options)
        if tolerant:
            return annotator, list(annotate_tolerantly(annotator, batch, raw=raw, batch=len(batch)))
        return annotator, list(Batch(annotator, batch, raw).blocks())
    except Exception as error:
        return annotator, portable(error, ADVICE)


def load_beside_others(options: AnnotatorOptions) -> Annotator:
    """Return an annotator for a process that others compute beside: it uses one thread, and warns of nothing."""
    with warnings.catch_warnings():  # the parent has said it
        warnings.simplefilter("ignore")
        annotator = options.load()
    parser = annotator.parser
    while isinstance(parser, CachedParser | SplittingParser):
        parser = parser.parser
    if isinstance(parser, Analyser):
        parser.use_one_thread()  # the processes share the cores
    return annotator

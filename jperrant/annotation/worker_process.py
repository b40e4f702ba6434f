"""A process that annotates batches for another one and ends when that one does.

Each worker has a pipe of its own, so that a worker that dies in the middle of a message blocks nobody else.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import TypeAlias

from jperrant.annotation.annotator import Annotator
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.errors import JperrantError, WorkerError
from jperrant.core.values import Block, Parallel
from jperrant.parse.analyser import Analyser
from jperrant.parse.cache import CachedParser

#: The blocks of a batch, or the error that annotating it raised.
Outcome: TypeAlias = list[Block] | Exception

#: What to do where memory does not suffice.
ADVICE = "try fewer --jobs or a smaller --batch-size"
#: prctl's option that has a signal sent to this process when its parent ends (Linux).
_PR_SET_PDEATHSIG = 1


def work(connection: Connection, options: AnnotatorOptions, raw: bool, from_main_thread: bool) -> None:
    """Annotate the batches that come through a connection until its other end is closed.

    Args:
        connection: Batches come in, and one outcome for each goes out.
        options, raw: As in ``annotate_stream``.
        from_main_thread: Whether the parent's main thread started this process.
    """
    leave_signals_to_parent()
    end_with_parent(from_main_thread)
    annotator: Annotator | None = None
    while True:
        try:
            batch: Sequence[Parallel] = connection.recv()
            annotator, outcome = _annotate(annotator, options, batch, raw)
            connection.send(outcome)
        except (EOFError, OSError):  # the parent has closed its end, or is gone
            return


def _annotate(
    annotator: Annotator | None, options: AnnotatorOptions, batch: Sequence[Parallel], raw: bool
) -> tuple[Annotator | None, Outcome]:
    """Return the annotator, made now if there is none yet, and the outcome of a batch."""
    try:
        annotator = annotator or _load(options)
        return annotator, list(annotator.annotate_many(batch, raw=raw, batch=len(batch)))
    except Exception as error:
        return annotator, portable(error)


def _load(options: AnnotatorOptions) -> Annotator:
    with warnings.catch_warnings():  # the parent has said it
        warnings.simplefilter("ignore")
        annotator = options.load()
    parser = annotator.parser
    analyser = parser.parser if isinstance(parser, CachedParser) else parser
    if isinstance(analyser, Analyser):
        analyser.use_one_thread()  # the processes share the cores
    return annotator


def portable(error: Exception) -> Exception:
    """Return an error that pickles: the error itself with the place it was raised at, if it can be."""
    if isinstance(error, MemoryError):
        return WorkerError(f"a worker process ran out of memory; {ADVICE}")
    if not isinstance(error, JperrantError):
        error.add_note("In a worker process:\n" + traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return WorkerError(f"a worker process failed: {type(error).__name__}: {error}")
    return error


def leave_signals_to_parent() -> None:
    """Ignore what a terminal sends to every process of a group; the parent ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        # Blocked while this process was started.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGHUP, signal.SIGTERM})


def end_with_parent(from_main_thread: bool) -> None:
    """Have this process end when its parent does, whatever ends the parent.

    A thread waits for the parent's end. On Linux the kernel also kills this process, which works even while
    the interpreter is busy in one long call; it does so when the thread that started this process ends, so it
    is asked to only if that is the main thread.
    """
    parent = parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent watch").start()
    if sys.platform == "linux" and from_main_thread:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

"""Processes that work for another one: they leave signals to it, end when it does, and hand it their errors."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker

from jperrant.core.errors import JperrantError, WorkerError

#: Seconds after a worker's end within which its parent sees a signal that was sent to both.
SIGNAL_DELAY = 0.1
#: prctl's option that has a signal sent to this process when its parent ends (Linux).
_PR_SET_PDEATHSIG = 1


def portable(error: Exception, advice: str = "try fewer --jobs") -> Exception:
    """Return an error that pickles: the error itself with the place it was raised at, if it can be.

    Args:
        error: The error.
        advice: What to do where memory does not suffice.
    """
    if isinstance(error, MemoryError):
        return WorkerError(f"a worker process ran out of memory; {advice}")
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


@contextmanager
def blocked_signals() -> Iterator[None]:
    """Block the signals that end a program while a process starts, which inherits that.

    A terminal sends its signals to every process of a group; a worker leaves them to its parent.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start, which would come with the first process, unblocks signals
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

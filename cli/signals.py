"""Leaving on a signal: soon, quietly, with the code that shells expect, and without half-written files."""

from __future__ import annotations

import os
import signal
import threading
import time
from types import FrameType
from typing import NoReturn

from jperrant.io.files import remove_unfinished

#: Signals that end the program; the exit code is 128 and the signal's number (130, 143, 129), as in a shell.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Seconds the program has to leave by itself before it is ended.
GRACE = 1.5


class SignalExit(SystemExit):
    """A signal ends the program; its code is 128 + the signal's number."""

    code: int


def exit_on_signals() -> None:
    """From now on leave on ``SIGINT``, ``SIGTERM`` and ``SIGHUP`` with exit code 128 + the signal's number.

    ``SignalExit`` passes through everything, so that files are closed and removed and workers ended on its
    way. A library in the middle of one long call, or one that catches it, gets ``GRACE`` seconds. A signal
    that is ignored on entry stays ignored if it is ``SIGHUP``, as ``nohup`` wants it.
    """
    for number in ENDING:
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    if hasattr(signal, "pthread_sigmask"):
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=_insist, args=(reader,), daemon=True, name="signals").start()


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)  # a second one would interrupt what removes unfinished files
    raise SignalExit(128 + number)


def _insist(reader: int) -> None:
    """End the program some time after a signal came, if it is still there; the interpreter writes to the pipe."""
    signal.pthread_sigmask(
        signal.SIG_BLOCK, ENDING
    )  # the main thread shall get them, whose calls they interrupt
    while (number := os.read(reader, 1)[0]) not in ENDING:
        pass
    time.sleep(GRACE)
    leave(128 + number)


def leave(code: int) -> NoReturn:
    """End the program here and now, without the unloading of libraries, which may take seconds."""
    remove_unfinished()
    os._exit(code)

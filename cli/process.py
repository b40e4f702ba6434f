"""The process around a command: its streams, its threads, and its end on a signal."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
import time
from collections.abc import MutableMapping
from types import FrameType
from typing import NoReturn

from jperrant.io.files import remove_unfinished

#: Signals that end the program; the exit code is 128 and the signal's number (130, 143, 129), as in a shell.
ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: The number of seconds in which the program can end by itself after a signal; then it is ended.
GRACE = 1.5

#: By default a waiting thread of OpenMP keeps its core busy. If other programs need the cores, annotation,
#: whose matrices are small, then takes many times as long. Sleeping threads cost little, and encoders still use
#: all cores.
_WAITING = ("OMP_WAIT_POLICY", "PASSIVE")
#: If one of these is set, the user has decided.
_DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
#: Threads of numpy's matrix products always keep their cores busy: on a busy machine annotation takes twenty
#: times as long.
_PRODUCTS = ("OPENBLAS_NUM_THREADS", "1")
_PRODUCTS_DECIDED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


class SignalExit(SystemExit):
    """A signal ends the program; its code is 128 + the signal's number."""

    code: int


def exit_on_signals() -> None:
    """Make ``SIGINT``, ``SIGTERM`` and ``SIGHUP`` end the program with exit code 128 + the signal's number.

    ``SignalExit`` unwinds the stack, which closes and removes unfinished files and ends workers. A library in
    the middle of one long call, or one that catches it, gets ``GRACE`` seconds. A signal
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
        signal.signal(other, signal.SIG_IGN)  # a second one would interrupt the removal of unfinished files
    raise SignalExit(128 + number)


def _insist(reader: int) -> None:
    """End the program some seconds after a signal if it still runs; Python announces signals on a pipe."""
    signal.pthread_sigmask(
        signal.SIG_BLOCK, ENDING
    )  # only the main thread gets signals, as they interrupt its calls
    while (number := os.read(reader, 1)[0]) not in ENDING:
        pass
    time.sleep(GRACE)
    leave(128 + number)


def leave(code: int) -> NoReturn:
    """End the program at once, without unloading libraries, which may take seconds."""
    remove_unfinished()
    os._exit(code)


def let_threads_sleep(environment: MutableMapping[str, str]) -> None:
    """Ask torch's threads to sleep while they wait, and numpy for one; call it before these are imported.

    Args:
        environment: The environment of this process; settings that it already has for threads stay.
    """
    for (name, value), decided in ((_WAITING, _DECIDED), (_PRODUCTS, _PRODUCTS_DECIDED)):
        if not any(known in environment for known in decided):
            environment[name] = value


def prepare_streams() -> None:
    """Make the standard streams safe to use.

    The next file that is opened would get the number of a closed descriptor, and other code would then write
    into that file. So the null device takes its place, and Python's stream reports that it is closed. Messages
    that cannot be written to stderr are dropped; the exit code still tells the outcome.
    """
    _fill_closed_descriptors()
    if sys.stdout is None:
        sys.stdout = _text(_Closed())
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the terminal cannot show a character of the help
    if sys.stderr is not sys.__stderr__:
        return  # somebody else catches the messages
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    sys.stderr = io.TextIOWrapper(
        _Forgiving(),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=True,
        write_through=True,
    )


def flush_output() -> None:
    """Flush standard output.

    Raises:
        OSError: It cannot be written.
    """
    sys.stdout.flush()


def silence_output() -> None:
    """Discard the buffer of standard output, so that Python does not fail again when it exits."""
    sys.stdout = _text(_Null())
    sys.__stdout__ = None  # type: ignore[misc]
    descriptor = os.open(os.devnull, os.O_WRONLY)
    os.dup2(descriptor, 1)
    os.close(descriptor)


def _fill_closed_descriptors() -> None:
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free descriptor, which is this one


def _text(raw: io.RawIOBase) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)  # type: ignore[arg-type]


class _Closed(io.RawIOBase):
    """A descriptor that was closed before the program began."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


class _Null(io.RawIOBase):
    """A stream that discards everything."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return len(data)  # type: ignore[arg-type]


class _Forgiving(io.FileIO):
    """Standard error that ignores a full disk and a closed pipe."""

    def __init__(self) -> None:
        super().__init__(2, "w", closefd=False)

    def write(self, data: object) -> int:
        try:
            return super().write(data) or 0  # type: ignore[arg-type]
        except OSError:
            return len(data)  # type: ignore[arg-type]

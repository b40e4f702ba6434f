"""The process before and after a command: its streams, its threads, and how it ends on a signal."""

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
#: Seconds the program has to leave by itself before it is ended.
GRACE = 1.5

#: By default a waiting thread of OpenMP keeps its core busy. Where other programs want the cores too, annotation,
#: whose matrices are small, then takes many times as long. Sleeping threads cost little; encoders keep all cores.
_WAITING = ("OMP_WAIT_POLICY", "PASSIVE")
#: Who sets one of these has decided.
_DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")
#: Threads of numpy's products always keep their cores busy: on busy ones annotation takes twenty times as long.
_PRODUCTS = ("OPENBLAS_NUM_THREADS", "1")
_PRODUCTS_DECIDED = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


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


def let_threads_sleep(environment: MutableMapping[str, str]) -> None:
    """Ask torch's threads to sleep while they wait, and numpy for one; call it before these are imported.

    Args:
        environment: The environment of this process; left as it is where it says how threads wait, and how many
            there are.
    """
    for (name, value), decided in ((_WAITING, _DECIDED), (_PRODUCTS, _PRODUCTS_DECIDED)):
        if not any(known in environment for known in decided):
            environment[name] = value


def prepare_streams() -> None:
    """Make the standard streams safe to use.

    A closed descriptor would be taken by the next file that is opened, into which other code then writes; so
    the null device takes its place, and Python's stream says that it is closed. What cannot be written to stderr is
    lost without a word: messages are for people, and the exit code says the same.
    """
    _fill_closed_descriptors()
    if sys.stdout is None:
        sys.stdout = _text(_Closed())
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # help on a terminal that has no such character
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
    """Write out what waits for standard output.

    Raises:
        OSError: It cannot be written.
    """
    sys.stdout.flush()


def silence_output() -> None:
    """Drop what waits for standard output, so that it does not fail again when Python exits."""
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
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor, which is this one


def _text(raw: io.RawIOBase) -> io.TextIOWrapper:
    return io.TextIOWrapper(raw, encoding="utf-8", write_through=True)  # type: ignore[arg-type]


class _Closed(io.RawIOBase):
    """A descriptor that was closed before the program began."""

    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


class _Null(io.RawIOBase):
    """Takes everything and keeps nothing."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return len(data)  # type: ignore[arg-type]


class _Forgiving(io.FileIO):
    """Standard error; a full disk or a closed pipe behind it stops nothing."""

    def __init__(self) -> None:
        super().__init__(2, "w", closefd=False)

    def write(self, data: object) -> int:
        try:
            return super().write(data) or 0  # type: ignore[arg-type]
        except OSError:
            return len(data)  # type: ignore[arg-type]

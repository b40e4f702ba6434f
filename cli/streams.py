"""The standard streams of the program, whatever state the shell hands them over in."""

from __future__ import annotations

import errno
import io
import os
import sys


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

"""Files and standard streams: UTF-8 lines in with exact error positions, whole files or nothing out."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from jperrant.core.errors import FormatError, InputError, PipeClosedError

STDIO = "-"
BOM = b"\xef\xbb\xbf"


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, ``-`` meaning standard input.

    Raises:
        InputError: The file is missing, a directory or unreadable.
    """
    if path == STDIO:
        yield sys.stdin.buffer
        return
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({reason(error)}); check the name and its permissions"
        ) from None
    with stream:
        yield stream


def read_lines(path: str, odd: Callable[[int, str], None] | None = None) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file without their ends, in constant memory.

    Only ``\n`` ends a line (a ``\r`` before it goes too), so that characters such as U+2028, which learner
    text contains, never shift one file against another. A byte-order mark at the start is dropped.

    Args:
        path: The file.
        odd: Told the line number and what it is of every carriage return or byte-order mark dropped.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not UTF-8; names file, line and byte offset in the file.
    """
    with open_input(path) as stream:
        offset = 0
        for number, raw in enumerate(read_raw(path, stream), start=1):
            line = raw.removesuffix(b"\n").removesuffix(b"\r")
            skipped = len(BOM) if number == 1 and line.startswith(BOM) else 0
            if odd is not None:
                if skipped:
                    odd(number, "byte-order mark")
                if raw.endswith(b"\r\n"):
                    odd(number, "carriage return at the end of a line")
            try:
                yield line[skipped:].decode("utf-8")
            except UnicodeDecodeError as error:
                at = offset + skipped + error.start
                raise FormatError(
                    path,
                    number,
                    f"byte 0x{error.object[error.start]:02x} at offset {at} is not UTF-8; "
                    "convert the file to UTF-8 first (for example with iconv)",
                ) from None
            offset += len(raw)


def read_raw(path: str, stream: BinaryIO) -> Iterator[bytes]:
    """Yield raw lines; a directory or a failing disk shows only now."""
    try:
        yield from stream
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None


def is_regular(path: str) -> bool:
    """Whether the path is a plain file, which can be read twice."""
    return path != STDIO and Path(path).is_file()


def count_lines(path: str) -> int:
    """Count the lines of a plain file, the last one also if it has no newline."""
    lines, last = 0, b"\n"
    with open_input(path) as stream:
        while chunk := stream.read(1 << 20):
            lines += chunk.count(b"\n")
            last = chunk[-1:]
    return lines + (last != b"\n")


@contextmanager
def open_output(path: str) -> Iterator[TextIO]:
    r"""Open a file for writing UTF-8 with ``\n``, ``-`` meaning standard output.

    A plain file appears, whole, only when the block ends without an error; until then the text goes to a
    temporary file beside it, and whatever stood there before stays untouched.

    Raises:
        InputError: The file cannot be written.
        PipeClosedError: The reader of standard output is gone.
    """
    if path == STDIO:
        stdout = sys.stdout
        if hasattr(stdout, "reconfigure"):
            stdout.reconfigure(encoding="utf-8", newline="\n")
        try:
            yield stdout
            stdout.flush()
        except OSError as error:
            # What is still in the buffer must not fail again when Python exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())
            if isinstance(error, BrokenPipeError):
                raise PipeClosedError from None
            raise InputError(f"standard output cannot be written ({reason(error)})") from None
        return
    target = Path(path)
    try:
        special = target.exists() and not target.is_file()
        if special:
            stream = target.open("w", encoding="utf-8", newline="\n")
        else:
            target = target.resolve()
            handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
            stream = os.fdopen(handle, "w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({reason(error)})") from None
    if special:  # a pipe or a device
        with stream:
            yield stream
        return
    try:
        with stream:
            yield stream
        Path(temporary).chmod(_mode_of(target))
        Path(temporary).replace(target)
    except BaseException as error:
        with suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            raise InputError(f"{path}: cannot be written ({reason(error)})") from None
        raise


def _mode_of(target: Path) -> int:
    """Return the permissions the finished file should have: its old ones, or what the umask leaves."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def reason(error: OSError) -> str:
    """Return the system's words for an error, without number and path."""
    return (error.strerror or str(error)).lower()

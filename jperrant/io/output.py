"""One output: standard output, a pipe or device, or a file that appears whole or not at all."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from jperrant.core.display import printable
from jperrant.core.errors import InputError, OutputError, PipeClosedError
from jperrant.io.compression import compressor

STDIO = "-"
#: Files of this process that did not get their name yet: a signal may end it where nothing else removes them.
_UNFINISHED: set[Path] = set()
#: Windows ends lines in its own fashion in files that are not opened as binary.
_BINARY = getattr(os, "O_BINARY", 0)


class Output:
    """A stream for text, and what has to be done with it at the end.

    Args:
        path: The file; ``-`` is standard output.
        colored: Whether the text may hold control sequences for a terminal.

    Raises:
        OutputError: The file cannot be written.
        MissingExtraError: The name ends in ``.zst``, which no installed package writes.
    """

    def __init__(self, path: str, colored: bool = False) -> None:
        self.path, self._target = path, Path(path)
        self._temporary: Path | None = None
        self._binary: list[BinaryIO] = []
        if path == STDIO:
            self.stream = cast(TextIO, _Checked(_standard_output(colored), self))
            return
        compress = compressor(path)
        with self._errors():
            raw = self._open()
            self._binary = [raw]
            packed = compress(raw)
            if packed is not raw:
                self._binary.append(packed)
            # File names that are not UTF-8 are written with escapes; M2 refuses such tokens.
            text = io.TextIOWrapper(packed, encoding="utf-8", newline="\n", errors="backslashreplace")
            self.stream = cast(TextIO, _Checked(text, self))

    @property
    def binary(self) -> BinaryIO:
        """Where the bytes of a file go that is no text; standard output has none."""
        return self._binary[-1]

    def finish(self) -> None:
        """Write out everything that waits; only then is it known that the disk had room for it."""
        with self._errors():
            self.stream.flush()
            if self.path != STDIO:
                self.stream.close()
                for stream in reversed(self._binary):
                    stream.close()
            if self._temporary is not None:
                self._temporary.chmod(_mode_of(self._target))

    def publish(self) -> None:
        """Let the file appear under its name."""
        if self._temporary is not None:
            with self._errors():
                self._temporary.replace(self._target)
            _UNFINISHED.discard(self._temporary)
            self._temporary = None

    def discard(self) -> None:
        """Remove what did not become a file; nothing is left to do after :meth:`publish`."""
        if self.path == STDIO:
            return
        streams: list[TextIO | BinaryIO] = [self.stream, *reversed(self._binary)]
        for stream in streams:
            with suppress(Exception):  # a full disk fails again at every attempt to write what waits
                stream.close()
        if self._temporary is not None:
            _remove(self._temporary)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the system's errors of writing into one line."""
        try:
            yield
        except OSError as error:
            raise self.failure(error) from None

    def failure(self, error: OSError) -> OutputError | PipeClosedError:
        """Return what an error of writing means to the user."""
        if self.path == STDIO:
            _silence_standard_output()
        if isinstance(error, BrokenPipeError):
            return PipeClosedError()
        name = "standard output" if self.path == STDIO else self.path
        fix = "; create the folder first" if isinstance(error, FileNotFoundError) else ""
        return OutputError(f"{name}: cannot be written ({reason(error)}){fix}")

    def _open(self) -> BinaryIO:
        if self._target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        if self._target.exists() and not self._target.is_file():  # a pipe or a device
            return self._target.open("wb")
        self._target = self._target.resolve()
        # Names are cut, since a folder takes names of at most 255 bytes.
        name = f".{self._target.name[:50]}.{os.urandom(8).hex()}.part"
        self._temporary = self._target.with_name(name)
        _UNFINISHED.add(self._temporary)  # first, since a signal may come right after it was made
        try:
            handle = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        except OSError:
            _UNFINISHED.discard(self._temporary)
            raise
        return os.fdopen(handle, "wb")


def remove_unfinished() -> None:
    """Remove the files that did not get their name yet, when the process ends here and now."""
    for path in list(_UNFINISHED):
        _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
    _UNFINISHED.discard(path)


class _Checked:
    """A text stream whose errors are those of its output.

    It is none of io's classes, which close what they wrap when they are collected.
    """

    def __init__(self, stream: TextIO | io.TextIOWrapper, output: Output) -> None:
        self._stream, self._output = stream, output

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except OSError as error:
            raise self._output.failure(error) from None

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()


class _Terminal:
    """Standard output where somebody looks: control characters of learner text are shown, not obeyed."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(printable(text))

    def flush(self) -> None:
        self._stream.flush()


def _standard_output(colored: bool) -> TextIO:
    stdout = sys.stdout
    if stdout is None:
        raise InputError("standard output is closed; give a file with -o")
    if isinstance(stdout, io.TextIOWrapper):
        # File names that are not UTF-8 are shown with escapes.
        stdout.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")
    return stdout if colored or not stdout.isatty() else cast(TextIO, _Terminal(stdout))


def _silence_standard_output() -> None:
    """Make sure that what is still in the buffer does not fail again when Python exits."""
    with suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)


def _mode_of(target: Path) -> int:
    """Return the permissions the finished file should have: its old ones, or what the umask leaves."""
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def reason(error: Exception) -> str:
    """Return the system's words for an error, without number and path."""
    return (getattr(error, "strerror", None) or str(error)).lower()

"""Files and standard streams: UTF-8 lines in with exact error positions, whole files or nothing out."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from jperrant.core.errors import DecodingError, FormatError, InputError, UsageError
from jperrant.core.paths import is_device, is_file, is_folder
from jperrant.io.compression import decompressed, decompression_errors
from jperrant.io.output import STDIO, Output, reason
from jperrant.io.recognise import binary_problem

__all__ = [
    "BOM", "STDIO", "check_input", "check_output", "check_outputs", "check_stdin", "count_lines", "decode_lines",
    "ended", "is_read_once", "is_regular", "open_binary_output", "open_input", "open_output", "open_outputs",
    "read_decodable", "read_lines", "read_raw", "reason",
]  # fmt: skip

T = TypeVar("T")
BOM = b"\xef\xbb\xbf"
#: Bytes of the longest line that is read.
LONGEST_LINE = 64 << 20
#: Bytes that tell formats which are no text.
_PEEKED = 8192
_OLD_LINE_ENDS = (
    "found lines that end with carriage returns alone, expected line feeds; convert the file first (for example "
    r"with tr '\r' '\n')"
)


@contextmanager
def open_input(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading bytes, ``-`` meaning standard input; compressed files are decompressed.

    Raises:
        InputError: The file is missing, a directory, or unreadable.
        MissingExtraError: The file is Zstandard, which no installed package reads.
    """
    with ExitStack() as stack:
        try:
            if path == STDIO:
                if sys.stdin is None:
                    raise InputError("standard input is closed; give a file, or pipe text in")
                raw: io.BufferedReader = sys.stdin.buffer  # type: ignore[assignment]
            else:
                raw = stack.enter_context(Path(path).open("rb"))
            stream = decompressed(raw)
        except OSError as error:
            raise InputError(
                f"{path}: cannot be read ({reason(error)}); check the name and its permissions"
            ) from None
        yield stream


def read_lines(path: str, deviates: Callable[[int, str], None] | None = None) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file without their ends, in constant memory.

    Only ``\n`` ends a line (a ``\r`` before it goes too), so that characters such as U+2028, which learner
    text contains, never shift one file against another. A byte-order mark at the start is dropped. A file
    without any ``\n`` whose lines end with ``\r`` is refused.

    Args:
        path: The file.
        deviates: Told the line number and what it is of every carriage return or byte-order mark dropped.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not UTF-8; names file, line and byte offset in the file. Or all lines end with
            ``\r`` alone, or the file is of a format that is no text (a PDF …), which is named.
    """
    with open_input(path) as stream:
        yield from decode_lines(_read_text(path, stream), path, deviates)


def read_decodable(path: str) -> Iterator[str | DecodingError]:
    """Yield the lines of a file as :func:`read_lines` does, with the error in the place of each that is not UTF-8.

    Raises:
        InputError: The file cannot be read.
    """
    with open_input(path) as stream:
        yield from _decoded(_read_text(path, stream), path)


def ended(lines: Iterable[T], least: int = 0) -> Iterator[T]:
    """Yield the lines of a text without the blank ones at its end, which are no sentences.

    Args:
        lines: The lines; what is no text, such as the error of one, is not blank.
        least: Keep blank lines up to this number: where the source has a sentence, they are its correction.

    >>> list(ended(["a", "", "b", "", ""])), list(ended(["a", "", ""], 2))
    (['a', '', 'b'], ['a', ''])
    """
    blank: list[T] = []
    number = 0
    for number, line in enumerate(lines, start=1):  # noqa: B007
        blank.append(line)
        if not isinstance(line, str) or line.strip():
            yield from blank
            blank = []
    yield from blank[: max(0, least - (number - len(blank)))]


def decode_lines(
    raw_lines: Iterable[bytes], path: str, deviates: Callable[[int, str], None] | None = None
) -> Iterator[str]:
    """Yield the text of raw lines as :func:`read_lines` does; ``path`` is the name used in messages.

    Raises:
        FormatError: A line is not UTF-8; names file, line and byte offset in the file.
    """
    for line in _decoded(raw_lines, path, deviates):
        if isinstance(line, DecodingError):
            raise line
        yield line


def _decoded(
    raw_lines: Iterable[bytes], path: str, deviates: Callable[[int, str], None] | None = None
) -> Iterator[str | DecodingError]:
    offset = 0
    for number, raw in enumerate(raw_lines, start=1):
        line = raw.removesuffix(b"\n").removesuffix(b"\r")
        if number == 1 and b"\r" in line and not raw.endswith(b"\n"):
            raise FormatError(path, 1, _OLD_LINE_ENDS)  # else a whole text would be one sentence
        skipped = len(BOM) if number == 1 and line.startswith(BOM) else 0
        if deviates is not None:
            if skipped:
                deviates(number, "byte-order mark")
            if raw.endswith(b"\r\n"):
                deviates(number, "carriage return at the end of a line")
        if number == 1 and raw == BOM:  # a file of nothing else is empty
            continue
        try:
            yield line[skipped:].decode("utf-8")
        except UnicodeDecodeError as error:
            position = offset + skipped + error.start
            yield DecodingError(
                path,
                number,
                f"byte 0x{error.object[error.start]:02x} at offset {position} is not UTF-8; "
                "convert the file to UTF-8 first (for example with iconv)",
                line[skipped:].decode("utf-8", "backslashreplace"),
            )
        offset += len(raw)


def _read_text(path: str, stream: BinaryIO) -> Iterator[bytes]:
    """Yield raw lines as :func:`read_raw` does, unless the first bytes are those of a format that is no text."""
    with _reading(path):
        start = stream.peek(_PEEKED) if hasattr(stream, "peek") else b""
    if problem := binary_problem(start):
        raise FormatError(path, None, problem)
    yield from read_raw(path, stream)


def read_raw(path: str, stream: BinaryIO) -> Iterator[bytes]:
    """Yield raw lines; a directory or a failing disk shows only now.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is longer than any text; it would not fit in memory.
    """
    with _reading(path):
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), start=1):
            if len(line) > LONGEST_LINE:
                raise FormatError(
                    path, number, f"found a line of more than {LONGEST_LINE >> 20} MiB; is this a text file?"
                )
            yield line


@contextmanager
def _reading(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({reason(error)})") from None
    except Exception as error:
        if isinstance(error, decompression_errors()):
            raise InputError(
                f"{path}: damaged compressed file ({error}); copy or download it again"
            ) from None
        raise


def is_regular(path: str) -> bool:
    """Whether the path is a plain file, which can be read twice."""
    return path != STDIO and is_file(path)


def is_read_once(path: str) -> bool:
    """Whether the path is standard input, or a pipe or device, whose beginning would be lost by looking at it."""
    return path == STDIO or is_device(path)


def check_stdin(paths: Iterable[object]) -> None:
    """Refuse standard input given for two inputs: the second one would find nothing to read.

    Args:
        paths: What is read; all but strings is left alone.

    Raises:
        UsageError: ``-`` is given twice.
    """
    if sum(path == STDIO for path in paths if isinstance(path, str)) > 1:
        raise UsageError(f"standard input ({STDIO}) was given twice; only one file can be read from it")


def check_input(path: str) -> None:
    """Check that a file can be read, before long work begins; standard input, pipes and devices are left alone.

    Raises:
        InputError: As ``open_input``.
    """
    if not is_read_once(path):
        with open_input(path):
            pass


def count_lines(path: str) -> int:
    """Count the lines of a plain file, the last one also if it has no newline."""
    lines, last, size = 0, b"\n", 0
    with open_input(path) as stream, _reading(path):
        while chunk := stream.read(1 << 20):
            lines += chunk.count(b"\n")
            last = chunk[-1:] if size or chunk != BOM else last
            size += len(chunk)
    return lines + (last != b"\n")


def names_folder(out: str) -> bool:
    """Whether an output is a folder: its name ends like one, or it is one."""
    return out.endswith(("/", os.sep)) or (out != STDIO and is_folder(out))


def check_output(path: str, inputs: Iterable[str]) -> None:
    """Refuse an output that is one of the inputs, also by a link, so that nothing is overwritten.

    Args:
        path: Where the output goes, ``-`` meaning standard output, which may lead to a file.
        inputs: The files that are read.

    Raises:
        UsageError: It is one of them.
    """
    output = _status(path, 1)
    if output is None or not stat.S_ISREG(output.st_mode):
        return
    for name in inputs:
        status = _status(name, 0)
        if status is not None and os.path.samestat(output, status):
            raise UsageError(
                f"{'standard output' if path == STDIO else path} is the input {name} and would overwrite it; "
                "give another file with -o"
            )


def check_outputs(paths: Sequence[str], inputs: Iterable[str]) -> None:
    """Refuse outputs of which one is an input or another output, so that nothing is overwritten.

    Args:
        paths: Where the outputs go, ``-`` meaning standard output.
        inputs: The files that are read.

    Raises:
        UsageError: One of them is.
    """
    input_paths = list(inputs)
    for path in paths:
        check_output(path, input_paths)
    _check_distinct(paths)


def _check_distinct(paths: Sequence[str]) -> None:
    """Refuse two outputs that are one file, or both standard output; a device takes several."""
    seen = set()
    for path in paths:
        target = Path(path)
        if path != STDIO and (is_device(path) or is_folder(path)):
            continue
        place = path if path == STDIO else target.resolve()
        if place in seen:
            name = "standard output (-)" if path == STDIO else path
            raise UsageError(f"{name} is given for two outputs; give another file for one of them")
        seen.add(place)


def _status(path: str, descriptor: int) -> os.stat_result | None:
    """Return what the system knows of a file, or of a standard stream for ``-``; None if there is none."""
    try:
        return os.fstat(descriptor) if path == STDIO else Path(path).stat()
    except (OSError, ValueError):
        return None


@contextmanager
def open_output(path: str, inputs: Iterable[str] = (), *, colored: bool = False) -> Iterator[TextIO]:
    r"""Open a file for writing UTF-8 with ``\n``, ``-`` meaning standard output.

    A plain file appears, whole, only when the block ends without an error; until then the text goes to a
    temporary file beside it, and whatever stood there before stays untouched. A name that ends in ``.gz``, ``.xz``,
    ``.bz2`` or ``.zst`` is compressed.

    Args:
        path: The file.
        inputs: The files that are read, none of which may be overwritten.
        colored: The text holds control sequences for the terminal that are not from the user's text.

    Raises:
        UsageError: The file is one of the inputs.
        InputError: The file cannot be written.
        MissingExtraError: The name ends in ``.zst``, which no installed package writes.
        PipeClosedError: The reader of the output is gone.
    """
    with open_outputs([path], inputs, colored=colored) as [stream]:
        yield stream


@contextmanager
def open_binary_output(path: str, inputs: Iterable[str] = ()) -> Iterator[BinaryIO]:
    """Open a file for bytes, such as a picture, as :func:`open_output` does for text.

    Raises:
        UsageError: The file is one of the inputs, or standard output, which takes text.
        InputError, MissingExtraError, PipeClosedError: As for text.
    """
    check_output(path, inputs)
    if path == STDIO:
        raise UsageError("images cannot be written to standard output; give a file name")
    output = Output(path)
    try:
        yield output.binary
        output.finish()
        output.publish()
    finally:
        output.discard()


@contextmanager
def open_outputs(
    paths: Sequence[str], inputs: Iterable[str] = (), *, colored: bool = False
) -> Iterator[list[TextIO]]:
    """Open several files as :func:`open_output` does; all of them appear, or none.

    Raises:
        UsageError: A file is one of the inputs, or given twice.
        InputError, MissingExtraError, PipeClosedError: As for one file.
    """
    check_outputs(paths, inputs)
    outputs: list[Output] = []
    try:
        for path in paths:
            outputs.append(Output(path, colored))
        yield [output.stream for output in outputs]
        # A full disk may show only when the last bytes are written: no file appears before all are whole.
        for output in outputs:
            output.finish()
        for output in outputs:
            output.publish()
    finally:
        for output in outputs:
            output.discard()

"""Files and standard streams: reading UTF-8 lines with error positions, writing whole files or nothing.

Compressed files (gzip, xz and bzip2) are recognised by their first bytes when read, by their names when
written. The library for a format is imported when a file needs it.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, TextIO, TypeAlias, cast

from jperrant.core.display import printable
from jperrant.core.errors import FormatError, InputError, OutputError, PipeClosedError, UsageError
from jperrant.core.paths import is_device, is_file, is_folder
from jperrant.io.recognise import binary_problem

STDIO = "-"
BOM = b"\xef\xbb\xbf"
#: Bytes of the longest line that is read.
LONGEST_LINE = 64 << 20
#: Bytes at the start of a file by which binary formats are recognised.
_PEEKED = 8192
#: By the ending of their names: the first bytes of compressed files, and the module that reads them. The last
#: six bytes for bzip2 are digits of pi, with which its first block begins.
_COMPRESSED = {
    ".gz": (re.compile(rb"\x1f\x8b"), "gzip"),
    ".xz": (re.compile(rb"\xfd7zXZ\x00"), "lzma"),
    ".bz2": (re.compile(rb"BZh.1AY&SY", re.DOTALL), "bz2"),
}
#: How the names of compressed files end.
ENDINGS = tuple(_COMPRESSED)
#: The temporary name of an unfinished file, and the most letters of its name in it; eight random ones follow.
UNFINISHED, _LETTERS = re.compile(r"\.(.{1,50})\.[a-z0-9_]{8}\.part", re.DOTALL), 50
#: Unfinished files of this process, to be removed if a signal ends it.
_UNFINISHED: set[Path] = set()
_OLD_LINE_ENDS = (
    "found lines that end with carriage returns alone, expected line feeds; convert the file first (for example "
    r"with tr '\r' '\n')"
)


#: Called for a deviation in a file, with the file, the 1-based line and what it is.
Deviates: TypeAlias = Callable[[str, int, str], None]


@contextmanager
def open_input(path: str) -> Iterator[io.BufferedReader]:
    """Open a file for reading bytes, ``-`` meaning standard input; compressed files are decompressed.

    Raises:
        InputError: The file is missing, a directory, or unreadable.
    """
    with ExitStack() as stack:
        with _reading(path):
            if path == STDIO and sys.stdin is None:
                raise InputError("standard input is closed; give a file, or pipe text in")
            stream = sys.stdin.buffer if path == STDIO else stack.enter_context(Path(path).open("rb"))
            if not hasattr(stream, "peek"):  # a stream in memory
                stream = io.BufferedReader(stream)
            start = stream.peek(_PEEKED)
            kind = next((kind for kind, (first, _) in _COMPRESSED.items() if first.match(start)), "")
            opened = _compressed(stream, kind, "rb") if kind else stream
        yield cast(io.BufferedReader, opened)


def read_lines(path: str, deviates: Deviates = lambda *_: None) -> Iterator[str]:
    r"""Yield the lines of a UTF-8 file without their ends, in constant memory.

    Only ``\n`` ends a line (a ``\r`` before it is dropped), so that characters such as U+2028, which learner
    text contains, never shift one file against another. A byte-order mark at the start is dropped. A file
    without any ``\n`` whose lines end with ``\r`` is refused.

    Args:
        path: The file.
        deviates: Called for every carriage return and byte-order mark that is dropped.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not UTF-8 (the message names file, line and byte offset), all lines end with
            ``\r`` alone, or the file has a known binary format such as PDF.
    """
    with open_input(path) as stream:
        with _reading(path):
            start = stream.peek(_PEEKED)
        if problem := binary_problem(start):
            raise FormatError(path, None, problem)
        yield from decode_lines(read_raw(path, stream), path, deviates)


def ended(lines: Iterable[str], least: int = 0) -> Iterator[str]:
    """Yield the lines of a text without the blank lines at its end, which are not sentences.

    Args:
        lines: The lines.
        least: Keep blank lines up to this number, as they correct sentences that the source has there.

    >>> list(ended(["a", "", "b", "", ""])), list(ended(["a", "", ""], 2))
    (['a', '', 'b'], ['a', ''])
    """
    held: list[str] = []
    for number, line in enumerate(lines, start=1):
        held.append(line)
        if line.strip() or number <= least:
            yield from held
            held = []


def decode_lines(
    raw_lines: Iterable[bytes], path: str, deviates: Deviates = lambda *_: None
) -> Iterator[str]:
    """Yield the text of raw lines as :func:`read_lines` does; ``path`` is the name used in messages.

    Raises:
        FormatError: A line is not UTF-8; the message names file, line and byte offset in the file.
    """
    offset = 0
    for number, raw in enumerate(raw_lines, start=1):
        start = len(BOM) if number == 1 and raw.startswith(BOM) else 0
        line = raw[start:].removesuffix(b"\n").removesuffix(b"\r")
        if number == 1 and b"\r" in line and not raw.endswith(b"\n"):
            raise FormatError(path, 1, _OLD_LINE_ENDS)  # otherwise a whole text would be one sentence
        if start:
            deviates(path, number, "byte-order mark")
        if raw.endswith(b"\r\n"):
            deviates(path, number, "carriage return at the end of a line")
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            found = f"byte 0x{line[error.start]:02x} at offset {offset + start + error.start}"
            fix = "convert the file to UTF-8 first (for example with iconv)"
            raise FormatError(path, number, f"{found} is not UTF-8; {fix}") from None
        if raw != BOM or number > 1:  # a file with nothing but the mark is empty
            yield text
        offset += len(raw)


def read_raw(path: str, stream: io.BufferedReader) -> Iterator[bytes]:
    """Yield raw lines; a directory or a failing disk is noticed only here.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is longer than ``LONGEST_LINE``, so that it might not fit into memory.
    """
    with _reading(path):
        for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LINE + 1), b""), start=1):
            if len(line) > LONGEST_LINE:
                found = f"found a line of more than {LONGEST_LINE >> 20} MiB"
                raise FormatError(path, number, f"{found}; is this a text file?")
            yield line


@contextmanager
def _reading(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fix = "check the name and its permissions"
        raise InputError(f"{path}: cannot be read ({reason(error)}); {fix}") from None
    except Exception as error:
        if not isinstance(error, EOFError) and type(error).__module__ not in ("zlib", "_lzma"):
            raise
        raise InputError(f"{path}: damaged compressed file ({error}); copy or download it again") from None


def _compressed(stream: BinaryIO, kind: str, mode: str) -> BinaryIO:
    """Return a stream that reads (``rb``) or writes (``wb``) compressed data in another stream."""
    module = import_module(_COMPRESSED[kind][1])
    # The same bytes give the same file: gzip would store a name and the time.
    packed = module.GzipFile("", mode, 6, stream, mtime=0) if kind == ".gz" else module.open(stream, mode)
    return cast(BinaryIO, packed)


def is_regular(path: str) -> bool:
    """Whether the path is a plain file, which can be read twice."""
    return path != STDIO and is_file(path)


def is_read_once(path: str) -> bool:
    """Whether the path is standard input, a pipe or a device, which cannot be read a second time."""
    return path == STDIO or is_device(path)


def check_stdin(paths: Iterable[object]) -> None:
    """Raise an error if standard input is given twice, as the second reader would find nothing.

    Args:
        paths: The inputs; values other than strings are ignored.

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


def names_folder(out: str) -> bool:
    """Whether an output is a folder: its name ends like one, or it is one."""
    return out.endswith(("/", os.sep)) or (out != STDIO and is_folder(out))


def check_outputs(paths: Sequence[str], inputs: Iterable[str]) -> None:
    """Raise an error if an output is also an input or another output, even through a link.

    Args:
        paths: Where the outputs go, ``-`` meaning standard output, which may lead to a file.
        inputs: The files that are read.

    Raises:
        UsageError: Two of them are the same file, or an output is named as a Zstandard file, which is not
            written.
    """
    if packed := [path for path in paths if path.lower().endswith(".zst")]:
        raise UsageError(f"{packed[0]}: Zstandard is not written; end its name with {', '.join(ENDINGS)}")
    read: dict[object, str] = {place: name for name in inputs if isinstance(place := _place(name, 0), tuple)}
    taken = set[object]()
    for path in paths:
        name, place = "standard output (-)" if path == STDIO else path, _place(path, 1)
        if given := read.get(place):
            what = f"writing {name} would overwrite the input {given}"
            raise UsageError(f"{what}; give the output another name")
        if place in taken:
            raise UsageError(f"{name} is given for two outputs; give another file for one of them")
        taken |= {place} - {None}


def _place(path: str, descriptor: int) -> object:
    """Return what identifies a file: device and inode, which links share, or else its path.

    Return None for a device or folder, which several outputs may share.

    Args:
        path: The file; ``-`` is a standard stream.
        descriptor: The number of that stream.
    """
    try:
        status = os.fstat(descriptor) if path == STDIO else Path(path).stat()
    except (OSError, ValueError):
        return path if path == STDIO else Path(path).resolve()
    if stat.S_ISREG(status.st_mode):
        return status.st_dev, status.st_ino
    return path if path == STDIO else None


@contextmanager
def open_output(path: str, inputs: Iterable[str] = ()) -> Iterator[TextIO]:
    r"""Open a file for writing UTF-8 with ``\n``, ``-`` meaning standard output.

    A plain file appears, complete, when the block ends without an error. Until then the text goes to a
    temporary file beside it, and an existing file stays untouched. A file whose name ends in ``.gz``, ``.xz``
    or ``.bz2`` is compressed.

    Args:
        path: The file.
        inputs: The files that are read, none of which may be overwritten.

    Raises:
        UsageError: The file is one of the inputs.
        InputError: The file cannot be written.
        PipeClosedError: The reader of the output is gone.
    """
    with open_outputs([path], inputs) as [stream]:
        yield stream


def write_bytes(path: str, content: bytes, inputs: Iterable[str] = ()) -> None:
    """Write bytes, such as a picture, to a file as :func:`open_output` does with text.

    Raises:
        UsageError: The file is one of the inputs, or standard output, which takes text.
        InputError, PipeClosedError: As for text.
    """
    if path == STDIO:
        raise UsageError("images cannot be written to standard output; give a file name")
    with open_outputs([path], inputs) as [output]:
        cast(_Output, output).write_bytes(content)


@contextmanager
def open_outputs(paths: Sequence[str], inputs: Iterable[str] = ()) -> Iterator[list[TextIO]]:
    """Open several files as :func:`open_output` does; all of them appear, or none.

    Raises:
        UsageError: A file is one of the inputs, or given twice.
        InputError, PipeClosedError: As for one file.
    """
    check_outputs(paths, inputs)
    outputs: list[_Output] = []
    try:
        for path in paths:
            outputs.append(_Output(path))
        yield cast(list[TextIO], outputs)
        # A full disk may be noticed only at the last bytes, so no file appears before all are complete.
        for output in outputs:
            output.finish()
        for output in outputs:
            output.publish()
    finally:
        for output in outputs:
            output.discard()


class _Output:
    """A stream for text that becomes a file when it is finished and published.

    It is not a subclass of ``io``'s classes, which close what they wrap when they are garbage-collected.

    Args:
        path: The file; ``-`` is standard output.

    Raises:
        OutputError: The file cannot be written.
    """

    def __init__(self, path: str) -> None:
        self._path, self._target = path, Path(path)
        self._temporary: Path | None = None
        #: The streams of a file, the innermost first; standard output stays open.
        self._opened = ExitStack()
        self._shown: Callable[[str], str] = str
        if path == STDIO:
            self._text = _standard_output()
            self._shown = printable if self._text.isatty() else str
            return
        with self._errors():
            self._bytes = self._opened.enter_context(self._open())
            if kind := next((ending for ending in ENDINGS if path.endswith(ending)), ""):
                self._bytes = self._opened.enter_context(_compressed(self._bytes, kind, "wb"))
        # File names that are not UTF-8 are written with escapes; M2 refuses such tokens.
        text = io.TextIOWrapper(self._bytes, encoding="utf-8", newline="\n", errors="backslashreplace")
        self._text = self._opened.enter_context(text)

    def write(self, text: str) -> None:
        """Write text."""
        with self._errors():
            self._text.write(self._shown(text))

    def write_bytes(self, content: bytes) -> None:
        """Write bytes to a file that gets no text."""
        with self._errors():
            self._bytes.write(content)

    def finish(self) -> None:
        """Flush and close a file; only then is it known that the disk had room for it."""
        with self._errors():
            self._text.flush()
            self._opened.close()
            if self._temporary is not None and self._target.exists():
                shutil.copymode(self._target, self._temporary)

    def publish(self) -> None:
        """Let the file appear under its name."""
        if self._temporary is not None:
            with self._errors():
                self._temporary.replace(self._target)
            _UNFINISHED.discard(self._temporary)
            self._temporary = None

    def discard(self) -> None:
        """Close and remove an unpublished file; does nothing after :meth:`publish`."""
        with suppress(Exception):  # on a full disk each attempt to flush fails again
            self._opened.close()
        if self._temporary is not None:
            _remove(self._temporary)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the system's write errors into errors with a message of one line."""
        try:
            yield
        except OSError as error:
            if self._path == STDIO:
                _silence_standard_output()
            if isinstance(error, BrokenPipeError):
                raise PipeClosedError from None
            name = "standard output" if self._path == STDIO else self._path
            fix = "; create the folder first" if isinstance(error, FileNotFoundError) else ""
            raise OutputError(f"{name}: cannot be written ({reason(error)}){fix}") from None

    def _open(self) -> BinaryIO:
        if is_folder(self._target) or is_device(self._target):  # opening a folder raises the error
            return self._target.open("wb")
        self._target = self._target.resolve()
        # Names are cut, since a folder takes names of at most 255 bytes.
        self._temporary = self._target.with_name(f".{self._target.name[:_LETTERS]}.{token_hex(4)}.part")
        _UNFINISHED.add(self._temporary)
        return self._temporary.open("xb")


def remove_unfinished() -> None:
    """Remove unfinished files before the process ends at once."""
    for path in list(_UNFINISHED):
        _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
    _UNFINISHED.discard(path)


def _standard_output() -> TextIO:
    if sys.stdout is None:
        raise InputError("standard output is closed; give a file with -o")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # File names that are not UTF-8 are shown with escapes.
        sys.stdout.reconfigure(encoding="utf-8", newline="\n", errors="backslashreplace")
    return sys.stdout


def _silence_standard_output() -> None:
    """Keep what is still in the buffer from failing again when Python exits."""
    with suppress(OSError, ValueError, AttributeError):
        descriptor = os.open(os.devnull, os.O_WRONLY)
        os.dup2(descriptor, sys.stdout.fileno())
        os.close(descriptor)


def reason(error: Exception) -> str:
    """Return the system's words for an error, without number and path."""
    return (getattr(error, "strerror", None) or str(error)).lower()

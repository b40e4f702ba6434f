"""The files of annotation tools: read whole, named after documents and annotators, folders written whole or not."""

from __future__ import annotations

import errno
import json
import re
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block
from jperrant.exchange.base import Corpus, Document, ExchangeFormat, ExportedFile, MarkedText
from jperrant.exchange.offsets import sentence_text
from jperrant.exchange.side_file import SUFFIX
from jperrant.io.files import BOM, STDIO, open_input, read_raw, reason
from jperrant.io.recognise import binary_problem


def read_bytes(path: str, keep_mark: bool = False) -> bytes:
    """Return the content of a file, decompressed, without a byte-order mark unless that is kept.

    Raises:
        InputError: It cannot be read.
    """
    with open_input(path) as stream:
        return b"".join(read_raw(path, stream)).removeprefix(b"" if keep_mark else BOM)


def read_text(path: str, keep_mark: bool = False) -> str:
    r"""Return the text of a UTF-8 file; ``\r\n`` becomes ``\n``, in which tools on Windows write.

    Raises:
        FormatError: It is not UTF-8.
        InputError: It cannot be read.
    """
    content = read_bytes(path, keep_mark)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        found = f"byte 0x{content[error.start]:02x} at offset {error.start} is not UTF-8"
        raise FormatError(path, None, binary_problem(content) or found) from None


def read_json(path: str) -> Any:
    """Return the value of a JSON file.

    Raises:
        FormatError: It is not JSON; names the line.
        InputError: It cannot be read.
    """
    return json_value(read_text(path), path)


def json_value(text: str, path: str, line: int | None = None) -> Any:
    """Return the value of JSON text of a file; ``line`` is the line that the text is, where it is one.

    Raises:
        FormatError: It is not JSON, or too large for Python; names the line.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(path, line or error.lineno, f"not JSON ({error.msg})") from None
    except RecursionError:
        raise FormatError(path, line, "found JSON that is nested too deeply") from None
    except ValueError:  # Python reads no numbers of thousands of digits
        raise FormatError(path, line, "found JSON with a number of thousands of digits") from None


def write_folder(path: str, files: Iterable[ExportedFile]) -> list[str]:
    """Write files into a new folder and return their names in order.

    Args:
        path: The folder; it does not exist yet, or is empty.
        files: The files.

    Raises:
        UsageError: The folder holds something, or is standard output.
        InputError: It cannot be written.
    """
    target = Path(path)
    if path == STDIO:
        raise UsageError("this format writes a folder; give one with -o")
    _require_new(target)
    names = []
    with _errors(path), _new_folder(target) as folder:
        for file in files:
            place = folder / PurePosixPath(file.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8", newline="\n") as stream:
                stream.writelines(file.content)
            names.append(file.name)
    return names


def _require_new(target: Path) -> None:
    if target.is_dir() and any(target.iterdir()):
        problem = f"{target}: the folder is not empty; give a new one, so that no annotations are overwritten"
        raise UsageError(problem)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: found a file, expected a folder; this format writes several files")


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Give a folder that gets its name when the block ends without an error."""
    target.parent.mkdir(parents=True, exist_ok=True)
    folder = target.parent / f".{target.name[:50]}.{secrets.token_hex(8)}.part"
    folder.mkdir()
    try:
        yield folder
        if target.is_dir():
            target.rmdir()
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _errors(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        words = "file name too long" if error.errno == errno.ENAMETOOLONG else reason(error)
        raise InputError(f"{path}: cannot be written ({words})") from None
    except UnicodeEncodeError:
        problem = f"{path}: found half of a surrogate pair, which UTF-8 cannot encode; remove it"
        raise InputError(problem) from None


_NAME = re.compile(r"(.+)\.a(\d+)")


@dataclass(frozen=True)
class AnnotatorFiles(ExchangeFormat):
    """A format with a file for each document and each annotator who has annotated a sentence of it: ``DOC.a0.ann``.

    Attributes:
        ending: The ending of the names.
    """

    is_folder = True
    ending: ClassVar[str]

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield a file for each document and annotator."""
        for document in corpus.documents:
            for annotator in annotators_of(document):
                yield ExportedFile(
                    f"{document.name}.a{annotator}{self.ending}", self.lines(document, annotator)
                )

    def read(self, path: str) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        for file in input_files(path, self.ending):
            yield self.text_of(file, *names_of(file, self.ending))

    def lines(self, document: Document, annotator: int, /) -> Iterator[str]:
        """Yield the lines of a file."""
        raise NotImplementedError

    def text_of(self, file: str, document: str, annotator: str, /) -> MarkedText:
        """Return the text of a file."""
        raise NotImplementedError


def annotators_of(document: Document) -> list[int]:
    """Return who has annotated a sentence of a document; nobody counts as annotator 0, who gets an empty file."""
    return sorted({a.annotator for block in document.blocks for a in block.annotations}) or [0]


def edits_of(document: Document, annotator: int) -> Iterator[tuple[int, Annotation]]:
    """Yield for each sentence of a document its index and what an annotator did to it."""
    for k, block in enumerate(document.blocks):
        yield k, block.annotation(annotator) or Annotation(annotator)


def input_files(path: str, suffix: str) -> list[str]:
    """Return a file, or the files of a folder with the right ending, sorted by name.

    Raises:
        InputError: The folder has no such file.
    """
    place = Path(path)
    if not place.is_dir():
        return [path]
    named = [file for file in place.iterdir() if file.name.endswith(suffix) and file.is_file()]
    if not named:
        raise InputError(f"{path}: found no file *{suffix} in the folder")
    return sorted([str(file) for file in named if not file.name.endswith(SUFFIX)])


def names_of(file: str, suffix: str) -> tuple[str, str]:
    """Return the names of the document and of the annotator of a file.

    >>> names_of("out/0002.a1.ann", ".ann"), names_of("essay.ann", ".ann")
    (('0002', '1'), ('essay', '0'))
    """
    name = Path(file).name.removesuffix(suffix)
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else (name, "0")


_OWN = re.compile(r"annotator(0|[1-9][0-9]{0,8})\Z")


def annotator_folder(annotator: int) -> str:
    """Return the name of an annotator's folder or file.

    >>> annotator_folder(1)
    'annotator1'
    """
    return f"annotator{annotator}"


def annotator_of(name: str) -> str:
    """Return the annotator whose folder or file has a name: the number, if the export gave it, else the name.

    >>> annotator_of("annotator1"), annotator_of("maria")
    ('1', 'maria')
    """
    match = _OWN.match(name)
    return match[1] if match else name


def cut_documents(
    blocks: Sequence[Block], name: str, sentences: int | None = None, heading: str | None = None
) -> tuple[Document, ...]:
    """Return the documents of a file.

    Args:
        blocks: Its sentences.
        name: The name of the only document; several get a number behind it, from 1 on.
        sentences: How many sentences a document has at most.
        heading: How the first sentence of each document begins, as ``# `` in the M2 files of UA-GEC.

    Raises:
        UsageError: Both are given, or not even one sentence goes into a document, or there is no such heading.
    """
    if sentences is not None and heading is not None:
        raise UsageError("both a number of sentences and a heading are given; give only one")
    if sentences is not None and sentences < 1:
        raise UsageError(f"found {sentences} sentences per document, expected at least 1")
    begins = [0]
    if sentences is not None:
        begins += range(sentences, len(blocks), sentences)
    elif heading is not None:
        headings = [k for k, block in enumerate(blocks) if sentence_text(block).startswith(heading)]
        if not headings:
            problem = f"no sentence begins with {heading!r}; give the heading that begins each document"
            raise UsageError(problem)
        begins += [k for k in headings if k]
    if len(begins) == 1:
        return (Document(name, tuple(blocks)),)
    width = len(str(len(begins)))
    return tuple(
        [
            Document(f"{name}-{number:0{width}}", tuple(blocks[first:last]), first)
            for number, (first, last) in enumerate(pairwise([*begins, len(blocks)]), start=1)
        ]
    )


_COLOURS = {"M": "#8fb2ff", "U": "#ffaaaa", "R": "#b4ffb4"}
_OTHER = "#dddddd"


def colour_of(type_: str) -> str:
    """Return the colour of a type: blue for what is missing, red for the unnecessary, green for replacements.

    >>> colour_of("M:DET"), colour_of("UNK")
    ('#8fb2ff', '#dddddd')
    """
    return _COLOURS.get(type_.partition(":")[0], _OTHER)

"""Files of annotation tools and corpora: named after documents and annotators, written whole or not at all.

A tool's format says what is in a file (``texts``) and what files a corpus becomes (``export``). All else is the
same for every tool and done here: the side file, documents, names of annotators, folders.
"""

from __future__ import annotations

import errno
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.values import Annotation, Block, format_block
from jperrant.exchange.base import Conversion, Corpus, Exact, ExportedFile, Findings, Format, MarkedText
from jperrant.exchange.collect import collect
from jperrant.exchange.side_file import (
    SUFFIX,
    Document,
    Original,
    find_side_file,
    original_of,
    read_side_file,
    side_file_lines,
)
from jperrant.io.files import STDIO, decode_lines, open_outputs, reason
from jperrant.io.m2 import FormatDeviations, parse_m2

#: What is said of such a file in a folder.
NOT_FOLLOWED = "a link or a pipe, which is not followed, left out"
_NAME = re.compile(r"(.+)\.a(\d+)")
_OWN = re.compile(r"annotator(0|[1-9][0-9]{0,8})\Z")


@dataclass(frozen=True)
class ToolFormat(Format):
    """A format of an annotation tool or a corpus: texts in which annotators marked stretches.

    Attributes:
        is_folder: Whether it writes a folder, and not one file.
    """

    is_folder: ClassVar[bool] = False

    @abstractmethod
    def texts(self, path: str, findings: Findings, /) -> Iterator[MarkedText]:
        """Yield what annotators marked in a file, or in the files of a folder.

        Args:
            path: The file or folder.
            findings: Gets what is doubtful; what is read ``with findings.noting()`` costs itself alone.

        Raises:
            FormatError: A file is not in the format; names file and place.
        """

    def export(self, corpus: Corpus, /) -> Iterator[ExportedFile]:  # noqa: ARG002
        """Yield the files of a corpus; none in a format that is only read.

        Raises:
            InputError: The format cannot hold something; the message names sentence and annotator.
        """
        return iter(())

    def also_read(self) -> list[str]:
        """Return the files that its options name."""
        return []

    def original(self, job: Conversion) -> Original | None:
        """Return the M2 file that was exported, as the side file has it; None without one."""
        path = job.side or find_side_file(job.inputs[0])
        if path is None:
            if self.can_write:
                job.notes.append(
                    f"{job.inputs[0]}: found no side file (NAME.jperrant.json) beside it; what the tool cannot "
                    "hold is lost: which sentences an annotator did not look at, empty sentences, the exact text"
                )
            return None
        return read_side_file(path)

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of what annotators marked, each readable as M2."""
        job.original = original = self.original(job)
        texts = [text for path in job.inputs for text in self.texts(path, job.findings)]
        if job.findings.problems and not texts:  # where nothing is left, nothing is written
            raise job.findings.problems[0]
        _check_overwrites_nothing(
            job.out, [*job.inputs, *self.also_read(), *([original.path] if original else [])]
        )
        how: dict[str, Any] = {"labels": job.labels, "complete": job.complete, "findings": job.findings}
        blocks = collect(texts, original, annotators=job.annotators, **how)
        for number, (block, exact) in enumerate(blocks, start=1):
            if exact is None and not _is_readable(block):
                what = f"sentence {number}: found {block.source} or its edits, which M2 cannot hold"
                job.findings.problems.append(FormatError(job.inputs[0], None, what))
                job.findings.check()
                continue
            yield block, exact

    def write(self, blocks: Iterable[Exact], job: Conversion) -> list[str]:
        """Write the files of the tool, and the side file that the way back needs."""
        pairs = list(blocks)
        if not pairs:
            raise InputError(f"{job.inputs[0]}: found no sentences, so there is nothing to convert")
        original = job.original if job.exact and job.original else None
        original = original or original_of(job.inputs[0], [block for block, _ in pairs])
        documents = cut_documents(original.blocks, job.name, job.sentences)
        used = sorted({e.type for block in original.blocks for a in block.annotations for e in a.edits})
        labels = {**job.labels, **{type_: "" for type_ in used if type_ not in job.labels}}
        corpus = Corpus(job.name, documents, labels, original.annotators)
        side = ExportedFile(f"{job.name}{SUFFIX}", side_file_lines(original, documents))
        if self.loses:
            job.notes.append(f"{self.name}: {self.loses}")
        if self.is_folder:
            return write_folder(job.out, [*self.export(corpus), side])
        return _write_file(next(self.export(corpus)), side, job)


def _check_overwrites_nothing(out: str, read: Iterable[str]) -> None:
    """Refuse an output that is a file that is read, or a file in a folder that is read."""
    place = Path(out).resolve()
    if place.is_file() and any(place.is_relative_to(Path(path).resolve()) for path in read):
        raise UsageError(f"{out} is one of the files that are read, and the output would overwrite it")


def _is_readable(block: Block) -> bool:
    """Whether our reader reads a block as it is written."""
    try:
        lines = ("\n" + format_block(block)).encode("utf-8", "surrogatepass").split(b"\n")
        return list(parse_m2(decode_lines(lines, ""), "", FormatDeviations())) == [block]
    except InputError:
        return False


def _write_file(file: ExportedFile, side: ExportedFile, job: Conversion) -> list[str]:
    """Write the one file of a format, and the side file beside it."""
    files = {job.out: file.content, job.out + SUFFIX: side.content}
    if job.out == STDIO:
        del files[job.out + SUFFIX]
        job.notes.append(
            "no side file is written with standard output; an import will lack what the tool cannot hold"
        )
    with open_outputs(list(files), job.inputs) as streams:
        for stream, content in zip(streams, files.values(), strict=True):
            for text in content:
                stream.write(text)
    return list(files)


def write_folder(path: str, files: Iterable[ExportedFile]) -> list[str]:
    """Write files into a new folder, all or none, and return their names in order.

    Args:
        path: The folder; it does not exist yet, or is empty.
        files: The files.

    Raises:
        UsageError: The folder holds something, or is standard output.
        InputError: It cannot be written.
    """
    target, names = Path(path), []
    if path == STDIO:
        raise UsageError("this format writes a folder; give one with -o")
    if target.is_dir() and any(target.iterdir()):
        problem = f"{target}: the folder is not empty; give a new one, so that no annotations are overwritten"
        raise UsageError(problem)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target}: found a file, expected a folder; this format writes several files")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{target.name[:50]}.", dir=target.parent) as scratch:
            folder = Path(scratch) / "new"
            for file in files:
                place = folder / file.name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("x", encoding="utf-8", newline="\n") as stream:
                    stream.writelines(file.content)
                names.append(str(target / file.name))
            if target.is_dir():
                target.rmdir()
            folder.rename(target)
    except OSError as error:
        words = "file name too long" if error.errno == errno.ENAMETOOLONG else reason(error)
        raise InputError(f"{target}: cannot be written ({words})") from None
    except UnicodeEncodeError:
        problem = f"{target}: found half of a surrogate pair, which UTF-8 cannot encode; remove it"
        raise InputError(problem) from None
    return names


@dataclass(frozen=True)
class AnnotatorFiles(ToolFormat):
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
                name = f"{document.name}.a{annotator}{self.ending}"
                yield ExportedFile(name, self.lines(document, annotator))

    def texts(self, path: str, findings: Findings) -> Iterator[MarkedText]:
        """Yield the texts of a file, or of the files of a folder."""
        for file in input_files(path, self.ending, findings):
            with findings.noting():
                yield self.text_of(file, *names_of(file, self.ending))

    @abstractmethod
    def lines(self, document: Document, annotator: int, /) -> Iterator[str]:
        """Yield the lines of a file."""

    @abstractmethod
    def text_of(self, file: str, document: str, annotator: str, /) -> MarkedText:
        """Return the text of a file."""


def annotators_of(document: Document) -> list[int]:
    """Return who has annotated a sentence of a document; nobody counts as annotator 0, who gets an empty file."""
    return sorted({a.annotator for block in document.blocks for a in block.annotations}) or [0]


def edits_of(document: Document, annotator: int) -> Iterator[tuple[int, Annotation]]:
    """Yield for each sentence of a document its index and what an annotator did to it."""
    for k, block in enumerate(document.blocks):
        yield k, block.annotation(annotator) or Annotation(annotator)


def input_files(path: str, suffix: str, findings: Findings, *, deep: bool = False) -> list[str]:
    """Return a file, or the files of a folder with the right ending, sorted by name.

    Links and pipes in a folder are not followed: findings name them.

    Args:
        path: The file or folder.
        suffix: How their names end.
        findings: Gets what is left out.
        deep: Whether files of folders in the folder count.

    Raises:
        InputError: The folder has no such file.
    """
    place = Path(path)
    if not place.is_dir():
        return [path]
    named = sorted(place.rglob(f"*{suffix}") if deep else place.glob(f"*{suffix}"))
    if not named:
        raise InputError(f"{path}: found no file *{suffix} in the folder")
    files = []
    for file in named:
        if file.is_symlink() or not (file.is_file() or file.is_dir()):
            findings.add(NOT_FOLLOWED, str(file))
        elif file.is_file() and not file.name.endswith(SUFFIX):
            files.append(str(file))
    return files


def names_of(file: str, suffix: str) -> tuple[str, str]:
    """Return the names of the document and of the annotator of a file.

    >>> names_of("out/0002.a1.ann", ".ann"), names_of("essay.ann", ".ann")
    (('0002', '1'), ('essay', '0'))
    """
    name = Path(file).name.removesuffix(suffix)
    match = _NAME.fullmatch(name)
    return (match[1], match[2]) if match else (name, "0")


def annotator_of(name: str) -> str:
    """Return the annotator whose folder or file has a name: the number, if the export gave it, else the name.

    >>> annotator_of("annotator1"), annotator_of("maria")
    ('1', 'maria')
    """
    match = _OWN.match(name)
    return match[1] if match else name


def cut_documents(blocks: Sequence[Block], name: str, sentences: int | None = None) -> tuple[Document, ...]:
    """Return the documents of a file.

    Args:
        blocks: Its sentences.
        name: The name of the only document; several get a number behind it, from 1 on.
        sentences: How many sentences a document has at most; all in one if None.

    Raises:
        UsageError: Not even one sentence goes into a document.
    """
    if sentences is not None and sentences < 1:
        raise UsageError(f"found {sentences} sentences per document, expected at least 1")
    step = sentences or len(blocks) or 1
    parts = [tuple(blocks[begin : begin + step]) for begin in range(0, len(blocks), step)]
    if len(parts) <= 1:
        return (Document(name, tuple(blocks)),)
    width = len(str(len(parts)))
    return tuple([Document(f"{name}-{n:0{width}}", part) for n, part in enumerate(parts, start=1)])

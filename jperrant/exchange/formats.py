"""The base of formats, formats by name, and the common parts of annotation tools and corpora.

A format is a frozen dataclass that derives from :class:`Format`: ``read`` yields blocks, ``write`` takes them.
Its fields, made by ``option``, are its options. Dialects of M2 derive from it
(``jperrant/m2tools/m2_formats.py``), and so do annotation tools and corpora (:class:`ToolFormat`). These only
define how a file is read into texts with marked regions (``texts``) and how a corpus is written to files
(``export``). The side file, documents, names of annotators, folders and unreadable places are handled here, in
the same way for every tool.
"""

from __future__ import annotations

import errno
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, cast

from jperrant.core import packages
from jperrant.core.errors import FormatError, InputError, UsageError, check_known
from jperrant.core.option import build, check_options, written_options
from jperrant.core.packages import entry_points, with_entries
from jperrant.core.values import Block, format_block
from jperrant.exchange.collect import Collector, Findings
from jperrant.exchange.marks import Document, MarkedText
from jperrant.exchange.side_file import (
    SUFFIX,
    Exact,
    Original,
    find_side_file,
    original_of,
    read_side_file,
    side_file_lines,
)  # fmt: skip
from jperrant.io.files import STDIO, decode_lines, open_outputs, reason
from jperrant.io.m2 import FormatDeviations, parse_m2

COMPRESSED = (".gz", ".xz", ".bz2")
_NAME = re.compile(r"(.+)\.a(\d+)")
_OWN = re.compile(r"\Aannotator(0|[1-9][0-9]{0,8})\Z")


@dataclass(frozen=True, slots=True)
class Corpus:
    """The input of an export.

    Attributes:
        documents: The documents in order; together they are the M2 file.
        labels: The types that annotators can choose, such as ``R:NOUN:NUM``, each with its meaning (or
            nothing). All types of the documents are among them.
        annotators: The annotators of all documents, in ascending order; annotator 0 if nobody has annotated them.
    """

    documents: tuple[Document, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    annotators: tuple[int, ...] = (0,)


@dataclass
class Conversion:
    """The settings of a conversion, and its findings and notes.

    Attributes:
        inputs: The files that are read.
        out: The file or folder that is written.
        lang: The language whose pack has the names of labels in other schemes; empty for the dialect's own.
        labels: The types of the pack that was chosen, each with what it means; empty without one.
        deviations: Counts deviations from the dialect of M2, or makes them errors.
        sentences: The most sentences of a document; None for all of them.
        side: The side file; None for the one beside the input.
        annotators: Numbers of annotators by name.
        complete: Whether every annotator looked at every sentence.
        findings: The findings of an import.
        notes: Notes for the user, a line each.
        original: The M2 file that is read or was exported; None if it is not known.
        exact: Whether blocks of an M2 file come with their exact texts, which a side file keeps.
    """

    inputs: Sequence[str]
    out: str = STDIO
    lang: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)
    deviations: FormatDeviations = field(default_factory=FormatDeviations)
    sentences: int | None = None
    side: str | None = None
    annotators: Mapping[str, int] = field(default_factory=dict)
    complete: bool = False
    findings: Findings = field(default_factory=Findings)
    notes: list[str] = field(default_factory=list)
    original: Original | None = None
    exact: bool = False

    @property
    def name(self) -> str:
        """The name of the input without endings, which names its documents."""
        name = "document" if self.inputs[0] == STDIO else Path(self.inputs[0]).name
        for suffix in (*COMPRESSED, ".m2"):
            name = name.removesuffix(suffix)
        return name or "document"


@dataclass(frozen=True)
class Format(ABC):
    """A format that ``m2 convert`` reads or writes; its fields are its options.

    Attributes:
        name: Its name on the command line.
        description: A description in a few words.
        can_read, can_write: Whether it can be read and written.
        files: Its files in a few words (``a folder: DOC.txt and DOC.ann for each annotator``).
        suffix: The ending of the one file that it writes; empty for a folder.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    can_read: ClassVar[bool] = True
    can_write: ClassVar[bool] = True
    files: ClassVar[str] = "a file"
    suffix: ClassVar[str] = ""

    def __post_init__(self) -> None:
        check_options(self)

    @abstractmethod
    def read(self, job: Conversion, /) -> Iterator[Exact]:
        """Yield the blocks of the files.

        Raises:
            FormatError: A file is not in the format; names file and place.
        """

    @abstractmethod
    def write(self, blocks: Iterable[Exact], job: Conversion, /) -> list[str]:
        """Write blocks and return the names of the files.

        Raises:
            InputError: The format cannot hold something; names the sentence.
        """


GROUP = "jperrant.exchange_formats"
#: The built-in formats, imported on demand.
BUILT_IN = {
    "m2": "jperrant.m2tools.m2_formats:M2",
    "source": "jperrant.m2tools.m2_formats:SourceText",
    "text": "jperrant.m2tools.m2_formats:CorrectedText",
    "cherrant": "jperrant.m2tools.m2_formats:Cherrant",
    "kagas": "jperrant.m2tools.m2_formats:Kagas",
    "inception": "jperrant.exchange.inception:InceptionFormat",
    "label-studio": "jperrant.exchange.label_studio:LabelStudioFormat",
    "brat": "jperrant.exchange.brat:BratFormat",
    "ua-gec": "jperrant.exchange.ua_gec:UaGecFormat",
    "bea-json": "jperrant.exchange.bea_json:BeaJsonFormat",
    "clc-xml": "jperrant.exchange.clc_xml:ClcXmlFormat",
    "iceec-tei": "jperrant.exchange.iceec_tei:IceecTeiFormat",
    "svala": "jperrant.exchange.svala:SvalaFormat",
    "conllu": "jperrant.exchange.conllu_misc:ConlluFormat",
    "review": "jperrant.exchange.review_files:ReviewFormat",
    "cows-l2h": "jperrant.exchange.corpora:CowsFormat",
    "rlc-gec": "jperrant.exchange.corpora:RlcFormat",
    "nucle": "jperrant.exchange.corpora:NucleFormat",
    "cged": "jperrant.exchange.corpora:CgedFormat",
}


def formats() -> dict[str, str]:
    """Return every known format and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, entry_points(GROUP), "exchange format")


def format_class(name: str) -> type[Format]:
    """Return the class of a format, which takes the format's options.

    Raises:
        UsageError: The format is unknown, or the package that brings it is broken.
    """
    known = formats()
    check_known("format", name, sorted(known))
    return cast(type[Format], packages.imported(known[name], "exchange format"))


def importable() -> tuple[list[str], list[str]]:
    """Return the formats that can be used, and a line for each one whose package is broken.

    Raises:
        UsageError: Two packages use one name.
    """
    return packages.importable(list(formats()), format_class)


def make_format(spec: str | Format) -> Format:
    """Return a format with its options.

    Args:
        spec: Its name, and after a colon its options as text (``ua-gec:text=raw``), or the format.

    Raises:
        UsageError: The format or an option is unknown, or a value is impossible.
    """
    if not isinstance(spec, str):
        return spec
    name, _, text = spec.partition(":")
    factory, what = format_class(name.strip()), f"format {name.strip()!r}"
    return build(factory, what, written_options(text, factory, what))


@dataclass(frozen=True)
class ToolFormat(Format):
    """A format of an annotation tool or a corpus: texts in which annotators marked stretches.

    Attributes:
        ending: The ending of the names of its files in a folder.
        beside: The ending of a file that belongs to each of these; empty for none.
        deep: Whether files in subfolders are read.
    """

    ending: ClassVar[str] = ""
    beside: ClassVar[str] = ""
    deep: ClassVar[bool] = False

    @abstractmethod
    def texts(self, file: str, /) -> Iterator[Iterable[MarkedText]]:
        """Yield the marked texts of each part of a file, such as an essay.

        Iterating over a part may raise an error; the other parts are still read.

        Raises:
            FormatError: The file is not in the format; names file and place.
        """

    def export(self, corpus: Corpus, /) -> Mapping[str, Iterable[str]]:  # noqa: ARG002
        """Return the files of a corpus, the text of each in pieces; empty for a format that is only read.

        The key of a file is its path in the folder of the export, with ``/``; empty for a format with one file.

        Raises:
            InputError: The format cannot hold something (also raised while a text is iterated); names sentence
                and annotator.
        """
        return {}

    def inputs(self, path: str, findings: Findings) -> list[str]:
        """Return a file, or the files of a folder sorted by name; findings name links and pipes, which are not
        read.

        Raises:
            InputError: The folder has no such file.
        """
        place, pattern = Path(path), f"*{self.ending}"
        if not place.is_dir():
            return [path]
        named = sorted(place.rglob(pattern) if self.deep else place.glob(pattern))
        if not named:
            raise InputError(f"{path}: found no file {pattern} in the folder")
        files = []
        for file in named:
            both = (file, file.with_suffix(self.beside)) if self.beside else (file,)
            if any(p.is_symlink() or (p.exists() and not (p.is_file() or p.is_dir())) for p in both):
                findings.add("a link or a pipe, which is not followed, left out", str(file))
            elif file.is_file() and not file.name.endswith(SUFFIX):
                files.append(str(file))
        return files

    def read_texts(self, path: str, findings: Findings) -> list[MarkedText]:
        """Return the marked texts of a file or folder; unreadable parts go to the findings."""
        texts: list[MarkedText] = []
        for file in self.inputs(path, findings):
            with findings.noting():
                for part in list(self.texts(file)):
                    with findings.noting():
                        texts += list(part)
        return texts

    def also_read(self) -> list[str]:
        """Return the files named by its options."""
        return []

    def original(self, job: Conversion) -> Original | None:
        """Return the exported M2 file from the side file; None without one."""
        path = job.side or find_side_file(job.inputs[0])
        if path is None and self.can_write:
            job.notes.append(
                f"{job.inputs[0]}: found no side file (NAME.jperrant.json) beside it; what the tool cannot "
                "hold is lost: which sentences an annotator did not look at, empty sentences, the exact text"
            )
        return read_side_file(path) if path else None

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of the marked texts, each readable as M2."""
        job.original, findings = self.original(job), job.findings
        texts = [text for path in job.inputs for text in self.read_texts(path, findings)]
        if findings.problems and not texts:  # if no text is left, nothing is written
            raise findings.problems[0]
        read = [*job.inputs, *self.also_read(), *([job.original.path] if job.original else [])]
        out = Path(job.out).resolve()
        if out.is_file() and any(out.is_relative_to(Path(path).resolve()) for path in read):
            problem = "is one of the files that are read; writing it would overwrite the input"
            raise UsageError(f"{job.out} {problem}")
        collector = Collector(job.original, job.annotators, job.labels, job.complete, findings)
        for number, (block, exact) in enumerate(collector.blocks(texts), start=1):
            if exact is None and not _is_readable(block):
                what = f"sentence {number}: found {block.source} or its edits, which M2 cannot hold"
                findings.problems.append(FormatError(job.inputs[0], None, what))
                findings.check()
            else:
                yield block, exact

    def write(self, blocks: Iterable[Exact], job: Conversion) -> list[str]:
        """Write the files of the tool, and the side file for the import."""
        pairs = list(blocks)
        if not pairs:
            raise InputError(f"{job.inputs[0]}: found no sentences, so there is nothing to convert")
        original = job.original if job.exact else None
        original = original or original_of(job.inputs[0], [block for block, _ in pairs])
        documents = cut_documents(original.blocks, job.name, job.sentences)
        labels = {**job.labels, **{type_: "" for type_ in sorted(original.types) if type_ not in job.labels}}
        files = self.export(Corpus(documents, labels, original.annotators or (0,)))
        side = side_file_lines(original, documents)
        if not self.suffix:
            return write_folder(job.out, {**files, f"{job.name}{SUFFIX}": side})
        contents = {job.out: files[""], job.out + SUFFIX: side}
        if job.out == STDIO:
            del contents[job.out + SUFFIX]
            lacks = "an import will lack what the tool cannot hold"
            job.notes.append(f"no side file is written with standard output; {lacks}")
        with open_outputs(list(contents), job.inputs) as streams:
            for stream, content in zip(streams, contents.values(), strict=True):
                for text in content:
                    stream.write(text)
        return list(contents)


def _is_readable(block: Block) -> bool:
    """Return whether jperrant's reader reads a block back as it was written."""
    try:
        lines = ("\n" + format_block(block)).encode("utf-8", "surrogatepass").split(b"\n")
        return list(parse_m2(decode_lines(lines, ""), "", FormatDeviations())) == [block]
    except InputError:
        return False


def write_folder(path: str, files: Mapping[str, Iterable[str]]) -> list[str]:
    """Write files into a new folder, all or none, and return their names in order.

    Args:
        path: The folder; it does not exist yet, or is empty.
        files: The text of each file, in pieces, by its path in the folder.

    Raises:
        UsageError: The folder holds something, or is standard output.
        InputError: It cannot be written.
    """
    target = Path(path)
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
            for name, content in files.items():
                place = folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("x", encoding="utf-8", newline="\n") as stream:
                    stream.writelines(content)
            if target.is_dir():
                target.rmdir()
            folder.rename(target)
    except OSError as error:
        words = "file name too long" if error.errno == errno.ENAMETOOLONG else reason(error)
        raise InputError(f"{target}: cannot be written ({words})") from None
    except UnicodeEncodeError:
        problem = f"{target}: found half of a surrogate pair, which UTF-8 cannot encode; remove it"
        raise InputError(problem) from None
    return [str(target / name) for name in files]


@dataclass(frozen=True)
class AnnotatorFiles(ToolFormat):
    """A format with one file for each document and each of its annotators: ``DOC.a0.ann``."""

    def export(self, corpus: Corpus) -> Mapping[str, Iterable[str]]:
        """Return a file for each document and annotator."""
        return {
            f"{document.name}.a{annotator}{self.ending}": self.lines(document, annotator)
            for document in corpus.documents
            for annotator in document.annotators
        }

    def texts(self, file: str) -> Iterator[Iterable[MarkedText]]:
        """Yield the text of a file."""
        name = Path(file).name.removesuffix(self.ending)
        match = _NAME.fullmatch(name)
        yield [self.text_of(file, *(match.groups() if match else (name, "0")))]

    @abstractmethod
    def lines(self, document: Document, annotator: int, /) -> Iterator[str]:
        """Yield the lines of a file."""

    @abstractmethod
    def text_of(self, file: str, document: str, annotator: str, /) -> MarkedText:
        """Return the text of a file."""


def annotator_of(name: str) -> str:
    """Return the annotator of a folder or file by its name: the number, if the export gave one, else the name.

    >>> annotator_of("annotator1"), annotator_of("maria")
    ('1', 'maria')
    """
    return _OWN.sub(r"\1", name)


def cut_documents(blocks: Sequence[Block], name: str, sentences: int | None = None) -> tuple[Document, ...]:
    """Return the documents of a file.

    Args:
        blocks: Its blocks.
        name: The name of the only document; several documents get numbers after it, from 1.
        sentences: The most sentences of a document; None for one document.

    Raises:
        UsageError: Documents would have less than one sentence.
    """
    if sentences is not None and sentences < 1:
        raise UsageError(f"found {sentences} sentences per document, expected at least 1")
    step = sentences or len(blocks) or 1
    parts = [tuple(blocks[begin : begin + step]) for begin in range(0, len(blocks), step)]
    if len(parts) <= 1:
        return (Document(name, tuple(blocks)),)
    width = len(str(len(parts)))
    return tuple([Document(f"{name}-{n:0{width}}", part) for n, part in enumerate(parts, start=1)])

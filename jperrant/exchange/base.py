"""What a format is, and the values that go into one and come out of one.

A format is a frozen dataclass that derives from :class:`Format`: ``read`` yields blocks, ``write`` takes them. Its
fields, made by ``option``, are its options. Dialects of M2 derive from it (``jperrant/m2tools/dialects.py``), and
so do annotation tools and corpora (:class:`~jperrant.exchange.tool.ToolFormat`), which only say what their files
hold: texts, and the regions that one annotator marked in them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from jperrant.core import packages
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.option import build, check_options, written_options
from jperrant.core.packages import entry_points, with_entries
from jperrant.core.values import Block
from jperrant.exchange.side_file import Document, Original
from jperrant.io.files import STDIO
from jperrant.io.m2 import FormatDeviations

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: A block, and its text in the file that it comes from, where it is to be written as it was there.
Exact = tuple[Block, str | None]
COMPRESSED = (".gz", ".xz", ".bz2")


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is exported.

    Attributes:
        name: The name of the M2 file, without a suffix.
        documents: The documents in order, together the M2 file.
        labels: The types an annotator can choose, such as ``R:NOUN:NUM``, each with what it means (or nothing); all
            types that the documents use are among them.
        annotators: The annotators of all documents, in ascending order.
    """

    name: str
    documents: tuple[Document, ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    annotators: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file to write.

    Attributes:
        name: Its path in the folder of the export, with ``/``; empty for a format of one file.
        content: Its text in pieces.
    """

    name: str
    content: Iterable[str]


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of text that an annotator marked.

    Attributes:
        start, end: Half-open range of code points in the text; equal where something is missing. A tool that counts
            UTF-16 code units may say so of the text (``MarkedText.utf16``).
        type: The error type as in M2.
        correction: What stands there instead, as the correction field of M2: tokens separated by spaces, an empty
            text for a deletion, ``-NONE-`` for none, ``||`` between alternatives. None where the tool has none.
        id: What the tool's file calls it, for messages (``T2``, ``line 4``).
        covered: The text that the file says it covers; None where it does not say.
        insert: ``before`` or ``after`` if it stands for an insertion beside what it covers, in a tool that has no
            zero-width regions; else empty.
    """

    start: int
    end: int
    type: str
    correction: str | None
    id: str = ""
    covered: str | None = None
    insert: Literal["", "before", "after"] = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of characters that was marked in running text; ``inline`` makes regions of whole tokens of them.

    Attributes:
        start, end: Half-open range of characters.
        type: The error type; empty where the file has none.
        corrections: The corrected text with its white space, alternatives after the first; None where only an error
            is marked.
        id: What messages call it.
    """

    start: int
    end: int
    type: str
    corrections: tuple[str, ...] | None
    id: str = ""


@dataclass(frozen=True, slots=True)
class MarkedText:
    """What one annotator did to one text.

    Attributes:
        file: The file it was read from, for messages.
        document: The name of the document.
        annotator: What the tool calls the annotator; ``0``, ``1`` … where the export gave the name. Empty if nobody
            has annotated the text: its sentences come out all the same.
        text: The text: sentences separated by newlines, their tokens by white space.
        regions: What was marked, in the file's order; regions of one place stay in that order.
        marks: What was marked in running text, as long as regions are not made of it.
        sentence: If the text is one sentence: which one of the document, counted from 0; None for a whole document.
        finished: Whether the annotator says that the work is done; what is not is counted and left out.
        curated: Whether somebody made it of the work of all annotators.
        remarks: What the file holds that M2 cannot, a few words each; counted and left out.
        utf16: Whether offsets count UTF-16 code units; otherwise that is tried only where covered texts differ.
        trusts_offsets: Whether a covered text that differs is only worth a warning, because the tool is known to
            write stale ones.
        keeps_order: Whether regions of one place stand in the order in which their edits apply, which people can
            change in the tool; otherwise that of the original is put back.
    """

    file: str
    document: str
    annotator: str
    text: str
    regions: tuple[Region, ...] = ()
    sentence: int | None = None
    finished: bool = True
    curated: bool = False
    remarks: tuple[str, ...] = ()
    utf16: bool = False
    trusts_offsets: bool = False
    keeps_order: bool = False
    marks: tuple[Mark, ...] = ()


class Findings:
    """What a person should look at, counted by kind, and the places that cannot be read.

    Attributes:
        counts: How often each kind was met.
        first: File and place of the first of each kind.
        problems: What cannot be read.
        skips: Whether the texts of these places are left out; else they end the import, once all are known.
    """

    def __init__(self, skips: bool = False) -> None:
        self.counts: dict[str, int] = {}
        self.first: dict[str, str] = {}
        self.problems: list[FormatError] = []
        self.skips = skips

    def add(self, kind: str, place: str) -> None:
        """Count one."""
        self.counts[kind] = self.counts.get(kind, 0) + 1
        self.first.setdefault(kind, place)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Go on behind the block where something in it cannot be read."""
        try:
            yield
        except FormatError as error:
            self.problems.append(error)

    def check(self) -> None:
        """Refuse what cannot be read, unless it is left out.

        Raises:
            FormatError: The first place, and where the others are.
        """
        if self.problems and not self.skips:
            first, *others = self.problems
            if others:
                places = ", ".join(dict.fromkeys(f"{e.file}:{e.line}" if e.line else e.file for e in others))
                problem = f"{first.problem}; and {plural(len(others), 'more place')}: {places}"
                raise FormatError(
                    first.file, first.line, f"{problem}; --on-error=skip leaves these texts out"
                )
            raise first

    def lines(self) -> list[str]:
        """Return one line for each kind, and one for each place that cannot be read."""
        kinds = [
            f"{self.first[kind]}: {kind}" + (f" ({n} times; this is the first)" if n > 1 else "")
            for kind, n in self.counts.items()
        ]
        left_out = f"{plural(len(self.problems), 'text')} left out, which cannot be read"
        return [
            *kinds,
            *[f"{error}; left out" for error in self.problems],
            *([left_out] if self.problems else []),
        ]


@dataclass
class Conversion:
    """What a format needs to know of a conversion, and where it tells of it.

    Attributes:
        inputs: The files that are read.
        out: The file or folder that is written.
        lang: The language whose pack says how labels are written elsewhere; empty for that of the dialect.
        labels: The types of the pack that was chosen, each with what it means; empty without one.
        deviations: Counts what is not in the dialect of M2, or makes it an error.
        sentences: How many sentences a document has at most; all of them if None.
        side: The side file; None for the one beside the input.
        annotators: Numbers of annotators by name.
        complete: Whether everybody has looked at every sentence.
        findings: What an import met.
        notes: What people should know, a line each.
        original: The M2 file that is read, or was exported; None where that is not known.
        exact: Whether blocks of an M2 file are to come with their exact texts, which a side file keeps.
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
        """The name of the input without its endings, for the documents made of it."""
        return stem(self.inputs[0])


def stem(path: str) -> str:
    """Return the name of a file without ``.m2`` and what a compressed file ends in."""
    if path == STDIO:
        return "document"
    name = Path(path).name
    for suffix in (*COMPRESSED, ".m2"):
        name = name.removesuffix(suffix)
    return name or "document"


@dataclass(frozen=True)
class Format(ABC):
    """A format that ``m2 convert`` reads or writes; its fields are its options.

    Attributes:
        name: Its name on the command line.
        description: What it is, in a few words.
        can_read, can_write: Which ways it goes.
        files: What is written, in a few words (``a folder: DOC.txt and DOC.ann for each annotator``).
        suffix: The ending of the one file that it writes.
        loses: What it cannot hold even with the side file, in a few words; empty if nothing.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    can_read: ClassVar[bool] = True
    can_write: ClassVar[bool] = True
    files: ClassVar[str] = "a file"
    suffix: ClassVar[str] = ""
    loses: ClassVar[str] = ""

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
#: Formats of our own, imported only when asked for.
BUILT_IN = {
    "m2": "jperrant.m2tools.dialects:M2",
    "source": "jperrant.m2tools.dialects:SourceText",
    "text": "jperrant.m2tools.dialects:CorrectedText",
    "cherrant": "jperrant.m2tools.dialects:Cherrant",
    "kagas": "jperrant.m2tools.dialects:Kagas",
    "inception": "jperrant.exchange.inception:InceptionFormat",
    "label-studio": "jperrant.exchange.label_studio:LabelStudioFormat",
    "brat": "jperrant.exchange.brat:BratFormat",
    "ua-gec": "jperrant.exchange.ua_gec:UaGecFormat",
    "bea-json": "jperrant.exchange.bea_json:BeaJsonFormat",
    "clc-xml": "jperrant.exchange.clc_xml:ClcXmlFormat",
    "iceec-tei": "jperrant.exchange.iceec_tei:IceecTeiFormat",
    "svala": "jperrant.exchange.svala:SvalaFormat",
    "conllu": "jperrant.exchange.conllu_misc:ConlluFormat",
    "review": "jperrant.exchange.review:ReviewFormat",
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
    return with_entries(BUILT_IN, _entry_points(), "exchange format")


def format_class(name: str) -> type[Format]:
    """Return what makes a format when it is called with options.

    Raises:
        UsageError: The format is unknown, or the package that brings it is broken.
    """
    known = formats()
    if name not in known:
        raise UsageError(
            f"unknown format {name!r}{nearest(name, known)}; expected one of {', '.join(sorted(known))}"
        )
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


def _entry_points() -> list[EntryPoint]:
    return entry_points(group=GROUP)

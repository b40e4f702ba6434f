"""What an exchange format is, and the values that go into one and come out of one.

A format is a frozen dataclass that derives from :class:`ExchangeFormat`. Its fields, made by ``option``, are
its options. To export, it turns a :class:`Corpus` into the files of a tool. To import, it reads those files as
:class:`MarkedText`: texts and the regions that one annotator marked in them. What all formats have in common is
done outside of them: writing files, checking texts, placing regions on tokens, restoring what no tool carries
(``jperrant/exchange/collect.py``).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from jperrant.core.errors import UsageError
from jperrant.core.option import check_options
from jperrant.core.values import Block


@dataclass(frozen=True, slots=True)
class Document:
    """Sentences that an annotator sees together.

    Attributes:
        name: Its name, without a suffix; a file can have it.
        blocks: The sentences with all annotations.
        first: How many sentences of the corpus stand before it.
    """

    name: str
    blocks: tuple[Block, ...]
    first: int = 0


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
class MarkedText:
    """What one annotator did to one text.

    Attributes:
        file: The file it was read from, for messages.
        document: The name of the document.
        annotator: What the tool calls the annotator; ``0``, ``1`` … where the export gave the name. Empty if nobody
            has annotated the text: its sentences come out all the same.
        text: The text: sentences separated by newlines, their tokens by white space.
        regions: What was marked, in the file's order; regions of one place stay in that order.
        sentence: If the text is one sentence: which one of the document, counted from 0; None for a whole document.
        finished: Whether the annotator says that the work is done; what is not is counted and left out.
        curated: Whether somebody made it of the work of all annotators.
        minimise: Whether a region whose correction repeats the word before or after it marks a missing word there,
            in a tool that has no zero-width regions.
        first_only: Whether the tool holds only the first of alternative corrections; the others come back with it.
        remarks: What the file holds that M2 cannot, a few words each; counted and left out.
        utf16: Whether offsets count UTF-16 code units; otherwise that is tried only where covered texts differ.
        trusts_offsets: Whether a covered text that differs is only worth a warning, because the tool is known to
            write stale ones.
        comments: What people wrote about the text; an import puts it into its log.
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
    minimise: bool = False
    first_only: bool = False
    remarks: tuple[str, ...] = ()
    utf16: bool = False
    trusts_offsets: bool = False
    comments: tuple[str, ...] = ()
    keeps_order: bool = False


@dataclass(frozen=True)
class ExchangeFormat(ABC):
    """A format of an annotation tool; its fields are its options.

    Attributes:
        name: Its name on the command line.
        description: The tool and the format, in a few words.
        can_export, can_import: Which ways it goes.
        files: What is written, in a few words (``a folder: DOC.txt and DOC.ann for each annotator``).
        is_folder: Whether it writes a folder, and not one file.
        suffix: The ending of the one file that it writes.
        extra: The extra of jperrant that an export needs; empty for none.
        modules: The modules that the extra brings.
        input_options: Which options name a file that an import reads.
        loses: What it cannot carry even with the side file, in a few words; empty if nothing.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    can_export: ClassVar[bool] = True
    can_import: ClassVar[bool] = True
    files: ClassVar[str]
    is_folder: ClassVar[bool] = False
    suffix: ClassVar[str] = ""
    extra: ClassVar[str] = ""
    modules: ClassVar[tuple[str, ...]] = ()
    input_options: ClassVar[tuple[str, ...]] = ()
    loses: ClassVar[str] = ""

    def __post_init__(self) -> None:
        check_options(self)

    def export(self, corpus: Corpus, /) -> Iterator[ExportedFile]:  # noqa: ARG002
        """Yield the files of a corpus.

        Raises:
            InputError: The format cannot hold something; the message names sentence and annotator.
        """
        raise UsageError(f"format {self.name!r} can only be imported")

    def side_record(self, path: str, /) -> Mapping[str, Any] | None:  # noqa: ARG002
        """Return what a side file would hold, for a format whose own file holds it too; None for all others.

        Raises:
            FormatError: The file is not in the format.
        """
        return None

    def read(self, path: str, /) -> Iterator[MarkedText]:  # noqa: ARG002
        """Yield what annotators marked in a file, or in the files of a folder.

        Raises:
            FormatError: A file is not in the format; names file and place.
        """
        raise UsageError(
            f"format {self.name!r} can only be exported{': ' + self.loses if self.loses else ''}"
        )

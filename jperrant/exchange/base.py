"""What an exchange format is, and the values that go into one and come out of one.

A format is a frozen dataclass that derives from :class:`ExchangeFormat`. Its fields, made by ``option``, are
its options. To export, it turns a :class:`Corpus` into the files of a tool. To import, it reads those files as
:class:`MarkedText`: texts and the regions that one annotator marked in them. What all formats have in common is
done outside of them: writing files, checking texts, placing regions on tokens, restoring what no tool carries
(``jperrant/exchange/collect.py``).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from jperrant.core import packages
from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import Declared, build, check_options, options_of
from jperrant.core.packages import entry_points, with_entries
from jperrant.core.values import Block

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


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
        problem = f"format {self.name!r} can only be exported{': ' + self.loses if self.loses else ''}"
        raise UsageError(problem)


GROUP = "jperrant.exchange_formats"
#: Formats of our own, imported only when asked for.
BUILT_IN = {
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
}
_SWITCH = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}


def formats() -> dict[str, str]:
    """Return every known format and where it comes from, as ``module:object``.

    Raises:
        UsageError: Two packages use one name; both are named.
    """
    return with_entries(BUILT_IN, _entry_points(), "exchange format")


def format_class(name: str) -> type[ExchangeFormat]:
    """Return what makes a format when it is called with options.

    Raises:
        UsageError: The format is unknown, or the package that brings it is broken.
    """
    known = formats()
    if name not in known:
        raise UsageError(
            f"unknown exchange format {name!r}{nearest(name, known)}; expected one of {', '.join(sorted(known))}"
        )
    return cast(type[ExchangeFormat], packages.imported(known[name], "exchange format"))


def importable() -> tuple[list[str], list[str]]:
    """Return the formats that can be used, and a line for each one whose package is broken.

    Raises:
        UsageError: Two packages use one name.
    """
    return packages.importable(sorted(formats()), format_class)


def make_format(spec: str) -> ExchangeFormat:
    """Return a format with its options.

    Args:
        spec: Its name, and after a colon its options as text (``inception:serialisation=json``).

    Raises:
        UsageError: The format or an option is unknown, or a value is impossible.
    """
    name = spec.partition(":")[0].strip()
    return cast(ExchangeFormat, with_options(spec, format_class(name), f"exchange format {name!r}"))


def with_options(spec: str, factory: Callable[..., Any], what: str) -> Any:
    """Return what a class makes of the options that stand behind its name.

    Args:
        spec: The name, and after a colon options as text (``NAME=VALUE`` separated by commas).
        factory: A dataclass of options.
        what: What it is, for messages.

    Raises:
        UsageError: An option is unknown, or a value is impossible.
    """
    text = spec.partition(":")[2]
    written = _written(text, {option.name: option for option in options_of(factory)}, what)
    return build(factory, what, written)


def _written(text: str, declared: dict[str, Declared], what: str) -> dict[str, Any]:
    """Return options that stand as text, ``NAME=VALUE`` separated by commas."""
    values: dict[str, Any] = {}
    for part in text.split(",") if text else []:
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        option = declared.get(key)
        # One that does not exist is refused, with the nearest name, when the format is made.
        values[key] = _value(option, value.strip() if equals else "yes", what) if option else value
    return values


def _value(option: Declared, text: str, what: str) -> Any:
    try:
        return _SWITCH[text.lower()] if option.kind is bool else option.kind(text)
    except (KeyError, ValueError):
        expected = {int: "a whole number", float: "a number", bool: "yes or no"}[option.kind]
        raise UsageError(f"{what}: {option.name}={text!r}, expected {expected}") from None


def _entry_points() -> list[EntryPoint]:
    return entry_points(group=GROUP)

"""What ``m2 convert`` reads and writes besides files of annotation tools: M2, its dialects, and plain text."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TextIO

from jperrant.core.edits import corrected
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import check_options, option
from jperrant.core.values import Block
from jperrant.io.m2 import FormatDeviations, read_m2, write_m2


@dataclass(frozen=True, slots=True)
class Converted:
    """What a conversion did.

    Attributes:
        sentences: How many sentences went over.
        files: What was written.
        notes: What people should know, a line each.
        changed: What the log holds, in a line; empty without a log.
    """

    sentences: int
    files: tuple[str, ...]
    notes: tuple[str, ...] = ()
    changed: str = ""


@dataclass(frozen=True)
class Conversion:
    """What a dialect needs to know of a conversion, and where it tells of it.

    Attributes:
        path: The file that is read, for messages too.
        lang: The language whose pack says how its labels are written elsewhere; empty for that of the dialect.
        deviations: Counts what is not in the dialect, or makes it an error.
        notes: Gets what people should know, a line each.
    """

    path: str
    lang: str
    deviations: FormatDeviations
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Dialect(ABC):
    """A form of M2, or of its texts, in one file; its fields are its options.

    Attributes:
        name: Its name on the command line.
        description: What it is, in a few words.
        can_read: Whether it can be read; every dialect can be written.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    can_read: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self)

    def read(self, conversion: Conversion) -> Iterator[Block]:  # noqa: ARG002
        """Yield the blocks of a file.

        Raises:
            UsageError: The dialect holds no edits.
            FormatError: A line cannot be read; names file and line.
        """
        raise UsageError(
            f"format {self.name!r} holds no edits; 'jperrant annotate' makes M2 from a source and its corrections"
        )

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:
        """Write blocks.

        Raises:
            InputError: The dialect cannot hold something; names file and sentence.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class M2(Dialect):
    """M2, as all commands read and write it.

    Attributes:
        tokens: Keep the tokens, or make every character one.
        like: An M2 file of the same sentences whose tokens are used.
    """

    name: ClassVar[str] = "m2"
    description: ClassVar[str] = "M2, the format of all commands"
    tokens: Literal["given", "characters"] = option("given", "Keep the tokens, or make each character one.")
    like: str = option("", "An M2 file of the same sentences whose tokens are used.")

    def read(self, conversion: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file."""
        return read_m2(conversion.path, conversion.deviations.strict, conversion.deviations)

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:
        """Write blocks, on other tokens if so chosen."""
        if self.like:
            from jperrant.m2tools.retokenise import to_tokens_of

            deviations = FormatDeviations(conversion.deviations.strict)
            others = read_m2(self.like, deviations.strict, deviations)
            blocks = to_tokens_of(blocks, others, conversion.path, self.like)
        elif self.tokens == "characters":
            from jperrant.m2tools.retokenise import to_characters
            from jperrant.packs import load_pack

            blocks = to_characters(blocks, load_pack(conversion.lang or "zh").unbroken)
        write_m2(blocks, stream)


@dataclass(frozen=True)
class SourceText(Dialect):
    """The uncorrected text, one sentence a line, tokens separated by spaces."""

    name: ClassVar[str] = "source"
    description: ClassVar[str] = "the uncorrected text, one sentence a line"
    can_read: ClassVar[bool] = False

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:  # noqa: ARG002
        """Write the sources."""
        for line in source_lines(blocks):
            stream.write(line + "\n")


@dataclass(frozen=True)
class CorrectedText(Dialect):
    """The text as one annotator corrected it, one sentence a line, tokens separated by spaces.

    Attributes:
        annotator: Whose edits are applied.
    """

    name: ClassVar[str] = "text"
    description: ClassVar[str] = "the text as one annotator corrected it, one sentence a line"
    can_read: ClassVar[bool] = False
    annotator: int = option(0, "Whose edits are applied.", minimum=0)

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:
        """Write the corrections, as :func:`corrected_lines` gives them."""
        for line in corrected_lines(blocks, self.annotator, file=conversion.path, notes=conversion.notes):
            stream.write(line + "\n")


def source_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the source of each block, tokens joined by spaces."""
    for block in blocks:
        yield " ".join(block.source)


def corrected_lines(
    blocks: Iterable[Block], annotator: int = 0, *, file: str = "M2", notes: list[str] | None = None
) -> Iterator[str]:
    """Yield each sentence as one annotator corrected it, tokens joined by spaces.

    Detection edits change nothing; of alternative corrections the first is used. Sentences without an
    annotation by the annotator stay as they are.

    Args:
        blocks: The blocks.
        annotator: Whose edits to apply.
        file: Name of the file in messages.
        notes: Gets a line when the annotator is missing in some sentences where others are not.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; or, at the end, other annotators were met
            and this one never.
    """
    missing = 0
    others: set[int] = set()
    known = False
    for number, block in enumerate(blocks, start=1):
        annotation = block.annotation(annotator)
        if annotation is not None:
            known = True
            yield " ".join(corrected(block.source, annotation.edits, file, number, annotator))
            continue
        missing += bool(block.annotations)
        others.update(a.annotator for a in block.annotations)
        yield " ".join(block.source)
    if others and not known:
        names = ", ".join(map(str, sorted(others)))
        raise FormatError(file, None, f"found no annotator {annotator}; annotators in this file: {names}")
    if missing and notes is not None:
        notes.append(
            f"{file}: annotator {annotator} is missing in {plural(missing, 'sentence')}, left unchanged"
        )


@dataclass(frozen=True)
class Cherrant(Dialect):
    """The dialect of ChERRANT.

    Attributes:
        letters: What its letters for redundant, substituted and moved are.
        bare: Write letters without classes, as ChERRANT does at character level.
    """

    name: ClassVar[str] = "cherrant"
    description: ClassVar[str] = "ChERRANT's M2: its letters and labels, T lines, -NONE- for deletions"
    letters: Literal["rsw", "ust", "mur"] = option(
        "rsw", "Letters for redundant, substituted, moved: rsw (ChERRANT), ust (CLEME), or M, U, R."
    )
    bare: bool = option(False, "Write letters without classes, as ChERRANT's at character level.")

    def read(self, conversion: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file, of alternatives the first."""
        from jperrant.io.cherrant import read_cherrant

        return read_cherrant(conversion.path, self.letters, conversion.deviations, conversion.notes)

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.cherrant import write_cherrant
        from jperrant.packs import load_pack

        labels = load_pack(conversion.lang or "zh").names_in("cherrant")
        write_cherrant(blocks, stream, self.letters, labels, self.bare, conversion.path)


@dataclass(frozen=True)
class Kagas(Dialect):
    """The dialect of KAGAS."""

    name: ClassVar[str] = "kagas"
    description: ClassVar[str] = "KAGAS's M2: its types, no letters, noop with an empty correction"

    def read(self, conversion: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file, with the labels of the pack."""
        from jperrant.io.kagas import read_kagas
        from jperrant.packs import load_pack

        table = load_pack(conversion.lang or "ko").counterparts
        return read_kagas(conversion.path, table, conversion.deviations)

    def write(self, blocks: Iterable[Block], stream: TextIO, conversion: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.kagas import write_kagas
        from jperrant.packs import load_pack

        write_kagas(blocks, stream, load_pack(conversion.lang or "ko").counterparts)


#: The dialects by name.
DIALECTS: dict[str, type[Dialect]] = {d.name: d for d in (M2, SourceText, CorrectedText, Cherrant, Kagas)}

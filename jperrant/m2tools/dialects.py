"""Dialects of M2, and its texts, as ``m2 convert`` reads and writes them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TextIO

from jperrant.core.edits import corrected
from jperrant.core.errors import FormatError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.progress import track
from jperrant.core.values import Block, format_block
from jperrant.exchange.base import Conversion, Exact, Format
from jperrant.exchange.side_file import read_original
from jperrant.io.files import check_stdin, open_output
from jperrant.io.m2 import FormatDeviations, read_m2, write_m2


@dataclass(frozen=True)
class Dialect(Format):
    """A form of M2, or of its texts, in one file, read and written sentence by sentence."""

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of a file."""
        if not self.can_read:
            return super().read(job)
        blocks = track(self.blocks(job.inputs[0], job), f"reading {job.inputs[0]} (sentences)")
        return ((block, None) for block in blocks)

    def write(self, blocks: Iterable[Exact], job: Conversion) -> list[str]:
        """Write a file, which appears whole or not at all."""
        read = [*job.inputs, *self.also_read()]
        check_stdin(read)
        with open_output(job.out, read) as stream:
            self.put(blocks, stream, job)
        return [job.out]

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:  # noqa: ARG002
        """Yield the blocks of a file; none of a dialect that is only written.

        Raises:
            FormatError: A line cannot be read; names file and line.
        """
        return iter(())

    @abstractmethod
    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks to a stream.

        Raises:
            InputError: The dialect cannot hold something; names file and sentence.
        """


@dataclass(frozen=True)
class M2(Dialect):
    """M2, as all commands read and write it.

    Attributes:
        tokens: Keep the tokens, or make every character one.
        like: An M2 file of the same sentences whose tokens are used.
    """

    name = "m2"
    description = "M2, the format of all commands"
    tokens: Literal["given", "characters"] = option("given", "Keep the tokens, or make each character one.")
    like: str = option("", "An M2 file of the same sentences whose tokens are used.")

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of a file, with their exact texts where these are wanted."""
        if not job.exact:
            return super().read(job)
        original = read_original(job.inputs[0], job.deviations.strict)
        job.original, job.deviations = original, original.deviations
        return zip(original.blocks, original.texts, strict=True)

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file."""
        return read_m2(path, job.deviations.strict, job.deviations)

    def also_read(self) -> list[str]:
        """Return the file whose tokens are used."""
        return [self.like] if self.like else []

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks, on other tokens if so chosen; of an import what nobody changed as it was."""
        if self == M2():
            for number, (block, exact) in enumerate(blocks):
                if job.original and not number:
                    stream.write(job.original.head)
                stream.write(format_block(block) if exact is None else exact)
            return
        from jperrant.m2tools.retokenise import to_characters, to_tokens_of
        from jperrant.packs import load_pack

        if self.like:
            others = read_m2(self.like, deviations=FormatDeviations(job.deviations.strict))
            made = to_tokens_of((block for block, _ in blocks), others, job.inputs[0], self.like)
        else:
            made = to_characters((block for block, _ in blocks), load_pack(job.lang or "zh").unbroken)
        write_m2(made, stream)


@dataclass(frozen=True)
class SourceText(Dialect):
    """The uncorrected text, one sentence a line, tokens separated by spaces."""

    name = "source"
    description = "the uncorrected text, one sentence a line"
    can_read = False

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:  # noqa: ARG002
        """Write the sources."""
        for line in source_lines(block for block, _ in blocks):
            stream.write(line + "\n")


def source_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the source of each block, tokens joined by spaces."""
    for block in blocks:
        yield " ".join(block.source)


@dataclass(frozen=True)
class CorrectedText(Dialect):
    """The text as one annotator corrected it, one sentence a line, tokens separated by spaces.

    Attributes:
        annotator: Whose edits are applied.
    """

    name = "text"
    description = "the text as one annotator corrected it, one sentence a line"
    can_read = False
    annotator: int = option(0, "Whose edits are applied.", minimum=0)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write the corrections, as :func:`corrected_lines` gives them."""
        made = (block for block, _ in blocks)
        for line in corrected_lines(made, self.annotator, file=job.inputs[0], notes=job.notes):
            stream.write(line + "\n")


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

    name = "cherrant"
    description = "ChERRANT's M2: its letters and labels, T lines, -NONE- for deletions"
    letters: Literal["rsw", "ust", "mur"] = option(
        "rsw", "Letters for redundant, substituted, moved: rsw (ChERRANT), ust (CLEME), or M, U, R."
    )
    bare: bool = option(False, "Write letters without classes, as ChERRANT's at character level.")

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file, of alternatives the first."""
        from jperrant.io.cherrant import read_cherrant

        return read_cherrant(path, self.letters, job.deviations, job.notes)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.cherrant import write_cherrant
        from jperrant.packs import load_pack
        from jperrant.packs.labels import label_set

        labels = label_set(load_pack(job.lang or "zh"), "cherrant").names
        made = (block for block, _ in blocks)
        write_cherrant(made, stream, self.letters, labels, self.bare, job.inputs[0])


@dataclass(frozen=True)
class Kagas(Dialect):
    """The dialect of KAGAS."""

    name = "kagas"
    description = "KAGAS's M2: its types, no letters, noop with an empty correction"

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file, with the labels of the pack."""
        from jperrant.io.kagas import read_kagas
        from jperrant.packs import load_pack

        return read_kagas(path, load_pack(job.lang or "ko").counterparts, job.deviations)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.kagas import write_kagas
        from jperrant.packs import load_pack

        write_kagas((block for block, _ in blocks), stream, load_pack(job.lang or "ko").counterparts)

"""Dialects of M2, and its texts, as ``m2 convert`` reads and writes them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal, TextIO

from jperrant.core.edits import clip_block, corrected, minimise
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import option
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block, Edit, format_block
from jperrant.exchange.formats import Conversion, Format
from jperrant.exchange.side_file import Exact, read_original
from jperrant.io.files import open_output
from jperrant.io.m2 import read_m2, write_m2
from jperrant.parse.character_tokens import split_characters


@dataclass(frozen=True)
class Dialect(Format):
    """A form of M2, or of its texts, in one file, read and written sentence by sentence."""

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of a file."""
        blocks = track(self.blocks(job.inputs[0], job), f"reading {job.inputs[0]} (sentences)")
        return ((block, None) for block in blocks)

    def write(self, blocks: Iterable[Exact], job: Conversion) -> list[str]:
        """Write a file atomically."""
        with open_output(job.out, job.inputs) as stream:
            self.put(blocks, stream, job)
        return [job.out]

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:  # noqa: ARG002
        """Yield the blocks of a file.

        Raises:
            FormatError: A line cannot be read; names file and line.
            UsageError: The dialect is only written.
        """
        problem = "holds no edits; 'jperrant annotate' makes M2 from a source and its corrections"
        raise UsageError(f"format {self.name!r} {problem}")

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
        tokens: Keep the tokens, or make each character a token.
    """

    name = "m2"
    description = "M2, the format of all commands"
    tokens: Literal["given", "characters"] = option("given", "Keep the tokens, or split into characters.")

    def read(self, job: Conversion) -> Iterator[Exact]:
        """Yield the blocks of a file, with their exact texts if these are wanted."""
        if not job.exact:
            return super().read(job)
        original = read_original(job.inputs[0], job.deviations.strict)
        job.original, job.deviations = original, original.deviations
        return zip(original.blocks, original.texts, strict=True)

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file."""
        return read_m2(path, job.deviations.strict, job.deviations)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks, over characters if chosen; sentences unchanged since an import stay as they were."""
        if self.tokens == "characters":
            from jperrant.packs.read import pack_keys

            write_m2(
                to_characters((block for block, _ in blocks), pack_keys(job.lang or "zh").unbroken), stream
            )
            return
        for number, (block, exact) in enumerate(blocks):
            if job.original and not number:
                stream.write(job.original.head)
            stream.write(format_block(block) if exact is None else exact)


@dataclass(frozen=True)
class SourceText(Dialect):
    """The uncorrected text, one sentence a line, tokens separated by spaces."""

    name = "source"
    description = "the uncorrected text, one sentence a line"
    can_read = False

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:  # noqa: ARG002
        """Write the sources."""
        for block, _ in blocks:
            stream.write(" ".join(block.source) + "\n")


@dataclass(frozen=True)
class CorrectedText(Dialect):
    """The text as one annotator corrected it, one sentence a line, tokens separated by spaces.

    Attributes:
        annotator: The annotator whose edits are applied.
    """

    name = "text"
    description = "the text as one annotator corrected it, one sentence a line"
    can_read = False
    annotator: int = option(0, "The annotator whose edits are applied.", minimum=0)

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
        notes: Gets a line if the annotator is missing in sentences that others annotated.

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
        letters: Its letters for redundant, substituted and moved.
        bare: Write operations without classes, as ChERRANT does at character level.
    """

    name = "cherrant"
    description = "ChERRANT's M2: its letters and labels, T lines, -NONE- for deletions"
    letters: Literal["rsw", "ust", "mur"] = option(
        "rsw", "Letters for redundant, substituted, moved: rsw (ChERRANT), ust (CLEME), or M, U, R."
    )
    bare: bool = option(False, "Write letters without classes, as ChERRANT's at character level.")

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file; of alternatives the first is read."""
        from jperrant.io.dialects import read_cherrant

        return read_cherrant(path, self.letters, job.deviations, job.notes)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.dialects import write_cherrant
        from jperrant.packs.read import pack_keys

        labels = pack_keys(job.lang or "zh").names_in("cherrant").names
        made = (block for block, _ in blocks)
        write_cherrant(made, stream, self.letters, labels, self.bare, job.inputs[0])


@dataclass(frozen=True)
class Kagas(Dialect):
    """The dialect of KAGAS."""

    name = "kagas"
    description = "KAGAS's M2: its types, no letters, noop with an empty correction"

    def blocks(self, path: str, job: Conversion) -> Iterator[Block]:
        """Yield the blocks of a file, with the labels of the pack."""
        from jperrant.io.dialects import read_kagas
        from jperrant.packs.read import pack_keys

        return read_kagas(path, pack_keys(job.lang or "ko").counterparts, job.deviations)

    def put(self, blocks: Iterable[Exact], stream: TextIO, job: Conversion) -> None:
        """Write blocks."""
        from jperrant.io.dialects import write_kagas
        from jperrant.packs.read import pack_keys

        write_kagas((block for block, _ in blocks), stream, pack_keys(job.lang or "ko").counterparts)


def to_characters(blocks: Iterable[Block], unbroken: Sequence[str] = ()) -> Iterator[Block]:
    """Yield blocks in which every character of sources and corrections is a token.

    Edits are reduced to the characters that they change; an edit that only changed the tokens of a text is
    dropped.

    Args:
        blocks: The blocks.
        unbroken: Strings that stay one token.
    """
    for original in blocks:
        block, _ = clip_block(original)
        tokens = split_characters(block.source, unbroken)
        starts = [0, *accumulate([len(split_characters((token,), unbroken)) for token in block.source])]
        annotations = []
        for annotation in block.annotations:
            edits = [_over_characters(edit, starts, tokens, unbroken) for edit in annotation.edits]
            kept = [edit for edit in edits if edit.is_detection or edit.start < edit.end or edit.correction]
            # A reduced edit may begin after the next one.
            kept.sort(key=lambda edit: (edit.start, edit.end))
            annotations.append(Annotation(annotation.annotator, tuple(kept)))
        yield Block(tokens, tuple(annotations))


def _over_characters(
    edit: Edit, starts: Sequence[int], tokens: Sequence[str], unbroken: Sequence[str]
) -> Edit:
    """Return the shortest edit over characters, with its new operation."""
    start, end = starts[edit.start], starts[edit.end]
    if edit.is_detection:  # a remark is not part of the sentence
        return replace(edit, start=start, end=end)
    correction, *others = [split_characters(c, unbroken) for c in (edit.correction or (), *edit.alternatives)]
    whole = replace(edit, start=start, end=end, correction=correction, alternatives=tuple(others))
    least = minimise(whole, tokens)
    if least.alternatives and least.start == least.end and not least.correction:
        # without an insertion whose first correction is empty, so that only its alternatives insert anything
        least = whole
    letter, colon, label = least.type.partition(":")
    right = "M" if least.start == least.end else "R" if least.correction else "U"
    return replace(least, type=f"{right}{colon}{label}") if letter in ("M", "U", "R") else least

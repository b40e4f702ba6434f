"""Systems and references read side by side: as a whole, or a part of their sentences at a time.

``InStep`` reads what is scored; ``read_blocks`` one M2 file; ``load_pair`` brings two sides to the same sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from os import PathLike, fspath
from typing import TYPE_CHECKING, TypeAlias, cast

from jperrant.core.display import shown
from jperrant.core.edits import clip_block, joined_block, numbers_of
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.messages import agree, plural
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.evaluation.inputs import Input, Inputs, check_source
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.score import Side, Sides
from jperrant.evaluation.texts import (
    FileLines,
    SourceLines,
    Text,
    TextAnnotator,
    check_correction,
    read_text,
    require_text,
    source_line,
)
from jperrant.io.files import STDIO, check_stdin, ended, is_regular
from jperrant.io.m2 import FormatDeviations, read_m2

if TYPE_CHECKING:
    from jperrant.alignment.documents import AlignedBlocks

#: The path of an M2 file, or blocks.
M2Input: TypeAlias = str | PathLike[str] | Iterable[Block]
#: Sentences that are in memory at a time, of each file.
SENTENCES = 1024
_METHOD = "jp"


@dataclass(frozen=True, slots=True)
class BlockFile:
    """The blocks of one side.

    Attributes:
        blocks: The blocks.
        name: The side in tables and messages; the path of a file.
        notes: What was read leniently, in at most one line.
    """

    blocks: tuple[Block, ...]
    name: str
    notes: tuple[str, ...] = ()


class RefusingDeviations(FormatDeviations):
    """Deviations from M2, some kinds of which are errors; the others are counted.

    Args:
        strict: Whether all kinds are errors.
        refused: The kinds that are always errors.
    """

    def __init__(self, strict: bool, refused: Collection[str]) -> None:
        super().__init__(strict)
        self.refused = refused

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Count a deviation, or raise it as a FormatError when strict or when its kind is refused."""
        if kind in self.refused:
            # Its alternatives (T0-A1) lie over the edits before them.
            hint = "; this looks like a file of ChERRANT: jperrant m2 convert IN OUT --from cherrant makes M2"
            known = any(kind.startswith("ChERRANT") for kind in self.counts)
            raise FormatError(file, line, f"{kind}: {example}{hint if known else ''}")
        super().add(file, line, kind, example)


class M2Reader:
    """The blocks of an M2 file, one after the other; it must have a sentence.

    Args:
        path: The file.
        strict: Make every deviation from the M2 dialect an error.
        refused: Kinds of deviations that are errors also where reading is not strict.
    """

    def __init__(self, path: str, strict: bool = False, refused: Collection[str] = ()) -> None:
        self.path, self._strict = path, strict
        self._deviations = RefusingDeviations(strict, refused)

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks.

        Raises:
            FormatError: The file is not M2, or has no sentences.
            InputError: It cannot be read.
        """
        empty = True
        try:
            for block in read_m2(self.path, self._strict, self._deviations):
                empty = False
                yield block
        except FormatError as error:
            if is_regular(self.path) or error.line != 1:
                raise
            # What can be read only once is not looked at beforehand, so text is taken for M2.
            what = "standard input" if self.path == STDIO else "a pipe"
            raise FormatError(
                self.path, 1, f"{error.problem}; {what} is read as M2, give text as a file"
            ) from None
        if empty:
            raise FormatError(
                self.path, None, "found no sentences, expected M2 blocks that begin with an S line"
            )

    def notes(self) -> tuple[str, ...]:
        """Return what was read leniently, in at most one line."""
        summary = self._deviations.summary(self.path)
        return (summary,) if summary else ()


def read_blocks(side: M2Input, name: str, strict: bool = False, refused: Collection[str] = ()) -> BlockFile:
    """Return the blocks of one side.

    Args:
        side: The path of an M2 file, or blocks; a file must have a sentence, blocks may be none.
        name: What to call blocks in memory.
        strict, refused: As in :class:`M2Reader`.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: The file cannot be read, or blocks in memory are outside their sentence if strict.
    """
    if not isinstance(side, str | PathLike):
        return _in_memory(side, name, strict)
    reader = M2Reader(fspath(side), strict, refused)
    return BlockFile(tuple(reader), reader.path, reader.notes())


def _in_memory(blocks: Iterable[Block], name: str, strict: bool) -> BlockFile:
    """Return blocks from memory, edits outside their sentence clipped as those of a file are."""
    inside, outside = [], 0
    for number, block in enumerate(blocks, start=1):
        if not isinstance(block, Block):
            raise InputError(
                f"{name}: sentence {number} (counted from 1) is {shown(block)}, expected a Block, or a list of "
                "strings"
            )
        clipped, count = clip_block(block)
        if count and strict:
            raise InputError(f"{name}: sentence {number} has {plural(count, 'edit')} outside the sentence")
        inside.append(clipped)
        outside += count
    note = (
        f"{name}: {plural(outside, 'edit')} outside the sentence {agree(outside, 'is', 'are')} clipped to it"
    )
    return BlockFile(tuple(inside), name, (note,) if outside else ())


def load_pair(
    hypothesis: Sequence[Block],
    references: Sequence[Block],
    name: str = "hypothesis",
    reference_name: str = "references",
) -> Pair:
    """Return the two sides as a pair over the same sentences, aligned if they are not over the same already.

    Args:
        hypothesis, references: The blocks of both files.
        name, reference_name: Their names in messages.

    Raises:
        InputError: The sides are not the same text; shows where they part.
    """
    if [b.source for b in hypothesis] == [b.source for b in references]:
        return Pair(hypothesis, references, name)
    from jperrant.alignment.documents import align_blocks  # most files need no alignment

    aligned = align_blocks(hypothesis, references, _METHOD, hyp_name=name, ref_name=reference_name)
    note = _note(aligned, name, reference_name)
    return Pair(aligned.hyp, aligned.ref, name, (note,), _METHOD, _spans(aligned))


def _spans(aligned: AlignedBlocks) -> tuple[tuple[int, int], ...]:
    """Return for each group the half-open range of the reference's blocks, empty where it has none."""
    spans, end = [], 0
    for ref, _ in aligned.groups:
        start, end = end, end + len(ref)
        spans.append((start, end))
    return tuple(spans)


def _note(aligned: AlignedBlocks, name: str, reference_name: str) -> str:
    """Return in one line what the alignment did, leaving out what did not happen."""
    happened = {
        "with different tokens (edits re-indexed to those of the references)": aligned.retokenised,
        "unaligned (their edits count as missed or wrong)": aligned.unaligned,
        "with an annotator missing in a part (read as unchanged there)": aligned.missing_annotator,
    }
    edits = ""
    if aligned.mixed:
        edits = (
            f"; {plural(aligned.mixed, 'edit')} joined of edits with different types, of type R:OTHER or of the "
            "label they share: figures by type and the mode cse count them so"
        )
    groups = ", ".join(
        [plural(len(aligned.groups), "group"), *(f"{n} {what}" for what, n in happened.items() if n)]
    )
    return (
        f"{name}: its sentences or tokens differ from those of {reference_name}; "
        f"aligned {plural(sum(len(hyp) for _, hyp in aligned.groups), 'sentence')} to "
        f"{sum(len(ref) for ref, _ in aligned.groups)}: {groups}{edits}"
    )


class OtherSentencesError(Exception):
    """The files do not have the same sentences and tokens: they have to be aligned, for which all must be there.

    Args:
        path: A file with other ones than the first.
        first: The first file.
    """

    def __init__(self, path: str, first: str) -> None:
        super().__init__(path, first)
        self.path, self.first = path, first


class InStep:
    """Systems and their references, read side by side.

    Args:
        inputs: What is scored.
        refused: Kinds of format deviations that are errors even when reading leniently.
        size: Sentences that are in memory at a time, of each file; None to read everything at once, which raw texts
            need, as well as what is no regular file, and files whose sentences or tokens differ.
        numbers: For each file of references the new numbers of its annotators, where the files are parts of larger
            ones.
        first: The number of the first sentence in the corpus, from 1, where the files are parts of larger ones.

    Raises:
        UsageError: No system, or texts without their source.
        InputError, FormatError: A file cannot be read, or what stands for the source is no text.
    """

    def __init__(
        self,
        inputs: Inputs,
        refused: Collection[str] = (),
        size: int | None = None,
        numbers: Sequence[Mapping[int, int]] | None = None,
        first: int = 1,
    ) -> None:
        if not inputs.hypotheses:
            raise UsageError("found no systems to score; give at least one hypothesis")
        check_stdin([*inputs.hypotheses, *inputs.references, inputs.source])
        self._inputs, self._refused, self._size, self._first = inputs, refused, size, first
        self._given_numbers = numbers
        self._gold = len(inputs.references)
        self._given: list[Input] = [*inputs.references, *inputs.hypotheses]
        self._names = [inputs.reference_name(n) for n in range(self._gold)]
        self._names += [inputs.hypothesis_name(n) for n in range(len(inputs.hypotheses))]
        self._texts = [n for n, one in enumerate(self._given) if inputs.is_text(one)]
        if self._texts and len(self._texts) == len(self._given) and inputs.source is None:
            text = self._given[min(self._texts, key=lambda n: (n < self._gold, n))]
            named = (
                f"{fspath(text)} is text, not M2" if isinstance(text, str | PathLike) else "texts are given"
            )
            raise UsageError(
                f"{named}; to score texts, give the text that was corrected: jperrant score SYSTEM --ref REFERENCE "
                "--source FILE"
            )
        self._sides = [Side() for _ in inputs.hypotheses]
        self._gold_side = Side()
        self._readers: dict[int, M2Reader] = {}

    def __iter__(self) -> Iterator[list[Pair]]:
        """Yield the pairs of all systems, for the next sentences or for all; they share their references.

        Raises:
            OtherSentencesError: Sentences or tokens differ; only where parts are read.
            FormatError: A file is not M2, or has no sentences.
            InputError: A file cannot be read, or is no version of the source.
        """
        if self._size is None:
            yield self._whole()
        else:
            yield from self._parts(self._size)

    @property
    def sides(self) -> list[Sides]:
        """Notes about each system, its references and how files were read; whole after the last part."""
        notes = [self._readers[n].notes() if n in self._readers else () for n in range(len(self._given))]
        gold = [note for own in notes[: self._gold] for note in own]
        both = zip(notes[self._gold :], self._sides, self._names[self._gold :], strict=True)
        return [
            Sides(name, side, self._gold_side, (*own, *(gold if number == 0 else ())))
            for number, (own, side, name) in enumerate(both)
        ]

    def _whole(self) -> list[Pair]:
        """Return the pairs of everything, aligned where sentences or tokens differ."""
        files: dict[int, BlockFile] = {}
        for n, given in enumerate(self._given):
            if n not in self._texts:
                m2: M2Input = given  # type: ignore[assignment]
                files[n] = read_blocks(m2, self._names[n], self._inputs.strict, refused=self._refused)
        if self._texts:
            files |= self._annotated(files)
        systems = [replace(files[n], name=self._names[n]) for n in range(self._gold, len(self._given))]
        if not self._gold:
            return [Pair(system.blocks, (), system.name, system.notes) for system in systems]
        references = _merged([files[n] for n in range(self._gold) if n in files])
        pairs = []
        for number, system in enumerate(systems):
            pair = load_pair(system.blocks, references.blocks, system.name, references.name)
            notes = (*system.notes, *(references.notes if number == 0 else ()), *pair.notes)
            pairs.append(replace(pair, notes=notes))
        return pairs

    def _annotated(self, files: Mapping[int, BlockFile]) -> dict[int, BlockFile]:
        """Return the blocks of the texts; raw references, which are aligned together, as one file."""
        if self._inputs.source is not None:
            source = self._text(self._inputs.source, "source")
        else:
            first = files[min(files)]
            source = Text(f"the S lines of {first.name}", tuple(map(source_line, first.blocks)))
        annotator = TextAnnotator(source, self._inputs.texts)
        texts = {n: self._text(self._given[n], self._names[n]) for n in self._texts}
        gold = {n: text for n, text in texts.items() if n < self._gold}
        found: dict[int, tuple[Block, ...]] = {}
        if self._inputs.texts.raw and len(gold) == self._gold > 1:
            found[0] = annotator.references(list(gold.values()))
        else:
            found |= zip(gold, annotator.blocks(list(gold.values())), strict=True)
        systems = {n: text for n, text in texts.items() if n >= self._gold}
        found |= zip(systems, annotator.systems(list(systems.values())), strict=True)
        together = len(found) < len(texts)
        return {
            n: BlockFile(own, "references" if together and n == 0 else self._names[n])
            for n, own in found.items()
        }

    def _text(self, given: object, name: str) -> Text:
        if isinstance(given, str | PathLike):
            if given is not self._inputs.source:
                return read_text(fspath(given))
            check_source(fspath(given))
            text = read_text(fspath(given))
            return replace(text, lines=tuple(ended(text.lines)))
        lines = tuple(cast(Iterable[object], given))
        if not lines:
            raise InputError(f"{name}: found no sentences, expected a list of strings")
        for number, line in enumerate(lines, start=1):
            if not isinstance(line, str):
                raise InputError(
                    f"{name}: sentence {number} (counted from 1) is {shown(line)}, expected a string"
                )
        return Text(name, tuple(map(str, lines)))

    def _parts(self, size: int) -> Iterator[list[Pair]]:
        take, first = self._taking(size), self._first
        while True:
            columns = take()
            sources = [[block.source for block in blocks] for blocks in columns]
            for number, other in enumerate(sources):
                if other != sources[0]:
                    raise OtherSentencesError(self._paths[number], self._paths[0])
            if not sources[0]:
                return
            gold = self._joined(columns[: self._gold])
            systems = columns[self._gold :]
            for side, blocks in zip(self._sides, systems, strict=True):
                side.add(blocks)
            self._gold_side.add(gold)
            names = self._names[self._gold :]
            yield [Pair(own, gold, name, first=first) for own, name in zip(systems, names, strict=True)]
            first += len(sources[0])

    def _taking(self, size: int) -> Callable[[], list[Sequence[Block]]]:
        """Return what gives the next blocks of each file, fewer than ``size`` at the end, none after it."""
        paths = self._paths
        self._readers = {
            n: M2Reader(path, self._inputs.strict, self._refused)
            for n, path in enumerate(paths)
            if n not in self._texts
        }
        readers = {n: iter(reader) for n, reader in self._readers.items()}
        source: Iterator[str] | None = None
        annotator: TextAnnotator | None = None
        lines: dict[int, Iterator[str]] = {}
        if self._texts:
            sources, texts = self._checked(paths)
            lines = {n: iter(text) for n, text in texts.items()}
            source = None if self._inputs.source is None else iter(sources)
            annotator = TextAnnotator(Text(sources.name, ()), self._inputs.texts)

        def take() -> list[Sequence[Block]]:
            found: dict[int, Sequence[Block]] = {n: list(islice(own, size)) for n, own in readers.items()}
            if annotator is not None:
                own = map(source_line, found[min(found)]) if source is None else islice(source, size)
                part = tuple(own)
                taken = [tuple(islice(one, size)) for one in lines.values()]
                found |= zip(lines, annotator.part(part, taken) if part else [()] * len(taken), strict=True)
            return [found[n] for n in range(len(paths))]

        return take

    @property
    def _paths(self) -> list[str]:
        return [fspath(cast(str, one)) for one in self._given]

    def _checked(self, paths: Sequence[str]) -> tuple[FileLines, dict[int, FileLines]]:
        """Return the source and the texts, all of which are checked before the first part is annotated.

        Raises:
            InputError: A text is empty, has another number of lines than the source, or is not like it.
        """
        if self._inputs.source is not None:
            path = fspath(cast(str, self._inputs.source))
            check_source(path)
            source = FileLines(path)
            require_text(path, source)
        else:
            source = SourceLines(next(path for n, path in enumerate(paths) if n not in self._texts))
        texts = {n: FileLines(paths[n], len(source)) for n in self._texts}
        for text in texts.values():
            require_text(text.name, text)
            check_correction(text.name, text, source.name, source)
        return source, texts

    def _joined(self, files: Sequence[Sequence[Block]]) -> Sequence[Block]:
        """Return blocks of the same sentences in the files of references as one, their annotators numbered on."""
        if len(files) < 2:
            return files[0] if files else ()
        return [joined_block(blocks, self._numbers) for blocks in zip(*files, strict=True)]

    @cached_property
    def _numbers(self) -> Sequence[Mapping[int, int]]:
        """The annotators of the references: a pass of its own, as the last sentence may have one more."""
        if self._given_numbers is not None:
            return self._given_numbers
        strict = self._inputs.strict
        return numbers_of(
            # A text has one annotator.
            () if n in self._texts else M2Reader(self._paths[n], strict, self._refused)
            for n in track(range(self._gold), "numbering annotators", self._gold)
        )


def _merged(files: Sequence[BlockFile]) -> BlockFile:
    """Return several files of references as one, their annotators numbered on.

    Raises:
        InputError: They do not have the same sentences.
    """
    first = files[0]
    if len(files) == 1:
        return first
    for file in files[1:]:
        if [b.source for b in file.blocks] != [b.source for b in first.blocks]:
            raise InputError(
                f"{file.name}: its sentences or tokens differ from those of {first.name}; references must share "
                f"them (jperrant align {file.name} {first.name} -o FOLDER)"
            )
    numbers = numbers_of(file.blocks for file in files)
    merged = [joined_block(own, numbers) for own in zip(*(file.blocks for file in files), strict=True)]
    return BlockFile(tuple(merged), "references", tuple(note for file in files for note in file.notes))

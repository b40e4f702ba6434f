"""Reading systems and references side by side, as a whole or part by part.

``InStep`` reads all files of a scoring run, ``read_blocks`` one M2 file, and ``load_pair`` aligns two sides to the
same sentences if they differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, zip_longest
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from jperrant.core.display import shown
from jperrant.core.edits import clip_block, joined_block, numbers_of
from jperrant.core.errors import FormatError, InputError, UsageError
from jperrant.core.messages import agree, plural
from jperrant.core.paths import is_folder
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.evaluation.inputs import Input, Inputs, check_source
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.system_score import Side, Sides
from jperrant.evaluation.text_annotation import (
    SourceLines,
    Text,
    TextAnnotator,
    check_correction,
    source_line,
    text_of,
)
from jperrant.io.files import ENDINGS, STDIO, check_stdin, is_regular, reason
from jperrant.io.m2 import FormatDeviations, read_m2

if TYPE_CHECKING:
    from jperrant.alignment.documents import AlignedBlocks

#: The path of an M2 file or of a folder of M2 files, or blocks.
M2Input: TypeAlias = str | PathLike[str] | Iterable[Block]
#: The number of sentences of each file in memory at a time.
SENTENCES = 1024
_METHOD = "jp"


@dataclass(frozen=True, slots=True)
class BlockFile:
    """The blocks of one side.

    Attributes:
        blocks: The blocks.
        name: The name of the side in tables and messages; the path of a file.
        notes: Notes about tolerated deviations from M2, one line for each file.
    """

    blocks: tuple[Block, ...]
    name: str
    notes: tuple[str, ...] = ()


class RefusingDeviations(FormatDeviations):
    """Deviations from M2, of which some kinds are errors; the others are counted.

    Args:
        strict: Whether all kinds are errors.
        refused: The kinds that are always errors.
    """

    def __init__(self, strict: bool, refused: Collection[str]) -> None:
        super().__init__(strict)
        self.refused = refused

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Count a deviation; raise a FormatError if strict or if its kind is refused."""
        if kind in self.refused:
            # Alternatives of ChERRANT (T0-A1) overlap the edits before them.
            hint = "; this looks like ChERRANT's M2: convert it, jperrant m2 convert IN OUT --from cherrant"
            known = any(kind.startswith("ChERRANT") for kind in self.counts)
            raise FormatError(file, line, f"{kind}: {example}{hint if known else ''}")
        super().add(file, line, kind, example)


class M2Reader:
    """An iterator over the blocks of one side.

    Args:
        given: The path of an M2 file, the path of a folder of M2 files (shards, read in the order of their names),
            or blocks. Files must have a sentence; lists of blocks can be empty.
        name: The name of blocks in messages.
        strict: Make every deviation from M2 an error.
        refused: Kinds of deviations that are always errors.
    """

    def __init__(
        self, given: M2Input, name: str = "", strict: bool = False, refused: Collection[str] = ()
    ) -> None:
        self._given, self._strict, self._refused = given, strict, refused
        self.name = fspath(given) if isinstance(given, str | PathLike) else name
        self._notes: list[str] = []
        self._read, self._starts = 0, list[tuple[int, str]]()

    def __iter__(self) -> Iterator[Block]:
        """Yield the blocks.

        Raises:
            FormatError: A file is not M2, or has no sentences.
            InputError: A file cannot be read; or, if strict, an edit in memory reaches outside its sentence.
        """
        if not isinstance(self._given, str | PathLike):
            yield from self._in_memory(self._given)
            return
        for path in shards_of(self.name).values() if is_folder(self.name) else [self.name]:
            yield from self._of_file(path)

    def _of_file(self, path: str) -> Iterator[Block]:
        deviations, before = RefusingDeviations(self._strict, self._refused), self._read
        self._starts.append((before + 1, path))
        try:
            for block in read_m2(path, self._strict, deviations):
                self._read += 1
                yield block
        except FormatError as error:
            if is_regular(path) or error.line != 1:
                raise
            # The format of pipes and standard input cannot be recognised first, as they can be read only once.
            what = "standard input" if path == STDIO else "a pipe"
            raise FormatError(
                path, 1, f"{error.problem}; {what} is read as M2; give text as a file"
            ) from None
        if self._read == before:
            raise FormatError(path, None, "found no sentences, expected M2 blocks that begin with an S line")
        self._notes += filter(None, [deviations.summary(path)])

    def _in_memory(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield blocks from memory; edits outside their sentence are clipped, like those in files."""
        outside = 0
        for number, block in enumerate(blocks, start=1):
            where = f"{self.name}: sentence {number}"
            if not isinstance(block, Block):
                expected = "a Block" if isinstance(block, str | list) else "a Block or a string"
                raise InputError(f"{where} (counted from 1) is {shown(block)}, expected {expected}")
            clipped, count = clip_block(block)
            if count and self._strict:
                raise InputError(f"{where} has {plural(count, 'edit')} outside the sentence")
            outside += count
            yield clipped
        if outside:
            are = agree(outside, "is", "are")
            self._notes.append(
                f"{self.name}: {plural(outside, 'edit')} outside the sentence {are} clipped to it"
            )

    def notes(self) -> tuple[str, ...]:
        """Return notes about tolerated deviations, one line for each file that has been read to its end."""
        return tuple(self._notes)

    def file_of(self, number: int) -> str:
        """Return the file with a sentence, numbered from 1 over all files."""
        return next((path for start, path in reversed(self._starts) if start <= number), self.name)


def read_blocks(given: M2Input, name: str, strict: bool = False, refused: Collection[str] = ()) -> BlockFile:
    """Return the blocks of one side.

    Args:
        given, name, strict, refused: As in :class:`M2Reader`.

    Raises:
        FormatError, InputError: As in :class:`M2Reader`.
    """
    reader = M2Reader(given, name, strict, refused)
    return BlockFile(tuple(reader), reader.name, reader.notes())


def shards_of(folder: str) -> dict[str, str]:
    """Return the M2 files of a folder by name without extension, sorted; other files are ignored.

    Raises:
        UsageError: A file exists both with and without compression.
        InputError: The folder cannot be read.
    """
    try:
        entries = sorted(Path(folder).resolve().iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None
    found: dict[str, str] = {}
    for entry in entries:
        stem, ending, packed = entry.name.rpartition(".m2")
        # Unreadable files, such as those of Zstandard, are listed, so that the reader reports them.
        if ending and packed in ("", *ENDINGS, ".zst") and not entry.name.startswith("."):
            if stem in found:
                raise UsageError(f"{found[stem]} and {entry.name} are the same shard; remove one of them")
            found[stem] = str(entry)
    return dict(sorted(found.items()))


def _check_shards(given: Sequence[Input]) -> None:
    """Check that if one side is a folder, all are folders with M2 files of the same names.

    Raises:
        UsageError: One side is no folder, the names differ, or the first folder has no M2 files.
        InputError: A folder cannot be read.
    """
    folders = [fspath(one) for one in given if isinstance(one, str | PathLike) and is_folder(one)]
    if not folders:
        return
    if len(folders) < len(given):
        raise UsageError(
            "shards are scored from folders of M2 files: one for each system and one of references, with files "
            "of the same names; or give single files"
        )
    first, *others = [shards_of(folder) for folder in folders]
    if not first:
        raise UsageError(f"{folders[0]}: found no M2 files (.m2, .m2.gz …)")
    for folder, own in zip(folders[1:], others, strict=True):
        for name in sorted(first.keys() ^ own.keys()):
            has, lacks = (folders[0], folder) if name in first else (folder, folders[0])
            raise UsageError(f"{name} is in {has} but not in {lacks}; both need shards of the same names")


def load_pair(
    hypothesis: Sequence[Block],
    references: Sequence[Block],
    name: str = "hypothesis",
    reference_name: str = "references",
) -> Pair:
    """Return two sides as a pair over the same sentences and tokens, aligned if these differ.

    Args:
        hypothesis, references: The blocks of both sides.
        name, reference_name: The names of both sides in messages.

    Raises:
        InputError: The sides are different texts; shows where they first differ.
    """
    if [b.source for b in hypothesis] == [b.source for b in references]:
        return Pair(hypothesis, references, name)
    from jperrant.alignment.documents import align_blocks  # most files need no alignment

    aligned = align_blocks(hypothesis, references, _METHOD, hyp_name=name, ref_name=reference_name)
    note = _note(aligned, name, reference_name)
    return Pair(aligned.hyp, aligned.ref, name, (note,), _METHOD, _spans(aligned))


def _spans(aligned: AlignedBlocks) -> tuple[tuple[int, int], ...]:
    """Return the half-open range of reference blocks of each group."""
    spans, end = [], 0
    for ref, _ in aligned.groups:
        start, end = end, end + len(ref)
        spans.append((start, end))
    return tuple(spans)


def _note(aligned: AlignedBlocks, name: str, reference_name: str) -> str:
    """Return one line about an alignment: the numbers of groups and of special cases."""
    happened = {
        "with different tokens (edits re-indexed to those of the references)": aligned.counts["retokenised"],
        "unaligned (their edits count as missed or wrong)": aligned.counts["unaligned"],
        "with an annotator missing in a part (read as unchanged there)": aligned.counts["missing_annotator"],
    }
    edits = ""
    if mixed := aligned.counts["mixed"]:
        edits = (
            f"; {plural(mixed, 'edit')} merged from edits of different types: their type is the shared label or "
            "R:OTHER, also in figures by type and in the mode cse"
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
    """Files read part by part differ in sentences or tokens; to be aligned they must be read as a whole.

    Args:
        path: A file that differs from the first.
        first: The first file.
    """

    def __init__(self, path: str, first: str) -> None:
        super().__init__(path, first)
        self.path, self.first = path, first


class InStep:
    """An iterator over systems and their references, read side by side.

    Args:
        inputs: The systems and references.
        refused: Kinds of deviations from M2 that are always errors.
        size: The number of sentences of each side in memory at a time. None reads everything as one part, which raw
            texts, pipes, and files with different sentences or tokens need.

    Raises:
        UsageError: There is no system, texts lack their source, or folders hold different shards.
        InputError, FormatError: A file cannot be read, or the source is not text.
    """

    def __init__(self, inputs: Inputs, refused: Collection[str] = (), size: int | None = None) -> None:
        if not inputs.hypotheses:
            raise UsageError("found no systems to score; give at least one hypothesis")
        check_stdin([*inputs.hypotheses, *inputs.references, inputs.source])
        self._inputs, self._refused, self._size = inputs, refused, size
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
        _check_shards(self._given)
        self._readers = {n: self._reader(n) for n in range(len(self._given)) if n not in self._texts}
        self._sides = [Side() for _ in inputs.hypotheses]
        self._gold_side = Side()

    def _reader(self, n: int) -> M2Reader:
        return M2Reader(cast(M2Input, self._given[n]), self._names[n], self._inputs.strict, self._refused)

    def __iter__(self) -> Iterator[list[Pair]]:
        """Yield the pairs of all systems, part by part; the pairs of a part share their references.

        Raises:
            OtherSentencesError: Single files that are read in parts differ in sentences or tokens.
            FormatError: A file is not M2, or has no sentences.
            InputError: A file cannot be read; a text is not a correction of the source; or references, or shards,
                differ in sentences or tokens.
        """
        first = 1
        for columns in self._columns():
            references = {n: own for n, own in columns.items() if n < self._gold}
            systems = [own for n, own in sorted(columns.items()) if n >= self._gold]
            self._check_sentences(references if self._size is None else columns, first)
            gold = self._joined([*references.values()])
            if self._size is None:
                yield self._pairs(systems, gold, "references" if len(references) < self._gold else "")
                return
            if not systems[0]:
                return
            self._gold_side.add(gold)
            for side, own in zip(self._sides, systems, strict=True):
                side.add(own)
            names = self._names[self._gold :]
            yield [Pair(own, gold, name, first=first) for own, name in zip(systems, names, strict=True)]
            first += len(systems[0])

    @property
    def sides(self) -> list[Sides]:
        """The summaries of all systems with their references; complete after the last part."""
        both = enumerate(zip(self._names[self._gold :], self._sides, strict=True))
        return [Sides(Pair((), (), name, self._notes(n)), side, self._gold_side) for n, (name, side) in both]

    def _notes(self, number: int) -> tuple[str, ...]:
        """Return the notes about the file of a system, for the first system also those about the references."""
        files = [self._gold + number, *(range(self._gold) if number == 0 else ())]
        return tuple([note for n in files if n in self._readers for note in self._readers[n].notes()])

    def _columns(self) -> Iterator[dict[int, Sequence[Block]]]:
        """Yield the next blocks of each side by number, references first; without end if there is a size.

        Raw references are annotated together and become one column.
        """
        streams = {n: iter(reader) for n, reader in self._readers.items()}
        source: Iterator[str] | None = None
        texts: dict[int, Iterator[str]] = {}
        annotator = TextAnnotator(self._inputs.texts) if self._texts else None
        while True:
            columns: dict[int, Sequence[Block]] = {
                n: list(islice(stream, self._size)) for n, stream in streams.items()
            }
            if annotator is not None:
                if source is None:
                    whole, checked = self._checked(columns)
                    source, texts = iter(whole.lines), {n: iter(text.lines) for n, text in checked.items()}
                part = tuple(islice(source, self._size))
                lines = {n: tuple(islice(text, self._size)) for n, text in texts.items()}
                together = [n for n in lines if n < self._gold] if self._inputs.texts.raw else []
                if len(together) == self._gold > 1:
                    columns[0] = annotator.together(part, [lines.pop(n) for n in together])
                columns |= zip(lines, annotator.blocks(part, [*lines.values()]), strict=True)
            yield dict(sorted(columns.items()))
            if self._size is None:
                return

    def _checked(self, columns: Mapping[int, Sequence[Block]]) -> tuple[Text, dict[int, Text]]:
        """Return the source and the texts after checking all of them, before anything is annotated.

        Raises:
            InputError: A text is empty, has another number of lines than the source, or is too different from it.
        """
        whole, given = self._size is None, self._inputs.source
        if given is not None:
            if isinstance(given, str | PathLike):
                check_source(fspath(given))
            source = text_of(given, "source", whole=whole)
        else:
            name = self._readers[min(columns)].name
            lines = tuple(map(source_line, columns[min(columns)])) if whole else SourceLines(name)
            source = Text(f"the S lines of {name}", lines)
        texts = {}
        for n in self._texts:
            answers = self._inputs.texts.answers if n >= self._gold else ""
            text = text_of(self._given[n], self._names[n], source, answers, whole=whole)
            check_correction(text, source, self._inputs.texts.raw)
            texts[n] = text
        return source, texts

    def _check_sentences(self, columns: Mapping[int, Sequence[Block]], first: int) -> None:
        """Check that the sides have the same sentences and tokens."""
        if not columns:
            return
        base = min(columns)
        sources = [block.source for block in columns[base]]
        for n, blocks in columns.items():
            other = [block.source for block in blocks]
            if other == sources:
                continue
            numbered = enumerate(zip_longest(other, sources), first)
            number = next(number for number, (one, two) in numbered if one != two)
            ours, theirs = (
                self._readers[m].file_of(number) if m in self._readers else self._names[m] for m in (n, base)
            )
            shards = n in self._readers and ours != self._readers[n].name
            if n >= self._gold and not shards:
                raise OtherSentencesError(ours, theirs)
            raise InputError(
                f"{ours}: its sentences or tokens differ from those of {theirs}; "
                f"{'shards' if shards else 'references'} must share them (jperrant align {ours} {theirs} -o FOLDER)"
            )

    def _pairs(self, systems: Sequence[Sequence[Block]], gold: Sequence[Block], together: str) -> list[Pair]:
        """Return the pairs of whole files, aligned if sentences or tokens differ."""
        pairs = []
        reference_name = together or (self._names[0] if self._gold == 1 else "references")
        for n, (own, name) in enumerate(zip(systems, self._names[self._gold :], strict=True)):
            pair = load_pair(own, gold, name, reference_name) if self._gold else Pair(own, (), name)
            pairs.append(replace(pair, notes=(*self._notes(n), *pair.notes)))
        return pairs

    def _joined(self, files: Sequence[Sequence[Block]]) -> Sequence[Block]:
        """Return the blocks of all reference files merged, with consecutive numbers of annotators."""
        if len(files) < 2:
            return files[0] if files else ()
        numbers = numbers_of(files) if self._size is None else self._numbers
        return [joined_block(blocks, numbers) for blocks in zip(*files, strict=True)]

    @cached_property
    def _numbers(self) -> Sequence[Mapping[int, int]]:
        """The new annotator numbers of each reference file; all sentences are read, as any may add an annotator."""
        return numbers_of(
            self._reader(n) if n in self._readers else ()  # a text has one annotator
            for n in track(range(self._gold), "numbering annotators", self._gold)
        )

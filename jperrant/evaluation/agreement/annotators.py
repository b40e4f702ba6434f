"""Reading the annotators of one text, from one M2 file with several of them or from several files."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, combinations
from os import PathLike
from os.path import commonprefix
from pathlib import Path

from jperrant.core.display import shorten
from jperrant.core.edits import numbers_of
from jperrant.core.errors import FormatError, UsageError
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.inputs import stems
from jperrant.evaluation.read_sides import BlockFile, M2Input, load_pair, read_blocks

#: How a sentence that an annotator did not annotate counts: not at all for this annotator, or as unchanged.
MISSING = ("left-out", "unchanged")
#: Ends of the note about such sentences: in ``agree``, in ``m2 stats``, and in ``m2 adjudicate``.
UNSEEN = "those are left out; --missing=unchanged counts them as unchanged"
UNSEEN_BY_STATS = "those are left out of agreement; add a noop line where nothing is to be changed"
UNSEEN_BY_ADJUDICATION = "the other annotators decide those; add a noop line where nothing is to be changed"
#: The number of characters that a message shows of each of two differing texts.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Annotators:
    """The annotations of several annotators over the same sentences.

    Attributes:
        names: The names of the annotators.
        blocks: The sentences. Annotator *n* of ``names`` has the number *n* in each block; a block lacks the
            annotators who did not annotate it.
        notes: Notes from reading and aligning, one line each.
    """

    names: tuple[str, ...]
    blocks: tuple[Block, ...]
    notes: tuple[str, ...] = ()


def load_annotators(
    files: Sequence[M2Input],
    names: Sequence[str] = (),
    missing: str = "left-out",
    strict: bool = False,
    refused: Collection[str] = (),
    unseen: str = UNSEEN,
) -> Annotators:
    """Read the annotators of one text.

    Args:
        files: M2 files, or lists of blocks: one with several annotators, or several with one or more each. A file
            that splits the same text into other sentences or tokens is aligned to the first file.
        names: The names of all annotators; the names of the files or the numbers of the annotators if empty.
        missing: How a sentence that an annotator did not annotate counts: ``left-out`` or ``unchanged``.
        strict: Make every deviation of a file from M2 an error.
        refused: Kinds of deviations that are always errors.
        unseen: The end of the note about sentences that an annotator did not annotate.

    Raises:
        UsageError: There are fewer than two annotators, or a file is given twice.
        FormatError: A file is not M2, or holds another text than the first file; names the sentence.
    """
    if missing not in MISSING:
        raise UsageError(f"found missing={missing!r}, expected {' or '.join(MISSING)}")
    _check_files(files)
    sides = [read_blocks(side, f"file {n}", strict, refused=refused) for n, side in enumerate(files, start=1)]
    merged, notes = _merged(sides)
    called = _called(names, merged.names)
    if len(called) < 2:
        raise UsageError(f"{sides[0].name}: found one annotator, expected two or more; give another file")
    blocks = [_completed(block, len(called)) if missing == "unchanged" else block for block in merged.blocks]
    watched = Watched(blocks, dict(enumerate(called)))
    return Annotators(called, tuple(watched), (*notes, *watched.notes(unseen)))


def _called(names: Sequence[str], found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the given names of the annotators, or those found in the files.

    Raises:
        UsageError: The number of names differs from that of annotators, or two names are equal.
    """
    if names and len(names) != len(found):
        annotators = plural(len(found), "annotator")
        raise UsageError(
            f"{plural(len(names), 'name')} for {annotators} ({', '.join(found)}): {', '.join(names)}"
        )
    if len(set(names)) != len(names):
        raise UsageError(f"two annotators have the same name: {', '.join(names)}; rename one")
    return tuple(names) or found


def _check_files(files: Sequence[M2Input]) -> None:
    if not files:
        raise UsageError("found no files; give one with several annotators, or several")
    paths = [Path(side) for side in files if isinstance(side, str | PathLike)]
    for first, second in combinations(paths, 2):
        if first == second or (first.exists() and second.exists() and first.samefile(second)):
            raise UsageError(f"{second} is given twice; give one file for each annotator")


def _merged(sides: Sequence[BlockFile]) -> tuple[Annotators, list[str]]:
    """Return the annotators of all files over the same blocks, numbered consecutively from file to file."""
    numbers = numbers_of(side.blocks for side in sides)
    blocks: Sequence[Block] = _renumbered(sides[0].blocks, numbers[0])
    notes = [note for side in sides for note in side.notes]
    for side, own in zip(sides[1:], numbers[1:], strict=True):
        theirs: Sequence[Block] = _renumbered(side.blocks, own)
        if [b.source for b in theirs] != [b.source for b in blocks]:
            _require_same_text(theirs, blocks, side.name, sides[0].name)
            pair = load_pair(theirs, blocks, side.name, sides[0].name)
            theirs, blocks = pair.hypothesis, pair.references
            notes += pair.notes
        blocks = [
            replace(block, annotations=(*block.annotations, *other.annotations))
            for block, other in zip(blocks, theirs, strict=True)
        ]
    return Annotators(_names(sides, numbers), tuple(blocks)), notes


def _renumbered(blocks: Sequence[Block], new: Mapping[int, int]) -> list[Block]:
    """Return the blocks of a file with new annotator numbers; no annotations count as one unchanged text."""
    if not any(block.annotations for block in blocks):
        return [replace(block, annotations=(Annotation(min(new.values())),)) for block in blocks]
    return [
        replace(block, annotations=tuple([replace(a, annotator=new[a.annotator]) for a in block.annotations]))
        for block in blocks
    ]


def _names(sides: Sequence[BlockFile], numbers: Sequence[Mapping[int, int]]) -> tuple[str, ...]:
    if len(sides) == 1:
        return tuple(map(str, numbers[0]))
    files = zip(stems([side.name for side in sides]), numbers, strict=True)
    return tuple([file if len(own) == 1 else f"{file}:{number}" for file, own in files for number in own])


def _completed(block: Block, annotators: int) -> Block:
    """Return a block with an empty annotation for every missing annotator."""
    annotations = [block.annotation(number) or Annotation(number) for number in range(annotators)]
    return replace(block, annotations=tuple(annotations))


def _require_same_text(ours: Sequence[Block], theirs: Sequence[Block], name: str, other: str) -> None:
    """Check that two files hold the same text, however they split it into tokens and sentences.

    Raises:
        FormatError: The texts differ; names the first sentence that differs.
    """
    text, expected = (
        "".join(token for block in blocks for token in block.source) for blocks in (ours, theirs)
    )
    if text == expected:
        return
    place = len(commonprefix([text, expected]))  # noqa: RUF071 (characters are what is compared)
    ends = list(accumulate(sum(map(len, block.source)) for block in ours))
    number = min(bisect_right(ends, place) + 1, len(ends))
    begin = ends[number - 2] if number > 1 else 0
    shown = " ".join(ours[number - 1].source)
    found, wanted = text[place : place + _SHOWN], expected[place : place + _SHOWN]
    raise FormatError(
        name,
        None,
        f"sentence {number} (counted from 1) differs from {other}: in {shorten(shown)}, from character "
        f"{place - begin + 1} on (not counting spaces), found {found or 'the end of the text'!r}, expected "
        f"{wanted or 'the end of the text'!r}; annotators must have annotated the same text",
    )


class Watched:
    """Iterates over blocks once and collects notes: sentences that annotators skipped, and equal annotators.

    Args:
        blocks: The blocks.
        names: The names of the annotators by their numbers.
    """

    def __init__(self, blocks: Iterable[Block], names: Mapping[int, str]) -> None:
        self._blocks, self._names = blocks, names
        self._missing: dict[int, list[int]] = {number: [0, 0] for number in names}
        self._same = dict.fromkeys(combinations(names, 2), True)
        self._edited: set[int] = set()

    def __iter__(self) -> Iterator[Block]:
        for place, block in enumerate(self._blocks, start=1):
            edits = {a.annotator: a.edits for a in block.annotations}
            for number, missing in self._missing.items():
                if number not in edits:
                    missing[:] = [missing[0] + 1, missing[1] or place]
            for pair in [pair for pair, same in self._same.items() if same]:
                self._same[pair] = edits.get(pair[0]) == edits.get(pair[1])
            self._edited.update(number for number, own in edits.items() if own)
            yield block

    def notes(self, unseen: str) -> list[str]:
        """Return a line for each annotator who skipped sentences, and for each pair of annotators with equal edits.

        Args:
            unseen: The end of the line about skipped sentences.
        """
        lines = [
            f"annotator {self._names[number]}: {plural(count, 'sentence')} without an annotation, first sentence "
            f"{first} (counted from 1); {unseen}"
            for number, (count, first) in self._missing.items()
            if count
        ]
        equal = [pair for pair, same in self._same.items() if same and pair[0] in self._edited]
        return lines + [
            f"{self._names[one]} and {self._names[other]} have the same edits in every sentence; check that they "
            "are not copies of one file"
            for one, other in equal
        ]

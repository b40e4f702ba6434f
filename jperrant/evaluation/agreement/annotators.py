"""Annotators of one text brought together: from one M2 file of several, or from a file each."""

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

#: What a sentence without an annotation by an annotator is: left out where the annotator is compared, or unchanged.
MISSING = ("left-out", "unchanged")
#: What becomes of sentences that an annotator did not annotate: in agreement, in a data statement, and where
#: several annotators are made one.
UNSEEN = "those are left out; --missing=unchanged counts them as unchanged"
UNSEEN_BY_STATS = "those are left out of agreement; add a noop line where nothing is to be changed"
UNSEEN_BY_ADJUDICATION = "others decide there; add a noop line where nothing is to be changed"
#: Characters shown of each side where two texts differ.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Annotators:
    """What several annotators did to the same sentences.

    Attributes:
        names: The annotators.
        blocks: The sentences; annotator *n* of ``names`` is number *n* in each block, and is not in a block where
            the annotator did not look at the sentence.
        notes: What was done while reading or aligning, one line each.
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
        files: M2 files, or blocks: one with several annotators, or several with one or more each. Files that cut
            the same text into other sentences or tokens are aligned to the first.
        names: The names of all annotators; from the files, or their numbers, if empty.
        missing: ``left-out`` where a sentence without an annotation by an annotator was not looked at,
            ``unchanged`` where it needed no change.
        strict: Make every format deviation of a file an error.
        refused: Kinds of deviations that are errors also where reading is not strict.
        unseen: What the notes say of sentences that an annotator did not annotate.

    Raises:
        UsageError: Fewer than two annotators, or one file given twice.
        FormatError: A file is not M2, or holds another text; names the sentence.
    """
    if missing not in MISSING:
        raise UsageError(f"found missing={missing!r}, expected {' or '.join(MISSING)}")
    _check_files(files)
    sides = [read_blocks(side, f"file {n}", strict, refused=refused) for n, side in enumerate(files, start=1)]
    merged, notes = _merged(sides)
    called = _called(names, merged.names)
    if len(called) < 2:
        raise UsageError(
            f"{sides[0].name}: found one annotator, agreement needs two or more; give another file"
        )
    blocks = [_completed(block, len(called)) if missing == "unchanged" else block for block in merged.blocks]
    watched = Watched(blocks, dict(enumerate(called)))
    return Annotators(called, tuple(watched), (*notes, *watched.notes(unseen)))


def _called(names: Sequence[str], found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names that were given for the annotators, or those of the files.

    Raises:
        UsageError: There is another number of them, or two are equal.
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
    """Return the annotators of all files over the same blocks, numbered on from file to file."""
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
    """Return the blocks of a file; one without any annotation is of one annotator who changed nothing."""
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
    """Return a block in which every annotator who is missing changed nothing."""
    annotations = [block.annotation(number) or Annotation(number) for number in range(annotators)]
    return replace(block, annotations=tuple(annotations))


def _require_same_text(ours: Sequence[Block], theirs: Sequence[Block], name: str, other: str) -> None:
    """Refuse files that hold other text; how it is cut into tokens and sentences does not count.

    Raises:
        FormatError: Names the first sentence that differs.
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
        f"sentence {number} (counted from 1) is not in {other}: {shorten(shown)} has, from its character "
        f"{place - begin + 1} on without spaces, {found or 'the end of the text'!r}, expected "
        f"{wanted or 'the end of the text'!r}; annotators must have annotated the same text",
    )


class Watched:
    """Blocks that pass once, and what is strange about their annotators.

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
        """Return a line for each annotator who is missing somewhere, and for each two who are the same throughout.

        Args:
            unseen: What becomes of sentences that an annotator did not annotate.
        """
        lines = [
            f"annotator {self._names[number]}: {plural(count, 'sentence')} without an annotation, first sentence "
            f"{first} (counted from 1); {unseen}"
            for number, (count, first) in self._missing.items()
            if count
        ]
        equal = [pair for pair, same in self._same.items() if same and pair[0] in self._edited]
        return lines + [
            f"{self._names[one]} and {self._names[other]} have the same edits throughout; check that they are not "
            "copies of one file"
            for one, other in equal
        ]

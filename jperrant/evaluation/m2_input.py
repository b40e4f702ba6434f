"""One side of a comparison: an M2 file, or blocks in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TypeAlias

from jperrant.core.clip import clip_block
from jperrant.core.display import shown
from jperrant.core.errors import FormatError, InputError
from jperrant.core.messages import agree, plural
from jperrant.core.values import Block
from jperrant.io.files import STDIO, is_regular
from jperrant.io.m2 import FormatDeviations, read_m2

#: The path of an M2 file, or blocks.
M2Input: TypeAlias = str | PathLike[str] | Iterable[Block]


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
    """FormatDeviations of which some kinds are errors although others are only counted.

    Args:
        strict: Make all of them errors.
        refused: The kinds that always are.
    """

    def __init__(self, strict: bool, refused: Collection[str]) -> None:
        super().__init__(strict)
        self.refused = refused

    def add(self, file: str, line: int, kind: str, example: str = "") -> None:
        """Count a deviation, or raise it as a FormatError when strict or when its kind is refused."""
        if kind in self.refused:
            # Its alternatives (T0-A1) lie over the edits before them.
            hint = "; this looks like a file of ChERRANT: convert it with jperrant m2 from-cherrant"
            known = any(kind.startswith("ChERRANT") for kind in self.counts)
            raise FormatError(file, line, f"{kind}: {example}{hint if known else ''}")
        super().add(file, line, kind, example)


def read_blocks(
    side: M2Input,
    name: str,
    strict: bool = False,
    watch: Callable[[Iterable[Block]], Iterable[Block]] = iter,
    refused: Collection[str] = (),
) -> BlockFile:
    """Return the blocks of one side.

    Args:
        side: The path of an M2 file, or blocks; a file must have a sentence, blocks may be none.
        name: What to call blocks in memory.
        strict: Make every deviation of a file from the M2 dialect an error.
        watch: Passes on the blocks of a file as they are read (a progress bar).
        refused: Kinds of deviations that are errors also where reading is not strict.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: The file cannot be read, or blocks in memory are outside their sentence if strict.
    """
    if not isinstance(side, str | PathLike):
        return _in_memory(side, name, strict)
    path = fspath(side)
    deviations = RefusingDeviations(strict, refused)
    try:
        blocks = tuple(watch(read_m2(path, strict, deviations)))
    except FormatError as error:
        if is_regular(path) or error.line != 1:
            raise
        # What can be read only once is not looked at beforehand, so text is taken for M2.
        what = "standard input" if path == STDIO else "a pipe"
        raise FormatError(path, 1, f"{error.problem}; {what} is read as M2, give text as a file") from None
    if not blocks:
        raise FormatError(path, None, "found no sentences, expected M2 blocks that begin with an S line")
    summary = deviations.summary(path)
    return BlockFile(blocks, path, (summary,) if summary else ())


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

"""One side of a comparison: an M2 file, or blocks in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from typing import TypeAlias

from jperrant.core.errors import FormatError
from jperrant.core.values import Block
from jperrant.io.m2 import FormatDeviations, read_m2

#: The path of an M2 file, or blocks.
M2Input: TypeAlias = str | PathLike[str] | Iterable[Block]


@dataclass(frozen=True, slots=True)
class BlockFile:
    """The blocks of one side.

    Attributes:
        blocks: The blocks.
        name: The side in tables and messages; the path of a file.
        notes: What was odd about the file, in at most one line.
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

    def add(self, file: str, line: int, kind: str, found: str = "") -> None:
        """Count an oddity, or raise it as a FormatError when strict or when its kind is refused."""
        if kind in self.refused:
            # Its alternatives (T0-A1) lie over the edits before them.
            hint = "; ChERRANT wrote this file: convert it with jperrant m2 from-cherrant"
            known = any(odd.startswith("ChERRANT") for odd in self.counts)
            raise FormatError(file, line, f"{kind}: {found}{hint if known else ''}")
        super().add(file, line, kind, found)


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
        strict: Make every departure of a file from the M2 dialect an error.
        watch: Passes on the blocks of a file as they are read (a progress bar).
        refused: Kinds of oddities that are errors also where reading is not strict.

    Raises:
        FormatError: The file is not M2, or has no sentences.
        InputError: The file cannot be read.
    """
    if not isinstance(side, str | PathLike):
        return BlockFile(tuple(side), name)
    path = fspath(side)
    oddities = RefusingDeviations(strict, refused)
    blocks = tuple(watch(read_m2(path, strict, oddities)))
    if not blocks:
        raise FormatError(path, None, "no sentences, expected M2 blocks that begin with an S line")
    summary = oddities.summary(path)
    return BlockFile(blocks, path, (summary,) if summary else ())

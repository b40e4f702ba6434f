"""M2 files and texts of one source read side by side, a part of their sentences at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from jperrant.core.annotator_numbers import joined_block, numbers_of
from jperrant.core.errors import FormatError
from jperrant.core.progress import track
from jperrant.core.values import Block
from jperrant.evaluation.m2_input import RefusingDeviations
from jperrant.evaluation.metrics.base import Pair
from jperrant.evaluation.metrics.score import Sides
from jperrant.evaluation.metrics.sides import Side
from jperrant.evaluation.text_parts import PartTexts
from jperrant.io.m2 import read_m2

#: Sentences that are in memory at a time, of each file.
SENTENCES = 1024


class OtherSentencesError(Exception):
    """The files do not have the same sentences and tokens: they have to be aligned, for which all must be there.

    Args:
        path: A file with other ones than the first.
        first: The first file.
    """

    def __init__(self, path: str, first: str) -> None:
        super().__init__(path, first)
        self.path, self.first = path, first


class Lockstep:
    """Systems and their references, read side by side.

    Args:
        systems: M2 files, or texts.
        names: What the systems are called.
        references: Files of references; their annotators are numbered on. None for metrics that need none.
        strict: Make every format deviation an error.
        refused: Kinds of deviations that always are errors.
        size: Sentences that are in memory at a time, of each file.
        texts: Which of the files are texts, and annotates them; None if all are M2.
        numbers: The new numbers of the annotators of each file of references, where these are parts of larger ones.

    Attributes:
        sides: What is noted of each system and its references, once all parts were read.
    """

    def __init__(
        self,
        systems: Sequence[str],
        names: Sequence[str],
        references: Sequence[str],
        *,
        strict: bool = False,
        refused: Collection[str] = (),
        size: int = SENTENCES,
        texts: PartTexts | None = None,
        numbers: Sequence[Mapping[int, int]] | None = None,
    ) -> None:
        paths = [*references, *systems]
        known = texts.paths if texts else frozenset()
        self._files = {n: _File(p, strict, refused) for n, p in enumerate(paths) if p not in known}
        self._texts = texts.parts(paths) if texts else None
        self._paths, self._gold_files = paths, len(references)
        self._reading, self._given_numbers = (strict, refused), numbers
        self._references = [None if path in known else path for path in references]
        self._names, self._size = names, size
        self._gold, self._sides = Side(), [Side() for _ in systems]

    def __iter__(self) -> Iterator[list[Pair]]:
        """Yield the pairs of all systems for the next sentences; they share their references.

        Raises:
            OtherSentencesError: Sentences or tokens differ.
            FormatError: A file is not M2, or has no sentences.
            InputError: A file cannot be read.
        """
        first = 1
        while True:
            columns = self._take()
            sources = [[block.source for block in blocks] for blocks in columns]
            for number, other in enumerate(sources):
                if other != sources[0]:
                    raise OtherSentencesError(self._paths[number], self._paths[0])
            if not sources[0]:
                return
            gold = self._merged(columns[: self._gold_files])
            pairs = []
            for blocks, name, side in zip(columns[self._gold_files :], self._names, self._sides, strict=True):
                side.add(blocks)
                pairs.append(Pair(blocks, gold, name, first=first))
            self._gold.add(gold)
            yield pairs
            first += len(sources[0])

    @property
    def sides(self) -> list[Sides]:
        """What is noted of each system and its references, and said of how the files were read."""
        notes = [self._files[n].notes if n in self._files else () for n in range(len(self._paths))]
        gold = [note for own in notes[: self._gold_files] for note in own]
        both = zip(notes[self._gold_files :], self._sides, self._names, strict=True)
        return [
            Sides(name, side, self._gold, (*own, *(gold if number == 0 else ())))
            for number, (own, side, name) in enumerate(both)
        ]

    def _take(self) -> list[Sequence[Block]]:
        """Return the next blocks of each file, the references first."""
        found: dict[int, Sequence[Block]] = {n: file.take(self._size) for n, file in self._files.items()}
        if self._texts is not None:
            found |= self._texts.take(self._size, found)
        return [found[number] for number in range(len(self._paths))]

    def _merged(self, files: Sequence[Sequence[Block]]) -> Sequence[Block]:
        """Return blocks of the same sentences in the files of references as one, their annotators numbered on."""
        if len(files) < 2:
            return files[0] if files else ()
        return [joined_block(blocks, self._numbers) for blocks in zip(*files, strict=True)]

    @cached_property
    def _numbers(self) -> Sequence[Mapping[int, int]]:
        """The annotators of the references: a pass of its own, as the last sentence may have one more."""
        if self._given_numbers is not None:
            return self._given_numbers
        strict, refused = self._reading
        return numbers_of(
            # A text has one annotator.
            () if path is None else read_m2(path, strict, RefusingDeviations(strict, refused))
            for path in track(self._references, "numbering annotators", len(self._references))
        )


class _File:
    """An M2 file of which the blocks are taken a few at a time."""

    def __init__(self, path: str, strict: bool, refused: Collection[str]) -> None:
        self._path = path
        self._deviations = RefusingDeviations(strict, refused)
        self._blocks = read_m2(path, strict, self._deviations)
        self._begun = False

    def take(self, size: int) -> list[Block]:
        """Return the next blocks, fewer than ``size`` at the end of the file."""
        blocks = list(islice(self._blocks, size))
        if not blocks and not self._begun:
            raise FormatError(
                self._path, None, "found no sentences, expected M2 blocks that begin with an S line"
            )
        self._begun = True
        return blocks

    @property
    def notes(self) -> tuple[str, ...]:
        """What was read leniently, in at most one line."""
        summary = self._deviations.summary(self._path)
        return (summary,) if summary else ()

"""Texts of any size among the files that are scored: a part of their lines at a time is annotated."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from jperrant.core.values import Block
from jperrant.evaluation.text_input import LineAnnotator, TextOptions, check_correction, require_text
from jperrant.io.files import ended, read_lines
from jperrant.io.m2 import FormatDeviations, read_m2


class FileLines(Collection[str]):
    """The lines of a text, read anew each time, up to the last that is not blank.

    Args:
        path: The file.
        least: Keep blank lines at the end up to this number.
    """

    def __init__(self, path: str, least: int = 0) -> None:
        self.name, self._least = path, least

    @cached_property
    def _count(self) -> int:
        return sum(1 for _ in self)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return ended(read_lines(self.name), self._least)

    def __contains__(self, line: object) -> bool:
        return any(own == line for own in self)


class SourceLines(FileLines):
    """The sources of an M2 file as lines, read anew each time."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._path, self.name = path, f"the S lines of {path}"

    def __iter__(self) -> Iterator[str]:
        # Whoever reads the file itself says what deviates in it.
        return map(source_line, read_m2(self._path, deviations=FormatDeviations()))


def source_line(block: Block) -> str:
    """Return the source of a block as a line."""
    return " ".join(block.source)


class PartTexts:
    """Says which files are texts, and annotates a part of them after the other against their source.

    Args:
        paths: The texts.
        source: The text that was corrected; None for the sources of the first M2 file.
        options: How texts become blocks; they are not raw.

    Raises:
        InputError: The cache cannot be used.
    """

    def __init__(
        self,
        paths: Collection[str],
        source: str | None,
        options: TextOptions,
    ) -> None:
        self.paths = frozenset(paths)
        self._source = source
        self._corrections: dict[str, FileLines] = {}
        self._annotator = LineAnnotator(options)

    def check(self, columns: Sequence[str]) -> None:
        """Check all texts before the first part is annotated.

        Args:
            columns: All files in the order in which ``parts`` gives them.

        Raises:
            InputError: A text is empty, has another number of lines than the source, or is not like it.
            FormatError: One is not UTF-8.
        """
        if self._source is not None:
            require_text(self._source, FileLines(self._source))
            source = FileLines(self._source)
        else:
            source = SourceLines(next(path for path in columns if path not in self.paths))
        for path in columns:
            if path in self.paths:
                lines = self._corrections[path] = FileLines(path, len(source))
                require_text(path, lines)
                check_correction(path, lines, source.name, source)

    def parts(self, columns: Sequence[str]) -> AnnotatedColumns:
        """Return the texts among files, to be taken a part at a time from the beginning.

        Args:
            columns: All files, the same each time.
        """
        texts = {
            n: self._corrections.get(path, FileLines(path, sys.maxsize))
            for n, path in enumerate(columns)
            if path in self.paths
        }
        return AnnotatedColumns(texts, self._source, self._annotator)


class AnnotatedColumns:
    """Texts that are annotated.

    Args:
        texts: The texts, by their numbers among the files.
        source: The text that was corrected; None for the sources of the first M2 file.
        annotator: Annotates lines.
    """

    def __init__(
        self,
        texts: Mapping[int, FileLines],
        source: str | None,
        annotator: LineAnnotator,
    ) -> None:
        self._lines = {number: iter(text) for number, text in texts.items()}
        self._source = None if source is None else iter(FileLines(source))
        self._annotator = annotator

    def take(self, size: int, others: Mapping[int, Sequence[Block]]) -> dict[int, Sequence[Block]]:
        """Return the blocks of the next lines of each text, by number, fewer than ``size`` at the end.

        Args:
            size: How many.
            others: The next blocks of the M2 files, by number.
        """
        if self._source is not None:
            source = tuple(islice(self._source, size))
        else:
            source = tuple(map(source_line, others[min(others)]))
        lines = [tuple(islice(own, size)) for own in self._lines.values()]
        found = self._annotator.blocks(source, lines) if source else [()] * len(lines)
        return dict(zip(self._lines, found, strict=True))

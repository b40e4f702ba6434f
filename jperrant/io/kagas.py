"""KAGAS's dialect of M2 (Yoon et al. 2023, Korean): reading it and writing it.

Its types have no letters M, U, R: ``INSERTION`` and ``DELETION`` say no more than that, all others replace. Its
noop has an empty correction. Which of its types is which label is said by the table ``counterparts`` of a pack
(``ko``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TextIO

from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.values import DETECTION_TYPES, NONE, NOOP, SEPARATOR, Annotation, Block, Edit, format_block
from jperrant.edits.forms import is_punctuation
from jperrant.io.m2 import FormatDeviations, LineKind, number_of, read_dialect

INSERTION, DELETION, UNCLASSIFIED = "INSERTION", "DELETION", "UNCLASSIFIED"
SCHEME = "kagas"
_PUNCT, _OTHER = "PUNCT", "OTHER"
_NOOP_TAIL = f"{SEPARATOR}{NOOP}{SEPARATOR}"


class KagasTypes:
    """KAGAS's types and a pack's labels, each by the other.

    Args:
        counterparts: The pack's table: by label its names in other schemes. Of several names of one label the first
            is written; of several labels with one name the first in the table is read.

    Raises:
        UsageError: The table names no type of KAGAS.
    """

    def __init__(self, counterparts: Mapping[str, Mapping[str, Any]]) -> None:
        self.names: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        for label, schemes in counterparts.items():
            names = schemes.get(SCHEME)
            for name in [names] if isinstance(names, str) else names or []:
                self.names.setdefault(label, name)
                self.labels.setdefault(name, label)
        if not self.names:
            raise UsageError(
                "the pack defines no counterparts in KAGAS; use one that does, such as --lang=ko"
            )

    def ours(self, name: str, deletes: bool, correction: str) -> str:
        """Return our type for one of KAGAS's; the letter follows the tokens.

        Args:
            name: KAGAS's type.
            deletes: Whether the edit replaces tokens.
            correction: The corrected text; KAGAS does not say of which class an added eojeol is.

        Raises:
            KeyError: KAGAS has no such type.
        """
        if name in (INSERTION, DELETION):
            label = _PUNCT if correction and is_punctuation("".join(correction.split())) else _OTHER
        elif name == UNCLASSIFIED:
            label = _OTHER
        else:
            label = self.labels[name]
        letter = "R" if deletes and correction else "U" if deletes else "M"
        return f"{letter}:{label}"

    def theirs(self, edit: Edit) -> str:
        """Return KAGAS's type for an edit of ours; its longest label that the table has decides."""
        if not edit.correction:
            return DELETION
        if edit.start == edit.end:
            return INSERTION
        label = edit.type.partition(":")[2]
        while label:
            if label in self.names:
                return self.names[label]
            label = label.rpartition(":")[0]
        return UNCLASSIFIED


def read_kagas(
    path: str, counterparts: Mapping[str, Mapping[str, Any]], deviations: FormatDeviations | None = None
) -> Iterator[Block]:
    """Yield the blocks of a file of KAGAS's dialect in ours, ``-`` meaning standard input.

    A deletion gets the label ``PUNCT`` or ``OTHER`` by its source tokens, as an insertion does by its correction;
    ``m2 retype --gold --lang ko`` finds the word classes.

    Args:
        path: The file.
        counterparts: The table of a pack.
        deviations: Counts what is in neither dialect, or makes it an error.

    Raises:
        UsageError: The table names no type of KAGAS.
        FormatError: A line cannot be read, or has a type that KAGAS has not.
        InputError: The file cannot be opened.
    """
    yield from read_dialect(path, _Reader(path, KagasTypes(counterparts)).ours, deviations)


class _Reader:
    """Turns the lines of one file into ours, one for one, so that they can be counted."""

    def __init__(self, path: str, types: KagasTypes) -> None:
        self.path, self.types = path, types
        self.source: list[str] = []

    def ours(self, number: int, kind: LineKind, line: str) -> str:
        """Return a line in our dialect."""
        if kind is LineKind.SOURCE:
            self.source = line[1:].split()
        return self._edit(number, line) if kind is LineKind.EDIT else line

    def _edit(self, number: int, line: str) -> str:
        fields = line.split(SEPARATOR)
        if len(fields) < 3:
            return line
        if fields[1] == NOOP:
            fields[2] = fields[2] or NONE
            return SEPARATOR.join(fields)
        span = [n for text in fields[0].removeprefix("A").split() if (n := number_of(text)) is not None]
        name, correction = fields[1], fields[2]
        if name in DETECTION_TYPES or len(span) != 2:
            return line
        try:
            deleted = " ".join(self.source[span[0] : span[1]])
            fields[1] = self.types.ours(name, span[0] != span[1], correction)
            if name == DELETION and deleted and is_punctuation("".join(deleted.split())):
                fields[1] = f"U:{_PUNCT}"
        except KeyError:
            known = sorted({*self.types.labels, INSERTION, DELETION, UNCLASSIFIED})
            expected = f"expected one of {', '.join(known)}"
            problem = f"KAGAS has no type {name!r}{nearest(name, known)}; {expected}"
            raise FormatError(self.path, number, problem) from None
        return SEPARATOR.join(fields)


def write_kagas(
    blocks: Iterable[Block], stream: TextIO, counterparts: Mapping[str, Mapping[str, Any]]
) -> int:
    """Write blocks in KAGAS's dialect and return how many there were.

    Raises:
        UsageError: The table names no type of KAGAS.
        InputError: A token or type cannot be written in M2.
    """
    types, count = KagasTypes(counterparts), 0
    for count, block in enumerate(blocks, start=1):  # noqa: B007
        text = format_block(Block(block.source, tuple([_typed(a, types) for a in block.annotations])))
        stream.write(text.replace(f"{_NOOP_TAIL}{NONE}{SEPARATOR}", f"{_NOOP_TAIL}{SEPARATOR}"))
    return count


def _typed(annotation: Annotation, types: KagasTypes) -> Annotation:
    edits = [
        piece if piece.is_detection else replace(piece, type=types.theirs(piece))
        for edit in annotation.edits
        for piece in _eojeol_by_eojeol(edit)
    ]
    return Annotation(annotation.annotator, tuple(edits))


def _eojeol_by_eojeol(edit: Edit) -> Iterator[Edit]:
    """Yield an insertion or deletion as KAGAS writes it: an edit for each eojeol; other edits as they are.

    Alternatives are those of the whole edit, so it stays whole.
    """
    words = edit.correction or ()
    if edit.is_detection or edit.alternatives:
        yield edit
    elif edit.start == edit.end and len(words) > 1:
        yield from [replace(edit, correction=(word,)) for word in words]
    elif not words and edit.end - edit.start > 1:
        yield from [replace(edit, start=n, end=n + 1) for n in range(edit.start, edit.end)]
    else:
        yield edit

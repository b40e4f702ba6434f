"""KAGAS's dialect of M2 (Yoon et al. 2023, Korean): reading it and writing it.

Its types have no letters M, U, R: ``INSERTION`` and ``DELETION`` say no more than that, all others replace. Its
noop has an empty correction. Which of its types is which label is said by the table ``counterparts`` of a pack
(``ko``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TextIO

from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.values import NONE, NOOP, SEPARATOR, Annotation, Block, Edit, format_block
from jperrant.edits.forms import is_punctuation
from jperrant.io.m2 import FormatDeviations, m2_lines, parse_numbered_m2

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

    def ours(self, edit: Edit, source: Sequence[str]) -> str:
        """Return our type for an edit of KAGAS's; the letter follows the tokens.

        KAGAS does not say of which class an added or deleted eojeol is: it is punctuation, or something else.

        Raises:
            KeyError: KAGAS has no such type.
        """
        deleted, correction = source[edit.start : edit.end], edit.correction
        if edit.type in (INSERTION, DELETION):
            words = "".join((deleted if edit.type == DELETION else correction) or ())
            label = _PUNCT if words and is_punctuation(words) else _OTHER
        else:
            label = _OTHER if edit.type == UNCLASSIFIED else self.labels[edit.type]
        return f"{'R' if deleted and correction else 'U' if deleted else 'M'}:{label}"

    def theirs(self, edit: Edit) -> str:
        """Return KAGAS's type for an edit of ours; its longest label that the table has decides."""
        if edit.is_detection:
            return edit.type
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
    types, counted = KagasTypes(counterparts), deviations if deviations is not None else FormatDeviations()
    for block, _, lines in parse_numbered_m2(m2_lines(path, counted), path, counted):
        annotations = []
        for annotation in block.annotations:
            edits = list(annotation.edits)
            for n, edit in enumerate(edits):
                if edit.is_detection:
                    continue
                try:
                    edits[n] = replace(edit, type=types.ours(edit, block.source))
                except KeyError:
                    known = sorted({*types.labels, INSERTION, DELETION, UNCLASSIFIED})
                    problem = f"KAGAS has no type {edit.type!r}{nearest(edit.type, known)}"
                    expected = f"expected one of {', '.join(known)}"
                    line = lines[annotation.annotator][n]
                    raise FormatError(path, line, f"{problem}; {expected}") from None
            annotations.append(Annotation(annotation.annotator, tuple(edits)))
        yield Block(block.source, tuple(annotations))


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
        annotations = [
            Annotation(
                a.annotator,
                tuple([replace(piece, type=types.theirs(piece)) for e in a.edits for piece in _eojeols(e)]),
            )
            for a in block.annotations
        ]
        text = format_block(Block(block.source, tuple(annotations)))
        stream.write(text.replace(f"{_NOOP_TAIL}{NONE}{SEPARATOR}", f"{_NOOP_TAIL}{SEPARATOR}"))
    return count


def _eojeols(edit: Edit) -> list[Edit]:
    """Return an insertion or deletion as KAGAS writes it: an edit for each eojeol; other edits as they are.

    Alternatives are those of the whole edit, so it stays whole.
    """
    words = edit.correction or ()
    if not edit.is_detection and not edit.alternatives:
        if edit.start == edit.end:
            return [replace(edit, correction=(word,)) for word in words] or [edit]
        if not words:
            return [replace(edit, start=n, end=n + 1) for n in range(edit.start, edit.end)]
    return [edit]

"""Dialects of M2: ChERRANT's (Zhang et al. 2022, Chinese) and KAGAS's (Yoon et al. 2023, Korean).

ChERRANT's dialect differs from jperrant's in the letters of operations, in ``-NONE-`` as the correction of a
deletion, in ``T`` lines that hold the corrected sentence before the edits of each annotator, in alternatives
(``T0-A0``, ``T0-A1`` …: edits that are as cheap as the first ones), and in an annotation ``NA`` for sentences
that cannot be annotated. There are three sets of letters, which cannot be told apart in a file, so the reader
takes the set as an argument.

KAGAS's types have no letters M, U, R: ``INSERTION`` and ``DELETION`` have no label, and all other types are
replacements. Its noop has an empty correction. The table ``counterparts`` of a pack (``ko``) maps its types to
labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TextIO

from jperrant.core.edits import corrected
from jperrant.core.errors import FormatError, UsageError, check_known, nearest
from jperrant.core.messages import plural
from jperrant.core.values import (
    DETECTION_TYPES,
    NONE,
    NOOP,
    SEPARATOR,
    UNKNOWN,
    Annotation,
    Block,
    Edit,
    format_block,
    line_of,
)
from jperrant.edits.forms import is_punctuation
from jperrant.io.files import read_lines
from jperrant.io.m2 import (
    TARGET_SKIPPED,
    FormatDeviations,
    LineKind,
    kind_of,
    parse_m2,
    parse_numbered_m2,
    visible,
)

#: Letters for missing, unnecessary, replaced and moved tokens, with our operation for each. ``rsw`` are
#: ChERRANT's own (R is redundant); ``ust`` CLEME's; ``mur`` ERRANT's, where a move is a replacement.
LETTERS: Mapping[str, Mapping[str, str]] = {
    "rsw": {"M": "M", "R": "U", "S": "R", "W": "R:WO"},
    "ust": {"M": "M", "U": "U", "S": "R", "T": "R:WO"},
    "mur": {"M": "M", "U": "U", "R": "R"},
}
NO_ERROR, NOT_ANNOTATABLE = "没有错误", "无法标注"
NA = "NA"
_MOVE = "R:WO"
#: Labels with another spelling; the second is a slip of CLEME's.
_LABELS = {"QUAN": "QUANT", "PERP": "PREP"}
#: The T line of an annotator's first correction, or of the only one.
_FIRST = re.compile(r"T\d+(?:-A0)?(?:\s|\Z)")
#: Deviations that all files of the dialect have; where alternatives are pooled, edits begin again at the left.
_EXPECTED = frozenset([TARGET_SKIPPED, "-NONE- as the correction of a deletion"])
_EXPECTED_OF_POOLED = _EXPECTED | {"edits out of order", "overlapping edits"}


def read_cherrant(
    path: str,
    letters: str = "rsw",
    deviations: FormatDeviations | None = None,
    notes: list[str] | None = None,
) -> Iterator[Block]:
    """Yield the blocks of a file in ChERRANT's dialect, converted to jperrant's; ``-`` is standard input.

    Only the first of several alternatives is read. An annotator who marked a sentence as not annotatable gets
    one detection edit ``UNK`` over the whole sentence, which marks an error and changes nothing.

    Args:
        path: The file.
        letters: The set of letters, a name in ``LETTERS``. An empty name reads as ChERRANT's scorer does: types
            as they are, alternatives pooled in one annotation, and ``NA`` over sentences that are not
            annotatable.
        deviations: Counts what is in neither dialect, or raises an error for it.
        notes: A line is appended if alternatives were left out.

    Raises:
        UsageError: The set of letters is unknown.
        FormatError: A line cannot be read, or has a letter outside the set.
        InputError: The file cannot be opened.
    """
    if letters:
        check_known("letters", letters, LETTERS)
    left_out, counted = list[int](), FormatDeviations() if deviations is None else deviations
    counted.expected = _EXPECTED if letters else _EXPECTED_OF_POOLED
    lines = _our_lines(path, read_lines(path, counted.add), LETTERS.get(letters, {}), left_out)
    yield from parse_m2(lines, path, counted)
    if left_out and notes is not None:
        alternatives = f"{plural(len(left_out), 'alternative')} (A1, A2 …) left out"
        notes.append(f"{path}: {alternatives}: M2 holds one correction for each annotator")


def _our_lines(
    path: str, lines: Iterable[str], letters: Mapping[str, str], left_out: list[int]
) -> Iterator[str]:
    """Yield each line in our dialect, so that line numbers stay; a line that is left out becomes a T line.

    Args:
        path, lines: The file and its lines.
        letters: Our letters by theirs; if empty, types stay as they are and no alternative is left out.
        left_out: The line numbers of alternatives are appended.
    """
    length, skipping = 0, False
    for number, line in enumerate(lines, start=1):
        kind, fields = kind_of(bare := visible(line)), bare.split(SEPARATOR)
        if kind is LineKind.SOURCE:
            length, skipping = len(bare[1:].split()), False
        elif kind is LineKind.TARGET and letters:
            skipping = _FIRST.match(bare) is None
            left_out += [number] * skipping
        elif kind is LineKind.EDIT and skipping:
            fields = ["T0"]
        elif kind is LineKind.EDIT and fields[1:2] == [NA]:
            fields[:3] = f"A 0 {length}", UNKNOWN if letters else NA, NONE
        elif kind is LineKind.EDIT and letters and len(fields) > 2 and fields[1] != NOOP:
            fields[1] = _ours(fields[1], letters, path, number)
        yield line.removesuffix(bare) + SEPARATOR.join(fields)


def _ours(name: str, letters: Mapping[str, str], path: str, line: int) -> str:
    """Return our type for one of ChERRANT's."""
    letter, colon, label = name.partition(":")
    if name in DETECTION_TYPES:
        return name
    if letter not in letters:
        fix = f"give the letters of this file (cherrant:letters={'|'.join(LETTERS)})"
        raise FormatError(path, line, f"type {name!r} begins with none of {', '.join(letters)}; {fix}")
    ours = letters[letter]
    return ours if ours == _MOVE or not colon else f"{ours}:{_LABELS.get(label, label)}"


def write_cherrant(
    blocks: Iterable[Block],
    stream: TextIO,
    letters: str = "rsw",
    labels: Mapping[str, str] | None = None,
    bare: bool = False,
    file: str = "M2",
) -> int:
    """Write blocks in ChERRANT's dialect, each annotator with a T line, and return how many there were.

    Args:
        blocks: The blocks.
        stream: Where to write.
        letters: The set of letters, a name in ``LETTERS``.
        labels: ChERRANT's names of types (``M:QUAN`` for ``M:QUANT``); a type not among them keeps its name.
        bare: Write letters without labels, as ChERRANT does at character level.
        file: Name of the file in messages.

    Raises:
        UsageError: The set of letters is unknown.
        InputError: A token or type cannot be written in M2.
        FormatError: Edits overlap or reach outside their sentence; the message names file, sentence and
            annotator.
    """
    check_known("letters", letters, LETTERS)
    theirs = {ours: letter for letter, ours in LETTERS[letters].items()}
    count = 0
    for count, block in enumerate(blocks, start=1):
        lines = [line_of(block.source)]
        unsure = (Edit(0, len(block.source), None, UNKNOWN),)
        for annotator, edits in [(a.annotator, a.edits) for a in block.annotations]:
            if edits == unsure:
                tail = SEPARATOR.join((NA, NONE, "REQUIRED", NONE, str(annotator)))
                lines += [f"T{annotator} {NOT_ANNOTATABLE}", f"A -1 -1{SEPARATOR}{tail}"]
                continue
            tokens = corrected(block.source, edits, file, count, annotator)
            lines.append(" ".join((f"T{annotator}-A0", *tokens)) if edits else f"T{annotator} {NO_ERROR}")
            typed = [replace(e, type=_in_letters(e.type, theirs, labels or {}, bare)) for e in edits]
            text = format_block(Block(block.source, (Annotation(annotator, tuple(typed)),)))
            lines += map(_deletion_named, text.rstrip("\n").split("\n")[1:])
        stream.write("\n".join(lines) + "\n\n")
    return count


def _deletion_named(row: str) -> str:
    """Return an edit line with ``-NONE-`` for an empty correction; a correction may contain bars."""
    span, type_, rest = row.split(SEPARATOR, 2)
    correction, *tail = rest.rsplit(SEPARATOR, 3)
    return SEPARATOR.join((span, type_, correction or NONE, *tail))


def _in_letters(type_: str, theirs: Mapping[str, str], labels: Mapping[str, str], bare: bool) -> str:
    if type_ == UNKNOWN or (type_ == _MOVE and _MOVE in theirs):
        return theirs.get(type_, type_)
    letter, colon, label = labels.get(type_, type_).partition(":")
    letter = theirs.get(letter, letter)
    return letter if bare or not colon else f"{letter}:{label}"


# KAGAS.

INSERTION, DELETION, UNCLASSIFIED = "INSERTION", "DELETION", "UNCLASSIFIED"
SCHEME = "kagas"
_PUNCT, _OTHER = "PUNCT", "OTHER"
_NOOP_TAIL = f"{SEPARATOR}{NOOP}{SEPARATOR}"


class KagasTypes:
    """The mapping between KAGAS's types and a pack's labels, in both directions.

    Args:
        counterparts: The pack's table: for each label, its names in other schemes. If a label has several
            names, the first one is written; if several labels have one name, it is read as the first of them in
            the table.

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
        # KAGAS gives no class to an added or deleted eojeol.
        self.labels |= dict.fromkeys((INSERTION, DELETION, UNCLASSIFIED), _OTHER)

    def ours(self, edit: Edit, source: Sequence[str]) -> str:
        """Return our type for an edit of KAGAS's; its operation follows from the tokens.

        An added or deleted eojeol gets the label ``PUNCT`` or ``OTHER``.

        Raises:
            UsageError: KAGAS has no such type.
        """
        if edit.type not in self.labels:
            found = f"KAGAS has no type {edit.type!r}{nearest(edit.type, self.labels)}"
            raise UsageError(f"{found}; expected one of {', '.join(sorted(self.labels))}")
        deleted, correction = source[edit.start : edit.end], edit.correction
        changed = "".join({INSERTION: correction, DELETION: deleted}.get(edit.type) or ())
        label = _PUNCT if changed and is_punctuation(changed) else self.labels[edit.type]
        return f"{'R' if deleted and correction else 'U' if deleted else 'M'}:{label}"

    def theirs(self, edit: Edit) -> str:
        """Return KAGAS's type for an edit of ours, by the longest part of its label that is in the table."""
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
    """Yield the blocks of a file in KAGAS's dialect, converted to jperrant's; ``-`` is standard input.

    A deletion gets the label ``PUNCT`` or ``OTHER`` by its source tokens, as an insertion does by its correction;
    ``m2 retype --gold --lang ko`` finds the word classes.

    Args:
        path: The file.
        counterparts: The table of a pack.
        deviations: Counts what is in neither dialect, or raises an error for it.

    Raises:
        UsageError: The table names no type of KAGAS.
        FormatError: A line cannot be read, or has a type that KAGAS does not have.
        InputError: The file cannot be opened.
    """
    types, counted = KagasTypes(counterparts), FormatDeviations() if deviations is None else deviations
    for block, _, lines in parse_numbered_m2(read_lines(path, counted.add), path, counted):
        annotations = []
        for annotation in block.annotations:
            edits = []
            for edit, line in zip(annotation.edits, lines[annotation.annotator], strict=True):
                try:
                    type_ = edit.type if edit.is_detection else types.ours(edit, block.source)
                except UsageError as error:
                    raise FormatError(path, line, str(error)) from None
                edits.append(replace(edit, type=type_))
            annotations.append(replace(annotation, edits=tuple(edits)))
        yield replace(block, annotations=tuple(annotations))


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
        annotations = []
        for one in block.annotations:
            pieces = [piece for edit in one.edits for piece in _eojeols(edit)]
            typed = [replace(piece, type=types.theirs(piece)) for piece in pieces]
            annotations.append(replace(one, edits=tuple(typed)))
        text = format_block(replace(block, annotations=tuple(annotations)))
        stream.write(text.replace(f"{_NOOP_TAIL}{NONE}{SEPARATOR}", f"{_NOOP_TAIL}{SEPARATOR}"))
    return count


def _eojeols(edit: Edit) -> list[Edit]:
    """Split an insertion or deletion into one edit per eojeol, as KAGAS does; return other edits unchanged.

    An edit with alternatives stays whole, as they correct all of it.
    """
    words = edit.correction or ()
    if not edit.is_detection and not edit.alternatives:
        if edit.start == edit.end:
            return [replace(edit, correction=(word,)) for word in words] or [edit]
        if not words:
            return [replace(edit, start=n, end=n + 1) for n in range(edit.start, edit.end)]
    return [edit]

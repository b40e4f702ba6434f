"""Results of a search as concordance lines, rows, or counts by type."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, TextIO

from jperrant.annotation.find import Match
from jperrant.core.display import printable
from jperrant.core.errors import UsageError, check_known
from jperrant.core.tables import EXACT, RENDERERS, Cell, Table, pad, render
from jperrant.core.values import Annotation, Block
from jperrant.io.m2 import write_m2

FORMATS = ("text", *EXACT, "json", "m2", "counts", "md", "latex", "html")
_HEADER = ("sentence", "id", "annotator", "start", "end", "left", "source", "correction", "type", "right")
#: The width of the words before a match, in columns of a terminal.
_LEFT_WIDTH = 40
_GAP, _UNCORRECTED = "∅", "?"


def write_matches(matches: Iterable[Match], stream: TextIO, format: str = "text", context: int = 6) -> int:
    """Write the matches, each as soon as it is found if the format allows it, and return their number.

    Args:
        matches: The matches, in the order of the corpus.
        stream: The stream to write to.
        format: ``text`` has concordance lines and a table of types, ``counts`` that table alone. ``tsv``, ``csv``,
            ``json``, ``md``, ``latex`` and ``html`` have one row for each match. ``m2`` has the sentences with the
            edits that were found.
        context: The number of tokens shown on each side of a match.

    Raises:
        UsageError: The format is unknown, or it is M2 and the matches are tokens.
    """
    check_concordance(format)
    counts: Counter[str] = Counter()
    counted = _counted(matches, counts)
    if format == "m2":
        write_m2(_blocks(counted), stream)
    elif format == "json":
        _write_json(counted, stream, context)
    elif format in EXACT:
        _write_rows(counted, stream, format, context)
    elif format in ("md", "latex", "html"):
        stream.write(render([Table(_HEADER, tuple([_row(match, context) for match in counted]))], format))
    else:
        for match in counted:
            if format == "text":
                stream.write(_line(match, context))
        stream.write(_types(counts, "\n" if format == "text" else ""))
    return sum(counts.values())


def check_concordance(format: str, part: str = "edits") -> None:
    """Check, before the search, that a format exists and can show the matches.

    Raises:
        UsageError: The format is unknown, or it is M2 and tokens are searched.
    """
    check_known("format", format, FORMATS)
    if format == "m2" and part != "edits":
        raise UsageError("M2 holds edits, but tokens are searched; choose another format")


def _counted(matches: Iterable[Match], counts: Counter[str]) -> Iterator[Match]:
    for match in matches:
        counts[match.edit.type if match.edit else " ".join(_words(match)[0])] += 1
        yield match


def _words(match: Match) -> tuple[list[str], list[str]]:
    """Return the words of a match and those that replace them."""
    span = match.span
    source = match.source.forms[span.start : span.end]
    return list(source), list(match.target.forms[span.target_start : span.target_end] if match.edit else ())


def _row(match: Match, context: int) -> tuple[Cell, ...]:
    forms, span = match.source.forms, match.span
    source, correction = (" ".join(words) for words in _words(match))
    left = " ".join(forms[max(0, span.start - context) : span.start])
    right = " ".join(forms[span.end : span.end + context])
    type_ = match.edit.type if match.edit else ""
    place = (match.sentence, match.id, match.annotator, span.start, span.end)
    return (*place, left, source, correction, type_, right)


def _line(match: Match, context: int) -> str:
    _, name, _, _, _, left, source, correction, type_, right = map(str, _row(match, context))
    nothing = _UNCORRECTED if match.edit and match.edit.is_detection else _GAP
    change = f"[{source or _GAP} → {correction or nothing}] {type_}" if match.edit else f"[{source}]"
    where = name or str(match.sentence)
    return (
        printable(f"{pad(left, _LEFT_WIDTH, right=True)} {change} {right}".rstrip() + f"  ({where})") + "\n"
    )


def _write_rows(matches: Iterable[Match], stream: TextIO, format: str, context: int) -> None:
    renderer = RENDERERS[format]
    stream.write(renderer(Table(_HEADER, ())))
    for match in matches:
        stream.write(renderer(Table(_HEADER, (_row(match, context),))).partition("\n")[2])


def _write_json(matches: Iterable[Match], stream: TextIO, context: int) -> None:
    separator = "[\n"
    for match in matches:
        stream.write(separator + json.dumps(_object(match, context), ensure_ascii=False))
        separator = ",\n"
    stream.write("\n]\n" if separator != "[\n" else "[]\n")


def _object(match: Match, context: int) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(_HEADER, _row(match, context), strict=True))
    source, correction = _words(match)
    is_marked = match.edit is not None and match.edit.is_detection
    return row | {"source": source, "correction": None if is_marked else correction}


def _blocks(matches: Iterable[Match]) -> Iterator[Block]:
    """Yield the blocks of the sentences with a match, each with the edits that were found."""
    for _, group in groupby(matches, key=lambda match: match.sentence):
        found = list(group)
        annotations = []
        for annotator, own in groupby(found, key=lambda match: match.annotator):
            edits = tuple([match.edit for match in own if match.edit])
            annotations.append(Annotation(annotator, edits))
        yield Block(found[0].source.forms, tuple(annotations))


def _types(counts: Counter[str], before: str) -> str:
    if not counts:
        return "nothing found\n"
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows: tuple[tuple[Cell, ...], ...] = tuple(ordered)
    total: tuple[Cell, ...] = ("all", sum(counts.values()))
    return before + render([Table(("type", "matches"), (*rows, total))], "text")

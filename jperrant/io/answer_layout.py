"""What stands around answers: blocks of thought, code fences, fields of JSON, columns; taken away, or read."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jperrant.alignment.line_groups import word_similarity
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, nearest
from jperrant.core.messages import agree, plural
from jperrant.io.m2 import bounded_int

#: Part of the lines that are records, or rows, where a text has columns.
_MOST = 0.8
#: Characters of a field that are compared with the source.
_COMPARED = 2_000

_THINK = r"(think|thinking|thought|reasoning|scratchpad)"
_OPENED = re.compile(rf"<{_THINK}>", re.IGNORECASE)
_CLOSED = re.compile(rf"</{_THINK}>", re.IGNORECASE)
_FENCE = re.compile(r"\s*(```|~~~)[\w+-]*\s*")
_CLEANING = "to leave out lines that are no records, give --answers=clean,"


class Finding(NamedTuple):
    """Something that is not a corrected sentence.

    Attributes:
        what: What it is, with the place of the count: ``numbers before {}``.
        noun: What is counted.
        lines: The lines, counted from 1.
        example: What is seen in the first of them.
        nouns: The noun for several of them, if it is not the noun and an s.
    """

    what: str
    noun: str
    lines: tuple[int, ...]
    example: str = ""
    nouns: str = ""

    def __str__(self) -> str:
        """Return a phrase such as ``numbers before 20 answers (lines 1-20), such as '1. '``."""
        found = self.what.replace("{}", plural(len(self.lines), self.noun, self.nouns))
        return f"{found} ({places(self.lines)})" + (
            f", such as {shorten(self.example)}" if self.example else ""
        )


def places(lines: Sequence[int]) -> str:
    """Return where something is: ``lines 1-3, 7``."""
    return f"{agree(len(lines), 'line', 'lines')} {ranges(lines)}"


def ranges(numbers: Sequence[int], most: int = 6) -> str:
    """Return numbers in a few words.

    >>> ranges([1, 2, 3, 7, 9, 10]), ranges([1, 3, 5], most=2)
    ('1-3, 7, 9, 10', '1, 3 …')
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs[:most]]
    return ", ".join(shown) + (" …" if len(runs) > most else "")


def unwrapped(answers: Sequence[str]) -> tuple[list[tuple[int, str]], list[Finding]]:
    """Return numbered lines without blocks of thought and code fences, and these."""
    kept, thought = _without_thought(answers)
    fences = [(n, line) for n, line in kept if _FENCE.fullmatch(line)]
    findings = []
    if thought:
        findings.append(Finding("{} of thought", "line", tuple(thought), answers[thought[0] - 1]))
    if fences:
        findings.append(
            Finding("{} of a code fence", "line", tuple(n for n, _ in fences), fences[0][1].strip())
        )
        kept = [(n, line) for n, line in kept if not _FENCE.fullmatch(line)]
    return kept, findings


def _without_thought(answers: Sequence[str]) -> tuple[list[tuple[int, str]], list[int]]:
    """Return numbered lines without thoughts, and the numbers of the lines that had some."""
    thought: list[int] = []
    # Some templates have the opening tag in the prompt: then the text begins with thought.
    first = next((line for line in answers if _OPENED.search(line) or _CLOSED.search(line)), "")
    if not first:
        return list(enumerate(answers, start=1)), thought
    opened = _CLOSED.search(first) is not None and not _OPENED.search(first)
    kept = []
    for number, line in enumerate(answers, start=1):
        rest, had = "", opened
        while line:
            tag = (_CLOSED if opened else _OPENED).search(line)
            if not opened:
                rest += line[: tag.start()] if tag else line
            had = had or tag is not None
            opened = opened != (tag is not None)
            line = line[tag.end() :] if tag else ""
        if had:
            thought.append(number)
        if rest.strip() or not had:
            kept.append((number, rest.strip() if had else rest))
    return kept, thought


def with_listed_answers(text: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return a text with the strings of a JSON array, or of an object with numbers for keys, in its place.

    Returns:
        Numbered lines; those of the strings have the number of the array's first line. None if there is no array.
    """
    begins = (k for k, (_, line) in enumerate(text) if line.lstrip()[:1] in ("[", "{"))
    ends = (k for k in range(len(text) - 1, -1, -1) if text[k][1].rstrip()[-1:] in ("]", "}"))
    begin, end = next(begins, 0), next(ends, -1)
    value = _json("\n".join(line for _, line in text[begin : end + 1]))
    while isinstance(value, dict) and len(value) == 1:
        [value] = value.values()
    if isinstance(value, dict) and all(key.isdecimal() for key in value):
        value = list(value.values())
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        return []
    strings = [(text[begin][0], " ".join(one.split("\n"))) for one in value]
    return [*text[:begin], *strings, *text[end + 1 :]]


def find_columns(
    source: Sequence[str], text: Sequence[tuple[int, str]], wrapped: bool
) -> tuple[Finding, str] | None:
    """Return what to say of JSON records or rows of columns, and how to read them; None of other texts."""
    sentences = [line for line in source if line.strip()]
    every = _records(text)
    records = [(n, record) for n, record in every if isinstance(record, dict)]
    filled = sum(bool(line.strip()) for _, line in text)
    if not sentences or not filled:
        return None
    if records and 2 * len(records) >= min(len(sentences), len(every)):
        fields = [dict(_fields(record)) for _, record in records]
        best = _best(sentences, fields) or "FIELD"
        rest = wrapped or len(records) < len(every) or any(len(one) > 0 and best not in one for one in fields)
        what, numbers, column = "{} in JSON", [n for n, _ in records], f"jsonl:{best}"
    else:
        rows = [(n, line.split("\t")) for n, line in text if "\t" in line.strip()]
        width, count = Counter(len(row) for _, row in rows).most_common(1)[0] if rows else (0, 0)
        own = sum("\t" in line.strip() for line in sentences)
        if count < _MOST * filled or 2 * own > len(sentences):
            return None
        headed = len(rows) == len(sentences) + 1 and not any(char.isspace() for char in "".join(rows[0][1]))
        names = rows[0][1] if headed else [str(n) for n in range(1, width + 1)]
        best = _best(sentences, [dict(zip(names, row, strict=False)) for _, row in rows[headed:]])
        rest = wrapped or len(rows) < filled
        what, numbers, column = f"{{}} with {plural(width, 'column')}", [n for n, _ in rows], f"tsv:{best}"
    example = dict(text)[numbers[0]]
    return Finding(what, "line", tuple(dict.fromkeys(numbers)), example), "clean," * rest + column


def _records(text: Sequence[tuple[int, str]]) -> list[tuple[int, Any]]:
    """Return the JSON values of a text with their lines: those of one array, or one a line; None for other lines.

    A text that has no objects has no records.
    """
    filled = [(n, line) for n, line in text if line.strip()]
    begin = next((k for k, (_, line) in enumerate(filled) if line.lstrip().startswith(("[", "{"))), None)
    if begin is None:
        return []
    end = max(
        k for k, (_, line) in enumerate(filled, start=1) if line.rstrip().endswith(("]", "}", "},")) or k == 1
    )
    whole = _json("\n".join(line for _, line in filled[begin:end]))
    if isinstance(whole, list):
        others = [(n, None) for n, _ in (*filled[:begin], *filled[end:])]
        return [*((filled[begin][0], record) for record in whole), *others]
    return [(n, _json(line.strip().removesuffix(","))) for n, line in filled]


def _json(text: str) -> Any:
    """Return the array or object that a text is; None of another text."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the strings in a JSON value by their paths."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping | list):
        items: Iterable[Any] = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, inner in items:
            yield from _fields(inner, f"{path}.{key}" if path else str(key))


def _best(source: Sequence[str], records: Sequence[Mapping[str, str]]) -> str:
    """Return the name of the field that most likely holds the answers: like the source, but not a copy of it."""
    names = list(dict.fromkeys(name for record in records for name in record))
    pairs = list(zip(source, records, strict=False))[:200]
    alike = {
        name: sum(word_similarity(s[:_COMPARED], r.get(name, "")[:_COMPARED]) for s, r in pairs)
        for name in names
    }
    copies = {name for name in names if all(s.split() == r.get(name, "").split() for s, r in pairs)}
    return max(
        (name for name in names if name not in copies), key=alike.__getitem__, default=(names or [""])[0]
    )


def read_jsonl(name: str, lines: Sequence[str], field: str, clean: bool) -> tuple[list[str], list[int]]:
    """Return a field of each JSON object of a text, blank where it is null, and the lines that were left out.

    Args:
        name: What messages call the text.
        lines: Its lines.
        field: The field.
        clean: Leave out lines that are not JSON; objects without the field are blank.

    Raises:
        FormatError: There is no such field, or a line is not JSON.
    """
    text = list(enumerate(lines, start=1))
    records = _records(unwrapped(lines)[0] if clean else text)
    numbers = {n for n, record in records if isinstance(record, dict)}
    found = []
    for number, record in records:
        if clean and not isinstance(record, dict) and numbers:
            continue
        value = _value(record, field)
        if value is not None and not isinstance(value, str) and not (clean and value is _ABSENT):
            what = _no_field(record, field, dict(text)[number], value)
            raise FormatError(name, number, what)
        value = value if isinstance(value, str) else ""
        if any("\ud800" <= char <= "\udfff" for char in value):  # JSON can write half a pair; UTF-8 cannot
            what = f"{field}: found half of a surrogate pair, expected a whole character"
            raise FormatError(name, number, what)
        found.append(" ".join(value.split("\n")).strip())
    if not any(found):
        raise FormatError(name, 1, f"found no JSON object with text in {field!r}, expected one a line")
    inside = len(found) > len(numbers)  # an array over several lines
    return found, [] if inside or not clean else [n for n, line in text if line.strip() and n not in numbers]


_ABSENT = object()


def _value(record: Any, field: str) -> Any:
    """Return the value of a field, which may be a path (``choices.0.text``); ``_ABSENT`` if there is none."""
    if isinstance(record, Mapping) and field in record:
        return record[field]
    for key in field.split("."):
        if isinstance(record, list) and key.isdecimal() and bounded_int(key) < len(record):
            record = record[bounded_int(key)]
        elif isinstance(record, Mapping) and key in record:
            record = record[key]
        else:
            return _ABSENT
    return record


def _no_field(record: Any, field: str, line: str, value: Any) -> str:
    if not isinstance(record, Mapping):
        return f"found {shorten(line)}, expected a JSON object; {_CLEANING}jsonl:{field}"
    if value is not _ABSENT:
        return f"{field}: found {shorten(json.dumps(value))}, expected a string or null"
    names = [name for name, _ in _fields(record)]
    has = ", ".join(names) or "none"
    return f"found no field {field!r}{nearest(field, names)}; the record has {has}; {_CLEANING}jsonl:{field}"


def read_tsv(name: str, lines: Sequence[str], column: str, clean: bool) -> tuple[list[str], list[int]]:
    """Return a column of a text, and the lines that were left out: those of fewer columns, if it is cleaned.

    Raises:
        FormatError: The first row has no such name, or a row no such column.
    """
    text = [(n, line) for n, line in enumerate(lines, start=1) if line.strip()]
    rows = [(n, line.split("\t")) for n, line in (unwrapped(lines)[0] if clean else text) if line.strip()]
    rows = [row for row in rows if not clean or len(row[1]) > 1]
    names = [cell.strip() for cell in rows[0][1]] if rows else []
    if not rows:
        raise FormatError(name, 1, "found no row of columns separated by tabs")
    headed = column in names
    if not headed and not (column.isdecimal() and bounded_int(column) > 0):
        what = f"found no column {column!r}, expected its number, counted from 1, or a name of the first row"
        raise FormatError(name, rows[0][0] if rows else 1, f"{what}: {', '.join(map(shorten, names))}")
    index = names.index(column) if headed else bounded_int(column) - 1
    for number, row in rows:
        if index >= len(row):
            what = (
                f"found {plural(len(row), 'column')}, expected at least {index + 1}; {_CLEANING}tsv:{column}"
            )
            raise FormatError(name, number, what)
    kept = {n for n, _ in rows}
    return [row[index].strip() for _, row in rows[headed:]], [n for n, _ in text if n not in kept]

"""Answers of language models: text around, between and instead of corrected sentences is found and removed.

A text of answers is compared with the source that was to be corrected. Nothing is recognised by its looks alone: a
number, a quote or a label at the beginning of a line counts as added only where the line is more like its source
sentence without it. So sources that have numbers, quotes and bullets of their own are left alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby, islice
from typing import Any, NamedTuple

from jperrant.alignment.line_groups import UNLIKE, LineGroup, group_lines, word_similarity
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import agree, plural
from jperrant.io.answer_layers import bare_lines, echoes, other_lengths, remarks, stripped

#: Numbered lines.
_Lines = Sequence[tuple[int, str]]
_UNASKED, _INSTEAD_OF = "{} no source sentence", "{} instead of an answer"
_FILL = "put the source sentence where a system gave nothing, as --answers=clean does"
#: Lines that are compared together where texts are gone through, and that are looked at for columns.
_PART, _LOOKED_AT = 10_000, 1_000
#: Lines of the longest text that is explained.
_MOST_LINES = 200_000


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
    grouped = groupby(enumerate(numbers), lambda placed: placed[1] - placed[0])
    runs = [[number for _, number in run] for _, run in grouped]
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs[:most]]
    return ", ".join(shown) + (" …" if len(runs) > most else "")


@dataclass(frozen=True, slots=True)
class Review:
    """Answers beside the sentences that they answer.

    Attributes:
        findings: What was found that is no corrected sentence, and can be taken away.
        lines: The answers without it: for each source sentence its answer; the source itself where there is none.
        missing: Source lines without an answer, counted from 1.
        joined: Whether lines are split or joined otherwise than in the source.
        columns: How to read a text that has fields or columns, in words; else empty.
        sentences: Source lines that are not blank.
        long: Lines of answers, as they are left, that have many more or fewer words than their sentences.
        unlike: Answers that share few words with the sentences in whose place they stand.
    """

    findings: tuple[Finding, ...]
    lines: tuple[str, ...]
    missing: tuple[int, ...] = ()
    joined: bool = False
    columns: str = ""
    sentences: int = 0
    long: tuple[int, ...] = ()
    unlike: int = 0

    @property
    def seen(self) -> str:
        """What was found, in a phrase; empty if there is nothing."""
        return "; ".join(map(str, self.findings))

    @property
    def without_answer(self) -> str:
        """Which source sentences have no answer, in a phrase; empty if there are none."""
        if not self.missing:
            return ""
        has, sentences = agree(len(self.missing), "has", "have"), plural(self.sentences, "source sentence")
        return f"{len(self.missing)} of the {sentences} {has} no answer ({places(self.missing)})"

    @property
    def remedy(self) -> str:
        """What to do about the findings."""
        return (
            f"give --answers={self.columns}" if self.columns else "give --answers=clean to have it taken away"
        )

    def notes(self, name: str) -> list[str]:
        """Return what to say beside the figures of a text, a line each.

        Args:
            name: What the text is called.
        """
        notes = []
        if self.findings:
            notes.append(f"{name}: {self.seen}; this counts as changes to the text: {self.remedy}")
        if self.missing:
            words = f"all {agree(len(self.missing), 'its', 'their')} words"
            notes.append(f"{name}: {self.without_answer}, so that {words} count as deleted: {_FILL}")
        if self.long:
            much = f"{agree(len(self.long), 'is', 'are')} about twice or half as long as the source"
            advice = "look for what is no correction in them, or was cut off"
            notes.append(f"{name}: {plural(len(self.long), 'answer')} {much} ({places(self.long)}); {advice}")
        return notes


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """How answers are read.

    Attributes:
        kind: ``clean`` to take away what is not a corrected sentence, ``jsonl``, ``tsv``, or empty for lines.
        column: The field of JSON objects (``a.b.0`` for one inside others, ``.`` for strings of an array), or the
            column: its number, counted from 1, or its name in the first row.
    """

    kind: str = ""
    column: str = ""

    @classmethod
    def of(cls, given: str) -> AnswerFormat:
        """Return the format that is given as ``clean``, ``jsonl:FIELD`` or ``tsv:COLUMN``; empty for lines.

        Raises:
            UsageError: It is none of these.
        """
        kind, _, column = given.partition(":")
        if not given or given == "clean" or (kind in ("jsonl", "tsv") and column):
            return cls(kind, column)
        meant = "" if kind in ("jsonl", "tsv") else nearest(kind, ("clean", "jsonl", "tsv"))
        raise UsageError(
            f"unknown form of answers {given!r}{meant}; expected clean, jsonl:FIELD or tsv:COLUMN"
        )

    def read(
        self, name: str, lines: Sequence[str], source: Sequence[str]
    ) -> tuple[tuple[str, ...], list[str]]:
        """Return corrected sentences, and what to say of what was done to get them.

        Args:
            name: What messages call the text.
            lines: Its lines.
            source: The lines that were corrected.

        Raises:
            FormatError: A line has no such field or column.
            InputError: No answers are left, or they are those of another text.
        """
        if self.kind != "clean":
            return tuple(_column(name, lines, self) if self.kind else lines), []
        found, notes = review(source, lines), []
        _check_own(name, found)
        if found.findings:
            replaced = any(one.what == _INSTEAD_OF for one in found.findings)
            put = "; the source sentences were put in place of remarks" if replaced else ""
            notes.append(f"{name}: taken away: {found.seen}{put}")
        if found.without_answer:
            put = agree(len(found.missing), "; its source sentence was", "; their source sentences were")
            whole = len(found.lines) == len(source)
            notes.append(f"{name}: {found.without_answer}" + f"{put} put there" * whole)
        return found.lines, notes


def _check_own(name: str, found: Review) -> None:
    """Refuse answers that are those of another text, or in another order.

    Raises:
        InputError: They are.
    """
    counts = Counter({one.what: len(one.lines) for one in found.findings})
    own = found.sentences - len(found.missing) - counts[_INSTEAD_OF] - found.unlike
    strange = counts[_UNASKED] + found.unlike
    apart = min(strange, len(found.missing) + found.unlike)
    if found.sentences and (own <= 0 or 4 * apart > found.sentences):
        raise InputError(
            f"{name}: found answers to {own} of {plural(found.sentences, 'source sentence')}, and "
            f"{plural(strange, 'line that answers', 'lines that answer')} none; is it another text, or in another "
            "order?"
        )


class Reviewer:
    """Reviews answers that stand in the lines of their sentences, a part of the text at a time."""

    def __init__(self) -> None:
        self._source: list[str] = []
        self._answers: list[str] = []
        self._before = (0, 0)
        self._whole = Review((), ())

    def add(self, source: str, answer: str) -> None:
        """Take a source sentence and what stands in its line, or a text of several lines and its correction."""
        self._source += source.split("\n")
        self._answers += answer.split("\n")
        if len(self._source) >= _PART or len(self._source) != len(self._answers):
            self._review()

    def result(self) -> Review:
        """Return the review of all lines, without the answers themselves."""
        self._review()
        return self._whole

    def _review(self) -> None:
        found, whole, (texts, lines) = review(self._source, self._answers), self._whole, self._before
        findings = {one.what: one for one in whole.findings}
        for one in found.findings:
            known = findings.get(one.what, one._replace(lines=()))
            findings[one.what] = known._replace(lines=(*known.lines, *(n + lines for n in one.lines)))
        self._whole = Review(
            tuple(findings.values()),
            (),
            (*whole.missing, *(n + texts for n in found.missing)),
            sentences=whole.sentences + found.sentences,
            long=(*whole.long, *(n + lines for n in found.long)),
        )
        self._before = texts + len(self._source), lines + len(self._answers)
        self._source, self._answers = [], []


def check_columns(name: str, source: Iterable[str], answers: Iterable[str]) -> None:
    """Refuse answers that are JSON or columns, by their first lines.

    Args:
        name: What messages call the answers.
        source, answers: The lines.

    Raises:
        InputError: They are; says how to read them.
    """
    text, _ = _unwrapped(list(islice(answers, _LOOKED_AT)))
    if refused := _columns_review(list(islice(source, _LOOKED_AT)), text):
        raise InputError(f"{name}: found {refused.seen}, expected one sentence a line; {refused.remedy}")


def why_lines_differ(source: Iterable[str], answers: Iterable[str], raw: str) -> str:
    """Return why a text has more or fewer lines than its source, and what to do; empty if that is not clear.

    Args:
        source, answers: The lines.
        raw: What to do where nothing is missing, and lines are only split or joined; empty if nothing can be done.
    """
    text, others = list(islice(source, _MOST_LINES)), list(islice(answers, _MOST_LINES))
    if _MOST_LINES in (len(text), len(others)):
        return ""
    found = review(text, others)
    if found.columns:
        return f"found {found.seen}; {found.remedy}"
    missing = found.without_answer
    if missing:
        missing += f", such as {shorten(text[found.missing[0] - 1])}"
    if seen := "; ".join(filter(None, (found.seen, missing))):
        return f"{seen}; {found.remedy if found.findings else _FILL}"
    if found.joined:
        return "no sentence is missing, but lines are split or joined" + (f"; {raw}" if raw else "")
    spare = tuple(n for n, line in enumerate(text, start=1) if not line.strip())
    return f"{Finding('{} more in the source', 'blank line', spare)}; remove it" if spare else ""


def review(source: Sequence[str], answers: Sequence[str]) -> Review:
    """Compare answers with the sentences that were to be corrected.

    Args:
        source: The lines of the source.
        answers: The lines of the answers, in the same order; there may be more or fewer.

    Returns:
        What is not a corrected sentence, and which sentences have no answer.
    """
    text, findings = _unwrapped(answers)
    if found := _columns_review(source, text):
        return found
    # Beside a blank line, a text with as many lines has words that are no answer, but stand in their place.
    blank = {n for n, line in enumerate(source, start=1) if not line.strip()}
    beside = {n: answers[n - 1] for n in blank} if len(text) == len(source) else {}
    rows = [(n, line) for n, line in enumerate(source, start=1) if line.strip()]
    filled = [(n, line) for n, line in text if line.strip() and n not in beside]
    if repeated := echoes([line for _, line in rows], [line for _, line in filled]):
        places = [one for n, one in enumerate(filled) if n in repeated]
        findings.append(_finding("{} repeated before the answer", "source sentence", places))
        filled = [one for n, one in enumerate(filled) if n not in repeated]
    numbers, written = [n for n, _ in filled], [line for _, line in filled]
    groups = group_lines([line for _, line in rows], bare_lines(written))
    sources = {n: " ".join(rows[m][1] for m in left) for left, right in groups for n in right}
    if extra := [one for n, one in enumerate(filled) if n not in sources]:
        findings.append(_finding(_UNASKED, "line that answers", extra, "lines that answer"))
    kept, taken = stripped(sources, written)
    for what, found_in in sorted(taken.items()):
        lines = tuple(sorted({numbers[n] for n, _ in found_in}))
        findings.append(Finding(what, "answer", lines, min(found_in)[1]))
    single = [n for left, right in groups for n in right if len(left) == 1]
    if told := remarks(sources, kept, single):
        findings.append(_finding(_INSTEAD_OF, "remark", [(numbers[n], kept[n]) for n in told]))
        kept = [sources[n] if n in set(told) else line for n, line in enumerate(kept)]
    spare = [(n, "") for n, line in text if not line.strip()]
    if len(text) > len(source) and len(spare) > len(blank):
        findings.append(_finding("{} too many", "blank line", spare))
    answered = {m for left, _ in groups for m in left}
    missing = tuple(n for m, (n, line) in enumerate(rows) if m not in answered and _has_letters(line))
    alone = [right[0] for _, right in groups if len(right) == 1]
    return Review(
        tuple(findings),
        _in_order(source, rows, groups, kept, beside) if findings or missing else tuple(answers),
        missing,
        joined=any(len(left) != 1 or len(right) != 1 for left, right in groups),
        sentences=len(rows),
        long=tuple(numbers[n] for n in other_lengths(sources, kept, alone)),
        unlike=sum(word_similarity(sources[n], kept[n]) < UNLIKE for n in single if sources[n] != kept[n]),
    )


def _finding(what: str, noun: str, found: _Lines, nouns: str = "") -> Finding:
    return Finding(what, noun, tuple(n for n, _ in found), found[0][1], nouns)


def _has_letters(line: str) -> bool:
    """Whether a line is more than a stray quote, of which nothing may be left that is right."""
    return any(map(str.isalpha, line))


def _in_order(
    source: Sequence[str],
    rows: _Lines,
    groups: Sequence[LineGroup],
    lines: Sequence[str],
    beside: Mapping[int, str],
) -> tuple[str, ...]:
    """Return the answers in the order of the source, with its blank lines and what has no answer."""
    # Where no answer is, the source stands.
    placed = {number: [line if _has_letters(line) else ""] for number, line in rows}
    for left, right in groups:
        for n in range(left[0], left[-1] + 1):
            placed[rows[n][0]] = []
        placed[rows[left[0]][0]] = [lines[n] for n in right]
    return tuple(
        line for n, own in enumerate(source, start=1) for line in placed.get(n, [beside.get(n, own)])
    )


# What stands around answers: blocks of thought, code fences, JSON, columns.

_THINK = r"(?:think|thinking|thought|reasoning|scratchpad)"
_TAG_OF_THOUGHT = re.compile(rf"<(/?){_THINK}>", re.IGNORECASE)
_THOUGHT = re.compile(rf"<{_THINK}>.*?(?:</{_THINK}>|\Z)", re.IGNORECASE | re.DOTALL)
_FENCE = re.compile(r"\s*(```|~~~)[\w+-]*\s*")
#: A character that no text has stands where thought was.
_GONE = "\ufdd0"
#: Part of the lines that are rows, where a text has columns.
_MOST = 0.8
#: Fields that a message names.
_NAMED = 12
#: The name of what is no field of an object: a string in an array.
_ITSELF = "."


def _unwrapped(answers: Sequence[str]) -> tuple[_Lines, list[Finding]]:
    """Return numbered lines without blocks of thought and code fences, and these."""
    text = "\n".join(answers)
    if tag := _TAG_OF_THOUGHT.search(text):
        # Some templates have the opening tag in the prompt: then the text begins with thought.
        text = f"<think>{text}" if tag[1] else text
        text = _THOUGHT.sub(lambda found: "\n".join([_GONE] * (found[0].count("\n") + 1)), text)
    lines = list(enumerate(text.split("\n") if tag else answers, start=1))
    thought = [(n, answers[n - 1].strip()) for n, line in lines if _GONE in line]
    lines = [
        (n, line.replace(_GONE, "").strip() if _GONE in line else line)
        for n, line in lines
        if _GONE not in line or line.replace(_GONE, "").strip()
    ]
    fences = [(n, line.strip()) for n, line in lines if _FENCE.fullmatch(line)]
    found = [("{} of thought", thought), ("{} of a code fence", fences)]
    findings = [_finding(what, "line", lines) for what, lines in found if lines]
    return [(n, line) for n, line in lines if not _FENCE.fullmatch(line)] if fences else lines, findings


def _json(text: str) -> Any:
    """Return the array or object that a text is; None of another text."""
    try:
        return json.loads(text) if text.lstrip().startswith(("[", "{")) else None
    except (ValueError, RecursionError):
        return None


#: The line of a record, and its fields by name; None in place of a line that is no record.
_Row = tuple[int, Mapping[str, Any] | None]


def _json_rows(text: _Lines) -> list[_Row]:
    """Return the objects of a text with their fields by path: those of one array, or one a line."""
    filled = [(n, line) for n, line in text if line.strip()]
    whole = _json("\n".join(line for _, line in filled))
    numbered = [(n, _json(line.strip().removesuffix(","))) for n, line in filled]
    values = [(filled[0][0], one) for one in whole] if isinstance(whole, list) else numbered
    return [(n, dict(_fields(one)) if isinstance(one, dict | str) else None) for n, one in values]


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values in a JSON value that are no arrays and objects, by their paths (``choices.0.text``)."""
    if not isinstance(value, dict | list):
        yield path or _ITSELF, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _fields(inner, f"{path}.{key}" if path else str(key))


def _tsv_rows(text: _Lines, column: str) -> list[_Row]:
    """Return the rows of a text by the numbers of their columns, or by the names in the first row."""
    rows = [(n, [cell.strip() for cell in line.split("\t")]) for n, line in text if line.strip()]
    if rows and column in rows[0][1]:
        return [(n, dict(zip(rows[0][1], row, strict=False))) for n, row in rows[1:]]
    return [(n, dict(zip(map(str, count(1)), row, strict=False))) for n, row in rows]


def _columns_review(source: Sequence[str], text: _Lines) -> Review | None:
    """Return what to say of JSON records or rows of columns, and how to read them; None of other texts."""
    sentences = [line for line in source if line.strip()]
    filled = [(n, line) for n, line in text if line.strip()]
    rows = _json_rows(text)
    records = [(n, fields) for n, fields in rows if fields]
    if records and 2 * len(records) >= min(len(sentences), len(rows)):
        names = ", ".join(map(shorten, islice(records[0][1], _NAMED)))
        what, columns = "{} in JSON", f"jsonl:FIELD with one of the fields {names}"
    else:
        records = [(n, {}) for n, line in filled if "\t" in line.strip()]
        if len(records) < _MOST * len(filled) or 2 * sum("\t" in line.strip() for line in sentences) > len(
            sentences
        ):
            return None
        what, columns = "{} with columns", "tsv:COLUMN with a number from 1 or a name in the first row"
    if not sentences or not records:
        return None
    numbers = tuple(dict.fromkeys(n for n, _ in records))
    found = Finding(what, "line", numbers, dict(text)[numbers[0]])
    return Review((found,), (), columns=columns, sentences=len(sentences))


def _column(name: str, lines: Sequence[str], form: AnswerFormat) -> list[str]:
    """Return a field of each record of a text, blank where it is null; thought and fences around it are no records.

    Raises:
        FormatError: There is no such field, or a line is no record.
    """
    text = _unwrapped(lines)[0]
    rows = _json_rows(text) if form.kind == "jsonl" else _tsv_rows(text, form.column)
    values = [_value(name, n, fields, lines[n - 1], form) for n, fields in rows]
    if not any(values):
        what = "JSON object with text in" if form.kind == "jsonl" else "row with text in column"
        raise FormatError(name, 1, f"found no {what} {shorten(form.column)}, expected one a line")
    return values


def _value(name: str, number: int, fields: Mapping[str, Any] | None, line: str, form: AnswerFormat) -> str:
    """Return the text in a field of a record."""
    if fields is None:
        raise FormatError(name, number, f"found {shorten(line)}, expected a JSON object")
    if form.column not in fields:
        kind, wanted = ("field", "") if form.kind == "jsonl" else ("column", ", expected its number or name")
        what = f"found no {kind} {shorten(form.column)}{nearest(form.column, fields)}{wanted}"
        raise FormatError(name, number, f"{what}; the record has {', '.join(fields) or 'none'}")
    value = fields[form.column]
    if value is not None and not isinstance(value, str):
        what = f"found {shorten(json.dumps(value))}, expected a string or null"
        raise FormatError(name, number, f"{form.column}: {what}")
    text = value or ""
    if any("\ud800" <= char <= "\udfff" for char in text):  # JSON can write half a pair; UTF-8 cannot
        what = f"{form.column}: found half of a surrogate pair, expected a whole character"
        raise FormatError(name, number, what)
    return " ".join(text.split("\n")).strip()

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
from itertools import count, islice
from typing import Any, NamedTuple

from jperrant.alignment.line_groups import UNLIKE, LineGroup, group_lines, word_similarity
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import agree, plural
from jperrant.io.answer_layers import bare, echoes, other_lengths, remarks, shared_labels, stripped

_UNASKED, _INSTEAD_OF = "{} no source sentence", "{} instead of an answer"
#: Numbered lines.
_Lines = Sequence[tuple[int, str]]
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
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
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
        columns: How to read a text that has fields or columns (``jsonl:FIELD``, ``tsv:COLUMN``); else empty.
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
            answers = plural(len(self.long), "answer")
            much = f"{agree(len(self.long), 'is', 'are')} about twice or half as long as the source"
            notes.append(
                f"{name}: {answers} {much} ({places(self.long)}); look for what is no correction in them, or "
                "was cut off"
            )
        return notes

    @property
    def remedy(self) -> str:
        """What to do about the findings."""
        if self.columns:
            return f"give --answers={self.columns}"
        return "give --answers=clean to have it taken away"


@dataclass(frozen=True, slots=True)
class AnswerFormat:
    """How answers are read.

    Attributes:
        clean: Take away what is not a corrected sentence.
        kind: ``jsonl``, ``tsv``, or empty for lines.
        column: The field of JSON objects (``a.b.0`` for one inside others), or the column: its number, counted
            from 1, or its name in the first row.
    """

    clean: bool = False
    kind: str = ""
    column: str = ""

    @classmethod
    def of(cls, given: str) -> AnswerFormat:
        """Return the format that is given as ``clean``, ``jsonl:FIELD``, ``tsv:COLUMN`` or ``clean,jsonl:FIELD``.

        Raises:
            UsageError: It is none of these.
        """
        clean, kind, column = False, "", ""
        for part in filter(None, given.split(",")):
            name, _, value = part.partition(":")
            if name == "clean" and not value:
                clean = True
            elif name in ("jsonl", "tsv") and value and not kind:
                kind, column = name, value
            else:
                meant = "" if name in ("jsonl", "tsv") else nearest(name, ("clean", "jsonl", "tsv"))
                raise UsageError(
                    f"unknown form of answers {part!r}{meant}; expected clean, "
                    "jsonl:FIELD, tsv:COLUMN, or clean with one of these (clean,jsonl:FIELD)"
                )
        return cls(clean, kind, column)

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
        notes = []
        if self.kind:
            lines, left_out = _column(name, lines, self)
            if left_out:
                told = plural(len(left_out), "line that is no record", "lines that are no records")
                notes.append(f"{name}: left out: {told} ({places(left_out)})")
        if not self.clean:
            return tuple(lines), notes
        found = review(source, lines)
        counts = Counter({one.what: len(one.lines) for one in found.findings})
        replaced = counts[_INSTEAD_OF]
        own = found.sentences - len(found.missing) - replaced - found.unlike
        strange = counts[_UNASKED] + found.unlike
        apart = min(strange, len(found.missing) + found.unlike)
        if found.sentences and (own <= 0 or 4 * apart > found.sentences):
            lines = plural(strange, "line that answers", "lines that answer")
            sentences = plural(found.sentences, "source sentence")
            raise InputError(
                f"{name}: found answers to {own} of {sentences}, and {lines} none; is it another text, or in "
                "another order?"
            )
        if found.findings:
            put = "; the source sentences were put in place of remarks" if replaced else ""
            notes.append(f"{name}: taken away: {found.seen}{put}")
        if found.without_answer:
            put = agree(len(found.missing), "its source sentence was", "their source sentences were")
            whole = len(found.lines) == len(source)
            notes.append(f"{name}: {found.without_answer}" + f"; {put} put there" * whole)
        return found.lines, notes


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
    text, wrapping = _unwrapped(list(islice(answers, _LOOKED_AT)))
    found = _find_columns(list(islice(source, _LOOKED_AT)), text, bool(wrapping))
    if found is not None:
        refused = Review((found[0],), (), columns=found[1])
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
    source, answers = list(source), list(answers)
    text, findings = _unwrapped(answers)
    begin, end, strings = _embedded(text)
    while isinstance(strings, dict) and (len(strings) == 1 or all(key.isdecimal() for key in strings)):
        values = list(strings.values())
        strings = values[0] if len(values) == 1 and not isinstance(values[0], str) else values
    if isinstance(strings, list) and strings and all(isinstance(one, str) for one in strings):
        first = text[begin][0]
        findings.append(Finding("{} that begins a JSON array", "line", (first,), answers[first - 1]))
        text = [*text[:begin], *((first, " ".join(one.split("\n"))) for one in strings), *text[end:]]
    elif as_columns := _find_columns(source, text, bool(findings)):
        found, name = as_columns
        sentences = sum(1 for line in source if line.strip())
        return Review((*findings, found), tuple(answers), columns=name, sentences=sentences)
    return _reviewed(source, answers, text, findings)


def _reviewed(source: Sequence[str], answers: Sequence[str], text: _Lines, findings: list[Finding]) -> Review:
    """Return the review of numbered lines from which blocks of thought and fences were taken."""
    # Beside a blank line, a text with as many lines has words that are no answer, but stand in their place.
    blank = {n for n, line in enumerate(source, start=1) if not line.strip()}
    beside = blank if len(text) == len(source) else set()
    filled = [(number, line) for number, line in text if line.strip() and number not in beside]
    rows = [(number, line) for number, line in enumerate(source, start=1) if line.strip()]
    repeated = echoes([line for _, line in rows], [line for _, line in filled])
    if repeated:
        lines, example = tuple(filled[n][0] for n in repeated), filled[repeated[0]][1]
        findings.append(Finding("{} repeated before the answer", "source sentence", lines, example))
        filled = [one for n, one in enumerate(filled) if n not in set(repeated)]
    numbers, written = [n for n, _ in filled], [line for _, line in filled]
    labels = shared_labels(written)
    groups = group_lines([line for _, line in rows], [bare(line, labels) for line in written])
    sources = {n: " ".join(rows[m][1] for m in left) for left, right in groups for n in right}
    if extra := [n for n in range(len(filled)) if n not in sources]:
        lines = tuple(numbers[n] for n in extra)
        findings.append(Finding(_UNASKED, "line that answers", lines, written[extra[0]], "lines that answer"))
    kept, taken = stripped(sources, written)
    for what, found in sorted(taken.items()):
        lines = tuple(sorted({numbers[n] for n, _ in found}))
        findings.append(Finding(what, "answer", lines, min(found)[1]))
    single = [n for left, right in groups for n in right if len(left) == 1]
    if told := remarks(sources, kept, single):
        lines = tuple(numbers[n] for n in told)
        findings.append(Finding(_INSTEAD_OF, "remark", lines, kept[told[0]]))
        kept = [sources[n] if n in set(told) else line for n, line in enumerate(kept)]
    spare = [n for n, line in text if not line.strip() and n > 0]
    if len(text) > len(source) and len(spare) > len(blank):
        findings.append(Finding("{} too many", "blank line", tuple(spare)))
    answered = {m for left, _ in groups for m in left}
    missing = tuple(n for m, (n, line) in enumerate(rows) if m not in answered and _has_letters(line))
    alone = [right[0] for _, right in groups if len(right) == 1]
    long = tuple(numbers[n] for n in other_lengths(sources, kept, alone))
    unlike = sum(word_similarity(sources[n], kept[n]) < UNLIKE for n in single if sources[n] != kept[n])
    joined = any(len(left) != 1 or len(right) != 1 for left, right in groups)
    cleaned = tuple(answers)
    if findings or missing:
        cleaned = _in_order(source, rows, groups, kept, {n: answers[n - 1] for n in beside})
    return Review(tuple(findings), cleaned, missing, joined, sentences=len(rows), long=long, unlike=unlike)


def _has_letters(line: str) -> bool:
    """Whether a line is more than a stray quote, of which nothing may be left that is right."""
    return any(map(str.isalpha, line))


def _in_order(
    source: Sequence[str],
    rows: Sequence[tuple[int, str]],
    groups: Sequence[LineGroup],
    lines: Sequence[str],
    beside: Mapping[int, str],
) -> tuple[str, ...]:
    """Return the answers in the order of the source, with its blank lines and what has no answer."""
    by_first = {left[0]: right for left, right in groups}
    placed: dict[int, list[str]] = {}
    for n, (number, line) in enumerate(rows):
        kept = line if _has_letters(line) else ""
        placed[number] = [lines[m] for m in by_first[n]] if n in by_first else [kept]
    for left, _ in groups:
        for n in range(left[0] + 1, left[-1] + 1):  # stands in the answer to the first of them
            placed[rows[n][0]] = []
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
_CLEANING = "to leave out lines that are no records, give --answers=clean,"
#: Part of the lines that are rows, where a text has columns.
_MOST = 0.8
#: Characters of a field, and records, that are compared with the source.
_COMPARED, _RECORDS = 2_000, 200


def _unwrapped(answers: Sequence[str]) -> tuple[_Lines, list[Finding]]:
    """Return numbered lines without blocks of thought and code fences, and these."""
    text, thought = _without_thought(answers)
    fences = [n for n, line in text if _FENCE.fullmatch(line)]
    found = [("{} of thought", thought), ("{} of a code fence", fences)]
    findings = [
        Finding(what, "line", tuple(lines), answers[lines[0] - 1].strip()) for what, lines in found if lines
    ]
    return [(n, line) for n, line in text if not _FENCE.fullmatch(line)] if fences else text, findings


def _without_thought(answers: Sequence[str]) -> tuple[_Lines, list[int]]:
    """Return numbered lines without thoughts, and the numbers of the lines that had some."""
    text = "\n".join(answers)
    tag = _TAG_OF_THOUGHT.search(text)
    if tag is None:
        return list(enumerate(answers, start=1)), []
    # Some templates have the opening tag in the prompt: then the text begins with thought.
    text = f"<think>{text}" if tag[1] else text
    kept = _THOUGHT.sub(lambda found: "\n".join([_GONE] * (found[0].count("\n") + 1)), text).split("\n")
    thought = [n for n, line in enumerate(kept, start=1) if _GONE in line]
    lines = [
        (n, line.replace(_GONE, "").strip() if _GONE in line else line) for n, line in enumerate(kept, 1)
    ]
    return [(n, line) for n, line in lines if line or n not in set(thought)], thought


def _json(text: str) -> Any:
    """Return the array or object that a text is; None of another text."""
    if not text.lstrip().startswith(("[", "{")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _embedded(text: _Lines) -> tuple[int, int, Any]:
    """Return where an array or object begins and ends in the lines of a text, and its value."""
    begin = next((k for k, (_, line) in enumerate(text) if line.lstrip().startswith(("[", "{"))), 0)
    ends = (k for k in range(len(text), begin, -1) if text[k - 1][1].rstrip().endswith(("]", "}", "},")))
    end = next(ends, begin)
    return begin, end, _json("\n".join(line for _, line in text[begin:end]))


#: The line of a record, and its fields by name; None in place of a line that is no record.
_Row = tuple[int, Mapping[str, Any] | None]


def _json_rows(text: _Lines) -> list[_Row]:
    """Return the objects of a text with their fields by path: those of one array, or one a line."""
    begin, end, whole = _embedded(text)
    if isinstance(whole, list):
        values = [(text[begin][0], one) for one in whole]
        values += [(n, None) for n, line in (*text[:begin], *text[end:]) if line.strip()]
    else:
        values = [(n, _json(line.strip().removesuffix(","))) for n, line in text if line.strip()]
    return [(n, dict(_fields(one)) if isinstance(one, dict) else None) for n, one in values]


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values in a JSON value that are no arrays and objects, by their paths (``choices.0.text``)."""
    if not isinstance(value, dict | list):
        yield path, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _fields(inner, f"{path}.{key}" if path else str(key))


def _tsv_rows(text: _Lines, headed: bool) -> list[_Row]:
    """Return the rows of a text by the numbers of their columns, or by the names in the first row."""
    rows = [(n, [cell.strip() for cell in line.split("\t")]) for n, line in text if line.strip()]
    names = rows[0][1] if headed else []
    return [
        (n, dict(zip(names or map(str, count(1)), row, strict=False)) if len(row) > 1 or not names else None)
        for n, row in rows[headed:]
    ]


def _find_columns(source: Sequence[str], text: _Lines, wrapped: bool) -> tuple[Finding, str] | None:
    """Return what to say of JSON records or rows of columns, and how to read them; None of other texts."""
    sentences = [line for line in source if line.strip()]
    filled = [(n, line) for n, line in text if line.strip()]
    if not sentences or not filled:
        return None
    rows, kind, what = _json_rows(text), "jsonl", "{} in JSON"
    count, records = len(rows), [(n, fields) for n, fields in rows if fields is not None]
    if not records or 2 * len(records) < min(len(sentences), count):
        tabs = [(n, line) for n, line in filled if "\t" in line.strip()]
        widths = Counter(line.count("\t") + 1 for _, line in tabs)
        width, most = widths.most_common(1)[0] if tabs else (0, 0)
        if most < _MOST * len(filled) or 2 * sum("\t" in line.strip() for line in sentences) > len(sentences):
            return None
        headed = len(tabs) == len(sentences) + 1 and not any(map(str.isspace, tabs[0][1].replace("\t", "")))
        kind, what, count = "tsv", f"{{}} with {plural(width, 'column')}", len(filled) - headed
        records = [(n, fields) for n, fields in _tsv_rows(tabs, headed) if fields]
    best = _best(sentences, [fields for _, fields in records])
    rest = wrapped or len(records) < count or any(best not in fields for _, fields in records if fields)
    numbers = tuple(dict.fromkeys(n for n, _ in records))
    return Finding(what, "line", numbers, dict(text)[numbers[0]]), "clean," * rest + f"{kind}:{best}"


def _best(source: Sequence[str], records: Sequence[Mapping[str, Any]]) -> str:
    """Return the name of the field that most likely holds the answers: like the source, but not a copy of it."""
    pairs = [
        (sentence, {name: text for name, text in fields.items() if isinstance(text, str)})
        for sentence, fields in zip(source, records[:_RECORDS], strict=False)
    ]
    names = dict.fromkeys(name for _, fields in pairs for name in fields)
    copies = {name for name in names if all(s.split() == r.get(name, "").split() for s, r in pairs)}
    alike = {
        name: sum(word_similarity(s[:_COMPARED], r.get(name, "")[:_COMPARED]) for s, r in pairs)
        for name in names
    }
    return max((name for name in names if name not in copies), key=alike.__getitem__, default="FIELD")


def _column(name: str, lines: Sequence[str], form: AnswerFormat) -> tuple[list[str], list[int]]:
    """Return a field of each record of a text, blank where it is null, and the lines that were left out.

    Raises:
        FormatError: There is no such field, or a line is no record.
    """
    text = _unwrapped(lines)[0] if form.clean else list(enumerate(lines, start=1))
    if form.kind == "jsonl":
        rows = _json_rows(text)
    else:
        first = next((line for _, line in text if line.strip() and (not form.clean or "\t" in line)), "")
        headed = form.column in [cell.strip() for cell in first.split("\t")]
        text = [one for one in text if not form.clean or "\t" in one[1]]
        rows = _tsv_rows(text, headed)
    rows = [row for row in rows if not form.clean or row[1] is not None]
    values = [_value(name, n, fields, lines[n - 1], form) for n, fields in rows]
    if not any(values):
        found = (
            "found no JSON object with text in"
            if form.kind == "jsonl"
            else "found no row with text in column"
        )
        raise FormatError(name, 1, f"{found} {shorten(form.column)}, expected one a line")
    numbers = {n for n, _ in rows} | ({1} if form.kind == "tsv" and headed else set())
    inside = len(rows) > len(numbers)  # an array over several lines
    left_out = [n for n, line in enumerate(lines, start=1) if line.strip() and n not in numbers]
    return values, left_out if form.clean and not inside else []


def _value(name: str, number: int, fields: Mapping[str, Any] | None, line: str, form: AnswerFormat) -> str:
    """Return the text in a field of a record."""
    cleaning = f"{_CLEANING}{form.kind}:{form.column[:60]}"
    if fields is None:
        raise FormatError(name, number, f"found {shorten(line)}, expected a JSON object; {cleaning}")
    if form.column not in fields and not form.clean:
        kind, wanted = ("field", "") if form.kind == "jsonl" else ("column", ", expected its number or name")
        what = f"found no {kind} {shorten(form.column)}{nearest(form.column, fields)}{wanted}"
        raise FormatError(name, number, f"{what}; the record has {', '.join(fields) or 'none'}; {cleaning}")
    value = fields.get(form.column)
    if value is not None and not isinstance(value, str):
        what = f"found {shorten(json.dumps(value))}, expected a string or null"
        raise FormatError(name, number, f"{form.column}: {what}")
    text = value or ""
    if any("\ud800" <= char <= "\udfff" for char in text):  # JSON can write half a pair; UTF-8 cannot
        what = f"{form.column}: found half of a surrogate pair, expected a whole character"
        raise FormatError(name, number, what)
    return " ".join(text.split("\n")).strip()

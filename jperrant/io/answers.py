"""What language models write around, between and in place of corrected sentences: found, named, and taken away.

A text of answers is compared with the source that was to be corrected. Nothing is recognised by its looks alone: a
number, a quote or a label at the beginning of a line counts as added only where the line is more like its source
sentence without it. So sources that have numbers, quotes and bullets of their own are left alone.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, pairwise
from typing import Any, NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.line_groups import (
    SAME,
    UNLIKE,
    UNSPACED,
    LineGroup,
    group_lines,
    squeezed,
    word_similarity,
    words_of,
)
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import agree, plural

#: Numbered lines.
_Lines = Sequence[tuple[int, str]]
_TAG = r"<[\w|/-]{1,24}(?: [^<>]{1,60})?>"
_TAGS = re.compile(rf"^\s*(?:{_TAG}\s*)+|(?:{_TAG}\s*)+$")
_LABEL = re.compile(r"\s*[^\n:：]{0,79}[^\s:：][:：][*_]*\s*(?=\S)")
_NUMBER = re.compile(
    rf"\s*\d{{1,6}}[,;](?=\S)|\s*[*_]*[(\[#]*(?:\d{{1,6}}[.):\]、．：-]*|[A-Za-z][.)\]])[*_]*(?:[ \u00a0\u3000]+|"
    rf"(?=[{UNSPACED}]))"
)
_BULLET = re.compile(r"\s*(?:[-*•‣▪◦·–—+>]|#{1,6})\s+")
_MARKED = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1|(?<![\w*])\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?![\w*])")
_STRUCK = re.compile(r"~~.+?~~\s*")
_QUOTED = re.compile(r"\s*(\"|“|„|«|‘|'|`+|「|『)\s*(.+?)\s*(\"|”|“|»|’|'|`+|」|』)\s*")
_REMARK = re.compile(
    r"[(\[（][^()\[\]（）]{2,300}[)\]）][.。]?\s*$|"
    r"(?<=\s)[(\[*_]*(?:(?:explanations?|notes?|changes|reason)[*_]*\s*[:：]|"
    r"(?:this|the) sentence (?:is|was|has|needs)|i(?:'ve|’ve| have)? (?:changed|corrected|fixed)\b).*$",
    re.IGNORECASE,
)
_ARROW = re.compile(r"->|=>|→|⇒|\|{1,3}")

_STRAIGHT, _HALF = str.maketrans("“”„‘’", '"""\'\''), str.maketrans("，。！？：；（）", ",.!?:;()")
#: What splits a line for some programs, or is seen by none.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]")
_FILL = "put the source sentence where a system gave nothing, as --answers=clean does"
#: Lines that are compared together where texts are gone through, and that are looked at for columns.
_PART, _LOOKED_AT = 10_000, 1_000
#: Characters of the longest line in which anything is looked for, and lines of the longest text that is explained.
_LONGEST, _MOST_LINES = 3_000, 200_000

#: What introduces an answer, in words that a sentence rarely begins with.
_INTRODUCES = re.compile(
    r"\b(?:correct(?:ed|ions?)?|revised?|fixed|improved|output|answer|result|assistant|sure|certainly|"
    r"here(?:'s|’s| is| are)|of course|edited|rewritten|"
    r"korrig|berichtig|corrig|correg|исправл|виправл|opraven|poprawi)|"
    r"修改|修正|纠正|改正|更正|正确|訂正|교정|수정",
    re.IGNORECASE,
)
#: What stands in place of an answer.
_INSTEAD = re.compile(
    r"\b(?:(?:is|are|looks?|seems?|appears?)(?: to be)?(?: \w+){0,3} (?:correct|fine|accurate)|already correct|"
    r"correct as (?:is|it)|same as (?:the )?(?:original|input|source|before|above)|"
    r"no (?:\w+ ){0,3}(?:errors?|changes?|corrections?|mistakes?|issues?|edits?)\b|"
    r"(?:nothing|not?) (?:to|need(?:ed|s)? to be) (?:correct|change|fix)|unchanged|as an? (?:ai|language model)|"
    r"i(?:'m| am|’m) (?:sorry|unable)|i (?:can(?:no|'|’)t|cannot) (?:help|assist|correct|provide|fulfil)|"
    r"(?:ist|schon|bereits) (?:bereits )?(?:korrekt|richtig)|est (?:déjà )?correcte?|"
    r"es correct[ao]|è corrett[ao]|n/a$|none\W*$)|"
    r"(?:没有|无)(?:\w{0,4})(?:错误|问题)|(?:无需|不需要|不用)(?:修改|更正|改正)|正确|문법적으로|올바릅니다|수정할|"
    r"правильн|без ошибок|помилок немає",
    re.IGNORECASE,
)


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
    echoes = _echoes([line for _, line in rows], [line for _, line in filled])
    if echoes:
        lines, example = tuple(filled[n][0] for n in echoes), filled[echoes[0]][1]
        findings.append(Finding("{} repeated before the answer", "source sentence", lines, example))
        filled = [one for n, one in enumerate(filled) if n not in set(echoes)]
    numbers, written = [n for n, _ in filled], [line for _, line in filled]
    labels = _shared_labels(written)
    groups = group_lines([line for _, line in rows], [_bare(line, labels) for line in written])
    sources = {n: " ".join(rows[m][1] for m in left) for left, right in groups for n in right}
    if extra := [n for n in range(len(filled)) if n not in sources]:
        lines = tuple(numbers[n] for n in extra)
        findings.append(Finding(_UNASKED, "line that answers", lines, written[extra[0]], "lines that answer"))
    stripped, taken = _stripped(sources, written)
    for what, found in sorted(taken.items()):
        lines = tuple(sorted({numbers[n] for n, _ in found}))
        findings.append(Finding(what, "answer", lines, min(found)[1]))
    single = [n for left, right in groups for n in right if len(left) == 1]
    if remarks := _remarks(sources, stripped, single):
        lines = tuple(numbers[n] for n in remarks)
        findings.append(Finding(_INSTEAD_OF, "remark", lines, stripped[remarks[0]]))
        stripped = [sources[n] if n in set(remarks) else line for n, line in enumerate(stripped)]
    spare = [n for n, line in text if not line.strip() and n > 0]
    if len(text) > len(source) and len(spare) > len(blank):
        findings.append(Finding("{} too many", "blank line", tuple(spare)))
    answered = {m for left, _ in groups for m in left}
    missing = tuple(n for m, (n, line) in enumerate(rows) if m not in answered and _has_letters(line))
    alone = [right[0] for _, right in groups if len(right) == 1]
    long = tuple(numbers[n] for n in _other_lengths(sources, stripped, alone))
    unlike = sum(
        word_similarity(sources[n], stripped[n]) < UNLIKE for n in single if sources[n] != stripped[n]
    )
    joined = any(len(left) != 1 or len(right) != 1 for left, right in groups)
    cleaned = tuple(answers)
    if findings or missing:
        cleaned = _in_order(source, rows, groups, stripped, {n: answers[n - 1] for n in beside})
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
    kind, rows = "jsonl", _json_rows(text)
    records = [(n, fields) for n, fields in rows if fields is not None]
    what = "{} in JSON"
    if not records or 2 * len(records) < min(len(sentences), len(rows)):
        tabs = [(n, line) for n, line in filled if "\t" in line.strip()]
        widths = Counter(line.count("\t") + 1 for _, line in tabs)
        width, most = widths.most_common(1)[0] if tabs else (0, 0)
        if most < _MOST * len(filled) or 2 * sum("\t" in line.strip() for line in sentences) > len(sentences):
            return None
        headed = len(tabs) == len(sentences) + 1 and not any(map(str.isspace, tabs[0][1].replace("\t", "")))
        kind, what, rows = "tsv", f"{{}} with {plural(width, 'column')}", filled
        records = [(n, fields) for n, fields in _tsv_rows(tabs, headed) if fields]
        rows = rows[headed:]
    best = _best(sentences, [fields for _, fields in records])
    rest = wrapped or len(records) < len(rows) or any(best not in fields for _, fields in records if fields)
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


# What stands in the lines of answers.


def _taken(pattern: re.Pattern[str]) -> Callable[[str, str], str]:
    return lambda line, _: pattern.sub("", line, count=1) if pattern.match(line) else line


def _unquoted(line: str, _: str) -> str:
    match = _QUOTED.fullmatch(line)
    return match[2] if match else line


def _unmarked(line: str, _: str) -> str:
    return _MARKED.sub(lambda match: match[2] or match[3], line) if "*" in line or "__" in line else line


def _after_source(line: str, source: str) -> str:
    """Return what follows the source and an arrow or bar in a line; else the line."""
    for match in islice(_ARROW.finditer(line), 20):
        if match.end() < len(line) and squeezed(line[: match.start()]) == squeezed(source):
            return line[match.end() :].strip()
    return line


class _Layer(NamedTuple):
    """Something that is put around sentences.

    Attributes:
        take: Takes it away from a line that answers a sentence.
        what: What it is called.
        least, share: The least number of lines, and part of all lines, in which it is no accident.
        foreign: Whether it counts only where no source sentence has it.
    """

    take: Callable[[str, str], str]
    what: str
    least: int = 3
    share: float = 0.0
    foreign: bool = False

    def added(self, source: str, line: str, rest: str, common: bool) -> bool:
        """Whether a line is more like its source without it, and the source has no such thing in its place.

        Args:
            source, line: The sentence and its answer.
            rest: The answer without it.
            common: Whether most answers have it, so that it is added here too unless the source has it.
        """
        own, alike = self.take(source, source), Indel.normalized_similarity(source, rest)
        closer = common or alike > Indel.normalized_similarity(source, line)
        return closer and (own == source or Indel.normalized_similarity(own, rest) < alike)


_UNASKED = "{} no source sentence"
_INSTEAD_OF = "{} instead of an answer"
_LABELLED = "a label before {}"
_REMARKED = "a remark after {}"
_LAYERS = (
    _Layer(_taken(_NUMBER), "numbers before {}", 3, 0.1),
    _Layer(_taken(_BULLET), "bullets before {}", 3, 0.1),
    _Layer(_taken(_LABEL), _LABELLED),
    _Layer(_unmarked, "marks of bold or italic type in {}", 1),
    _Layer(lambda line, _: _STRUCK.sub("", line) if "~~" in line else line, "struck-out words in {}", 1),
    _Layer(lambda line, _: line.replace("\\n", " "), "line breaks written as \\n in {}", 1),
    _Layer(lambda line, _: html.unescape(line), "HTML entities such as &amp; in {}", 1),
    _Layer(lambda line, _: line.replace("@@ ", ""), "marks of subwords (@@) in {}", 1),
    _Layer(_unquoted, "quotes around {}", 3, 0.1),
    _Layer(lambda line, _: _TAGS.sub("", line) if "<" in line else line, "tags around {}"),
    _Layer(lambda line, _: _REMARK.sub("", line), _REMARKED),
    _Layer(_after_source, "the source before {}"),
    _Layer(lambda line, _: line.translate(_STRAIGHT), "curly quotes in {}, where the source has straight ones",
           3, 0.5, True),
    _Layer(lambda line, _: line.translate(_HALF), "full-width marks in {}, where the source has others",
           3, 0.5, True),
    _Layer(lambda line, _: _CONTROL.sub(lambda char: " " if char[0].isspace() else "", line),
           "line separators or control characters (such as U+2028 or NUL) in {}", 1, 0.0, True),
)  # fmt: skip
#: As often as this, one thing may stand inside another (``1. **"…"**``).
_DEEPEST = 4


def _stripped(
    sources: Mapping[int, str], answers: Sequence[str]
) -> tuple[list[str], dict[str, list[tuple[int, str]]]]:
    """Return answers without what was put around them, and by its name what was taken away from which."""
    lines, taken = list(answers), dict[str, list[tuple[int, str]]]()
    seen: dict[str, list[tuple[int, str]]] = {}
    short = {n: source for n, source in sources.items() if len(answers[n]) <= _LONGEST}
    for n, source in short.items():
        for key, off in _peeled(source, answers[n], None, frozenset())[1] if answers[n] != source else ():
            seen.setdefault(key, []).append((n, off))
    counts = {key: len({n for n, _ in found}) for key, found in seen.items()}
    wanted = {
        key
        for key, found in seen.items()
        if _is_meant(key, counts[key], found, sources.values(), len(answers))
    }
    # Of a label that stands in most lines no word may be in the sentence by chance.
    common = frozenset(key for key in wanted if 2 * counts[key] > len(answers))
    peeled = {n for key in wanted for n, _ in seen[key]}
    for n in short if common else peeled:
        lines[n], found = _peeled(sources[n], answers[n], wanted, common)
        for key, off in found:
            taken.setdefault(key.partition("\t")[0], []).append((n, off))
    return lines, taken


def _peeled(
    source: str, line: str, wanted: Collection[str] | None, common: Collection[str]
) -> tuple[str, list[tuple[str, str]]]:
    """Return an answer without what stands around it, and that; only what is wanted, unless this is None."""
    taken = []
    for _ in range(_DEEPEST):
        before = line
        for layer in _LAYERS:
            rest = layer.take(line, source)
            if rest == line or not rest.strip():
                continue
            off = _difference(line, rest)
            key = f"{layer.what}\t{_kind(off)}" if layer.what == _LABELLED else layer.what
            if (wanted is None or key in wanted) and layer.added(source, line, rest, key in common):
                taken.append((key, off))
                line = rest.strip()
        if line == before:
            break
    return line, taken


def _is_meant(
    key: str, count: int, found: Iterable[tuple[int, str]], sources: Iterable[str], answers: int
) -> bool:
    """Whether something stands in so many lines that it is no accident."""
    layer = next(one for one in _LAYERS if one.what == key.partition("\t")[0])
    if layer.foreign and any(layer.take(source, source) != source for source in sources):
        return False
    told = {_LABELLED: _INTRODUCES, _REMARKED: _INSTEAD}.get(layer.what)
    if count * 2 > answers or (told is not None and any(told.search(off) for _, off in found)):
        return True
    return count >= layer.least and count >= layer.share * answers


def _other_lengths(sources: Mapping[int, str], lines: Sequence[str], alone: Iterable[int]) -> list[int]:
    """Return the answers that have many more or fewer words than their sources; none if they are few."""
    found = []
    for n in alone:
        if (
            not len(sources[n]) < 1.3 * len(lines[n]) < 1.69 * len(sources[n])
        ):  # else there is no need to count
            fewer, more = sorted((len(words_of(lines[n])), len(words_of(sources[n]))))
            found += [n] * (more > 1.6 * fewer + 4)
    # A few sentences may be told at length, as people do.
    return found if 20 * len(found) > len(lines) else []


def _remarks(sources: Mapping[int, str], lines: Sequence[str], single: Iterable[int]) -> list[int]:
    """Return the answers that only say something about their sentences."""
    changed = [n for n in single if lines[n] != sources[n] and len(lines[n]) <= _LONGEST]
    alike = {n: word_similarity(sources[n], lines[n]) for n in changed}
    quoting = {n for n in changed if _quotes(lines[n], sources[n])}
    told = {
        n
        for n in changed
        if (alike[n] < SAME or n in quoting) and _INSTEAD.search(lines[n]) and not _INSTEAD.search(sources[n])
    }
    same = Counter(lines[n].casefold() for n in changed if alike[n] < UNLIKE)
    repeated = {line for line, count in same.items() if count > 2 and len(line) > 2}
    repeated |= {line for line in (lines[n].casefold() for n in told) if same[line]}
    return [
        n
        for n in changed
        if (n in told and (alike[n] < UNLIKE or n in quoting))
        or (alike[n] < SAME and lines[n].casefold() in repeated)
    ]


def _quotes(line: str, source: str) -> bool:
    """Whether an answer has its whole source sentence in quotes that are its own, and more."""
    quoted = any(mark in line and mark not in source for mark in "\"“«‘'`「")
    return quoted and squeezed(source) in squeezed(line)


def _difference(line: str, rest: str) -> str:
    """Return what was taken from a line: before the rest if it stands at its end, else the whole."""
    at = line.rfind(rest)
    if at > 0 and at + len(rest.rstrip()) >= len(line.rstrip()):
        return line[:at]
    return line[len(rest) :] if at == 0 else line


def _kind(label: str) -> str:
    return re.sub(r"\d+", "#", label.strip().casefold())


def _shared_labels(lines: Sequence[str]) -> set[str]:
    """Return the labels that several lines begin with."""
    found = Counter(
        _kind(match[0]) for line in lines if len(line) <= _LONGEST and (match := _LABEL.match(line))
    )
    return {label for label, count in found.items() if count > 2 and count * 5 > len(lines)}


def _bare(line: str, labels: set[str]) -> str:
    """Return a line without what is likely to be put around it, to be compared."""
    if len(line) > _LONGEST:
        return line
    match = _LABEL.match(line)
    line = line[match.end() :] if match and _kind(match[0]) in labels else line
    for layer in _LAYERS:
        if layer.what not in (_LABELLED, _REMARKED):
            line = layer.take(line, line) or line
    return line


def _echoes(source: Sequence[str], answers: Sequence[str]) -> list[int]:
    """Return which answers only repeat the source, each before the line that answers it."""
    if 2 * len(answers) < 3 * len(source):
        return []
    labels, known = _shared_labels(answers), {squeezed(line) for line in source}
    bare = [_bare(line, labels) for line in answers]
    copies = [
        n
        for n, (line, following) in enumerate(pairwise(bare))
        if len(line) <= _LONGEST and squeezed(line) in known and word_similarity(line, following) >= UNLIKE
    ]
    # Of a sentence that was right the answer is a copy as well: one of each two lines is the echo.
    kept: list[int] = []
    for n in copies:
        if not kept or kept[-1] != n - 1:
            kept.append(n)
    return kept if 2 * len(kept) > len(source) else []

"""What language models write around, between and in place of corrected sentences: found, named, and taken away.

A text of answers is compared with the source that was to be corrected. Nothing is recognised by its looks alone: a
number, a quote or a label at the beginning of a line counts as added only where the line is more like its source
sentence without it. So sources that have numbers, quotes and bullets of their own are left alone.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple

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
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.messages import agree, plural
from jperrant.io.answer_layout import (
    Finding,
    find_columns,
    places,
    read_jsonl,
    read_tsv,
    unwrapped,
    with_listed_answers,
)

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

#: What splits a line for some programs, or is seen by none; and marks that stand for others in print.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]")
_LOOKALIKES = {
    "curly quotes in {}, where the source has straight ones": ("“”„‘’", '"""\'\''),
    "full-width marks in {}, where the source has others": ("，。！？：；（）", ",.!?:;()"),
}

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
    """

    findings: tuple[Finding, ...]
    lines: tuple[str, ...]
    missing: tuple[int, ...] = ()
    joined: bool = False
    columns: str = ""
    sentences: int = 0
    long: tuple[int, ...] = ()

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
            reader = read_jsonl if self.kind == "jsonl" else read_tsv
            lines, left_out = reader(name, lines, self.column, self.clean)
            if left_out:
                told = plural(len(left_out), "line that is no record", "lines that are no records")
                notes.append(f"{name}: left out: {told} ({places(left_out)})")
        if not self.clean:
            return tuple(lines), notes
        found = review(source, lines)
        counts = {one.what: len(one.lines) for one in found.findings}
        replaced = counts.get(_INSTEAD_OF, 0)
        own, strange = found.sentences - len(found.missing) - replaced, counts.get(_UNASKED, 0)
        if found.sentences and (own <= 0 or 4 * min(strange, len(found.missing)) > found.sentences):
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
        self._before, self._sentences = (0, 0), 0
        self._findings: dict[str, Finding] = {}
        self._missing: tuple[int, ...] = ()
        self._long: tuple[int, ...] = ()

    def add(self, source: str, answer: str) -> None:
        """Take a source sentence and what stands in its line, or a text of several lines and its correction."""
        if "\n" in source or "\n" in answer:
            self._review()
            self._source, self._answers = source.split("\n"), answer.split("\n")
            self._review()
            return
        self._source.append(source)
        self._answers.append(answer)
        if len(self._source) == _PART:
            self._review()

    def result(self) -> Review:
        """Return the review of all lines, without the answers themselves."""
        self._review()
        found = tuple(self._findings.values())
        return Review(found, (), self._missing, sentences=self._sentences, long=self._long)

    def _review(self) -> None:
        found = review(self._source, self._answers)
        for one in found.findings:
            known = self._findings.get(one.what, one._replace(lines=()))
            lines = (*known.lines, *(n + self._before[1] for n in one.lines))
            self._findings[one.what] = known._replace(lines=lines)
        self._missing += tuple(n + self._before[0] for n in found.missing)
        self._long += tuple(n + self._before[1] for n in found.long)
        self._sentences += found.sentences
        self._before = self._before[0] + len(self._source), self._before[1] + len(self._answers)
        self._source, self._answers = [], []


def check_columns(name: str, source: Iterable[str], answers: Iterable[str]) -> None:
    """Refuse answers that are JSON or columns, by their first lines.

    Args:
        name: What messages call the answers.
        source, answers: The lines.

    Raises:
        InputError: They are; says how to read them.
    """
    text, wrapping = unwrapped(list(islice(answers, _LOOKED_AT)))
    found = find_columns(list(islice(source, _LOOKED_AT)), text, bool(wrapping))
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
    sentences = sum(1 for line in source if line.strip())
    text, findings = unwrapped(answers)
    if with_listed := with_listed_answers(text):
        numbers = Counter(n for n, _ in with_listed)
        first = max(numbers, key=numbers.__getitem__)
        findings.append(Finding("{} that begins a JSON array", "line", (first,), answers[first - 1]))
        text = with_listed
    elif as_columns := find_columns(source, text, bool(findings)):
        found, name = as_columns
        return Review((*findings, found), tuple(answers), columns=name, sentences=sentences)
    text, respelled = _respelled(source, text)
    return _reviewed(source, answers, text, findings + respelled, sentences)


def _respelled(
    source: Sequence[str], text: Sequence[tuple[int, str]]
) -> tuple[list[tuple[int, str]], list[Finding]]:
    """Return numbered lines with characters as the source has them, and where they were otherwise.

    Marks that look like others count only where a text has them in place of (nearly) all that the source has.
    """
    lines, findings = list(text), []
    strange = [(n, line) for n, line in lines if _CONTROL.search(line)]
    if strange and not any(map(_CONTROL.search, source)):
        what = "line separators or control characters (such as U+2028 or NUL) in {}"
        findings.append(Finding(what, "answer", tuple(n for n, _ in strange), strange[0][1]))
        lines = [(n, _CONTROL.sub(lambda c: " " if c[0].isspace() else "", line)) for n, line in lines]
    for what, (special, plain) in _LOOKALIKES.items():
        ours, theirs = re.compile(f"[{special}]"), re.compile(f"[{plain}]")
        if any(ours.search(line) for line in source if not line.isascii()):
            continue
        could = [(n, line) for n, line in lines if 0 < n <= len(source) and theirs.search(source[n - 1])]
        found = [(n, line) for n, line in could if ours.search(line) and not theirs.search(line)]
        if len(found) > 2 and 10 * len(found) >= 9 * len(could):
            findings.append(Finding(what, "answer", tuple(n for n, _ in found), found[0][1]))
            table = str.maketrans(special, plain)
            lines = [(n, line.translate(table)) for n, line in lines]
    return lines, findings


def _reviewed(
    source: Sequence[str],
    answers: Sequence[str],
    text: Sequence[tuple[int, str]],
    findings: list[Finding],
    sentences: int,
) -> Review:
    """Return the review of numbered lines from which blocks of thought and fences were taken."""
    # Beside a blank line, a text with as many lines has words that are no answer, but stand in their place.
    beside = (
        {n for n, line in enumerate(source, start=1) if not line.strip()}
        if len(text) == len(source)
        else set()
    )
    filled = [(number, line) for number, line in text if line.strip() and number not in beside]
    rows = [(number, line) for number, line in enumerate(source, start=1) if line.strip()]
    echoes = _echoes([line for _, line in rows], [line for _, line in filled])
    if echoes:
        lines = tuple(filled[n][0] for n in echoes)
        findings.append(
            Finding("{} repeated before the answer", "source sentence", lines, filled[echoes[0]][1])
        )
        filled = [one for n, one in enumerate(filled) if n not in set(echoes)]
    labels = _shared_labels([line for _, line in filled])
    groups = group_lines([line for _, line in rows], [_bare(line, labels) for _, line in filled])
    stripped = _Stripped(rows, filled, groups)
    paired = {n for _, right in groups for n in right}
    extra = [filled[n] for n in range(len(filled)) if n not in paired]
    if extra:
        lines = tuple(n for n, _ in extra)
        findings.append(Finding(_UNASKED, "line that answers", lines, extra[0][1], "lines that answer"))
    findings += stripped.findings
    spare = [n for n, line in text if not line.strip() and n > 0]
    if len(text) > len(source) and len(spare) > len(source) - len(rows):
        findings.append(Finding("{} too many", "blank line", tuple(spare)))
    answered = {m for left, _ in groups for m in left}
    missing = tuple(n for m, (n, line) in enumerate(rows) if m not in answered and _has_letters(line))
    long = stripped.long([(left, right[0]) for left, right in groups if len(right) == 1])
    joined = any(len(left) != 1 or len(right) != 1 for left, right in groups)
    if not findings and not missing:
        return Review((), tuple(answers), joined=joined, sentences=sentences, long=long)
    cleaned = _in_order(source, rows, groups, stripped.lines, {n: answers[n - 1] for n in beside})
    return Review(tuple(findings), cleaned, missing, joined, sentences=sentences, long=long)


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


# What stands in the lines of answers.


def _taken(pattern: re.Pattern[str]) -> Callable[[str], str]:
    return lambda line: pattern.sub("", line, count=1) if pattern.match(line) else line


def _unquoted(line: str) -> str:
    match = _QUOTED.fullmatch(line)
    return match[2] if match else line


def _unmarked(line: str) -> str:
    return _MARKED.sub(lambda match: match[2] or match[3], line) if "*" in line or "__" in line else line


class _Layer(NamedTuple):
    """Something that is put around sentences.

    Attributes:
        take: Takes it away from a line.
        what: What it is called.
        least, share: The least number of lines, and part of all lines, in which it is no accident.
    """

    take: Callable[[str], str]
    what: str
    least: int = 3
    share: float = 0.0

    def added(self, source: str, line: str, rest: str, common: bool) -> bool:
        """Whether a line is more like its source without it, and the source has no such thing in its place.

        Args:
            source, line: The sentence and its answer.
            rest: The answer without it.
            common: Whether most answers have it, so that it is added here too unless the source has it.
        """
        own, alike = self.take(source), word_similarity(source, rest)
        closer = common or alike > word_similarity(source, line)
        return closer and (own == source or word_similarity(own, rest) < alike)


_UNASKED = "{} no source sentence"
_INSTEAD_OF = "{} instead of an answer"
_LABELLED = "a label before {}"
_REMARKED = "a remark after {}"
_LAYERS = (
    _Layer(_taken(_NUMBER), "numbers before {}", 3, 0.1),
    _Layer(_taken(_BULLET), "bullets before {}", 3, 0.1),
    _Layer(_taken(_LABEL), _LABELLED),
    _Layer(_unmarked, "marks of bold or italic type in {}", 1),
    _Layer(lambda line: _STRUCK.sub("", line) if "~~" in line else line, "struck-out words in {}", 1),
    _Layer(lambda line: line.replace("\\n", " "), "line breaks written as \\n in {}", 1),
    _Layer(html.unescape, "HTML entities such as &amp; in {}", 1),
    _Layer(lambda line: line.replace("@@ ", ""), "marks of subwords (@@) in {}", 1),
    _Layer(_unquoted, "quotes around {}", 3, 0.1),
    _Layer(lambda line: _TAGS.sub("", line) if "<" in line else line, "tags around {}"),
    _Layer(lambda line: _REMARK.sub("", line), _REMARKED),
)
#: As often as this, one thing may stand inside another (``1. **"…"**``).
_DEEPEST = 4


class _Stripped:
    """Answers without what was put around them.

    Args:
        rows: The numbered lines of the source.
        filled: The numbered lines of the answers.
        groups: Which answers belong to which source lines.

    Attributes:
        lines: The answers; the source where a remark stands in place of one.
        findings: What was taken away.
    """

    def __init__(
        self,
        rows: Sequence[tuple[int, str]],
        filled: Sequence[tuple[int, str]],
        groups: Sequence[LineGroup],
    ) -> None:
        self._numbers = [n for n, _ in filled]
        self._sources = {n: " ".join(rows[m][1] for m in left) for left, right in groups for n in right}
        self._answers = [line for _, line in filled]
        self._common: set[str] = set()
        seen: dict[str, list[tuple[int, str]]] = {}
        short = {n: source for n, source in self._sources.items() if len(self._answers[n]) <= _LONGEST}
        for n, source in short.items():
            for key, taken in self._peeled(source, n, None)[1] if self._answers[n] != source else ():
                seen.setdefault(key, []).append((n, taken))
        wanted = {key for key, places in seen.items() if self._counts(key, places)}
        # Of a label that stands in most lines no word may be in the sentence by chance.
        counts = {key: len({n for n, _ in seen[key]}) for key in wanted}
        self._common = {key for key, count in counts.items() if 2 * count > len(self._answers)}
        self.lines = list(self._answers)
        self.findings: list[Finding] = []
        peeled = {n for key in wanted for n, _ in seen[key]}
        for n in short if self._common else peeled:
            self.lines[n], found = self._peeled(self._sources[n], n, wanted)
            for key, what in found:
                if n not in peeled:
                    seen[key].append((n, what))
        self._note(seen, wanted)
        self._replace_remarks([n for left, right in groups for n in right if len(left) == 1])

    def _peeled(self, source: str, n: int, wanted: set[str] | None) -> tuple[str, list[tuple[str, str]]]:
        """Return an answer without what stands around it, and that; only what is wanted, unless this is None."""
        line, taken = self._answers[n], []
        for _ in range(_DEEPEST):
            before = line
            for layer in _LAYERS:
                rest = layer.take(line)
                if rest == line or not rest.strip():
                    continue
                off = _difference(line, rest)
                key = f"{layer.what}\t{_kind(off)}" if layer.what == _LABELLED else layer.what
                if (wanted is None or key in wanted) and layer.added(source, line, rest, key in self._common):
                    taken.append((key, off))
                    line = rest.strip()
            before_source = _after_source(source, line)
            if before_source and (wanted is None or "the source before {}" in wanted):
                taken.append(("the source before {}", _difference(line, before_source)))
                line = before_source
            if line == before:
                break
        return line, taken

    def _counts(self, key: str, places: Sequence[tuple[int, str]]) -> bool:
        """Whether something stands in so many lines that it is no accident."""
        what, count, answers = key.split("\t")[0], len({n for n, _ in places}), len(self._answers)
        if count * 2 > answers:
            return True
        told = {_LABELLED: _INTRODUCES, _REMARKED: _INSTEAD}.get(what)
        if told is not None and any(told.search(off) for _, off in places):
            return True
        layer = next((one for one in _LAYERS if one.what == what), None)
        return count >= layer.least and count >= layer.share * answers if layer else count >= 3

    def _note(self, seen: Mapping[str, Sequence[tuple[int, str]]], wanted: set[str]) -> None:
        found: dict[str, list[tuple[int, str]]] = {}
        for key in sorted(wanted):
            found.setdefault(key.split("\t")[0], []).extend(seen[key])
        for what, found_at in found.items():
            numbers = tuple(sorted({self._numbers[n] for n, _ in found_at}))
            example = min(found_at)[1]
            self.findings.append(Finding(what, "answer", numbers, example))

    def long(self, pairs: Iterable[tuple[Sequence[int], int]]) -> tuple[int, ...]:
        """Return the lines that, without what was taken away, have many more or fewer words than the source."""
        longer = [
            n
            for _, n in pairs
            if not len(self._sources[n]) < 1.3 * len(self.lines[n]) < 1.69 * len(self._sources[n])
        ]
        sizes = ((n, len(words_of(self.lines[n])), len(words_of(self._sources[n]))) for n in longer)
        found = [
            self._numbers[n] for n, ours, theirs in sizes if max(ours, theirs) > 1.6 * min(ours, theirs) + 4
        ]
        # A few sentences may be told at length, as people do.
        return tuple(found) if 20 * len(found) > len(self._numbers) else ()

    def _quotes_source(self, n: int) -> bool:
        """Whether an answer has its whole source sentence in quotes that are its own, and more."""
        line, source = self.lines[n], self._sources[n]
        quoted = any(mark in line and mark not in source for mark in "\"“«‘'`「")
        return quoted and squeezed(source) in squeezed(line)

    def _replace_remarks(self, single: Sequence[int]) -> None:
        """Put the source in place of answers that only say something about it."""
        changed = [n for n in single if self.lines[n] != self._sources[n] and len(self.lines[n]) <= _LONGEST]
        alike = {n: word_similarity(self._sources[n], self.lines[n]) for n in changed}
        told = {
            n
            for n in changed
            if (alike[n] < SAME or self._quotes_source(n)) and _INSTEAD.search(self.lines[n])
            if not _INSTEAD.search(self._sources[n])
        }
        same = Counter(self.lines[n].casefold() for n in changed if alike[n] < UNLIKE)
        repeated = {line for line, count in same.items() if count > 2 and len(line) > 2}
        repeated |= {self.lines[n].casefold() for n in told if same[self.lines[n].casefold()]}
        remarks = [
            n
            for n in changed
            if (n in told and (alike[n] < UNLIKE or self._quotes_source(n)))
            or (alike[n] < SAME and self.lines[n].casefold() in repeated)
        ]
        if remarks:
            numbers = tuple(self._numbers[n] for n in remarks)
            self.findings.append(Finding(_INSTEAD_OF, "remark", numbers, self.lines[remarks[0]]))
        for n in remarks:
            self.lines[n] = self._sources[n]


def _after_source(source: str, line: str) -> str:
    """Return what follows the source and an arrow or bar in a line; empty if it is not so."""
    for match in islice(_ARROW.finditer(line), 20):
        if match.end() < len(line) and squeezed(line[: match.start()]) == squeezed(source):
            return line[match.end() :].strip()
    return ""


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
            line = layer.take(line) or line
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

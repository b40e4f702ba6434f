"""Answers of language models: text around, between and instead of corrected sentences is found and removed.

Answers are compared with the source sentences that were to be corrected. Nothing is recognised by its form
alone: a number, a quote or a label counts as added only if the line is more similar to its source sentence
without it, and that sentence has none. So the numbers, quotes and bullets of sources are kept.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import chain, count, groupby, islice, pairwise
from typing import Any, NamedTuple, TypeAlias

import yaml
from rapidfuzz.distance import Indel

from jperrant.alignment.line_groups import SAME, UNLIKE, group_lines, squeezed, word_similarity, words_of
from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, check_known, nearest
from jperrant.core.messages import agree, plural

#: Most lines of a part in which a text is reviewed, and most lines that are searched for columns.
_PART, _LOOKED_AT = 10_000, 1_000
#: Most lines of a text whose number of lines is explained, and most characters of a line that is searched.
_MOST_LINES, _LONGEST = 200_000, 3_000
_FILL = "put the source sentence where a system gave nothing, as --answers=clean does"

# Names of what is not a corrected sentence; the noun in braces is replaced by a count of it.

_THOUGHT, _FENCE = "{line} of thought", "{line} of a code fence"
_ECHO, _UNASKED = "{source sentence} repeated before the answer", "{line} without a source sentence"
_INSTEAD, _SPARE = "{remark} instead of an answer", "{blank line} too many"

_THINK = r"(?:think|thinking|thought|reasoning|scratchpad)"
_TAG_OF_THOUGHT = re.compile(rf"<(/?){_THINK}>", re.IGNORECASE)
_BLOCK_OF_THOUGHT = re.compile(rf"<{_THINK}>.*?(?:</{_THINK}>|\Z)", re.IGNORECASE | re.DOTALL)
_LINE_OF_FENCE = re.compile(r"\s*(```|~~~)[\w+-]*\s*")


class _Layer(NamedTuple):
    """Something that is put around sentences, or left in them, as ``answers.yaml`` explains."""

    what: str
    pattern: re.Pattern[str]
    plain: str | Callable[[re.Match[str]], str]
    share: float
    foreign: bool


@cache
def _known() -> tuple[re.Pattern[str], list[_Layer]]:
    """Return the pattern of remarks in place of answers, and the layers around answers."""
    known = yaml.safe_load((resources.files(__package__) / "answers.yaml").read_text("utf-8"))

    def plain(found: re.Match[str]) -> str:
        text = html.unescape(found[0])
        return str(known["marks"].get(text, text if text.isprintable() else " " if text.isspace() else ""))

    layers = [(one, re.compile("|".join(one["patterns"]), re.IGNORECASE)) for one in known["layers"]]
    remarks = "|".join(chain.from_iterable(known["remarks"].values()))
    return re.compile(remarks, re.IGNORECASE), [
        _Layer(one["what"], pattern, one.get("plain", plain), one.get("share", 0.1), "foreign" in one)
        for one, pattern in layers
    ]


#: Most layers that may be around a sentence, one inside the other (``1. **"…"**``).
_DEEPEST = 4


def places(lines: Sequence[int], most: int = 6) -> str:
    """Describe the numbers of lines in a few words.

    >>> places([1, 2, 3, 7, 9, 10]), places([1, 3, 5], most=2), places([8])
    ('lines 1-3, 7, 9, 10', 'lines 1, 3 …', 'line 8')
    """
    grouped = groupby(enumerate(lines), lambda placed: placed[1] - placed[0])
    runs = [[line for _, line in run] for _, run in grouped]
    shown = [f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs[:most]]
    return f"{agree(len(lines), 'line', 'lines')} {', '.join(shown)}{' …' if len(runs) > most else ''}"


#: Lines with their numbers.
_Lines: TypeAlias = list[tuple[int, str]]


@dataclass
class Review:
    """The result of comparing answers with their source sentences; lines count from 1.

    Answers on the same lines as their source sentences are added one by one, and reviewed in parts.

    Attributes:
        found: The lines of what is not a corrected sentence and can be removed, by its name.
        examples: The first example of each, by name.
        sentences: Source lines that are not blank.
        missing: Source lines without an answer.
        long: Lines of cleaned answers that have many more or fewer words than their source sentences.
        lines: The cleaned answers in the order of the source; a source sentence without an answer stands for
            itself. If a text is reviewed in parts, those of the last part.
        before: The numbers of lines of the source and of the answers that were reviewed.
    """

    found: dict[str, list[int]] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)
    sentences: int = 0
    missing: list[int] = field(default_factory=list)
    long: list[int] = field(default_factory=list)
    lines: tuple[str, ...] = ()
    before: tuple[int, int] = (0, 0)
    _source: list[str] = field(default_factory=list)
    _answers: list[str] = field(default_factory=list)

    def add(self, source: str, answer: str) -> None:
        """Add a source sentence and the answer on its line, or a text of several lines and its correction."""
        self._source += source.split("\n")
        self._answers += answer.split("\n")
        if len(self._source) >= _PART or len(self._source) != len(self._answers):
            self.finish()

    def finish(self) -> Review:
        """Review the lines that were added last, and return the review of all lines."""
        review(self._source, self._answers, self)
        self._source, self._answers = [], []
        return self

    def note(self, found: Mapping[str, _Lines]) -> None:
        """Add numbered lines that are not corrected sentences, by their names."""
        for what, lines in found.items():
            if lines:
                self.examples.setdefault(what, lines[0][1])
                self.found.setdefault(what, []).extend([n for n, _ in lines])

    @property
    def seen(self) -> str:
        """What was found, in a phrase; empty if nothing was found."""
        return "; ".join([_phrase(what, lines, self.examples[what]) for what, lines in self.found.items()])

    @property
    def without_answer(self) -> str:
        """Which source sentences have no answer, in a phrase; empty if there are none."""
        has, sentences = agree(len(self.missing), "has", "have"), plural(self.sentences, "source sentence")
        said = f"{len(self.missing)} of the {sentences} {has} no answer ({places(self.missing)})"
        return said if self.missing else ""

    def notes(self, name: str) -> list[str]:
        """Return the notes to show with the figures of a text of this name, one line each."""
        notes = []
        if self.found:
            notes.append(f"{self.seen}; this counts as changes to the text: {_CLEAN}")
        if self.missing:
            words = f"all {agree(len(self.missing), 'its', 'their')} words"
            notes.append(f"{self.without_answer}, so that {words} count as deleted: {_FILL}")
        if self.long:
            much = f"{agree(len(self.long), 'is', 'are')} about twice or half as long as the source"
            advice = "check them for text that is not a correction, and for answers that were cut off"
            notes.append(f"{plural(len(self.long), 'answer')} {much} ({places(self.long)}); {advice}")
        return [f"{name}: {note}" for note in notes]


_CLEAN = "give --answers=clean to have it removed"


def _phrase(what: str, lines: Sequence[int], example: str = "") -> str:
    """Return a phrase such as ``numbers before 20 answers (lines 1-20), such as '1. '``."""
    counted = re.sub(r"\{(.+)\}", lambda noun: plural(len(lines), noun[1]), what)
    return f"{counted} ({places(lines)})" + (f", such as {shorten(example)}" if example else "")


def review(source: Sequence[str], answers: Sequence[str], whole: Review | None = None) -> Review:
    """Compare answers with the sentences that were to be corrected.

    Args:
        source: The lines of the source.
        answers: The lines of the answers, in the same order; there may be more or fewer.
        whole: The review of the lines before these, to which these are added; None starts a new one.

    Returns:
        What is not a corrected sentence, and which sentences have no answer.
    """
    whole = whole or Review()
    texts, others = whole.before
    whole.before = texts + len(source), others + len(answers)
    text, found = _unwrapped(answers, others + 1)
    numbered = list(enumerate(source, start=texts + 1))
    rows = [(n, line) for n, line in numbered if line.strip()]
    # If both texts have equally many lines, text on the line of a blank source line answers no sentence, but does
    # not shift the lines that follow.
    pairs = zip(numbered, text, strict=True) if len(text) == len(source) else ()
    beside = {n: (m, line) for (m, own), (n, line) in pairs if not own.strip()}
    filled = [(n, line) for n, line in text if line.strip() and n not in beside]
    echoes = _echoes([line for _, line in rows], [line for _, line in filled])
    found[_ECHO] = [one for n, one in enumerate(filled) if n in echoes]
    filled = [one for n, one in enumerate(filled) if n not in echoes]
    groups = group_lines([line for _, line in rows], [_bare(line) for _, line in filled])
    sources = {n: " ".join(rows[m][1] for m in left) for left, right in groups for n in right}
    found[_UNASKED] = [one for n, one in enumerate(filled) if n not in sources]
    kept, taken = _stripped(sources, [line for _, line in filled])
    found |= {what: [filled[n] for n in sorted(taken[what])] for what in sorted(taken)}
    remarks = _remarks(sources, kept, [n for left, right in groups for n in right if len(left) == 1])
    found[_INSTEAD] = [(filled[n][0], kept[n]) for n in remarks]
    for n in remarks:
        kept[n] = sources[n]
    spare = [(n, "") for n, line in text if not line.strip()]
    found[_SPARE] = spare if len(text) > len(source) and len(spare) > len(source) - len(rows) else []
    whole.note(found)
    whole.sentences += len(rows)
    answered = {m for left, _ in groups for m in left}
    # A line without letters, such as a stray quote, may rightly be corrected to nothing.
    unanswered = [row for m, row in enumerate(rows) if m not in answered]
    whole.missing += [n for n, line in unanswered if any(map(str.isalpha, line))]
    alone = [right[0] for _, right in groups if len(right) == 1]
    whole.long += [filled[n][0] for n in _other_lengths(sources, kept, alone)]
    placed = {m: [line] for m, line in beside.values()}
    for left, right in groups:
        placed |= {rows[m][0]: [] for m in range(left[0], left[-1] + 1)}
        placed[rows[left[0]][0]] = [kept[n] for n in right]
    # A source line without an answer stands for itself.
    ordered = [line for n, own in numbered for line in placed.get(n, [own])]
    whole.lines = tuple(ordered if whole.found or whole.missing else answers)
    return whole


def _unwrapped(answers: Sequence[str], first: int = 1) -> tuple[_Lines, dict[str, _Lines]]:
    """Return numbered lines without blocks of thought and code fences, and the lines of these by name."""
    text = "\n".join(answers)
    if (tag := _TAG_OF_THOUGHT.search(text)) and tag[1]:
        text = f"<think>{text}"  # some templates have the opening tag in the prompt
    text = _BLOCK_OF_THOUGHT.sub(lambda block: "\n" * block[0].count("\n"), text)
    lines: _Lines = []
    found: dict[str, _Lines] = {_THOUGHT: [], _FENCE: []}
    for n, (line, left) in enumerate(zip(answers, text.split("\n"), strict=False), start=first):
        if left != line:
            found[_THOUGHT].append((n, line.strip()))
        if _LINE_OF_FENCE.fullmatch(left):
            found[_FENCE].append((n, left.strip()))
        elif left.strip() or left == line:
            lines.append((n, left if left == line else left.strip()))
    return lines, found


def _echoes(source: Sequence[str], answers: Sequence[str]) -> set[int]:
    """Return the indices of answers that only repeat the source, each before the line that answers it."""
    if 2 * len(answers) < 3 * len(source):
        return set()
    known = {squeezed(line) for line in source}
    kept: list[int] = []
    bare = [_bare(line[:_LONGEST], labels=True) for line in answers]
    for n, (line, following) in enumerate(pairwise(bare)):
        # The answer to a correct sentence is a copy as well: only one of such two lines is the echo.
        if kept[-1:] != [n - 1] and squeezed(line) in known and word_similarity(line, following) >= UNLIKE:
            kept.append(n)
    return {*kept} if 2 * len(kept) > len(source) else set()


def _bare(line: str, *, labels: bool = False) -> str:
    """Return a line without what was probably put around it, for comparison."""
    for layer in _known()[1] if len(line) <= _LONGEST else ():
        if not layer.what.startswith("a ") or (labels and layer.what.startswith("a label")):
            line = layer.pattern.sub(layer.plain, line) or line
    return line


def _stripped(sources: Mapping[int, str], answers: Sequence[str]) -> tuple[list[str], dict[str, set[int]]]:
    """Return answers without additions around them, and by addition the indices of those that had it.

    Text counts as added if the answer is more similar to its source without it, and what is left has such text
    if and only if the source has.
    """
    lines, taken, alike = list(answers), defaultdict[str, set[int]](set), Indel.normalized_similarity
    for _ in range(_DEEPEST):
        before = list(lines)
        for what, pattern, plain, share, foreign in _known()[1]:
            if foreign and any(map(pattern.search, sources.values())):
                continue
            changed = [n for n in sources if lines[n] != sources[n] and len(lines[n]) <= _LONGEST]
            rests = {n: pattern.sub(plain, lines[n]).strip() for n in changed if pattern.search(lines[n])}
            left = {n: bool(pattern.search(rest)) for n, rest in rests.items() if rest}
            added = [n for n, is_left in left.items() if is_left == bool(pattern.search(sources[n]))]
            closer = [n for n in added if alike(sources[n], rests[n]) > alike(sources[n], lines[n])]
            # An addition that most lines have is removed from all, as a line may be more similar with it by chance.
            added = closer if 2 * len(closer) <= len(lines) else added
            if len(added) >= (min(max(3, share * len(lines)), len(lines) / 2) if share else 1):
                taken[what] |= {*added}
                for n in added:
                    lines[n] = rests[n]
        if lines == before:
            break
    return lines, taken


def _other_lengths(sources: Mapping[int, str], lines: Sequence[str], alone: Iterable[int]) -> list[int]:
    """Return the answers that have many more or fewer words than their sources; empty if these are few."""
    found = []
    for n in alone:
        if not len(sources[n]) < 1.3 * len(lines[n]) < 1.69 * len(sources[n]):  # else no need to count words
            fewer, more = sorted((len(words_of(lines[n])), len(words_of(sources[n]))))
            found += [n] * (more > 1.6 * fewer + 4)
    # A few sentences may be rewritten at length, as people do.
    return found if 20 * len(found) > len(lines) else []


def _remarks(sources: Mapping[int, str], lines: Sequence[str], single: Iterable[int]) -> list[int]:
    """Return the answers that only remark on their sentences, in known words or in the same ones repeatedly."""
    remark, _ = _known()
    changed = [n for n in single if lines[n] != sources[n] and len(lines[n]) <= _LONGEST]
    words = {n: (words_of(sources[n]), words_of(lines[n])) for n in changed}
    alike = {n: Indel.normalized_similarity(*two) for n, two in words.items()}
    quotes = {n for n, (own, answer) in words.items() if "".join(own) in "".join(answer)}
    times = Counter(lines[n].casefold() for n in changed)
    # Only doubtful answers are searched for remarks, which is slow: all others are kept anyway.
    doubtful = [n for n in changed if alike[n] < SAME or n in quotes or times[lines[n].casefold()] > 1]
    told = {n for n in doubtful if remark.search(lines[n]) and not remark.search(sources[n])}
    alike |= dict.fromkeys(told & quotes, 0.0)
    same = Counter(lines[n].casefold() for n in changed if alike[n] < UNLIKE)
    often = {line for line, times in same.items() if times > 2 and len(line) > 2}
    often |= {line for n in told if same[line := lines[n].casefold()]}
    least = {n: SAME if lines[n].casefold() in often else UNLIKE if n in told else 0.0 for n in changed}
    return [n for n in changed if alike[n] < least[n]]


# Forms of answers: ``clean``, ``jsonl:FIELD``, ``tsv:COLUMN``.


def check_form(given: str) -> tuple[str, str]:
    """Return the kind and the field or column of a form of answers; both are empty for one sentence per line.

    Raises:
        UsageError: The form is none of ``clean``, ``jsonl:FIELD`` and ``tsv:COLUMN``.
    """
    kind, _, column = given.partition(":")
    if given not in ("", "clean") and not (kind in ("jsonl", "tsv") and column):
        check_known("form of answers", given, ("clean", "jsonl:FIELD", "tsv:COLUMN"))
    return kind, column


def read_answers(
    form: str, name: str, lines: Sequence[str], source: Sequence[str]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the corrected sentences, and notes on what was done to get them.

    Args:
        form: ``clean`` removes what is not a corrected sentence. ``jsonl:FIELD`` reads a field of JSON objects
            (``a.b.0`` for one inside others, ``.`` for the strings of an array). ``tsv:COLUMN`` reads a column,
            given by its number from 1 or its name in the first row. An empty form reads whole lines.
        name: The name of the text in messages.
        lines: Its lines.
        source: The lines that were corrected.

    Raises:
        UsageError: The form is unknown.
        FormatError: A line has no such field or column.
        InputError: No answers are left, or they answer another text.
    """
    kind, column = check_form(form)
    if kind != "clean":
        return tuple(_column(name, lines, kind, column) if kind else lines), []
    check_columns(name, source, lines)
    found, notes = review(source, lines), list[str]()
    _check_own(name, source, found)
    if found.found:
        put = "; the source sentences were put in place of remarks" if _INSTEAD in found.found else ""
        notes.append(f"{name}: removed: {found.seen}{put}")
    if found.missing:
        put = agree(len(found.missing), "; its source sentence was", "; their source sentences were")
        whole = len(found.lines) == len(source)
        notes.append(f"{name}: {found.without_answer}" + f"{put} put there" * whole)
    return found.lines, notes


def _check_own(name: str, source: Sequence[str], found: Review) -> None:
    """Raise an error for answers to another text, or in another order.

    Raises:
        InputError: Too few answers are similar to their source sentences.
    """
    pairs = zip(source, found.lines, strict=True) if len(source) == len(found.lines) else ()
    unlike = sum(word_similarity(line, answer) < UNLIKE for line, answer in pairs if line != answer)
    remarks, strange = [len(found.found.get(what, ())) for what in (_INSTEAD, _UNASKED)]
    own = found.sentences - len(found.missing) - remarks - unlike
    apart = unlike + min(strange, len(found.missing))
    if found.sentences and (own <= 0 or 4 * apart > found.sentences):
        answers = f"found answers to {own} of {plural(found.sentences, 'source sentence')}"
        others = f"{plural(strange + unlike, 'line that answers', 'lines that answer')} none"
        raise InputError(f"{name}: {answers}, and {others}; is it another text, or in another order?")


def why_lines_differ(source: Iterable[str], answers: Iterable[str], raw: str) -> str:
    """Explain why a text has more or fewer lines than its source, and what to do; empty if that is unclear.

    Args:
        source, answers: The lines.
        raw: What to do if lines are only split or joined, and none is missing; empty if nothing can be done.
    """
    text, others = list(islice(source, _MOST_LINES)), list(islice(answers, _MOST_LINES))
    if _MOST_LINES in (len(text), len(others)):
        return ""
    found = review(text, others)
    missing = found.without_answer
    if missing:
        missing += f", such as {shorten(text[found.missing[0] - 1])}"
    if seen := "; ".join(filter(None, (found.seen, missing))):
        return f"{seen}; {_CLEAN if found.found else _FILL}"
    spare = [n for n, line in enumerate(text, start=1) if not line.strip()]
    if len(text) - len(spare) == sum(bool(line.strip()) for line in others):
        return f"{_phrase('{blank line} more in the source', spare)}; remove it"
    return "no sentence is missing, but lines are split or joined" + (f"; {raw}" if raw else "")


# Fields and columns: the line number of each record and its fields by name, or None if the line is not a
# record.

_Row: TypeAlias = tuple[int, Mapping[str, Any] | None]


def _json_rows(text: _Lines) -> list[_Row]:
    """Return the objects of a text with their fields by path: those of one array, or one per line."""
    filled = [(n, line) for n, line in text if line.strip()]
    whole = _json("\n".join([line for _, line in filled]))
    each = [(n, _json(line.strip().removesuffix(","))) for n, line in filled]
    values = [(filled[0][0], one) for one in whole] if isinstance(whole, list) else each
    return [(n, dict(_fields(one)) if isinstance(one, dict | str) else None) for n, one in values]


def _json(text: str) -> Any:
    """Parse a text that is a JSON array or object; return None for any other text."""
    try:
        return json.loads(text) if text.lstrip().startswith(("[", "{")) else None
    except (ValueError, RecursionError):
        return None


def _fields(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the strings, numbers and other scalars in a JSON value with their paths (``choices.0.text``)."""
    if not isinstance(value, dict | list):
        yield path or ".", value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _fields(inner, f"{path}.{key}" if path else str(key))


def _tsv_rows(text: _Lines, column: str) -> list[_Row]:
    """Return the rows of a text, with cells by the number of their column or its name in the first row."""
    rows = [(n, [cell.strip() for cell in line.split("\t")]) for n, line in text if line.strip()]
    names = rows[0][1] if rows and column in rows[0][1] else None
    return [(n, dict(zip(names or map(str, count(1)), row, strict=False))) for n, row in rows[bool(names) :]]


def check_columns(name: str, source: Iterable[str], answers: Iterable[str]) -> None:
    """Raise an error for answers that are JSON or columns, judged by their first lines.

    Args:
        name: The name of the answers in messages.
        source, answers: The lines.

    Raises:
        InputError: They are; the message says how to read them.
    """
    sentences = [line for line in islice(source, _LOOKED_AT) if line.strip()]
    lines = [(n, line) for n, line in _unwrapped(list(islice(answers, _LOOKED_AT)))[0] if line.strip()]
    rows, columns = _json_rows(lines), [n for n, line in lines if "\t" in line.strip()]
    records = [(n, row) for n, row in rows if row]
    own = sum("\t" in line.strip() for line in sentences)
    if records and 2 * len(records) >= min(len(sentences), len(rows)):
        what, numbers = "{line} in JSON", [*dict.fromkeys([n for n, _ in records])]
        fields = ", ".join(map(shorten, islice(records[0][1] or (), 12)))
        remedy = f"jsonl:FIELD with one of the fields {fields}"
    elif columns and 5 * len(columns) >= 4 * len(lines) and 2 * own <= len(sentences):
        what, numbers = "{line} with columns", columns
        remedy = "tsv:COLUMN with a number from 1 or a name in the first row"
    else:
        return
    if sentences:
        seen = _phrase(what, numbers, dict(lines)[numbers[0]])
        raise InputError(f"{name}: found {seen}, expected one sentence a line; give --answers={remedy}")


def _column(name: str, lines: Sequence[str], kind: str, column: str) -> list[str]:
    """Return a field of each record of a text, blank if null, passing over thought and code fences.

    Raises:
        FormatError: There is no such field, or a line is no record.
    """
    text, _ = _unwrapped(lines)
    wanted = "field" if kind == "jsonl" else "column"
    values = []
    for n, fields in _json_rows(text) if kind == "jsonl" else _tsv_rows(text, column):
        value, problem = (fields or {}).get(column), ""
        if fields is None:
            problem = f"found {shorten(lines[n - 1])}, expected a JSON object"
        elif column not in fields:
            has = ", ".join(fields) or "none"
            problem = f"found no {wanted} {shorten(column)}{nearest(column, fields)}; the record has {has}"
        elif not isinstance(value, str | None):
            problem = f"{column}: found {shorten(json.dumps(value))}, expected a string or null"
        elif any("\ud800" <= char <= "\udfff" for char in value or ""):  # which UTF-8 cannot encode
            problem = f"{column}: found half of a surrogate pair, expected a whole character"
        if problem:
            raise FormatError(name, n, problem)
        values.append(" ".join((value or "").split("\n")).strip())
    if not any(values):
        problem = f"found no text in the {wanted} {shorten(column)}, expected some in each line"
        raise FormatError(name, 1, problem)
    return values

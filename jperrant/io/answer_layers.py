"""Layers around the sentence in a line of a language model's answer: numbers, labels, quotes, remarks."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from jperrant.alignment.line_groups import SAME, UNLIKE, UNSPACED, squeezed, word_similarity, words_of

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
#: Characters of the longest line in which anything is looked for.
_LONGEST = 3_000

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


def stripped(
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


def other_lengths(sources: Mapping[int, str], lines: Sequence[str], alone: Iterable[int]) -> list[int]:
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


def remarks(sources: Mapping[int, str], lines: Sequence[str], single: Iterable[int]) -> list[int]:
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


def shared_labels(lines: Sequence[str]) -> set[str]:
    """Return the labels that several lines begin with."""
    found = Counter(
        _kind(match[0]) for line in lines if len(line) <= _LONGEST and (match := _LABEL.match(line))
    )
    return {label for label, count in found.items() if count > 2 and count * 5 > len(lines)}


def bare(line: str, labels: set[str]) -> str:
    """Return a line without what is likely to be put around it, to be compared."""
    if len(line) > _LONGEST:
        return line
    match = _LABEL.match(line)
    line = line[match.end() :] if match and _kind(match[0]) in labels else line
    for layer in _LAYERS:
        if layer.what not in (_LABELLED, _REMARKED):
            line = layer.take(line, line) or line
    return line


def echoes(source: Sequence[str], answers: Sequence[str]) -> list[int]:
    """Return which answers only repeat the source, each before the line that answers it."""
    if 2 * len(answers) < 3 * len(source):
        return []
    labels, known = shared_labels(answers), {squeezed(line) for line in source}
    lines = [bare(line, labels) for line in answers]
    copies = [
        n
        for n, (line, following) in enumerate(pairwise(lines))
        if len(line) <= _LONGEST and squeezed(line) in known and word_similarity(line, following) >= UNLIKE
    ]
    # Of a sentence that was right the answer is a copy as well: one of each two lines is the echo.
    kept: list[int] = []
    for n in copies:
        if not kept or kept[-1] != n - 1:
            kept.append(n)
    return kept if 2 * len(kept) > len(source) else []

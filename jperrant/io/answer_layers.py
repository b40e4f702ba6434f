"""Layers around the sentence in a line of a language model's answer: numbers, labels, quotes, remarks."""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
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
_QUOTED = re.compile(r"\s*(\"|“|„|«|‘|'|`+|「|『)\s*(.+?)\s*(\"|”|“|»|’|'|`+|」|』)\s*,?\s*")
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


def _without(pattern: re.Pattern[str], replacement: str = "") -> Callable[[str, str], str]:
    return lambda line, _: pattern.sub(replacement, line)


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


def _controlled(line: str, _: str) -> str:
    return _CONTROL.sub(lambda char: " " if char[0].isspace() else "", line)


class _Layer(NamedTuple):
    """Something that is put around sentences.

    Attributes:
        take: Takes it away from a line that answers a sentence.
        what: What it is called.
        least, share: The least number of lines, and part of all lines, in which it is no accident.
        foreign: Whether it counts only where no source sentence has it.
        told: Words by which it is known wherever it stands.
    """

    take: Callable[[str, str], str]
    what: str
    least: int = 3
    share: float = 0.0
    foreign: bool = False
    told: re.Pattern[str] | None = None

    def is_added(self, source: str, line: str, rest: str, common: bool) -> bool:
        """Whether a line is more like its source without it, and the source has no such thing in its place.

        Args:
            source, line: The sentence and its answer.
            rest: The answer without it.
            common: Whether most answers have it, so that it is added here too unless the source has it.
        """
        own, alike = self.take(source, source), Indel.normalized_similarity(source, rest)
        closer = common or alike > Indel.normalized_similarity(source, line)
        return closer and (own == source or Indel.normalized_similarity(own, rest) < alike)

    def is_meant(self, taken: Iterable[str], count: int, answers: int) -> bool:
        """Whether it stands in so many answers, or says so much, that it is no accident."""
        if count * 2 > answers or (self.told and any(map(self.told.search, taken))):
            return True
        return count >= self.least and count >= self.share * answers


_LABELLED = _Layer(_taken(_LABEL), "a label before {}", told=_INTRODUCES)
_REMARKED = _Layer(_without(_REMARK), "a remark after {}", told=_INSTEAD)
_LAYERS = (
    _Layer(_taken(_NUMBER), "numbers before {}", 3, 0.1),
    _Layer(_taken(_BULLET), "bullets before {}", 3, 0.1),
    _LABELLED,
    _Layer(_unmarked, "marks of bold or italic type in {}", 1),
    _Layer(_without(_STRUCK), "struck-out words in {}", 1),
    _Layer(lambda line, _: line.replace("\\n", " "), "line breaks written as \\n in {}", 1),
    _Layer(lambda line, _: html.unescape(line), "HTML entities such as &amp; in {}", 1),
    _Layer(lambda line, _: line.replace("@@ ", ""), "marks of subwords (@@) in {}", 1),
    _Layer(_unquoted, "quotes around {}", 3, 0.1),
    _Layer(lambda line, _: _TAGS.sub("", line) if "<" in line else line, "tags around {}"),
    _REMARKED,
    _Layer(_after_source, "the source before {}"),
    _Layer(lambda line, _: line.translate(_STRAIGHT), "curly quotes in {}, where the source has straight ones",
           3, 0.5, True),
    _Layer(lambda line, _: line.translate(_HALF), "full-width marks in {}, where the source has others",
           3, 0.5, True),
    _Layer(_controlled, "line separators or control characters (such as U+2028 or NUL) in {}", 1, 0.0, True),
)  # fmt: skip
#: As often as this, one thing may stand inside another (``1. **"…"**``).
_DEEPEST = 4


def stripped(
    sources: Mapping[int, str], answers: Sequence[str]
) -> tuple[list[str], dict[str, list[tuple[int, str]]]]:
    """Return answers without what was put around them, and by its name what was taken away from which."""
    lines, taken = list(answers), defaultdict[str, list[tuple[int, str]]](list)
    short = {n: source for n, source in sources.items() if len(answers[n]) <= _LONGEST}
    for _ in range(_DEEPEST):
        before = list(lines)
        for layer in _LAYERS:
            for n, off in _take(layer, short, lines):
                taken[layer.what].append((n, off))
        if lines == before:
            break
    return lines, taken


def _take(layer: _Layer, sources: Mapping[int, str], lines: list[str]) -> list[tuple[int, str]]:
    """Take a layer away from lines where it is no accident; return from which, and what."""
    rests = {n: layer.take(lines[n], source) for n, source in sources.items() if lines[n] != source}
    rests = {n: rest for n, rest in rests.items() if rest != lines[n] and rest.strip()}
    if not rests or (layer.foreign and any(layer.take(one, one) != one for one in sources.values())):
        return []
    offs = {n: _difference(lines[n], rest) for n, rest in rests.items()}
    kinds = defaultdict[str, list[int]](list)
    for n, off in offs.items():
        kinds[_kind(off) if layer is _LABELLED else ""].append(n)
    taken = []
    for places in kinds.values():
        added = [n for n in places if layer.is_added(sources[n], lines[n], rests[n], False)]
        if not added or not layer.is_meant([offs[n] for n in added], len(added), len(lines)):
            continue
        # Of a label that stands in most lines no word may be in the sentence by chance.
        if 2 * len(added) > len(lines):
            added = [n for n in places if layer.is_added(sources[n], lines[n], rests[n], True)]
        for n in added:
            lines[n] = rests[n].strip()
            taken.append((n, offs[n]))
    return taken


def other_lengths(sources: Mapping[int, str], lines: Sequence[str], alone: Iterable[int]) -> list[int]:
    """Return the answers that have many more or fewer words than their sources; none if they are few."""
    found = []
    for n in alone:
        if not len(sources[n]) < 1.3 * len(lines[n]) < 1.69 * len(sources[n]):  # else no need to count words
            fewer, more = sorted((len(words_of(lines[n])), len(words_of(sources[n]))))
            found += [n] * (more > 1.6 * fewer + 4)
    # A few sentences may be told at length, as people do.
    return found if 20 * len(found) > len(lines) else []


def remarks(sources: Mapping[int, str], lines: Sequence[str], single: Iterable[int]) -> list[int]:
    """Return the answers that only say something about their sentences."""
    changed = [n for n in single if lines[n] != sources[n] and len(lines[n]) <= _LONGEST]
    alike = {n: word_similarity(sources[n], lines[n]) for n in changed}
    quoting = {n for n in changed if _quotes(lines[n], sources[n])}
    told = {n for n in changed if _INSTEAD.search(lines[n]) and not _INSTEAD.search(sources[n])}
    same = Counter(lines[n].casefold() for n in changed if alike[n] < UNLIKE)
    repeated = {line for line, count in same.items() if count > 2 and len(line) > 2}
    repeated |= {line for n in told if alike[n] < SAME and same[line := lines[n].casefold()]}
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


def bare_lines(lines: Sequence[str]) -> list[str]:
    """Return lines without what is likely to be put around them, to be compared; labels that several share go."""
    labels = [match if len(line) <= _LONGEST and (match := _LABEL.match(line)) else None for line in lines]
    shared = Counter(_kind(match[0]) for match in labels if match)
    found = []
    for line, match in zip(lines, labels, strict=True):
        bare = line
        if match and (count := shared[_kind(match[0])]) > 2 and count * 5 > len(lines):
            bare = line[match.end() :]
        for layer in _LAYERS if len(line) <= _LONGEST else ():
            if layer not in (_LABELLED, _REMARKED):
                bare = layer.take(bare, bare) or bare
        found.append(bare)
    return found


def echoes(source: Sequence[str], answers: Sequence[str]) -> set[int]:
    """Return which answers only repeat the source, each before the line that answers it."""
    if 2 * len(answers) < 3 * len(source):
        return set()
    known = {squeezed(line) for line in source}
    kept: list[int] = []
    for n, (line, following) in enumerate(pairwise(bare_lines(answers))):
        copies = (
            len(line) <= _LONGEST and squeezed(line) in known and word_similarity(line, following) >= UNLIKE
        )
        # Of a sentence that was right the answer is a copy as well: one of each two lines is the echo.
        if copies and kept[-1:] != [n - 1]:
            kept.append(n)
    return {*kept} if 2 * len(kept) > len(source) else set()

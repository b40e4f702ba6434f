"""Texts that are not lines of tokens: words with punctuation glued to them, and essays under headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from jperrant.core.m2_format import shorten
from jperrant.core.messages import agree, plural
from jperrant.core.values import Block

#: A word with a mark that tokenised text has as a token of its own; no abbreviation ends so.
_GLUED = re.compile(r"[^\W\d_]{2,}[,;:!?]")
#: A word with a full stop; of fewer letters it may be an abbreviation (``Mr.``, ``etc.``).
_STOPPED = re.compile(r"[^\W\d_]{4,}\.")
_MARKS = frozenset(",;:!?.")
#: Two letters before a mark of Chinese or Japanese, which are written without spaces. (All the letters before it
#: would be gone through from each of them on, where no mark follows.)
_UNSPACED = re.compile(r"[^\W\d_]{2}[，。！？；：、]")
#: What begins an essay in MultiGEC's files.
_ESSAY = re.compile(r"###\s*essay_id\s*=\s*(.*)")
#: Texts with a smaller share of such sentences may be learner text with missing spaces.
SHARE = 0.05
ADVICE = "use annotate --raw to have it tokenised"


def glued_token(tokens: Sequence[str]) -> str:
    """Return the first token that looks like running text, with the next one; empty if there is none.

    >>> glued_token("I ate an apple. They saw .".split())
    'apple. They'
    >>> glued_token("Mr. Smith ate , etc. .".split())
    ''
    >>> glued_token(["我昨天去学校。", "他没来。"])
    '我昨天去学校。 他没来。'
    """
    for token, following in zip_longest(tokens, tokens[1:], fillvalue=""):
        if len(token) < 3:
            continue
        if not token.isascii() and _UNSPACED.search(token):
            return f"{token} {following}".strip()
        if token[-1] not in _MARKS:
            continue
        stopped = _STOPPED.fullmatch(token) and (not following or following[0].isupper())
        if stopped or _GLUED.fullmatch(token):
            return f"{token} {following}".strip()
    return ""


def corrected_passages(block: Block) -> Iterator[Sequence[str]]:
    """Yield the new tokens of edits, of those that touch together, with the source token that follows."""
    for annotation in block.annotations:
        passage: list[str] = []
        end = -1
        for edit in annotation.edits:
            if edit.start != end and end >= 0:
                yield [*passage, *block.source[end : end + 1]]
                passage = []
            passage += edit.correction or ()
            end = edit.end
        if end >= 0:
            yield [*passage, *block.source[end : end + 1]]


def essay_heading(line: str) -> re.Match[str] | None:
    """Return the match of a line that begins an essay in MultiGEC's files, its group the id; None of another line.

    >>> essay_heading("### essay_id = a1")[1], essay_heading("### essay")
    ('a1', None)
    """
    return _ESSAY.fullmatch(line.strip())


class RunningText:
    """Counts the sentences of a text that look like running text.

    Attributes:
        first: The first such sentence, counted from 1; None if there is none.
    """

    def __init__(self) -> None:
        self.first: int | None = None
        self._example = ""
        self._sentences = self._count = 0

    def add(self, *passages: Sequence[str]) -> None:
        """Count a sentence, given as its tokens or as some passages of it."""
        self._sentences += 1
        if glued := next(filter(None, map(glued_token, passages)), ""):
            self._count += 1
            if self.first is None:
                self.first, self._example = self._sentences, glued

    @property
    def problem(self) -> str:
        """What ``annotate`` says of the text; empty where it is most likely tokenised."""
        return f"{self.finding}; {ADVICE}" if self.finding else ""

    @property
    def finding(self) -> str:
        """What was found, without advice; empty where the text is most likely tokenised."""
        count = self._count
        if not count or count < SHARE * self._sentences:
            return ""
        return (
            f"{plural(count, 'sentence')} {agree(count, 'looks', 'look')} like running text, not tokens: "
            f"{shorten(self._example)} in sentence {self.first}"
        )

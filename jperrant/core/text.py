"""Texts before annotation: their tokens, where raw text is split, and signs of untokenised text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest

from jperrant.core.display import shorten
from jperrant.core.errors import check_known
from jperrant.core.messages import agree, plural
from jperrant.core.values import Block, Sentence, Token

_WORD = re.compile(r"\S+")


def sentence_of(text: str, id: str = "") -> Sentence:
    """Split a text into tokens at Unicode white space; offsets refer to the text as given."""
    tokens = [Token(m.group(), start=m.start(), end=m.end()) for m in _WORD.finditer(text)]
    return Sentence(tuple(tokens), text, id)


def places_of(sentences: Sequence[Sentence], text: str) -> list[int]:
    """Return the offset at which each sentence begins in a text that holds all of them in order."""
    places, offset = [], 0
    for sentence in sentences:
        places.append(text.index(sentence.text, offset))
        offset = places[-1] + len(sentence.text)
    return places


def join_sentences(sentences: Sequence[Sentence], text: str) -> Sentence:
    """Join the sentences of a text into one, with heads and offsets counted in the whole text.

    Args:
        sentences: All sentences of the text in order; the text of each is a substring of it.
        text: The whole text.
    """
    tokens: list[Token] = []
    for sentence, offset in zip(sentences, places_of(sentences, text), strict=True):
        before = len(tokens)
        for token in sentence.tokens:
            # Each sentence keeps its own root.
            head = token.head + before if token.head else token.head
            tokens.append(token._replace(head=head, start=token.start + offset, end=token.end + offset))
    return Sentence(tuple(tokens), text)


class TokenMode(StrEnum):
    """How a text is divided into tokens; each value is also its name on the command line.

    Attributes:
        GIVEN: Tokens are separated by white space.
        WORDS: The models segment the text into words.
        CHARACTERS: Every character is a token, except white space.
    """

    GIVEN = "given"
    WORDS = "words"
    CHARACTERS = "characters"

    @classmethod
    def _missing_(cls, value: object) -> None:
        check_known("tokens", str(value), [*cls])

    @property
    def segments(self) -> bool:
        """Whether texts are segmented into tokens, rather than split at white space."""
        return self is not TokenMode.GIVEN


class Splitting(StrEnum):
    """Where raw text may be split; each value is also its name.

    Attributes:
        AUTO: The analyser's own default.
        BLANK: Paragraphs end at blank lines; the models split inside.
        NEWLINE: Each line is a paragraph; the models split inside.
        MODEL: The models alone decide; ends of lines and blank lines are spaces.
        ONE_PER_LINE: Each line is one sentence.
    """

    AUTO = "auto"
    BLANK = "blank"
    NEWLINE = "newline"
    MODEL = "model"
    ONE_PER_LINE = "one-sentence-per-line"

    @classmethod
    def _missing_(cls, value: object) -> None:
        check_known("splitting", str(value), [*cls])

    @property
    def joins_lines(self) -> bool:
        """Whether a sentence may continue on the next line, so that a text cannot be read line by line."""
        return self in (Splitting.BLANK, Splitting.MODEL)


#: A word with a mark that is a token of its own in tokenised text; no abbreviation ends like this.
_GLUED = re.compile(r"[^\W\d_]{2,}[,;:!?]")
#: A word with a full stop; a shorter one may be an abbreviation (``Mr.``, ``etc.``).
_STOPPED = re.compile(r"[^\W\d_]{4,}\.")
_MARKS = frozenset(",;:!?.")
#: Two letters before a mark of Chinese or Japanese, which are written without spaces. (To match all the letters
#: before a mark would take quadratic time where no mark follows.)
_UNSPACED = re.compile(r"[^\W\d_]{2}[，。！？；：、]")
#: The line that begins an essay in MultiGEC's files.
_ESSAY = re.compile(r"###\s*essay_id\s*=\s*(.*)")
#: Least share of sentences like running text that is reported; a smaller one may be learner text with missing
#: spaces.
SHARE = 0.05
ADVICE = "use annotate --raw to have it tokenised"


def glued_token(tokens: Sequence[str]) -> str:
    """Return the first token that looks like running text, with the token after it; empty if there is none.

    >>> glued_token("I ate an apple. They saw .".split())
    'apple. They'
    >>> glued_token("Mr. Smith ate , etc. .".split())
    ''
    >>> glued_token(["我昨天去学校。", "他没来。"])
    '我昨天去学校。 他没来。'
    """
    for token, following in zip_longest(tokens, tokens[1:], fillvalue=""):
        if token.isascii() and token[-1:] not in _MARKS:
            continue
        stopped = _STOPPED.fullmatch(token) and (not following or following[0].isupper())
        if stopped or _GLUED.fullmatch(token) or _UNSPACED.search(token):
            return f"{token} {following}".strip()
    return ""


def corrected_passages(block: Block) -> Iterator[Sequence[str]]:
    """Yield the correction of each edit, followed by the next source token."""
    for annotation in block.annotations:
        for edit in annotation.edits:
            yield [*(edit.correction or ()), *block.source[edit.end : edit.end + 1]]


def essay_heading(line: str) -> re.Match[str] | None:
    """Match a line that begins an essay in MultiGEC's files; group 1 is the id of the essay.

    >>> essay_heading("### essay_id = a1")[1], essay_heading("### essay")
    ('a1', None)
    """
    return _ESSAY.fullmatch(line.strip())


class RunningText:
    """Counts the sentences of a text that look like running text.

    Attributes:
        first: The 1-based number of the first such sentence; None if there is none.
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
    def finding(self) -> str:
        """What was found, in a phrase without advice; empty if the text is most likely tokenised."""
        count = self._count
        if not count or count < SHARE * self._sentences:
            return ""
        return (
            f"{plural(count, 'sentence')} {agree(count, 'looks', 'look')} like running text, not tokens: "
            f"{shorten(self._example)} in sentence {self.first}"
        )

"""Sentences of any length and tokens of any length, in pieces that networks can take."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.core.values import Sentence, Token

LONGEST = 400
"""Most words a piece has: a parser's time and memory grow with their square."""
EDGE = 1_000
"""Most characters of a word that are read."""
_ENDS = frozenset(".!?…。！？;；।؟")


def cut(sentence: Sentence, longest: int = LONGEST) -> list[Sentence]:
    """Cut a sentence into pieces of at most so many words, where one seems to end if there is such a place.

    A token of several words stays whole. The pieces keep their tokens' offsets.
    """
    if len(sentence.tokens) <= longest and sum([len(t.words) or 1 for t in sentence.tokens]) <= longest:
        return [sentence]
    pieces: list[Sentence] = []
    start, words, end = 0, 0, 0
    for number, token in enumerate(sentence.tokens):
        size = len(token.words) or 1
        if words + size > longest and number > start:
            stop = end if end - start > longest // 2 else number
            pieces.append(_part(sentence, start, stop))
            words = sum(len(t.words) or 1 for t in sentence.tokens[stop:number])
            start = end = stop
        words += size
        if token.form in _ENDS:
            end = number + 1
    pieces.append(_part(sentence, start, len(sentence.tokens)))
    return pieces


def _part(sentence: Sentence, start: int, stop: int) -> Sentence:
    tokens = sentence.tokens[start:stop]
    if any(t.head is not None for t in tokens):  # heads may lie outside
        tokens = tuple([t._replace(head=None, deprel="") for t in tokens])
    return Sentence(tokens, sentence.text, sentence.id)


def join(pieces: Sequence[Sequence[Token]]) -> tuple[Token, ...]:
    """Join the analysed tokens of pieces; each piece keeps its root."""
    if len(pieces) == 1:
        return tuple(pieces[0])
    joined: list[Token] = []
    for tokens in pieces:
        before = len(joined)
        joined += [t._replace(head=t.head + before) if t.head else t for t in tokens]
    return tuple(joined)


def readable_form(form: str) -> str:
    """Return what networks are to read of a word: of one longer than 1,000 characters its two ends.

    Nothing they do with it reaches the token, which stays as it is.
    """
    return form if len(form) <= EDGE else form[: EDGE // 2] + form[-EDGE // 2 :]

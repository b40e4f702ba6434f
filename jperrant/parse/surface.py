"""From a tokenizer's offsets to tokens that are the text.

Tokenizers rewrite: they split ``zum`` into ``zu dem``, allow spaces inside a token, skip what they do not know.
Whatever they do, the tokens made here are pieces of the text, in order, and cover all of it but white space.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from jperrant.core.multiword import are_tokens
from jperrant.core.values import Sentence, Token

_PIECE = re.compile(r"\S+")


class SurfaceToken(NamedTuple):
    """A token as a tokenizer found it: its place in the text, and the syntactic words it stands for."""

    start: int
    end: int
    words: tuple[str, ...] = ()


def sentences_over(text: str, analysed: Sequence[Sequence[SurfaceToken]]) -> list[Sentence]:
    """Return sentences whose tokens cover a text.

    Args:
        text: The text.
        analysed: The tokenizer's sentences and tokens, in text order.

    Returns:
        The sentences, in order. Where the words of a token spell it they are the tokens (``don't`` → ``do``
        ``n't``), else the token is. A token with white space inside is cut there. Characters between tokens
        that are not white space become tokens of the sentence before them.
    """
    sentences: list[Sentence] = []
    offset = 0
    for n, tokens in enumerate(analysed):
        if not tokens:
            continue
        stop = next((s[0].start for s in analysed[n + 1 :] if s), len(text))
        spans: list[SurfaceToken] = []
        for token in tokens:
            start, end, words = token
            if start > offset:
                spans += _pieces(text, offset, start)
            if start >= offset and not words and _PIECE.fullmatch(text, start, end):
                spans.append(token)  # most are in one piece
            else:
                spans += _token(text, SurfaceToken(max(offset, start), end, words))
            offset = max(offset, end)
        spans += _pieces(text, offset, stop)
        offset = max(offset, stop)
        if spans:
            sentences.append(_sentence(text, spans))
    if not sentences and (rest := _pieces(text, 0, len(text))):
        sentences.append(_sentence(text, rest))
    return sentences


def _token(text: str, token: SurfaceToken) -> list[SurfaceToken]:
    """Return a token as the tokens it is in the text: its words where they spell it, its pieces at white space."""
    start, end, words = token
    if len(words) > 1:
        form = text[start:end]
        if form.split() == [form]:
            return _spelt(start, words) if are_tokens(form, words) else [token]
    return _pieces(text, start, end)


def _spelt(start: int, words: Sequence[str]) -> list[SurfaceToken]:
    tokens = []
    for word in words:
        tokens.append(SurfaceToken(start, start + len(word)))
        start += len(word)
    return tokens


def _pieces(text: str, start: int, end: int) -> list[SurfaceToken]:
    """Cut a stretch of the text at white space."""
    if start >= end:
        return []
    return [SurfaceToken(*match.span()) for match in _PIECE.finditer(text, start, end)]


def _sentence(text: str, spans: Sequence[SurfaceToken]) -> Sentence:
    start, end = spans[0].start, spans[-1].end
    tokens = [
        Token(text[first:last], start=first - start, end=last - start, words=words)
        for first, last, words in spans
    ]
    return Sentence(tuple(tokens), text[start:end])

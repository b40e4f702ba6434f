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
        spans: list[Token] = []
        for token in tokens:
            spans += _pieces(text, offset, token.start)
            spans += _token(text, SurfaceToken(max(offset, token.start), token.end, token.words))
            offset = max(offset, token.end)
        spans += _pieces(text, offset, stop)
        offset = max(offset, stop)
        if spans:
            sentences.append(_sentence(text, spans))
    if not sentences and (rest := _pieces(text, 0, len(text))):
        sentences.append(_sentence(text, rest))
    return sentences


def _token(text: str, token: SurfaceToken) -> list[Token]:
    start, end, words = token
    form = text[start:end]
    if len(words) > 1 and form.split() == [form]:
        if are_tokens(form, words):
            tokens = []
            for word in words:
                tokens.append(Token(word, start=start, end=start + len(word)))
                start += len(word)
            return tokens
        return [Token(form, start=start, end=end, words=words)]
    return _pieces(text, start, end)


def _pieces(text: str, start: int, end: int) -> list[Token]:
    """Cut a stretch of the text at white space."""
    return [
        Token(m.group(), start=m.start(), end=m.end()) for m in _PIECE.finditer(text, start, max(start, end))
    ]


def _sentence(text: str, tokens: Sequence[Token]) -> Sentence:
    start, end = tokens[0].start, tokens[-1].end
    shifted = [Token(t.form, start=t.start - start, end=t.end - start, words=t.words) for t in tokens]
    return Sentence(tuple(shifted), text[start:end])

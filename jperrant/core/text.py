"""Tokens over a text: white-space tokens, and the sentences of one text joined to one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

from jperrant.core.values import Sentence, Token

_WORD = re.compile(r"\S+")


def sentence_of(text: str, id: str = "") -> Sentence:
    """Cut a text at white space (any that Unicode knows); offsets count in the text as given."""
    forms = text.split()
    if " ".join(forms) == text:  # as most are; sooner than by looking for each word
        starts = accumulate([len(form) + 1 for form in forms], initial=0)
        places = [*zip(forms, starts, strict=False)]
    else:
        places = [(m.group(), m.start()) for m in _WORD.finditer(text)]
    tokens = [Token(form, start=start, end=start + len(form)) for form, start in places]
    return Sentence(tuple(tokens), text, id)


def places_of(sentences: Sequence[Sentence], text: str) -> list[int]:
    """Return where each sentence's text begins in a text of which all are pieces, in order."""
    places, offset = [], 0
    for sentence in sentences:
        places.append(text.index(sentence.text, offset))
        offset = places[-1] + len(sentence.text)
    return places


def join_sentences(sentences: Sequence[Sentence], text: str) -> Sentence:
    """Make one sentence of the sentences of a text, heads and offsets counting in the whole.

    Args:
        sentences: All sentences of the text in order; their texts are pieces of it.
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

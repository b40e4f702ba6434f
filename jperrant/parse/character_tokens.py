"""Sentences cut into characters, one token each, for languages written without spaces.

This is the character level of ChERRANT (Zhang et al. 2022). Each character has the tags of its word. Its lemma is
the whole word, so that rules can tell a word of one character from a part of a longer one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from jperrant.core.values import Sentence, Token


def characters_of(sentence: Sentence, unbroken: Sequence[str] = ()) -> Sentence:
    """Return the sentence with every character as a token, except in strings that stay whole.

    Args:
        sentence: Words, analysed or not.
        unbroken: Strings that are one token, such as a placeholder.

    Returns:
        Tokens over the same text. Each has the analysis of its word and the word as its lemma; heads point to
        first characters of words. Of words of one character only the heads change.
    """
    whole = frozenset(unbroken)
    firsts, count = [], 0
    for token in sentence.tokens:
        firsts.append(count + 1)
        count += 1 if token.form in whole else len(token.form)
    tokens: list[Token] = []
    for token in sentence.tokens:
        head = firsts[token.head - 1] if token.head else token.head
        form = token.form
        if len(form) == 1 or form in whole:
            tokens.append(token if head == token.head else token._replace(head=head))
            continue
        if not token.upos:  # only the form is known
            tokens += [
                Token(c, start=offset, end=offset + 1) for offset, c in enumerate(form, start=token.start)
            ]
            continue
        upos, xpos, feats, deprel = token.upos, token.xpos, token.feats, token.deprel
        tokens += [
            Token(c, form, upos, xpos, feats, head, deprel, offset, offset + 1)
            for offset, c in enumerate(form, start=token.start)
        ]
    return Sentence(tuple(tokens), sentence.text, sentence.id)


def split_characters(tokens: Sequence[str], unbroken: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the characters of tokens, except in strings that stay whole."""
    whole = frozenset(unbroken)
    return tuple([part for token in tokens for part in ((token,) if token in whole else token)])


def keep_whole(sentence: Sentence, unbroken: Sequence[str]) -> Sentence:
    """Return the sentence with each of the given strings as one token.

    If a token changes, all analyses are dropped, as they belong to other tokens.
    """
    if not any([text in sentence.text for text in unbroken]):
        return sentence
    longest_first = "|".join(map(re.escape, sorted(unbroken, key=len, reverse=True)))
    inside = [match.span() for match in re.finditer(longest_first, sentence.text) if match[0]]
    marks = {mark for token in sentence.tokens for mark in (token.start, token.end)}
    marks = {mark for mark in marks if not any(start < mark < end for start, end in inside)}
    marks = marks | {mark for span in inside for mark in span}
    tokens = [
        Token(form, start=start, end=end)
        for start, end in pairwise(sorted(marks))
        if (form := sentence.text[start:end]) and not form.isspace()
    ]
    kept = Sentence(tuple(tokens), sentence.text, sentence.id)
    return sentence if kept.forms == sentence.forms else kept

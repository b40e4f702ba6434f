"""Sentences from documents of spaCy and Stanza, without importing either library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from jperrant.core.conllu import are_tokens, head_word, token_feats
from jperrant.core.errors import InputError
from jperrant.core.values import Sentence, Token, on_cycle


class _Word(NamedTuple):
    """A token whose head is not resolved yet: ``head`` is the key of another word, None for a root."""

    token: Token
    key: object
    head: object


def from_spacy(doc: Any) -> list[Sentence]:
    """Return the sentences of a spaCy document, or the document as one sentence if it has no boundaries.

    Args:
        doc: A ``spacy.tokens.Doc`` or ``Span``. Tags, morphology, lemmas and heads are read if it has them;
            tokens of white space are left out.

    Raises:
        InputError: A token holds white space, or the heads form a cycle.

    Example:
        >>> [source] = jperrant.from_spacy(nlp("This are wrong ."))
        >>> jperrant.load("en").annotate(source, "This is wrong .")
    """
    try:
        spans = list(doc.sents)
    except ValueError:  # spaCy's error if no component has set boundaries
        spans = [doc]
    return [spacy_sentence(list(span)) for span in spans if any(t.text.strip() for t in span)]


def from_stanza(doc: Any) -> list[Sentence]:
    """Return the sentences of a Stanza document.

    A multi-word token whose words spell it becomes these words (``don't``: ``do``, ``n't``); any other stays one
    token (German ``zum``), analysed as ``jperrant.core.conllu`` says. A token with white space inside becomes
    several.

    Args:
        doc: A ``stanza.Document``; tags, lemmas and heads are read if it has them.

    Raises:
        InputError: The heads form a cycle.
    """
    return [_stanza_sentence(sentence) for sentence in doc.sentences]


def spacy_sentence(tokens: Sequence[Any]) -> Sentence:
    """Return the tokens of a spaCy document, those of white space left out, as one sentence.

    Raises:
        InputError: As ``from_spacy``.
    """
    kept = [token for token in tokens if token.text.strip()]
    by_place = {token.i: token for token in tokens}
    parsed = any(token.dep_ for token in kept)
    first = kept[0].idx
    words = [
        _Word(
            Token(t.text, t.lemma_, t.pos_, t.tag_, str(t.morph), None, t.dep_, t.idx - first),
            t.i,
            _spacy_head(t, by_place),
        )
        for t in kept
    ]
    return _sentence(words, parsed)


def _spacy_head(token: Any, by_place: dict[int, Any]) -> int | None:
    """Return the index of a token's head, skipping white space; None for a root."""
    seen = {token.i}
    head = token.head
    while head.i in by_place and head.i not in seen and not head.text.strip():
        seen.add(head.i)
        head = head.head
    return None if head.i in seen or head.i not in by_place else int(head.i)


def _stanza_sentence(sentence: Any) -> Sentence:
    words = [word for token in sentence.tokens for word in _stanza_words(token)]
    offset = next((token.start_char for token in sentence.tokens), None)
    position = 0
    for n, word in enumerate(words):
        # A document made from tokens has no text.
        start = position if offset is None else word.token.start - offset
        words[n] = word._replace(token=word.token._replace(start=start))
        position = start + len(word.token.form) + 1
    parsed = any(word.token.deprel for word in words)
    return _sentence(words, parsed, getattr(sentence, "sent_id", None) or "")


def _stanza_words(token: Any) -> list[_Word]:
    start = token.start_char or 0
    inner = list(token.words)
    forms = tuple(word.text for word in inner)
    if len(inner) == 1 or not are_tokens(token.text, forms):
        first = _stanza_word(token.text, start, inner)
        pieces = token.text.split()
        if len(pieces) <= 1:
            return [first._replace(token=first.token._replace(words=forms if len(inner) > 1 else ()))]
        places = _places(token.text, pieces, start)
        cut = [first.token._replace(form=form, start=at) for form, at in zip(pieces, places, strict=True)]
        others = [_Word(piece._replace(deprel="flat"), (), first.key) for piece in cut[1:]]
        return [first._replace(token=cut[0]), *others]
    places = _places(token.text, forms, start)
    return [_stanza_word(word.text, at, [word]) for word, at in zip(inner, places, strict=True)]


def _stanza_word(form: str, start: int, inner: Sequence[Any]) -> _Word:
    """Return a token with the analysis of its words; its head is the first head outside the token."""
    upos = [each.upos or "" for each in inner]
    feats = token_feats(upos, [each.feats or "" for each in inner])
    word = inner[head_word(upos)]
    ids = {each.id: each for each in inner}
    outer, seen = word, {word.id}
    while outer.head in ids and outer.head not in seen:
        outer = ids[outer.head]
        seen.add(outer.id)
    token = Token(
        form, word.lemma or "", word.upos or "", word.xpos or "", feats, None, outer.deprel or "", start
    )
    return _Word(token, tuple(ids), outer.head or None)


def _places(text: str, pieces: Iterable[str], start: int) -> list[int]:
    places, position = [], 0
    for piece in pieces:
        position = text.index(piece, position)
        places.append(start + position)
        position += len(piece)
    return places


def _sentence(words: Sequence[_Word], parsed: bool, id: str = "") -> Sentence:
    """Return a sentence made of words. A key that is a tuple holds the keys of all words of one token."""
    numbers: dict[object, int] = {}
    for number, word in enumerate(words, start=1):
        keys = word.key if isinstance(word.key, tuple) else (word.key,)
        numbers |= {key: number for key in keys if key not in numbers}
    tokens, text = [], ""
    for token, _, head in words:
        if len(token.form.split()) != 1 or token.form.strip() != token.form:
            raise InputError(f"found the form {token.form!r}, expected text without white space")
        key = head[0] if isinstance(head, tuple) else head
        place = numbers.get(key, 0) if parsed else None
        tokens.append(token._replace(head=place, end=token.start + len(token.form)))
        text += " " * (token.start - len(text)) + token.form
    if (cycle := on_cycle([token.head for token in tokens])) is not None:
        raise InputError(f"found a cycle of heads through word {cycle + 1} (counted from 1)")
    return Sentence(tuple(tokens), text, id)

"""The base of analysers whose networks read words: text to tokens, tokens to words and back, long sentences.

Tokenizers rewrite text: they split ``zum`` into ``zu dem``, allow spaces inside a token, and skip unknown
characters. The tokens made here are consecutive pieces of the text that cover all of it except white space.
Networks read syntactic words; tokens get the results of their words. Long sentences are cut into pieces that
networks can read.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence

from jperrant.compact.words import Arc, SurfaceToken, Word
from jperrant.core.conllu import are_tokens, head_word, token_arcs, token_feats
from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import Analyser

LONGEST = 400
"""Most words a piece has: a parser's time and memory grow with their square."""
EDGE = 1_000
"""Most characters of a word that are read."""
_ENDS = frozenset(".!?…。！？;；।؟")
_PIECE = re.compile(r"\S+")


class WordAnalyser(Analyser):
    """An analyser whose networks read the words of sentences; a subclass runs the networks.

    Sentences that are too long for networks are analysed in pieces.
    """

    tokenizes = True

    @abstractmethod
    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        """Return the tokens of each sentence of each text."""

    @abstractmethod
    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the tagged and lemmatised words of sentences."""

    @abstractmethod
    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the head and relation of each word of tagged sentences."""

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        found = dict(zip(distinct, self.cut(distinct), strict=True)) if distinct else {}
        return [sentences_over(text, found.get(text, [])) for text in texts]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add lemma, UPOS, XPOS and FEATS."""
        return piecewise(sentences, self._tag)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to tagged sentences."""
        return piecewise(sentences, self._parse) if self.can_parse else list(sentences)

    def _tag(self, sentences: Sequence[Sentence]) -> list[tuple[Token, ...]]:
        words = self.words([forms_to_read(s) for s in sentences])
        return [tagged_tokens(s, analysed) for s, analysed in zip(sentences, words, strict=True)]

    def _parse(self, sentences: Sequence[Sentence]) -> list[tuple[Token, ...]]:
        rows = [words_to_read(s) for s in sentences]
        # Of a multi-word token only the head word's tags were kept.
        new = [n for n, words in enumerate(rows) if any(not word.upos for word in words)]
        for number, words in zip(new, self.words([forms_to_read(sentences[n]) for n in new]), strict=True):
            rows[number] = words
        return list(map(parsed_tokens, sentences, rows, self.arcs(rows)))


# From offsets in a text to tokens


def sentences_over(text: str, analysed: Sequence[Sequence[SurfaceToken]]) -> list[Sentence]:
    """Return sentences whose tokens cover a text.

    Args:
        text: The text.
        analysed: The tokenizer's sentences and tokens, in text order.

    Returns:
        The sentences, in order. If the words of a token spell it, they become tokens (``don't`` → ``do`` ``n't``);
        otherwise it stays one token, cut at any white space inside. Characters between tokens that are not white
        space become tokens of the sentence before them.
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
    """Return the tokens for a tokenizer's token: its words if they spell it, else its pieces at white space."""
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


# From tokens to words, and back


def piecewise(
    sentences: Sequence[Sentence], analyse: Callable[[Sequence[Sentence]], list[tuple[Token, ...]]]
) -> list[Sentence]:
    """Analyse tokenised sentences, long ones in pieces."""
    pieces = [cut(s) if s.tokens else [] for s in sentences]
    flat = [piece for parts in pieces for piece in parts]
    analysed = iter(analyse(flat) if flat else [])
    return [
        Sentence(join([next(analysed) for _ in parts]), s.text, s.id) if parts else s
        for s, parts in zip(sentences, pieces, strict=True)
    ]


def forms_to_read(sentence: Sentence) -> list[str]:
    """Return the words of a sentence, as networks read them."""
    forms = [form for token in sentence.tokens for form in token.words or (token.form,)]
    return forms if max(map(len, forms), default=0) <= EDGE else [readable_form(form) for form in forms]


def words_to_read(sentence: Sentence) -> list[Word]:
    """Return the words of a sentence with the tags that are known."""
    words = []
    for token in sentence.tokens:
        if token.words or not token.upos:
            words += [Word(readable_form(form), "", "", "", "") for form in token.words or (token.form,)]
        else:
            words.append(Word(readable_form(token.form), token.lemma, token.upos, token.xpos, token.feats))
    return words


def tagged_tokens(sentence: Sentence, words: Sequence[Word]) -> tuple[Token, ...]:
    """Return the tokens of a sentence, with lemmas and tags of its words where they have none."""
    tokens, index = [], 0
    for token in sentence.tokens:
        if token.words:
            size = len(token.words)
            form, lemma, upos, xpos, feats = _merged(words[index : index + size])
            index += size
        else:
            form, lemma, upos, xpos, feats = words[index]
            index += 1
            if len(token.form) > len(form):
                lemma = token.form  # networks read only its ends
        if not token.upos:
            # Faster than a replacement by names.
            known = token.lemma or lemma, upos, token.xpos or xpos, token.feats or feats
            token = Token._make((token.form, *known, *token[5:]))
        tokens.append(token)
    return tuple(tokens)


def _merged(words: Sequence[Word]) -> Word:
    """Return the analysis of a token from those of its words."""
    if len(words) == 1:
        return words[0]
    upos = [word.upos for word in words]
    return words[head_word(upos)]._replace(feats=token_feats(upos, [word.feats for word in words]))


def parsed_tokens(sentence: Sentence, words: Sequence[Word], arcs: Sequence[Arc]) -> tuple[Token, ...]:
    """Return tokens with the head and relation of the word that attaches each to another token."""
    tokens = sentence.tokens
    if len(words) == len(tokens):  # each token is one word
        return tuple(
            [
                token._replace(head=head, deprel=deprel)
                for token, (head, deprel) in zip(tokens, arcs, strict=True)
            ]
        )
    sizes = [len(token.words) or 1 for token in tokens]
    hung = token_arcs([arc.head for arc in arcs], [word.upos for word in words], sizes)
    return tuple(
        [
            token._replace(head=head, deprel=arcs[word].deprel)
            for token, (head, word) in zip(tokens, hung, strict=True)
        ]
    )


# Pieces of long sentences


def cut(sentence: Sentence, longest: int = LONGEST) -> list[Sentence]:
    """Cut a sentence into pieces of at most ``longest`` words, after a full stop if possible.

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
    if any(t.head is not None for t in tokens):  # heads may be outside
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
    """Return a word as networks read it; of a word longer than 1,000 characters only both ends.

    The token itself does not change.
    """
    return form if len(form) <= EDGE else form[: EDGE // 2] + form[-EDGE // 2 :]

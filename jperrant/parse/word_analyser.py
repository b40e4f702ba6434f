"""What analysers share whose networks read words: texts to tokens, sentences to words, and back to tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from jperrant.compact.words import Arc, Word
from jperrant.core.multiword import head_word, token_arcs, token_feats
from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import Analyser
from jperrant.parse.long_sentences import EDGE, cut, join, readable_form
from jperrant.parse.surface import SurfaceToken, sentences_over


class WordAnalyser(Analyser):
    """An analyser whose networks read the words of sentences; a subclass says what they find.

    Longer sentences than networks can take are analysed in pieces.
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


def piecewise(
    sentences: Sequence[Sentence], analyse: Callable[[Sequence[Sentence]], list[tuple[Token, ...]]]
) -> list[Sentence]:
    """Analyse sentences that have tokens, long ones in pieces."""
    pieces = [cut(s) if s.tokens else [] for s in sentences]
    flat = [piece for parts in pieces for piece in parts]
    analysed = iter(analyse(flat) if flat else [])
    return [
        Sentence(join([next(analysed) for _ in parts]), s.text, s.id) if parts else s
        for s, parts in zip(sentences, pieces, strict=True)
    ]


def forms_to_read(sentence: Sentence) -> list[str]:
    """Return the words of a sentence as networks are to read them."""
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
    """Return the tokens of a sentence with the lemmas and tags of its words, where they have none."""
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
                lemma = token.form  # only its ends were read
        tokens.append(
            token
            if token.upos
            else token._replace(
                lemma=token.lemma or lemma, upos=upos, xpos=token.xpos or xpos, feats=token.feats or feats
            )
        )
    return tuple(tokens)


def _merged(words: Sequence[Word]) -> Word:
    """Return the analysis of a token from those of its words."""
    if len(words) == 1:
        return words[0]
    upos = [word.upos for word in words]
    return words[head_word(upos)]._replace(feats=token_feats(upos, [word.feats for word in words]))


def parsed_tokens(sentence: Sentence, words: Sequence[Word], arcs: Sequence[Arc]) -> tuple[Token, ...]:
    """Return tokens with the head and relation of the word by which each hangs on the others."""
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

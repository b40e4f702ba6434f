"""From sentences to the words that networks read, and from what networks say back to tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jperrant.compact.words import Arc, Word
from jperrant.core.multiword import head_word, token_arcs, token_feats
from jperrant.core.values import Sentence, Token
from jperrant.parse.long_sentences import EDGE, cut, join, readable_form


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

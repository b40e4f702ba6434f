"""A parser that looks at each distinct sentence once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

from jperrant.core.values import Sentence, Token
from jperrant.parse.parser import Parser


class CachedParser:
    """Keeps the analyses of the sentences used last, by their tokens.

    Args:
        parser: Does the work for sentences not seen before.
        size: Number of sentences kept; bounds memory on endless input.
    """

    def __init__(self, parser: Parser, size: int = 5_000) -> None:
        self.parser, self.size = parser, size
        self._tagged: OrderedDict[Hashable, tuple[Token, ...]] = OrderedDict()
        self._parsed: OrderedDict[Hashable, tuple[Token, ...]] = OrderedDict()

    @property
    def can_parse(self) -> bool:
        """Whether the parser behind it can."""
        return self.parser.can_parse

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens; not kept."""
        return self.parser.tokenize(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return the sentences tagged."""
        # Tagging keeps heads and relations that are given, which are not those of another such sentence.
        keys: list[Hashable] = [
            tuple([(t.form, t.words, t.head, t.deprel) for t in s.tokens]) for s in sentences
        ]
        return self._look_up(sentences, keys, self._tagged, self.parser.tag)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Return tagged sentences parsed."""
        # A parse hangs on the tags, which may have been given and be other ones than the models'.
        keys: list[Hashable] = [
            tuple([(t.form, t.words, t.lemma, t.upos, t.xpos, t.feats) for t in s.tokens]) for s in sentences
        ]
        return self._look_up(sentences, keys, self._parsed, self.parser.parse)

    def _look_up(
        self,
        sentences: Sequence[Sentence],
        keys: Sequence[Hashable],
        known: OrderedDict[Hashable, tuple[Token, ...]],
        analyse: Callable[[Sequence[Sentence]], list[Sentence]],
    ) -> list[Sentence]:
        new = {key: s for key, s in zip(keys, sentences, strict=True) if key not in known}
        for key, sentence in zip(new, analyse(list(new.values())) if new else (), strict=True):
            known[key] = sentence.tokens
        found = []
        for key, sentence in zip(keys, sentences, strict=True):
            known.move_to_end(key)
            found.append(replace(sentence, tokens=_placed(known[key], sentence.tokens)))
        while len(known) > self.size:
            known.popitem(last=False)
        return found


def _placed(analysed: tuple[Token, ...], tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return analysed tokens with the offsets of others: equal tokens can stand over texts spaced otherwise."""
    if all(a.start == t.start and a.end == t.end for a, t in zip(analysed, tokens, strict=True)):
        return analysed
    return tuple([replace(a, start=t.start, end=t.end) for a, t in zip(analysed, tokens, strict=True)])

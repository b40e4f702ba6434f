"""Raw text to sentences and tokens by a package's tokenizer and expander: without Stanza where it can be."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from jperrant.core.values import Sentence
from jperrant.parse.processors import Processors, document_of
from jperrant.parse.stages import Stages
from jperrant.parse.surface import SurfaceToken, sentences_over

_LONG = 1_000
"""Characters of a paragraph from which on Stanza's tokenizers read it in pieces."""
_PARAGRAPH_END = re.compile(r"\n[\s\u0080-\u009f]*\n")


class Segmentation:
    """Cuts texts; threads may share it.

    Args:
        stages: The stages of the package that need no Stanza.
        processors: Stanza's, for stages of other kinds.
    """

    def __init__(self, stages: Stages, processors: Processors) -> None:
        self.stages, self.processors = stages, processors

    def sentences(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Return the sentences of each text, each with its tokens."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        found = dict(zip(distinct, self._cut(distinct), strict=True)) if distinct else {}
        return [sentences_over(text, found.get(text, [])) for text in texts]

    def _cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        tokenizer, expander = self.stages.tokenizer, self.stages.expander
        expands = "mwt" in self.stages.models.files
        if tokenizer is None or (expands and expander is None):
            return self._cut_by_stanza(texts)
        segments = tokenizer.segments(texts)
        several = {s.form for text in segments for sentence in text for s in sentence if s.several}
        words = expander.words(sorted(several)) if expander is not None else {}
        return [
            [
                [SurfaceToken(s.start, s.end, words.get(s.form, ()) if s.several else ()) for s in sentence]
                for sentence in text
            ]
            for text in segments
        ]

    def _cut_by_stanza(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        cut: dict[str, list[list[SurfaceToken]]] = {}
        for group in _companies(texts):
            cut.update(zip(group, self._cut_together(group), strict=True))
        return [cut[text] for text in texts]

    def _cut_together(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        # A blank line separates texts, as it separates paragraphs.
        document = document_of(text="\n\n".join(texts))
        for stage in self.processors.tokenizer.processors:
            document = self.processors.run(self.processors.tokenizer, stage, document)
        return _by_text(texts, document.sentences)


def _companies(texts: Sequence[str]) -> list[list[str]]:
    """Group texts that may be read together: a text with a long paragraph is read alone.

    Stanza reads such a paragraph in pieces, and what it makes of a piece depends on how long the others are.
    """
    short: list[str] = []
    groups = [short]
    for text in texts:
        if max(map(len, _PARAGRAPH_END.split(text))) < _LONG:
            short.append(text)
        else:
            groups.append([text])
    return groups if short else groups[1:]


def _by_text(texts: Sequence[str], sentences: Iterable[Any]) -> list[list[list[SurfaceToken]]]:
    """Sort the sentences of the texts joined by blank lines into their texts, offsets counting in each."""
    by_text: list[list[list[SurfaceToken]]] = [[] for _ in texts]
    starts = list(accumulate((len(text) + 2 for text in texts), initial=0))
    for sentence in sentences:
        number = -1
        for token in sentence.tokens:
            index = bisect_right(starts, token.start_char) - 1
            if index != number:  # also where a sentence reaches from one text into the next
                number = index
                by_text[number].append([])
            words = tuple(word.text for word in token.words)
            start = starts[number]
            by_text[number][-1].append(SurfaceToken(token.start_char - start, token.end_char - start, words))
    return by_text

"""Stanza behind the parser protocol: batched, each stage loaded when it is first needed, never online."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any

from jperrant.core.progress import remark
from jperrant.core.values import Sentence, Token
from jperrant.parse.assembly import (
    forms_to_read,
    parsed_tokens,
    piecewise,
    tagged_tokens,
    words_to_read,
)
from jperrant.parse.fast_parser import Arc, FastParser, Word
from jperrant.parse.fast_tagger import FastTagger, Tags
from jperrant.parse.models import ModelFolder
from jperrant.parse.processors import Processors, document_of
from jperrant.parse.surface import SurfaceToken, sentences_over

_LEMMAS_KEPT = 500_000
_LONG = 1_000
"""Characters of a paragraph from which on Stanza's tokenizers read it in pieces."""
_PARAGRAPH_END = re.compile(r"\n[\s\u0080-\u009f]*\n")


class StanzaParser:
    """Tokenises, tags and parses with one package of Stanza models.

    The analysis of a sentence does not depend on what it is batched with, nor on threads, which may share a parser.
    Longer sentences than networks can take are analysed in pieces.
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self.processors = Processors(models)
        self._lock = threading.RLock()
        self._lemmas: dict[tuple[str, str], str] = {}
        self._fast: dict[str, Any] = {}

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        if not distinct:
            return [[] for _ in texts]
        by_text = dict(found for group in _companies(distinct) for found in self._tokenized(group))
        return [sentences_over(text, by_text.get(text, [])) for text in texts]

    def _tokenized(self, texts: Sequence[str]) -> Iterable[tuple[str, list[list[SurfaceToken]]]]:
        """Return texts with their sentences and tokens."""
        # A blank line separates texts, as it separates paragraphs.
        document = self.processors.run(
            self.processors.tokenizer, "tokenize", document_of(text="\n\n".join(texts))
        )
        if "mwt" in self.processors.tokenizer.processors:
            document = self.processors.run(self.processors.tokenizer, "mwt", document)
        return zip(texts, _by_text(texts, document.sentences), strict=True)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add lemma, UPOS, XPOS and FEATS."""
        return piecewise(sentences, self._tag)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to tagged sentences."""
        return piecewise(sentences, self._parse) if self.can_parse else list(sentences)

    def _tag(self, sentences: Sequence[Sentence]) -> list[tuple[Token, ...]]:
        words = self._words([forms_to_read(s) for s in sentences])
        return [tagged_tokens(s, analysed) for s, analysed in zip(sentences, words, strict=True)]

    def _parse(self, sentences: Sequence[Sentence]) -> list[tuple[Token, ...]]:
        rows = [words_to_read(s) for s in sentences]
        # Of a multi-word token only the head word's tags were kept.
        new = [n for n, words in enumerate(rows) if any(not word.upos for word in words)]
        for number, words in zip(new, self._words([forms_to_read(sentences[n]) for n in new]), strict=True):
            rows[number] = words
        arcs = self._arcs(rows)
        return [
            parsed_tokens(sentence, words, arcs_of_sentence)
            for sentence, words, arcs_of_sentence in zip(sentences, rows, arcs, strict=True)
        ]

    # From forms to tagged words

    def _words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the tagged and lemmatised words of sentences."""
        tags = self._tags(forms)
        if self._contextual:
            return self._contextual_words(forms, tags)
        keys = {
            (form, tag.upos): None
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
            for form, tag in zip(sentence, tags_of_sentence, strict=True)
        }
        lemmas = self._lemmatized(list(keys))
        return [
            [
                Word(form, lemmas[form, tag.upos], *tag)
                for form, tag in zip(sentence, tags_of_sentence, strict=True)
            ]
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
        ]

    def _tags(self, forms: Sequence[Sequence[str]]) -> list[list[Tags]]:
        fast = self.fast_tagger
        if fast:
            return fast.tag(forms)
        tags: list[list[Tags]] = [[] for _ in forms]
        numbers = [n for n, sentence in enumerate(forms) if sentence]
        document = document_of([_rows([Word(form, "", "", "", "") for form in forms[n]]) for n in numbers])
        self.processors.run(self.processors.tagger, "pos", document)
        for number, sentence in zip(numbers, document.sentences, strict=True):
            tags[number] = [Tags(w.upos or "", w.xpos or "", w.feats or "") for w in sentence.words]
        return tags

    def _lemmatized(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return lemmas; one depends on form and tag alone, so each pair is looked at once."""
        if "lemma" not in self.models.files:
            return {(form, upos): form if self.models.identity else "" for form, upos in keys}
        known = self._lemmas
        lemmas = {key: lemma for key in keys if (lemma := known.get(key)) is not None}
        new = self._from_dictionary([key for key in keys if key not in lemmas])
        # Words of similar length together: a batch is as wide as its longest word.
        rest = sorted(
            (k for k in keys if k not in lemmas and k not in new), key=lambda key: (len(key[0]), key)
        )
        if rest:
            document = document_of([[{"id": (1,), "text": form, "upos": upos}] for form, upos in rest])
            self.processors.run(self.processors.tagger, "lemma", document)
            new |= zip(rest, (s.words[0].lemma or "" for s in document.sentences), strict=True)
        with self._lock:
            if len(self._lemmas) > _LEMMAS_KEPT:  # memory stays bounded on endless input
                self._lemmas = {}
            self._lemmas |= new
        return lemmas | new

    def _from_dictionary(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemmas for which Stanza's lemmatizer asks only its dictionary."""
        processor = self.processors.tagger.processors["lemma"]
        if processor.use_identity or not keys:
            return {}
        if not processor.config.get("dict_only", False):
            if not processor.config.get("ensemble_dict", False):
                return {}
            known = processor.trainer.skip_seq2seq(keys)
            keys = [key for key, is_known in zip(keys, known, strict=True) if is_known]
        lemmas = processor.trainer.predict_dict(keys)
        # As in Stanza's documents: an underscore is not a lemma, except of itself.
        return {
            key: lemma if lemma != "_" or key[0] == "_" else ""
            for key, lemma in zip(keys, lemmas, strict=True)
        }

    @property
    def _contextual(self) -> bool:
        """Whether a lemma also depends on the words around it."""
        trainer = getattr(self.processors.tagger.processors.get("lemma"), "trainer", None)
        return bool(trainer is not None and trainer.has_contextual_lemmatizers())

    def _contextual_words(
        self, forms: Sequence[Sequence[str]], tags: Sequence[Sequence[Tags]]
    ) -> list[list[Word]]:
        rows = [
            [Word(form, "", *tag) for form, tag in zip(sentence, tags_of_sentence, strict=True)]
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
        ]
        document = document_of([_rows(words) for words in rows])
        self.processors.run(self.processors.tagger, "lemma", document)
        return [
            [word._replace(lemma=w.lemma or "") for word, w in zip(words, sentence.words, strict=True)]
            for words, sentence in zip(rows, document.sentences, strict=True)
        ]

    # From tagged words to trees

    def _arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        fast = self.fast_parser
        rows = [[Word(*(value or "_" for value in word)) for word in words] for words in rows]
        if fast:
            return fast.parse(rows)
        arcs: list[list[Arc]] = [[] for _ in rows]
        numbers = [n for n, words in enumerate(rows) if words]
        document = document_of([_rows(rows[n]) for n in numbers])
        self.processors.run(self.processors.parser, "depparse", document)
        for number, sentence in zip(numbers, document.sentences, strict=True):
            arcs[number] = [Arc(w.head, w.deprel or "") for w in sentence.words]
        return arcs

    @property
    def fast_tagger(self) -> FastTagger | None:
        """The fast form of the package's tagger; None where its network is of another kind."""
        fast: FastTagger | None = self._fast_form("pos", FastTagger, lambda: self.processors.tagger)
        return fast

    @property
    def fast_parser(self) -> FastParser | None:
        """The fast form of the package's parser; None where its network is of another kind."""
        fast: FastParser | None = self._fast_form("depparse", FastParser, lambda: self.processors.parser)
        return fast

    def _fast_form(self, stage: str, kind: Any, pipeline: Callable[[], Any]) -> Any:
        with self._lock:
            if stage not in self._fast:
                trainer = self.processors.trainer(pipeline(), stage)
                self._fast[stage] = kind(trainer) if kind.fits(trainer) else None
                if self._fast[stage] is None:
                    remark(f"{self.processors.name}: {stage} runs through Stanza's own code, which is slower")
            return self._fast[stage]


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


def _rows(words: Sequence[Word]) -> list[dict[str, object]]:
    """Return words as Stanza takes them; tags where they are known."""
    return [
        {"id": (n,), "text": w.form}
        | ({"lemma": w.lemma, "upos": w.upos, "xpos": w.xpos, "feats": w.feats or None} if w.upos else {})
        for n, w in enumerate(words, start=1)
    ]

"""Stanza behind the parser protocol: batched, each stage loaded when it is first needed, never online."""

from __future__ import annotations

from collections.abc import Sequence

from jperrant.compact.threads import one_thread
from jperrant.compact.words import Arc, Tags, Word
from jperrant.core.values import Sentence, Token
from jperrant.parse.assembly import (
    forms_to_read,
    parsed_tokens,
    piecewise,
    tagged_tokens,
    words_to_read,
)
from jperrant.parse.lemmas import Lemmas
from jperrant.parse.models import ModelFolder
from jperrant.parse.processors import Processors, document_of
from jperrant.parse.segmentation import Segmentation
from jperrant.parse.stages import Stages


class StanzaParser:
    """Tokenises, tags and parses with one package of Stanza models.

    The analysis of a sentence does not depend on what it is batched with, nor on threads, which may share a parser.
    Longer sentences than networks can take are analysed in pieces.
    """

    def __init__(self, models: ModelFolder) -> None:
        self.models = models
        self.processors = Processors(models)
        self.stages = Stages(models)
        self.segmentation = Segmentation(self.stages, self.processors)
        self.lemmas = Lemmas(self.stages, self.processors)

    @property
    def needs_stanza(self) -> bool:
        """Whether a stage of the package is of a kind that only Stanza's own code runs."""
        return not self.stages.complete

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens."""
        with one_thread():
            return self.segmentation.sentences(texts)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add lemma, UPOS, XPOS and FEATS."""
        with one_thread():
            return piecewise(sentences, self._tag)

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to tagged sentences."""
        if not self.can_parse:
            return list(sentences)
        with one_thread():
            return piecewise(sentences, self._parse)

    def relations_of(self, upos: str) -> frozenset[str] | None:
        """Return the relations that ``parse`` can give to words of a UPOS tag; None where any is possible."""
        parser = self.stages.parser
        return parser.relations_of(upos) if parser else None

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
        if self.lemmas.contextual:
            return self._contextual_words(forms, tags)
        keys = {
            (form, tag.upos): None
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
            for form, tag in zip(sentence, tags_of_sentence, strict=True)
        }
        lemmas = self.lemmas.of(list(keys))
        return [
            [
                Word(form, lemmas[form, tag.upos], *tag)
                for form, tag in zip(sentence, tags_of_sentence, strict=True)
            ]
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
        ]

    def _tags(self, forms: Sequence[Sequence[str]]) -> list[list[Tags]]:
        tagger = self.stages.tagger
        if tagger:
            return tagger.tag(forms)
        tags: list[list[Tags]] = [[] for _ in forms]
        numbers = [n for n, sentence in enumerate(forms) if sentence]
        document = document_of([_rows([Word(form, "", "", "", "") for form in forms[n]]) for n in numbers])
        self.processors.run(self.processors.tagger, "pos", document)
        for number, sentence in zip(numbers, document.sentences, strict=True):
            tags[number] = [Tags(w.upos or "", w.xpos or "", w.feats or "") for w in sentence.words]
        return tags

    def _contextual_words(
        self, forms: Sequence[Sequence[str]], tags: Sequence[Sequence[Tags]]
    ) -> list[list[Word]]:
        rows = [
            [Word(form, "", *tag) for form, tag in zip(sentence, tags_of_sentence, strict=True)]
            for sentence, tags_of_sentence in zip(forms, tags, strict=True)
        ]
        lemmas = self.lemmas.in_context([_rows(words) for words in rows])
        return [
            [word._replace(lemma=lemma) for word, lemma in zip(words, lemmas_of_sentence, strict=True)]
            for words, lemmas_of_sentence in zip(rows, lemmas, strict=True)
        ]

    # From tagged words to trees

    def _arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        parser = self.stages.parser
        if parser:
            return parser.parse(rows)
        rows = [[Word(*(value or "_" for value in word)) for word in words] for words in rows]
        arcs: list[list[Arc]] = [[] for _ in rows]
        numbers = [n for n, words in enumerate(rows) if words]
        document = document_of([_rows(rows[n]) for n in numbers])
        self.processors.run(self.processors.parser, "depparse", document)
        for number, sentence in zip(numbers, document.sentences, strict=True):
            arcs[number] = [Arc(w.head, w.deprel or "") for w in sentence.words]
        return arcs


def _rows(words: Sequence[Word]) -> list[dict[str, object]]:
    """Return words as Stanza takes them; tags where they are known."""
    return [
        {"id": (n,), "text": w.form}
        | ({"lemma": w.lemma, "upos": w.upos, "xpos": w.xpos, "feats": w.feats or None} if w.upos else {})
        for n, w in enumerate(words, start=1)
    ]

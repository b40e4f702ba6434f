"""Stanza's models as an analyser: run by Stanza's own code, batched, each loaded when it is first needed."""

from __future__ import annotations

import re
import threading
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

from jperrant.compact.words import Arc, Tags, Word
from jperrant.core.extras import STANZA, check_extra, import_extra
from jperrant.parse.analyser import Language
from jperrant.parse.models import DEFAULT, find_models
from jperrant.parse.processors import Processors, document_of
from jperrant.parse.surface import SurfaceToken
from jperrant.parse.word_analyser import WordAnalyser

_LIBRARIES = (STANZA, "torch")
_KEPT = 500_000
"""Lemmas that are remembered."""
_LONG = 1_000
"""Characters of a paragraph from which on Stanza's tokenizers read it in pieces."""
_PARAGRAPH_END = re.compile(r"\n[\s\u0080-\u009f]*\n")


class StanzaAnalyser(WordAnalyser):
    """Tokenises, tags and parses with one package of Stanza models; threads may share it.

    Args:
        name: ``default`` (if empty), a package, or a folder, as ``find_models`` takes it; ``compact`` for the
            pack's own models, run by Stanza.
        language: The language.

    Raises:
        MissingModelError: The models are not on this machine.
        CorruptModelError: ``resources.json`` is damaged.
    """

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name or DEFAULT, language)
        self.models = find_models(self.name, language.stanza, language.compact, language.code)
        self.processors = Processors(self.models)
        self._lock = threading.Lock()
        self._lemmas: dict[tuple[str, str], str] = {}

    @property
    def can_parse(self) -> bool:
        """Whether the package has a dependency parser."""
        return "depparse" in self.models.files

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the models."""
        return [*self.models.every_file, *self.models.processors]

    def check(self) -> None:
        """Check that Stanza and torch are installed."""
        check_extra(_LIBRARIES, STANZA)

    def use_one_thread(self) -> None:
        """Have torch use one thread."""
        import_extra("torch", STANZA).set_num_threads(1)

    # Raw text

    def cut(self, texts: Sequence[str]) -> list[list[list[SurfaceToken]]]:
        """Return the tokens of each sentence of each text."""
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

    # From forms to tagged words

    def words(self, forms: Sequence[Sequence[str]]) -> list[list[Word]]:
        """Return the tagged and lemmatised words of sentences."""
        rows = [
            [Word(form, "", *tag) for form, tag in zip(sentence, tags, strict=True)]
            for sentence, tags in zip(forms, self._tags(forms), strict=True)
        ]
        if self._contextual:
            lemmas = self._lemmas_in_context(rows)
        else:
            known = self._lemmas_of(list(dict.fromkeys((w.form, w.upos) for words in rows for w in words)))
            lemmas = [[known[w.form, w.upos] for w in words] for words in rows]
        return [
            [word._replace(lemma=lemma) for word, lemma in zip(words, found, strict=True)]
            for words, found in zip(rows, lemmas, strict=True)
        ]

    def _tags(self, forms: Sequence[Sequence[str]]) -> list[list[Tags]]:
        tags: list[list[Tags]] = [[] for _ in forms]
        numbers = [n for n, sentence in enumerate(forms) if sentence]
        document = document_of([_rows([Word(form, "", "", "", "") for form in forms[n]]) for n in numbers])
        self.processors.run(self.processors.tagger, "pos", document)
        for number, sentence in zip(numbers, document.sentences, strict=True):
            tags[number] = [Tags(w.upos or "", w.xpos or "", w.feats or "") for w in sentence.words]
        return tags

    @property
    def _contextual(self) -> bool:
        """Whether a lemma also depends on the words around it."""
        if "lemma" not in self.models.files:
            return False
        trainer = getattr(self.processors.lemmatizer.processors.get("lemma"), "trainer", None)
        return bool(trainer is not None and trainer.has_contextual_lemmatizers())

    def _lemmas_in_context(self, rows: Sequence[Sequence[Word]]) -> list[list[str]]:
        document = document_of(list(map(_rows, rows)))
        self.processors.run(self.processors.lemmatizer, "lemma", document)
        return [[word.lemma or "" for word in sentence.words] for sentence in document.sentences]

    def _lemmas_of(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        """Return the lemma of each form with its UPOS; "" where the package knows none."""
        if "lemma" not in self.models.files:
            return {(form, upos): form if self.models.identity else "" for form, upos in keys}
        known = self._lemmas
        lemmas = {key: lemma for key in keys if (lemma := known.get(key)) is not None}
        new = self._new_lemmas([key for key in keys if key not in lemmas])
        with self._lock:
            if len(self._lemmas) > _KEPT:  # memory stays bounded on endless input
                self._lemmas = {}
            self._lemmas |= new
        return lemmas | new

    def _new_lemmas(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
        if not keys:
            return {}
        # Words of similar length together: a batch is as wide as its longest word.
        ordered = sorted(keys, key=lambda key: (len(key[0]), key))
        document = document_of([[{"id": (1,), "text": form, "upos": upos}] for form, upos in ordered])
        self.processors.run(self.processors.lemmatizer, "lemma", document)
        return {key: s.words[0].lemma or "" for key, s in zip(ordered, document.sentences, strict=True)}

    # From tagged words to trees

    def arcs(self, rows: Sequence[Sequence[Word]]) -> list[list[Arc]]:
        """Return the head and relation of each word of tagged sentences."""
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

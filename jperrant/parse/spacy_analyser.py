"""spaCy as an analyser: any of its pipelines, run on text as ERRANT runs them."""

from __future__ import annotations

import importlib.metadata
import sys
import threading
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.extras import SPACY, check_extra
from jperrant.core.paths import exists
from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import Analyser, Language, Scheme
from jperrant.parse.documents import spacy_sentence
from jperrant.parse.spacy_pipelines import find_pipeline
from jperrant.parse.spacy_run import SpacyRun
from jperrant.parse.word_analyser import SurfaceToken, sentences_over

#: What may follow the name of a pipeline, with the values it can have.
_OPTIONS: dict[str, tuple[str, ...]] = {"scheme": tuple(Scheme), "language": ("any",)}
#: spaCy's code of pipelines for many languages.
_MANY = "xx"
#: By attribute: what it is, what gives it, and what is lost without.
_LOST = {
    "tag": ("fine-grained tags", "tagger", "types that depend on them are less exact"),
    "pos": (
        "universal tags",
        "morphologizer or attribute ruler",
        "tokens are aligned and merged without them",
    ),
    "lemma": ("lemmas", "lemmatizer", "inflections of a word are not distinguished from other words"),
    "dep": ("relations", "parser", "rules that need one do not fire"),
}


class SpacyAnalyser(Analyser):
    """Tokenises, tags and parses with one spaCy pipeline; threads may share it.

    Text that is tokenised becomes a document of its tokens, on which the whole pipeline is run, as ERRANT does.

    Args:
        name: Name of an installed pipeline or a folder; then, each after a comma, ``scheme=ud`` (have the pack
            rename relations that are those of Universal Dependencies; by default they are read as they stand) and
            ``language=any`` (whatever language the pipeline is for).
        language: The language.

    Raises:
        MissingExtraError: There is no such pipeline, and spaCy, which would get it, is not installed.
        MissingModelError: There is no such pipeline on this machine.
        CorruptModelError: Its ``meta.json`` is damaged.
        UsageError: An option is unknown, or the pipeline is for another language.
    """

    tokenizes = True

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name, language)
        pipeline, options = _name_and_options(name)
        self.scheme = Scheme(options.get("scheme", Scheme.CLEAR))
        self.pipeline = find_pipeline(pipeline)
        if "language" not in options:
            self._check_language()
        self._lock = threading.Lock()
        self._run: SpacyRun | None = None

    def _check_language(self) -> None:
        asked, found = self.language, self.pipeline.lang
        known = {code for name in (asked.code, asked.stanza) for code in (name, name.partition("-")[0])}
        if asked.stanza and found and found not in {_MANY, *known}:
            raise UsageError(
                f"spacy:{self.name} is for the language {found!r}, but the texts are in {asked.code!r}; give "
                f"a pipeline for {asked.code!r}, or use this one anyway with spacy:{self.name},language=any"
            )

    @property
    def can_parse(self) -> bool:
        """Whether the pipeline gives relations."""
        return "dep" in self.run.gives

    @property
    def run(self) -> SpacyRun:
        """The pipeline, loaded when it is first asked for."""
        with self._lock:
            if self._run is None:
                self._run = SpacyRun(self.pipeline)
            return self._run

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the pipeline, its options, and spaCy's version."""
        check_extra([SPACY], SPACY)
        return [f"spacy {importlib.metadata.version('spacy')}", self.name, *self.pipeline.files()]

    def check(self) -> None:
        """Load the pipeline, and warn of what it lacks.

        Raises:
            MissingExtraError: spaCy, or what the pipeline needs, is not installed.
            CorruptModelError: The pipeline cannot be loaded.
            UsageError: It gives nothing that types rest on.
        """
        gives, names, pipeline = self.run.gives, self.run.scheme, self.pipeline.name
        if not gives:
            raise UsageError(
                f"spacy:{pipeline} has no tagger, lemmatizer or parser, so types cannot be determined; give "
                "another pipeline, or --models=none"
            )
        if lacking := [
            f"no {what} (no {by}), so {lost}" for a, (what, by, lost) in _LOST.items() if a not in gives
        ]:
            warnings.warn(f"spacy:{pipeline} gives {'; '.join(lacking)}", stacklevel=3)
        if names is Scheme.UD and self.scheme is Scheme.CLEAR and self.language.renames:
            warnings.warn(
                f"spacy:{pipeline} gives relations of Universal Dependencies; they are used unchanged, as in "
                f"ERRANT; add scheme=ud (spacy:{pipeline},scheme=ud) to convert them, so that more rules fire",
                stacklevel=3,
            )
        if names is Scheme.CLEAR and self.scheme is Scheme.UD:
            warnings.warn(
                f"spacy:{pipeline} gives relations in the CLEAR style, not of Universal Dependencies; "
                "remove scheme=ud",
                stacklevel=3,
            )

    def use_one_thread(self) -> None:
        """Have torch use one thread if the pipeline runs on it; spaCy's own networks use one anyway."""
        if self.run and (torch := sys.modules.get("torch")):
            torch.set_num_threads(1)

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens, with their analysis."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        most = self.run.nlp.max_length
        if (longest := max(map(len, distinct), default=0)) > most:
            raise InputError(
                f"found a text of {longest:,} characters, spaCy takes at most {most:,} at a time; put fewer "
                "sentences on a line"
            )
        by_text = dict(zip(distinct, self.run.run(distinct, self._segmented), strict=True))
        return [by_text.get(text, []) for text in texts]

    def _segmented(self, text: str, doc: Any) -> list[Sentence]:
        spans = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
        kept = [tokens for span in spans if (tokens := [t for t in span if t.text.strip()])]
        surface = [[SurfaceToken(t.idx, t.idx + len(t.text)) for t in tokens] for tokens in kept]
        sentences = sentences_over(text, surface)
        # Words that no spaces separate are cut in a correction as in its source: then they are analysed afterwards.
        if not doc.vocab.writing_system.get("has_letters", True) or [len(s.tokens) for s in sentences] != [
            len(tokens) for tokens in kept
        ]:
            return sentences
        return [_analysed(s, spacy_sentence(tokens)) for s, tokens in zip(sentences, kept, strict=True)]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add all that the pipeline gives to sentences that are not tagged; what is given stays."""
        return self._completed(sentences, [not s.tagged for s in sentences])

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to sentences that have none."""
        return self._completed(sentences, [not s.parsed and self.can_parse for s in sentences])

    def _completed(self, sentences: Sequence[Sentence], wanted: Sequence[bool]) -> list[Sentence]:
        chosen = [s for s, is_wanted in zip(sentences, wanted, strict=True) if is_wanted and s.tokens]
        analyses = iter(self.run.run([s.forms for s in chosen], self._of_tokens))
        return [
            _analysed(s, next(analyses)) if is_wanted and s.tokens else s
            for s, is_wanted in zip(sentences, wanted, strict=True)
        ]

    def _of_tokens(self, forms: tuple[str, ...], doc: Any) -> Sentence:
        if tuple([t.text for t in doc]) != forms:
            raise InputError(
                f"spacy:{self.pipeline.name} changes the given tokens in one of its components "
                f"({', '.join(self.run.nlp.pipe_names)}); give a pipeline without it"
            )
        return spacy_sentence(list(doc))


def _analysed(sentence: Sentence, analysis: Sentence) -> Sentence:
    """Return a sentence with what its tokens lack."""
    parsed = sentence.parsed
    return replace(
        sentence,
        tokens=tuple([_token(t, a, parsed) for t, a in zip(sentence.tokens, analysis.tokens, strict=True)]),
    )


def _token(token: Token, analysis: Token, parsed: bool) -> Token:
    if not token.upos:
        token = token._replace(
            lemma=token.lemma or analysis.lemma,
            upos=analysis.upos,
            xpos=token.xpos or analysis.xpos,
            feats=token.feats or analysis.feats,
        )
    if parsed:
        return token
    return token._replace(head=analysis.head, deprel=token.deprel or analysis.deprel)


def _name_and_options(text: str) -> tuple[str, dict[str, str]]:
    """Return the name of a pipeline and the options after it."""
    name, *parts = text.split(",")
    if exists(text) and text:
        return text, {}
    if not name:
        raise UsageError("found spacy: without a pipeline, expected spacy:NAME or spacy:FOLDER")
    options = {}
    for part in parts:
        key, _, value = part.partition("=")
        if value not in _OPTIONS.get(key, ()):
            known = [f"{option}={'|'.join(values)}" for option, values in _OPTIONS.items()]
            raise UsageError(
                f"spacy:{name}: unknown option {part!r}{nearest(part, known)}; expected one of {', '.join(known)}"
            )
        options[key] = value
    return name, options

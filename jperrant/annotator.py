"""The one annotation pipeline: parse, align, merge, classify; alone or for endless streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from jperrant.align.parallel import align_passages
from jperrant.align.tokens import Alignment, align_tokens
from jperrant.data import Annotation, Block, Edit, Parallel, Sentence, Span, Token
from jperrant.edits.merge import STRATEGIES, merge
from jperrant.edits.view import EditView, NeedsParse
from jperrant.errors import InputError, UsageError, nearest
from jperrant.io.m2 import shorten
from jperrant.packs import Pack, load_pack
from jperrant.packs.hooks import merged_spans
from jperrant.parse.cache import CachedParser
from jperrant.parse.characters import characters_of, keep_whole
from jperrant.parse.given import GivenParser
from jperrant.parse.models import COMPACT, NONE, find_models
from jperrant.parse.parser import Parser
from jperrant.parse.text import join_sentences, places_of, sentence_of

#: Records annotated together; large, so that models see full batches.
BATCH = 128
DEFAULT_LABELS = "errant"
#: What tokens are: those given, parted by white space; the words that the models find; single characters.
GIVEN, WORDS, CHARACTERS = TOKENS = ("given", "words", "characters")


def load(
    lang: str = "en",
    *,
    models: str = COMPACT,
    pack: str | None = None,
    merging: str = "rules",
    lev: bool = False,
    labels: str = DEFAULT_LABELS,
    tokens: str = GIVEN,
) -> Annotator:
    """Return an annotator for a language.

    Args:
        lang: Code of a pack (``en``, ``zh``, ``ko``, …) or of any language Stanza knows.
        models: ``compact`` (the pack's own), ``default`` or another Stanza package that is on this machine, a
            folder of Stanza models, or ``none``: no analysis beyond what is given.
        pack: Folder of a language pack of one's own.
        merging: How operations merge into edits: ``rules``, ``all-split``, ``all-merge`` or ``all-equal``.
        lev: Align by plain Levenshtein distance.
        labels: ``errant`` for the labels of the pack, or the name of another set the pack has (``ud``).
        tokens: ``given``: tokens are parted by white space. ``words``: the models cut each text into words,
            and it stays one sentence. ``characters``: every character is a token, white space is none, and
            the models' words only help to name the types.

    Raises:
        PackError: The language or pack is unknown or wrong.
        MissingModelError: The models are not on this machine; they are looked for now and loaded when needed.
        UsageError: Unknown merging, labels or tokens, or words without models.
    """
    found = load_pack(lang, pack)
    parser: Parser = GivenParser()
    if models != NONE:
        from jperrant.parse.stanza import StanzaParser

        parser = CachedParser(StanzaParser(find_models(models, found.stanza_lang, found.compact, found.code)))
    elif tokens == WORDS:
        raise UsageError("--tokens words needs models that cut the text, and --models is none; try given tokens")
    return Annotator(found, parser, merging=merging, lev=lev, labels=labels, tokens=tokens)


class Annotator:
    """Annotates pairs of source and corrected sentences by the rules of a pack.

    The verbs are ERRANT's::

        >>> annotator = jperrant.load("en")
        >>> source = annotator.parse("This are gramamtical sentence .")
        >>> target = annotator.parse("This is a grammatical sentence .")
        >>> [(e.start, e.end, e.type, e.correction) for e in annotator.annotate(source, target)]
        [(1, 2, 'R:VERB:SVA', ('is',)), (2, 2, 'M:DET', ('a',)), (2, 3, 'R:SPELL', ('grammatical',))]

    Args:
        pack: The language pack.
        parser: Analyses what comes without an analysis.
        merging, lev, labels, tokens: As in ``load``.
    """

    def __init__(
        self,
        pack: Pack,
        parser: Parser,
        *,
        merging: str = "rules",
        lev: bool = False,
        labels: str = DEFAULT_LABELS,
        tokens: str = GIVEN,
    ) -> None:
        if tokens not in TOKENS:
            raise UsageError(f"unknown tokens {tokens!r}{nearest(tokens, TOKENS)}; known: {', '.join(TOKENS)}")
        if merging not in STRATEGIES:
            raise UsageError(
                f"unknown merge strategy {merging!r}{nearest(merging, STRATEGIES)}; known: {', '.join(STRATEGIES)}"
            )
        sets = (DEFAULT_LABELS, *pack.label_sets)
        if labels not in sets:
            raise UsageError(
                f"pack {pack.code!r} has no labels {labels!r}{nearest(labels, sets)}; it has: {', '.join(sets)}"
            )
        self.pack, self.parser = pack, parser
        self.merging, self.lev, self.tokens = merging, lev, tokens
        self._names = pack.label_sets.get(labels, {})

    # The verbs of ERRANT

    def parse(self, text: str, tokenise: bool = False) -> Sentence:
        """Analyse one text, tags and dependencies included.

        Args:
            text: Tokens parted by white space; or raw text, where ``tokens`` is not ``given``.
            tokenise: Whether the text is raw, to be cut into tokens by the models.
        """
        if tokenise or self.tokens != GIVEN:
            text = self.line(text)
            (parts,) = self.cut([text])
        else:
            parts = [sentence_of(text)]
        return self.whole(self.parser.parse(self.parser.tag(parts)), text)

    def cut(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and words; the strings that the pack wants whole are words."""
        found = self.parser.tokenize(texts)
        if unbroken := self.pack.unbroken:
            found = [[keep_whole(sentence, unbroken) for sentence in sentences] for sentences in found]
        return found

    def line(self, text: str) -> str:
        """Return a text as it is cut into words: as characters, without white space if the language has none."""
        return "".join(text.split()) if self.tokens == CHARACTERS and not self.pack.join else text

    def whole(self, parts: Sequence[Sentence], text: str) -> Sentence:
        """Return the sentences of a text as the one sentence over which edits count."""
        whole = parts[0] if len(parts) == 1 else join_sentences(parts, text)
        return characters_of(whole, self.pack.unbroken) if self.tokens == CHARACTERS else whole

    def align(self, source: Sentence, target: Sentence, lev: bool | None = None) -> Alignment:
        """Align two analysed sentences with the pack's costs."""
        cost = self.pack.character_cost if self.tokens == CHARACTERS else None
        return align_tokens(source, target, self.pack.costs, self.lev if lev is None else lev, cost)

    def merge(self, alignment: Alignment, merging: str | None = None) -> tuple[Span, ...]:
        """Merge the operations of an alignment into spans of edits.

        The strategy ``rules`` leaves the last word to the pack's hook. Where a language writes no spaces, spans
        that cut the same string into other tokens are left out.
        """
        strategy = merging or self.merging
        spans = merge(alignment, strategy, self.pack.merge_rules)
        hook = self.pack.merge_characters if self.tokens == CHARACTERS else None
        hook = hook or self.pack.merge_hook
        if hook is not None and strategy == "rules":
            spans = merged_spans(hook, spans, alignment)
        return spans if self.pack.join else tuple([s for s in spans if _respells(s, alignment)])

    def classify(self, source: Sentence, target: Sentence, span: Span) -> Edit:
        """Return the typed edit of a span of two parsed sentences."""
        return self._classify(source, target, span, parsable=False)

    def annotate(
        self, source: Sentence, target: Sentence, lev: bool | None = None, merging: str | None = None
    ) -> tuple[Edit, ...]:
        """Return the typed edits that turn one parsed sentence into another, in text order."""
        if source.forms == target.forms:
            return ()
        spans = self.merge(self.align(source, target, lev), merging)
        return tuple([self.classify(source, target, span) for span in spans])

    # Streams

    def annotate_many(
        self, records: Iterable[Parallel], *, raw: bool = False, batch: int = BATCH
    ) -> Iterator[Block]:
        """Yield one block for each record, or for each passage of a raw one, in order and in constant memory.

        Args:
            records: Sources and their corrections. Sentences that come with tags keep them; where a token
                has none the sentence is tagged, and parsed as far as the rules ask.
            raw: Take the text of each sentence as raw: cut it into sentences and tokens, and align those of the
                source with those of the corrections. A passage is the least number of sentences whose ends all
                corrections share.
            batch: Records looked at together. It changes the speed and nothing else.
        """
        stream = iter(records)
        while chunk := list(islice(stream, batch)):
            yield from _Batch(self, chunk, raw).blocks()

    def classify_many(
        self, records: Iterable[tuple[Parallel, Sequence[tuple[Span, ...]]]], *, batch: int = BATCH
    ) -> Iterator[Block]:
        """Yield one block for each record, in order, with the typed edits of spans that are given.

        Args:
            records: Sources with their corrections, and for each correction the spans of its edits.
            batch: Records looked at together. It changes the speed and nothing else.
        """
        stream = iter(records)
        while chunk := list(islice(stream, batch)):
            spans = [spans for _, spans in chunk]
            yield from _Batch(self, [record for record, _ in chunk], spans=spans).blocks()

    def _classify(self, source: Sentence, target: Sentence, span: Span, parsable: bool) -> Edit:
        view = EditView(source, target, span, self.pack.vocabulary, parsable)
        type_ = self.pack.rules.classify(view)
        if self._names and ":" in type_:
            operation, _, label = type_.partition(":")
            type_ = f"{operation}:{self._names[label]}"
        correction = tuple([t.form for t in target.tokens[span.target_start : span.target_end]])
        return Edit(span.start, span.end, correction, type_)


def _respells(span: Span, alignment: Alignment) -> bool:
    """Whether the two sides of a span spell different strings."""
    source = "".join([t.form for t in alignment.source.tokens[span.start : span.end]])
    return source != "".join([t.form for t in alignment.target.tokens[span.target_start : span.target_end]])


def _check_tokens(text: _Text, given: Sentence) -> None:
    """Raise an InputError if the tokens that spans count are not those given."""
    if text.whole.forms != given.forms:
        raise InputError(
            f"the tokens of {shorten(' '.join(given.forms))} are no single characters; 'jperrant m2 retokenise "
            "--characters' makes them so"
        )


class _Text:
    """One source or correction while its batch is annotated.

    Attributes:
        parts: Its sentences, which are analysed one by one.
        whole: The same as one sentence, over which edits count.
    """

    __slots__ = ("_join", "parts", "text", "whole")

    def __init__(
        self, parts: Sequence[Sentence], text: str, join: Callable[[Sequence[Sentence], str], Sentence]
    ) -> None:
        self.text, self._join = text, join
        self.parts = list(parts)
        self.whole = join(parts, text)

    def update(self, parts: Sequence[Sentence]) -> None:
        """Put analysed sentences in the place of the bare ones."""
        if any(new is not old for new, old in zip(parts, self.parts, strict=True)):
            self.parts = list(parts)
            self.whole = self._join(parts, self.text)

    def holds(self, token: Token) -> bool:
        """Whether a token is one of this text's own."""
        return any(token is own for own in self.whole.tokens)


class _Pair:
    """A source and one correction on their way to edits, whose spans are None until they are found."""

    __slots__ = ("edits", "source", "spans", "target")

    def __init__(self, source: _Text, target: _Text, spans: tuple[Span, ...] | None) -> None:
        self.source, self.target, self.spans = source, target, spans
        self.edits: list[Edit] = []


class _Batch:
    """Annotates some records together, so that each model sees all their sentences at once.

    Args:
        annotator: Whose rules and models are used.
        records: Sources and their corrections.
        raw: Take the texts as raw; then no spans can be given.
        spans: For each record, and each of its corrections, the spans of the edits; else they are found.
    """

    def __init__(
        self,
        annotator: Annotator,
        records: Sequence[Parallel],
        raw: bool = False,
        spans: Sequence[Sequence[tuple[Span, ...]]] | None = None,
    ) -> None:
        self.annotator, self.parser = annotator, annotator.parser
        self.texts: dict[object, _Text] = {}
        self.pairs: dict[tuple[int, int, tuple[Span, ...] | None], _Pair] = {}
        if raw:
            rows = self._passages(records)
        else:
            rows = self._sentences(records) if annotator.tokens == GIVEN else self._lines(records)
        self.plan: list[tuple[_Text, list[_Pair | None]]] = []
        for number, (source, targets) in enumerate(rows):
            given = [None] * len(targets) if spans is None else spans[number]
            if spans is not None:
                _check_tokens(source, records[number].source)
            pairs = [self._pair(source, target, found) for target, found in zip(targets, given, strict=True)]
            self.plan.append((source, pairs))

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in the order of the records."""
        self._tag()
        for pair in self.pairs.values():
            if pair.spans is None:
                alignment = self.annotator.align(pair.source.whole, pair.target.whole)
                pair.spans = self.annotator.merge(alignment)
        self._classify()
        for source, pairs in self.plan:
            annotations = [Annotation(n, tuple(pair.edits) if pair else ()) for n, pair in enumerate(pairs)]
            yield Block(source.whole.forms, tuple(annotations))

    def _sentences(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Yield the texts of each record as they came."""
        for source, corrections in records:
            yield self._text([source], source.text), [self._text([c], c.text) for c in corrections]

    def _lines(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Yield the texts of each record, cut anew where they are not analysed; each stays one sentence."""
        annotator = self.annotator
        sentences = [s for record in records for s in (record.source, *record.corrections)]
        bare = dict.fromkeys([annotator.line(s.text) for s in sentences if not (s.tokens and s.tagged)])
        found = dict(zip(bare, annotator.cut(list(bare)), strict=True))

        def text_of(sentence: Sentence) -> _Text:
            if sentence.tokens and sentence.tagged:
                return self._text([sentence], sentence.text)
            text = annotator.line(sentence.text)
            return self._text(found[text], text)

        for source, corrections in records:
            yield text_of(source), [text_of(correction) for correction in corrections]

    def _passages(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Cut raw texts into sentences, align them, and yield the texts of each passage."""
        cut = iter(
            self.annotator.cut([s.text for record in records for s in (record.source, *record.corrections)])
        )
        for source, corrections in records:
            parts, others = next(cut), [next(cut) for _ in corrections]
            passages = align_passages([s.text for s in parts], [[s.text for s in other] for other in others])
            sources = self._pieces(parts, [p.source for p in passages], source.text)
            targets = [
                self._pieces(other, [p.corrections[n] for p in passages], corrections[n].text)
                for n, other in enumerate(others)
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
        """Return the text of some sentences; the same one for equal sentences."""
        key = parts[0].tokens if len(parts) == 1 else (text, *(part.tokens for part in parts))
        if key not in self.texts:
            self.texts[key] = _Text(parts, text, self.annotator.whole)
        return self.texts[key]

    def _pair(self, source: _Text, target: _Text, spans: tuple[Span, ...] | None) -> _Pair | None:
        """Return the pair of two texts, the same for every annotator, or None where nothing was changed."""
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
        self._analyse(bare, self.parser.tag)

    def _analyse(
        self, texts: Sequence[_Text], analyse: Callable[[Sequence[Sentence]], list[Sentence]]
    ) -> None:
        found = iter(analyse([part for text in texts for part in text.parts]))
        for text in texts:
            text.update([next(found) for _ in text.parts])

    def _classify(self) -> None:
        """Type every edit, parsing those sentences, and in batches, whose dependencies a rule asks for."""
        pending = list(self.pairs.values())
        parsable = self.parser.can_parse
        while pending:
            wanted: dict[int, _Text] = {}
            waiting = []
            for pair in pending:
                try:
                    for span in (pair.spans or ())[len(pair.edits) :]:
                        edit = self.annotator._classify(pair.source.whole, pair.target.whole, span, parsable)
                        pair.edits.append(edit)
                except NeedsParse as request:
                    text = pair.source if pair.source.holds(request.token) else pair.target
                    wanted[id(text)] = text
                    waiting.append(pair)
            self._analyse(list(wanted.values()), self.parser.parse)
            pending = waiting

"""Records annotated together, so that each model sees all their sentences at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from jperrant.alignment.passages import align_passages
from jperrant.alignment.tokens import mark_blockwise
from jperrant.core.errors import InputError, PackError
from jperrant.core.m2_format import shorten
from jperrant.core.text import places_of
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence, Span, Token
from jperrant.edits.unparsed import NeedsParse, unparsed, with_relations

if TYPE_CHECKING:
    from jperrant.annotation.verbs import PairAnnotator


def characters_needed(tokens: Sequence[str]) -> InputError:
    """Return the error for tokens that should be single characters."""
    return InputError(
        f"the tokens of {shorten(' '.join(tokens))} are not single characters; 'jperrant m2 convert "
        "IN OUT --to m2:tokens=characters' makes them so"
    )


class _Text:
    """One source or correction while its batch is annotated.

    Attributes:
        parts: Its sentences, which are analysed one by one.
        whole: The same as one sentence, over which edits count.
        parsable: Whether a parse can still add dependencies.
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
        """The whole as rules and hooks may see it: without a parse its dependencies cannot be read."""
        if self._view is None:
            self._view = unparsed(self.whole) if self.parsable else self.whole
        return self._view

    def update(self, parts: Sequence[Sentence]) -> None:
        """Put analysed sentences in the place of the bare ones."""
        self._view = None
        if any(new is not old for new, old in zip(parts, self.parts, strict=True)):
            self.parts = list(parts)
            self.whole = self._join(parts, self.text)

    def holds(self, token: Token) -> bool:
        """Whether a token is one of this text's own and still to be parsed."""
        return self.parsable and any([token is other for other in self.view.tokens])


class _Pair:
    """A source and one correction on their way to edits, whose spans are None until they are found."""

    __slots__ = ("edits", "exact", "source", "spans", "target")

    def __init__(self, source: _Text, target: _Text, spans: tuple[Span, ...] | None) -> None:
        self.source, self.target, self.spans = source, target, spans
        self.edits: list[Edit] = []
        self.exact = True

    def marked_edits(self) -> tuple[Edit, ...]:
        """Return the edits, marked if they come from an alignment block by block."""
        return tuple(self.edits) if self.exact else mark_blockwise(self.edits)


class Batch:
    """Annotates some records together, so that each model sees all their sentences at once.

    Args:
        annotator: Whose rules and models are used.
        records: Sources and their corrections.
        raw: Take the texts as raw; then no spans can be given.
        spans: For each record, and each of its corrections, the spans of the edits; else they are found.
    """

    def __init__(
        self,
        annotator: PairAnnotator,
        records: Sequence[Parallel],
        raw: bool = False,
        spans: Sequence[Sequence[tuple[Span, ...]]] | None = None,
    ) -> None:
        self.annotator, self.parser = annotator, annotator.parser
        self.texts: dict[str, list[tuple[list[tuple[Token, ...]], _Text]]] = {}
        self.pairs: dict[tuple[int, int, tuple[Span, ...] | None], _Pair] = {}
        if raw:
            rows = self._passages(records)
        else:
            rows = self._lines(records) if annotator.tokens.segments else self._sentences(records)
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

    def _sentences(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Yield the texts of each record as they came."""
        for source, corrections in records:
            yield self._text([source], source.text), [self._text([c], c.text) for c in corrections]

    def _lines(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Yield the texts of each record, segmented where they are not analysed; each stays one sentence."""
        annotator = self.annotator
        sentences = [s for record in records for s in (record.source, *record.corrections)]
        bare = dict.fromkeys([annotator.line(s.text) for s in sentences if not (s.tokens and s.tagged)])
        segmented = dict(zip(bare, annotator.segment(list(bare)), strict=True))

        def parts_of(sentence: Sentence) -> tuple[Sequence[Sentence], str]:
            if sentence.tokens and sentence.tagged:
                return [sentence], sentence.text
            text = annotator.line(sentence.text)
            return segmented[text], text

        for source, corrections in records:
            parts, text = parts_of(source)
            others = [parts_of(correction) for correction in corrections]
            yield (
                self._text(parts, text),
                [self._text(annotator.resegment(parts, other), target) for other, target in others],
            )

    def _passages(self, records: Sequence[Parallel]) -> Iterator[tuple[_Text, list[_Text]]]:
        """Cut raw texts into sentences, align them, and yield the texts of each passage."""
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
        """Return the text of some sentences; the same one for equal sentences."""
        tokens = [part.tokens for part in parts]
        # Texts are compared before their tokens, which takes long, and which texts that differ do not share.
        known = self.texts.setdefault(text, [])
        for other, found in known:
            if other == tokens:
                return found
        made = _Text(parts, text, self.annotator.whole, self.parser.can_parse)
        known.append((tokens, made))
        return made

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
        tagged = iter(self.parser.tag([part for text in bare for part in text.parts]))
        for text in bare:
            text.update([next(tagged) for _ in text.parts])

    def _merge(self, pair: _Pair) -> None:
        """Find the spans of the edits of a pair, unless they are given."""
        if pair.spans is None:
            alignment = self.annotator.align(pair.source.view, pair.target.view)
            pair.spans, pair.exact = self.annotator.merge(alignment), alignment.exact

    def _classify(self, pair: _Pair) -> None:
        """Type the edits of a pair that have no type yet."""
        for span in (pair.spans or ())[len(pair.edits) :]:
            pair.edits.append(self.annotator.type_edit(pair.source.view, pair.target.view, span))

    def _parsing_on_demand(self, work: Callable[[_Pair], None]) -> None:
        """Do some work on every pair, parsing those sentences, and in batches, whose dependencies it reads."""
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
            "from another "
            "sentence; hooks must not keep tokens between calls"
        )

    def _parse(self, texts: Sequence[_Text]) -> None:
        parts = [part for text in texts for part in text.parts]
        parsed = map(with_relations, self.parser.parse(parts), parts)
        for text in texts:
            text.parsable = False
            text.update([next(parsed) for _ in text.parts])

"""ERRANT's verbs on one pair of sentences: parse, align, merge, classify, annotate."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from jperrant.alignment.projection import resegment
from jperrant.alignment.tokens import Alignment, align_tokens, mark_blockwise
from jperrant.core.display import shorten
from jperrant.core.errors import UsageError, nearest
from jperrant.core.messages import spoken
from jperrant.core.text import TokenMode, join_sentences, sentence_of
from jperrant.core.values import DEFAULT_LABELS, Edit, Parallel, Sentence, Span
from jperrant.edits.edit_context import EditContext
from jperrant.edits.merge import STRATEGIES, merge
from jperrant.edits.one_error import unite
from jperrant.packs import Pack
from jperrant.packs.read import check_requires
from jperrant.parse.analyser import Parser
from jperrant.parse.characters import characters_of, keep_whole

T = TypeVar("T")

#: A sentence, or its text.
Text: TypeAlias = Sentence | str
#: A source with one correction, or with one by each annotator.
Record: TypeAlias = Parallel | tuple[Text, Text | Sequence[Text]] | list[str]
#: How many records tell the script of all.
_SAMPLE = 256


def parallels(records: Iterable[Record]) -> Iterator[Parallel]:
    """Yield records as sentences; texts are split at white space.

    Args:
        records: Pairs of a source and its correction, or a list of its corrections.

    Raises:
        UsageError: A record is not such a pair; names the record, counted from 1.
    """
    if isinstance(records, (str, Parallel)):
        raise UsageError(f"found a single {_name(records)}, expected a list of records; put it in a list")
    for number, record in enumerate(records, start=1):
        if isinstance(record, Parallel) and isinstance(record.corrections, tuple):
            yield record
        else:
            yield _parallel(record, number)


def texts_of(record: Parallel) -> str:
    """Return the texts of a record as one."""
    return "\n".join([sentence.text for sentence in (record.source, *record.corrections)])


def in_script(pack: Pack, records: Iterable[T], text: Callable[[T], str]) -> Iterator[T]:
    """Pass records on, none ahead of need, and refuse them where the first ones are not in the language's script.

    Args:
        pack: The pack that they are annotated with.
        records: What is to be annotated.
        text: Returns the text of a record.

    Raises:
        UsageError: Hardly a letter of the first records is of a script of the language.
    """
    characters = Counter[str]()
    number = 0
    for number, record in enumerate(records, start=1):
        if number <= _SAMPLE:
            characters.update(text(record))
        if number == _SAMPLE:
            _check_script(pack, characters)
        yield record
    if number < _SAMPLE:
        _check_script(pack, characters)


def _check_script(pack: Pack, characters: Counter[str]) -> None:
    if problem := pack.script_problem(characters):
        raise UsageError(problem)


def _parallel(record: Record, number: int) -> Parallel:
    if isinstance(record, str) or not isinstance(record, Sequence) or len(record) != 2:
        size = f" of {len(record)}" if isinstance(record, (list, tuple)) else ""
        raise UsageError(
            f"record {number}: expected a source and its correction or list of corrections, "
            f"found a {_name(record)}{size}"
        )
    source, corrections = record
    if isinstance(corrections, (str, Sentence)):
        corrections = [corrections]
    if not isinstance(corrections, Sequence):
        raise UsageError(
            f"record {number}: found a {_name(corrections)}, expected a correction or a list of corrections"
        )
    return Parallel(_sentence(source, number), tuple([_sentence(text, number) for text in corrections]))


def _sentence(text: object, number: int) -> Sentence:
    if isinstance(text, Sentence):
        return text
    if isinstance(text, str):
        return sentence_of(text)
    raise UsageError(f"record {number}: found a {_name(text)}, expected a string or a Sentence")


def _name(value: object) -> str:
    return "string" if isinstance(value, str) else type(value).__name__


class PairAnnotator:
    """Annotates pairs of source and corrected sentences by the rules of a pack.

    The verbs are ERRANT's::

        >>> annotator = jperrant.load("en")
        >>> source, target = "This are gramamtical sentence .", "This is a grammatical sentence ."
        >>> [(e.start, e.end, e.type, e.correction) for e in annotator.annotate(source, target)]
        [(1, 2, 'R:VERB:SVA', ('is',)), (2, 2, 'M:DET', ('a',)), (2, 3, 'R:SPELL', ('grammatical',))]

    Args:
        pack: The language pack.
        parser: Analyses what comes without an analysis.
        merging, lev, labels, tokens: As in ``load``.

    Raises:
        MissingExtraError: The pack needs packages that are not installed.
        UsageError: Unknown merging, labels or tokens.
    """

    def __init__(
        self,
        pack: Pack,
        parser: Parser,
        *,
        merging: str = "rules",
        lev: bool = False,
        labels: str = DEFAULT_LABELS,
        tokens: str = TokenMode.GIVEN,
    ) -> None:
        if merging not in STRATEGIES:
            raise UsageError(
                f"unknown merge strategy {merging!r}{nearest(merging, STRATEGIES)}; expected one of "
                f"{', '.join(STRATEGIES)}"
            )
        sets = (DEFAULT_LABELS, *pack.label_sets)
        if labels not in sets:
            raise UsageError(
                f"pack {pack.code!r} has no label set {labels!r}{nearest(labels, sets)}; expected one of "
                f"{', '.join(sets)}"
            )
        check_requires(pack.code, pack.requires)
        self.pack, self.parser = pack, parser
        self.merging, self.lev, self.tokens = merging, lev, TokenMode.from_name(tokens)
        self._by_character = self.tokens is TokenMode.CHARACTERS
        self._substitution = pack.character_cost if self._by_character else None
        self._merge_hook = (pack.merge_characters if self._by_character else None) or pack.merge_hook
        self._names = pack.label_sets.get(labels, {})

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.pack.code!r}: merging {self.merging}, tokens {self.tokens}>"

    # The verbs of ERRANT

    def parse(self, text: str, tokenise: bool = False) -> Sentence:
        """Analyse one text, tags and dependencies included.

        Args:
            text: Tokens separated by white space; or raw text, where ``tokens`` is not ``given``.
            tokenise: Whether the text is raw, to be segmented into tokens by the models.
        """
        if tokenise or self.tokens.segments:
            text = self.line(text)
            (parts,) = self.segment([text])
        else:
            parts = [sentence_of(text)]
        return self._analysed(parts, text)

    def parse_pair(self, source: str, target: str) -> tuple[Sentence, Sentence]:
        """Analyse a source and its correction; where models segment them, equal text is segmented equally."""
        if not self.tokens.segments:
            return self.parse(source), self.parse(target)
        source, target = self.line(source), self.line(target)
        parts, target_parts = self.segment([source, target])
        target_parts = list(self.resegment(parts, target_parts))
        return self._analysed(parts, source), self._analysed(target_parts, target)

    def _analysed(self, parts: Sequence[Sentence], text: str) -> Sentence:
        """Return the sentences of a text as one, tagged and parsed."""
        return self.whole(self.parser.parse(self.parser.tag(parts)), text)

    def _parsed(self, source: Text, target: Text) -> tuple[Sentence, Sentence]:
        if isinstance(source, str) and isinstance(target, str):
            return self.parse_pair(source, target)
        for one in (source, target):
            if not isinstance(one, str | Sentence):
                raise UsageError(
                    f"found {shorten(repr(one))}, expected one sentence as a string, its tokens joined by spaces; "
                    "annotate_many takes many pairs"
                )
        return (
            self.parse(source) if isinstance(source, str) else source,
            self.parse(target) if isinstance(target, str) else target,
        )

    def segment(self, texts: Sequence[str]) -> list[list[Sentence]]:
        """Cut raw texts into sentences and words; the strings that the pack wants whole are words."""
        segmented = self.parser.tokenize(texts)
        if unbroken := self.pack.unbroken:
            segmented = [
                [keep_whole(sentence, unbroken) for sentence in sentences] for sentences in segmented
            ]
        return segmented

    def resegment(self, source: Sequence[Sentence], target: Sequence[Sentence]) -> Sequence[Sentence]:
        """Return the sentences of a correction, segmented like its source where both texts are equal."""
        if self.pack.join or not (source and target) or any(s.tagged for s in target):
            return target
        return resegment(source, target, self.pack.misspelt or _never)

    def line(self, text: str) -> str:
        """Return a text as it is segmented: by characters without white space if the language writes none."""
        return "".join(text.split()) if self._by_character and not self.pack.join else text

    def whole(self, parts: Sequence[Sentence], text: str) -> Sentence:
        """Return the sentences of a text as the one sentence over which edits count."""
        whole = parts[0] if len(parts) == 1 else join_sentences(parts, text)
        return characters_of(whole, self.pack.unbroken) if self._by_character else whole

    def align(self, source: Sentence, target: Sentence, lev: bool | None = None) -> Alignment:
        """Align two analysed sentences with the pack's costs."""
        costs, plain, substitution = self.pack.costs, self.lev if lev is None else lev, self._substitution
        if substitution is None:
            return align_tokens(source, target, costs, plain)
        return align_tokens(source, target, costs, plain, substitution)

    def merge(self, alignment: Alignment, merging: str | None = None) -> tuple[Span, ...]:
        """Merge the operations of an alignment into spans of edits.

        The strategy ``rules`` leaves the last words to the pack: its hook, and the edits that are one error.
        Where a language writes no spaces, spans that only segment the same string into other tokens are left
        out.
        """
        strategy = merging or self.merging
        spans = merge(alignment, strategy, self.pack.merge_rules)
        hook = self._merge_hook
        if hook is not None and strategy == "rules":
            spans = hook(spans, alignment)
        if self.pack.one_error and strategy == "rules":
            spans = unite(spans, alignment, self.pack.one_error, self.pack.vocabulary)
        return spans if self.pack.join else tuple([s for s in spans if _respells(s, alignment)])

    def classify(self, source: Sentence, target: Sentence, span: Span) -> Edit:
        """Return the typed edit of a span of two parsed sentences."""
        return self.type_edit(source, target, span)

    def annotate(
        self, source: Text, target: Text, lev: bool | None = None, merging: str | None = None
    ) -> tuple[Edit, ...]:
        """Return the typed edits that turn one sentence into another, in text order.

        Warns of a sentence in another script than the language; ``annotate_many`` refuses such texts.

        Args:
            source, target: Parsed sentences, or texts, which are parsed first.
            lev, merging: As in ``load``; None means as this annotator was loaded.
        """
        source, target = self._parsed(source, target)
        if source.forms == target.forms:
            return ()
        if problem := self.pack.script_problem(Counter(source.text + target.text)):
            warnings.warn(spoken(problem), stacklevel=2)
        alignment = self.align(source, target, lev)
        edits = [self.classify(source, target, span) for span in self.merge(alignment, merging)]
        return tuple(edits) if alignment.exact else mark_blockwise(edits)

    def type_edit(self, source: Sentence, target: Sentence, span: Span) -> Edit:
        """Return the typed edit of a span.

        Raises:
            NeedsParse: A rule asks for a dependency of a sentence that is still to be parsed.
        """
        view = EditContext(source, target, span, self.pack.vocabulary)
        type_ = self.pack.rules.classify(view)
        if self._names and ":" in type_:
            operation, _, label = type_.partition(":")
            type_ = f"{operation}:{self._names[label]}"
        correction = tuple([t.form for t in target.tokens[span.target_start : span.target_end]])
        return Edit(span.start, span.end, correction, type_)


def _never(source: str, target: str) -> bool:  # noqa: ARG001
    return False


def _respells(span: Span, alignment: Alignment) -> bool:
    """Whether the two sides of a span spell different strings."""
    source = "".join([t.form for t in alignment.source.tokens[span.start : span.end]])
    return source != "".join([t.form for t in alignment.target.tokens[span.target_start : span.target_end]])

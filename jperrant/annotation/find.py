"""Searching corpora of edits with the conditions of the rule language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

from jperrant.annotation.options import AnnotatorOptions
from jperrant.annotation.verbs import PairAnnotator, parallels
from jperrant.core.edits import check_selectors, corrected, place, selectors_of, selects
from jperrant.core.errors import InputError, PackError, UsageError, nearest
from jperrant.core.values import Annotation, Block, Edit, Parallel, Sentence, Span
from jperrant.edits.edit_context import EditContext
from jperrant.edits.syntax import SYNTAX_TESTS
from jperrant.edits.values import Condition
from jperrant.io.files import is_read_once, read_lines
from jperrant.io.m2 import read_m2
from jperrant.io.parallel import read_conllu_parallel
from jperrant.io.recognise import Kind, recognise
from jperrant.packs import Pack
from jperrant.packs.discovery import GENERIC
from jperrant.packs.yaml_file import parse_yaml
from jperrant.parse.models import NONE

#: Blocks that are parsed together.
_BATCH = 128


class Part(StrEnum):
    """What a query is about: the edits, or single tokens of the learner's or of the corrected sentences."""

    EDITS = "edits"
    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched for.

    Attributes:
        condition: Holds for what is wanted.
        types: Selectors of types, as in ``core.edits``; any type if empty.
        part: What the query is about.
        has_conditions: Whether the condition asks for anything. Edits that only mark an error have no target side
            to compare, so they fit only a query that does not.
    """

    condition: Condition
    types: tuple[str, ...] = ()
    part: Part = Part.EDITS
    has_conditions: bool = True

    def fits(self, type_: str) -> bool:
        """Whether a type is one of those wanted."""
        return not self.types or selects(self.types, type_)


@dataclass(frozen=True, slots=True)
class Match:
    """What fits a query.

    Attributes:
        sentence: The number of its sentence in the corpus, counted from 1.
        id: The sentence's name, if it has one.
        annotator: Whose correction it is from.
        source, target: The two sentences, as far as they are analysed.
        span: Where the edit stands in both, an edit that only marks an error on the source side alone; the token,
            where the query is about tokens.
        edit: The edit, or None where the query is about tokens.
    """

    sentence: int
    id: str
    annotator: int
    source: Sentence
    target: Sentence
    span: Span
    edit: Edit | None


def make_query(
    pack: Pack, when: Mapping[str, object], types: Sequence[str] = (), part: Part = Part.EDITS
) -> Query:
    """Return a query of the conditions that a pack's rules may have under ``when``.

    Args:
        pack: Gives the lists, word classes and hooks that conditions may name.
        when: The conditions; for tokens, tests of a side (``{upos: NOUN, before: {…}}``).
        types: Selectors of types; only for edits.
        part: What the query is about.

    Raises:
        UsageError: A condition does not exist or has a wrong value; names the nearest.
    """
    if types and part is not Part.EDITS:
        raise UsageError("only edits have types; remove the types, or search the edits")
    compiler = pack.compiler()
    conditions = when if part is Part.EDITS or not when else {Part.SOURCE.value: when}
    try:
        condition = compiler.conditions(conditions)
    except PackError as error:
        raise UsageError(f"--when: {error}") from None
    if compiler.problems:
        raise UsageError(f"--when: {compiler.problems[0][1]}")
    return Query(condition, selectors_of(types), part, bool(when))


def find_in_blocks(
    blocks: Iterable[Block], query: Query, annotator: PairAnnotator, file: str = "M2"
) -> Iterator[Match]:
    """Yield what fits a query in blocks of M2, whose edits and types stay as they are.

    Args:
        blocks: The blocks.
        query: The query.
        annotator: Tags and parses the sentences, if it has models; its pack is that of the query.
        file: Name of the file in messages.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; names file, sentence and annotator.
        UsageError: No edit has one of the types; said at the end.
    """
    stream, first, seen = iter(blocks), 1, set[str]()
    while batch := list(islice(stream, _BATCH)):
        pairs = [
            (number, annotation.annotator, block, annotation.edits)
            for number, block in enumerate(batch, start=first)
            for annotation in _searched(block, query.part)
        ]
        sources = _analysed([block.source for _, _, block, _ in pairs], annotator)
        targets = _analysed(
            [corrected(block.source, edits, file, number, who) for number, who, block, edits in pairs],
            annotator,
        )
        for (sentence, who, _, edits), source, target in zip(pairs, sources, targets, strict=True):
            yield from _matches(sentence, who, source, target, _placed(edits), query, annotator.pack)
            seen.update([edit.type for edit in edits])
        first += len(batch)
    check_selectors(query.types, seen, "--type")


def find_in_pairs(records: Iterable[Parallel], query: Query, annotator: PairAnnotator) -> Iterator[Match]:
    """Yield what fits a query in sentences and their corrections, whose edits are found first.

    Args:
        records: The sentences, with the analysis they come with, which is the one that is searched.
        query: The query.
        annotator: Finds and types the edits.

    Raises:
        UsageError: No edit has one of the types; said at the end.
    """
    seen = set[str]()
    for number, (source, corrections) in enumerate(parallels(records), start=1):
        for who, target in enumerate([source] if query.part is Part.SOURCE else corrections):
            spans = annotator.merge(annotator.align(source, target)) if source.forms != target.forms else ()
            found = [(span, annotator.type_edit(source, target, span)) for span in spans]
            yield from _matches(number, who, source, target, found, query, annotator.pack)
            seen.update([edit.type for _, edit in found])
    check_selectors(query.types, seen, "--type")


def _placed(edits: Sequence[Edit]) -> Iterator[tuple[Span, Edit]]:
    """Yield edits with where they stand."""
    changes = iter(place([edit for edit in edits if not edit.is_detection]))
    for edit in edits:
        yield Span(edit.start, edit.end, 0, 0) if edit.is_detection else next(changes), edit


def _searched(block: Block, part: Part) -> Sequence[Annotation]:
    """Return the annotations to search: none changes the source, and where there is none nothing was changed."""
    return (Annotation(0),) if part is Part.SOURCE or not block.annotations else block.annotations


def _analysed(texts: Sequence[Sequence[str]], annotator: PairAnnotator) -> list[Sentence]:
    sentences = [Sentence.from_forms(text) for text in texts]
    return annotator.parser.parse(annotator.parser.tag(sentences))


def _matches(
    number: int,
    annotator: int,
    source: Sentence,
    target: Sentence,
    edits: Iterable[tuple[Span, Edit]],
    query: Query,
    pack: Pack,
) -> Iterator[Match]:
    if query.part is Part.EDITS:
        for span, edit in edits:
            if not query.fits(edit.type):
                continue
            if edit.is_detection:
                is_found = not query.has_conditions
            else:
                is_found = query.condition(EditContext(source, target, span, pack.vocabulary))
            if is_found:
                yield Match(number, source.id, annotator, source, target, span, edit)
        return
    searched = source if query.part is Part.SOURCE else target
    for token in range(len(searched.tokens)):
        span = Span(token, token + 1, token, token + 1)
        if query.condition(EditContext(searched, searched, span, pack.vocabulary)):
            yield Match(number, source.id, annotator, searched, searched, span, None)


_ANALYSIS = frozenset(
    ["upos", "xpos", "lemma", "class", "feats", "deprel", "inflection", "feats_changed", *SYNTAX_TESTS]
)


def search(
    corpus: Sequence[str],
    when: str | Mapping[str, object],
    types: Sequence[str] = (),
    part: str = Part.EDITS,
    options: AnnotatorOptions | None = None,
) -> Iterator[Match]:
    """Yield what fits a query in the files of a corpus, in their order and in constant memory.

    Args:
        corpus: An M2 file; or the CoNLL-U files of the source and of its corrections.
        when: Conditions of the rule language, as a mapping or as YAML; ``@FILE`` reads them from a file.
        types: Selectors of types, as in ``core.edits``; any type if empty.
        part: ``edits``; or ``source`` or ``target``, whose tokens are then tested one by one as a side of an edit.
        options: The pack whose words the conditions use, and models for M2; the generic pack and none if None.

    Raises:
        UsageError: A condition does not exist or has a wrong value, or asks for an analysis that M2 does not have;
            or no edit has one of the types, which is said at the end.
        InputError: A file cannot be read.
    """
    options = options or AnnotatorOptions("generic", NONE)
    if part not in tuple(Part):
        raise UsageError(
            f"unknown part {part!r}{nearest(part, tuple(Part))}; expected one of {', '.join(Part)}"
        )
    conditions = _conditions(when) if isinstance(when, str) else when
    is_m2 = len(corpus) == 1
    if is_m2 and not is_read_once(corpus[0]) and recognise(read_lines(corpus[0])) is Kind.CONLLU:
        raise UsageError("CoNLL-U holds sentences, not edits; also give the file of their corrections")
    annotator = options.load()
    query = make_query(annotator.pack, conditions, types, Part(part))
    if is_m2 and options.models == NONE and (key := _asks_for_analysis(conditions)):
        # The generic pack has no language, so no models can be found for it.
        such = "--lang=en --models=compact" if annotator.pack.code == GENERIC else "--models=compact"
        raise UsageError(
            f"--when tests {key}, but M2 holds no analysis; give the models to use, such as {such}"
        )
    if is_m2:
        return find_in_blocks(read_m2(corpus[0]), query, annotator, corpus[0])
    return find_in_pairs(read_conllu_parallel(corpus[0], corpus[1:]), query, annotator)


def _conditions(text: str) -> Mapping[str, object]:
    """Return the conditions in YAML.

    Raises:
        InputError: The file cannot be read, or it is not YAML.
        UsageError: It is not a mapping.
    """
    name = "--when"
    if text.startswith("@"):
        name = text[1:]
        text = "\n".join(read_lines(name))
    try:
        conditions: Any = parse_yaml(text, name)
    except InputError as error:
        raise UsageError(str(error)) from None
    if not isinstance(conditions, Mapping):
        raise UsageError(f"{name}: found {text!r}, expected a mapping of conditions such as {{operation: R}}")
    return conditions


def _asks_for_analysis(value: object) -> str:
    """Return the first key of conditions that asks for tags, lemmas or the tree; empty if none does."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            name = str(key).partition(".")[0]
            if name in _ANALYSIS and not (
                name == "position" and held in ({"first": "sentence"}, {"last": "sentence"})
            ):
                return str(key)
            if inner := _asks_for_analysis(held):
                return inner
    if isinstance(value, list):
        return next((inner for held in value if (inner := _asks_for_analysis(held))), "")
    return ""

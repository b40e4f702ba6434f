"""Searching corpora of edits with the conditions of the rule language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from jperrant.annotation.annotator import Annotator, annotator_of, batches
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.edits import check_selectors, corrected, place, selectors_of, selects
from jperrant.core.errors import InputError, PackError, UsageError
from jperrant.core.values import Annotation, Edit, Sentence, Span
from jperrant.edits.edit_context import EditContext
from jperrant.edits.rule_parts import Condition
from jperrant.edits.syntax import SYNTAX_TESTS
from jperrant.io.m2 import read_m2
from jperrant.io.parallel import read_conllu_parallel
from jperrant.packs.discovery import GENERIC
from jperrant.packs.pack import Pack
from jperrant.packs.yaml_file import parse_yaml
from jperrant.parse.models import NONE

#: Blocks that are parsed together.
_BATCH = 128
#: The conditions that need tags, lemmas or dependencies.
_ANALYSIS = frozenset(
    ["upos", "xpos", "lemma", "class", "feats", "deprel", "inflection", "feats_changed", *SYNTAX_TESTS]
)


#: Values of ``position`` that need no analysis.
_AT_AN_END = ({"first": "sentence"}, {"last": "sentence"})
#: The objects of a query: edits, or single tokens of source or corrected sentences.
Part: TypeAlias = Literal["edits", "source", "target"]


@dataclass(frozen=True, slots=True)
class Match:
    """A match of a query.

    Attributes:
        sentence: The number of the sentence in the corpus, from 1.
        id: The identifier of the sentence; empty without one.
        annotator: The number of the annotator of the correction.
        source, target: The source and the corrected sentence, with their analysis if there is one.
        span: The span of the edit on both sides (for a detection edit only on the source side), or of the token.
        edit: The edit; None for a token.
    """

    sentence: int
    id: str
    annotator: int
    source: Sentence
    target: Sentence
    span: Span
    edit: Edit | None


class _Pair(NamedTuple):
    """A sentence with its correction by one annotator, and the edits between them with their spans."""

    sentence: int
    annotator: int
    source: Sentence
    target: Sentence
    edits: Sequence[tuple[Span, Edit]]


def search(
    corpus: Sequence[str],
    when: str | Mapping[str, object],
    types: Sequence[str] = (),
    part: Part = "edits",
    options: AnnotatorOptions | None = None,
) -> Iterator[Match]:
    """Yield the matches of a query in a corpus, in order and in constant memory.

    Args:
        corpus: An M2 file, or the CoNLL-U files of the source and of its corrections.
        when: Conditions of the rule language, as a mapping or as YAML.
        types: Selectors of error types, as in ``core.edits``; any type if empty.
        part: ``edits`` to match edits, ``source`` or ``target`` to match single tokens.
        options: The pack of the conditions, and the models for M2; the generic pack without models if None.

    Raises:
        UsageError: A condition is unknown, has a wrong value, or needs an analysis that M2 lacks; or, at the end, a
            selector matches no edit.
        InputError: A file cannot be read.
    """
    options = options or AnnotatorOptions("generic", NONE)
    if types and part != "edits":
        raise UsageError("only edits have types; remove the types, or search the edits")
    conditions = _conditions(when) if isinstance(when, str) else when
    is_m2 = len(corpus) == 1
    annotator = annotator_of(options)
    condition = _compiled(annotator.pack, conditions, part)
    if is_m2 and options.models == NONE and (key := _asks_for_analysis(conditions)):
        # The generic pack has no language, so no models can be found for it.
        such = "--lang=en --models=compact" if annotator.pack.code == GENERIC else "--models=compact"
        raise UsageError(
            f"--when tests {key}, but M2 holds no analysis; give the models to use, such as {such}"
        )
    pairs = (_pairs_of_m2 if is_m2 else _pairs_of_conllu)(corpus, part, annotator)
    # Detection edits have no target side, so they match only without conditions.
    return _matches(pairs, condition, selectors_of(types), part, annotator.pack, not conditions)


def _compiled(pack: Pack, when: Mapping[str, object], part: Part) -> Condition:
    """Return compiled conditions, for edits or for the tokens of one side.

    Raises:
        UsageError: A condition is unknown or has a wrong value; names the most similar one.
    """
    compiler = pack.compiler()
    try:
        condition = compiler.conditions(when if part == "edits" or not when else {"source": when})
    except PackError as error:
        raise UsageError(f"--when: {error}") from None
    if compiler.problems:
        raise UsageError(f"--when: {compiler.problems[0][1]}")
    return condition


def _pairs_of_m2(corpus: Sequence[str], part: Part, annotator: Annotator) -> Iterator[_Pair]:
    """Yield the sentences of an M2 file with its edits and their types, analysed by the models if there are any.

    Raises:
        FormatError: Edits overlap or reach outside their sentence; names file, sentence and annotator.
    """
    (file,) = corpus
    for batch in batches(enumerate(read_m2(file), start=1), _BATCH):
        # The source is searched once per sentence; a block without annotations is unchanged.
        rows = [
            (number, annotation, block.source)
            for number, block in batch
            for annotation in ((part != "source" and block.annotations) or (Annotation(0),))
        ]
        targets = [corrected(forms, a.edits, file, number, a.annotator) for number, a, forms in rows]
        analysed = [
            annotator.parser.parse(annotator.parser.tag(list(map(Sentence.from_forms, texts))))
            for texts in ([forms for _, _, forms in rows], targets)
        ]
        for (number, annotation, _), source, target in zip(rows, *analysed, strict=True):
            yield _Pair(number, annotation.annotator, source, target, _placed(annotation.edits))


def _placed(edits: Sequence[Edit]) -> list[tuple[Span, Edit]]:
    """Return edits with their spans on both sides."""
    changes = iter(place([edit for edit in edits if not edit.is_detection]))
    return [
        (Span(edit.start, edit.end, 0, 0) if edit.is_detection else next(changes), edit) for edit in edits
    ]


def _pairs_of_conllu(corpus: Sequence[str], part: Part, annotator: Annotator) -> Iterator[_Pair]:
    """Yield the sentences of CoNLL-U files with their given analysis, and the edits found between them."""
    for number, (source, corrections) in enumerate(read_conllu_parallel(corpus[0], corpus[1:]), start=1):
        for who, target in enumerate([source] if part == "source" else corrections):
            yield _Pair(number, who, source, target, annotator.placed_edits(source, target))


def _matches(
    pairs: Iterable[_Pair],
    condition: Condition,
    types: Sequence[str],
    part: Part,
    pack: Pack,
    unconditional: bool,
) -> Iterator[Match]:
    seen = set[str]()
    for sentence, annotator, source, target, edits in pairs:
        sides, candidates = (source, target), list[tuple[Span, Edit | None]](edits)
        if part != "edits":
            side = source if part == "source" else target
            sides = (side, side)
            candidates = [(Span(n, n + 1, n, n + 1), None) for n in range(len(side.tokens))]
        for span, edit in candidates:
            if edit is not None and types and not selects(types, edit.type):
                continue
            is_detection = edit is not None and edit.is_detection
            if unconditional if is_detection else condition(EditContext(*sides, span, pack.vocabulary)):
                yield Match(sentence, source.id, annotator, *sides, span, edit)
        seen.update([edit.type for _, edit in edits])
    check_selectors(types, seen, "--type")


def _conditions(text: str) -> Mapping[str, object]:
    """Return the conditions in YAML.

    Raises:
        UsageError: It is not YAML, or not a mapping.
    """
    try:
        conditions: Any = parse_yaml(text, "--when")
    except InputError as error:
        raise UsageError(str(error)) from None
    if not isinstance(conditions, Mapping):
        raise UsageError(f"--when: found {text!r}, expected a mapping of conditions such as {{operation: R}}")
    return conditions


def _asks_for_analysis(value: object) -> str:
    """Return the first key of conditions that needs tags, lemmas or dependencies; empty if none does."""
    entries = (
        value.items() if isinstance(value, Mapping) else enumerate(value if isinstance(value, list) else [])
    )
    for key, held in entries:
        name = str(key).partition(".")[0]
        if name in _ANALYSIS and not (name == "position" and held in _AT_AN_END):
            return str(key)
        if inner := _asks_for_analysis(held):
            return inner
    return ""

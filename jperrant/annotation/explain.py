"""Why an edit has its type, and which examples of a pack try which of its rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from jperrant.annotation.verbs import PairAnnotator
from jperrant.core.errors import InputError
from jperrant.core.values import Edit, Sentence, Span, Token
from jperrant.edits.edit_context import EditContext
from jperrant.edits.folding import is_word
from jperrant.edits.trace import Step
from jperrant.packs import Pack
from jperrant.packs.discovery import FILE
from jperrant.packs.examples import Example, analysed
from jperrant.parse.analyser import PretokenisedParser


@dataclass(frozen=True, slots=True)
class Explanation:
    """An edit and how the rules came to its type.

    Attributes:
        edit: The edit.
        source, target: Its tokens on both sides, as the rules see them.
        steps: The rules that were tried, in order.
    """

    edit: Edit
    source: tuple[Token, ...]
    target: tuple[Token, ...]
    steps: tuple[Step, ...]


def explain(
    annotator: PairAnnotator, source: Sentence, target: Sentence, given: Sequence[Span] | None = None
) -> tuple[Explanation, ...]:
    """Return the edits between two sentences, each with the rules that were tried on it.

    Args:
        annotator: Whose pack and merging are used.
        source, target: The sentences, parsed as far as they can be.
        given: The spans of the edits, where they are not to be looked for.

    Raises:
        PackError: A rule or hook fails.
    """
    pack = annotator.pack
    if given is not None:
        spans = tuple(given)
    else:
        spans = annotator.merge(annotator.align(source, target)) if source.forms != target.forms else ()
    explanations = []
    for span in spans:
        edit = annotator.type_edit(source, target, span)  # first, as its errors name the rule
        view = EditContext(source, target, span, pack.vocabulary)
        steps = tuple(pack.rules.trace(view))
        explanations.append(Explanation(edit, tuple(view.source), tuple(view.target), steps))
    return tuple(explanations)


def sentences(annotator: PairAnnotator, source: str, target: str, given: bool) -> tuple[Sentence, Sentence]:
    """Return two sentences to explain the edits between.

    Args:
        annotator: Parses them, unless their analysis is given.
        source, target: Tokens separated by white space; with ``given`` in the short form of examples,
            ``form/UPOS/lemma/FEATS/XPOS/deprel/head``.
        given: Whether the analysis is given.

    Raises:
        PackError: A token is not in that form.
    """
    if given:
        return analysed(source, "source"), analysed(target, "target")
    return annotator.parse_pair(source, target)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which rules of a pack its examples try, and which words of theirs it knows.

    Attributes:
        rules: For each rule of the pack's own that names a type, by its place, the examples in which it does.
        words: How many different words of letters the corrections of the examples have.
        known: How many of them the lexicon and the dictionary know; all, where the pack has neither.
    """

    rules: Mapping[str, tuple[str, ...]]
    words: int
    known: int

    @property
    def tried(self) -> int:
        """How many of the rules an example tries."""
        return sum([bool(examples) for examples in self.rules.values()])


def annotator_of(pack: Pack, example: Example) -> PairAnnotator:
    """Return what annotates an example: with the analysis and the known words that it gives, and no models."""
    if example.known is not None:
        pack = replace(pack, vocabulary=replace(pack.vocabulary, lexicon=example.known))
    return PairAnnotator(pack, PretokenisedParser())


Explained: TypeAlias = tuple[Explanation, ...] | InputError
"""The explained edits of an example, or what keeps it from being annotated."""


def explain_examples(pack: Pack) -> list[Explained]:
    """Return the explained edits of each example of a pack."""
    return [_explained(pack, example) for example in pack.examples]


def _explained(pack: Pack, example: Example) -> Explained:
    try:
        return explain(annotator_of(pack, example), example.source, example.target, example.spans())
    except InputError as error:
        return error


def coverage(pack: Pack, explained: Sequence[Explained] | None = None) -> Coverage:
    """Return which rules of a pack its own examples try.

    Args:
        pack: The pack.
        explained: What ``explain_examples`` returns of it, where that is known.

    Raises:
        PackError: A rule or hook fails.
    """
    own = f"{pack.folder / FILE}:"
    rules: dict[str, list[str]] = {place: [] for place in pack.rules.leaves if place.startswith(own)}
    words: set[str] = set()
    for number, (example, found) in enumerate(
        zip(pack.examples, explained or explain_examples(pack), strict=True)
    ):
        if isinstance(found, InputError):
            raise found
        words.update(form for form in example.target.forms if is_word(form))
        for explanation in found:
            place = explanation.steps[-1].where if explanation.steps else ""
            if place in rules:
                rules[place].append(_name(number, example))
    known = sum([pack.vocabulary.knows(word) for word in words])
    return Coverage({place: tuple(names) for place, names in rules.items()}, len(words), known)


def _name(number: int, example: Example) -> str:
    return example.name or f"examples[{number}]"

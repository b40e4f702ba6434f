"""Functions on edits: apply, minimise, clip to the sentence, number, select by type, describe.

An edit that reaches outside its sentence is cut to the part of its span that lies in the sentence. What lies past
the end becomes an insertion at the end, what lies before the start an insertion at the start, and a span that
ends before it starts is empty at its start. The correction stays. Every reader does so, and so does everything
that takes blocks from memory.

A selector of types is a full type (``R:SPELL``), a category (``DET``: M:DET, U:DET and R:DET), a pattern with
``*`` and ``?`` (``R:VERB*``, ``*:DET``, ``NOUN*``), or several of these separated by commas. What begins with an
operation is compared with the whole type, anything else with the category: the type without its operation.
``=R:SPELL`` is that type to the letter, which need not occur.

The annotators of several files are numbered on from file to file. The numbers hold for all sentences, so that
whoever is missing in one of them moves nobody else down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import count, takewhile

from jperrant.core.display import NOTHING
from jperrant.core.errors import EditError, FormatError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block, Edit, Span


def apply_edits(source: Sequence[str], edits: Iterable[Edit]) -> tuple[str, ...]:
    """Return the corrected tokens.

    Edits are applied by ``(start, end)``, those at one place in the order given, so that an insertion at a
    position comes before a replacement that begins there. Detection edits change nothing.

    Raises:
        EditError: An edit reaches outside the source, or two edits overlap.
    """
    corrected: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.is_detection or edit.correction is None:
            continue
        if not 0 <= edit.start <= edit.end <= len(source):
            raise EditError(
                f"edit {edit.start} {edit.end} reaches outside the sentence of {plural(len(source), 'token')}"
            )
        if edit.start < position:
            raise EditError(
                f"edit {edit.start} {edit.end} ({edit.type}) overlaps the edit before it, which ends at {position}"
            )
        corrected += source[position : edit.start]
        corrected += edit.correction
        position = edit.end
    corrected += source[position:]
    return tuple(corrected)


def corrected(
    source: Sequence[str], edits: Iterable[Edit], file: str, number: int, annotator: int
) -> tuple[str, ...]:
    """Return the corrected tokens of sentence ``number`` (counted from 1) of a file.

    Raises:
        FormatError: The edits cannot be applied; names file, sentence and annotator.
    """
    try:
        return apply_edits(source, edits)
    except EditError as error:
        raise FormatError(
            file, None, f"sentence {number}, annotator {annotator}: {error}; "
            "run 'jperrant m2 check' to list all such lines"
        ) from None  # fmt: skip


def minimise(edit: Edit, source: Sequence[str]) -> Edit:
    """Return the edit without the tokens it leaves alone: equal leading ones first, then equal trailing ones.

    Tokens count as equal by their exact form, as in ERRANT; where there are alternative corrections, by that
    of all of them. What is left of an edit that changes nothing is empty on both sides. Detection edits stay.
    """
    if edit.is_detection or edit.correction is None:
        return edit
    sides = [tuple(source[edit.start : edit.end]), edit.correction, *edit.alternatives]
    first = _shared(sides)
    sides = [side[first:] for side in sides]
    last = _shared([side[::-1] for side in sides])
    _, correction, *alternatives = [side[: len(side) - last] for side in sides]
    start, end = edit.start + first, edit.end - last
    return replace(edit, start=start, end=end, correction=correction, alternatives=tuple(alternatives))


def place(edits: Iterable[Edit]) -> tuple[Span, ...]:
    """Return where each edit stands in the source and in the corrected text.

    Args:
        edits: Edits that can be applied, in text order, none of them a detection edit.
    """
    spans, shift = [], 0
    for edit in edits:
        length = len(edit.correction or ())
        start = edit.start + shift
        spans.append(Span(edit.start, edit.end, start, start + length))
        shift += length - (edit.end - edit.start)
    return tuple(spans)


def _shared(sides: Iterable[Sequence[str]]) -> int:
    """Return how many leading tokens all sides share."""
    return len([*takewhile(lambda tokens: len({*tokens}) == 1, zip(*sides, strict=False))])


def clip_span(start: int, end: int, length: int) -> tuple[int, int]:
    """Return the part of a span that lies in a sentence.

    >>> [clip_span(*span, 3) for span in [(1, 2), (2, 9), (7, 9), (-4, 1), (2, 1)]]
    [(1, 2), (2, 3), (3, 3), (0, 1), (2, 2)]
    """
    start = max(0, min(start, length))
    return start, max(start, min(end, length))


def clip_block(block: Block) -> tuple[Block, int]:
    """Return a block whose edits lie inside its sentence, and how many had to be clipped."""
    length = len(block.source)
    outside = [not 0 <= e.start <= e.end <= length for a in block.annotations for e in a.edits]
    if not any(outside):
        return block, 0
    annotations = []
    for annotation in block.annotations:
        spans = [clip_span(edit.start, edit.end, length) for edit in annotation.edits]
        edits = [replace(e, start=a, end=b) for e, (a, b) in zip(annotation.edits, spans, strict=True)]
        # Sorting is stable: the order of insertions at one place is meaningful.
        annotations.append(replace(annotation, edits=tuple(sorted(edits, key=lambda e: (e.start, e.end)))))
    return replace(block, annotations=tuple(annotations)), sum(outside)


def annotators_in(blocks: Iterable[Block]) -> list[int]:
    """Return the annotators of a file, in ascending order."""
    return sorted({annotation.annotator for block in blocks for annotation in block.annotations})


def numbers_of(files: Iterable[Iterable[Block]]) -> list[dict[int, int]]:
    """Return for each file the new numbers of its annotators, in ascending order.

    Args:
        files: The blocks of each.
    """
    return numbered_on(map(annotators_in, files))


def numbered_on(annotators: Iterable[Collection[int]]) -> list[dict[int, int]]:
    """Return for each file the new numbers of its annotators, in ascending order.

    Args:
        annotators: Those of each file; one whose sentences have no annotations stands for one annotator.
    """
    new = count()
    return [{old: next(new) for old in sorted(own) or [0]} for own in annotators]


def joined_block(blocks: Sequence[Block], numbers: Sequence[Mapping[int, int]]) -> Block:
    """Return the blocks of one sentence in several files as one, with the annotators of all.

    Args:
        blocks: The block of each file; the first annotator of a file left one without annotations unchanged.
        numbers: As :func:`numbers_of` returns them.
    """
    annotations = [
        replace(annotation, annotator=new[annotation.annotator])
        for block, new in zip(blocks, numbers, strict=True)
        for annotation in block.annotations or (Annotation(min(new)),)
    ]
    return replace(blocks[0], annotations=tuple(sorted(annotations, key=lambda a: a.annotator)))


#: Stands before a type that is meant to the letter, as ``errant_compare`` takes all of them.
EXACT = "="
#: Types that a message names.
_SHOWN = 8
_OPERATION = re.compile(r"[A-Z*?]:")


def selectors_of(written: Iterable[str]) -> tuple[str, ...]:
    """Return selectors one by one.

    >>> selectors_of(["R:SPELL", "DET, NOUN*"])
    ('R:SPELL', 'DET', 'NOUN*')

    Raises:
        UsageError: One is empty.
    """
    parts = tuple([part.strip() for text in written for part in text.split(",")])
    if not all(part.removeprefix(EXACT) for part in parts):
        raise UsageError("found an empty selector of types, expected a type, a category or a pattern")
    return parts


@lru_cache(maxsize=4096)
def selects(selectors: tuple[str, ...], type_: str) -> bool:
    """Whether one of the selectors selects a type.

    >>> [type_ for type_ in ("M:DET", "R:VERB:SVA", "R:SPELL") if selects(("DET", "R:VERB*"), type_)]
    ['M:DET', 'R:VERB:SVA']
    """
    return any(_selects(selector, type_) for selector in selectors)


def check_selectors(selectors: Iterable[str], types: Collection[str], what: str) -> None:
    """Check that every selector selects one of the types that occur; those to the letter need not.

    Args:
        selectors: As ``selectors_of`` returns them.
        types: The types of all edits that are looked at; with none at all there is nothing to select from.
        what: What messages call the selectors (``--filter``).

    Raises:
        UsageError: One selects none; names the nearest type or category.
    """
    for selector in selectors if types else ():
        if selector.startswith(EXACT) or any(_selects(selector, type_) for type_ in types):
            continue
        known = set(types) if _OPERATION.match(selector) else {*types, *map(_category, types)}
        some = f" (there are {', '.join(sorted(types)[:_SHOWN])}{', …' if len(types) > _SHOWN else ''})"
        hint = nearest(selector, known) or nearest(selector.upper(), known) or some
        raise UsageError(
            f"no edit has the type {selector!r} of {what}{hint}; give a full type (R:SPELL), a category (DET), a "
            f"pattern (R:VERB*), or {EXACT}R:SPELL for a type that need not occur"
        )


def _selects(selector: str, type_: str) -> bool:
    if selector.startswith(EXACT):
        return type_ == selector.removeprefix(EXACT)
    return fnmatchcase(type_ if _OPERATION.match(selector) else _category(type_), selector)


def _category(type_: str) -> str:
    """Return a type without its operation; all of it if it has none (``noop``, ``UNK``)."""
    return type_[2:] if _OPERATION.match(type_) else type_


def edit_words(source: Sequence[str], edit: Edit) -> str:
    """Return an edit in words: every correction it has, ``?`` where it only marks an error.

    >>> edit_words(("He", "go"), Edit(1, 2, ("goes",), "R:VERB:SVA"))
    'go → goes'
    >>> edit_words(("He", "go"), Edit(2, 2, (".",), "M:PUNCT"))
    '∅ → .'
    >>> edit_words(("He", "go"), Edit(1, 2, ("goes",), "R:VERB", alternatives=(("went",), ())))
    'go → goes||went||∅'
    >>> edit_words(("He", "go"), Edit(1, 2, None, "UNK"))
    'go → ?'
    """
    before = " ".join(source[edit.start : edit.end]) or NOTHING
    if edit.correction is None:
        return f"{before} → ?"
    return f"{before} → {'||'.join([' '.join(c) or NOTHING for c in (edit.correction, *edit.alternatives)])}"

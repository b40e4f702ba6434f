"""Functions on edits: apply, minimise, clip to the sentence, renumber annotators, select by type, describe.

An edit that reaches outside its sentence is clipped: it keeps the part of its span inside the sentence. A span
wholly past the end becomes an insertion at the end, a span wholly before the start an insertion at the start. A
span that ends before it starts becomes empty at its start. The correction is kept. All readers clip edits, and
so do functions that take blocks from memory.

A type selector is a full type (``R:SPELL``), a category (``DET``: M:DET, U:DET and R:DET), a pattern with ``*``
and ``?`` (``R:VERB*``, ``*:DET``, ``NOUN*``), or several of these separated by commas. A selector that begins
with an operation is compared with the whole type, any other with the category: the type without its operation.
``=R:SPELL`` selects exactly that type, which need not occur.

The annotators of several files are numbered consecutively across the files. The numbers hold for all sentences:
an annotator who is missing in one sentence does not change the numbers of the others there.
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
    """Return the source tokens with the edits applied.

    Edits are applied in order of ``(start, end)``, edits with the same span in the order given. So an insertion
    comes before a replacement that begins at the same position. Detection edits change nothing.

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
        FormatError: The edits cannot be applied; the message names file, sentence and annotator.
    """
    try:
        return apply_edits(source, edits)
    except EditError as error:
        raise FormatError(
            file, None, f"sentence {number}, annotator {annotator}: {error}; "
            "run 'jperrant m2 check' to list all such lines"
        ) from None  # fmt: skip


def minimise(edit: Edit, source: Sequence[str]) -> Edit:
    """Return the edit without the tokens it does not change: first equal leading, then equal trailing ones.

    Tokens are equal if their forms are identical, as in ERRANT; with alternative corrections, in all of them.
    An edit that changes nothing becomes empty on both sides. Detection edits are returned unchanged.
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
    """Return the span of each edit in the source and in the corrected text.

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
    """Return, for each file, the new numbers of its annotators by their old ones.

    Args:
        files: The blocks of each file.
    """
    return numbered_on(map(annotators_in, files))


def numbered_on(annotators: Iterable[Collection[int]]) -> list[dict[int, int]]:
    """Return, for each file, the new numbers of its annotators by their old ones.

    Args:
        annotators: The annotators of each file; a file without annotations counts as one annotator, 0.
    """
    new = count()
    return [{old: next(new) for old in sorted(own) or [0]} for own in annotators]


def joined_block(blocks: Sequence[Block], numbers: Sequence[Mapping[int, int]]) -> Block:
    """Join the blocks of one sentence in several files into one, with the annotators of all files.

    Args:
        blocks: The block of each file; a block without annotations counts as left unchanged by the file's first
            annotator.
        numbers: As :func:`numbers_of` returns them.
    """
    annotations = [
        replace(annotation, annotator=new[annotation.annotator])
        for block, new in zip(blocks, numbers, strict=True)
        for annotation in block.annotations or (Annotation(min(new)),)
    ]
    return replace(blocks[0], annotations=tuple(sorted(annotations, key=lambda a: a.annotator)))


#: Prefix of a selector that selects exactly the type after it, as every type given to ``errant_compare`` does.
EXACT = "="
#: Most types that a message lists.
_SHOWN = 8
_OPERATION = re.compile(r"[A-Z*?]:")


def selectors_of(written: Iterable[str]) -> tuple[str, ...]:
    """Split selectors at commas.

    >>> selectors_of(["R:SPELL", "DET, NOUN*"])
    ('R:SPELL', 'DET', 'NOUN*')

    Raises:
        UsageError: A selector is empty.
    """
    parts = tuple([part.strip() for text in written for part in text.split(",")])
    if not all(part.removeprefix(EXACT) for part in parts):
        raise UsageError("found an empty selector of types, expected a type, a category or a pattern")
    return parts


@lru_cache(maxsize=4096)
def selects(selectors: tuple[str, ...], type_: str) -> bool:
    """Whether at least one of the selectors selects a type.

    >>> [type_ for type_ in ("M:DET", "R:VERB:SVA", "R:SPELL") if selects(("DET", "R:VERB*"), type_)]
    ['M:DET', 'R:VERB:SVA']
    """
    return any(_selects(selector, type_) for selector in selectors)


def check_selectors(selectors: Iterable[str], types: Collection[str], what: str) -> None:
    """Check that every selector selects a type that occurs, except exact selectors (``=R:SPELL``).

    Args:
        selectors: As ``selectors_of`` returns them.
        types: The types of all edits; if there are none, nothing is checked.
        what: The name of the selectors in messages (``--filter``).

    Raises:
        UsageError: A selector selects no type; the message names the nearest type or category.
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
    """Return a type without its operation; a type that has none (``noop``, ``UNK``) is returned whole."""
    return type_[2:] if _OPERATION.match(type_) else type_


def edit_words(source: Sequence[str], edit: Edit) -> str:
    """Describe an edit: source tokens and all corrections, or ``?`` if it only marks an error.

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

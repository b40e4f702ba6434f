"""Projection: blocks are joined into one, and edits carried from one tokenisation of a text to another.

Spans are mapped through character offsets that leave out white space. A boundary inside a token of the other
tokenisation snaps outward, and the correction is completed by the token's remaining characters. So the
corrected text stays the same except for white space. Texts that differ are compared in NFC, as in sentence
alignment; characters that complete a correction are then in NFC, too.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from jperrant.alignment.characters import Run, matching_runs, squeeze
from jperrant.core.edits import clip_block, clip_span, minimise
from jperrant.core.values import Annotation, Block, Edit, Sentence, Token

#: Type of an edit made of colliding edits whose labels differ.
MIXED = "R:OTHER"
#: The detail of an edit merged from edits with different types, so that its own type is unknown.
JOINED = "joined"

#: The tokens of known corrections, by ``(start, end, correction without spaces)``.
Witnesses = Mapping[tuple[int, int, str], tuple[str, ...]]


class Projection(NamedTuple):
    """A block projected onto other tokens.

    Attributes:
        block: The block.
        counts: Numbers of edits that were ``snapped`` (widened to a token because a boundary lay inside it),
            ``merged`` (joined with the edit before because both were widened into one token), ``dropped`` (they
            change nothing on these tokens, because they changed only text that is missing here, or only split
            or joined tokens, as is done here anyway) or ``mixed`` (merged from edits with different types, so
            that their own type is unknown).
    """

    block: Block
    counts: Counter[str]


def merge_blocks(blocks: Sequence[Block]) -> Block:
    """Join blocks into one over their concatenated tokens.

    Each annotator appears once, in ascending order, with all their edits; one without any edit is a noop. An
    annotator missing from a block counts as having changed nothing there. A span that reaches outside its block
    is clipped, so that it cannot touch the tokens of a neighbour.
    """
    if len(blocks) == 1:
        return blocks[0]
    source: list[str] = []
    edits: dict[int, list[Edit]] = {}
    for block in blocks:
        shift = len(source)
        for annotation in clip_block(block)[0].annotations:
            edits.setdefault(annotation.annotator, []).extend(
                replace(e, start=shift + e.start, end=shift + e.end) for e in annotation.edits
            )
        source += block.source
    return Block(
        tuple(source), tuple([Annotation(name, tuple(kept)) for name, kept in sorted(edits.items())])
    )


def lacks_annotator(blocks: Sequence[Block]) -> bool:
    """Whether an annotator of one block is missing from another that names other annotators.

    A block without any annotation is an unchanged sentence, as M2 allows, and lacks no annotator.
    """
    named = [{a.annotator for a in block.annotations} for block in blocks if block.annotations]
    return any(names != named[0] for names in named)


def witnesses(block: Block) -> Witnesses:
    """Return how the annotators of a block tokenised their corrections; of several ways the first counts."""
    corrections: dict[tuple[int, int, str], tuple[str, ...]] = {}
    for annotation in block.annotations:
        for edit in annotation.edits:
            if edit.correction is not None:
                corrections.setdefault((edit.start, edit.end, "".join(edit.correction)), edit.correction)
    return corrections


def project_block(block: Block, tokens: Sequence[str], known: Witnesses | None = None) -> Projection:
    """Project the edits of a block onto another tokenisation of its text.

    If both texts are equal without white space, an annotation gives the same corrected text before and after,
    except for white space. If they differ, their characters are aligned, and an edit of a differing stretch is
    widened to all of it. Edits that collide after snapping are merged. The merged edit keeps a type that all of
    them have, gets ``R:`` and their label if only their operations differ, and is ``R:OTHER`` otherwise.
    Merging drops alternatives.

    Args:
        block: The block, on its own tokens.
        tokens: The tokens of the other tokenisation.
        known: Edits on these tokens (see :func:`witnesses`). A correction whose spacing is undecided, because
            its edit was widened, gets the spacing of a known edit with the same span and characters.
    """
    projector = _Projector(block.source, tokens, known or {})
    annotations = tuple([Annotation(a.annotator, projector.edits(a.edits)) for a in block.annotations])
    return Projection(Block(tuple(tokens), annotations), projector.counts)


class _Moved(NamedTuple):
    """An edit with its half-open ranges of characters and of tokens, wider ones if it ``is_snapped``."""

    edit: Edit
    start: int
    end: int
    first: int
    last: int
    is_snapped: bool


class _Projector:
    """Carries edits from one tokenisation to another and counts what happens to them."""

    def __init__(self, source: Sequence[str], tokens: Sequence[str], known: Witnesses) -> None:
        self.is_same_text = "".join(source) == "".join(tokens)
        if not self.is_same_text:
            source, tokens = _comparable(source), _comparable(tokens)
        self.source, self.tokens, self.known = source, tokens, known
        self.source_starts = [0, *accumulate(map(len, source))]
        self.starts = [0, *accumulate(map(len, tokens))]
        self.text = "".join(tokens)
        self.runs = matching_runs("".join(source), self.text)
        self.run_starts = [run[0] for run in self.runs]
        self.counts = Counter[str]()

    def edits(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """Return the edits of one annotator on the new tokens."""
        clusters: list[list[_Moved]] = []
        colliding: list[_Moved] = []
        reach = 0  # where the tokens of the colliding edits end
        for edit in sorted(edits, key=lambda e: (e.start, e.end)):
            moved = self._move(edit)
            if edit.is_detection:  # changes no text, so it can stand beside any other edit
                clusters.append([moved])
                continue
            if not colliding or moved.first >= reach:
                colliding = []
                clusters.append(colliding)
            colliding.append(moved)
            reach = max(reach, moved.last)
        done = [edit for cluster in clusters for edit in self._finish(cluster)]
        return tuple(sorted(done, key=lambda e: (e.start, e.end)))

    def _move(self, edit: Edit) -> _Moved:
        c0, c1 = (self.source_starts[n] for n in clip_span(edit.start, edit.end, len(self.source)))
        start, end = self._offset(c0, is_end=False), self._offset(c1, is_end=True)
        if c0 == c1 or end < start:
            start = end = min(start, end)
        first = min(bisect_right(self.starts, start) - 1, len(self.tokens))
        last = max(first, bisect_left(self.starts, end))
        is_snapped = self.starts[first] != start or self.starts[last] != end
        self.counts["snapped"] += is_snapped
        return _Moved(edit, start, end, first, last, is_snapped)

    def _offset(self, offset: int, is_end: bool) -> int:
        """Return where a character offset of the source lies in the new text.

        A start is mapped to the place of the edit's first character, an end to the place after its last one. So
        text that only the new side has belongs to neither of the edits beside it. A character in a differing
        stretch is mapped to all of the stretch.
        """
        character = offset - 1 if is_end else offset
        if character < 0:
            return 0
        if character >= self.source_starts[-1]:
            return len(self.text)
        run = bisect_right(self.run_starts, character) - 1
        a, b, size = self.runs[run] if run >= 0 else (0, 0, 0)
        if character < a + size:
            return b + offset - a
        if not is_end:
            return b + size
        return self.runs[run + 1][1] if run + 1 < len(self.runs) else len(self.text)

    def _finish(self, cluster: Sequence[_Moved]) -> Iterator[Edit]:
        """Merge a cluster of colliding edits and yield the result, if it changes anything."""
        first, last = min(m.first for m in cluster), max(m.last for m in cluster)
        edit, is_alone = cluster[0].edit, len(cluster) == 1
        if is_alone and (edit.is_detection or self._covers_the_same(cluster[0])):
            yield replace(edit, start=first, end=last)
            return
        self.counts["merged"] += len(cluster) - 1
        correction = self._completed(
            first, last, [(m.start, m.end, m.edit.correction or ()) for m in cluster]
        )
        correction = self.known.get((first, last, "".join(correction)), correction)
        if is_alone and edit.alternatives:
            spans = [(cluster[0].start, cluster[0].end, alternative) for alternative in edit.alternatives]
            alternatives = tuple([self._completed(first, last, [span]) for span in spans])
            yield replace(edit, start=first, end=last, correction=correction, alternatives=alternatives)
            return
        if (first, last, "".join(correction)) not in self.known:
            first, last, correction = self._trimmed(first, last, correction)
            correction = self.known.get((first, last, "".join(correction)), correction)
        if first == last and not correction:
            self.counts["dropped"] += 1
            return
        types = [m.edit.type for m in cluster]
        type_ = _joint_type(types)
        is_mixed = len(set(types)) > 1
        self.counts["mixed"] += is_mixed
        detail = JOINED if is_mixed else edit.detail if is_alone else ""
        yield Edit(first, last, correction, type_, detail)

    def _covers_the_same(self, moved: _Moved) -> bool:
        """Whether an edit covers the same tokens in both tokenisations, so that it can stay as it is."""
        before, after = self.source[moved.edit.start : moved.edit.end], self.tokens[moved.first : moved.last]
        return not moved.is_snapped and tuple(before) == tuple(after)

    def _completed(
        self, first: int, last: int, spans: Sequence[tuple[int, int, tuple[str, ...]]]
    ) -> tuple[str, ...]:
        """Return the corrected tokens of a token range, given corrections of character ranges inside it.

        Pieces that meet inside a token of the range are joined into one token.
        """
        out: list[str] = []
        position, end = self.starts[first], self.starts[last]
        glue = False
        for start, stop, correction in [*spans, (end, end, ())]:
            start = max(position, start)
            stop = max(position, stop)
            for pieces, offset in ((self._pieces(position, start), start), (correction, stop)):
                if glue and pieces:
                    out[-1] += pieces[0]
                out += pieces[1:] if glue else pieces
                glue = bool(glue or pieces) and self._is_inside(offset)
            position = stop
        return tuple(out)

    def _pieces(self, start: int, end: int) -> list[str]:
        """Return a stretch of the text, split where tokens end."""
        inner = self.starts[bisect_right(self.starts, start) : bisect_left(self.starts, end)]
        marks = [start, *inner, end]
        return [self.text[a:b] for a, b in pairwise(marks) if a < b]

    def _is_inside(self, offset: int) -> bool:
        """Whether an offset lies inside a token."""
        return self.starts[bisect_left(self.starts, offset)] != offset

    def _trimmed(
        self, first: int, last: int, correction: tuple[str, ...]
    ) -> tuple[int, int, tuple[str, ...]]:
        """Return a span and correction without the tokens they share at both ends."""
        compared = correction if self.is_same_text else _comparable(correction)
        least = minimise(Edit(first, last, tuple(compared), MIXED), self.tokens)
        kept = correction[least.start - first : len(correction) - (last - least.end)]
        return least.start, least.end, kept


def _comparable(tokens: Sequence[str]) -> list[str]:
    """Return tokens in the form in which texts are compared; a token of white space alone stays a token."""
    return [squeeze(token) or token for token in tokens]


def _joint_type(types: Sequence[str]) -> str:
    """Return the type of an edit made of edits of these types."""
    if len(set(types)) == 1:
        return types[0]
    labels = {type_.partition(":")[2] for type_ in types}
    return f"R:{labels.pop()}" if len(labels) == 1 and "" not in labels else MIXED


#: Tells whether a stretch of the source is a misspelling of the text that replaces it; None counts as never.
Misspelt = Callable[[str, str], bool] | None


def resegment(source: Sequence[Sentence], target: Sequence[Sentence], misspelt: Misspelt) -> list[Sentence]:
    """Segment the words of a corrected text as those of its source, over the same text.

    Where both texts are equal, the words are those of the source. Where whole words of the source were deleted,
    or replaced by equally many characters, the change begins and ends at a border of words, so that the words on
    both sides of it are not joined. All other borders of words stay.

    Args:
        source: The sentences of the source.
        target: The sentences of the correction, not analysed.
        misspelt: Whether a replaced stretch is a misspelling; there the correction's words stay.
    """
    forms, others = ([form for sentence in side for form in sentence.forms] for side in (source, target))
    borders, own_borders = ({0, *accumulate(map(len, side))} for side in (forms, others))
    new = _borders("".join(forms), "".join(others), borders, own_borders, misspelt)
    return list(target) if new == own_borders else _segmented(target, new)


def _borders(text: str, other: str, borders: set[int], own_borders: set[int], misspelt: Misspelt) -> set[int]:
    projected: set[int] = set()
    runs: list[Run] = [(0, 0, 0), *matching_runs(text, other), (len(text), len(other), 0)]
    for a, b, size in runs:
        projected |= {b + mark - a for mark in range(a + 1, a + size) if mark in borders}
    for (a, b, size), (next_a, next_b, _) in pairwise(runs):
        start, target_start = a + size, b + size
        projected |= {mark for mark in range(target_start, next_b + 1) if mark in own_borders}
        gap, target_gap = text[start:next_a], other[target_start:next_b]
        if gap and start in borders and next_a in borders:
            replaced = len(gap) == len(target_gap) and not (misspelt and misspelt(gap, target_gap))
            if replaced or not target_gap:
                projected |= {target_start, next_b}
    return projected | {0, len(other)}


def _segmented(sentences: Sequence[Sentence], borders: set[int]) -> list[Sentence]:
    """Return the sentences with words that end at the borders, counted in characters without white space."""
    segmented, offset = [], 0
    for sentence in sentences:
        places = [n for token in sentence.tokens for n in range(token.start, token.end)]
        # A word ends at a border and before white space.
        inner = [n for n in range(1, len(places)) if offset + n in borders or places[n] != places[n - 1] + 1]
        ends = sorted({0, *inner, len(places)})
        spans = [(places[first], places[end - 1] + 1) for first, end in pairwise(ends)]
        tokens = [Token(sentence.text[start:stop], start=start, end=stop) for start, stop in spans]
        segmented.append(Sentence(tuple(tokens), sentence.text, sentence.id))
        offset += len(places)
    return segmented

"""Token alignment: a Damerau-Levenshtein search with linguistic costs.

Source: Felice, Bryant and Briscoe 2016 ("Automatic Extraction of Learner Errors in ESL Sentences Using
Linguistically Enhanced Alignments"), as ERRANT 3 implements it. The result is ERRANT's to the last tie; how
it is reached differs:

* Equal tokens at the end are matched without a search. (Equal tokens at the start must not be: the trace goes
  backwards, and of ``a a b`` against ``a b`` it deletes the first token.)
* Only a band around the diagonal is searched, see ``token_search``.
* Two long sequences are cut, so that each block can be searched by itself. Cuts stand in the middle of stretches
  that are equal in both, far from what differs, so that they seldom change the result. Where the sequences have
  nothing in common for long, both are cut into the same number of even pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from jperrant.alignment.characters import matching_runs
from jperrant.alignment.costs import ERRANT_COSTS, AlignmentCosts
from jperrant.alignment.operations import Operation, matches
from jperrant.alignment.token_search import MOST_CELLS, Substitution, search
from jperrant.core.values import Block, Edit, Sentence, Token

#: The detail of edits whose alignment is not exact.
BLOCKWISE = "aligned block by block"
_Options: TypeAlias = tuple[AlignmentCosts, bool, Substitution | None]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two sentences and the cheapest operations that turn the source into the target, in text order.

    Attributes:
        source, target: The sentences.
        operations: The operations, which cover every token of both sides in order.
        cost: Their cost.
        exact: Whether no others cost less, as in ERRANT; False where the sentences were too long to tell and
            were aligned block by block.
    """

    source: Sentence
    target: Sentence
    operations: tuple[Operation, ...]
    cost: float
    exact: bool = True


def align_tokens(
    source: Sentence,
    target: Sentence,
    costs: AlignmentCosts = ERRANT_COSTS,
    lev: bool = False,
    substitution: Substitution | None = None,
) -> Alignment:
    """Align two sentences token by token.

    Args:
        source, target: Analysed sentences; lemma and UPOS take part in the costs.
        costs: The pack's costs; ERRANT's by default.
        lev: Plain Levenshtein: substitutions cost 1 and nothing is transposed (ERRANT's ``-lev``).
        substitution: What a substitution costs instead of lemmas, tags and letters; positive.

    Returns:
        The alignment, whose operations cover every token of both sides in order.
    """
    options = costs, lev, substitution
    a, b = source.tokens, target.tokens
    if (path := _path(a, b, options, MOST_CELLS)) is not None:
        return Alignment(source, target, tuple(path[0]), path[1])
    operations, cost = _path_by_blocks(a, b, options)
    return Alignment(source, target, tuple(operations), cost, exact=False)


def mark_blockwise(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return edits with ``BLOCKWISE`` as their detail: their alignment is not exact."""
    return tuple([replace(edit, detail=BLOCKWISE) for edit in edits])


def is_blockwise(block: Block) -> bool:
    """Whether edits of a block come from an alignment that is not exact."""
    return any(edit.detail == BLOCKWISE for annotation in block.annotations for edit in annotation.edits)


def _path(
    a: Sequence[Token], b: Sequence[Token], options: _Options, most_cells: float
) -> tuple[list[Operation], float] | None:
    """Return the cheapest operations and their cost, or None if the search needs too many cells."""
    suffix = _common(reversed(a), reversed(b))
    n, m = len(a) - suffix, len(b) - suffix
    head, other_head = a[:n], b[:m]
    path = search(head, other_head, _common(head, other_head), *options, most_cells)
    if path is None:
        return None
    operations, cost = path
    return [*operations, *matches(n, m, suffix)], cost


def _path_by_blocks(
    a: Sequence[Token], b: Sequence[Token], options: _Options
) -> tuple[list[Operation], float]:
    """Return operations found block by block, in time and memory linear in the number of tokens."""
    operations: list[Operation] = []
    total, i, j = 0.0, 0, 0
    for x, y in anchored_cuts([t.form for t in a], [t.form for t in b]):
        block = _path(a[i:x], b[j:y], options, PIECE * PIECE)
        if block is not None:
            operations += _moved(block[0], i, j)
            total += block[1]
            i, j = x, y
            continue
        p, q = i, j
        for end, target_end in even_cuts(x - i, y - j):
            piece = _path(a[p : i + end], b[q : j + target_end], options, math.inf)
            assert piece is not None
            operations += _moved(piece[0], p, q)
            total += piece[1]
            p, q = i + end, j + target_end
        i, j = x, y
    return operations, total


def _moved(operations: Iterable[Operation], by: int, target_by: int) -> Iterator[Operation]:
    """Yield the operations of a part with the positions they have in the whole."""
    for op, start, end, target_start, target_end in operations:
        yield Operation(op, start + by, end + by, target_start + target_by, target_end + target_by)


def _common(a: Iterable[Token], b: Iterable[Token]) -> int:
    """Return how many tokens at the start have equal forms."""
    count = 0
    for token, other in zip(a, b, strict=False):
        if token.form != other.form:
            break
        count += 1
    return count


#: A position in both sequences.
Point = tuple[int, int]

#: Equal tokens needed for a cut between them.
SHORTEST_RUN = 16
#: Tokens of a block on either side, unless the next cut is farther away.
BLOCK = 1_000
#: Tokens of a piece on the longer side.
PIECE = 500
#: The first character that stands for a token, and how many there are: all above ASCII.
_FIRST, _CHARACTERS = 0x80, 0x10FFFF - 0x80


def anchored_cuts(source: Sequence[str], target: Sequence[str]) -> Iterator[Point]:
    """Yield the ends of the blocks of two sequences of forms, in order; the last is the end of both."""
    numbers: dict[str, int] = {}
    left, right = (
        "".join([chr(_FIRST + numbers.setdefault(form, len(numbers)) % _CHARACTERS) for form in forms])
        for forms in (source, target)
    )
    runs = matching_runs(left, right)
    points = [(i + size // 2, j + size // 2) for i, j, size in runs if size >= SHORTEST_RUN]
    start = last = (0, 0)
    for point in [*points, (len(source), len(target))]:
        if last != start and max(point[0] - start[0], point[1] - start[1]) > BLOCK:
            yield last
            start = last
        last = point
    yield last


def even_cuts(source: int, target: int) -> Iterator[Point]:
    """Yield the ends of the pieces of two sequences of these lengths, in order."""
    pieces = max(1, -(-max(source, target) // PIECE))
    for n in range(1, pieces + 1):
        yield source * n // pieces, target * n // pieces

"""Alignment of the blocks of a hypothesis and a reference over one text, so that they can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jperrant.alignment.gale_church import align_gale_church
from jperrant.alignment.projection import Projection, lacks_annotator, merge_blocks, project_block, witnesses
from jperrant.alignment.sentences import (
    SentenceAlignment,
    align_sentences,
    group_similarity,
    require_same_text,
)
from jperrant.core.display import shown
from jperrant.core.edits import annotators_in
from jperrant.core.errors import check_known
from jperrant.core.messages import plural
from jperrant.core.progress import track
from jperrant.core.values import Annotation, Block

METHODS = ("jp", "gale-church")


@dataclass(frozen=True, slots=True)
class AlignedBlocks:
    """A hypothesis and a reference over the same blocks with the same tokens.

    Attributes:
        hyp, ref: Equally many blocks; ``hyp[i].source == ref[i].source``, which are the reference's tokens (the
            hypothesis's where the reference lacks the sentence).
        groups: For each block, the 1-based numbers of the reference's and of the hypothesis's blocks it was
            made from.
        similarity: Mean similarity of the sides of the groups (Eq. 5), 0 to 1.
        counts: Numbers of groups that are ``unaligned`` (sentences on one side only; the other side counts as
            unchanged there), ``retokenised`` (tokens differ, so edits were projected onto the reference's
            tokens) or ``missing_annotator`` (an annotator is missing in a part and counts as having changed
            nothing there); and the numbers of the hypothesis's edits that projection changed, see
            :class:`~jperrant.alignment.projection.Projection`.
    """

    hyp: tuple[Block, ...]
    ref: tuple[Block, ...]
    groups: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    similarity: float
    counts: Mapping[str, int]

    def __repr__(self) -> str:
        shapes = shown(", ".join(f"{shape}: {count}" for shape, count in self.shapes.items()))
        return (
            f"<AlignedBlocks: {plural(len(self.groups), 'group')} {shapes}, similarity {self.similarity:.4f}>"
        )

    @property
    def shapes(self) -> dict[str, int]:
        """How many groups there are of each shape, reference first (``1-2`` is one reference sentence)."""
        counts = Counter((len(ref), len(hyp)) for ref, hyp in self.groups)
        return {f"{ref}-{hyp}": counts[ref, hyp] for ref, hyp in sorted(counts)}


def align_blocks(
    hyp: Sequence[Block],
    ref: Sequence[Block],
    method: str = "jp",
    *,
    threshold: float | None = None,
    hyp_name: str = "the hypothesis",
    ref_name: str = "the reference",
    annotators: Sequence[Sequence[int]] | None = None,
) -> AlignedBlocks:
    """Bring a hypothesis and a reference over the same text to the same blocks and tokens.

    Args:
        hyp, ref: Blocks, in the order of the text, whatever their sentence boundaries and tokens.
        method: ``jp``, or ``gale-church`` for the baseline.
        threshold: Least similarity of boundaries in differing text, 0 to 1 (jp only; None: the default).
        hyp_name, ref_name: Names of the sides in messages, such as file names.
        annotators: The annotators of ``hyp`` and of ``ref``, if these are parts of files; found in the blocks
            if None.

    Raises:
        UsageError: The method is unknown, or the threshold is not from 0 to 1.
        InputError: The two sides are not the same text.
    """
    ref_texts, hyp_texts = [" ".join(b.source) for b in ref], [" ".join(b.source) for b in hyp]
    alignment = _align(ref_texts, hyp_texts, method, threshold)
    require_same_text(ref_texts, hyp_texts, alignment, ref_name, hyp_name)
    names = annotators or [annotators_in(side) or [0] for side in (hyp, ref)]
    sides = [(ref[g.left_start : g.left_end], hyp[g.right_start : g.right_end]) for g in alignment.groups]
    joined = [_join(refs, hyps, *names) for refs, hyps in track(sides, "aligning", len(sides))]
    moved = sum((projection.counts for projection, _ in joined), Counter[str]())
    counts = {
        "unaligned": sum(group.is_unaligned for group in alignment.groups),
        "retokenised": sum(_tokens(refs) != _tokens(hyps) for refs, hyps in sides if refs and hyps),
        "missing_annotator": sum(any(map(lacks_annotator, two)) for two in sides),
        **{name: moved[name] for name in ("snapped", "merged", "dropped", "mixed")},
    }
    return AlignedBlocks(
        hyp=tuple([projection.block for projection, _ in joined]),
        ref=tuple([block for _, block in joined]),
        groups=tuple(
            [(tuple(range(a + 1, b + 1)), tuple(range(c + 1, d + 1))) for a, b, c, d in alignment.groups]
        ),
        similarity=group_similarity(ref_texts, hyp_texts, alignment.groups),
        counts=counts,
    )


def _align(ref: Sequence[str], hyp: Sequence[str], method: str, threshold: float | None) -> SentenceAlignment:
    check_known("alignment method", method, METHODS)
    return align_sentences(ref, hyp, threshold=threshold) if method == "jp" else align_gale_church(ref, hyp)


def _join(
    refs: Sequence[Block], hyps: Sequence[Block], hyp_names: Sequence[int], ref_names: Sequence[int]
) -> tuple[Projection, Block]:
    """Return the hypothesis and the reference block of a group, over the same tokens."""
    hypothesis, reference = merge_blocks(hyps), merge_blocks(refs)
    if not refs:
        return Projection(hypothesis, Counter()), _unchanged(hypothesis.source, ref_names)
    if not hyps:
        return Projection(_unchanged(reference.source, hyp_names), Counter()), reference
    if hypothesis.source == reference.source:
        return Projection(hypothesis, Counter()), reference
    return project_block(hypothesis, reference.source, witnesses(reference)), reference


def _unchanged(source: tuple[str, ...], names: Sequence[int]) -> Block:
    """Return a block that every annotator left as it is."""
    return Block(source, tuple([Annotation(name) for name in names]))


def _tokens(blocks: Sequence[Block]) -> list[str]:
    return [token for block in blocks for token in block.source]

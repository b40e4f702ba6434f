"""Two sides of one text whose sentences or tokens differ, aligned into a pair."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from jperrant.alignment.documents import AlignedBlocks, align_blocks
from jperrant.alignment.projection import JOINED
from jperrant.core.apply import apply_edits
from jperrant.core.errors import EditError
from jperrant.core.messages import plural
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.metrics.base import Pair

if TYPE_CHECKING:
    from jperrant.annotation.annotator import Annotator
    from jperrant.annotation.options import AnnotatorOptions

METHOD = "jp"


def align_pair(
    hypothesis: Sequence[Block],
    references: Sequence[Block],
    name: str,
    reference_name: str,
    annotator: AnnotatorOptions | None = None,
) -> Pair:
    """Return the two sides as a pair over the same sentences; arguments and errors as of ``load_pair``."""
    aligned = align_blocks(hypothesis, references, METHOD, hyp_name=name, ref_name=reference_name)
    system: Sequence[Block] = aligned.hyp
    if annotator is not None and aligned.mixed:
        system = typed_again(system, annotator.load())
    note = _note(aligned, name, reference_name, annotator is not None)
    return Pair(system, aligned.ref, name, (note,), METHOD, _spans(aligned))


def typed_again(blocks: Sequence[Block], annotator: Annotator) -> list[Block]:
    """Return blocks in which the edits that alignment joined of edits with different types have types of their own.

    Blocks whose edits overlap are left as they are: they have no corrected text.
    """
    targets: dict[int, list[tuple[str, ...]]] = {}
    for number, block in enumerate(blocks):
        if any(edit.detail == JOINED for annotation in block.annotations for edit in annotation.edits):
            with suppress(EditError):
                targets[number] = [apply_edits(block.source, a.edits) for a in block.annotations]
    if not targets:
        return list(blocks)
    from jperrant.annotation.given_edits import typed_blocks

    typed = typed_blocks([blocks[number] for number in targets], list(targets.values()), annotator)
    new = dict(zip(targets, typed, strict=True))
    return [_only_joined(block, new[n]) if n in new else block for n, block in enumerate(blocks)]


def _only_joined(block: Block, typed: Block) -> Block:
    """Return a block with the types of its joined edits taken from the same block typed again."""
    pairs = zip(block.annotations, typed.annotations, strict=True)
    annotations = [
        Annotation(
            a.annotator,
            tuple([t if e.detail == JOINED else e for e, t in zip(a.edits, b.edits, strict=True)]),
        )
        for a, b in pairs
    ]
    return replace(block, annotations=tuple(annotations))


def _spans(aligned: AlignedBlocks) -> tuple[tuple[int, int], ...]:
    """Return for each group the half-open range of the reference's blocks, empty where it has none."""
    spans, end = [], 0
    for ref, _ in aligned.groups:
        start, end = end, end + len(ref)
        spans.append((start, end))
    return tuple(spans)


def _note(aligned: AlignedBlocks, name: str, reference_name: str, retyped: bool = False) -> str:
    """Return in one line what the alignment did, leaving out what did not happen."""
    happened = {
        "with different tokens (edits re-indexed to those of the references)": aligned.retokenised,
        "unaligned (their edits count as missed or wrong)": aligned.unaligned,
        "with an annotator missing in a part (read as unchanged there)": aligned.missing_annotator,
    }
    edits = ""
    if aligned.mixed:
        types = (
            "typed again by the pack"
            if retyped
            else "of type R:OTHER or of the label they share: figures by type and --mode=cse count them so; --lang "
            "types them again"
        )
        edits = f"; {plural(aligned.mixed, 'edit')} joined of edits with different types, {types}"
    groups = ", ".join(
        [plural(len(aligned.groups), "group"), *(f"{n} {what}" for what, n in happened.items() if n)]
    )
    return (
        f"{name}: its sentences or tokens differ from those of {reference_name}; "
        f"aligned {plural(sum(len(hyp) for _, hyp in aligned.groups), 'sentence')} to "
        f"{sum(len(ref) for ref, _ in aligned.groups)}: {groups}{edits}"
    )

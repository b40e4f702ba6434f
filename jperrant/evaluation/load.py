"""From files or blocks to pairs: sides whose sentences or tokens differ are aligned on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jperrant.alignment.documents import AlignedBlocks, align_blocks
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.evaluation.m2_input import M2Input, read_blocks
from jperrant.evaluation.metrics.base import Pair

METHOD = "jp"


def load_pairs(
    hypotheses: Sequence[M2Input],
    references: M2Input | None,
    strict: bool = False,
    refused: Collection[str] = (),
) -> list[Pair]:
    """Read systems and their references into pairs; the references are read once.

    Args:
        hypotheses: The systems: paths of M2 files, which also name them, or blocks.
        references: The references, as a path or as blocks; None for metrics that need none.
        strict: Make every departure of a file from the M2 dialect an error.
        refused: Kinds of departures that are errors all the same, since a metric cannot do with them.

    Raises:
        FormatError: A file is not M2 or has no sentences.
        InputError: A file cannot be read, or a hypothesis is not the references' text.
    """
    gold = None if references is None else read_blocks(references, "references", strict, refused=refused)
    pairs = []
    for number, side in enumerate(hypotheses):
        name = f"hypothesis {number + 1}" if len(hypotheses) > 1 else "hypothesis"
        system = read_blocks(side, name, strict, refused=refused)
        if gold is None:
            pairs.append(Pair(system.blocks, (), system.name, system.notes))
            continue
        pair = load_pair(system.blocks, gold.blocks, system.name, gold.name)
        notes = (*system.notes, *(gold.notes if number == 0 else ()), *pair.notes)
        pairs.append(Pair(pair.hypothesis, pair.references, pair.name, notes, pair.aligned, pair.spans))
    return pairs


def load_pair(
    hypothesis: Sequence[Block],
    references: Sequence[Block],
    name: str = "hypothesis",
    reference_name: str = "references",
) -> Pair:
    """Return the two sides as a pair over the same sentences, aligned if they are not over the same already.

    Args:
        hypothesis, references: The blocks of both files.
        name, reference_name: Their names in messages.

    Raises:
        InputError: The sides are not the same text; shows where they part.
    """
    if [b.source for b in hypothesis] == [b.source for b in references]:
        return Pair(hypothesis, references, name)
    aligned = align_blocks(hypothesis, references, METHOD, hyp_name=name, ref_name=reference_name)
    return Pair(
        aligned.hyp, aligned.ref, name, (_note(aligned, name, reference_name),), METHOD, _spans(aligned)
    )


def _spans(aligned: AlignedBlocks) -> tuple[tuple[int, int], ...]:
    """Return for each group the half-open range of the reference's blocks, empty where it has none."""
    spans, end = [], 0
    for ref, _ in aligned.groups:
        start, end = end, end + len(ref)
        spans.append((start, end))
    return tuple(spans)


def _note(aligned: AlignedBlocks, name: str, reference_name: str) -> str:
    """Return in one line what the alignment did, leaving out what did not happen."""
    happened = {
        "on other tokens (edits carried over to the references')": aligned.retokenised,
        "unaligned (their edits count as missed or as wrong)": aligned.unaligned,
        "with an annotator missing in a part (taken as no change there)": aligned.missing_annotator,
    }
    edits = (
        f"; {plural(aligned.mixed, 'edit')} joined of edits with different types, of type R:OTHER or of the label "
        "they share: figures by type and --mode cse count them so"
        if aligned.mixed
        else ""
    )
    groups = ", ".join(
        [plural(len(aligned.groups), "group"), *(f"{n} {what}" for what, n in happened.items() if n)]
    )
    return (
        f"{name}: its sentences or tokens are not those of {reference_name}; "
        f"aligned {plural(sum(len(hyp) for _, hyp in aligned.groups), 'sentence')} to "
        f"{sum(len(ref) for ref, _ in aligned.groups)}: {groups}{edits}"
    )

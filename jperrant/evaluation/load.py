"""From files or blocks to pairs: sides whose sentences or tokens differ are aligned on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from jperrant.core.values import Block
from jperrant.evaluation.m2_input import M2Input, read_blocks
from jperrant.evaluation.metrics.base import Pair
from jperrant.io.files import check_stdin

if TYPE_CHECKING:
    from jperrant.annotation.options import AnnotatorOptions


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
        UsageError: Standard input is given twice.
    """
    check_stdin([*hypotheses, references])
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
    annotator: AnnotatorOptions | None = None,
) -> Pair:
    """Return the two sides as a pair over the same sentences, aligned if they are not over the same already.

    Args:
        hypothesis, references: The blocks of both files.
        name, reference_name: Their names in messages.
        annotator: Types edits again that alignment joined of edits with different types; loaded only if there are
            some. None leaves them the type they share, or ``R:OTHER``.

    Raises:
        InputError: The sides are not the same text; shows where they part.
    """
    if [b.source for b in hypothesis] == [b.source for b in references]:
        return Pair(hypothesis, references, name)
    from jperrant.evaluation.aligned_pair import align_pair  # most files need no alignment

    return align_pair(hypothesis, references, name, reference_name, annotator)

"""Two M2 files over one text brought to the same blocks and tokens."""

from __future__ import annotations

import warnings

from jperrant.alignment.documents import AlignedBlocks, align_blocks
from jperrant.evaluation.m2_input import M2Input, read_blocks
from jperrant.io.m2 import FormatDeviationWarning


def align(
    hyp: M2Input, ref: M2Input, method: str = "jp", *, threshold: float | None = None, strict: bool = False
) -> AlignedBlocks:
    """Bring two M2 files, or lists of blocks, over the same text to the same blocks and tokens.

    This is ``jperrant.align``.

    Args:
        hyp, ref: Paths of M2 files, or blocks in the order of the text.
        method, threshold: As in :func:`~jperrant.alignment.documents.align_blocks`.
        strict: Make every departure of a file from the M2 dialect an error, not an FormatDeviationWarning.

    Raises:
        UsageError: There is no such method.
        InputError: A file cannot be read or is not M2, or the two sides are not the same text.
    """
    left, right = read_blocks(hyp, "the hypothesis", strict), read_blocks(ref, "the reference", strict)
    for note in (*left.notes, *right.notes):
        warnings.warn(note, FormatDeviationWarning, stacklevel=2)
    names = {"hyp_name": left.name, "ref_name": right.name}
    return align_blocks(left.blocks, right.blocks, method, threshold=threshold, **names)

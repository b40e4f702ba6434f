"""Two sides of one text whose sentences or tokens differ, aligned to the same blocks and tokens."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from jperrant.alignment.documents import AlignedBlocks, align_blocks
from jperrant.core.errors import InputError
from jperrant.core.values import Block
from jperrant.evaluation.reading import M2Input, read_blocks
from jperrant.io.files import STDIO, check_output, check_stdin, open_outputs, reason
from jperrant.io.m2 import FormatDeviationWarning, write_m2

if TYPE_CHECKING:
    pass


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


def output_paths(hypothesis: str, references: str, folder: Path) -> tuple[Path, Path]:
    """Return where two aligned files go: under their own names, told apart where these are equal.

    Args:
        hypothesis, references: The input files, ``-`` for standard input.
        folder: Where the output goes.

    Raises:
        UsageError: Both sides are standard input, or a file would replace one of the inputs.
    """
    check_stdin((hypothesis, references))
    hyp, ref = (
        Path(default if path == STDIO else Path(path).name)
        for path, default in ((hypothesis, "hypothesis.m2"), (references, "references.m2"))
    )
    # Folders may not tell small letters from capital ones.
    if hyp.name.casefold() == ref.name.casefold():
        hyp, ref = Path(f"{hyp.stem}.hyp{hyp.suffix}"), Path(f"{ref.stem}.ref{ref.suffix}")
    targets = folder / hyp, folder / ref
    for target in targets:
        check_output(str(target), (hypothesis, references))
    return targets


def write_aligned(
    aligned: AlignedBlocks,
    hyp: Path,
    ref: Path,
    inputs: Sequence[str] = (),
    watch: Callable[[Iterable[Block]], Iterable[Block]] = iter,
) -> None:
    """Write both sides of an alignment as M2, whole or neither of them.

    Args:
        aligned: The blocks.
        hyp, ref: The files; their folder is made if it is missing.
        inputs: Files that must not be overwritten.
        watch: Passes on the blocks as they are written (a progress bar).

    Raises:
        InputError: The folder or a file cannot be written.
        UsageError: A file is one of the inputs.
    """
    is_new = not hyp.parent.exists()
    try:
        hyp.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{hyp.parent}: the folder cannot be created ({reason(error)})") from None
    try:
        with open_outputs((str(hyp), str(ref)), inputs) as [hyp_stream, ref_stream]:
            write_m2(watch(aligned.hyp), hyp_stream)
            write_m2(watch(aligned.ref), ref_stream)
    except BaseException:
        with suppress(OSError):  # as it was before, unless others put files there
            if is_new:
                hyp.parent.rmdir()
        raise

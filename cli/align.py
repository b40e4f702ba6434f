"""``jperrant align``: two M2 files over one text, brought to the same blocks and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.options import Json, Strict

if TYPE_CHECKING:
    from jperrant.alignment.documents import AlignedBlocks


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("align")(align)


def align(
    hypothesis: Annotated[str, typer.Argument(metavar="HYP.m2", help="M2 file of the system; - is stdin.")],
    references: Annotated[str, typer.Argument(metavar="REF.m2", help="M2 file of the references.")],
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="Folder for both files; made if missing.")
    ],
    method: Annotated[
        str, typer.Option("--method", metavar="jp|gale-church", help="jp, or the baseline by lengths.")
    ] = "jp",
    json: Json = False,
    strict: Strict = False,
) -> None:
    """Re-segment and re-index two M2 files over one text, so that they have the same blocks.

    Both files go to the folder under their own names.

    Example: jperrant align system.m2 gold.m2 -o aligned
    """
    from jperrant.alignment.documents import align_blocks
    from jperrant.cli.output import say, show
    from jperrant.cli.progress import progress
    from jperrant.evaluation.m2_input import read_blocks
    from jperrant.report.alignment import alignment_json, alignment_summary

    targets = _targets(hypothesis, references, Path(out))
    with progress("reading", None) as advance:
        hyp, ref = (read_blocks(path, path, strict, advance) for path in (hypothesis, references))
    aligned = align_blocks(hyp.blocks, ref.blocks, method, hyp_name=hyp.name, ref_name=ref.name)
    _write(aligned, *targets, inputs=(hypothesis, references))
    say((*hyp.notes, *ref.notes))
    report = alignment_json if json else alignment_summary
    show(report(aligned, method, *map(str, targets)))


def _targets(hypothesis: str, references: str, folder: Path) -> tuple[Path, Path]:
    """Return where the two files go: under their own names, told apart where these are equal.

    Raises:
        UsageError: Both sides are stdin, or a file would replace one of the inputs.
    """
    from jperrant.core.errors import UsageError
    from jperrant.io.files import STDIO, check_output

    if hypothesis == references == STDIO:
        raise UsageError("both files are stdin (-); only one can be")
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


def _write(aligned: AlignedBlocks, hyp: Path, ref: Path, inputs: Sequence[str]) -> None:
    """Write both files, whole or neither of them."""
    from jperrant.cli.progress import progress
    from jperrant.core.errors import InputError
    from jperrant.io.files import open_outputs, reason
    from jperrant.io.m2 import write_m2

    try:
        hyp.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{hyp.parent}: cannot be made a folder ({reason(error)})") from None
    total = len(aligned.hyp) + len(aligned.ref)
    paths = str(hyp), str(ref)
    with open_outputs(paths, inputs) as [hyp_stream, ref_stream], progress("writing", total) as advance:
        write_m2(advance(aligned.hyp), hyp_stream)
        write_m2(advance(aligned.ref), ref_stream)

"""``jperrant align``: two M2 files over one text, aligned to the same blocks and tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jperrant.cli.options import Json, Quiet, Strict


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
    quiet: Quiet = False,
) -> None:
    """Re-segment and re-index two M2 files over one text, so that they have the same blocks.

    Both files go to the folder under their own names.

    Example: jperrant align system.m2 gold.m2 -o aligned
    """
    from jperrant.alignment.documents import align_blocks
    from jperrant.cli.output import say, show
    from jperrant.cli.progress import progress
    from jperrant.evaluation.aligning import output_paths, write_aligned
    from jperrant.evaluation.reading import read_blocks
    from jperrant.reporting.alignment import alignment_json, alignment_summary

    targets = output_paths(hypothesis, references, Path(out))
    with progress("reading", None, quiet) as advance:
        hyp, ref = (read_blocks(path, path, strict, advance) for path in (hypothesis, references))
    aligned = align_blocks(hyp.blocks, ref.blocks, method, hyp_name=hyp.name, ref_name=ref.name)
    total = len(aligned.hyp) + len(aligned.ref)
    with progress("writing", total, quiet) as advance:
        write_aligned(aligned, *targets, inputs=(hypothesis, references), watch=advance)
    say((*hyp.notes, *ref.notes))
    report = alignment_json if json else alignment_summary
    show(report(aligned, method, *map(str, targets)))

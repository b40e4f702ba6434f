"""``jperrant align``: two M2 files over one text, aligned to the same blocks and tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jperrant.cli.groups import Json, Quiet, Strict, option


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("align")(align)


def align(
    hypothesis: Annotated[str, typer.Argument(metavar="HYP.m2", help="M2 file of the system; - is stdin.")],
    references: Annotated[str, typer.Argument(metavar="REF.m2", help="M2 file of the references.")],
    out: Annotated[
        str, option("--out", "-o", metavar="DIR", help="Write both files to this folder, made if missing.")
    ],
    method: Annotated[
        str, option("--method", metavar="jp|gale-church", help="Align by jp, or by lengths, the baseline.")
    ] = "jp",
    json: Json = False,
    strict: Strict = False,
    quiet: Quiet = False,
) -> None:
    """Re-segment and re-index two M2 files over one text, so that they have the same blocks.

    Both files go to the folder under their own names.

    Example: jperrant align system.m2 gold.m2 -o aligned
    """
    from jperrant.cli.output import say, show
    from jperrant.cli.progress import progress
    from jperrant.evaluation.aligning import align_files, output_paths
    from jperrant.reporting.alignment import alignment_json, alignment_summary

    targets = output_paths(hypothesis, references, Path(out))
    with progress("aligning", None, quiet) as advance:
        aligned, notes = align_files(hypothesis, references, targets, method, strict=strict, watch=advance)
    say(notes)
    report = alignment_json if json else alignment_summary
    show(report(aligned, method, *map(str, targets)))

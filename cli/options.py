"""Options that several scoring commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from jperrant.core.progress import reporting

Mode: TypeAlias = Annotated[
    str,
    typer.Option(
        "--mode",
        metavar="cs|cse|ds|dt",
        help="Compare correction spans (cs), also their types (cse), detection spans (ds) or tokens (dt).",
    ),
]
Single: TypeAlias = Annotated[bool, typer.Option("--single", help="Only edits of at most one token a side.")]
Multi: TypeAlias = Annotated[
    bool, typer.Option("--multi", help="Only edits of two or more tokens on a side.")
]
Filter: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        metavar="TYPE",
        help="Leave out a type, category or pattern (R:SPELL, DET, R:VERB*).",
    ),
]
Category: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--category", metavar="1|2|3", help="Figures by operation (1), category (2) or full type (3)."
    ),
]
Beta: TypeAlias = Annotated[
    float, typer.Option("--beta", help="Weight of recall in F; 0.5 favours precision.")
]
Exact: TypeAlias = Annotated[
    bool,
    typer.Option("--exact", help="Match edits one to one; choose each sentence's reference by itself."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON; short for --format json.")]
Format: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format", metavar="text|json|tsv|csv|latex|md|html", help="Layout; else as FILE is named, or text."
    ),
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Make every deviation from the M2 format an error.")
]


def _silence(ctx: typer.Context, quiet: bool) -> bool:
    """Show no progress in this command, if so wanted."""
    if quiet:
        ctx.with_resource(reporting(None))
    return quiet


Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.", callback=_silence)]
RunHooks = Annotated[
    bool | None,
    typer.Option(
        "--hooks/--no-hooks",
        help="Run the Python of all packs, or of none; if neither is given, of installed packs and the one named.",
        show_default=False,
    ),
]
Dictionary = Annotated[
    str, typer.Option(help="Where the pack's Hunspell dictionary is: auto, none, a folder or a .dic file.")
]

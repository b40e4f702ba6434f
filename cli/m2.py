"""``jperrant m2``: the M2 tool box."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="m2", help="Look at M2 files and work on them.", no_args_is_help=True)
    box.command("types")(types)
    app.add_typer(box)


def types(
    file: Annotated[str, typer.Argument(help="The M2 file; - is stdin.")],
    strict: Annotated[bool, typer.Option("--strict", help="Refuse what is not in the dialect.")] = False,
) -> None:
    """Count the error types of each annotator."""
    from jperrant.io.files import open_output
    from jperrant.io.m2 import read_m2
    from jperrant.report.types import count_types, types_table

    table = types_table(count_types(read_m2(file, strict)))
    with open_output("-") as stream:
        stream.write(table)

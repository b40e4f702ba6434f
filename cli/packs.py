"""``jperrant packs``: language packs."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="packs", help="Look at language packs.", no_args_is_help=True)
    box.command("list")(list_packs)
    app.add_typer(box)


def list_packs() -> None:
    """List the installed language packs."""
    from jperrant.io.files import open_output
    from jperrant.packs import iter_packs

    with open_output("-") as stream:
        for code, name, folder in iter_packs():
            stream.write(f"{code:<10}{name:<28}{folder}\n")

"""``jperrant packs``: language packs."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.options import Format, Json, RunHooks


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="packs", help="Look at, check and make language packs.", no_args_is_help=True)
    for name, command in (("list", list_packs), ("show", show), ("new", new), ("check", check)):
        box.command(name)(command)
    app.add_typer(box)


def list_packs(format: Format = "text", json: Json = False) -> None:
    """List the installed language packs."""
    from jperrant.cli.output import show
    from jperrant.core.tables import check_format
    from jperrant.reporting.packs import format_packs

    kind = "json" if json else format
    check_format(kind)
    show(format_packs(kind))


def show(
    code: Annotated[str, typer.Argument(help="Code of a language.")] = "",
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    json: Json = False,
) -> None:
    """Show the labels and rules of a pack, and where they come from; runs no Python of the pack."""
    from jperrant.core.errors import UsageError
    from jperrant.io.files import open_output
    from jperrant.packs.describe import describe, describe_text

    if not code and pack is None:
        raise UsageError("say which pack: a code, or --pack FOLDER")
    description = describe(code, pack)
    with open_output("-") as stream:
        stream.write(_json(description) if json else describe_text(description))


def new(
    code: Annotated[str, typer.Argument(help="Code of the language.")],
    folder: Annotated[
        str | None, typer.Option(help="Folder of the pack; the code, if not given.", show_default=False)
    ] = None,
) -> None:
    """Write a new pack to start from, with comments that say what goes where."""
    from jperrant.cli.output import show
    from jperrant.packs.skeleton import new_pack

    path = new_pack(code, folder)
    show(f"{path} written; fill it in, then: jperrant packs check {path.parent}\n")


def check(
    packs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CODE|FOLDER]...", help="Which; all installed ones, if none."),
    ] = None,
    hooks: RunHooks = None,
    json: Json = False,
) -> None:
    """Say everything that is wrong with packs, and run their examples; exit code 1 if anything is.

    Exit code 3 if nothing else is wrong and a pack needs Python packages that are not installed.
    """
    from jperrant.annotation.pack_check import check_pack
    from jperrant.core.errors import MissingExtraError
    from jperrant.io.files import open_output
    from jperrant.packs import known_packs

    checked = [check_pack(name, hooks) for name in packs or sorted(known_packs())]
    with open_output("-") as stream:
        if json:
            stream.write(
                _json(
                    [
                        {"pack": pack.name, "problems": pack.problems, "missing": pack.missing}
                        for pack in checked
                    ]
                )
            )
        else:
            stream.write("".join([f"{pack}\n" for pack in checked]))
    if any(pack.problems for pack in checked):
        raise typer.Exit(1)
    if any(pack.missing for pack in checked):
        raise typer.Exit(MissingExtraError.exit_code)


def _json(value: object) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False, indent=2) + "\n"

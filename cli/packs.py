"""``jperrant packs``: language packs."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import (
    Dictionary,
    Format,
    Json,
    Models,
    Pack,
    RunHooks,
    ShortJson,
    languages,
    option,
    switch,
)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="packs", help="Inspect, check and create language packs.", no_args_is_help=True)
    for name, command in (
        ("list", list_packs),
        ("show", show),
        ("new", new),
        ("check", check),
        ("explain", explain),
    ):
        box.command(name)(command)
    app.add_typer(box)


def list_packs(format: Format = None, json: ShortJson = False) -> None:
    """List the installed language packs."""
    from jperrant.cli.output import show
    from jperrant.core.tables import format_of
    from jperrant.reporting.installed import format_packs

    kind = format_of(format, json=json)
    show(format_packs(kind))


def show(
    code: Annotated[
        str,
        typer.Argument(
            metavar="PACK",
            help="Code of a language, or the folder of a pack.",
            show_default=False,
            autocompletion=languages,
        ),
    ] = "",
    pack: Pack = None,
    json: Json = False,
) -> None:
    """Show the labels and rules of a pack, and where they come from; runs no Python of the pack."""
    from jperrant.core.errors import UsageError
    from jperrant.io.files import open_output
    from jperrant.packs.describe import describe, describe_text
    from jperrant.packs.discovery import folder_of

    if not code and pack is None:
        raise UsageError("no pack was given; give a language code or the folder of a pack")
    if pack is None and (pack := folder_of(code)):
        code = ""
    description = describe(code, pack)
    text = _json(description) if json else describe_text(description)
    with open_output("-") as stream:
        stream.write(text)


def new(
    code: Annotated[str, typer.Argument(help="Code of the language.")],
    folder: Annotated[
        str | None,
        option("--folder", metavar="FOLDER", help="Write here; else to a folder named CODE."),
    ] = None,
) -> None:
    """Write a new pack to start from, with comments that say what goes where."""
    from shlex import quote

    from jperrant.cli.output import show
    from jperrant.packs.describe import new_pack

    path = new_pack(code, folder)
    show(f"{path} written; fill it in, then: jperrant packs check {quote(str(path.parent))}\n")


def check(
    packs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CODE|FOLDER]...",
            help="Packs to check; all installed ones if none is given.",
            autocompletion=languages,
        ),
    ] = None,
    hooks: RunHooks = None,
    coverage: Annotated[
        bool,
        switch(
            "--coverage",
            help="Also require an example for each rule and a group for each label; list those without.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Report every problem in packs, and run their examples; exit code 1 if there is any.

    Exit code 3 if nothing else is wrong and a pack needs Python packages that are not installed.
    """
    from jperrant.annotation.pack_check import check_pack
    from jperrant.core.errors import MissingExtraError
    from jperrant.io.files import open_output
    from jperrant.packs import known_packs
    from jperrant.reporting.explain import coverage_text

    checked = [check_pack(name, hooks) for name in packs or sorted(known_packs())]
    with open_output("-") as stream:
        if json:
            stream.write(
                _json(
                    [
                        {
                            "pack": pack.name,
                            "problems": pack.problems,
                            "missing": pack.missing,
                            "without_group": pack.without_group,
                            "rules": pack.coverage and dict(pack.coverage.rules),
                            "words": pack.coverage
                            and {"all": pack.coverage.words, "known": pack.coverage.known},
                        }
                        for pack in checked
                    ]
                )
            )
        else:
            for pack in checked:
                if coverage:
                    stream.write(coverage_text(pack))
                stream.write(f"{pack}\n")
    if any(pack.problems or (coverage and pack.incomplete()) for pack in checked):
        raise typer.Exit(1)
    if any(pack.missing for pack in checked):
        raise typer.Exit(MissingExtraError.exit_code)


def explain(
    code: Annotated[
        str,
        typer.Argument(
            metavar="PACK", help="Code of a language, or the folder of a pack.", autocompletion=languages
        ),
    ],
    source: Annotated[str, typer.Argument(help="A sentence.")],
    target: Annotated[str, typer.Argument(help="Its correction.")],
    models: Models = "compact",
    given: Annotated[
        bool,
        switch("--given", help="Read tokens with their analysis: form/UPOS/lemma/FEATS/XPOS/deprel/head."),
    ] = False,
    dictionary: Dictionary = "auto",
    hooks: RunHooks = None,
    json: Json = False,
) -> None:
    """Show which rules were tried on each edit between two sentences, which fired, and why the others did not."""
    from jperrant.annotation.annotator import load
    from jperrant.annotation.pack_check import explain, sentences
    from jperrant.cli.output import show
    from jperrant.packs.discovery import folder_of
    from jperrant.parse.models import NONE
    from jperrant.reporting.explain import explanations_json, explanations_text

    annotator = load(
        code, models=NONE if given else models, pack=folder_of(code), dictionary=dictionary, hooks=hooks
    )
    explanations = explain(annotator, *sentences(annotator, source, target, given))
    show(explanations_json(explanations) if json else explanations_text(explanations))


def _json(value: object) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False, indent=2) + "\n"

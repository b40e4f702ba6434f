"""``jperrant models``: which models are there, and getting more."""

from __future__ import annotations

from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="models", help="Show and get Stanza models.", no_args_is_help=True)
    box.command("list")(list_models)
    box.command("get")(get)
    app.add_typer(box)


def list_models(
    lang: Annotated[str | None, typer.Argument(help="One language only.")] = None,
) -> None:
    """List the models that come with the packs and those in Stanza's folder."""
    from jperrant.available import available_models
    from jperrant.io.files import open_output
    from jperrant.report.models import models_table

    table = models_table(available_models(lang))
    with open_output("-") as stream:
        stream.write(table)


def get(
    lang: Annotated[str | None, typer.Argument(help="Language: a pack, or any language of Stanza.")] = None,
    package: Annotated[str, typer.Option(help="Package of models, as Stanza names it.")] = "default",
    encoder: Annotated[
        str | None, typer.Option(metavar="NAME", help="Get this encoder of the Hugging Face hub.")
    ] = None,
) -> None:
    """Download models with Stanza's downloader into Stanza's folder, or an encoder into Hugging Face's cache."""
    from jperrant.errors import UsageError

    if encoder is None and lang is None:
        raise UsageError("nothing to get: give a language, or --encoder NAME")
    if encoder is not None:
        from jperrant.score.encoders.find import get_encoder

        typer.echo(f"{encoder}: {get_encoder(encoder)}", err=True)
    if lang is not None:
        from jperrant.packs import load_pack
        from jperrant.parse.models import get_models

        get_models(load_pack(lang).stanza_lang, package)

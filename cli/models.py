"""``jperrant models``: which models are there, getting more and measuring them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.groups import Format, Json, Models, Quiet, ShortJson, option, switch
from jperrant.core.paths import is_folder

if TYPE_CHECKING:
    from jperrant.parse.models import ModelFolder


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = typer.Typer(name="models", help="Show, get and measure Stanza models.", no_args_is_help=True)
    box.command("list")(list_models)
    box.command("get")(get)
    box.command("evaluate")(evaluate)
    app.add_typer(box)


def list_models(
    lang: Annotated[str | None, typer.Argument(help="One language only.")] = None,
    format: Format = None,
    json_: ShortJson = False,
) -> None:
    """List the models that come with the packs and those in Stanza's folder, with licence and scores."""
    import json

    from jperrant.core.tables import format_of
    from jperrant.io.files import open_output
    from jperrant.packs.describe import installed_models
    from jperrant.reporting.installed import models_json, models_table

    kind = format_of(format, json=json_)
    installed = list(installed_models(lang))
    text = (
        json.dumps(models_json(installed), ensure_ascii=False, indent=1) + "\n"
        if kind == "json"
        else models_table(installed, kind)
    )
    with open_output("-") as stream:
        stream.write(text)


def get(
    lang: Annotated[str | None, typer.Argument(help="Language: a pack, or any language of Stanza.")] = None,
    package: Annotated[str, typer.Argument(help="Package of models, as Stanza names it.")] = "default",
    encoder: Annotated[
        str | None,
        option(
            "--encoder",
            "--model",
            metavar="NAME",
            help="Get this encoder, or another model, of the Hugging Face hub.",
        ),
    ] = None,
    quiet: Quiet = False,  # noqa: ARG001 - its callback acts
) -> None:
    """Download models from Stanza's hub into Stanza's folder, or others into Hugging Face's cache.

    What a package needs of Hugging Face's hub is downloaded, too.
    """
    from jperrant.core.errors import UsageError

    if encoder is None and lang is None:
        raise UsageError("found nothing to get; give a language, or --encoder NAME")
    wanted = [encoder] if encoder is not None else []
    if lang is not None:
        from jperrant.packs import load_pack
        from jperrant.parse.models import get_models, transformers_of

        models = get_models(load_pack(lang).stanza_lang, package)
        typer.echo(f"{models.lang} {models.package}: {models.folder}", err=True)
        wanted += transformers_of(models)
    for one in wanted:
        from jperrant.encoders.models import get_encoder

        typer.echo(f"{one}: {get_encoder(one)}", err=True)


def evaluate(
    lang: Annotated[str, typer.Argument(help="Language: a pack, any language of Stanza, or of the folder.")],
    gold: Annotated[str, option("--gold", metavar="FILE", help="Compare with this CoNLL-U.")],
    gold_tokens: Annotated[
        bool, switch("--gold-tokens", help="Give the models tokens and sentences, not text.")
    ] = False,
    models: Models = "compact",
    save: Annotated[bool, switch("--save", help="Keep the scores in the folder's scores.json.")] = False,
    json_: Json = False,
) -> None:
    """Score models on a treebank as the CoNLL 2018 shared task did."""
    import json

    from jperrant.core.conllu import conllu_sentences
    from jperrant.io.files import open_output, read_lines
    from jperrant.parse.scores import evaluate_models, save_evaluation
    from jperrant.reporting.installed import evaluation_json, evaluation_table

    folder = _models(lang, models)
    evaluation = evaluate_models(folder, list(conllu_sentences(read_lines(gold), gold)), gold, gold_tokens)
    if save:
        save_evaluation(folder.folder, evaluation)
    text = (
        json.dumps(evaluation_json(evaluation), ensure_ascii=False) + "\n"
        if json_
        else evaluation_table([evaluation])
    )
    with open_output("-") as stream:
        stream.write(text)


def _stanza_lang(lang: str) -> str:
    """Return Stanza's code of a language; an unknown one stands for itself."""
    from jperrant.core.errors import PackError
    from jperrant.packs import pack_keys

    try:
        return pack_keys(lang).stanza
    except PackError:
        return lang


def _models(lang: str, models: str) -> ModelFolder:
    from jperrant.packs import load_pack
    from jperrant.parse.analyser import stanza_models
    from jperrant.parse.models import find_models

    models = stanza_models(models)
    if is_folder(models):
        return find_models(models, _stanza_lang(lang), None, lang)
    pack = load_pack(lang)
    return find_models(models, pack.stanza_lang, pack.compact, pack.code)

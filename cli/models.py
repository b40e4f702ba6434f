"""``jperrant models``: which models are there, getting more, training and measuring them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.lean import CommandBox
from jperrant.cli.options import Format, Json, Quiet
from jperrant.core.paths import is_folder

if TYPE_CHECKING:
    from jperrant.parse.models import ModelFolder
    from jperrant.training.loop import Report


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = CommandBox(name="models", help="Show, get, train and measure Stanza models.", no_args_is_help=True)
    box.command("list")(list_models)
    box.command("get")(get)
    box.command("train")(train)
    box.command("evaluate")(evaluate)
    app.add_typer(box)


def list_models(
    lang: Annotated[str | None, typer.Argument(help="One language only.")] = None,
    format: Format = None,
    json_: Json = False,
) -> None:
    """List the models that come with the packs and those in Stanza's folder, with licence and scores."""
    import json

    from jperrant.core.tables import format_of
    from jperrant.io.files import open_output
    from jperrant.packs.installed_models import installed_models
    from jperrant.reporting.models import models_json, models_table

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
    name: Annotated[
        str | None, typer.Argument(metavar="[PACKAGE]", help="The same as --package.", show_default=False)
    ] = None,
    package: Annotated[str, typer.Option(help="Package of models, as Stanza names it.")] = "default",
    encoder: Annotated[
        str | None,
        typer.Option(
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
        from jperrant.parse.hub import get_models
        from jperrant.parse.transformers import transformers_of

        models = get_models(load_pack(lang).stanza_lang, name or package)
        typer.echo(f"{models.lang} {models.package}: {models.folder}", err=True)
        wanted += transformers_of(models)
    for one in wanted:
        from jperrant.encoders.find import get_encoder

        typer.echo(f"{one}: {get_encoder(one)}", err=True)


def train(
    lang: Annotated[str, typer.Argument(help="Code of the language; any, also one Stanza does not know.")],
    output: Annotated[str, typer.Option("--output", "-o", metavar="FOLDER", help="Where the models go.")],
    train_files: Annotated[
        list[str] | None, typer.Option("--train", metavar="FILE", help="CoNLL-U to learn from; repeatable.")
    ] = None,
    dev: Annotated[str, typer.Option(metavar="FILE", help="CoNLL-U that chooses the best round.")] = "",
    test: Annotated[str, typer.Option(metavar="FILE", help="CoNLL-U to measure the result on.")] = "",
    size: Annotated[
        str | None,
        typer.Option(
            metavar="compact|small",
            help="How large the networks are; compact if neither this nor a recipe says.",
            show_default=False,
        ),
    ] = None,
    recipe: Annotated[
        str, typer.Option(metavar="FILE", help="YAML with further settings and the names of treebanks.")
    ] = "",
    treebanks: Annotated[str, typer.Option(metavar="FOLDER", help="Where the recipe's treebanks lie.")] = "",
    start: Annotated[
        str, typer.Option(metavar="FOLDER", help="Models to train further, by the recipe.")
    ] = "",
) -> None:
    """Train Stanza models from treebanks; an interrupted training resumes when called again."""
    from jperrant.core.errors import UsageError
    from jperrant.parse.models import find_models
    from jperrant.training.data import planned, read_data, trainable
    from jperrant.training.evaluate import evaluate_models, hindrance
    from jperrant.training.recipe import SIZES, default_recipe, read_recipe
    from jperrant.training.run import train_models
    from jperrant.training.scores import About, save_about, save_evaluation
    from jperrant.training.treebank import read_treebank

    if recipe and size:
        raise UsageError(
            f"{recipe} says how large the networks are; write 'size: {size}' there, or leave out --size"
        )
    plan = read_recipe(recipe) if recipe else default_recipe(size or SIZES[0])
    place = Path(treebanks) if treebanks else None
    data = read_data(train_files or (), dev, plan, place)
    measured = test or (str((place or Path()) / plan.test) if plan.test else "")
    gold = read_treebank([measured]) if measured else None
    for line in trainable(data)[1]:
        typer.echo(f"note: {line}", err=True)
    code = _stanza_lang(lang)
    older = find_models(start, code, None, lang) if start else None
    stages = planned(data, plan, older)
    typer.echo(
        f"training {' '.join(stages)} on {len(data.train.sentences):,} sentences, {data.train.word_count:,} words",
        err=True,
    )
    train_models(code, data, plan, Path(output), _report(), older)
    save_about(Path(output), About(str(plan.about.get("licence", "")), str(plan.about.get("sources", ""))))
    if gold:
        models = find_models(output, code, None, lang)
        for gold_tokens in (False, True):
            if reason := hindrance(models, gold_tokens):
                given = "tokens" if gold_tokens else "text"
                typer.echo(f"note: not scored on the {given} of {measured}: {reason}", err=True)
            else:
                save_evaluation(Path(output), evaluate_models(models, gold, gold_tokens))
    _show(Path(output))


def evaluate(
    lang: Annotated[str, typer.Argument(help="Language: a pack, any language of Stanza, or of the folder.")],
    gold: Annotated[str, typer.Option(metavar="FILE", help="CoNLL-U to compare with.")],
    gold_tokens: Annotated[
        bool, typer.Option("--gold-tokens", help="Give tokens and sentences, not text.")
    ] = False,
    models: Annotated[
        str, typer.Option(metavar="compact|default|PACKAGE|FOLDER", help="Which models.")
    ] = "compact",
    save: Annotated[
        bool, typer.Option("--save", help="Keep the scores in the folder's scores.json.")
    ] = False,
    json_: Json = False,
) -> None:
    """Score models on a treebank as the CoNLL 2018 shared task did."""
    import json

    from jperrant.io.files import open_output
    from jperrant.reporting.models import evaluation_json, evaluation_table
    from jperrant.training.evaluate import evaluate_models
    from jperrant.training.scores import save_evaluation
    from jperrant.training.treebank import read_treebank

    folder = _models(lang, models)
    evaluation = evaluate_models(folder, read_treebank([gold]), gold_tokens)
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
        return str(pack_keys(lang, None)[0].get("stanza", ""))
    except PackError:
        return lang


def _models(lang: str, models: str) -> ModelFolder:
    from jperrant.packs import load_pack
    from jperrant.parse.analysers import stanza_models
    from jperrant.parse.models import find_models

    models = stanza_models(models)
    if is_folder(models):
        return find_models(models, _stanza_lang(lang), None, lang)
    pack = load_pack(lang)
    return find_models(models, pack.stanza_lang, pack.compact, pack.code)


def _report() -> Report:
    """Return a report of the training: lines, and on a terminal the step at hand between them."""
    from jperrant.training.loop import log_report

    def write(line: str) -> None:
        if "dev" in line or not sys.stderr.isatty():
            typer.echo(line, err=True)
        else:
            typer.echo(f"\r{line}  ", err=True, nl=False)

    return log_report(write, every=10 if sys.stderr.isatty() else 100)


def _show(folder: Path) -> None:
    from jperrant.io.files import open_output
    from jperrant.reporting.models import evaluation_table
    from jperrant.training.scores import read_about

    with open_output("-") as stream:
        stream.write(f"models written to {folder}\n")
        if evaluations := read_about(folder).evaluations:
            stream.write(evaluation_table(evaluations))

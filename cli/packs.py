"""The commands for language packs and models: the groups ``packs`` and ``models``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from jperrant.cli.groups import (
    DICTIONARY,
    FORMAT,
    HOOKS,
    JSON,
    MODELS,
    PACK,
    QUIET,
    SHORT_JSON,
    TEXTS,
    Several,
    argument,
    languages,
    option,
    switch,
)
from jperrant.cli.output import show
from jperrant.core.paths import is_folder

if TYPE_CHECKING:
    from jperrant.parse.models import ModelFolder

CODE = "Code of a language, or the folder of a pack."
GIVEN = "Read tokens with their analysis: form/UPOS/lemma/FEATS/XPOS/deprel/head."


def list_packs(format: str | None = FORMAT, json: bool = SHORT_JSON) -> None:
    """List the installed language packs."""
    from jperrant.core.tables import format_of
    from jperrant.reporting.listings import format_packs

    show(format_packs(format_of(format, json=json)))


def show_packs(
    code: str = argument("PACK", CODE, "", complete=languages), pack: str | None = PACK, json: bool = JSON
) -> None:
    """Show the labels and rules of a pack, and where they come from. No Python of the pack is run."""
    from jperrant.core.errors import UsageError
    from jperrant.packs.describe import describe, describe_text
    from jperrant.packs.discovery import folder_of
    from jperrant.reporting.listings import as_json

    if not code and pack is None:
        raise UsageError("no pack was given; give a language code or the folder of a pack")
    if pack is None and (pack := folder_of(code)):
        code = ""
    description = describe(code, pack)
    show(as_json(description) if json else describe_text(description))


def new_packs(
    code: str = argument("CODE", "Code of the language."),
    folder: str | None = option(None, "--folder", "Write to this folder (default: CODE).", "FOLDER"),
) -> None:
    """Write the template of a new pack, with comments that explain its keys."""
    from shlex import quote

    from jperrant.packs.describe import new_pack

    path = new_pack(code, folder)
    show(f"{path} written; fill it in, then: jperrant packs check {quote(str(path.parent))}\n")


def check_packs(
    packs: Several = argument(
        "[CODE|FOLDER]...", "Packs to check; all installed ones if none is given.", None, complete=languages
    ),
    hooks: bool | None = HOOKS,
    json: bool = JSON,
) -> None:
    """Report every problem in packs, and run their examples; exit code 1 if there are problems.

    Exit code 3 if the only problem is that a pack needs Python packages that are not installed.
    """
    from jperrant.annotation.pack_check import check_pack
    from jperrant.core.errors import MissingExtraError
    from jperrant.packs.discovery import known_packs
    from jperrant.reporting.rule_reports import checks_json

    checked = [check_pack(name, hooks) for name in packs or sorted(known_packs())]
    show(checks_json(checked) if json else "".join(f"{one}\n" for one in checked))
    if any(pack.problems for pack in checked):
        raise typer.Exit(1)
    if any(pack.missing for pack in checked):
        raise typer.Exit(MissingExtraError.exit_code)


def explain_packs(
    code: str = argument("PACK", CODE, complete=languages),
    source: str = argument("SOURCE", "A sentence."),
    target: str = argument("TARGET", "Its correction."),
    models: str = MODELS,
    given: bool = switch("--given", GIVEN),
    dictionary: str = option("auto", "--dictionary", DICTIONARY, "NAME", TEXTS),
    hooks: bool | None = HOOKS,
    json: bool = JSON,
) -> None:
    """Show which rules were tried on each edit between two sentences, which fired, and why the others did not."""
    from jperrant.annotation.annotator import load
    from jperrant.annotation.pack_check import explain, sentences
    from jperrant.packs.discovery import folder_of
    from jperrant.parse.models import NONE
    from jperrant.reporting.rule_reports import explanations_json, explanations_text

    models = NONE if given else models
    annotator = load(code, models=models, pack=folder_of(code), dictionary=dictionary, hooks=hooks)
    explanations = explain(annotator, *sentences(annotator, source, target, given))
    show(explanations_json(explanations) if json else explanations_text(explanations))


def list_models(
    lang: str | None = argument("LANG", "One language only.", None),
    format: str | None = FORMAT,
    json: bool = SHORT_JSON,
) -> None:
    """List the models that come with the packs and those in Stanza's folder, with licence and scores."""
    from jperrant.core.tables import format_of
    from jperrant.packs.describe import installed_models
    from jperrant.reporting.listings import format_models

    show(format_models(list(installed_models(lang)), format_of(format, json=json)))


def get_models(
    lang: str | None = argument("LANG", "Language: a pack, or any language of Stanza.", None),
    package: str = argument("PACKAGE", "Package of models, as Stanza names it.", "default"),
    encoder: str | None = option(
        None, "--encoder --model", "Get this encoder, or another model, of the Hugging Face hub.", "NAME"
    ),
    quiet: bool = QUIET,  # noqa: ARG001 - its callback acts
) -> None:
    """Download models from Stanza's hub into Stanza's folder, or others into Hugging Face's cache.

    Transformers that a package builds on are downloaded from Hugging Face's hub, too.
    """
    from jperrant.core.errors import UsageError

    if encoder is None and lang is None:
        raise UsageError("found nothing to get; give a language, or --encoder NAME")
    wanted = [encoder] if encoder is not None else []
    if lang is not None:
        from jperrant.packs.pack import load_pack
        from jperrant.parse.models import get_models, transformers_of

        models = get_models(load_pack(lang).stanza_lang, package)
        typer.echo(f"{models.lang} {models.package}: {models.folder}", err=True)
        wanted += transformers_of(models)
    for one in wanted:
        from jperrant.encoders.hugging_face import get_encoder

        typer.echo(f"{one}: {get_encoder(one)}", err=True)


def evaluate_models(
    lang: str = argument("LANG", "Language: a pack, any language of Stanza, or of the folder."),
    gold: str = option(..., "--gold", "Compare with this CoNLL-U.", "FILE"),
    gold_tokens: bool = switch("--gold-tokens", "Give the models tokens and sentences, not text."),
    models: str = MODELS,
    save: bool = switch("--save", "Keep the scores in the folder's scores.json."),
    json: bool = JSON,
) -> None:
    """Score models on a treebank as the CoNLL 2018 shared task did."""
    from jperrant.core.conllu import conllu_sentences
    from jperrant.io.files import read_lines
    from jperrant.parse.model_scores import evaluate_models, save_evaluation
    from jperrant.reporting.listings import format_evaluations

    folder = _models(lang, models)
    evaluation = evaluate_models(folder, list(conllu_sentences(read_lines(gold), gold)), gold, gold_tokens)
    if save:
        save_evaluation(folder.folder, evaluation)
    show(format_evaluations([evaluation], json))


def _stanza_lang(lang: str) -> str:
    """Return Stanza's code of a language; an unknown code is returned unchanged."""
    from jperrant.core.errors import PackError
    from jperrant.packs.read import pack_keys

    try:
        return pack_keys(lang).stanza
    except PackError:
        return lang


def _models(lang: str, models: str) -> ModelFolder:
    from jperrant.packs.pack import load_pack
    from jperrant.parse.analyser import stanza_models
    from jperrant.parse.models import find_models

    models = stanza_models(models)
    if is_folder(models):
        return find_models(models, _stanza_lang(lang), None, lang)
    pack = load_pack(lang)
    return find_models(models, pack.stanza_lang, pack.compact, pack.code)

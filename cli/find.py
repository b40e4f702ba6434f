"""``jperrant find``: edits and words of a corpus that fit a query."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from jperrant.cli.groups import (
    OUTPUT,
    Dictionary,
    Lang,
    Models,
    Out,
    Pack,
    Quiet,
    RunHooks,
    ShortJson,
    option,
)
from jperrant.cli.progress import progress


class Part(StrEnum):
    """What is searched."""

    edits = "edits"
    source = "source"
    target = "target"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("find")(find)


def find(
    corpus: Annotated[
        list[str],
        typer.Argument(
            metavar="CORPUS...", help="An M2 file, or CoNLL-U of the source and of its corrections."
        ),
    ],
    when: Annotated[
        str,
        option(
            "--when", "-w", help="Find what fits these conditions, as in a pack's rules; @FILE reads them."
        ),
    ] = "{}",
    types: Annotated[
        list[str] | None,
        option(
            "--type", "-t", help="Find only a type, category or pattern (R:SPELL, DET, R:VERB*); repeatable."
        ),
    ] = None,
    part: Annotated[
        Part, option("--in", help="Search the edits, or single tokens of the source or target sentences.")
    ] = Part.edits,
    lang: Lang = "generic",
    pack: Pack = None,
    models: Models = "none",
    dictionary: Dictionary = "none",
    hooks: RunHooks = None,
    format: Annotated[
        str | None,
        option(
            "--format",
            metavar="text|counts|tsv|csv|json|m2|md|latex|html",
            help="Choose the layout; --json is short for one.",
            panel=OUTPUT,
        ),
    ] = None,
    json: ShortJson = False,
    context: Annotated[
        int, option("--context", metavar="N", min=0, help="Show so many tokens on each side.", panel=OUTPUT)
    ] = 6,
    out: Out = "-",
    quiet: Quiet = False,
) -> None:
    """Find edits by the conditions of the rule language, and show them in context.

    jperrant find learner.conllu corrected.conllu -w '{both: {upos: DET}, feats_changed: {any: Gender}}'
    """
    from jperrant.annotation.find import search
    from jperrant.annotation.options import AnnotatorOptions
    from jperrant.core.tables import format_of
    from jperrant.io.files import open_output
    from jperrant.reporting.concordance import FORMATS, check_concordance, write_matches

    format = format_of(format, out, json=json, known=FORMATS)
    check_concordance(format, part.value)
    options = AnnotatorOptions(lang, models, pack, dictionary=dictionary, hooks=hooks)
    inputs = [*corpus, *options.files(), *([when[1:]] if when.startswith("@") else [])]
    matches = search(corpus, when, types or (), part.value, options)
    with open_output(out, inputs) as stream, progress("searching", None, quiet) as advance:
        write_matches(advance(matches), stream, format, context)

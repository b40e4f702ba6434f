"""``jperrant find``: edits and words of a corpus that fit a query."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from jperrant.cli.completion import languages
from jperrant.cli.options import Dictionary, Quiet, RunHooks
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
        str, typer.Option("--when", "-w", help="Conditions as in a pack's rules, in YAML; @FILE reads them.")
    ] = "{}",
    types: Annotated[
        list[str] | None,
        typer.Option("--type", "-t", help="A type, category or pattern (R:SPELL, DET, R:VERB*); repeatable."),
    ] = None,
    part: Annotated[
        Part,
        typer.Option("--in", help="Search the edits, or single tokens of the source or target sentences."),
    ] = Part.edits,
    lang: Annotated[
        str,
        typer.Option(
            "--lang", "-l", help="Language: a pack, or any language of Stanza.", autocompletion=languages
        ),
    ] = "generic",
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    models: Annotated[
        str,
        typer.Option(
            help="Models that analyse M2: compact, default, a package, a folder, spacy:NAME, or none."
        ),
    ] = "none",
    dictionary: Dictionary = "none",
    hooks: RunHooks = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            "-f",
            metavar="text|counts|tsv|csv|json|m2|md|latex|html",
            help="Layout; else as FILE is named, or text.",
        ),
    ] = None,
    context: Annotated[int, typer.Option("--context", min=0, help="Tokens on each side of a match.")] = 6,
    out: Annotated[str, typer.Option("--out", "-o", help="Where the matches go; - is stdout.")] = "-",
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

    format = format_of(format, out, known=FORMATS)
    check_concordance(format, part.value)
    options = AnnotatorOptions(lang, models, pack, dictionary=dictionary, hooks=hooks)
    inputs = [*corpus, *options.files(), *([when[1:]] if when.startswith("@") else [])]
    matches = search(corpus, when, types or (), part.value, options)
    with open_output(out, inputs) as stream, progress("searching", None, quiet) as advance:
        write_matches(advance(matches), stream, format, context)

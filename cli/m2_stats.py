"""``jperrant m2 stats``: what an annotated corpus holds."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.completion import languages
from jperrant.cli.options import Format, Json, Quiet, Strict


def stats(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE.m2…", help="The parts of a corpus; - is stdin.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")] = "-",
    format: Format = None,
    json: Json = False,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang", "-l", help="Language, whose pack says what labels mean.", autocompletion=languages
        ),
    ] = None,
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    ci: Annotated[bool, typer.Option("--ci", help="95 % bootstrap intervals of agreement.")] = False,
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Count sentences, tokens and edits, by annotator and type, and say how far annotators agree.

    jperrant m2 stats train.m2 test.m2 --lang en --format md -o statement.md
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import format_of
    from jperrant.io.files import check_output, check_stdin
    from jperrant.m2tools.stats import corpus_stats, label_meanings
    from jperrant.reporting.m2_stats import format_stats

    kind = format_of(format, out, json=json)
    check_stdin(files)
    check_output(out, files)
    labels = label_meanings(lang or "", pack) if lang or pack else None
    notes: list[str] = []
    counted = [corpus_stats(file, _samples() if ci else 0, strict, notes) for file in files]
    say(notes)
    show(format_stats(counted, kind, labels), out, files)


def _samples() -> int:
    from jperrant.evaluation.statistics.significance import SAMPLES

    return SAMPLES["bootstrap"]

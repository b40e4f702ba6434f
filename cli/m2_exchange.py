"""``jperrant m2 export`` and ``m2 import``: M2 to the files of annotation tools and back."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from jperrant.cli.completion import exchange_formats, languages
from jperrant.cli.options import Json, Strict
from jperrant.cli.output import say

Lang: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--lang", "-l", help="Language whose pack has the types to choose from.", autocompletion=languages
    ),
]
Pack: TypeAlias = Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")]


def export(
    format: Annotated[
        str | None,
        typer.Argument(
            metavar="FORMAT",
            help="A format, with options as in inception:serialisation=json.",
            autocompletion=exchange_formats,
        ),
    ] = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="The folder (new or empty) or file that is written.")
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the formats, or with FORMAT show the options of one.")
    ] = False,
    lang: Lang = None,
    pack: Pack = None,
    sentences: Annotated[
        int | None, typer.Option("--sentences", help="Sentences of a document; all in one if left out.")
    ] = None,
    heading: Annotated[
        str | None,
        typer.Option("--heading", help="Prefix of sentences that begin a document ('# ' in UA-GEC)."),
    ] = None,
    strict: Strict = False,
    json: Json = False,
) -> None:
    """Write M2 as the files of an annotation tool, and a side file that brings back what the tool cannot carry.

    jperrant m2 export brat gold.m2 -o gold-brat --lang en

    jperrant m2 export --list
    """
    from jperrant.cli.output import say, show
    from jperrant.core.errors import UsageError
    from jperrant.exchange.registry import importable
    from jperrant.m2tools.exchange import export_m2
    from jperrant.reporting.exchange import format_exchange_format, format_exchange_formats

    if list_:
        kind = "json" if json else "text"
        if format is None:
            say(importable()[1])
        show(format_exchange_format(format, kind) if format else format_exchange_formats(kind))
        return
    if format is None or file is None or out is None:
        missing = "FORMAT" if format is None else "FILE.m2" if file is None else "-o"
        raise UsageError(f"{missing} is missing; see jperrant m2 export --help, and --list for the formats")
    done = export_m2(
        file, format, out, lang=lang, pack=pack, sentences=sentences, heading=heading, strict=strict
    )
    say(done.notes)


def import_(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT", help="A format; see m2 export --list.", autocompletion=exchange_formats
        ),
    ],
    files: Annotated[
        list[str], typer.Argument(metavar="PATH…", help="The folder or the files that the tool wrote.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="The M2 file; - is stdout.")] = "-",
    side: Annotated[
        str | None,
        typer.Option("--side", metavar="FILE", help="The side file, if it is not beside the first PATH."),
    ] = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option("--annotator", metavar="NAME=NUMBER", help="Number of an annotator; repeatable."),
    ] = None,
    lang: Lang = None,
    pack: Pack = None,
    complete: Annotated[
        bool,
        typer.Option("--complete", help="Everybody looked at all of their files; no mark means no error."),
    ] = False,
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE", help="File for a TSV table of the changes.")
    ] = None,
) -> None:
    """Convert the files of an annotation tool to M2; what nobody changed is restored exactly.

    jperrant m2 import brat gold-brat -o gold.reviewed.m2
    """
    from jperrant.core.visible import printable
    from jperrant.m2tools.exchange import annotator_numbers, import_m2

    numbers = annotator_numbers(annotator or [])
    done = import_m2(
        files, format, out, side=side, annotators=numbers, lang=lang, pack=pack, complete=complete, log=log
    )
    say(done.notes)
    if done.changed:
        typer.echo(printable(done.changed), err=True)

"""``jperrant m2 convert``: between M2, its dialects, plain text, and the files of annotation tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jperrant.cli.completion import convertible, languages
from jperrant.cli.options import Quiet, Strict
from jperrant.cli.output import say, show

TOOLS = "Files of annotation tools"


def convert(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="IN… OUT",
            help="The file to read, and the file to write; - is stdin or stdout. Annotation tools have folders or "
            "several files.",
        ),
    ] = None,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="FORMAT[:OPTION=VALUE,...]",
            help="Format of IN, such as cherrant or brat; if left out, what its name ends with.",
            autocompletion=convertible,
        ),
    ] = "",
    target: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="FORMAT[:OPTION=VALUE,...]",
            help="Format of OUT, such as source, text:annotator=1 or label-studio; if left out, what its name "
            "ends with.",
            autocompletion=convertible,
        ),
    ] = "",
    list_: Annotated[
        bool, typer.Option("--list", help="List the formats; with --to FORMAT, show the options of one.")
    ] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            "-l",
            help="Language whose pack has the types to choose from and knows the labels of other tools.",
            autocompletion=languages,
        ),
    ] = None,
    pack: Annotated[str | None, typer.Option(help="Folder of a language pack of your own.")] = None,
    sentences: Annotated[
        int | None,
        typer.Option(
            help="Write documents of so many sentences; all in one if left out.", rich_help_panel=TOOLS
        ),
    ] = None,
    heading: Annotated[
        str | None,
        typer.Option(
            help="Begin a document at each sentence that begins so, such as '# ' in UA-GEC.",
            rich_help_panel=TOOLS,
        ),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="The side file, if it is not beside the first IN.", rich_help_panel=TOOLS
        ),
    ] = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=NUMBER",
            help="Number that M2 has for an annotator of the tool; repeatable.",
            rich_help_panel=TOOLS,
        ),
    ] = None,
    complete: Annotated[
        bool,
        typer.Option(
            "--complete",
            help="Take sentences without marks as correct: everybody looked at all of their files.",
            rich_help_panel=TOOLS,
        ),
    ] = False,
    log: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a TSV table of the changes there.", rich_help_panel=TOOLS),
    ] = None,
    strict: Strict = False,
    _quiet: Quiet = False,
) -> None:
    """Convert between M2, plain text, ChERRANT's and KAGAS's M2, and the files of annotation tools.

    What nobody changed in an annotation tool comes back byte for byte.

    jperrant m2 convert gold.m2 gold.txt --to text:annotator=1

    jperrant m2 convert gold.m2 gold-brat --to brat --lang en

    jperrant m2 convert gold-brat gold.reviewed.m2 --from brat
    """
    from jperrant.core.display import printable
    from jperrant.core.errors import UsageError
    from jperrant.m2tools.convert import annotator_numbers, convert_m2

    if list_:
        from jperrant.reporting.options import format_convertible

        show(format_convertible(target.partition(":")[0]))
        return
    if not paths or len(paths) < 2:
        raise UsageError("give the file to read and, after it, the file to write; - is stdin or stdout")
    *inputs, out = paths
    if len(inputs) > 1 and Path(out).exists():
        raise UsageError(f"{out} exists; the last path is the file to write, which must be new after several")
    done = convert_m2(
        inputs, out, source, target, lang=lang, pack=pack, strict=strict, sentences=sentences, heading=heading,
        side=side, annotators=annotator_numbers(annotator or []), complete=complete, log=log,
    )  # fmt: skip
    say(done.notes)
    if done.changed:
        typer.echo(printable(done.changed), err=True)

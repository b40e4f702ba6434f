"""``jperrant m2 convert``: between M2, its dialects, plain text, and the files of annotation tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jperrant.cli.groups import SPEC, Lang, Pack, Quiet, Strict, convertible, option, switch
from jperrant.cli.output import say, show

TOOLS = "Files of annotation tools"


def convert(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="IN... OUT",
            help="The file to read, and the file to write; - is stdin or stdout. Annotation tools have folders or "
            "several files.",
        ),
    ] = None,
    source: Annotated[
        str,
        option(
            "--from",
            metavar=SPEC,
            help="Read IN in this format, such as cherrant or brat; if left out, in that of its ending.",
            complete=convertible,
        ),
    ] = "",
    target: Annotated[
        str,
        option(
            "--to",
            metavar=SPEC,
            help="Write OUT in this format, such as text:annotator=1; if left out, in that of its ending.",
            complete=convertible,
        ),
    ] = "",
    list_: Annotated[
        bool, switch("--list", help="List the formats; with --to FORMAT, show the options of one.")
    ] = False,
    lang: Lang = None,
    pack: Pack = None,
    sentences: Annotated[
        int | None,
        option(
            "--sentences",
            metavar="N",
            help="Write documents of so many sentences.",
            panel=TOOLS,
        ),
    ] = None,
    heading: Annotated[
        str | None,
        option(
            "--heading",
            metavar="TEXT",
            help="Begin a document at each sentence that begins so, such as '# ' in UA-GEC.",
            panel=TOOLS,
        ),
    ] = None,
    side: Annotated[
        str | None,
        option(
            "--side", metavar="FILE", help="Read the side file there, not beside the first IN.", panel=TOOLS
        ),
    ] = None,
    annotator: Annotated[
        list[str] | None,
        option(
            "--annotator",
            metavar="NAME=NUMBER",
            help="Give an annotator of the tool this number in M2; repeatable.",
            panel=TOOLS,
        ),
    ] = None,
    complete: Annotated[
        bool,
        switch(
            "--complete",
            help="Take sentences without marks as correct: everybody looked at all of their files.",
            panel=TOOLS,
        ),
    ] = False,
    on_error: Annotated[
        str,
        option(
            "--on-error",
            metavar="stop|skip",
            help="Name the texts of a corpus that cannot be read and stop, or leave them out.",
            panel=TOOLS,
        ),
    ] = "stop",
    log: Annotated[
        str | None,
        option("--log", metavar="FILE", help="Write a TSV table of the changes there.", panel=TOOLS),
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
        side=side, annotators=annotator_numbers(annotator or []), complete=complete, on_error=on_error, log=log,
    )  # fmt: skip
    say(done.notes)
    if done.changed:
        typer.echo(printable(done.changed), err=True)

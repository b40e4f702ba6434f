"""``jperrant m2 adjudicate``: one version of several annotators'."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.options import Strict


def adjudicate(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE.m2…", help="A file for each annotator, or one with several.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")] = "-",
    open: Annotated[
        str | None,
        typer.Option("--open", metavar="FILE", help="File for the sentences that are still undecided."),
    ] = None,
    decisions: Annotated[
        list[str] | None,
        typer.Option(
            "--decisions", metavar="FILE", help="Decided sentences, one annotator each; repeatable."
        ),
    ] = None,
    majority: Annotated[
        bool, typer.Option("--majority", help="Of three annotators or more, the edits that most have.")
    ] = False,
    prefer: Annotated[
        str | None,
        typer.Option("--prefer", metavar="NAME", help="Annotator whose version is used as a last resort."),
    ] = None,
    names: Annotated[str, typer.Option("--names", metavar="A,B", help="Names of the annotators.")] = "",
    strict: Strict = False,
) -> None:
    """Combine several annotators into one version: what they agree on, and what a person decided.

    jperrant m2 adjudicate anna.m2 ben.m2 --open open.m2 -o gold.m2
    """
    from jperrant.cli.layout_options import listed
    from jperrant.cli.output import say
    from jperrant.core.display import printable
    from jperrant.core.errors import UsageError, nearest
    from jperrant.evaluation.agreement.annotators import UNSEEN_BY_ADJUDICATION, load_annotators
    from jperrant.io.files import open_outputs
    from jperrant.io.m2 import read_m2, write_m2
    from jperrant.m2tools.adjudicate import Adjudication, adjudicate_m2

    found = load_annotators(files, listed(names), strict=strict, unseen=UNSEEN_BY_ADJUDICATION)
    if prefer is not None and prefer not in found.names:
        known = ", ".join(found.names)
        raise UsageError(f"found no annotator {prefer!r}{nearest(prefer, found.names)}; annotators: {known}")
    result = Adjudication()
    decided = [block for file in decisions or () for block in read_m2(file, strict)]
    paths = [out] if open is None else [out, open]
    with open_outputs(paths, [*files, *(decisions or ())]) as streams:
        blocks = adjudicate_m2(
            found,
            result,
            decisions=decided,
            decisions_file=", ".join(decisions or ()),
            majority=majority,
            prefer=None if prefer is None else found.names.index(prefer),
        )
        write_m2(blocks, streams[0])
        if open is not None:
            write_m2(result.open, streams[1])
    say(found.notes)
    for line in result.lines(", ".join(files)):
        typer.echo(printable(line), err=True)

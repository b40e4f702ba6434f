"""``jperrant chunks``: how CLEME cuts and judges sentences, as tables."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from jperrant.cli.metric_options import MetricCommand, given_options
from jperrant.cli.options import EncoderLang, Json, Strict


class ChunkCommand(MetricCommand):
    """A command that takes the options of CLEME and CLEME2.0."""

    only: ClassVar[frozenset[str]] = frozenset({"cleme", "cleme2"})


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("chunks", cls=ChunkCommand)(chunks)


def chunks(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="SYSTEM.m2", help="M2 files of systems; - is stdin."),
    ],
    ref: Annotated[str, typer.Option("--ref", metavar="REF.m2", help="The references.")],
    sentences: Annotated[
        str | None,
        typer.Option("--sentences", metavar="1,3-5", help="Only these sentences, counted from 1."),
    ] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Leave out sentences that nobody changes.")
    ] = False,
    metric: Annotated[str, typer.Option("--metric", metavar="cleme2|cleme", help="The metric.")] = "cleme2",
    format: Annotated[
        str | None, typer.Option("--format", metavar="text|html|latex|json", help="Layout.")
    ] = None,
    json: Json = False,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Where to write; - is stdout.")
    ] = "-",
    width: Annotated[
        int, typer.Option("--width", min=0, help="Of text: widest line; more chunks go below. 0 for any.")
    ] = 100,
    color: Annotated[
        bool | None, typer.Option("--color/--no-color", help="Of text; on a terminal if left out.")
    ] = None,
    lang: EncoderLang = None,
    strict: Strict = False,
) -> None:
    """Show how sentences are cut into chunks and what each chunk counts as.

    The labels: TP (hit), FPne (wrong), FPun (over), FN (under), TN (rightly left alone). References are chosen as
    in the score of the whole file; a star marks the one that counts.

    Example: jperrant chunks system.m2 --ref gold.m2 --sentences 1-10
    """
    from jperrant.cli.output import colored, say, show
    from jperrant.core.errors import UsageError
    from jperrant.core.tables import format_of
    from jperrant.evaluation.metrics.cleme.chunk_tables import chunk_tables, parse_sentences
    from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
    from jperrant.evaluation.metrics.registry import make_scorer
    from jperrant.evaluation.reading import load_pairs
    from jperrant.io.files import check_output
    from jperrant.reporting.chunks import FORMATS, format_chunks

    inputs = [*files, ref]
    check_output(out, inputs)
    kind = format_of(format, out, json=json, known=FORMATS)
    numbers = None if sentences is None else parse_sentences(sentences)
    scorer = make_scorer(metric, **given_options(ctx, metric, lang))
    if not isinstance(scorer, ChunkScorer):
        raise UsageError(f"metric {metric!r} has no chunks; expected one of cleme2, cleme")
    pairs = load_pairs(files, ref, strict, scorer.refuses)
    tables = [table for pair in pairs for table in chunk_tables(scorer, pair, numbers, changed)]
    shown_in_color = colored(color, out)
    text = format_chunks(tables, kind, width, shown_in_color)
    say(note for pair in pairs for note in pair.notes)
    show(text, out, inputs, colored=shown_in_color)

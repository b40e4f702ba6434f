"""``jperrant tune``: options of metrics that agree best with people."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from jperrant.cli.lean import CommandBox
from jperrant.cli.metric_options import MetricCommand, given_options
from jperrant.cli.options import EncoderLang, Json, Strict


class TuneCommand(MetricCommand):
    """A command that takes the options of CLEME2.0."""

    only: ClassVar[frozenset[str]] = frozenset({"cleme2"})
    # Factors are what is looked for, by the choice of the published code, which rounds.
    without: ClassVar[frozenset[str]] = frozenset({"factors", "exact"})


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = CommandBox(name="tune", help="Fit metrics to human judgements.", no_args_is_help=True)
    box.command("cleme2", cls=TuneCommand)(cleme2)
    app.add_typer(box)


def cleme2(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="HYP.m2...", help="Three systems or more.")],
    ref: Annotated[list[str], typer.Option("--ref", metavar="REF.m2", help="A reference set; repeatable.")],
    human: Annotated[
        str, typer.Option("--human", metavar="FILE.tsv", help="Systems and the scores that people gave them.")
    ],
    column: Annotated[
        str | None, typer.Option("--column", help="Which column of scores; the first if left out.")
    ] = None,
    correlation: Annotated[
        str, typer.Option("--correlation", metavar="pearson|spearman|kendall", help="What is maximised.")
    ] = "pearson",
    format: Annotated[
        str | None, typer.Option("--format", metavar="text|json|tsv|csv|latex|md|html", help="Layout.")
    ] = None,
    json: Json = False,
    lang: EncoderLang = None,
    strict: Strict = False,
) -> None:
    """Search the factors of CLEME2.0 on a grid of 0.05, with cross-validation over reference sets.

    Files are matched to the judged systems by their names.

    Example: jperrant tune cleme2 AMU.m2 CAMB.m2 INPUT.m2 --ref a.m2 --ref b.m2 --human ranking.tsv
    """
    from jperrant.cli.output import say, show
    from jperrant.core.option import build
    from jperrant.core.tables import EXACT, format_of
    from jperrant.evaluation.meta.tuning import tune_files
    from jperrant.evaluation.metrics.cleme.cleme2 import Cleme2Scorer
    from jperrant.reporting.tuning import format_tuning, lines_of

    kind = format_of(format, json=json)
    scorer = build(Cleme2Scorer, "metric 'cleme2'", given_options(ctx, "cleme2", lang))
    tuning = tune_files(files, ref, human, scorer, column=column, kind=correlation, strict=strict)
    say(tuning.notes)
    show(format_tuning(tuning, kind))
    if kind in EXACT:
        # A table of figures has no line for what was found.
        typer.echo("\n".join(lines_of(tuning)), err=True)

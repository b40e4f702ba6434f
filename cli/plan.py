"""``jperrant plan``: what UOT-ERRANT transports where."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from jperrant.cli.metric_options import MetricCommand, given_options
from jperrant.cli.options import EncoderLang, Json, Strict


class PlanCommand(MetricCommand):
    """A command that takes the options of UOT-ERRANT."""

    only: ClassVar[frozenset[str]] = frozenset({"uot"})
    without: ClassVar[frozenset[str]] = frozenset({"plans"})


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("plan", cls=PlanCommand)(plan)


def plan(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="SYSTEM.m2", help="M2 files of systems; - is stdin."),
    ],
    ref: Annotated[str, typer.Option("--ref", metavar="REF.m2", help="The references.")],
    sentences: Annotated[
        str | None,
        typer.Option(
            "--sentences",
            metavar="1,3-5",
            help="Only these, counted from 1; the first 5 with edits if left out.",
        ),
    ] = None,
    reference: Annotated[
        int | None, typer.Option("--reference", metavar="N", help="This annotator instead of the best one.")
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", metavar="text|svg|html|json|tsv|latex|md", help="Layout.")
    ] = None,
    json: Json = False,
    out: Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")] = "-",
    norms: Annotated[
        bool,
        typer.Option(
            "--norms", help="Instead: the length of edit vectors by error type, over all sentences."
        ),
    ] = False,
    tsne: Annotated[
        str | None,
        typer.Option(
            "--tsne",
            metavar="FILE.svg",
            help="Instead: draw all edit vectors by t-SNE (needs jperrant\\[plots]).",
        ),
    ] = None,
    plots: Annotated[
        str | None, typer.Option("--plots", metavar="DIR", help="With --norms: a plot, as SVG and PNG files.")
    ] = None,
    lang: EncoderLang = None,
    strict: Strict = False,
) -> None:
    """Show which edits of a system were transported to which edits of the references.

    Example: jperrant plan system.m2 --ref gold.m2 --sentences 7 --encoder minilm --format html -o plan.html
    """
    from jperrant.cli.output import say, show
    from jperrant.cli.plot_options import check_plot_options, write_plots
    from jperrant.core.errors import UsageError
    from jperrant.core.option import build
    from jperrant.core.tables import RENDERERS, format_of
    from jperrant.evaluation.metrics.cleme.chunk_tables import parse_sentences
    from jperrant.evaluation.metrics.uot.plans import (
        edit_vectors_of,
        gathered,
        norms_of_sides,
        plans_of_systems,
    )
    from jperrant.evaluation.metrics.uot.scorer import UotScorer
    from jperrant.evaluation.reading import load_pairs
    from jperrant.io.files import check_outputs
    from jperrant.reporting.plan import format_norms, format_plans
    from jperrant.reporting.plan_svg import plans_html, plans_svg
    from jperrant.reporting.plots.edit_vectors import plot_edit_vectors
    from jperrant.reporting.plots.norms import norms_plot

    known = (*RENDERERS, "json") if norms else (*RENDERERS, "json", "svg")
    kind = format_of(format, out, json=json, known=known)
    if plots is not None and not norms:
        raise UsageError("--plots draws --norms only; for vectors give --tsne, for plans --format svg")
    check_plot_options(plots)
    inputs = [*files, ref]
    check_outputs((out, tsne) if tsne else (out,), inputs)
    scorer = build(UotScorer, "metric 'uot'", given_options(ctx, "uot", lang))
    pairs = load_pairs(files, ref, strict, scorer.refuses)
    say(note for pair in pairs for note in pair.notes)
    if norms or tsne:
        sides = {pair.name: edit_vectors_of(scorer, pair) for pair in pairs}
        if norms:
            lengths = [norms_of_sides(name, both) for name, both in sides.items()]
            by_side = {name: own for one in lengths for name, own in one.items()}
            settings = "|".join((scorer.name, *scorer.settings))
            write_plots(plots, lambda: [norms_plot(by_side, description=settings)], inputs)
            show(format_norms(by_side, kind), out, inputs)
        if tsne:
            systems = [edits for ours, _ in sides.values() for edits in ours]
            plot_edit_vectors(*gathered([*systems, *sides[pairs[0].name][1]]), tsne, inputs)
        return
    plans, notes = plans_of_systems(scorer, pairs, parse_sentences(sentences) if sentences else (), reference)
    say(notes)
    if kind == "svg":
        text = plans_svg(plans)
    elif kind == "html":
        text = plans_html(plans, f"{', '.join(files)} against {ref}")
    else:
        text = format_plans(plans, kind)
    show(text, out, inputs)

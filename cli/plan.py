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
    hypothesis: Annotated[str, typer.Argument(metavar="HYP.m2", help="M2 file of the system; - is stdin.")],
    references: Annotated[str, typer.Argument(metavar="REF.m2", help="M2 file of the references.")],
    sentences: Annotated[
        str | None,
        typer.Option(
            "--sentences", metavar="0,3-5", help="These, 0 is the first; the first 5 with edits if left out."
        ),
    ] = None,
    reference: Annotated[
        int | None, typer.Option("--reference", metavar="N", help="This annotator instead of the best one.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="text|svg|html|json|tsv|latex|md", help="Layout.")
    ] = "text",
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
            help="Instead: draw all edit vectors by t-SNE (needs jperrant[plots]).",
        ),
    ] = None,
    lang: EncoderLang = None,
    strict: Strict = False,
) -> None:
    """Show which edits of a system were transported to which edits of the references.

    Example: jperrant plan system.m2 gold.m2 --sentences 7 --encoder minilm --format html -o plan.html
    """
    from jperrant.cli.output import say, show
    from jperrant.core.option import build
    from jperrant.core.tables import RENDERERS, check_format
    from jperrant.evaluation.load import load_pairs
    from jperrant.evaluation.metrics.cleme.chunk_tables import parse_sentences
    from jperrant.evaluation.metrics.uot.plans import edit_vectors_of, gathered, norms_of_sides, plans_of
    from jperrant.evaluation.metrics.uot.scorer import UotScorer
    from jperrant.io.files import check_output
    from jperrant.report.plan import format_norms, format_plans
    from jperrant.report.plan_svg import plans_html, plans_svg
    from jperrant.report.plots import plot_edit_vectors

    kind = "json" if json else format
    check_format(kind, (*RENDERERS, "json") if norms else (*RENDERERS, "json", "svg", "html"))
    inputs = hypothesis, references
    for path in (out, tsne) if tsne else (out,):
        check_output(path, inputs)
    scorer = build(UotScorer, "metric 'uot'", given_options(ctx, "uot", lang))
    [pair] = load_pairs([hypothesis], references, strict, scorer.refuses)
    say(pair.notes)
    if norms or tsne:
        sides = edit_vectors_of(scorer, pair)
        if norms:
            show(format_norms(norms_of_sides(pair.name, sides), kind), out, inputs)
        if tsne:
            plot_edit_vectors(*gathered([edits for side in sides for edits in side]), tsne, inputs)
        return
    plans, notes = plans_of(scorer, pair, parse_sentences(sentences) if sentences else (), reference)
    say(notes)
    if kind == "svg":
        text = plans_svg(plans)
    elif kind == "html":
        text = plans_html(plans, f"{hypothesis} against {references}")
    else:
        text = format_plans(plans, kind)
    show(text, out, inputs)

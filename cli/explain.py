"""``jperrant explain``: how a metric comes to its score, sentence by sentence."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import NamedInputs, Output, Plots, option, switch, takes_groups

_PANEL = "What is shown"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("explain")(takes_groups(explain))


def explain(
    inputs: NamedInputs,
    output: Output,
    sentences: Annotated[
        str | None,
        option("--sentences", metavar="1,5-9", help="Show only these, counted from 1.", panel=_PANEL),
    ] = None,
    method: Annotated[
        str,
        option(
            "--method",
            metavar="shapley|add|sub",
            help="Count an edit's contribution so: mean over orders, alone, or on top.",
            panel=_PANEL,
        ),
    ] = "",
    by_type: Annotated[
        bool, switch("--by-type", help="Show means by type; of uot, lengths of vectors.", panel=_PANEL)
    ] = False,
    plots: Plots = None,
) -> None:
    """Show how a metric comes to its score, sentence by sentence.

    cleme and cleme2 show chunks, uot transport plans; any other metric, or several, contributions of edits.

    Example: jperrant explain system.m2 --ref gold.m2 -m cleme2 --sentences 1,5-9
    """
    from jperrant.cli.output import check_plots, colored, say, show, write_plots
    from jperrant.core.errors import UsageError
    from jperrant.evaluation.explain import (
        VECTORS,
        edit_vectors,
        explain_pairs,
        parse_sentences,
        what_explains,
    )
    from jperrant.evaluation.scoring import requested
    from jperrant.io.files import check_output
    from jperrant.reporting.explanations import FORMATS, format_explanation, format_vectors

    paths = inputs.paths()
    check_output(output.out, paths)
    asked = inputs.arguments()
    kind = what_explains(asked["metrics"], method, by_type)
    layout = output.kind(known=FORMATS[kind])
    if plots is not None and kind != VECTORS:
        raise UsageError("--plots draws the edit vectors of uot; give -m uot --by-type, or remove it")
    if sentences is not None and kind == VECTORS:
        raise UsageError("--sentences: edit vectors are those of all sentences; remove it, or --by-type")
    check_plots(plots)
    numbers = parse_sentences(sentences) if sentences is not None else ()
    request = requested(**asked, shown=True)
    scorers, pairs = request.scorers, request.pairs()
    say(note for pair in pairs for note in pair.notes)
    if kind == VECTORS:
        from jperrant.reporting.plots.edit_vectors import vector_plots

        vectors = edit_vectors(scorers[0], pairs)
        write_plots(plots, lambda: vector_plots(vectors, "|".join(("uot", *scorers[0].settings))), paths)
        text = format_vectors(vectors, layout)
    else:
        found, notes = explain_pairs(scorers, pairs, numbers, method, by_type)
        say(notes)
        title = f"{', '.join(pair.name for pair in pairs)} against the references"
        text = format_explanation(
            found, kind, layout, by_type=by_type, color=colored(output.out), title=title
        )
    show(text, output.out, paths, colored=colored(output.out))

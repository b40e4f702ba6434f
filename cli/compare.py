"""``jperrant compare``: ERRANT's scorer, with its numbers and its table."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from jperrant.cli.groups import (
    Beta,
    Category,
    Filter,
    Output,
    Strict,
    option,
    switch,
    takes_groups,
)


class Compat(StrEnum):
    """Scorers to be reproduced with all their habits."""

    errant = "errant"
    cherrant = "cherrant"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("compare")(takes_groups(compare))


def compare(
    hypothesis: Annotated[str, typer.Argument(metavar="HYP.m2", help="M2 file of the system; - is stdin.")],
    references: Annotated[
        list[str], typer.Argument(metavar="REF.m2", help="M2 files of the references, usually one.")
    ],
    output: Output,
    mode: Annotated[
        str,
        option(
            "--mode",
            metavar="cs|cse|ds|dt",
            help="Compare correction spans (cs), also their types (cse), detection spans (ds) or tokens (dt).",
        ),
    ] = "cs",
    single: Annotated[
        bool, switch("--single", help="Compare only edits of at most one token a side.")
    ] = False,
    multi: Annotated[
        bool, switch("--multi", help="Compare only edits of two or more tokens on a side.")
    ] = False,
    filter: Filter = None,
    category: Category = None,
    beta: Beta = 0.5,
    verbose: Annotated[bool, switch("--verbose", help="Show every sentence, and what was chosen.")] = False,
    exact: Annotated[
        bool, switch("--exact", help="Match edits one to one; choose each sentence's reference by itself.")
    ] = False,
    compat: Annotated[
        Compat, option("--compat", help="Score as errant, or as cherrant for files as ChERRANT writes them.")
    ] = Compat.errant,
    strict: Strict = False,
) -> None:
    """Score edits as errant_compare does: the same numbers, the same table.

    Example: jperrant compare system.m2 gold.m2 --category 1
    """
    from jperrant.cli.output import say, show
    from jperrant.core.errors import UsageError
    from jperrant.core.option import build
    from jperrant.evaluation.analysis import FULL, analyse
    from jperrant.evaluation.inputs import Inputs
    from jperrant.evaluation.metrics.errant import CherrantScorer, ErrantScorer, load_cherrant
    from jperrant.evaluation.metrics.score import Sides, check_types, evaluate
    from jperrant.evaluation.score_tables import format_scores
    from jperrant.evaluation.scoring import Request
    from jperrant.io.files import check_output
    from jperrant.reporting.errant_table import format_compare, verbose_lines

    inputs = [hypothesis, *references]
    kind, out = output.kind(), output.out
    check_output(out, inputs)
    options = {
        "mode": mode,
        "beta": beta,
        "single": single,
        "multi": multi,
        "filter": tuple(filter or ()),
        "exact": exact,
    }
    pairs = None
    if compat is Compat.cherrant:
        if len(references) > 1:
            raise UsageError("--compat cherrant takes one file of references, with all annotators")
        scorer: ErrantScorer = build(CherrantScorer, "compare", options)
        pairs = [load_cherrant(hypothesis, references[0])]
        check_types(scorer, map(Sides.of, pairs))
    else:
        scorer = build(ErrantScorer, "compare", options)
        request = Request([scorer], Inputs([hypothesis], (), references, strict=strict, only_m2=True))
        pairs = request.pairs() if verbose else None
    [score] = request.scores() if pairs is None else evaluate(scorer, pairs)
    say(score.warnings)
    if kind != "text":
        level = FULL if category is None else category
        extras = analyse([score], level=level, per_sentence=verbose)
        show(format_scores([score], extras, kind, types=category is not None), out, inputs)
        return
    table = format_compare(score, scorer, category)
    lines = verbose_lines(score, scorer, pairs[0]) if pairs and verbose else []
    show("".join([*(f"{line}\n" for line in lines), table]), out, inputs)

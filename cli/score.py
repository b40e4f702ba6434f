"""``jperrant score``: any metric, for one system or several, over M2 or texts."""

from __future__ import annotations

from typing import Annotated

import typer

from jperrant.cli.groups import (
    OUTPUT,
    STATISTICS,
    BoldLook,
    Category,
    Drawing,
    Output,
    Quiet,
    ScoredInputs,
    Statistics,
    option,
    switch,
    takes_groups,
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("score")(takes_groups(score))


def score(
    inputs: ScoredInputs,
    statistics: Statistics,
    output: Output,
    look: BoldLook,
    drawing: Drawing,
    baseline: Annotated[
        str,
        option("--baseline", metavar="NAME", help="Test the others against this system.", panel=STATISTICS),
    ] = "",
    paired_bs: Annotated[
        bool, switch("--paired-bs", help="Test by paired bootstrap.", panel=STATISTICS)
    ] = False,
    paired_ar: Annotated[
        bool, switch("--paired-ar", help="Test by paired randomisation.", panel=STATISTICS)
    ] = False,
    rank: Annotated[
        bool, switch("--rank", help="Rank by TrueSkill and Expected Wins.", panel=STATISTICS)
    ] = False,
    category: Category = None,
    by_type: Annotated[
        bool, switch("--by-type", help="Show each type, as --category 3.", panel=OUTPUT)
    ] = False,
    groups: Annotated[
        bool, switch("--groups", help="Group types as all languages share them.", panel=OUTPUT)
    ] = False,
    macro: Annotated[bool, switch("--macro", help="Add the mean over types.", panel=OUTPUT)] = False,
    per_sentence: Annotated[
        str | None,
        option(
            "--per-sentence", metavar="FILE", help="Write each sentence (.tsv, .csv, .jsonl).", panel=OUTPUT
        ),
    ] = None,
    _quiet: Quiet = False,
) -> None:
    """Score systems with any metric, over M2 files or over texts.

    Example: jperrant score a.txt b.txt --ref r.txt --source s.txt -m errant -m gleu
    """
    import jperrant
    from jperrant.cli.output import check_plots, say, score_plots, show, with_files_inside, write_plots
    from jperrant.core.tables import EXACT, format_of
    from jperrant.evaluation.analysis import FULL, check_level, tests_of
    from jperrant.evaluation.score_tables import (
        SENTENCE_FORMATS,
        check_columns,
        check_plans,
        format_scores,
        sentence_lines,
    )
    from jperrant.evaluation.statistics.significance import check_baseline
    from jperrant.io.files import STDIO, check_outputs, open_output

    paths = with_files_inside(inputs.paths(), "*.m2*")
    check_outputs([path for path in (per_sentence, output.out) if path and path != STDIO], paths)
    kind = output.kind()
    layout = look.layout(kind)
    width = check_plots(drawing.plots, drawing.plot_width)
    ci = statistics.ci or bool(look.intervals)
    level = FULL if by_type else (2 if groups else None) if category is None else category
    if level is not None:
        check_level(level)
    each = format_of(None, per_sentence, known=SENTENCE_FORMATS) if per_sentence else ""
    asked = inputs.arguments()
    whole = check_plans(asked["metrics"], kind, each)
    check_baseline([*asked["systems"]], baseline)
    if layout.columns:
        tests = tests_of(paired_bs, paired_ar, baseline)
        check_columns(
            layout,
            asked["metrics"],
            long=level is not None and kind in EXACT and not tests,
            ci=ci,
            macro=macro,
            tests=tests,
            others=len(asked["systems"]) - 1,
            rank=rank,
        )
    scores = jperrant.score(**asked)
    if groups:
        scores, warnings = scores.in_groups()
        say(warnings)
    analyses = scores.analyse(
        level=FULL if level is None else level,
        per_sentence=per_sentence is not None or whole,
        macro=macro,
        ci=ci,
        paired_bs=paired_bs,
        paired_ar=paired_ar,
        baseline=baseline,
        types=level is not None,
        differing=bool(baseline) and kind == "json",
        samples=statistics.samples,
        seed=statistics.seed,
        rank=rank,
    )
    text = format_scores(scores, analyses, kind, types=level is not None, layout=layout)
    say(scores.warnings())
    if per_sentence is not None:
        with open_output(per_sentence, paths) as stream:
            for line in sentence_lines(scores, "tsv" if each == "text" else each):
                stream.write(line)
    write_plots(
        drawing.plots,
        lambda: score_plots(
            scores,
            baseline=baseline,
            level=FULL if level is None else level,
            width=width,
            samples=statistics.samples,
            seed=statistics.seed,
        ),
        paths,
    )
    show(text, output.out, paths)

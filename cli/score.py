"""The commands that score systems: ``score``, ``compare``, ``explain``, ``report``, ``metrics``."""

from __future__ import annotations

from typing import Literal

from jperrant.cli.groups import (
    BASELINE,
    BETA,
    CATEGORY,
    FILTER,
    FORMAT,
    OUT,
    OUTPUT,
    QUIET,
    SAMPLES,
    SEED,
    SHORT_JSON,
    STATISTICS,
    STRICT,
    TITLE,
    BoldLook,
    Drawing,
    NamedInputs,
    Output,
    ScoredInputs,
    Several,
    Statistics,
    argument,
    metric_names,
    option,
    switch,
)

_SHOWN = "What is shown"


def score(
    inputs: ScoredInputs,
    output: Output,
    look: BoldLook,
    drawing: Drawing,
    statistics: Statistics,
    baseline: str = BASELINE,
    paired_bs: bool = switch("--paired-bs", "Test by paired bootstrap.", STATISTICS),
    paired_ar: bool = switch("--paired-ar", "Test by paired randomisation.", STATISTICS),
    rank: bool = switch("--rank", "Rank by TrueSkill and Expected Wins.", STATISTICS),
    by_type: bool = switch("--by-type", "Show each type, as --category 3.", OUTPUT),
    category: int | None = CATEGORY,
    groups: bool = switch("--groups", "Sum types by the groups that all languages share.", OUTPUT),
    per_sentence: str | None = option(
        None, "--per-sentence", "Write the figures of each sentence (.tsv, .csv, .jsonl).", "FILE", OUTPUT
    ),
    _quiet: bool = QUIET,
) -> None:
    """Score systems with any metric, over M2 files or over texts.

    Example: jperrant score a.txt b.txt --ref r.txt --source s.txt -m errant -m gleu
    """
    import jperrant
    from jperrant.cli.output import check_plots, say, score_plots, show, with_files_inside, write_plots
    from jperrant.core.tables import format_of
    from jperrant.evaluation.analysis import FULL, check_level
    from jperrant.evaluation.score_tables import (
        SENTENCE_FORMATS,
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
    scores = jperrant.score(**asked)
    if groups:
        scores, warnings = scores.in_groups()
        say(warnings)
    drawn = {"samples": statistics.samples, "seed": statistics.seed}
    analyses = scores.analyse(
        level=FULL if level is None else level,
        per_sentence=per_sentence is not None or whole,
        ci=ci,
        paired_bs=paired_bs,
        paired_ar=paired_ar,
        baseline=baseline,
        types=level is not None,
        differing=bool(baseline) and kind == "json",
        rank=rank,
        **drawn,
    )
    text = format_scores(analyses, kind, types=level is not None, layout=layout)
    say(scores.warnings())
    if per_sentence is not None:
        with open_output(per_sentence, paths) as stream:
            for line in sentence_lines(scores, "tsv" if each == "text" else each):
                stream.write(line)
    settings = {"baseline": baseline, "level": FULL if level is None else level, "width": width, **drawn}
    write_plots(drawing.plots, lambda: score_plots(scores, **settings), paths)
    show(text, output.out, paths)


def compare(
    output: Output,
    hypothesis: str = argument("HYP.m2", "M2 file of the system; - is stdin."),
    references: list[str] = argument("REF.m2", "M2 files of the references, usually one."),
    mode: str = option(
        "cs",
        "--mode",
        "Compare correction spans (cs), also their types (cse), detection spans (ds) or tokens (dt).",
        "cs|cse|ds|dt",
    ),
    single: bool = switch("--single", "Compare only edits of at most one token a side."),
    multi: bool = switch("--multi", "Compare only edits of two or more tokens on a side."),
    filter: Several = FILTER,
    category: int | None = CATEGORY,
    beta: float = BETA,
    verbose: bool = switch("--verbose", "Show every sentence, and the annotators chosen for it."),
    exact: bool = switch("--exact", "Match edits one to one; choose each sentence's reference by itself."),
    compat: Literal["errant", "cherrant"] = option(
        "errant", "--compat", "Score as errant, or as cherrant for files as ChERRANT writes them."
    ),
    strict: bool = STRICT,
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
    from jperrant.evaluation.metrics.system_score import Sides, check_types, evaluate
    from jperrant.evaluation.score_tables import format_scores
    from jperrant.evaluation.scoring import Request
    from jperrant.io.files import check_outputs
    from jperrant.reporting.errant_table import format_compare, verbose_lines

    inputs = [hypothesis, *references]
    kind, out = output.kind(), output.out
    check_outputs([out], inputs)
    options = {"mode": mode, "beta": beta, "single": single, "multi": multi, "exact": exact}
    options["filter"] = tuple(filter or ())
    pairs = None
    if compat == "cherrant":
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
    several = f"{' and '.join(references)} are references for {hypothesis}; score takes several systems"
    say([*score.warnings, *([several] if len(references) > 1 else ())])
    if kind != "text":
        level = FULL if category is None else category
        extras = analyse([score], level=level, per_sentence=verbose)
        show(format_scores(extras, kind, types=category is not None), out, inputs)
        return
    table = format_compare(score, scorer, category)
    lines = verbose_lines(score, scorer, pairs[0]) if pairs and verbose else []
    show("".join([*(f"{line}\n" for line in lines), table]), out, inputs)


def explain(
    inputs: NamedInputs,
    output: Output,
    sentences: str | None = option(None, "--sentences", "Show these sentences, from 1.", "1,5-9", _SHOWN),
    method: str = option(
        "",
        "--method",
        "Contribution of an edit: mean gain over all orders, gain alone, or loss without it.",
        "shapley|add|sub",
        _SHOWN,
    ),
    by_type: bool = switch("--by-type", "Show mean contributions by type.", _SHOWN),
) -> None:
    """Show how a metric comes to its score, sentence by sentence.

    cleme and cleme2 show chunks, uot transport plans; any other metric, or several, contributions of edits.

    Example: jperrant explain system.m2 --ref gold.m2 -m cleme2 --sentences 1,5-9
    """
    from jperrant.cli.output import say, show
    from jperrant.evaluation.explain import explain_pairs, parse_sentences, what_explains
    from jperrant.evaluation.scoring import requested
    from jperrant.io.files import check_outputs
    from jperrant.reporting.explanations import FORMATS, format_explanation

    paths = inputs.paths()
    check_outputs([output.out], paths)
    asked = inputs.arguments()
    kind = what_explains(asked["metrics"], method, by_type)
    layout = output.kind(known=FORMATS[kind])
    numbers = parse_sentences(sentences) if sentences is not None else ()
    request = requested(**asked, shown=True)
    scorers, pairs = request.scorers, request.pairs()
    say(note for pair in pairs for note in pair.notes)
    found, notes = explain_pairs(scorers, pairs, numbers, method, by_type)
    say(notes)
    title = f"{', '.join(pair.name for pair in pairs)} against the references"
    show(format_explanation(found, kind, layout, by_type=by_type, title=title), output.out, paths)


def report(
    inputs: NamedInputs,
    drawing: Drawing,
    samples: int | None = SAMPLES,
    seed: int = SEED,
    baseline: str = BASELINE,
    title: str = TITLE,
    sentences: int = option(5000, "--sentences", "Show at most N sentences.", "N", OUTPUT, min=0),
    out: str = OUT,
    _quiet: bool = QUIET,
) -> None:
    """Write one page that shows systems side by side: figures, error types, and every sentence.

    Example: jperrant report a.m2 b.m2 --ref gold.m2 --lang en -o report.html
    """
    from jperrant.cli.output import check_plots, say, score_plots, to_terminal, write_plots
    from jperrant.core.errors import UsageError
    from jperrant.evaluation.statistics.significance import check_baseline
    from jperrant.io.files import check_outputs
    from jperrant.reporting.html.page import check_page
    from jperrant.reporting.html.report import METRICS, SAMPLES, ReportOptions
    from jperrant.reporting.html.report import report as make

    drawn = SAMPLES if samples is None else samples
    ReportOptions(title, samples=drawn, seed=seed, sentences=sentences)  # refused before anything takes long
    width = check_plots(drawing.plots, drawing.plot_width)
    paths = inputs.paths()
    check_outputs([out], paths)
    check_page(out)
    if out == "-" and to_terminal():
        raise UsageError("the page is HTML, which a terminal does not show; give -o FILE.html, or a pipe")
    asked = inputs.arguments(METRICS)
    check_baseline([*asked["systems"]], baseline)
    asked |= {"title": title, "samples": drawn, "seed": seed, "sentences": sentences, "baseline": baseline}
    page = make(**asked)
    say(page.warnings)
    settings = {"width": width, "samples": drawn, "seed": seed}
    write_plots(drawing.plots, lambda: score_plots(page.scores, **settings), paths)
    page.save(out, paths)


def metrics(
    name: str | None = argument(
        "NAME", "A metric, to show its options; all if left out.", None, complete=metric_names
    ),
    format: str | None = FORMAT,
    json: bool = SHORT_JSON,
) -> None:
    """List the metrics and what each needs, or show the options of one.

    Example: jperrant metrics cleme2
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import format_of
    from jperrant.evaluation.metric_names import importable
    from jperrant.reporting.listings import format_metric, format_metrics

    kind = format_of(format, json=json)
    if name is None:
        say(importable()[1])
    show(format_metrics(kind) if name is None else format_metric(name, kind))

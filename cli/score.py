"""``jperrant score``: any metric over M2, for one system or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from jperrant.cli.metric_options import MetricCommand, given_options
from jperrant.cli.options import Category, EncoderLang, Json, Strict

#: Written out, since asking the registry means looking at all installed packages before the program starts.
_METRIC = (
    "errant, cleme, cleme2, uot, pt-errant, m2, pt-m2, goto, gleu, green, imeasure, wer, cer, some, "
    "impara, scribendi, perplexity, llm-s, llm-e, or one of another package."
)


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("score", cls=MetricCommand)(score)


def score(
    ctx: typer.Context,
    files: Annotated[
        list[str], typer.Argument(metavar="HYP.m2... REF.m2", help="Systems; the last file is the reference.")
    ],
    metric: Annotated[str, typer.Option("--metric", help=_METRIC)] = "errant",
    format: Annotated[
        str, typer.Option("--format", metavar="text|json|tsv|latex|md", help="Layout.")
    ] = "text",
    json: Json = False,
    per_sentence: Annotated[
        str | None,
        typer.Option(
            "--per-sentence",
            metavar="FILE",
            help="Also write each sentence, as TSV or, to FILE.jsonl, as JSON.",
        ),
    ] = None,
    category: Category = None,
    groups: Annotated[
        bool, typer.Option("--groups", help="Types in the groups that all languages share (docs/labels.md).")
    ] = False,
    macro: Annotated[bool, typer.Option("--macro", help="Add the mean over types.")] = False,
    ci: Annotated[bool, typer.Option("--ci", help="Add 95 % bootstrap intervals.")] = False,
    paired_bs: Annotated[
        bool, typer.Option("--paired-bs", help="Paired bootstrap against the first.")
    ] = False,
    paired_ar: Annotated[
        bool, typer.Option("--paired-ar", help="Paired approximate randomisation against the first.")
    ] = False,
    rank: Annotated[
        bool, typer.Option("--rank", help="Rank systems by TrueSkill and Expected Wins over sentences.")
    ] = False,
    samples: Annotated[
        int | None, typer.Option("--samples", help="Samples drawn; 1000, or 10000 for --paired-ar.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random numbers.")] = 12345,
    lang: EncoderLang = None,
    strict: Strict = False,
) -> None:
    """Score systems with any metric, with intervals and paired tests.

    Example: jperrant score first.m2 second.m2 gold.m2 --ci --paired-bs
    """
    from jperrant.cli.output import say, show
    from jperrant.core.tables import check_format
    from jperrant.evaluation.analysis import analyse
    from jperrant.evaluation.breakdown import grouped_by_packs
    from jperrant.evaluation.run import score_files
    from jperrant.io.files import check_output
    from jperrant.report.scores import format_scores, format_sentences

    kind = "json" if json else format
    check_format(kind)
    if per_sentence is not None:
        check_output(per_sentence, files)
    options = given_options(ctx, metric, lang)
    whole = _plans_shown(options, kind, per_sentence)
    scores = score_files(files, metric, strict=strict, **options)
    if groups:
        scores, warnings = grouped_by_packs(scores)
        say(warnings)
        category = 2 if category is None else category
    extras = analyse(
        scores,
        level=3 if category is None else category,
        per_sentence=per_sentence is not None or whole,
        macro=macro,
        ci=ci,
        paired_bs=paired_bs,
        paired_ar=paired_ar,
        samples=samples,
        seed=seed,
        rank=rank,
    )
    text = format_scores(scores, extras, kind, types=category is not None)
    for one in scores:
        say(one.warnings)
    if per_sentence is not None:
        rows = format_sentences(scores, "jsonl" if per_sentence.endswith(".jsonl") else "tsv")
        show(rows, per_sentence, files)
    show(text)


def _plans_shown(options: Mapping[str, Any], format: str, per_sentence: str | None) -> bool:
    """Return whether plans were asked for, refusing layouts that have no place for them."""
    from jperrant.core.errors import UsageError

    wanted = bool(options.get("plans"))
    if wanted and format != "json" and not (per_sentence or "").endswith(".jsonl"):
        raise UsageError("--plans are JSON: add --format json, or --per-sentence FILE.jsonl")
    return wanted

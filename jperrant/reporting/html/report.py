"""The report page: what systems do, side by side, in one file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any, Unpack, cast

from jperrant.core.display import shorten
from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.core.paths import optional_path
from jperrant.evaluation.analysis import check_samples
from jperrant.evaluation.inputs import References, Source, Systems
from jperrant.evaluation.metrics.base import Pair, Scorer, annotations_of
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.score_tables import mark_notes
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.scoring import TextKeywords, evaluate_all, requested
from jperrant.evaluation.statistics.significance import SEED
from jperrant.reporting.html.chunk_data import chunk_data
from jperrant.reporting.html.glossary import glossary, labels_of
from jperrant.reporting.html.inputs import InputFile, input_files
from jperrant.reporting.html.overview import overviews
from jperrant.reporting.html.page import render_page
from jperrant.reporting.html.saved import SavedPage
from jperrant.reporting.html.sentences import SentenceData, sentence_values
from jperrant.reporting.html.type_figures import TypeFigures, type_figures
from jperrant.reporting.html.type_tables import difference_data, type_levels

#: The metrics of a report that names none.
METRICS = ("errant", "cleme2")
#: Sentences that a page holds at most unless more are asked for: above it becomes slow to open.
MOST_SENTENCES = 5000
SAMPLES = 1000
#: Parts of the page's script, in the order in which they need each other.
_SCRIPTS = ("_text", "_details", "_types", "_sentences", "_filters", "_list", "")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a report shows and how.

    Attributes:
        title: What stands above it; made of the systems' names if empty.
        lang: Code of the language, for the glossary and the fonts.
        pack: A folder with a pack of one's own, for the glossary.
        samples, seed: Of intervals and tests.
        sentences: The most sentences that the page holds.
        up: The file of the page that this one is part of; empty for none.
        groups: The group of each label; those of all packs if empty.
    """

    title: str = ""
    lang: str | None = None
    pack: str | None = None
    samples: int = SAMPLES
    seed: int = SEED
    sentences: int = MOST_SENTENCES
    up: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_samples(self.samples, self.seed)
        if self.sentences < 0:
            raise UsageError(f"found {self.sentences} sentences for the page, expected 0 or more")


@dataclass(frozen=True, repr=False)
class Report(SavedPage):
    """A report as one self-contained page; a notebook shows it.

    Attributes:
        title: Its title.
        scores: The figures it is about.
        html: The page.
        warnings: One line for each thing that a reader of the figures should know.
    """

    title: str
    scores: Scores
    html: str = field(repr=False)
    warnings: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        systems = plural(len(self.scores.systems), "system")
        sentences = plural(self.scores[0].sentences, "sentence")
        return f"<Report {shorten(self.title)}: {systems}, {sentences}, {len(self.html) // 1000} kB>"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, which sees nothing of the notebook."""
        return (
            f'<iframe srcdoc="{escape(self.html)}" title="{escape(self.title)}" width="100%" height="720" '
            'sandbox="allow-scripts allow-downloads"></iframe>'
        )


def report(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = METRICS,
    title: str = "",
    samples: int = SAMPLES,
    seed: int = SEED,
    sentences: int = MOST_SENTENCES,
    **texts: Unpack[TextKeywords],
) -> Report:
    """Return a page that shows systems side by side: figures, error types, and every sentence.

    Args:
        systems, references, source: As of :func:`jperrant.score`.
        metrics: The metrics. Outcomes of edits and figures by type are those of the first one that has any.
        title: Title of the page.
        samples, seed: Of bootstrap intervals and paired tests.
        sentences: The most sentences that the page holds.
        **texts: ``lang``, ``raw``, ``models`` and the like, as of :func:`jperrant.score`. The language and the pack
            also name the types in the glossary, and choose fonts.

    Returns:
        The report, which a notebook shows and ``save`` writes.

    Raises:
        UsageError, InputError: As of :func:`jperrant.score`.

    Example:
        >>> page = jperrant.report(["a.m2", "b.m2"], "gold.m2", metrics=["errant", "cleme2"])
        >>> page.save("report.html")
    """
    asked = ReportOptions(
        title, texts.get("lang"), optional_path(texts.get("pack")), samples, seed, sentences
    )
    request = requested(systems, references, source=source, metrics=metrics, shown=True, **texts)
    return make_report(request.scorers, request.pairs(), asked, input_files(request.inputs))


def make_report(
    scorers: Sequence[Scorer],
    pairs: Sequence[Pair],
    options: ReportOptions | None = None,
    inputs: Sequence[InputFile] = (),
) -> Report:
    """Return the report of systems that have been read.

    Args:
        scorers: The metrics.
        pairs: The systems with their references.
        options: What is shown and how.
        inputs: What was read, for the head.

    Raises:
        PackError: There is no such language or pack.
    """
    if options and (options.lang or options.pack):
        labels_of(options.lang, options.pack, ())  # before anything takes long
    return report_of(evaluate_all([_with_plans(scorer) for scorer in scorers], pairs), pairs, options, inputs)


def report_of(
    scores: Scores,
    pairs: Sequence[Pair],
    options: ReportOptions | None = None,
    inputs: Sequence[InputFile] = (),
) -> Report:
    """Return the report of systems that have been scored.

    Args:
        scores: The scores of all systems by all metrics.
        pairs: The systems with their references.
        options: What is shown and how.
        inputs: What was read, for the head.
    """
    options = options or ReportOptions()
    several_systems = len(pairs) > 1
    analyses = scores.analyse(
        ci=True,
        paired_bs=several_systems,
        rank=several_systems,
        samples=options.samples,
        seed=options.seed,
    )
    metrics = list(scores.by_metric().values())
    typed = next((own for own in metrics if any(score.by_type for score in own)), None)
    figures = type_figures(typed, pairs, options.samples, options.seed, options.groups) if typed else None
    title = options.title or _title(pairs)
    warnings = scores.warnings()
    shown = _Shown(metrics, pairs, options, figures)
    page = render_page(
        "report.html",
        title=title,
        up=options.up,
        styles=["report.css"],
        scripts=[f"report{part}.js" for part in _SCRIPTS],
        data=shown.data(),
        lead=_lead(pairs),
        inputs=inputs,
        metrics=overviews(scores, analyses),
        signatures=list(dict.fromkeys(score.signature for score in scores)),
        mark_notes=mark_notes(analyses),
        warnings=warnings,
        samples=options.samples,
        seed=options.seed,
        **shown.values(),
    )
    return Report(title, scores, page, warnings)


class _Shown:
    """What the sentences, the tables by type and the glossary of one page share."""

    def __init__(
        self,
        metrics: Sequence[Sequence[Score]],
        pairs: Sequence[Pair],
        options: ReportOptions,
        figures: TypeFigures | None,
    ) -> None:
        self.metrics, self.pairs, self.options, self.figures = metrics, pairs, options, figures
        self.chunk_scores = next((own for own in metrics if isinstance(own[0].scorer, ChunkScorer)), None)
        plans = next((own for own in metrics if _has_plans(own[0].scorer)), ())
        self.sentences = SentenceData(_judging(metrics, pairs), pairs, plans)
        self.rows = self.sentences.rows(options.sentences)
        self.keys = labels_of(options.lang, options.pack, self.sentences.types)
        self.join = self.keys.join if options.lang else " "
        self.types = type_levels(figures) if figures else None

    def values(self) -> dict[str, object]:
        """Return what the template names of all this."""
        return {
            "systems": [pair.name for pair in self.pairs],
            "types": self.types,
            "glossary": glossary(self.pairs, self.keys),
            "pack": self.keys.name,
            "lang": self.options.lang or "",
            "join": self.join,
            "total": len(self.sentences.passages),
            "held": len(self.rows),
            "has_references": bool(self.pairs[0].references),
            "has_chunks": self.chunk_scores is not None,
            "has_plans": bool(self.sentences.plans),
        }

    def data(self) -> dict[str, object]:
        """Return the blocks of data of the page."""
        systems = [pair.name for pair in self.pairs]
        most = self.options.sentences
        blocks: dict[str, object] = {
            "sentences": {
                "systems": systems,
                "types": list(self.sentences.types),
                "metrics": [
                    [own[0].metric, own[0].scorer.main, own[0].scorer.lower_is_better] for own in self.metrics
                ],
                "values": [sentence_values(own, most) for own in self.metrics],
                "join": self.join,
                "lang": self.options.lang or "",
                "judged": bool(self.pairs[0].references),
                "rows": self.rows,
            }
        }
        if self.figures:
            blocks["differences"] = difference_data(self.figures)
        if self.chunk_scores:
            blocks["chunks"] = chunk_data(self.chunk_scores, self.pairs, self.sentences.passages[:most])
        if self.sentences.plans:
            blocks["plans"] = self.sentences.plans
        return blocks


def _judging(metrics: Sequence[Sequence[Score]], pairs: Sequence[Pair]) -> Sequence[Score]:
    """Return the scores that say which reference counts in each sentence: ERRANT's, made if there are none."""
    own = next((own for own in metrics if isinstance(own[0].scorer, ErrantScorer)), None)
    if own is not None or not pairs[0].references:
        return own or metrics[0]
    return evaluate(ErrantScorer(), pairs)


def _with_plans(scorer: Scorer) -> Scorer:
    return replace(cast(Any, scorer), plans=True) if _has_plans(scorer) else scorer


def _has_plans(scorer: Scorer) -> bool:
    """Return whether a scorer can give plans, as UOT's does, which is imported only where it is asked for."""
    return hasattr(scorer, "plans")


def _title(pairs: Sequence[Pair]) -> str:
    names = [pair.name for pair in pairs]
    if len(names) > 4:
        return f"Comparison of {len(names)} systems"
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]


def _lead(pairs: Sequence[Pair]) -> str:
    references = pairs[0].references
    annotators = {a.annotator for block in references for a in annotations_of(block)}
    against = f", {plural(len(annotators), 'reference')}" if references else ", no references"
    sentences = len(references or pairs[0].hypothesis)
    return f"{plural(len(pairs), 'system')}, {sentences:,} sentence{'s' * (sentences != 1)}{against}"

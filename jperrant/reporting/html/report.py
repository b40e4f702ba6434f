"""The report page: systems side by side, in one file: figures, error types and sentences."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack, cast

from jperrant.core.display import file_names, labels, shorten
from jperrant.core.errors import UsageError
from jperrant.core.messages import plural
from jperrant.core.paths import optional_path
from jperrant.core.values import Block, Edit
from jperrant.evaluation.analysis import Analysis
from jperrant.evaluation.explain import TN
from jperrant.evaluation.inputs import Inputs, References, Source, Systems
from jperrant.evaluation.metrics.base import Candidate, Pair, Scorer, annotations_of
from jperrant.evaluation.metrics.cleme.chunks import LabelledSentence
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.errant import ErrantScorer
from jperrant.evaluation.metrics.system_score import Score, evaluate, prepare_references
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.score_tables import mark_notes, marks_of
from jperrant.evaluation.scoring import TextKeywords, evaluate_all, requested
from jperrant.evaluation.statistics.significance import SEED, check_samples
from jperrant.io.files import STDIO
from jperrant.packs.keys import PackKeys
from jperrant.reporting.html.page import SavedPage, labels_of, operation_and_label, render_page, value_name
from jperrant.reporting.html.sentence_data import Passage, SentenceData, sentence_values
from jperrant.reporting.html.types import type_figures

#: The default metrics of a report.
METRICS = ("errant", "cleme2")
#: The default for the most sentences of a page; pages with more open slowly.
MOST_SENTENCES = 5000
SAMPLES = 1000
#: With more than ``_FEW`` systems, names beside sentences and above columns are cut to ``_NARROW`` letters.
_FEW, _NARROW = 4, 22
#: The meaning of CLEME2.0's rates.
MEANINGS = {
    "hit": "needed changes that were made as in a reference",
    "wrong": "needed changes that were made differently",
    "under": "needed changes that were not made",
    "over": "changes where none was needed, as a share of all changes made",
}
#: A letter for each label of a chunk.
LETTERS = {"TP": "t", "FPne": "w", "FPun": "n", "FN": "m", TN: "-"}
#: The number of source tokens that an example of the glossary shows on each side.
_CONTEXT = 5
#: Parts of the page's script; each needs those before it.
_SCRIPTS = ("_text", "_details", "_types", "_sentences", "_filters", "_list", "")


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """The options of a report.

    Attributes:
        title: The heading; the systems' names if empty.
        lang: Code of the language, for the glossary and the fonts.
        pack: A folder with a pack of one's own, for the glossary.
        samples, seed: The number of samples of intervals and tests, and the seed.
        sentences: The most sentences that the page holds.
        baseline: The system that the others are tested against; the first if empty.
        groups: The group of each label; those of all packs if empty.
    """

    title: str = ""
    lang: str | None = None
    pack: str | None = None
    samples: int = SAMPLES
    seed: int = SEED
    sentences: int = MOST_SENTENCES
    baseline: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_samples(self.samples, self.seed)
        if self.sentences < 0:
            raise UsageError(f"found {self.sentences} sentences for the page, expected 0 or more")


@dataclass(frozen=True, repr=False)
class Report(SavedPage):
    """A report as one self-contained page; a notebook shows it.

    Attributes:
        title: The title of the page.
        scores: The scores on the page.
        html: The page.
        warnings: Warnings about the figures, a line each.
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
        """Return the page in a frame of its own, which cannot access the notebook."""
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
    baseline: str = "",
    **texts: Unpack[TextKeywords],
) -> Report:
    """Return a page that shows systems side by side: figures, error types, and every sentence.

    Args:
        systems, references, source: As in :func:`jperrant.score`.
        metrics: The metrics. Outcomes of edits and figures by type are those of the first one that has any.
        title: Title of the page.
        samples, seed: The number of samples of bootstrap intervals and paired tests, and the seed.
        sentences: The most sentences that the page holds.
        baseline: The name of the system that the others are tested against; the first if empty.
        **texts: The keywords of :func:`jperrant.score` about texts (``lang``, ``raw``, ``models`` …). The language
            and the pack also describe the types in the glossary and choose fonts.

    Returns:
        The report, which a notebook shows and ``save`` writes.

    Raises:
        UsageError, InputError: As in :func:`jperrant.score`.

    Example:
        >>> page = jperrant.report(["a.m2", "b.m2"], "gold.m2", metrics=["errant", "cleme2"])
        >>> page.save("report.html")
    """
    asked = ReportOptions(
        title, texts.get("lang"), optional_path(texts.get("pack")), samples, seed, sentences, baseline
    )
    request = requested(systems, references, source=source, metrics=metrics, shown=True, **texts)
    if asked.lang or asked.pack:
        labels_of(asked.lang, asked.pack, ())  # before anything takes long
    pairs = request.pairs()
    scores = evaluate_all([_with_plans(scorer) for scorer in request.scorers], pairs)
    return report_of(scores, pairs, asked, input_files(request.inputs))


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
        options: The options of the report.
        inputs: The input files, for the section about the report.
    """
    options = options or ReportOptions()
    several, metrics = len(pairs) > 1, list(scores.by_metric().values())
    drawn = {
        "samples": options.samples,
        "seed": options.seed,
        "baseline": options.baseline if several else "",
    }
    analyses = scores.analyse(ci=True, paired_bs=several, rank=several, **drawn)
    typed = next((own for own in metrics if any(score.by_type for score in own)), None)
    types = typed and type_figures(typed, pairs, options.samples, options.seed, options.groups)
    plans = next((own for own in metrics if _has_plans(own[0].scorer)), ())
    sentences = SentenceData(_judging(metrics, pairs), pairs, plans)
    data = _blocks(metrics, pairs, sentences, options.sentences)
    keys = labels_of(options.lang, options.pack, sentences.types)
    data["sentences"] |= {"join": keys.join if options.lang else " ", "lang": options.lang or ""}
    data |= {"differences": types.differences()} if types else {}
    systems = data["sentences"]["systems"]
    title, warnings = options.title or _title(systems), scores.warnings()
    unchanged = [
        pair.name for pair in pairs if not any(a.edits for b in pair.hypothesis for a in b.annotations)
    ]
    page = render_page(
        "report.html",
        title=title,
        styles=["report.css"],
        scripts=[f"report{part}.js" for part in _SCRIPTS],
        data=data,
        options=options,
        lead=_lead(pairs),
        inputs=inputs,
        metrics=_overviews(scores, analyses, unchanged),
        meanings={name: MEANINGS[name] for own in metrics for name in own[0].values if name in MEANINGS},
        unchanged=unchanged,
        shown=Shown(dict(zip((pair.name for pair in pairs), systems, strict=True)), inputs),
        signatures=list(dict.fromkeys(score.signature for score in scores)),
        mark_notes=mark_notes(analyses),
        warnings=warnings,
        types=types,
        glossary=glossary(pairs, keys),
        pack=keys.name,
        total=len(sentences.passages),
        page=data["sentences"],
        blocks_of=data,
    )
    return Report(title, scores, page, warnings)


def _blocks(
    metrics: Sequence[Sequence[Score]], pairs: Sequence[Pair], sentences: SentenceData, most: int
) -> dict[str, Any]:
    """Return the data that the page's script reads: the sentences, and for some metrics chunks and plans."""
    systems, scorers = file_names([pair.name for pair in pairs]), [own[0].scorer for own in metrics]
    held: dict[str, Any] = {
        "systems": systems,
        "short": labels(systems, _NARROW) if len(systems) > _FEW else labels(systems),
        "rows": sentences.rows(most),
        "types": list(sentences.types),
        "metrics": [
            [own[0].metric, value_name(scorer, scorer.main), scorer.lower_is_better]
            for own, scorer in zip(metrics, scorers, strict=True)
        ],
        "values": [sentence_values(own, most) for own in metrics],
        "judged": bool(pairs[0].references),
    }
    blocks: dict[str, Any] = {"sentences": held}
    chunked = next((own for own in metrics if isinstance(own[0].scorer, ChunkScorer)), None)
    blocks |= {"chunks": chunk_data(chunked, pairs, sentences.passages[:most])} if chunked else {}
    return blocks | ({"plans": sentences.plans} if sentences.plans else {})


class Shown:
    """Removes the folders of this machine from names of systems and from warnings that name files.

    Args:
        systems: The name of each system on the page, by its full name.
        inputs: The input files.
    """

    def __init__(self, systems: Mapping[str, str], inputs: Sequence[InputFile]) -> None:
        files = [one.name for one in inputs if one.sha256]
        names = dict(zip(files, file_names(files), strict=True)) | {
            name: short for name, short in systems.items() if name != short
        }
        # The longest path first, as one may be the beginning of another.
        self._names = sorted(names.items(), key=lambda pair: -len(pair[0]))

    def __call__(self, text: str) -> str:
        """Return a text with short names."""
        for name, short in self._names:
            text = text.replace(name, short)
        return text


@dataclass(frozen=True, slots=True)
class MetricOverview:
    """A metric over all systems.

    Attributes:
        name: The name of the metric on the page.
        scored: Each system's score, its analysis, and its marks of significance.
        ranked: The same, the best system first by the main value.
        best: For each value the text of the best figure among the systems that change something; empty for one
            system.
        ticks: The numbers on the axis of the main values and their intervals; the first and the last are its ends.
    """

    name: str
    scored: tuple[tuple[Score, Analysis, Mapping[str, str]], ...]
    ranked: tuple[tuple[Score, Analysis, Mapping[str, str]], ...]
    best: Mapping[str, str]
    ticks: tuple[float, ...]


def _overviews(
    scores: Scores, analyses: Sequence[Analysis], unchanged: Collection[str]
) -> list[MetricOverview]:
    """Return the overview of each metric; each score comes with its analysis."""
    with_score = {id(score): analysis for score, analysis in zip(scores, analyses, strict=True)}
    return [
        _overview(name, [(score, with_score[id(score)]) for score in own], unchanged)
        for name, own in scores.by_metric().items()
    ]


def _overview(
    name: str, scored: Sequence[tuple[Score, Analysis]], unchanged: Collection[str]
) -> MetricOverview:
    scorer = scored[0][0].scorer
    main, sign = scorer.main, 1 if scorer.lower_is_better else -1
    best = {}
    for value in scored[0][0].values:
        known = [
            own
            for score, _ in scored
            if score.hypothesis not in unchanged and not math.isnan(own := score.values[value])
        ]
        best[value] = (
            f"{(min if scorer.better_lower(value) else max)(known):.4f}"
            if len(scored) > 1 < 1 + len(known)
            else ""
        )
    marked = [(score, analysis, marks_of(analysis)) for score, analysis in scored]
    ranked = sorted(marked, key=lambda one: math.inf if math.isnan(v := one[0].values[main]) else sign * v)
    shown = [score.values[main] for score, _ in scored]
    ends = [analysis.intervals[main] for _, analysis in scored if main in analysis.intervals]
    shown += [end for one in ends for end in (one.low, one.high)]
    return MetricOverview(name, tuple(marked), tuple(ranked), best, _ticks(shown))


def _ticks(values: Sequence[float]) -> tuple[float, ...]:
    """Return round numbers around all values, for an axis."""
    known = [value for value in values if math.isfinite(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    span = high - low or abs(high) or 1.0
    step = 10 ** math.floor(math.log10(span / 3))
    step = next(step * k for k in (1, 2, 5, 10) if span / (step * k) <= 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    return tuple([round(n * step, 10) for n in range(first, max(last, first + 1) + 1)])


def _judging(metrics: Sequence[Sequence[Score]], pairs: Sequence[Pair]) -> Sequence[Score]:
    """Return ERRANT's scores, computed if need be: they choose the reference of each sentence."""
    own = next((own for own in metrics if isinstance(own[0].scorer, ErrantScorer)), None)
    if own is not None or not pairs[0].references:
        return own or metrics[0]
    return evaluate(ErrantScorer(), pairs)


def _with_plans(scorer: Scorer) -> Scorer:
    return replace(cast(Any, scorer), plans=True) if _has_plans(scorer) else scorer


def _has_plans(scorer: Scorer) -> bool:
    """Return whether a scorer gives transport plans, as UOT's does; UOT is imported only if it is used."""
    return hasattr(scorer, "plans")


def _title(names: Sequence[str]) -> str:
    if len(names) > 4:
        return f"Comparison of {len(names)} systems"
    return ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]


def _lead(pairs: Sequence[Pair]) -> str:
    references = pairs[0].references
    annotators = {a.annotator for block in references for a in annotations_of(block)}
    against = f", {plural(len(annotators), 'reference')}" if references else ", no references"
    sentences = len(references or pairs[0].hypothesis)
    return f"{plural(len(pairs), 'system')}, {sentences:,} sentence{'s' * (sentences != 1)}{against}"


def chunk_data(
    scores: Sequence[Score], pairs: Sequence[Pair], passages: Sequence[Passage]
) -> list[list[list[Any]]]:
    """Return the tables of each passage and system; none for sentences that no annotation changes.

    A table is ``[chosen, offset, annotators, chunks]``: the annotator whose reference counts, or null under the
    independent assumption; the first token; the annotators of the references. A chunk is ``[start, end, letter,
    hypothesis, reference …]`` in tokens of the block; a cell is null where it is as in the source.

    Args:
        scores: The score of each system by CLEME or CLEME2.0.
        pairs: The blocks of each system.
        passages: The passages on the page.
    """
    scorer = scores[0].scorer
    assert isinstance(scorer, ChunkScorer)
    independent = scorer.assumption == "independent"
    labelled = scorer.labelled(pairs, prepare_references(scorer, pairs))
    rows: list[list[list[Any]]] = []
    for passage in passages:
        systems = []
        for score, pair, own, blocks in zip(scores, pairs, labelled, passage.blocks, strict=True):
            tables, offset = [], 0
            for number in blocks:
                chosen = _chosen(own[number], score.combined[number])
                if chosen.partition.regions:
                    annotator = None if independent else chosen.annotator
                    tables.append([annotator, offset, list(chosen.partition.annotators), _chunks(chosen)])
                offset += len(pair.hypothesis[number].source)
            systems.append(tables)
        rows.append(systems)
    return rows


def _chosen(labelled: Sequence[LabelledSentence], combined: Candidate) -> LabelledSentence:
    return next((one for one in labelled if one.annotator == combined.reference), labelled[0])


def _chunks(labelled: LabelledSentence) -> list[list[Any]]:
    partition = labelled.partition
    letters = {mark.region: LETTERS[mark.label.letters] for mark in labelled.labels}
    return [
        [start, end, letters.get(region, LETTERS[TN])]
        + [
            None if chunks[region] is None else " ".join(partition.tokens(chunks, region))
            for chunks in (partition.hypothesis, *partition.references)
        ]
        for region, (start, end) in enumerate(partition.regions)
    ]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the glossary: an error type that occurs.

    Attributes:
        type: The type.
        description: The pack's description of its label; empty if no pack knows the label.
        references, systems: The numbers of edits of this type in the references and in the systems.
        before, edit, after: An example: an edit of this type, of a reference if possible, with the source tokens
            around it.
        source: The tokens that the edit replaces.
    """

    type: str
    description: str
    references: int
    systems: int
    before: tuple[str, ...]
    source: tuple[str, ...]
    edit: Edit
    after: tuple[str, ...]


def glossary(pairs: Sequence[Pair], keys: PackKeys) -> list[Entry]:
    """Return an entry for each type that occurs, sorted by type.

    Args:
        pairs: The systems with their references.
        keys: The pack, as :func:`labels_of` returns it.
    """
    counts: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    examples: dict[str, tuple[Block, Edit]] = {}
    sides = [pairs[0].references, *(pair.hypothesis for pair in pairs)]
    for number, blocks in enumerate(sides):
        for block, edit in ((b, edit) for b in blocks for a in annotations_of(b) for edit in a.edits):
            counts[min(number, 1)][edit.type] += 1
            examples.setdefault(edit.type, (block, edit))
    return [_entry(type_, counts, *examples[type_], keys) for type_ in sorted(examples)]


def _entry(
    type_: str, counts: tuple[Counter[str], Counter[str]], block: Block, edit: Edit, keys: PackKeys
) -> Entry:
    operation, label = operation_and_label(type_)
    described = keys.labels.get(label, "")
    return Entry(
        type_,
        f"{operation}: {described}" if operation and described else described,
        counts[0][type_],
        counts[1][type_],
        block.source[max(0, edit.start - _CONTEXT) : edit.start],
        block.source[edit.start : edit.end],
        edit,
        block.source[edit.end : edit.end + _CONTEXT],
    )


@dataclass(frozen=True, slots=True)
class InputFile:
    """One input of a page.

    Attributes:
        role: ``system``, ``references`` or ``source``.
        name: The path as given; a description if the input is not a file.
        size: The number of bytes; None if the input is not a file.
        sha256: The SHA-256 of the bytes, in hexadecimal; empty if the input is not a file.
    """

    role: str
    name: str
    size: int | None = None
    sha256: str = ""


def input_file(role: str, given: object, name: str = "") -> InputFile:
    """Return the name, size and checksum of an input.

    Args:
        role: ``system``, ``references`` or ``source``.
        given: A path; anything else is a value from Python.
        name: The name of an input that is not a path.
    """
    if not isinstance(given, str | PathLike) or fspath(given) == STDIO:
        return InputFile(role, name or role)
    path = Path(fspath(given))
    if not path.is_file():  # a pipe, which was read
        return InputFile(role, fspath(given))
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return InputFile(role, fspath(given), path.stat().st_size, digest)


def input_files(inputs: Inputs) -> list[InputFile]:
    """Return the inputs of a report in their roles.

    Args:
        inputs: Systems, references and source.
    """
    files = [
        input_file("system", given, inputs.hypothesis_name(n)) for n, given in enumerate(inputs.hypotheses)
    ]
    files += [input_file("references", given) for given in inputs.references]
    return files if inputs.source is None else [*files, input_file("source", inputs.source)]

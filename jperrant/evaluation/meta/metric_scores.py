"""Scores of a metric over a data set: one for each system, and one for each of its sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.core.values import Block
from jperrant.core.version import VERSION
from jperrant.encoders.models import fingerprint
from jperrant.evaluation.inputs import SAME, Input
from jperrant.evaluation.meta.dataset import MetaDataset, Reference, known_means
from jperrant.evaluation.metric_names import make_scorers, parse_spec
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import Request, requested
from jperrant.evaluation.statistics.ranking import expected_wins, sentence_points, trueskill

#: The number of characters of a text: a baseline that no metric should fall behind.
LENGTH = "length"
#: Not said here: a text that is left as it is is judged as a system, on purpose.
_UNCHANGED = f" (system) and the text (source) {SAME}"
#: How the score of a system comes from its sentences.
AGGREGATIONS = {
    "corpus": "the metric's own score of the whole text",
    "mean": "the mean of the sentences' scores",
    "trueskill": "TrueSkill over the sentences",
    "ew": "Expected Wins over the sentences",
}


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The scores of one metric.

    Attributes:
        name: What tables call the metric.
        systems: The systems, in the order of the data set.
        corpus: The score of each system, shape ``(systems,)``; NaN where it has none.
        sentences: The score of each sentence of each system, shape ``(systems, sentences)``; NaN where it has
            none, and of shape ``(systems, 0)`` where only scores of systems are known.
        lower_is_better: Whether a lower score is the better one.
        signature: One line that pins what the scores depend on; empty if it is not known.
        notes: What users should know about the scores, one line each.
    """

    name: str
    systems: tuple[str, ...]
    corpus: FloatArray
    sentences: FloatArray = field(repr=False)
    lower_is_better: bool = False
    signature: str = ""
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def sign(self) -> int:
        """What scores are multiplied by so that a higher one is better: 1 or -1."""
        return -1 if self.lower_is_better else 1

    @property
    def has_sentences(self) -> bool:
        """Whether scores of sentences are known."""
        return bool(self.sentences.shape[1])

    def select(self, systems: Sequence[str]) -> MetricScores:
        """Return the scores of some systems, in the order given.

        Raises:
            UsageError: There are no scores of one of them.
        """
        rows = []
        for system in systems:
            if system not in self.systems:
                raise UsageError(
                    f"metric {self.name!r} has no scores of system {system!r}{nearest(system, self.systems)}"
                )
            rows.append(self.systems.index(system))
        return replace(self, systems=tuple(systems), corpus=self.corpus[rows], sentences=self.sentences[rows])

    def aggregate(self, aggregation: str = "corpus") -> FloatArray:
        """Return one score for each system, in the metric's own direction for ``corpus`` and ``mean``.

        TrueSkill and Expected Wins turn lower-is-better scores around: a higher skill is always better.

        Args:
            aggregation: One of ``AGGREGATIONS``.

        Raises:
            UsageError: The aggregation needs scores of sentences that are not known.
        """
        if aggregation == "corpus":
            return self.corpus
        if not self.has_sentences:
            raise UsageError(
                f"metric {self.name!r} has no scores of sentences, which aggregation {aggregation!r} needs; "
                "use corpus"
            )
        if aggregation == "mean":
            return known_means(self.sentences)
        points = self.sign * self.sentences
        return trueskill(points) if aggregation == "trueskill" else expected_wins(points)

    def aggregate_sign(self, aggregation: str) -> int:
        """Return what :meth:`aggregate` is multiplied by so that a higher figure is better."""
        return self.sign if aggregation in ("corpus", "mean") else 1


@dataclass(frozen=True, slots=True)
class Computation:
    """How metrics are computed over a data set.

    Attributes:
        metrics: The metrics: those of the registry with their options (``gleu:variant=corrected``), or ``length``.
        sets: The sets of references.
        lang: Code of the language; that of the data set if None. Needed by metrics that look at edits.
        models: What annotates texts, as in :func:`jperrant.load`.
        cache: Folder that keeps annotations from run to run, and what language models answer.
        edits: The edits of systems whose texts are not to be annotated; if there are any, only these systems count.
        labels: What results call the metrics whose own names are not to be used.
    """

    metrics: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    lang: str | None = None
    models: str = "compact"
    cache: str = ""
    edits: Mapping[str, Sequence[Block]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def all_scores(self, dataset: MetaDataset) -> list[MetricScores]:
        """Return the scores of the metrics over each set of references; of several sets, metrics say which.

        Raises:
            UsageError, MissingError: As :meth:`scores`.
        """
        if len(self.sets) < 2:
            return self.scores(dataset, *self.sets)
        return [
            replace(one, name=f"{one.name} {name}")
            for name in self.sets
            for one in self.scores(dataset, name)
        ]

    def scores(self, dataset: MetaDataset, references: str | Sequence[Reference] = "") -> list[MetricScores]:
        """Return the scores of the metrics.

        Args:
            dataset: The texts.
            references: The name of a set of references of the data set, or references over its sentences; none for
                metrics that need none.

        Raises:
            UsageError: An unknown metric, option or set of references, or no references although a metric needs
                them.
            MissingError: A model is missing.
        """
        specs, names = list(dict.fromkeys(self.metrics)), tuple(self.edits) or dataset.system_names
        scored = [spec for spec in specs if spec != LENGTH]
        scores = self.request(dataset, scored, references).scores() if scored else Scores()
        by_metric = iter(scores.by_metric().items() if scores else ())
        found = [
            _length(dataset, names) if spec == LENGTH else _of_metric(*next(by_metric), names)
            for spec in specs
        ]
        return [
            replace(one, name=self.labels.get(spec, one.name)) for spec, one in zip(specs, found, strict=True)
        ]

    def request(
        self, dataset: MetaDataset, specs: Sequence[str], references: str | Sequence[Reference] = ""
    ) -> Request:
        """Return what asks for scores of the systems; texts are annotated once for all metrics.

        Args:
            dataset, references: As in :meth:`scores`.
            specs: Metrics of the registry, each with its options.

        Raises:
            UsageError, MissingError: As :meth:`scores`.
        """
        if isinstance(references, str):
            references = dataset.reference_set(references) if references else ()
        lang = self.lang or dataset.lang or None
        names = tuple(self.edits) or dataset.system_names
        inputs: dict[str, Input] = {name: self.edits.get(name, dataset.systems[name]) for name in names}
        scorers = make_scorers(specs, lang, kept_answers(specs, self.cache))
        for scorer in scorers:
            if scorer.needs_references and not references:
                known = ", ".join(dataset.references)
                has = f"name one of its sets: {known}" if known else "it has none"
                raise UsageError(
                    f"metric {scorer.name!r} needs references of {dataset.name}: {has}; more are read with --ref "
                    "FILE or FOLDER, and chosen with --set NAME"
                )
        return requested(
            inputs,
            list(references) or None,
            source=dataset.sources,
            metrics=scorers,
            lang=lang,
            models=self.models if any(scorer.needs_edits for scorer in scorers) else None,
            cache=self.cache,
        )


def _length(dataset: MetaDataset, systems: Sequence[str]) -> MetricScores:
    """Return the pseudo-metric that prefers long texts: characters of each sentence, and their sum.

    It needs neither references nor an idea of grammar, so that a metric that does not beat it says nothing. It is
    the one that gec-metrics tests its meta-evaluation with.
    """
    counts = np.array(
        [[len(sentence) for sentence in dataset.systems[name]] for name in systems], dtype=float
    )
    return MetricScores(LENGTH, tuple(systems), counts.sum(axis=1), counts, signature=f"{LENGTH}|v:{VERSION}")


def kept_answers(specs: Sequence[str], cache: str) -> dict[str, str]:
    """Return the option of metrics that keeps answers of language models in a folder; none without a folder.

    What is answered stays if the run is stopped, and is not asked, or paid for, again. A model on this machine
    stands for its content.
    """
    models = [Path(str(parse_spec(spec)[1].get("llm_model") or "-")) for spec in specs]
    content = " ".join(fingerprint(model) for model in models if model.is_dir())
    key = hashlib.sha256(content.encode()).hexdigest()[:16]
    return {"llm_cache": str(Path(cache) / f"answers-{key}.sqlite")} if cache else {}


def _of_metric(name: str, scores: Sequence[Score], systems: tuple[str, ...]) -> MetricScores:
    """Return the scores of one metric in its own direction."""
    scorer = scores[0].scorer
    sign = -1 if scorer.lower_is_better else 1
    return MetricScores(
        name,
        systems,
        np.array([score.values[scorer.main] for score in scores]),
        sign * sentence_points(scores) if len(scores) > 1 else np.empty((len(scores), 0)),
        scorer.lower_is_better,
        scores[0].signature,
        tuple(dict.fromkeys(n for score in scores for n in score.warnings if not n.endswith(_UNCHANGED))),
    )

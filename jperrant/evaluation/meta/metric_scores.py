"""The scores of metrics on a data set for meta-evaluation, by system and by sentence."""

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
from jperrant.encoders.hugging_face import fingerprint
from jperrant.evaluation.inputs import SAME, Input
from jperrant.evaluation.meta.dataset import MetaDataset, Reference, known_means
from jperrant.evaluation.metric_names import make_scorers, parse_spec
from jperrant.evaluation.metrics.system_score import Score
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.scoring import Request, requested
from jperrant.evaluation.statistics.ranking import expected_wins, sentence_points, trueskill

#: A baseline metric: the number of characters of a text. Every metric should agree better with human scores.
LENGTH = "length"
#: The end of a warning that is dropped: data sets include the unchanged source as a system on purpose.
_UNCHANGED = f" (system) and the text (source) {SAME}"
#: The ways from sentence scores to system scores.
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
        name: The name of the metric in tables.
        systems: The names of the systems, in the order of the data set.
        corpus: The score of each system, shape ``(systems,)``; NaN for a missing score.
        sentences: The score of each sentence, shape ``(systems, sentences)``, or ``(systems, 0)`` if only system
            scores are known; NaN for a missing score.
        lower_is_better: Whether lower scores are better.
        signature: The signature of the metric, one line; empty if unknown.
        notes: Notes about the scores, one line each.
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
        """The factor that makes higher scores better: 1 or -1."""
        return -1 if self.lower_is_better else 1

    @property
    def has_sentences(self) -> bool:
        """Whether sentence scores are known."""
        return bool(self.sentences.shape[1])

    def select(self, systems: Sequence[str]) -> MetricScores:
        """Return the scores of some systems, in the order given.

        Raises:
            UsageError: A system has no scores.
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
        """Return one score for each system, shape ``(systems,)``.

        ``corpus`` and ``mean`` keep the metric's direction. TrueSkill and Expected Wins are higher for better
        systems, whatever the direction of the metric.

        Args:
            aggregation: One of ``AGGREGATIONS``.

        Raises:
            UsageError: The aggregation needs sentence scores, which are unknown.
        """
        if aggregation == "corpus":
            return self.corpus
        if not self.has_sentences:
            raise UsageError(
                f"metric {self.name!r} has no scores of sentences, which aggregation {aggregation!r} needs; "
                "use aggregation 'corpus'"
            )
        if aggregation == "mean":
            return known_means(self.sentences)
        points = self.sign * self.sentences
        return trueskill(points) if aggregation == "trueskill" else expected_wins(points)

    def aggregate_sign(self, aggregation: str) -> int:
        """Return the factor that makes higher results of :meth:`aggregate` better: 1 or -1."""
        return self.sign if aggregation in ("corpus", "mean") else 1


@dataclass(frozen=True, slots=True)
class Computation:
    """The metrics to compute on a data set, and how.

    Attributes:
        metrics: Names of metrics with their options (``gleu:variant=corrected``), or ``length``.
        sets: The sets of references; metrics are computed against each.
        lang: The code of the language, which metrics that use edits need; that of the data set if None.
        models: The models that annotate texts, as in :func:`jperrant.load`.
        cache: A folder that keeps annotations and answers of language models between runs; empty for none.
        edits: Given edits by system, used instead of annotating texts. If there are any, only these systems are
            scored.
        labels: Names of metrics in results, by their specification in ``metrics``.
    """

    metrics: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    lang: str | None = None
    models: str = "compact"
    cache: str = ""
    edits: Mapping[str, Sequence[Block]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)

    def all_scores(self, dataset: MetaDataset) -> list[MetricScores]:
        """Return the scores of the metrics against each set of references; several sets are named with the metrics.

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
        """Return the scores of the metrics against one set of references.

        Args:
            dataset: The data set.
            references: The name of a set of references, or the references themselves; empty for metrics that need
                none.

        Raises:
            UsageError: A metric, option or set of references is unknown, or a metric lacks the references that it
                needs.
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
        """Return the request that scores the systems; texts are annotated once for all metrics.

        Args:
            dataset, references: As in :meth:`scores`.
            specs: Names of metrics with their options.

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
                    f"metric {scorer.name!r} needs references of {dataset.name}: {has}; --ref FILE or FOLDER adds "
                    "references, and --set NAME chooses a set"
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
    """Return the scores of the baseline ``length``: the characters of each sentence, and their sum.

    gec-metrics tests its meta-evaluation with the same baseline.
    """
    counts = np.array(
        [[len(sentence) for sentence in dataset.systems[name]] for name in systems], dtype=float
    )
    return MetricScores(LENGTH, tuple(systems), counts.sum(axis=1), counts, signature=f"{LENGTH}|v:{VERSION}")


def kept_answers(specs: Sequence[str], cache: str) -> dict[str, str]:
    """Return the option ``llm_cache`` of metrics, a file in the cache folder; no option without a folder.

    Answers survive an interrupted run, so no question is asked, or paid for, twice. The name of the file depends on
    the weights of local models.
    """
    models = [Path(str(parse_spec(spec)[1].get("llm_model") or "-")) for spec in specs]
    content = " ".join(fingerprint(model) for model in models if model.is_dir())
    key = hashlib.sha256(content.encode()).hexdigest()[:16]
    return {"llm_cache": str(Path(cache) / f"answers-{key}.sqlite")} if cache else {}


def _of_metric(name: str, scores: Sequence[Score], systems: tuple[str, ...]) -> MetricScores:
    """Return the scores of one metric over all systems, in the metric's own direction."""
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

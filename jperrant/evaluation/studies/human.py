"""Metrics against people in a study: what is read of a study file, and what its steps compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.values import Block
from jperrant.evaluation.meta.analyses import MetaOptions
from jperrant.evaluation.meta.computed import Computation
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.evaluation import MetaEvaluation, analyse
from jperrant.evaluation.meta.metric_scores import LENGTH, MetricScores
from jperrant.evaluation.meta.score_table import read_score_tables
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.studies.content import annotator_content, checksum_of_file, key_of, scorer_content
from jperrant.evaluation.studies.input_file import InputFile
from jperrant.evaluation.studies.records import document_of, value_of


@dataclass(frozen=True, slots=True)
class HumanStudy:
    """Metrics that are compared with the judgements of people.

    Attributes:
        name: Its name in the study file.
        dataset: Texts, references, and what people said of them.
        metrics: The metrics: for each label how it is written with its options.
        sets: The sets of references.
        lang: Code of the language; empty for that of the data set.
        models: What annotates texts.
        edits: Edits of systems whose texts are not annotated.
        scores: Tables of scores of other metrics, or folders.
        lower: The metrics of these tables of which a lower score is better.
        analyses: What is computed.
        options: What is compared with what.
        files: The files that it names; those of the data set's folder, and of folders of references, are not
            listed.
        notes: What was noted of its files.
    """

    name: str
    dataset: MetaDataset
    metrics: Mapping[str, str]
    sets: tuple[str, ...]
    lang: str
    models: str
    edits: Mapping[str, Sequence[Block]]
    scores: tuple[InputFile, ...]
    lower: tuple[str, ...]
    analyses: tuple[str, ...]
    options: MetaOptions
    files: tuple[InputFile, ...] = ()
    notes: tuple[str, ...] = ()

    def computation(self, metrics: Sequence[str], cache: str) -> Computation:
        """Return how metrics are computed.

        Args:
            metrics: The metrics with their options.
            cache: Folder that keeps annotations and encodings.
        """
        lang = self.lang or None
        labels = {spec: label for label, spec in reversed(list(self.metrics.items()))}
        return Computation(tuple(metrics), self.sets, lang, self.models, cache, self.edits, labels)

    def texts_content(self) -> list[Any]:
        """Return what scores of metrics depend on: texts, references and how they are annotated."""
        dataset = self.dataset
        references = {
            name: [[document_of(one) for one in text] for text in dataset.reference_set(name)]
            for name in self.sets
        }
        edits = {name: [document_of(block) for block in blocks] for name, blocks in self.edits.items()}
        return [
            dataset.sources,
            list(dataset.systems.items()),
            references,
            edits,
            self.lang or dataset.lang,
            self.models,
        ]

    def judgements_content(self) -> list[Any]:
        """Return what analyses depend on besides scores of metrics."""
        dataset = self.dataset
        judged = [document_of(one) for one in dataset.judgements.values()]
        human = [(name, list(scores.items())) for name, scores in dataset.human.items()]
        tables = [
            # A folder gives its metric the name that results have.
            [table.path.resolve().name, [checksum_of_file(file.path) for file in files_of_table(table)]]
            for table in self.scores
        ]
        options = asdict(self.options)
        return [
            dataset.name,
            judged,
            human,
            list(dataset.groups.items()),
            tables,
            self.lower,
            self.analyses,
            options,
        ]

    def metric_content(self, label: str) -> list[Any]:
        """Return what the scores of one metric depend on besides the texts."""
        spec = self.metrics[label]
        if spec == LENGTH:
            return [label, LENGTH]
        lang = self.lang or self.dataset.lang
        [scorer] = make_scorers([spec], {}, lang or None)
        models: list[Any] = []
        if scorer.uses_edits and lang:
            models = annotator_content(AnnotatorOptions(lang, models=self.models))
        return [label, scorer_content(scorer), models]

    def rate(self, label: str, cache: str) -> list[Any]:
        """Return the scores of one metric over each set of references, as documents."""
        scores = self.computation([self.metrics[label]], cache).all_scores(self.dataset)
        several = len(self.sets) > 1
        named = [replace(one, name=f"{label} {one.references}" if several else label) for one in scores]
        return [document_of(one) for one in named]

    def analyse(self, rated: Sequence[Any], cache: str) -> dict[str, Any]:
        """Return the results of all analyses as a document.

        Args:
            rated: What :meth:`rate` returned for each metric.
            cache: Folder that keeps annotations and encodings.
        """
        metrics = self.scores_of(rated)
        computation = self.computation(list(self.metrics.values()), cache)
        found = analyse(self.dataset, metrics, self.options, self.analyses, self.notes, computation)
        return {"results": document_of(found.results), "notes": list(found.notes)}

    def evaluation_of(self, rated: Sequence[Any], document: Mapping[str, Any]) -> MetaEvaluation:
        """Return the meta-evaluation of documents.

        Args:
            rated: What :meth:`rate` returned for each metric.
            document: What :meth:`analyse` returned.
        """
        results = value_of(document["results"])
        return MetaEvaluation(
            self.dataset, self.options, tuple(self.scores_of(rated)), results, tuple(document["notes"])
        )

    def scores_of(self, rated: Sequence[Any]) -> list[MetricScores]:
        """Return the scores of all metrics, and those of tables."""
        scores: list[MetricScores] = [value_of(one) for documents in rated for one in documents]
        tables = {str(table.path): table.written for table in self.scores}
        return scores + read_score_tables(tables, self.dataset, self.lower)


def files_of_table(table: InputFile) -> list[InputFile]:
    """Return the files of a table of scores: itself, or those of a folder."""
    if not table.path.is_dir():
        return [table]
    return [
        InputFile(path, f"{table.written}/{path.relative_to(table.path).as_posix()}", True)
        for path in sorted(table.path.rglob("*.txt"))
    ]


def key_of_rating(study: HumanStudy, label: str, versions: Mapping[str, str], texts: str) -> str:
    """Return the key of the scores of one metric.

    Args:
        study: Texts and metrics.
        label: The metric.
        versions: What computes them.
        texts: The key of the texts.
    """
    return key_of("rate", versions, study.metric_content(label), texts)

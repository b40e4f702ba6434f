"""The chunk tables of Ye et al. (2023): how a system's sentences were cut and labelled, as values to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jperrant.core.display import shown
from jperrant.core.messages import plural
from jperrant.evaluation.metrics.base import Candidate, Pair, values_of
from jperrant.evaluation.metrics.cleme.chunks import Chunks, LabelledSentence
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.score import prepare_references

#: The label of a chunk that is rightly left alone.
TN = "TN"


@dataclass(frozen=True, slots=True)
class ChunkRow:
    """One line of a table.

    Attributes:
        name: ``source``, ``reference 0`` … or ``hypothesis``.
        cells: The tokens of each chunk.
        changed: Whether it has edits there.
        chosen: Whether it is the reference that the labels are about.
    """

    name: str
    cells: tuple[tuple[str, ...], ...]
    changed: tuple[bool, ...]
    chosen: bool = False

    def __repr__(self) -> str:
        return (
            f"<ChunkRow {shown(self.name)}: {plural(len(self.cells), 'chunk')}, {sum(self.changed)} changed>"
        )


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """A sentence, cut into chunks.

    Attributes:
        sentence: Its number, from 1.
        hypothesis: The name of the system.
        spans: The half-open range of source tokens of each chunk.
        rows: Source, references and hypothesis.
        labels: ``TP``, ``FPne``, ``FPun``, ``FN`` or ``TN`` for each chunk.
        weights: The weight of each chunk; empty where chunks are counted.
        values: The sentence's own values.
    """

    sentence: int
    hypothesis: str
    spans: tuple[tuple[int, int], ...]
    rows: tuple[ChunkRow, ...]
    labels: tuple[str, ...]
    weights: tuple[float, ...]
    values: Mapping[str, float]

    def __repr__(self) -> str:
        return (
            f"<ChunkTable of sentence {self.sentence} (counted from 1), {shown(self.hypothesis)}: "
            f"{plural(len(self.spans), 'chunk')}, {plural(len(self.rows), 'row')}>"
        )


def chunk_tables(scorer: ChunkScorer, pair: Pair, sentences: Sequence[int] = ()) -> list[ChunkTable]:
    """Return the tables of sentences of one system, labelled as they count in its score.

    Args:
        scorer: The metric; chooses references over the whole pair.
        pair: The system and its references.
        sentences: The numbers of the sentences, from 1; if empty all in which somebody changes something.
    """
    wanted = sentences or range(1, len(pair.hypothesis) + 1)
    [labelled], _ = scorer.weighted(scorer.labelled([pair], prepare_references(scorer, [pair])))
    candidates = [tuple([scorer.candidate(labelling) for labelling in sentence]) for sentence in labelled]
    combined = scorer.combine(candidates)
    tables = []
    for number in wanted:
        chosen = combined[number - 1]
        index = next(n for n, candidate in enumerate(candidates[number - 1]) if candidate is chosen)
        if labelled[number - 1][index].partition.regions or sentences:
            tables.append(_table(scorer, pair.name, number, labelled[number - 1][index], chosen))
    return tables


def _table(
    scorer: ChunkScorer, name: str, number: int, labelled: LabelledSentence, candidate: Candidate
) -> ChunkTable:
    partition = labelled.partition
    labels = {mark.region: mark.label.letters for mark in labelled.labels}
    weights = dict(zip([mark.region for mark in labelled.labels], labelled.weights or (), strict=False))
    regions = [region for *_, region in partition.spans]
    nobody: Chunks = (None,) * len(partition.regions)
    independent = scorer.assumption == "independent"
    rows = [
        _row("source", labelled, nobody),
        *(
            _row(
                f"reference {annotator}",
                labelled,
                chunks,
                chosen=number == labelled.reference and not independent,
            )
            for number, (annotator, chunks) in enumerate(
                zip(partition.annotators, partition.references, strict=True)
            )
        ),
        _row("hypothesis", labelled, partition.hypothesis),
    ]
    return ChunkTable(
        number,
        name,
        tuple([span[:2] for span in partition.spans]),
        tuple(rows),
        tuple([labels.get(region, TN) if region is not None else TN for region in regions]),
        tuple([weights.get(region, 1.0) if region is not None else 1.0 for region in regions])
        if labelled.weights is not None
        else (),
        values_of(scorer, candidate.row),
    )


def _row(name: str, labelled: LabelledSentence, chunks: Chunks, chosen: bool = False) -> ChunkRow:
    partition = labelled.partition
    cells, changed = [], []
    for start, end, region in partition.spans:
        cells.append(partition.source[start:end] if region is None else partition.tokens(chunks, region))
        changed.append(region is not None and chunks[region] is not None)
    return ChunkRow(name, tuple(cells), tuple(changed), chosen)

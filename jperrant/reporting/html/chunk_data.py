"""The chunk tables of a page: where each sentence is cut, what stands in each chunk, and its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jperrant.evaluation.metrics.base import Candidate, Pair
from jperrant.evaluation.metrics.cleme.chunk_tables import TN
from jperrant.evaluation.metrics.cleme.chunks import LabelledSentence
from jperrant.evaluation.metrics.cleme.scorer import ChunkScorer
from jperrant.evaluation.metrics.score import Score, prepare_references
from jperrant.reporting.html.sentences import Passage

#: Of each label a letter that stands for it.
LETTERS = {"TP": "t", "FPne": "w", "FPun": "n", "FN": "m", TN: "-"}


def chunk_data(
    scores: Sequence[Score], pairs: Sequence[Pair], passages: Sequence[Passage]
) -> list[list[list[Any]]]:
    """Return for each passage and system its tables, none for sentences that nobody changes.

    A table is ``[chosen, offset, annotators, chunks]``: the annotator whose reference counts, or null under the
    independent assumption; the first token; the annotators of the references. A chunk is ``[start, end, letter,
    hypothesis, reference …]`` in tokens of the block; a cell is null where it is as in the source.

    Args:
        scores: Each system by CLEME or CLEME2.0.
        pairs: The blocks of each system.
        passages: What is shown.
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

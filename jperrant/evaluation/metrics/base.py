"""What every metric shares: pairs of annotations in, rows of sufficient statistics, values out.

A metric is three steps, of which only the first sees sentences::

    pairs ──candidates──▶ rows, one per hypothesis annotator x reference annotator of a sentence
          ──choose──────▶ one row per sentence
          ──values──────▶ a pure function of summed rows

so that intervals, paired tests and breakdowns by type (``significance``, ``breakdown``) know no metric.
Values that are means over sentences fit too: the row then holds the sentence's value and a 1 to divide by.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import Protocol, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError
from jperrant.core.values import Annotation, Block

#: Statistics that may be summed, in the order of ``Scorer.columns``; int where the metric counts.
Row: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One system's blocks and the blocks of its references, sentence by sentence.

    Systems that share their references share one ``references`` object, so that a scorer can derive what it
    needs from it once.

    Attributes:
        hypothesis, references: As many blocks on both sides.
        name: The hypothesis in tables and messages.
        notes: What was done while reading or aligning that a person should know, one line each.
        aligned: How the sides were brought to the same blocks (``jp``); empty if they had the same.
        spans: Where they were aligned, the half-open range of the reference file's blocks that each block was
            made of; an empty range where the hypothesis has text which the references lack.
        varying: Whether sentences of these files have each their own number of annotators, so that there is
            nothing to warn of where one is missing.

    Raises:
        InputError: The sides do not have the same number of blocks.
    """

    hypothesis: Sequence[Block]
    references: Sequence[Block]
    name: str = "hypothesis"
    notes: tuple[str, ...] = ()
    aligned: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    varying: bool = False

    def __post_init__(self) -> None:
        if len(self.hypothesis) != len(self.references):
            raise InputError(
                f"{self.name}: {len(self.hypothesis)} sentences against {len(self.references)} of the "
                "references; align them first"
            )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to score a sentence: one hypothesis annotator against one reference annotator.

    Attributes:
        hypothesis, reference: The annotators' numbers.
        row: The statistics of the sentence.
        by_type: The same statistics for each error type.
        details: What else a metric has to tell of the sentence, ready for JSON (a transport plan, …).
    """

    hypothesis: int
    reference: int
    row: Row
    by_type: Mapping[str, Row] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)


#: The candidates of each sentence of one pair; never empty for a sentence.
Candidates: TypeAlias = Sequence[Sequence[Candidate]]


class Scorer(Protocol):
    """A metric with its options; holds no state that changes."""

    @property
    def name(self) -> str:
        """The metric, as the registry knows it."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics in a row."""

    @property
    def counts(self) -> tuple[str, ...]:
        """Those of the columns that are shown as counts."""

    @property
    def main(self) -> str:
        """The value that ranks systems; higher is better."""

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature, as ``name:value``."""

    def candidates(self, pairs: Sequence[Pair]) -> Sequence[Candidates]:
        """Return the candidates of every sentence for each pair; all pairs at once, to share work."""

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the index of the chosen candidate of each sentence."""

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed rows: ``(…, columns)`` to arrays of shape ``(…)``. A pure function."""

    def warnings(self, candidates: Candidates, chosen: Sequence[int]) -> list[str]:
        """Return one line for each convention of the metric that changed the figures of this system."""


@dataclass(frozen=True)
class Score:
    """The result of one metric for one system.

    Attributes:
        scorer: The metric.
        signature: One line that pins all that the figures depend on.
        hypothesis: The name of the system.
        candidates: All candidates of each sentence.
        chosen: The index of the one that counted.
        warnings: One line for each oddity of the files or of the metric that bears on the figures.
        spans: As in ``Pair``: the blocks of the reference file behind each sentence, if not one to one.
    """

    scorer: Scorer
    signature: str
    hypothesis: str
    candidates: Candidates
    chosen: tuple[int, ...]
    warnings: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.scorer.name

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.chosen)

    @cached_property
    def choices(self) -> tuple[Candidate, ...]:
        """The candidate of each sentence that counted."""
        return tuple(c[i] for c, i in zip(self.candidates, self.chosen, strict=True))

    @cached_property
    def total(self) -> Row:
        """The sum of the chosen rows."""
        return add_rows((c.row for c in self.choices), len(self.scorer.columns))

    @cached_property
    def rows(self) -> FloatArray:
        """The chosen rows, shape ``(sentences, columns)``."""
        rows = np.array([c.row for c in self.choices], dtype=np.float64)
        return rows.reshape(self.sentences, len(self.scorer.columns))

    @cached_property
    def by_type(self) -> dict[str, Row]:
        """The sum of the chosen rows for each error type, sorted by type."""
        rows: dict[str, list[Row]] = {}
        for choice in self.choices:
            for type_, row in choice.by_type.items():
                rows.setdefault(type_, []).append(row)
        return {type_: add_rows(rows[type_], len(self.scorer.columns)) for type_ in sorted(rows)}

    @property
    def counts(self) -> dict[str, float]:
        """The counts over all sentences, by name."""
        return counts_of(self.scorer, self.total)

    @property
    def values(self) -> dict[str, float]:
        """The values over all sentences, by name, not rounded."""
        return values_of(self.scorer, self.total)


def evaluate(scorer: Scorer, pairs: Sequence[Pair]) -> list[Score]:
    """Score each pair; what pairs share is worked out once.

    >>> from jperrant.core.values import Annotation, Block, Edit
    >>> from jperrant.evaluation.metrics.errant.scorer import ErrantScorer
    >>> edit = Edit(1, 2, ("is",), "R:VERB:SVA")
    >>> block = Block(("This", "are", "good"), (Annotation(0, (edit,)),))
    >>> [score] = evaluate(ErrantScorer(), [Pair([block], [block])])
    >>> score.values
    {'precision': 1.0, 'recall': 1.0, 'f': 1.0}
    """
    return scores_of(scorer, pairs, scorer.candidates(pairs))


def scores_of(scorer: Scorer, pairs: Sequence[Pair], found: Sequence[Candidates]) -> list[Score]:
    """Return the score of each pair from its candidates.

    Args:
        scorer: Made the candidates.
        pairs: The pairs.
        found: The candidates of each.
    """
    scores = []
    for pair, candidates in zip(pairs, found, strict=True):
        chosen = scorer.choose(candidates)
        said = [f"{pair.name}: {line}" for line in scorer.warnings(candidates, chosen)]
        notes = (*pair.notes, *pair_warnings(pair), *said)
        line = signature(scorer, pair)
        scores.append(Score(scorer, line, pair.name, candidates, tuple(chosen), notes, pair.spans))
    return scores


def annotations_of(block: Block) -> tuple[Annotation, ...]:
    """Return the annotations of a block; one without any was changed by nobody: annotator 0's noop."""
    return block.annotations or (Annotation(0),)


def signature(scorer: Scorer, pair: Pair) -> str:
    """Return the line that pins a score: metric, options, alignment, number of references and version.

    Where sentences differ in their number of references the range is given (``refs:1-2``). The alignment is
    named only if there was one (``align:jp``).
    """
    numbers = {len(annotations_of(block)) for block in pair.references} or {0}
    low, high = min(numbers), max(numbers)
    refs = f"refs:{high}" if low == high else f"refs:{low}-{high}"
    aligned = (f"align:{pair.aligned}",) if pair.aligned else ()
    return "|".join((scorer.name, *scorer.settings, *aligned, refs, f"v:{version('jperrant')}"))


def pair_warnings(pair: Pair) -> list[str]:
    """Return one line for each oddity of a pair that no metric can repair."""
    warnings = []
    differing = [
        i
        for i, (h, r) in enumerate(zip(pair.hypothesis, pair.references, strict=True))
        if h.source != r.source
    ]
    if differing:
        warnings.append(
            f"{pair.name}: the source differs from that of the references in {len(differing)} sentences, "
            f"first in sentence {differing[0]} (counted from 0); their edits cannot be compared"
        )
    for side, blocks in ((pair.name, pair.hypothesis), ("references", pair.references)):
        present = [{a.annotator for a in annotations_of(block)} for block in blocks]
        everyone = set().union(*present)
        lacking = [i for i, annotators in enumerate(present) if annotators != everyone]
        if lacking and not pair.varying:
            missing = ", ".join(str(a) for a in sorted(everyone - present[lacking[0]]))
            warnings.append(
                f"{side}: {len(lacking)} sentences lack an annotator, first sentence {lacking[0]} "
                f"(annotator {missing}); they are scored against the others only; where nothing was "
                "changed the file needs a noop line"
            )
    return warnings


def add_rows(rows: Iterable[Row], columns: int) -> Row:
    """Return the sum of rows, column by column from left to right; zeros if there are none."""
    total: list[float] = [0] * columns
    for row in rows:
        for at, number in enumerate(row):
            total[at] += number
    return tuple(total)


def counts_of(scorer: Scorer, row: Row) -> dict[str, float]:
    """Return the counts of a row by name."""
    named = dict(zip(scorer.columns, row, strict=True))
    return {name: named[name] for name in scorer.counts}


def values_of(scorer: Scorer, row: Row) -> dict[str, float]:
    """Return the values of a row by name, not rounded."""
    return {name: float(value) for name, value in scorer.values(np.array(row, dtype=np.float64)).items()}

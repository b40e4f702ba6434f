"""The metric protocol: the base class ``Scorer`` and the values that go in and out of it.

A metric computes its figures in four steps; only the first two see sentences::

    references ──prepare──▶ data that the metric derives from them, once for all systems
    pairs      ──candidates──▶ rows, one per hypothesis annotator x reference annotator of a sentence
               ──combine──▶ one row per sentence: the best candidate, or a mean of several
               ──values──▶ figures, a pure function of summed rows

Intervals, paired tests and breakdowns by type (``statistics``, ``analysis``) therefore work for every metric. For a
figure that is a mean over sentences, a row holds the value of the sentence and a 1 to divide by.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import check_options
from jperrant.core.values import Annotation, Block
from jperrant.evaluation.metrics.fmeasure import Level, means

#: Summable statistics in the order of ``Scorer.columns``; integers if the metric counts.
Row: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """The blocks of a system beside those of its references, sentence by sentence.

    Systems with the same references share one ``references`` object, which a metric processes once.

    Attributes:
        hypothesis: The blocks of the system.
        references: The blocks of the references, one for each block of the system; empty for metrics that need
            none.
        name: The name of the system in tables and messages.
        notes: Notes from reading and aligning, one line each.
        aligned: The method that aligned both sides to the same blocks (``jp``); empty without alignment.
        spans: The half-open range of reference blocks that each block covers, after an alignment; an empty range
            for text that the references lack.
        varying: Whether the number of annotators varies by sentence on purpose, so that missing annotators need no
            warning.
        first: The number of the first sentence in its file, from 1, for messages about parts of files.

    Raises:
        InputError: Both sides have blocks, but not the same number.
    """

    hypothesis: Sequence[Block]
    references: Sequence[Block] = ()
    name: str = "hypothesis"
    notes: tuple[str, ...] = ()
    aligned: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    varying: bool = False
    first: int = 1

    def __post_init__(self) -> None:
        if self.references and len(self.hypothesis) != len(self.references):
            raise InputError(
                f"{self.name}: found {plural(len(self.hypothesis), 'sentence')}, expected "
                f"{len(self.references)} as in the "
                "references; align the files first (jperrant align)"
            )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to score a sentence, usually one hypothesis annotator against one reference annotator.

    Attributes:
        hypothesis: The number of the hypothesis annotator.
        reference: The number of the reference annotator; None if no or several references were used.
        row: The statistics of the sentence.
        by_type: The statistics by error type.
        details: Further results of the metric for the sentence, as JSON values (a transport plan, …).
    """

    hypothesis: int
    reference: int | None
    row: Row
    by_type: Mapping[str, Row] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:  # a third faster than what the dataclass does
        return Candidate, (self.hypothesis, self.reference, self.row, self.by_type, self.details)


#: The candidates of each sentence of one pair, at least one for each sentence.
Candidates: TypeAlias = Sequence[Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class SystemCandidates:
    """The candidates of one system.

    Attributes:
        sentences: The candidates of each sentence.
        notes: Notes about the figures of the system, one line each.
    """

    sentences: Candidates
    notes: tuple[str, ...] = ()


class Scorer(ABC):
    """A metric with its options: a frozen dataclass without state, whose fields are the options.

    A subclass sets the class variables it needs and implements ``columns``, ``candidates``, ``combine`` and
    ``values``. It sets ``needs_corpus`` to False if it can score a corpus part by part.

    Attributes:
        name: The name of the metric.
        counts: The columns that are shown as counts.
        main: The name of the value that ranks systems.
        lower_is_better: Whether a lower ``main`` is better, as for an error rate.
        lower_values: The names of other values whose lower figures are better.
        needs_edits: Whether figures depend on edits and not only on texts; if not, texts need no language.
        per_reference: Whether a candidate depends only on its own reference, so that it can be reused with other
            sets of references.
        needs_references: Whether pairs must have references; if not, the metric gets none.
        refuses: The kinds of deviations from M2 that the metric cannot handle and that are therefore errors.
        joint: Whether the figures of a system depend on the other systems scored with it.
        where_missing: What warnings say about sentences without some annotator.

    Raises:
        UsageError: On construction: an option is unknown or out of its range.
    """

    name: ClassVar[str]
    counts: ClassVar[tuple[str, ...]] = ()
    main: ClassVar[str]
    lower_is_better: ClassVar[bool] = False
    lower_values: ClassVar[tuple[str, ...]] = ()
    needs_edits: ClassVar[bool] = True
    per_reference: ClassVar[bool] = False
    needs_references: ClassVar[bool] = True
    refuses: ClassVar[tuple[str, ...]] = ()
    joint: ClassVar[bool] = False
    where_missing: ClassVar[str] = "scored against the others only"

    def __post_init__(self) -> None:
        check_options(self)
        self.check()

    def check(self) -> None:  # noqa: B027
        """Check conditions on several options, such as two that exclude each other.

        Raises:
            UsageError: The options are incompatible.
        """

    def check_models(self) -> None:
        """Check that the models of the metric are on this machine, before files are read or texts annotated.

        By default this computes the signature, which contains the fingerprints of all models.

        Raises:
            MissingError: A model, or a package that runs it, is missing.
            JperrantError: A model is unusable.
        """
        _ = self.settings

    def check_annotators(self, annotators: Collection[int]) -> None:  # noqa: B027
        """Check that references have the annotators that the metric needs.

        Raises:
            UsageError: One is missing.
        """

    def check_types(self, types: Collection[str]) -> None:  # noqa: B027
        """Check that selectors of error types match some edits.

        Args:
            types: The types of all edits of systems and references.

        Raises:
            UsageError: A selector matches none.
        """

    @property
    def needs_corpus(self) -> bool:
        """Whether the metric must see all sentences at once (default: True).

        If not, large files are scored part by part: ``prepare`` and ``candidates`` see only the sentences of a
        part, ``combine`` also the totals of the parts before.
        """
        return True

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics in a row."""

    def better_lower(self, value: str) -> bool:
        """Whether lower figures of a value are better."""
        return value in self.lower_values or (self.lower_is_better and value == self.main)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature, as ``name:value``."""
        return ()

    def prepare(self, references: Sequence[Block], first: int = 1) -> Any:  # noqa: ARG002
        """Return data derived from references; called once for all systems that share them.

        Args:
            references: The blocks of the references.
            first: The number of the first sentence in its file, from 1, for messages.
        """
        return None

    @abstractmethod
    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> Sequence[SystemCandidates]:
        """Return the candidates of every sentence for each pair; all pairs come at once, so that they share work.

        Args:
            pairs: The systems with their references.
            prepared: The result of ``prepare`` for the references of each pair; one object for shared references.
        """

    @abstractmethod
    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return one candidate for each sentence: a chosen one, or one combined from several.

        Args:
            candidates: The candidates of each sentence.
            before: The summed rows of the parts before, for a choice by running totals; None for the first part.
        """

    @abstractmethod
    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed rows by name, a pure function from shape ``(…, columns)`` to ``(…)``."""

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Return notes, one line each, about conventions of the metric that affect the figures of this system."""
        return []


class LevelScorer(Scorer):
    """A metric whose figures come from summed counts or are means over sentences, by the option ``level``.

    At sentence level a row holds the counts, the values of the sentence, and a 1 to divide by.

    Attributes:
        summed: The names of the counts.
        measured: The names of the values.
    """

    level: Level
    summed: ClassVar[tuple[str, ...]]
    measured: ClassVar[tuple[str, ...]]

    @property
    def columns(self) -> tuple[str, ...]:
        """The counts; at sentence level also the values, and the number of sentences."""
        return self.summed if self.level == "corpus" else (*self.summed, *self.measured, "sentences")

    @abstractmethod
    def measure(self, counts: FloatArray) -> dict[str, FloatArray]:
        """Return the values of counts, of one sentence or summed, with the shapes of ``values``."""

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed counts, or the means of sentence values."""
        if self.level == "corpus":
            return self.measure(totals)
        return means(totals, self.measured, len(self.summed))


def annotations_of(block: Block) -> tuple[Annotation, ...]:
    """Return the annotations of a block; without any, an empty annotation by annotator 0."""
    return block.annotations or (Annotation(0),)


def check_sentences(pair: Pair, numbers: Iterable[int]) -> None:
    """Check that a pair has the sentences with given numbers, counted from 1.

    Raises:
        UsageError: A sentence does not exist.
    """
    for number in numbers:
        if not 1 <= number <= len(pair.hypothesis):
            raise UsageError(f"found sentence {number}, expected 1 to {len(pair.hypothesis)} for {pair.name}")


def add_rows(rows: Iterable[Row], columns: int) -> Row:
    """Return the sum of rows, added one after the other; zeros if there are none."""
    total: list[float] = [0] * columns
    for row in rows:
        for column, number in enumerate(row):
            total[column] += number
    return tuple(total)


def counts_of(scorer: Scorer, row: Row) -> dict[str, float]:
    """Return the counts of a row by name."""
    named = dict(zip(scorer.columns, row, strict=True))
    return {name: named[name] for name in scorer.counts}


def values_of(scorer: Scorer, row: Row) -> dict[str, float]:
    """Return the values of a row by name, not rounded."""
    return {name: float(value) for name, value in scorer.values(np.array(row, dtype=np.float64)).items()}

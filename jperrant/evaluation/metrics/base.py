"""The metric protocol: what a metric is given, what it returns, and what it says of itself.

A metric is four steps, of which only the first two see sentences::

    references ──prepare──▶ whatever the metric derives from them, once for all systems
    pairs      ──candidates──▶ rows, one per hypothesis annotator x reference annotator of a sentence
               ──combine──▶ one row per sentence: the best candidate, a mean of them, ...
               ──values──▶ a pure function of summed rows

so that intervals, paired tests and breakdowns by type (``statistics``, ``analysis``) know no metric. Values that
are means over sentences fit too: the row then holds the sentence's value and a 1 to divide by.
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

#: Statistics that may be summed, in the order of ``Scorer.columns``; int where the metric counts.
Row: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """One system's blocks and the blocks of its references, sentence by sentence.

    Systems that share their references share one ``references`` object, so that a metric derives what it needs
    from them once.

    Attributes:
        hypothesis: The blocks of the system.
        references: As many blocks; none at all for metrics that need no references.
        name: The hypothesis in tables and messages.
        notes: What was done while reading or aligning that users should know, one line each.
        aligned: How the two were aligned to the same blocks (``jp``); empty if they had the same.
        spans: Where they were aligned, the half-open range of the reference file's blocks that each block was
            made of; an empty range where the hypothesis has text which the references lack.
        varying: Whether sentences of these files have each their own number of annotators, so that there is
            nothing to warn of where one is missing.
        first: The number of the first sentence in the files, from 1, for messages: files may be scored a part at a
            time.

    Raises:
        InputError: The hypothesis and the references do not have the same number of blocks.
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
        hypothesis: The hypothesis annotator's number.
        reference: The reference annotator's number; None where no single reference was used.
        row: The statistics of the sentence.
        by_type: The same statistics for each error type.
        details: What else a metric has to tell of the sentence, ready for JSON (a transport plan, …).
    """

    hypothesis: int
    reference: int | None
    row: Row
    by_type: Mapping[str, Row] = field(default_factory=dict)
    details: Mapping[str, object] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:  # a third faster than what the dataclass does
        return Candidate, (self.hypothesis, self.reference, self.row, self.by_type, self.details)


#: The candidates of each sentence of one pair; never empty for a sentence.
Candidates: TypeAlias = Sequence[Sequence[Candidate]]


@dataclass(frozen=True, slots=True)
class SystemCandidates:
    """What a metric found of one system.

    Attributes:
        sentences: The candidates of each sentence.
        notes: What users should know about this system's figures, one line each.
    """

    sentences: Candidates
    notes: tuple[str, ...] = ()


class Scorer(ABC):
    """A metric with its options: a frozen dataclass whose fields are the options; it holds no state.

    A subclass sets the class variables it needs and writes ``candidates``, ``combine`` and ``values``. One that can
    be scored a part of the corpus at a time says so by ``needs_corpus``.

    Attributes:
        name: The metric, as the registry knows it.
        counts: The columns that are shown as counts.
        main: The value that ranks systems.
        lower_is_better: Whether a lower ``main`` is better, as for an error rate.
        lower_values: Other values of which a lower one is better.
        needs_edits: Whether the figures, with the options' defaults, depend on where edits are, and not only on the
            texts; if not, systems that come as texts need no language.
        per_reference: Whether a candidate depends on its own reference alone, so that candidates against some of
            the references can be combined without making them anew.
        needs_references: Whether pairs must have references; if not, the metric is given none.
        refuses: Kinds of format deviations of M2 files that the metric cannot use: errors even when reading
            leniently.
        joint: Whether a system's figures depend on the other systems that are scored with it.
        where_missing: What happens to a sentence that lacks an annotator whom others have.

    Raises:
        UsageError: When it is made: an option is not among its choices or out of its range.
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
        """Check what no single option can say, such as two that exclude each other.

        Raises:
            UsageError: The options do not go together.
        """

    def check_models(self) -> None:
        """Check that the models of the metric are on this machine; done before files are read or texts annotated.

        What the signature names is looked for, as it has the fingerprints of all models.

        Raises:
            MissingError: A model, or a package that runs it, is missing.
            JperrantError: A model cannot be used.
        """
        _ = self.settings

    def check_annotators(self, annotators: Collection[int]) -> None:  # noqa: B027
        """Check that the metric can be scored against references of some annotators.

        Raises:
            UsageError: An annotator that it needs is missing.
        """

    def check_types(self, types: Collection[str]) -> None:  # noqa: B027
        """Check that options which select edits by type select some.

        Args:
            types: The types of all edits of systems and references.

        Raises:
            UsageError: One selects none.
        """

    @property
    def needs_corpus(self) -> bool:
        """Whether all sentences must be there at once; yes, unless the metric says otherwise.

        If not, large files come a part at a time: ``prepare`` and ``candidates`` may look at nothing but their own
        sentences, and ``combine`` at those and the totals before them.
        """
        return True

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of the statistics in a row."""

    def better_lower(self, value: str) -> bool:
        """Whether a lower figure is the better one, for one of the metric's values."""
        return value in self.lower_values or (self.lower_is_better and value == self.main)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature, as ``name:value``."""
        return ()

    def prepare(self, references: Sequence[Block], first: int = 1) -> Any:  # noqa: ARG002
        """Return what the metric derives from references; called once for all systems that share them.

        Args:
            references: The blocks.
            first: The number of the first sentence in its file, from 1, for messages.
        """
        return None

    @abstractmethod
    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> Sequence[SystemCandidates]:
        """Return the candidates of every sentence for each pair.

        All pairs come at once, so that they can share work.

        Args:
            pairs: Systems and their references.
            prepared: For each pair what ``prepare`` returned for its references; the same object where these
                are shared.
        """

    @abstractmethod
    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return one candidate for each sentence: a chosen one, or one made of several.

        Args:
            candidates: Those of each sentence.
            before: The summed rows of the sentences before these, for a choice by the totals so far; None at the
                beginning.
        """

    @abstractmethod
    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed rows: ``(…, columns)`` to arrays of shape ``(…)``. A pure function."""

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Return one line for each convention of the metric that changed the figures of this system."""
        return []


class LevelScorer(Scorer):
    """A metric of counts whose figures are those of summed counts, or means over sentences (``level``).

    At sentence level rows hold behind the counts the sentence's own values, and a 1 to divide by.

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
        """Return the values of counts, summed or of one sentence; as ``values`` does."""

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values: of the summed counts, or their means over sentences."""
        if self.level == "corpus":
            return self.measure(totals)
        return means(totals, self.measured, len(self.summed))


def annotations_of(block: Block) -> tuple[Annotation, ...]:
    """Return the annotations of a block; one without any was changed by nobody: annotator 0's noop."""
    return block.annotations or (Annotation(0),)


def check_sentences(pair: Pair, numbers: Iterable[int]) -> None:
    """Refuse numbers of sentences, counted from 1, that a pair does not have.

    Raises:
        UsageError: There is no such sentence.
    """
    for number in numbers:
        if not 1 <= number <= len(pair.hypothesis):
            raise UsageError(f"found sentence {number}, expected 1 to {len(pair.hypothesis)} for {pair.name}")


def add_rows(rows: Iterable[Row], columns: int) -> Row:
    """Return the sum of rows, column by column from left to right; zeros if there are none."""
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

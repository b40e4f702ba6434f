"""The metric protocol: what a metric is given, what it returns, and what it says of itself.

A metric is four steps, of which only the first two see sentences::

    references ──prepare──▶ whatever the metric derives from them, once for all systems
    pairs      ──candidates──▶ rows, one per hypothesis annotator x reference annotator of a sentence
               ──combine──▶ one row per sentence: the best candidate, a mean of them, ...
               ──values──▶ a pure function of summed rows

so that intervals, paired tests and breakdowns by type (``statistics``, ``breakdown``) know no metric. Values that
are means over sentences fit too: the row then holds the sentence's value and a 1 to divide by.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, ClassVar, TypeAlias

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import plural
from jperrant.core.option import check_options
from jperrant.core.values import Annotation, Block

#: Statistics that may be summed, in the order of ``Scorer.columns``; int where the metric counts.
Row: TypeAlias = tuple[float, ...]


class Scope(Enum):
    """What the candidate that counts for a sentence depends on; so, which part of a corpus can be scored by itself.

    Attributes:
        SENTENCE: On the sentence alone. Any part can be scored by itself, and the rows of parts be joined.
        TOTALS: Also on the summed rows of the sentences before it. Parts can be scored one after the other.
        CORPUS: On all sentences; they must be there at once.
    """

    SENTENCE = "sentence"
    TOTALS = "totals"
    CORPUS = "corpus"


class BlockPart(tuple[Block, ...]):
    """Blocks that follow one another in a file.

    Args:
        blocks: The blocks.
        first: The number of the first one in its file, from 1.

    Attributes:
        first: As above.
    """

    first: int

    def __new__(cls, blocks: Iterable[Block], first: int = 1) -> BlockPart:
        """Make the part."""
        part = super().__new__(cls, blocks)
        part.first = first
        return part


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
    be scored a part of the corpus at a time says so by ``scope``.

    Attributes:
        name: The metric, as the registry knows it.
        description: What it measures, in half a sentence; the first line of its module if empty.
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
    description: ClassVar[str] = ""
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

    @property
    def uses_edits(self) -> bool:
        """Whether the figures depend on where edits are, with the options given."""
        return self.needs_edits

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
    def scope(self) -> Scope:
        """What the candidate that counts for a sentence depends on; everything, unless the metric says otherwise.

        With another scope, ``prepare`` and ``candidates`` are given the sentences of large files a part at a time,
        as ``BlockPart`` (whose sentences ``numbered`` counts), and may not depend on what else there is.
        """
        return Scope.CORPUS

    @property
    def needs_survey(self) -> bool:
        """Whether rows depend on sums over the corpus, so that all parts are surveyed before one is scored."""
        return False

    def survey(self, pairs: Sequence[Pair], prepared: Sequence[Any]) -> list[Row]:  # noqa: ARG002
        """Return for each system what rows depend on beyond their sentence; those of parts are added up.

        Args:
            pairs, prepared: As in ``candidates``.
        """
        return [()] * len(pairs)

    def surveyed(self, totals: Sequence[Row]) -> Scorer:  # noqa: ARG002
        """Return the metric for systems of which the whole corpus was surveyed.

        Args:
            totals: The sums of each system, in the order in which ``candidates`` is given the systems.
        """
        return self

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

    def prepare(self, references: Sequence[Block]) -> Any:  # noqa: ARG002
        """Return what the metric derives from references; called once for all systems that share them."""
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
    def combine(self, candidates: Candidates) -> list[Candidate]:
        """Return one candidate for each sentence: a chosen one, or one made of several."""

    @abstractmethod
    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return the values of summed rows: ``(…, columns)`` to arrays of shape ``(…)``. A pure function."""

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Return one line for each convention of the metric that changed the figures of this system."""
        return []


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


def numbered(blocks: Sequence[Block]) -> Iterator[tuple[int, Block]]:
    """Yield blocks with their numbers in their file, from 1."""
    return enumerate(blocks, start=first_number(blocks))


def first_number(blocks: Sequence[Block]) -> int:
    """Return the number of the first of some blocks in their file, from 1."""
    return blocks.first if isinstance(blocks, BlockPart) else 1


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

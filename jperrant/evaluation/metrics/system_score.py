"""The score of a system: a metric's rows of its sentences, their sums, and the values of these."""

from __future__ import annotations

import math
import pickle
import re
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.display import labels
from jperrant.core.errors import UsageError, nearest
from jperrant.core.messages import agree, plural, spoken
from jperrant.core.packages import import_extra
from jperrant.core.tables import Cell, Table, as_html
from jperrant.core.values import UNKNOWN, Block
from jperrant.core.version import VERSION
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    add_rows,
    annotations_of,
    counts_of,
    values_of,
)

T = TypeVar("T")


#: The number of sentences that follow one another, and what each has, pickled and compressed.
Part: TypeAlias = tuple[int, bytes]


class Packed(Sequence[T]):
    """One thing for each sentence of a large corpus: its candidates, or the one that counts.

    A candidate as an object takes half a kilobyte, compressed with its neighbours some five to fifty bytes. Each is
    made anew when it is asked for, so compare these by what they hold. Numbers come out as they went in.

    Args:
        parts: Sentences that follow one another, as ``pack`` returns them.
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(parts)
        self._starts = [0, *accumulate(size for size, _ in self.parts)]

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[T]:
        for part in self.parts:
            yield from _unpacked(part)

    def __reversed__(self) -> Iterator[T]:
        for part in reversed(self.parts):
            yield from reversed(_unpacked(part))

    def __getitem__(self, index: Any) -> Any:
        """Return what the sentence at an index has."""
        number = range(len(self))[index]
        part = bisect_right(self._starts, number) - 1
        return _unpacked(self.parts[part])[number - self._starts[part]]


def pack(things: Iterable[object]) -> Part:
    """Return what each of some sentences has as a part of ``Packed``."""
    kept = list(things)
    return len(kept), zlib.compress(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(part: Part) -> list[Any]:
    """Return what each sentence of a part has."""
    things: list[Any] = pickle.loads(zlib.decompress(part[1]))
    return things


def row_array(rows: Iterable[Row], columns: int) -> FloatArray:
    """Return rows as an array of shape ``(rows, columns)``, without a list of them in between."""
    flat = array("d")
    for row in rows:
        flat.extend(row)
    return np.array(flat, dtype=np.float64).reshape(-1, columns)


def eligible_rows(
    candidates: Candidates, combined: Iterable[Candidate], columns: int
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the rows that sentences may count with, and how many each has.

    Those of all candidates of a sentence, or of the combined one alone where no single reference was used.

    Args:
        candidates: Those of each sentence.
        combined: The one that counts for each sentence.
        columns: The length of the rows.
    """
    sizes = array("q")

    def eligible() -> Iterator[Row]:
        for those, own in zip(candidates, combined, strict=True):
            counted = [own.row] if own.reference is None else [c.row for c in those]
            sizes.append(len(counted))
            yield from counted

    rows = row_array(eligible(), columns)
    return rows, np.array(sizes, dtype=np.int64)


#: Edits of both sides from which on it is odd that none is shared.
_NONE_SHARED = 20
#: Types of edits on both sides from which on it is odd that few are shared.
_LABEL_SETS = 5
#: Characters that would split a part of a signature or its line, and the one that stands before their codes.
_SEPARATING = re.compile(r"[|%\s\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Score:
    """The result of one metric for one system.

    Attributes:
        scorer: The metric.
        signature: One line that pins everything the figures depend on.
        hypothesis: The name of the system.
        candidates: All candidates of each sentence.
        combined: The candidate that counts for each sentence: a chosen one, or one made of several.
        warnings: One line for each property of the files or of the metric that affects the figures.
        spans: As in ``Pair``: the blocks of the reference file behind each sentence, if not one to one.
        notes: What the metric said of the system, which ``warnings`` has as well.
    """

    scorer: Scorer
    signature: str
    hypothesis: str
    candidates: Candidates = field(repr=False)
    combined: Sequence[Candidate] = field(repr=False)
    warnings: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {value:.4f}" for name, value in self.values.items())
        [name] = labels([self.hypothesis])
        return f"<Score {self.metric} of {name!r}: {values} ({plural(self.sentences, 'sentence')})>"

    def _repr_html_(self) -> str:
        """Return counts and values as HTML for a notebook."""
        figures: dict[str, Cell] = {"hypothesis": self.hypothesis, **self.counts, **self.values}
        notes = (self.signature, *self.warnings)
        return as_html(Table(tuple(figures), (tuple(figures.values()),), notes=notes))

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.scorer.name

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.combined)

    @cached_property
    def total(self) -> Row:
        """The sum of the combined rows."""
        return add_rows((candidate.row for candidate in self.combined), len(self.scorer.columns))

    @property
    def rows(self) -> FloatArray:
        """The combined rows, shape ``(sentences, columns)``, made each time."""
        return row_array((candidate.row for candidate in self.combined), len(self.scorer.columns))

    @cached_property
    def by_type(self) -> dict[str, Row]:
        """The sum of the combined rows for each error type, sorted by type."""
        sums: dict[str, list[float]] = {}
        for candidate in self.combined:
            for type_, row in candidate.by_type.items():
                total = sums.setdefault(type_, [0] * len(self.scorer.columns))
                for column, number in enumerate(row):
                    total[column] += number
        return {type_: tuple(sums[type_]) for type_ in sorted(sums)}

    @property
    def counts(self) -> dict[str, float]:
        """The counts over all sentences, by name."""
        return counts_of(self.scorer, self.total)

    @property
    def values(self) -> dict[str, float]:
        """The values over all sentences, by name, not rounded."""
        return values_of(self.scorer, self.total)

    def warnings_of(self, label: str) -> list[str]:
        """Return the warnings, with the metric's label in those that the metric itself made.

        Args:
            label: What stands for the metric; nothing where there is no other one.
        """
        own = {f"{self.hypothesis}: {note}": note for note in self.notes if label}
        return [f"{self.hypothesis}: {label}: {own[line]}" if line in own else line for line in self.warnings]

    def to_dict(self, per_sentence: bool = False) -> dict[str, Any]:
        """Return the score as the object that ``jperrant score --json`` prints, ready for JSON.

        A value that is not a number is None.

        Args:
            per_sentence: Add each sentence.
        """
        record = {
            "metric": self.metric,
            "signature": self.signature,
            "hypothesis": self.hypothesis,
            "sentences": self.sentences,
            "values": {name: figure_of(value) for name, value in self.values.items()},
            "counts": self.counts,
            "by_type": {name: self.figures(row) for name, row in self.by_type.items()},
            "warnings": list(self.warnings),
        }
        return {**record, "per_sentence": list(self.sentence_dicts())} if per_sentence else record

    def sentence_dicts(self) -> Iterator[dict[str, Any]]:
        """Yield the candidate that counts for each sentence, with its counts and values; sentences count from 1.

        Where they were aligned, ``reference_sentences`` holds the numbers of the reference file's sentences.
        A value is None where the metric has none for a sentence.
        """
        values = self.scorer.values(self.rows)
        for index, choice in enumerate(self.combined):
            start, end = self.spans[index] if self.spans else (0, 0)
            yield {
                "sentence": index + 1,
                **({"reference_sentences": list(range(start + 1, end + 1))} if self.spans else {}),
                "chosen_hypothesis": choice.hypothesis,
                "chosen_reference": choice.reference,
                "counts": counts_of(self.scorer, choice.row),
                "values": {name: figure_of(column[index]) for name, column in values.items()},
                **choice.details,
            }

    def to_dataframe(self, by: str = "sentence") -> Any:
        """Return a pandas DataFrame, whose ``attrs`` hold ``signature`` and ``warnings``.

        Args:
            by: ``sentence``: one row for each sentence, counted from 1; ``type``: one for each error type.

        Raises:
            MissingExtraError: pandas is not installed.
            UsageError: ``by`` is neither.
        """
        pandas = import_extra("pandas", "pandas")
        if by not in ("sentence", "type"):
            raise UsageError(
                f"unknown by={by!r}{nearest(by, ('sentence', 'type'))}; expected one of sentence, type"
            )
        keys = ("type",) if by == "type" else ("sentence", "chosen_hypothesis", "chosen_reference")
        rows: Iterable[dict[str, Any]] = (
            ({"type": name, **self.figures(row)} for name, row in self.by_type.items())
            if by == "type"
            else ({**one, **one["counts"], **one["values"]} for one in self.sentence_dicts())
        )
        columns = [*keys, *self.counts, *self.values]
        frame = pandas.DataFrame(list(rows), columns=columns).set_index(by)
        frame.attrs |= {"signature": self.signature, "warnings": list(self.warnings)}
        return frame

    def figures(self, row: Row) -> dict[str, float]:
        """Return the counts and values of a row of this metric, by name."""
        return {**counts_of(self.scorer, row), **values_of(self.scorer, row)}


def figure_of(value: float) -> float | None:
    """Return a value for JSON; None where the metric has none."""
    return None if math.isnan(value) else float(value)


def evaluate(scorer: Scorer, pairs: Sequence[Pair]) -> list[Score]:
    """Score each pair; what pairs share is computed once.

    >>> from jperrant.core.values import Annotation, Block, Edit
    >>> from jperrant.evaluation.metrics.errant import ErrantScorer
    >>> edit = Edit(1, 2, ("is",), "R:VERB:SVA")
    >>> block = Block(("This", "are", "good"), (Annotation(0, (edit,)),))
    >>> [score] = evaluate(ErrantScorer(), [Pair([block], [block])])
    >>> score.values
    {'precision': 1.0, 'recall': 1.0, 'f': 1.0}

    Raises:
        UsageError: The metric needs references and a pair has none.
    """
    found = scorer.candidates(pairs, prepare_references(scorer, pairs))
    return [
        score_of(scorer, Sides.of(pair), own.sentences, tuple(scorer.combine(own.sentences)), own.notes)
        for pair, own in zip(pairs, found, strict=True)
    ]


def prepare_references(scorer: Scorer, pairs: Sequence[Pair], whole: bool = True) -> list[Any]:
    """Return for each pair what a metric derives from its references, once for references that pairs share.

    Args:
        scorer: The metric.
        pairs: Systems with their references.
        whole: Whether these are all sentences, not a part of them which may lack an annotator.

    Raises:
        UsageError: The metric needs references, or an annotator, that a pair lacks.
    """
    if not scorer.needs_references:
        return [None] * len(pairs)
    prepared: dict[int, Any] = {}
    for pair in pairs:
        if not pair.references and pair.hypothesis:
            raise UsageError(f"metric {scorer.name!r} needs references, but {pair.name} has none; give them")
        if id(pair.references) not in prepared:
            if whole and pair.references:
                scorer.check_annotators(
                    {a.annotator for block in pair.references for a in annotations_of(block)}
                )
            # One that takes the whole corpus may do without the number of its first sentence.
            further = () if pair.first == 1 else (pair.first,)
            prepared[id(pair.references)] = scorer.prepare(pair.references, *further)
    return [prepared[id(pair.references)] for pair in pairs]


@dataclass(slots=True)
class Side:
    """The annotators of one side; memory does not grow with the sentences.

    Attributes:
        sentences: The number of sentences.
        sets: For each set of annotators how many sentences it has, and the first of them, from 1.
        types: The types of all edits.
    """

    sentences: int = 0
    sets: dict[frozenset[int], tuple[int, int]] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Side:
        """Return the notes about blocks."""
        side = cls()
        side.add(blocks)
        return side

    def add(self, blocks: Sequence[Block]) -> None:
        """Note more blocks of the file."""
        first = self.sentences + 1
        for number, block in enumerate(blocks, first):
            annotators = frozenset([a.annotator for a in annotations_of(block)])
            count, first = self.sets.get(annotators, (0, number))
            self.sets[annotators] = count + 1, first
            self.types.update([edit.type for a in block.annotations for edit in a.edits])
        self.sentences += len(blocks)

    @property
    def everyone(self) -> frozenset[int]:
        """All annotators."""
        return frozenset[int]().union(*self.sets)

    @property
    def sizes(self) -> set[int]:
        """The numbers of annotators that sentences have."""
        return {len(annotators) for annotators in self.sets}

    def lacking(self) -> tuple[int, int, list[int]]:
        """Return how many sentences lack an annotator, the first of them, and who is missing there."""
        everyone = self.everyone
        gaps = {own: found for own, found in self.sets.items() if own != everyone}
        if not gaps:
            return 0, 0, []
        first, own = min((first, own) for own, (_, first) in gaps.items())
        return sum(count for count, _ in gaps.values()), first, sorted(everyone - own)


@dataclass(frozen=True, slots=True)
class Sides:
    """What a score says of the two sides of a pair.

    Attributes:
        name, notes, aligned, spans, varying: As in ``Pair``.
        hypothesis, references: What is noted of the blocks.
        differing: How many sources differ from those of the references, and the first such sentence, from 1.
    """

    name: str
    hypothesis: Side
    references: Side
    notes: tuple[str, ...] = ()
    aligned: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    varying: bool = False
    differing: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, pair: Pair) -> Sides:
        """Return the notes about a pair."""
        both = zip(pair.hypothesis, pair.references or pair.hypothesis, strict=True)
        numbers = [number for number, (h, r) in enumerate(both, start=1) if h.source != r.source]
        return cls(
            pair.name,
            Side.of(pair.hypothesis),
            Side.of(pair.references),
            pair.notes,
            pair.aligned,
            pair.spans,
            pair.varying,
            (len(numbers), numbers[0]) if numbers else (0, 0),
        )


def check_types(scorer: Scorer, sides: Iterable[Sides]) -> None:
    """Check that a metric's options which select edits by type select some of what is scored.

    Raises:
        UsageError: One selects none.
    """
    both = [(own.hypothesis, own.references) for own in sides]
    scorer.check_types(set[str]().union(*(side.types for pair in both for side in pair)))


def score_of(
    scorer: Scorer,
    sides: Sides,
    candidates: Candidates,
    combined: Sequence[Candidate],
    notes: Sequence[str] = (),
) -> Score:
    """Return the score of one system.

    Args:
        scorer: The metric.
        sides: What is said of the system and its references.
        candidates: Those of each sentence.
        combined: The one that counts for each sentence.
        notes: What the metric said of the system.
    """
    said = tuple(map(spoken, (*notes, *scorer.notes(candidates, combined))))
    of_files = map(spoken, (*sides.notes, *side_warnings(sides, scorer)))
    warnings = (*of_files, *(f"{sides.name}: {line}" for line in said))
    line = signature(scorer, sides)
    score = Score(scorer, line, sides.name, candidates, combined, warnings, sides.spans, said)
    missed = [score.counts.get(name, 0) for name in ("tp", "fp", "fn")]
    if missed[0] == 0 and min(missed[1:]) >= _NONE_SHARED and not scorer.joint:
        none = f"{sides.name}: none of its edits is among those of the references; do both index the same tokens?"
        return replace(score, warnings=(*warnings, none))
    return score


def signature(scorer: Scorer, sides: Sides) -> str:
    """Return the line that pins a score: metric, options, alignment, number of references and version.

    Where sentences differ in their number of references the range is given (``refs:1-2``). The alignment is
    named only if there was one (``align:jp``). A metric that needs no references has ``refs:0``. In an option, such
    as the name of a file, what would end its part of the line is written as in addresses: ``%7C`` for a bar,
    ``%20`` for a space.
    """
    numbers = (sides.references.sizes if scorer.needs_references else None) or {0}
    low, high = min(numbers), max(numbers)
    refs = f"refs:{high}" if low == high else f"refs:{low}-{high}"
    aligned = (f"align:{sides.aligned}",) if sides.aligned else ()
    settings = map(signature_part, scorer.settings)
    return "|".join((scorer.name, *settings, *aligned, refs, f"v:{VERSION}"))


def signature_part(text: str) -> str:
    """Return a text as one part of a signature.

    >>> signature_part("file:a|b c.json")
    'file:a%7Cb%20c.json'
    """
    return _SEPARATING.sub(lambda found: quote(found[0], safe=""), text)


def side_warnings(sides: Sides, scorer: Scorer) -> list[str]:
    """Return one line for each difference of the two sides that no metric can repair."""
    warnings = []
    differing, first = sides.differing
    if differing:
        warnings.append(
            f"{sides.name}: the source differs from that of the references in {plural(differing, 'sentence')}, "
            f"first in sentence {first} (counted from 1); their edits cannot be compared; give files over the "
            "same text"
        )
    if scorer.needs_references and sides.hypothesis.types and not sides.references.types - {UNKNOWN}:
        what = (
            f"only edits of type {UNKNOWN}, which correct nothing" if sides.references.types else "no edits"
        )
        warnings.append(
            f"references: found {what}, as if they were the source, so that every edit of a system counts as "
            "wrong; check that they are the references"
        )
    ours, theirs = (side.types - {UNKNOWN} for side in (sides.hypothesis, sides.references))
    fewer = min(len(ours), len(theirs))
    if getattr(scorer, "mode", "") == "cse" and fewer >= _LABEL_SETS and 2 * len(ours & theirs) < fewer:
        warnings.append(
            f"{sides.name}: of its {len(ours)} types of edits the references have {len(ours & theirs)}, as if the "
            "types came from different label sets; the mode cse counts edits of other types as wrong: annotate "
            "both with one tool"
        )
    if scorer.needs_references and len(sides.hypothesis.everyone) > 1:
        warnings.append(
            f"{sides.name}: found {len(sides.hypothesis.everyone)} annotators, as files of references have them; "
            "of a system, the annotator who scores best in a sentence counts there"
        )
    for name, side in ((sides.name, sides.hypothesis), ("references", sides.references)):
        lacking, first, annotators = side.lacking()
        if lacking and not sides.varying:
            missing = agree(len(annotators), "annotator {} is", "annotators {} are").format(
                ", ".join(map(str, annotators))
            )
            warnings.append(
                f"{name}: {plural(lacking, 'sentence')} without all annotators, first sentence {first} (counted "
                f"from 1; {missing} missing); {scorer.where_missing}; add a noop line if the annotator changed "
                "nothing"
            )
    return warnings

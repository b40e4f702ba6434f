"""The score of a system by a metric: the rows of its sentences, their sum, values, signature and warnings."""

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
from unicodedata import is_normalized
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


#: Compressed elements of consecutive sentences: their number, and the pickled list of them.
Part: TypeAlias = tuple[int, bytes]


class Packed(Sequence[T]):
    """A compressed sequence with one element for each sentence: its candidates, or the one that counts.

    A candidate takes half a kilobyte as an object and 5 to 50 bytes compressed with its neighbours. Elements are
    unpickled at each access, so they are equal but not identical from access to access. Floats keep every bit.

    Args:
        parts: The compressed elements of consecutive sentences, from ``pack``.
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
        """Return the element of the sentence at an index."""
        number = range(len(self))[index]
        part = bisect_right(self._starts, number) - 1
        return _unpacked(self.parts[part])[number - self._starts[part]]


def pack(things: Iterable[object]) -> Part:
    """Return elements of consecutive sentences as a part of ``Packed``."""
    kept = list(things)
    return len(kept), zlib.compress(pickle.dumps(kept, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(part: Part) -> list[Any]:
    """Return the elements of a part."""
    things: list[Any] = pickle.loads(zlib.decompress(part[1]))
    return things


def row_array(rows: Iterable[Row], columns: int) -> FloatArray:
    """Return rows as an array of shape ``(rows, columns)``; only the array takes memory."""
    flat = array("d")
    for row in rows:
        flat.extend(row)
    return np.array(flat, dtype=np.float64).reshape(-1, columns)


def eligible_rows(
    candidates: Candidates, combined: Iterable[Candidate], columns: int
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    """Return the rows of all candidates of each sentence, and their number.

    A sentence whose combined candidate uses several references has only the row of that candidate.

    Args:
        candidates: The candidates of each sentence.
        combined: The candidate that counts for each sentence.
        columns: The length of the rows.

    Returns:
        The rows, shape ``(rows, columns)``, and the number of rows of each sentence, shape ``(sentences,)``.
    """
    sizes = array("q")

    def eligible() -> Iterator[Row]:
        for those, own in zip(candidates, combined, strict=True):
            counted = [own.row] if own.reference is None else [c.row for c in those]
            sizes.append(len(counted))
            yield from counted

    rows = row_array(eligible(), columns)
    return rows, np.array(sizes, dtype=np.int64)


#: The least number of edits on each side for the warning that none is shared.
_NONE_SHARED = 20
#: The least number of error types on each side for the warning that few are shared.
_LABEL_SETS = 5
#: Characters that are percent-encoded in signatures, as they separate parts or lines.
_SEPARATING = re.compile(r"[|%\s\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Score:
    """The result of one metric for one system.

    Attributes:
        scorer: The metric.
        signature: One line that states everything the figures depend on.
        hypothesis: The name of the system.
        candidates: All candidates of each sentence.
        combined: The candidate that counts for each sentence: a chosen one, or one combined from several.
        warnings: One line for each property of the files or of the metric that affects the figures.
        spans: The range of reference blocks behind each sentence, as in ``Pair``; empty without alignment.
        notes: The warnings of the metric itself, which are also part of ``warnings``.
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
        """The combined rows, shape ``(sentences, columns)``; a new array at each access."""
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
        """Return the warnings, with the label of the metric in those that the metric itself gave.

        Args:
            label: The label of the metric; empty to add none.
        """
        own = {f"{self.hypothesis}: {note}": note for note in self.notes if label}
        return [f"{self.hypothesis}: {label}: {own[line]}" if line in own else line for line in self.warnings]

    def to_dict(self, per_sentence: bool = False) -> dict[str, Any]:
        """Return the JSON object that ``jperrant score --json`` prints; an undefined value is None.

        Args:
            per_sentence: Whether to add the figures of each sentence.
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
        """Yield the candidate that counts for each sentence as a JSON object, with its counts and values.

        Sentences are numbered from 1. After an alignment ``reference_sentences`` holds the numbers of the reference
        sentences. An undefined value is None.
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
        """Return a pandas DataFrame with ``signature`` and ``warnings`` in its ``attrs``.

        Args:
            by: ``sentence`` for one row for each sentence, numbered from 1; ``type`` for one for each error type.

        Raises:
            MissingExtraError: pandas is not installed.
            UsageError: ``by`` has another value.
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
    """Return a value for JSON: None instead of NaN."""
    return None if math.isnan(value) else float(value)


def evaluate(scorer: Scorer, pairs: Sequence[Pair]) -> list[Score]:
    """Score each pair; shared references are processed once.

    >>> from jperrant.core.values import Annotation, Block, Edit
    >>> from jperrant.evaluation.metrics.errant import ErrantScorer
    >>> edit = Edit(1, 2, ("is",), "R:VERB:SVA")
    >>> block = Block(("This", "are", "good"), (Annotation(0, (edit,)),))
    >>> [score] = evaluate(ErrantScorer(), [Pair([block], [block])])
    >>> score.values
    {'precision': 1.0, 'recall': 1.0, 'f': 1.0}

    Raises:
        UsageError: The metric needs references that a pair lacks.
    """
    found = scorer.candidates(pairs, prepare_references(scorer, pairs))
    return [
        score_of(scorer, Sides.of(pair), own.sentences, tuple(scorer.combine(own.sentences)), own.notes)
        for pair, own in zip(pairs, found, strict=True)
    ]


def prepare_references(scorer: Scorer, pairs: Sequence[Pair], whole: bool = True) -> list[Any]:
    """Return what a metric derives from the references of each pair; shared references are processed once.

    Args:
        scorer: The metric.
        pairs: The systems with their references.
        whole: Whether the pairs hold all sentences; a part of them may lack an annotator.

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
            # Metrics that need the whole corpus may omit the parameter ``first`` of ``prepare``.
            further = () if pair.first == 1 else (pair.first,)
            prepared[id(pair.references)] = scorer.prepare(pair.references, *further)
    return [prepared[id(pair.references)] for pair in pairs]


@dataclass(slots=True)
class Side:
    """A summary of one side of a pair, the system or the references, of constant size.

    Attributes:
        sentences: The number of sentences.
        sets: The number of sentences by their set of annotators, and the first such sentence, from 1.
        types: The types of all edits.
        broken_forms: The normal forms of Unicode, NFC and NFD, that some word of a correction does not have.
    """

    sentences: int = 0
    sets: dict[frozenset[int], tuple[int, int]] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)
    broken_forms: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, blocks: Sequence[Block]) -> Side:
        """Return the summary of blocks."""
        side = cls()
        side.add(blocks)
        return side

    def add(self, blocks: Sequence[Block]) -> None:
        """Add the next blocks."""
        first = self.sentences + 1
        for number, block in enumerate(blocks, first):
            annotators = frozenset([a.annotator for a in annotations_of(block)])
            count, first = self.sets.get(annotators, (0, number))
            self.sets[annotators] = count + 1, first
            edits = [edit for a in block.annotations for edit in a.edits]
            self.types.update([edit.type for edit in edits])
            for word in [word for edit in edits for word in edit.correction or () if not word.isascii()]:
                self.broken_forms.update(form for form in ("NFC", "NFD") if not is_normalized(form, word))
        self.sentences += len(blocks)

    @property
    def everyone(self) -> frozenset[int]:
        """All annotators."""
        return frozenset[int]().union(*self.sets)

    @property
    def sizes(self) -> set[int]:
        """The distinct numbers of annotators per sentence."""
        return {len(annotators) for annotators in self.sets}

    def lacking(self) -> tuple[int, int, list[int]]:
        """Return the number of sentences that lack an annotator, the first of them, and who is missing there."""
        everyone = self.everyone
        gaps = {own: found for own, found in self.sets.items() if own != everyone}
        if not gaps:
            return 0, 0, []
        first, own = min((first, own) for own, (_, first) in gaps.items())
        return sum(count for count, _ in gaps.values()), first, sorted(everyone - own)


@dataclass(frozen=True, slots=True)
class Sides:
    """A summary of both sides of a pair, from which its signature and warnings are made.

    Attributes:
        pair: The pair without its blocks.
        hypothesis, references: The summaries of the blocks.
        differing: The number of sources that differ from those of the references, and the first, from 1.
    """

    pair: Pair
    hypothesis: Side
    references: Side
    differing: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, pair: Pair) -> Sides:
        """Return the summary of a pair."""
        both = zip(pair.hypothesis, pair.references or pair.hypothesis, strict=True)
        numbers = [number for number, (h, r) in enumerate(both, start=1) if h.source != r.source]
        differing = (len(numbers), numbers[0]) if numbers else (0, 0)
        bare = replace(pair, hypothesis=(), references=())
        return cls(bare, Side.of(pair.hypothesis), Side.of(pair.references), differing)


def check_types(scorer: Scorer, sides: Iterable[Sides]) -> None:
    """Check that a metric's selectors of error types match some edits of the systems or references.

    Raises:
        UsageError: A selector matches none.
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
        sides: The summary of the system and its references.
        candidates: The candidates of each sentence.
        combined: The candidate that counts for each sentence.
        notes: Notes of the metric about the system.
    """
    name = sides.pair.name
    said = tuple(map(spoken, (*notes, *scorer.notes(candidates, combined))))
    of_files = map(spoken, (*sides.pair.notes, *side_warnings(sides, scorer)))
    warnings = (*of_files, *(f"{name}: {line}" for line in said))
    line = signature(scorer, sides)
    score = Score(scorer, line, name, candidates, combined, warnings, sides.pair.spans, said)
    missed = [score.counts.get(name, 0) for name in ("tp", "fp", "fn")]
    if missed[0] == 0 and min(missed[1:]) >= _NONE_SHARED and not scorer.joint:
        none = f"{name}: none of its edits is among those of the references; do both index the same tokens?"
        return replace(score, warnings=(*warnings, none))
    return score


def signature(scorer: Scorer, sides: Sides) -> str:
    """Return the signature of a score: metric, options, alignment, number of references and version.

    The number of references is a range if sentences differ (``refs:1-2``), and 0 for a metric that needs none. The
    alignment is named only if there was one (``align:jp``). Bars and spaces in options are percent-encoded
    (``%7C``, ``%20``).
    """
    numbers = (sides.references.sizes if scorer.needs_references else None) or {0}
    low, high = min(numbers), max(numbers)
    refs = f"refs:{high}" if low == high else f"refs:{low}-{high}"
    aligned = (f"align:{sides.pair.aligned}",) if sides.pair.aligned else ()
    settings = map(signature_part, scorer.settings)
    return "|".join((scorer.name, *settings, *aligned, refs, f"v:{VERSION}"))


def signature_part(text: str) -> str:
    """Return a text percent-encoded for a part of a signature.

    >>> signature_part("file:a|b c.json")
    'file:a%7Cb%20c.json'
    """
    return _SEPARATING.sub(lambda found: quote(found[0], safe=""), text)


def side_warnings(sides: Sides, scorer: Scorer) -> list[str]:
    """Return warnings about the two sides that hold for any metric, one line each."""
    warnings, system = [], sides.pair.name
    ours, theirs, (differing, first) = sides.hypothesis, sides.references, sides.differing
    if differing:
        warnings.append(
            f"{system}: the source differs from that of the references in {plural(differing, 'sentence')}, "
            f"first in sentence {first} (counted from 1); their edits cannot be compared; give files over the "
            "same text"
        )
    if scorer.needs_references and ours.types and not theirs.types - {UNKNOWN}:
        what = f"only edits of type {UNKNOWN}, which correct nothing" if theirs.types else "no edits"
        warnings.append(
            f"references: found {what}, so every edit of a system counts as wrong; check that the files are "
            "the references and not the source"
        )
    types, known = ours.types - {UNKNOWN}, theirs.types - {UNKNOWN}
    fewer = min(len(types), len(known))
    if getattr(scorer, "mode", "") == "cse" and fewer >= _LABEL_SETS and 2 * len(types & known) < fewer:
        warnings.append(
            f"{system}: the references have {len(types & known)} of its {len(types)} error types, which suggests "
            "different label sets; the mode cse counts edits of other types as wrong: annotate both with one "
            "tool"
        )
    forms, others = ours.broken_forms, theirs.broken_forms
    if forms and others and "NFC" in forms ^ others:
        warnings.append(
            f"{system}: its corrections and those of the references encode characters differently (é as one "
            "character or two), so equal words count as different; convert all files to one normal form of "
            "Unicode, such as NFC"
        )
    if scorer.needs_references and len(ours.everyone) > 1:
        warnings.append(
            f"{system}: found {len(ours.everyone)} annotators, as in a file of references, expected "
            "one; in each sentence the annotator with the best score counts"
        )
    for name, side in ((system, ours), ("references", theirs)):
        lacking, first, annotators = side.lacking()
        if lacking and not sides.pair.varying:
            who = ", ".join(map(str, annotators))
            missing = agree(len(annotators), "annotator {} is", "annotators {} are").format(who)
            warnings.append(
                f"{name}: {plural(lacking, 'sentence')} without all annotators, first sentence {first} (counted "
                f"from 1; {missing} missing); {scorer.where_missing}; add a noop line if the annotator changed "
                "nothing"
            )
    return warnings

"""Options and results of agreement."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jperrant.core.display import shorten
from jperrant.core.messages import plural
from jperrant.core.option import check_options, option
from jperrant.core.tables import Cell, Table, as_html, plain
from jperrant.core.values import Edit
from jperrant.core.version import VERSION
from jperrant.evaluation.agreement.ceiling import SUBSETS, HumanCeiling
from jperrant.evaluation.analysis import FULL, check_level, check_samples
from jperrant.evaluation.metrics.fmeasure import MAX_BETA, MIN_BETA
from jperrant.evaluation.statistics.significance import SEED, Interval

#: What edits are compared by.
LEVELS = ("spans", "corrections", "types")
#: Stands for "no edit" in the confusion of types.
NO_EDIT = ""
#: What it is called in tables and JSON.
NO_EDIT_SHOWN = "no edit"
#: The values of a pair that tables show first.
MAIN_VALUES = (
    "equal_sentences", "spans_f1", "corrections_f1", "types_f1", "kappa_identification", "kappa_classification",
    "kappa_exact", "alpha",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """How agreement is measured.

    Attributes:
        items: What the items of kappa and alpha are: ``tokens``, or ``gaps`` for the places between them as well.
        level: What of a type counts: operation (1), category (2) or all of it (3).
        beta: Weight of recall in the F that is given both ways.
        samples: Bootstrap samples for intervals; 0 for no intervals.
        seed: Of the random numbers.
        subsets: How many sets of other annotators of one size an annotator is scored against at most.

    Raises:
        UsageError: A value does not exist or is out of its range.
    """

    items: str = option("tokens", "What the items of kappa and alpha are.", choices=("tokens", "gaps"))
    level: int = FULL
    beta: float = option(0.5, "Weight of recall in F.", minimum=MIN_BETA, maximum=MAX_BETA)
    samples: int = 0
    seed: int = SEED
    subsets: int = option(SUBSETS, "Sets of others of one size.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)
        check_level(self.level)
        check_samples(self.samples or None, self.seed)


class Shared(NamedTuple):
    """How many edits two annotators both have, the first alone, and the second alone."""

    both: int
    first: int
    second: int


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators against each other, over the sentences that both looked at.

    Attributes:
        first, second: Their names.
        sentences, tokens: How much both looked at.
        counts: For ``spans``, ``corrections`` and ``types`` how many edits both have, the first alone, the second
            alone.
        values: Every measure by name; NaN where it is undefined. ``…_precision`` and ``…_f`` take the first for the
            hypothesis and the second for the reference; ``…_recall`` and ``…_f_reversed`` are what the other order
            gives.
        intervals: 95 % bootstrap intervals of the values that have one.
    """

    first: str
    second: str
    sentences: int
    tokens: int
    counts: Mapping[str, Shared]
    values: Mapping[str, float]
    intervals: Mapping[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """Agreement on one error type.

    Attributes:
        type: The type, or the part of it that counts.
        edits: How many edits each annotator has of it.
        shared: Over all pairs of annotators, how many edits both have, the first alone, the second alone.
        f1: F1 of these.
        alpha: Krippendorff's alpha of "touched by an edit of this type" over the items; NaN if undefined.
    """

    type: str
    edits: tuple[int, ...]
    shared: Shared
    f1: float
    alpha: float


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """A sentence in which annotators differ.

    Attributes:
        number: The sentence, counted from 1.
        source: Its tokens.
        differing: Edits that only one of a pair has, over all pairs of annotators.
        f1: F1 of corrections, over all pairs.
        edits: For each annotator the edits that not all others have; None for one who did not look.
    """

    number: int
    source: tuple[str, ...]
    differing: int
    f1: float
    edits: tuple[tuple[Edit, ...] | None, ...]


@dataclass(frozen=True)
class Agreement:
    """The agreement of all annotators of a text.

    Attributes:
        names: The names of the annotators.
        options: How agreement was measured.
        length, tokens: The number of sentences and tokens of the text.
        pairs: Every two annotators, in their order.
        values: Over all annotators: ``alpha``, ``alpha_binary``, ``equal_sentences``, and the mean over pairs of
            the other values; NaN where undefined.
        intervals: Bootstrap intervals of ``alpha``, ``alpha_binary`` and ``equal_sentences``.
        by_type: Every type, the most frequent first.
        confusion: For two types how many edits over one span have the first with one annotator and the second
            with a later one; ``NO_EDIT`` where the other has no edit over the span.
        sentences: The sentences that differ, worst first.
        ceilings: Each annotator scored against the others, by each metric that was asked for.
        notes: What users should know of the files and the metrics, one line each.
    """

    names: tuple[str, ...]
    options: AgreementOptions
    length: int
    tokens: int
    pairs: tuple[PairAgreement, ...]
    values: Mapping[str, float]
    intervals: Mapping[str, Interval] = field(repr=False)
    by_type: tuple[TypeAgreement, ...] = field(default=(), repr=False)
    confusion: Mapping[tuple[str, str], int] = field(default_factory=dict, repr=False)
    sentences: tuple[SentenceAgreement, ...] = field(default=(), repr=False)
    ceilings: tuple[HumanCeiling, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        shown = {name: self.values[name] for name in ("corrections_f1", "kappa_identification", "alpha")}
        figures = ", ".join(f"{k} {'undefined' if math.isnan(v) else f'{v:.4f}'}" for k, v in shown.items())
        sentences = plural(self.length, "sentence")
        return f"<Agreement of {shorten(', '.join(self.names))}: {figures} ({sentences})>"

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as the object that ``jperrant agree --json`` prints; an undefined value is None."""
        options = self.options
        settings = f"items:{options.items}|level:{options.level}|beta:{options.beta:g}"
        return {
            "annotators": list(self.names),
            "signature": f"agree|{settings}|v:{VERSION}",
            "sentences": self.length,
            "tokens": self.tokens,
            "samples": options.samples,
            "seed": options.seed,
            "values": plain(self.values),
            "intervals": plain(self.intervals),
            "pairs": plain(self.pairs),
            "metrics": [_ceiling_object(ceiling) for ceiling in self.ceilings],
            "by_type": {one.type: self._by_annotator(one, "type") for one in self.by_type},
            "confusion": _nested(self.confusion),
            "sentences_that_differ": [
                {"sentence": one.number, **self._by_annotator(one, "number"), "source": " ".join(one.source)}
                for one in self.sentences
            ],
            "notes": list(self.notes),
        }

    def _by_annotator(self, one: TypeAgreement | SentenceAgreement, key: str) -> dict[str, Any]:
        """Return a part but for its key, its edits by annotator."""
        found = plain(one)
        del found[key]
        return {**found, "edits": dict(zip(self.names, found["edits"], strict=True))}

    def _repr_html_(self) -> str:
        """Return the main values of each pair as HTML for a notebook."""
        rows: list[tuple[Cell, ...]] = [
            (f"{p.first} and {p.second}", *(p.values[name] for name in MAIN_VALUES)) for p in self.pairs
        ]
        return as_html(Table(("annotators", *MAIN_VALUES), tuple(rows), notes=self.notes))


def _ceiling_object(ceiling: HumanCeiling) -> dict[str, Any]:
    ends = [{"low": i.low, "high": i.high} if (i := one.interval) else {} for one in ceiling.ceilings]
    return {
        "metric": ceiling.metric,
        "value": ceiling.value,
        "signature": ceiling.signature,
        "pairs": [
            {"hypothesis": ours, "reference": theirs, "values": plain(values)}
            for (ours, theirs), values in ceiling.pairs.items()
        ],
        "against_the_rest": plain(ceiling.scores),
        "human_ceiling": [
            {"references": one.references, "mean": plain(one.mean), **own}
            for one, own in zip(ceiling.ceilings, ends, strict=True)
        ],
    }


def _nested(confusion: Mapping[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (first, second), count in sorted(confusion.items()):
        nested.setdefault(first or NO_EDIT_SHOWN, {})[second or NO_EDIT_SHOWN] = count
    return nested

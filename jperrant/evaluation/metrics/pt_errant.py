"""PT-ERRANT: ERRANT's edits, each weighing what it does to the similarity of source and reference.

Gong, Liu, Huang and Zhang (2022), "Revisiting Grammatical Error Correction Evaluation and Beyond", over ERRANT's
edits, as in Goto, Sakai and Watanabe (Eq. 13) and the program gec-metrics; for the weights see ``pt_weights``.
Edits are equal if span and correction are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from jperrant.core.errors import EditError
from jperrant.core.values import Annotation, Block, Edit
from jperrant.evaluation.metrics.base import Pair, annotations_of
from jperrant.evaluation.metrics.errant.scorer import correction_text
from jperrant.evaluation.metrics.pt_weights import (
    FN,
    FP,
    TP,
    CountedEdit,
    CountedPair,
    CountedPairs,
    PretrainedScorer,
)
from jperrant.evaluation.metrics.texts import applied, changing


@dataclass(frozen=True, slots=True)
class PtErrantScorer(PretrainedScorer):
    """PT-ERRANT with its options, which are those of ``PretrainedScorer``."""

    name: ClassVar[str] = "pt-errant"

    def counted(self, pair: Pair, prepared: object) -> CountedPairs:  # noqa: ARG002
        """Return the edits of both files, in which column each counts, and their texts."""
        sentences = []
        for (number, hyp), ref in zip(enumerate(pair.hypothesis, pair.first), pair.references, strict=True):
            try:
                sides = product(annotations_of(hyp), annotations_of(ref))
                sentences.append([_counted(hyp, ref, *annotations) for annotations in sides])
            except EditError as error:
                raise EditError(f"{pair.name}: sentence {number} (counted from 1): {error}") from error
        return sentences


def _counted(hyp: Block, ref: Block, ours: Annotation, theirs: Annotation) -> CountedPair:
    """Return the edits of two annotators.

    Every hypothesis edit is a tp or an fp, also where it stands there twice; tp have the hypothesis' type.
    """
    keys = [_key(edit) for edit in changing(ours)]
    wanted = [_key(edit) for edit in changing(theirs)]
    edits = [
        CountedEdit(edit.type, TP if key in wanted else FP, applied(hyp.source, [edit]))
        for edit, key in zip(changing(ours), keys, strict=True)
    ]
    edits += [
        CountedEdit(edit.type, FN, applied(ref.source, [edit]))
        for edit, key in zip(changing(theirs), wanted, strict=True)
        if key not in keys
    ]
    return CountedPair(
        ours.annotator,
        theirs.annotator,
        applied(hyp.source, ()),
        applied(ref.source, changing(theirs)),
        tuple(edits),
    )


def _key(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, correction_text(edit)

"""What two annotators did to one sentence, counted: shared edits, labels of tokens, equal texts.

- Edits are compared as sets: of spans, of spans with corrections, and of these with types.
- Labels of tokens as in Dahlmeier, Ng and Wu (2013), "Building a Large Annotated Corpus of Learner English":
  identification (is the token inside an edit), classification (the type, where both say it is), exact (type and
  correction, where both say it is). Insertions touch no token; with ``gaps`` the places between tokens are further
  items, and the insertions there are their labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from jperrant.core.apply import apply_edits
from jperrant.core.errors import EditError
from jperrant.core.values import Annotation, Edit
from jperrant.evaluation.breakdown import category
from jperrant.evaluation.metrics.errant import correction_text

#: What edits are compared by.
LEVELS = ("spans", "corrections", "types")
#: What the items of kappa and alpha are.
ITEMS = {"tokens": "tokens", "gaps": "tokens and the places between them"}
#: What edits of one sentence share; a set of these is compared.
Key: TypeAlias = tuple[int | str, ...]
#: Type and correction of the edit that touches an item, None where there is none.
Touch: TypeAlias = tuple[str, str] | None


def edit_key(edit: Edit, level: str, cut: int = 3) -> Key:
    """Return what an edit is compared by.

    Args:
        edit: The edit.
        level: ``spans``, ``corrections`` or ``types``.
        cut: What of a type counts: operation (1), category (2) or all of it (3).
    """
    if level == "spans":
        return edit.start, edit.end
    key: Key = (edit.start, edit.end, correction_text(edit))
    return key if level == "corrections" else (*key, category(edit.type, cut))


def keys_of(annotation: Annotation, level: str, cut: int = 3) -> frozenset[Key]:
    """Return what the edits of an annotation are compared by."""
    return frozenset([edit_key(edit, level, cut) for edit in annotation.edits])


def shared_row(first: frozenset[Key], second: frozenset[Key]) -> tuple[int, int, int]:
    """Return how many keys both have, the first alone, and the second alone."""
    both = len(first & second)
    return both, len(first) - both, len(second) - both


def touches(annotation: Annotation, tokens: int, items: str, cut: int = 3) -> list[Touch]:
    """Return for each item of a sentence the type and the correction of the last edit that touches it.

    Args:
        annotation: The edits.
        tokens: Number of tokens of the sentence.
        items: ``tokens``, or ``gaps`` for the ``tokens + 1`` places beside the tokens too, which come after them.
        cut: What of a type counts.
    """
    labels: list[Touch] = [None] * (tokens if items == "tokens" else 2 * tokens + 1)
    for edit in annotation.edits:
        insertion = edit.start == edit.end
        places = [tokens + edit.start] if insertion else range(edit.start, edit.end)
        for place in places if not insertion or items == "gaps" else ():
            labels[place] = category(edit.type, cut), correction_text(edit)
    return labels


def same_text(source: Sequence[str], annotations: Sequence[Annotation]) -> bool:
    """Whether annotators made the same text of a sentence; of edits that overlap, whether they are the same."""
    try:
        texts = {apply_edits(source, annotation.edits) for annotation in annotations}
    except EditError:
        texts = {annotation.edits for annotation in annotations}  # type: ignore[misc]
    return len(texts) == 1

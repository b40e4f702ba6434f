"""Labels on the tokens of a text and of its correction, as edits: where a corpus has no edits of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jperrant.alignment.tokens import Operation, align_tokens
from jperrant.core.values import Sentence
from jperrant.exchange.inline import JOINER, type_of

#: Start, end and type of a stretch of tokens.
Label = tuple[int, int, str]


def labelled_changes(
    source: Sentence, target: Sentence | None, labels: Sequence[Label], target_labels: Sequence[Label] = ()
) -> Iterator[tuple[int, int, str, str | None]]:
    """Yield what changes between a sentence and its correction, with the labels of the tokens it touches.

    Changes that share a label are one.

    Args:
        source: The sentence.
        target: Its correction; without one labels only mark errors.
        labels: Those of the sentence; one without tokens is of what is put in there.
        target_labels: Those of the correction.

    Yields:
        Start, end, type and correction; None where an error is only marked.
    """
    if target is None:
        yield from ((*label, None) for label in labels)
        return
    runs: list[tuple[list[Operation], dict[tuple[str, Label], None]]] = []
    before: dict[tuple[str, Label], None] = {}
    for op in align_tokens(source, target).operations:
        is_equal = source.forms[op.start : op.end] == target.forms[op.target_start : op.target_end]
        own = {("", label): None for label in labels if _meets(label, op.start, op.end, is_equal)}
        own |= {("t", x): None for x in target_labels if _meets(x, op.target_start, op.target_end, is_equal)}
        if own.keys() & before.keys():
            runs[-1][0].append(op)
            runs[-1][1].update(own)
        elif own or not is_equal:
            runs.append(([op], own))
        before = own
    for run, own in runs:
        start, end = run[0].start, run[-1].end
        covered = source.forms[start:end]
        corrected = target.forms[run[0].target_start : run[-1].target_end]
        text = None if covered == corrected else " ".join(corrected)
        types = dict.fromkeys([name for _, label in own for name in label[2].split(JOINER)])
        yield start, end, JOINER.join(types) or type_of(" ".join(covered), text), text
    for label in labels:
        if all(("", label) not in own for _, own in runs):
            yield *label, None


def _meets(label: Label, start: int, end: int, is_equal: bool) -> bool:
    """Whether a label is of tokens that an operation has; one without tokens of a change that reaches it."""
    if label[0] == label[1]:
        return not is_equal and start <= label[0] <= end
    return max(label[0], start) < min(label[1], end)

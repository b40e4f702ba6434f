"""Which sentences are computed together, and which words networks read as others."""

from __future__ import annotations

from collections.abc import Sequence

_QUESTIONS = frozenset("?\uff1f\ufe16\ufe56\u2047")
_MARKS = _QUESTIONS | frozenset("!\uff01\ufe15\ufe57\u203c")


def simple_mark(form: str) -> str:
    """Return ``?`` or ``!`` for a run of such marks, which is how Stanza's taggers and parsers read it."""
    if len(form) < 2 or not _MARKS.issuperset(form):
        return form
    return "?" if form[0] in _QUESTIONS else "!"


def batches(lengths: Sequence[int], words: int, sentences: int) -> list[list[int]]:
    """Group sentences of similar length, longest first; the empty ones are left out.

    Args:
        lengths: Words of each sentence.
        words: Most words of a batch; a longer sentence is a batch of its own.
        sentences: Most sentences of a batch.
    """
    groups: list[list[int]] = []
    size = 0
    for number in sorted((n for n, length in enumerate(lengths) if length), key=lambda n: -lengths[n]):
        if groups and len(groups[-1]) < sentences and size + lengths[number] <= words:
            groups[-1].append(number)
            size += lengths[number]
        else:
            groups.append([number])
            size = lengths[number]
    return groups

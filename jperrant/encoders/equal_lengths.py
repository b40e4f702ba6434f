"""Running a model over sequences of equal length only, so that nothing is padded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from jperrant.core.errors import InputError

R = TypeVar("R")
#: The numbers of a text's tokens, or one such sequence for each input of a model.
Ids: TypeAlias = tuple[int, ...]


def run_by_length(
    sequences: Sequence[Ids],
    run: Callable[[Sequence[Ids]], Sequence[R]],
    batch_size: int,
    most_tokens: int,
) -> list[R]:
    """Return what a model gives for each sequence; equal ones are run once.

    Sequences of one length make batches, the longest first, so that memory runs out at once or never.

    Args:
        sequences: The sequences.
        run: Computes a batch of sequences of one length.
        batch_size: Sequences in a batch at most; halved when memory runs out.
        most_tokens: Tokens in a batch at most.

    Raises:
        InputError: Memory does not suffice for one sequence alone.
    """
    by_length: dict[int, list[Ids]] = {}
    for sequence in dict.fromkeys(sequences):
        by_length.setdefault(len(sequence), []).append(sequence)
    results: dict[Ids, R] = {}
    for length in sorted(by_length, reverse=True):
        size = max(1, min(batch_size, most_tokens // max(length, 1)))
        group = by_length[length]
        for start in range(0, len(group), size):
            batch = group[start : start + size]
            results.update(zip(batch, _run(batch, run), strict=True))
    return [results[sequence] for sequence in sequences]


def _run(batch: Sequence[Ids], run: Callable[[Sequence[Ids]], Sequence[R]]) -> list[R]:
    try:
        return list(run(batch))
    except MemoryError as error:
        if len(batch) == 1:
            raise InputError(
                f"out of memory with one text of {len(batch[0])} tokens; use a smaller model or "
                f"--device=cpu ({error})"
            ) from error
        half = len(batch) // 2
        return [*_run(batch[:half], run), *_run(batch[half:], run)]

"""Running a model over many sequences: sorted, in batches that shrink when memory runs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeAlias, TypeVar

from jperrant.core.errors import InputError
from jperrant.core.messages import plural

R = TypeVar("R")
#: The numbers of a text's tokens, or one such sequence for each input of a model.
Ids: TypeAlias = tuple[int, ...]


class Batches(Generic[R]):
    """Runs sequences through a model.

    Args:
        run: Computes a batch: something for each sequence.
        size: Sequences in a batch at most; halved when memory runs out.
        tokens: Tokens in a batch at most, unless one sequence has more, and all of one length; None for any number
            of any length.

    Attributes:
        notes: One line for each time the batch was halved.
    """

    def __init__(
        self, run: Callable[[Sequence[Ids]], Sequence[R]], size: int, tokens: int | None = None
    ) -> None:
        self._run, self.size, self.tokens = run, size, tokens
        self.notes: list[str] = []

    def run(self, sequences: Sequence[Ids]) -> Iterator[tuple[int, R]]:
        """Yield the index of each sequence and what the model gives for it, the longest first.

        Sorted by length, a batch pads little; longest first, memory runs out at once or never.

        Raises:
            InputError: Memory does not suffice for one sequence alone.
        """
        order = sorted(range(len(sequences)), key=lambda number: (-len(sequences[number]), number))
        start = 0
        while start < len(order):
            longest = len(sequences[order[start]])
            together = self.size
            if self.tokens is not None:
                together = min(self.size, max(1, self.tokens // max(longest, 1)))
            chosen = order[start : start + together]
            if self.tokens is not None:  # padding changes the last digits, and saves nothing
                chosen = [number for number in chosen if len(sequences[number]) == longest]
            try:
                found = self._run([sequences[number] for number in chosen])
            except MemoryError as error:
                self._halve(len(chosen), longest, error)
                continue
            yield from zip(chosen, found, strict=True)
            start += len(chosen)

    def _halve(self, used: int, tokens: int, error: MemoryError) -> None:
        if used == 1:
            raise InputError(
                f"out of memory with one text of {plural(tokens, 'token')}; use a smaller model, --dtype=bfloat16 "
                f"if the metric has it, or --device=cpu ({error})"
            ) from error
        self.size = used // 2
        self.notes.append(
            f"out of memory with {used} texts of up to {plural(tokens, 'token')} at a time; continued with "
            f"{self.size}"
        )


def run_by_length(
    sequences: Sequence[Ids], run: Callable[[Sequence[Ids]], Sequence[R]], size: int, tokens: int
) -> list[R]:
    """Return what a model gives for each sequence; equal ones are run once, those of one length together.

    Args:
        sequences: The sequences.
        run, size, tokens: As for :class:`Batches`.

    Raises:
        InputError: Memory does not suffice for one sequence alone.
    """
    distinct = list(dict.fromkeys(sequences))
    found = {distinct[number]: result for number, result in Batches(run, size, tokens).run(distinct)}
    return [found[sequence] for sequence in sequences]

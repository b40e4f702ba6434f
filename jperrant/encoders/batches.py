"""Running a network over many sequences: sorted, in batches that shrink when memory runs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.encoders.types import Network, Vectors


class Batches:
    """Runs sequences through a network.

    Args:
        network: The model.
        size: Sequences in a batch at most; halved when memory runs out.
        tokens: Tokens in a batch at most, unless one sequence has more, and all of one length; None for any number
            of any length.

    Attributes:
        notes: One line for each time the batch was halved.
    """

    def __init__(self, network: Network, size: int, tokens: int | None = None) -> None:
        self.network, self.size, self.tokens = network, size, tokens
        self.notes: list[str] = []

    def run(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Vectors]]:
        """Yield the index and the vectors of each sequence, the longest first.

        Sorted by length, a batch pads little; longest first, memory runs out at once or never.

        Raises:
            InputError: Memory does not suffice for one sequence alone.
        """
        order = sorted(range(len(sequences)), key=lambda number: (-len(sequences[number]), number))
        start = 0
        while start < len(order):
            longest = max(len(sequences[order[start]]), 1)
            together = self.size if self.tokens is None else min(self.size, max(1, self.tokens // longest))
            chosen = order[start : start + together]
            if self.tokens is not None:  # padding changes the last digits, and saves nothing
                chosen = [number for number in chosen if len(sequences[number]) == len(sequences[chosen[0]])]
            try:
                vectors = self.network.run([sequences[number] for number in chosen])
            except MemoryError as error:
                self._halve(len(chosen), max(len(sequences[number]) for number in chosen), error)
                continue
            yield from zip(chosen, vectors, strict=True)
            start += len(chosen)

    def _halve(self, used: int, tokens: int, error: MemoryError) -> None:
        if used == 1:
            raise InputError(
                f"out of memory with one sentence of {plural(tokens, 'token')}; use a smaller encoder, "
                f"--dtype=bfloat16 or --device=cpu ({error})"
            ) from error
        self.size = used // 2
        self.notes.append(
            f"out of memory with {used} sentences of up to {plural(tokens, 'token')} at a time; "
            f"continued with {self.size}"
        )

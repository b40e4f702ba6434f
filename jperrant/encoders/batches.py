"""Running a network over many sequences: sorted, in batches that shrink when memory runs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.encoders.prefixes import new_tokens
from jperrant.encoders.types import Network, Vectors


class Batches:
    """Runs sequences through a network.

    Args:
        network: The model.
        size: Sequences in a batch at most; halved when memory runs out.
        tokens: Tokens in a batch at most, unless one sequence has more; None for any number.
        shared: Whether the network computes once what sequences begin with alike.

    Attributes:
        notes: One line for each time the batch was halved.
    """

    def __init__(
        self, network: Network, size: int, tokens: int | None = None, *, shared: bool = False
    ) -> None:
        self.network, self.size, self.tokens, self.shared = network, size, tokens, shared
        self.notes: list[str] = []

    def run(self, sequences: Sequence[Sequence[int]]) -> Iterator[tuple[int, Vectors]]:
        """Yield the index and the vectors of each sequence, the longest first, or in the order of their tokens.

        Sorted by length, a batch pads little; longest first, memory runs out at once or never. Sorted by their
        tokens, neighbours begin alike.

        Raises:
            InputError: Memory does not suffice for one sequence alone.
        """
        order = sorted(range(len(sequences)), key=lambda number: (-len(sequences[number]), number))
        if self.shared:
            order.sort(key=lambda number: tuple(sequences[number]))
        start = 0
        while start < len(order):
            chosen = order[start : start + self.size]
            chosen = chosen[: self._together([sequences[number] for number in chosen])]
            try:
                vectors = self.network.run([sequences[number] for number in chosen])
            except MemoryError as error:
                self._halve(len(chosen), max(len(sequences[number]) for number in chosen), error)
                continue
            yield from zip(chosen, vectors, strict=True)
            start += len(chosen)

    def _together(self, sequences: Sequence[Sequence[int]]) -> int:
        """Return how many of some sequences, from the first on, are run together."""
        if self.tokens is None:
            return len(sequences)
        if not self.shared:
            return max(1, min(len(sequences), self.tokens // max(len(sequences[0]), 1)))
        own = [new_tokens(*pair) for pair in zip(sequences, [(), *sequences], strict=False)]
        return max(1, sum(total <= self.tokens for total in accumulate(own)))

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

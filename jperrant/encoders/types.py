"""Types that the parts of an encoder share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

#: Vectors as models give them, one a row.
Vectors: TypeAlias = npt.NDArray[np.float32]


class TokenVectors(NamedTuple):
    """The vectors of the tokens of a text.

    Attributes:
        vectors: Shape ``(tokens, dim)``, special tokens included.
        special: Shape ``(tokens,)``; True for the special tokens that the tokenizer added.
    """

    vectors: Vectors
    special: npt.NDArray[np.bool_]


class Network(Protocol):
    """A model that gives each token of a sequence a vector."""

    @property
    def dimension(self) -> int:
        """The length of the vectors."""

    def run(self, batch: Sequence[Sequence[int]]) -> list[Vectors]:
        """Return for each sequence of token numbers its vectors, shape ``(tokens, dim)``.

        Raises:
            MemoryError: The batch is too large for the device.
        """

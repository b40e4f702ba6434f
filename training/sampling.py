"""What an epoch of a tagger or parser sees: how often each sentence, and sometimes without its last full stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from training.batches import Encoded
from training.encoding import shorter
from training.treebank import TreebankSentence

_OPENING = 0.2  # Stanza's drop_initial_punct_prob


class Sampled:
    """Sentences to learn from.

    Args:
        sentences: Each with how often an epoch takes it; 0.02 is once in 50 epochs.
        encode: Encodes sentences.
        without_end: How often a sentence comes without its last punctuation, from 0 to 1.
    """

    def __init__(
        self,
        sentences: Sequence[tuple[TreebankSentence, float]],
        encode: Callable[[Sequence[TreebankSentence]], Encoded],
        without_end: float,
    ) -> None:
        every = [sentence for sentence, _ in sentences]
        self._shares = np.array([share for _, share in sentences])
        self._others: list[tuple[Any, float]] = []
        for opening, chance in ((False, without_end), (True, _OPENING)):
            other = np.arange(len(sentences))
            for number in range(len(sentences)) if chance else ():
                found = shorter(every[number], opening)
                if found is not None:
                    other[number] = len(every)
                    every.append(found)
            self._others.append((other, chance))
        self._encoded = encode(every)

    def batches(self, words: int) -> Iterator[Any]:
        """Yield batches of at most so many words at random, without end."""
        draw = np.random.default_rng(np.random.randint(2**31, size=4))
        while True:
            chosen = self._epoch(draw)
            for places in self._encoded.shuffled(chosen, words, draw):
                yield self._encoded.batch(chosen[places])

    def _epoch(self, draw: np.random.Generator) -> Any:
        """Return the numbers of an epoch's sentences."""
        chosen = epoch_of(self._shares, draw)
        for other, chance in self._others:
            first = chosen < len(other)
            swapped = np.where(first, other[np.minimum(chosen, len(other) - 1)], chosen)
            chosen = np.where(draw.random(len(chosen)) < chance, swapped, chosen)
        return chosen


def epoch_of(shares: Any, draw: np.random.Generator) -> Any:
    """Return the numbers of an epoch's sentences, given how often it takes each; 0.02 is once in 50 epochs."""
    whole = np.floor(shares)
    times = whole + (draw.random(len(whole)) < shares - whole)
    return np.repeat(np.arange(len(whole)), times.astype(int))


def fast_optimizer(optimizers: dict[str, Any]) -> None:
    """Let Adam update all weights in one go."""
    import torch

    for name, optimizer in optimizers.items():
        if type(optimizer) is torch.optim.Adam:
            groups = [{**group, "fused": True, "foreach": False} for group in optimizer.param_groups]
            optimizers[name] = torch.optim.Adam(groups, fused=True)

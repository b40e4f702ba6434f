"""The training loop of all networks: rounds of updates with a falling learning rate; the best model on dev is kept.

A round is a number of steps with a seed of its own and freshly shuffled sentences.
"""

from __future__ import annotations

import random
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

SEED = 1234
"""What all randomness derives from."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """The length of a training and its learning rate.

    Attributes:
        steps: Number of updates.
        rate: Learning rate at the start; it falls linearly to 0.
        every: Updates in a round; the dev set is scored after each round.
        seed: Seed of all its random numbers.
        average: Share of the average weights that an update keeps, such as 0.998; the average is what is scored and
            kept. With 0 the weights themselves are.
        warm: Updates over which the rate first rises from 0.
    """

    steps: int
    rate: float
    every: int
    seed: int = SEED
    average: float = 0.0
    warm: int = 0

    def rate_at(self, step: int) -> float:
        """Return the learning rate of an update, counted from 0."""
        rate = self.rate * (1 - step / self.steps)
        return rate * (step + 1) / self.warm if step + 1 < self.warm else rate


class Stage(ABC):
    """A network in training, by default in one of Stanza's trainers.

    Attributes:
        trainer: Stanza's trainer of it.
        network: Torch's module; None where there is nothing to train in steps.
        optimizers: Torch's optimizers of the network.
    """

    trainer: Any
    network: Any
    optimizers: Sequence[Any]

    @abstractmethod
    def batches(self) -> Iterator[Any]:
        """Yield batches without end, in an order drawn from the random generators of Python and torch."""

    @abstractmethod
    def score(self) -> dict[str, float]:
        """Return the scores on the dev set, from 0 to 1; the first decides, and the next where it is equal."""

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return float(self.trainer.update(batch))

    def learn(self, loss: Any, longest: float) -> float:
        """Update the network by the gradients of a loss, clipped to this norm, and return the loss."""
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), longest, foreach=True)
        for optimizer in self.optimizers:
            optimizer.step()
        return float(loss.detach())

    def save(self, path: Path) -> None:
        """Write the model as Stanza loads it."""
        self.trainer.save(str(path))


def train(stage: Stage, schedule: Schedule, best_model: Path, name: str) -> None:
    """Train a network, print the scores of each round, and keep the best model.

    Args:
        stage: The network.
        schedule: Its length and learning rate.
        best_model: The file to write the best model to.
        name: Name of the network, for the printed scores.
    """
    started = time.monotonic()
    average = Average(stage.network, schedule.average)
    best = stage.score()
    stage.save(best_model)  # training further never makes a model worse
    for number, first in enumerate(range(0, schedule.steps, schedule.every)):
        seed_everything(schedule.seed * 10_007 + number)
        last = min(first + schedule.every, schedule.steps)
        loss = 0.0
        for step, batch in zip(range(first, last), stage.batches(), strict=False):
            for optimizer in stage.optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = schedule.rate_at(step) * group.get("times", 1.0)
            loss = stage.update(batch)
            average.update()
        with average.used():
            scores = stage.score()
            figures = "  ".join(f"{key} {100 * value:.2f}" for key, value in scores.items())
            spent = f"loss {loss:.3f}  ({time.monotonic() - started:.0f} s)"
            print(f"{name}: step {last}/{schedule.steps}  dev {figures}  {spent}", file=sys.stderr)
            # Where the first score is equal, the next decides.
            if tuple(scores.values()) > tuple(best.values()):
                best = scores
                stage.save(best_model)


class Average:
    """The exponential moving average of a network's weights, which scores better than the weights of one update.

    Args:
        network: Torch's module.
        decay: Share of the average that an update keeps, less in early updates so that the first weights soon lose
            their influence. 0 for no average.
    """

    def __init__(self, network: Any, decay: float) -> None:
        self._weights = list(network.parameters()) if decay else []
        self._decay, self._updates = decay, 0
        self._averages = [weight.detach().clone() for weight in self._weights]

    def update(self) -> None:
        """Add the weights after an update to the average."""
        self._updates += 1
        decay = min(self._decay, (1 + self._updates) / (10 + self._updates))
        if self._weights:
            with torch.no_grad():
                torch._foreach_lerp_(self._averages, self._weights, 1 - decay)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Give the network the average weights within a ``with`` block."""
        self._swap()
        yield
        self._swap()

    def _swap(self) -> None:
        for weight, average in zip(self._weights, self._averages, strict=True):
            weight.data, average.data = average.data, weight.data


def seed_everything(seed: int) -> None:
    """Seed the random generators of this process; only for a process that does nothing but train."""
    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)

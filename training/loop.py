"""The training loop all networks share: rounds of steps, a linear decay, and the best on dev kept.

A round is a number of steps with a seed of its own and freshly shuffled sentences.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast to train.

    Attributes:
        steps: Number of updates.
        rate: Learning rate at the start; it falls linearly to nothing.
        every: Updates between two looks at the dev set; one round.
        seed: What all randomness derives from.
        average: How much of the average weights an update keeps, such as 0.998; it is the average that is looked at
            and kept. 0 takes the weights as they are.
        warm: Updates over which the rate first rises from nothing.
    """

    steps: int
    rate: float
    every: int = 200
    seed: int = 1234
    average: float = 0.0
    warm: int = 0

    @property
    def rounds(self) -> int:
        """Number of rounds, the last perhaps shorter."""
        return -(-self.steps // self.every)

    def rate_at(self, step: int) -> float:
        """Return the learning rate of an update, counted from 0."""
        rate = self.rate * (1 - step / self.steps)
        return rate * (step + 1) / self.warm if step + 1 < self.warm else rate


class Stage(Protocol):
    """A network in training."""

    @property
    def network(self) -> Any:
        """Torch's module."""
        ...

    @property
    def optimizers(self) -> Iterable[Any]:
        """Torch's optimizers of the network."""
        ...

    def batches(self) -> Iterator[Any]:
        """Yield batches without end, in an order drawn from Python's and torch's generators."""
        ...

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        ...

    def score(self) -> dict[str, float]:
        """Return the scores on the dev set, from 0 to 1; the first counts, among equals the next."""
        ...

    def save(self, path: Path) -> None:
        """Write the model as Stanza loads it."""
        ...


class TrainerStage:
    """What the stages have in common: a trainer of Stanza's with one network and one optimizer."""

    trainer: Any

    @property
    def network(self) -> Any:
        """Torch's module; None where there is nothing to train in steps."""
        return self.trainer.model

    @property
    def optimizers(self) -> Iterable[Any]:
        """Torch's optimizers of the network."""
        return [self.trainer.optimizer]

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return float(self.trainer.update(batch))

    def learn(self, loss: Any, longest: float) -> float:
        """Change the network to lessen a loss, by gradients of at most this length, and return the loss."""
        return descend(self.network, self.optimizers, loss, longest)

    def save(self, path: Path) -> None:
        """Write the model as Stanza loads it."""
        self.trainer.save(str(path))


def descend(network: Any, optimizers: Iterable[Any], loss: Any, longest: float) -> float:
    """Change a network to lessen a loss, by gradients of at most this length, and return the loss."""
    import torch

    for optimizer in optimizers:
        optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), longest, foreach=True)
    for optimizer in optimizers:
        optimizer.step()
    return float(loss.detach())


Report = Callable[[str, int, int, float | None, dict[str, float] | None], None]
"""Told after each update: name, updates done, updates in all, loss, and scores at the end of a round.

What is no training tells its steps without a loss.
"""


def train(stage: Stage, schedule: Schedule, best_model: Path, name: str, report: Report) -> dict[str, float]:
    """Train a network and keep the best model.

    Args:
        stage: The network.
        schedule: How long and how fast.
        best_model: Where the best model goes.
        name: Of the network, in reports.
        report: Told what happens.

    Returns:
        The dev scores of the best round.
    """
    average = Average(stage.network, schedule.average)
    best = stage.score()
    stage.save(best_model)  # what is trained further is never made worse
    for number in range(schedule.rounds):
        seed_everything(schedule.seed * 10_007 + number)
        first = number * schedule.every
        last = min(first + schedule.every, schedule.steps)
        loss = 0.0
        for step, batch in zip(range(first, last), stage.batches(), strict=False):
            for optimizer in stage.optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = schedule.rate_at(step) * group.get("times", 1.0)
            loss = stage.update(batch)
            average.update()
            report(name, step + 1, schedule.steps, float(loss), None)
        with average.used():
            scores = stage.score()
            report(name, last, schedule.steps, float(loss), scores)
            if tuple(scores.values()) > tuple(best.values()):  # the next ones count among equals
                best = scores
                stage.save(best_model)
    return best


class Average:
    """The exponential moving average of a network's weights, which scores better than those of any one step.

    Args:
        network: Torch's module.
        decay: How much of the average an update keeps; early on less, so that the beginning is soon forgotten.
    """

    def __init__(self, network: Any, decay: float) -> None:
        self._weights = list(network.parameters()) if decay else []
        self._decay, self._updates = decay, 0
        self._averages = [weight.detach().clone() for weight in self._weights]

    def update(self) -> None:
        """Take in the weights after an update."""
        if not self._weights:
            return
        import torch

        self._updates += 1
        decay = min(self._decay, (1 + self._updates) / (10 + self._updates))
        with torch.no_grad():
            torch._foreach_lerp_(self._averages, self._weights, 1 - decay)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Let the network have the average weights for a while."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for weight, average in zip(self._weights, self._averages, strict=True):
            weight.data, average.data = average.data, weight.data


def seed_everything(seed: int) -> None:
    """Set the generators of random numbers of this process; only a process that does nothing else may do so."""
    import torch

    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def log_report(write: Callable[[str], object], every: int = 50) -> Report:
    """Return a report that writes a line every so many updates and one with the scores of each round."""
    started = time.monotonic()

    def report(name: str, step: int, steps: int, loss: float | None, scores: dict[str, float] | None) -> None:
        if scores is not None:
            figures = "  ".join(f"{key} {100 * value:.2f}" for key, value in scores.items())
            write(f"{name}: step {step}/{steps}  dev {figures}  ({time.monotonic() - started:.0f} s)")
        elif step % every == 0:
            write(f"{name}: step {step}/{steps}" + (f"  loss {loss:.3f}" if loss is not None else ""))

    return report

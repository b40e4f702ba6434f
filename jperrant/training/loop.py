"""The training loop all networks share: rounds of steps, a linear decay, the best on dev kept, and resuming.

A round is a number of steps with a seed of its own and freshly shuffled sentences, so that what was interrupted and
resumed at the end of a round goes on exactly as it would have.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
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
    """

    steps: int
    rate: float
    every: int = 200
    seed: int = 1234

    @property
    def rounds(self) -> int:
        """Number of rounds, the last perhaps shorter."""
        return -(-self.steps // self.every)


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
        """Return the scores on the dev set, from 0 to 1; the first counts."""
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

    def save(self, path: Path) -> None:
        """Write the model as Stanza loads it."""
        self.trainer.save(str(path))


Report = Callable[[str, int, int, float, dict[str, float] | None], None]
"""Told after each update: name, updates done, updates in all, loss, and scores at the end of a round."""


def train(stage: Stage, schedule: Schedule, folder: Path, name: str, report: Report) -> dict[str, float]:
    """Train a network, or go on training it, and keep the best in ``folder/name.pt``.

    Args:
        stage: The network; its weights are replaced where there is a checkpoint to go on from.
        schedule: How long and how fast.
        folder: Where ``name.pt`` and the checkpoint ``name.checkpoint`` go.
        name: Of the files, and in reports.
        report: Told what happens.

    Returns:
        The dev scores of the best round.
    """
    checkpoint = folder / f"{name}.checkpoint"
    done, best = _resume(stage, checkpoint)
    if not done:
        best = stage.score()
        stage.save(folder / f"{name}.pt")  # what is trained further is never made worse
    for number in range(done, schedule.rounds):
        _seed(schedule.seed * 10_007 + number)
        first = number * schedule.every
        last = min(first + schedule.every, schedule.steps)
        loss = 0.0
        for step, batch in zip(range(first, last), stage.batches(), strict=False):
            for optimizer in stage.optimizers:
                for group in optimizer.param_groups:
                    group["lr"] = schedule.rate * (1 - step / schedule.steps)
            loss = stage.update(batch)
            report(name, step + 1, schedule.steps, float(loss), None)
        scores = stage.score()
        report(name, last, schedule.steps, float(loss), scores)
        if next(iter(scores.values())) > next(iter(best.values())):
            best = scores
            stage.save(folder / f"{name}.pt")
        _keep(stage, checkpoint, number + 1, best)
    return best


def _seed(seed: int) -> None:
    import torch

    random.seed(seed)
    np.random.seed(seed % 2**32)
    torch.manual_seed(seed)


def _keep(stage: Stage, path: Path, rounds: int, best: dict[str, float]) -> None:
    import torch

    state = {
        "network": stage.network.state_dict(),
        "optimizers": [optimizer.state_dict() for optimizer in stage.optimizers],
        "rounds": rounds,
        "best": best,
    }
    beside = path.with_suffix(".partial")
    torch.save(state, beside)
    beside.replace(path)


def _resume(stage: Stage, path: Path) -> tuple[int, dict[str, float]]:
    import torch

    if not path.is_file():
        return 0, {}
    state = torch.load(path, map_location="cpu", weights_only=True)
    stage.network.load_state_dict(state["network"])
    for optimizer, saved in zip(stage.optimizers, state["optimizers"], strict=True):
        optimizer.load_state_dict(saved)
    return int(state["rounds"]), dict(state["best"])


def log_report(write: Callable[[str], object], every: int = 50) -> Report:
    """Return a report that writes a line every so many updates and one with the scores of each round."""
    started = time.monotonic()

    def report(name: str, step: int, steps: int, loss: float, scores: dict[str, float] | None) -> None:
        if scores is not None:
            found = "  ".join(f"{key} {100 * value:.2f}" for key, value in scores.items())
            write(f"{name}: step {step}/{steps}  dev {found}  ({time.monotonic() - started:.0f} s)")
        elif step % every == 0:
            write(f"{name}: step {step}/{steps}  loss {loss:.3f}")

    return report

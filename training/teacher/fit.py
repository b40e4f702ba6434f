"""A teacher as a stage of training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from jperrant.core.errors import UsageError
from training.batches import batch_words, ordered, shuffled
from training.finetuning import Trainable
from training.loop import Schedule, descend
from training.sampling import epoch_of
from training.teacher.examples import UNSAID, Batch, Example, Reader, batch_of
from training.teacher.labels import labels_of
from training.teacher.network import TeacherNetwork
from training.treebank import Treebank, TreebankSentence

# Most pieces of a batch, padding counted.
_TAUGHT, _PREDICTED = 1_600, 3_000
_DECAY, _LONGEST_GRADIENT = 0.01, 5.0
# What is not the encoder begins with random weights and learns faster.
_REST_RATE = 0.002
_WARM, _EVERY = 200, 1_000


class TeacherStage:
    """Trains a teacher.

    Args:
        train: Treebanks, each with how often an epoch takes each of its sentences; those longer than the encoder
            takes are left out.
        dev: Chooses the best round.
        encoder: What the teacher begins with.
        rate: The learning rate of the encoder.

    Attributes:
        labels: What the teacher tells of words.
        reader: Turns sentences into what it reads.
    """

    def __init__(
        self, train: Sequence[tuple[Treebank, float]], dev: Treebank, encoder: Trainable, rate: float
    ) -> None:
        self.labels = labels_of(sentence for bank, _ in train for sentence in bank.sentences)
        self.reader = Reader(encoder, self.labels)
        self._network = TeacherNetwork(encoder, self.labels)
        self._optimizer = _optimizer(self._network, rate)
        fitting = [(e, share) for bank, share in train for e in self._examples(bank)]
        self._train, self._shares = [e for e, _ in fitting], np.array([share for _, share in fitting])
        self._lengths, self._dev, self._rate = _lengths(self._train), self._examples(dev), rate
        self._most = batch_words(_TAUGHT, train[0][0])
        for bank, examples in ((train[0][0], self._train), (dev, self._dev)):
            if not examples:
                raise UsageError(
                    f"{bank.name}: all sentences have more than the {encoder.limit} word pieces that the encoder "
                    "takes; choose another"
                )

    def _examples(self, bank: Treebank) -> list[Example]:
        return [e for e in map(self.reader.example, bank.sentences) if e is not None]

    @property
    def network(self) -> Any:
        """Torch's module."""
        return self._network

    @property
    def optimizers(self) -> Iterable[Any]:
        """Torch's optimizer of the network."""
        return [self._optimizer]

    def schedule(self, epochs: float, seed: int) -> Schedule:
        """Return a schedule of so many epochs, with a look at the dev set after each."""
        one = sum(1 for _ in self._epoch(np.random.default_rng(seed)))
        steps = max(1, round(epochs * one))
        return Schedule(steps, self._rate, min(one, steps, _EVERY), seed, warm=min(_WARM, steps // 10))

    def batches(self) -> Iterator[Batch]:
        """Yield batches of sentences of similar length in random order, without end."""
        draw = np.random.default_rng(np.random.randint(2**31, size=4))
        while True:
            for numbers in self._epoch(draw):
                yield batch_of([self._train[number] for number in numbers])

    def _epoch(self, draw: np.random.Generator) -> Iterator[Any]:
        chosen = epoch_of(self._shares, draw)
        return (chosen[places] for places in shuffled(self._lengths[chosen], self._most, draw))

    def update(self, batch: Batch) -> float:
        """Learn from a batch and return its loss."""
        self._network.train()
        return descend(self._network, self.optimizers, self._network.loss(batch), _LONGEST_GRADIENT)

    def score(self) -> dict[str, float]:
        """Return the mean of the shares of dev words with the right tags and attachment, then each."""
        right: dict[str, int] = {}
        said: dict[str, int] = {}
        for numbers, found in self._predicted(self._dev):
            for place, number in enumerate(numbers):
                of_sentence = {name: values[place] for name, values in found.items()}
                for name, equal in _right(self._dev[number], of_sentence).items():
                    right[name] = right.get(name, 0) + int(equal.sum())
                    said[name] = said.get(name, 0) + len(equal)
        shares = {name: right[name] / said[name] for name in right if said[name]}
        return {"mean": float(np.mean(list(shares.values()))) if shares else 0.0, **shares}

    def label(self, sentences: Sequence[TreebankSentence]) -> list[dict[str, Any] | None]:
        """Return the numbers of the labels of each sentence by column; None of what is too long for the encoder."""
        read = [self.reader.example(sentence, gold=False) for sentence in sentences]
        examples = [example for example in read if example is not None]
        places = [place for place, example in enumerate(read) if example is not None]
        labels: list[dict[str, Any] | None] = [None] * len(sentences)
        for numbers, found in self._predicted(examples):
            for row, number in enumerate(numbers):
                words = len(examples[number].words)
                labels[places[number]] = {name: values[row, :words] for name, values in found.items()}
        return labels

    def _predicted(self, examples: Sequence[Example]) -> Iterator[tuple[list[int], dict[str, Any]]]:
        """Yield what is predicted, in batches, each with the numbers of its examples."""
        for numbers in ordered(_lengths(examples), _PREDICTED):
            yield numbers, self._network.predict(batch_of([examples[number] for number in numbers]))

    def save(self, path: Path) -> None:
        """Write the weights."""
        torch.save(self._network.state_dict(), path)

    def load(self, path: Path) -> None:
        """Read the weights."""
        self._network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))


def _right(example: Example, found: dict[str, Any]) -> dict[str, Any]:
    """Return for each score which of the words that count have the right label."""
    gold, words = example.gold, len(example.words)
    equal = {name: found[name][:words] == gold[name] for name in gold}
    counted = {name: gold[name] != UNSAID for name in gold}
    if "head" in equal:
        equal["las"], counted["las"] = equal["head"] & equal.pop("deprel"), counted.pop("deprel")
    return {("uas" if name == "head" else name): equal[name][counted[name]] for name in equal}


def _optimizer(network: TeacherNetwork, rate: float) -> Any:
    encoder = [p for p in network.encoder.parameters() if p.requires_grad]
    inside = {id(p) for p in network.encoder.parameters()}
    rest = [p for p in network.parameters() if id(p) not in inside]
    groups: list[dict[str, Any]] = [{"params": encoder}, {"params": rest, "times": _REST_RATE / rate}]
    learning = [group for group in groups if group["params"]]
    return torch.optim.AdamW(learning, lr=rate, weight_decay=_DECAY, fused=True)


def _lengths(examples: Sequence[Example]) -> Any:
    return np.array([len(e.pieces) for e in examples], dtype=np.int64)

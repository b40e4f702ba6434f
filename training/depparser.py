"""The dependency parser as a stage of training, on tags as a tagger predicts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from jperrant.compact.trees import best_tree
from jperrant.parse.scores import stanza_document
from training.batches import BATCH_WORDS, batch_words
from training.encoding import encode_parsed
from training.lemmas import guessed_lemmas, with_lemmas
from training.loop import TrainerStage
from training.networks import FastParserNetwork
from training.sampling import Sampled, fast_optimizer
from training.tagger import Tagger, args_of
from training.taught import NOTHING, Taught
from training.treebank import Treebank, TreebankSentence
from training.vectors import add_words, begin_with

_UPOS, _FEATS = 3, 5
_WORDS = 3_000
_WITHOUT_END = 0.1  # the share of sentences that end in no mark which Stanza aims at


class ParserStage(TrainerStage):
    """Trains Stanza's parser.

    Args:
        train: Treebanks, each with how often an epoch takes its sentences; those without trees are left out.
        dev: Chooses the best round; it is tagged by the tagger before it is parsed.
        options: Settings of Stanza's parser; and ``batch_words``, most words of a batch.
        tagger: Stanza's trainer of a tagger, whose tags replace the gold ones; None keeps those.
        copies: How often the training treebank is tagged, each time with other errors.
        gold: Whether it is also there once with gold tags.
        noise: How much noise is added to the tagger over its training data; see ``Tagger.predict``.
        start: A model to continue from.
        vectors: Word vectors to begin anew with.
        taught: What a teacher labelled, to learn from, too; the tagger tags it once.
    """

    def __init__(
        self,
        train: Sequence[tuple[Treebank, float]],
        dev: Treebank,
        options: Mapping[str, Any],
        tagger: Any = None,
        copies: int = 1,
        gold: bool = True,
        noise: float = 0.15,
        start: Path | None = None,
        vectors: Mapping[str, Any] = MappingProxyType({}),
        taught: Taught = NOTHING,
    ) -> None:
        from stanza.models.depparse.data import DataLoader
        from stanza.models.depparse.trainer import GraphTrainer, Trainer
        from stanza.models.parser import parse_args

        settings = {name: value for name, value in options.items() if name != "batch_words"}
        switches = ["--no_pretrain", "--no_checkpoint", "--no_second_optim", "--no_plateau", "--cpu"]
        args = {**parse_args(switches), **settings}
        lemmas = guessed_lemmas(s for bank, _ in train for s in bank.sentences if "head" not in s.lacks)
        known = Tagger(tagger) if tagger else None
        tagged = _tagged(_parsed(train, lemmas), known, copies, gold, noise)
        further = _tagged(_parsed(taught.treebanks, lemmas), known, 1, not tagger, noise)
        if start is None:
            document = stanza_document(s for s, _ in tagged)
            vocab = DataLoader(document, args["batch_size"], args, None).vocab
            add_words(vocab["word"], (*vectors, *taught.words))
            self.trainer = GraphTrainer(args=args, vocab=vocab, device="cpu")
            begin_with(self.trainer.model.word_emb, vocab["word"], vectors)
        else:
            self.trainer = Trainer.load(
                str(start), None, args=args_of(settings), device="cpu", reset_history=True
            )
        fast_optimizer(self.trainer.optimizer)
        self.network_of_words = FastParserNetwork(self.trainer.model, self.trainer.args)
        self.train = Sampled([*tagged, *further], self._encode, _WITHOUT_END)
        self.words = batch_words(int(options.get("batch_words", BATCH_WORDS)), train[0][0])
        self.dev = [s for s, _ in _tagged(_parsed([(dev, 1.0)], lemmas), known, 1, not tagger, 0.0)]

    def _encode(self, sentences: Sequence[TreebankSentence]) -> Any:
        return encode_parsed(sentences, self.trainer.vocab)

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizer.values())

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences of similar length in random order, without end."""
        return self.train.batches(self.words)

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return self.learn(self.network_of_words.loss(batch), self.trainer.args["max_grad_norm"])

    def score(self) -> dict[str, float]:
        """Return labelled and unlabelled attachment on the dev set, every word counted."""
        encoded = self._encode(self.dev)
        labelled = unlabelled = words = 0
        for numbers in encoded.ordered(_WORDS):
            batch = encoded.batch(numbers)
            scores, relations = self.network_of_words.predict(batch)
            heads = np.zeros((len(batch.numbers), int(batch.lengths[0]) - 1), dtype=np.int64)
            for place, length in enumerate(batch.lengths.tolist()):
                heads[place, : length - 1] = best_tree(scores[place, :length, :length].numpy())[1:]
            found = relations(heads).numpy()
            gold_heads, gold_labels = (batch.columns[name].T[:, 1:].numpy() for name in ("head", "deprel"))
            counted = np.arange(heads.shape[1]) < batch.lengths.numpy()[:, None] - 1
            right = (heads == gold_heads) & counted
            words += int(counted.sum())
            unlabelled += int(right.sum())
            labelled += int((right & (found == gold_labels)).sum())
        return {"las": labelled / words, "uas": unlabelled / words}


def _parsed(
    banks: Sequence[tuple[Treebank, float]], lemmas: Mapping[tuple[str, str], str]
) -> list[tuple[TreebankSentence, float]]:
    """Return the sentences that have trees, with lemmas, which a parser reads, guessed where they have none."""
    return [
        (with_lemmas(s, lemmas), share)
        for bank, share in banks
        for s in bank.sentences
        if "head" not in s.lacks
    ]


def _tagged(
    sentences: Sequence[tuple[TreebankSentence, float]],
    tagger: Tagger | None,
    copies: int,
    gold: bool,
    noise: float,
) -> list[tuple[TreebankSentence, float]]:
    """Return the sentences once for each tagging asked for."""
    if tagger is None:
        return list(sentences)
    found = list(sentences) if gold else []
    for _ in range(copies):
        predicted = tagger.predict([s for s, _ in sentences], noise)
        for (sentence, share), tags in zip(sentences, predicted, strict=True):
            words = iter(tags)
            rows = tuple(
                row if "-" in row[0] else (*row[:_UPOS], *next(words), *row[_FEATS + 1 :])
                for row in sentence.rows
            )
            found.append((replace(sentence, rows=rows), share))
    return found

"""The tagger (UPOS, XPOS, FEATS) as a stage of training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from jperrant.parse.scores import stanza_document
from training.batches import BATCH_WORDS, Encoded, batch_words
from training.encoding import TAG_COLUMNS, decode_tags, encode_tagged
from training.loop import TrainerStage
from training.networks import FastTaggerNetwork
from training.sampling import Sampled, fast_optimizer
from training.taught import NOTHING, Taught
from training.treebank import Treebank, TreebankSentence
from training.vectors import add_words, begin_with

_WORDS = 4_000


class TaggerStage(TrainerStage):
    """Trains Stanza's tagger.

    Args:
        train: Treebanks, each with how often an epoch takes each of its sentences.
        dev: Chooses the best round.
        options: Settings of Stanza's tagger; and ``batch_words``, most words of a batch.
        start: A model to continue from, with its vocabulary; None begins anew.
        vectors: Word vectors to begin anew with.
        taught: What a teacher labelled, to learn from, too.
    """

    def __init__(
        self,
        train: Sequence[tuple[Treebank, float]],
        dev: Treebank,
        options: Mapping[str, Any],
        start: Path | None = None,
        vectors: Mapping[str, Any] = MappingProxyType({}),
        taught: Taught = NOTHING,
    ) -> None:
        from stanza.models.pos.data import Dataset
        from stanza.models.pos.tag_columns import tag_columns_from_args
        from stanza.models.pos.trainer import Trainer
        from stanza.models.tagger import parse_args

        settings = {name: value for name, value in options.items() if name != "batch_words"}
        args = {**parse_args(["--no_pretrain", "--share_hid", "--cpu"]), **settings}
        if start is None:
            documents = [stanza_document(treebank.sentences) for treebank, _ in train]
            vocab = Dataset.init_vocab(documents, args, tag_columns_from_args(args))
            add_words(vocab["word"], (*vectors, *taught.words))
            self.trainer = Trainer(args=args, vocab=vocab, device="cpu")
            begin_with(self.trainer.model.word_emb, vocab["word"], vectors)
        else:
            self.trainer = Trainer(args=args_of(settings), model_file=str(start), device="cpu")
        fast_optimizer(self.trainer.optimizers)
        self.tagger = Tagger(self.trainer)
        every = (*train, *taught.treebanks)
        absent = {column for column in TAG_COLUMNS if not any(bank.has(column) for bank, _ in train)}
        sentences = [(_told(s, absent), share) for bank, share in every for s in bank.sentences]
        self.train = Sampled(sentences, self.tagger.encode, self.trainer.args.get("augment_nopunct") or 0.0)
        self.words, self.dev = batch_words(int(options.get("batch_words", BATCH_WORDS)), train[0][0]), dev

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizers.values())

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        return self.train.batches(self.words)

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return self.learn(self.tagger.network.loss(batch), self.trainer.args["max_grad_norm"])

    def score(self) -> dict[str, float]:
        """Return the share of dev words with all tags right, then with each."""
        return self.tagger.score(self.dev)


def args_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that may change in further training: weights do not hang on them."""
    return {
        k: v for k, v in options.items() if k in ("batch_size", "dropout", "word_dropout", "lr", "shorthand")
    }


def _told(sentence: TreebankSentence, absent: Set[str]) -> TreebankSentence:
    """Return a sentence that does not lack what no treebank has: that is learnt as empty."""
    return replace(sentence, lacks=sentence.lacks - absent) if sentence.lacks else sentence


class Tagger:
    """A tagger that is trained, or tags treebanks for a parser.

    Args:
        trainer: Stanza's trainer of it.
    """

    def __init__(self, trainer: Any) -> None:
        self.vocab, self.names = trainer.vocab, trainer.model.tag_names
        self.network = FastTaggerNetwork(trainer.model, trainer.args)

    def encode(self, sentences: Sequence[TreebankSentence]) -> Encoded:
        """Encode sentences by the tagger's vocabularies."""
        return encode_tagged(sentences, self.vocab, self.names)

    def predict(
        self, sentences: Sequence[TreebankSentence], noise: float = 0.0
    ) -> list[list[tuple[str, ...]]]:
        """Return UPOS, XPOS and FEATS of each word of each sentence, an underscore for none.

        Args:
            sentences: The sentences.
            noise: Share of the dropout of training to leave on. On its own training data a tagger is nearly always
                right; with 0.15 to 0.3 it errs there about as often as on new text.
        """
        encoded = self.encode(sentences)
        predicted: list[list[tuple[str, ...]]] = [[] for _ in sentences]
        for numbers in encoded.ordered(_WORDS):
            batch = encoded.batch(numbers)
            best = self.network.predict(batch, noise).numpy()
            for place, number in enumerate(batch.numbers):
                rows = best[: encoded.lengths[number], place]
                predicted[number] = decode_tags(self.vocab, self.names, rows)
        return predicted

    def score(self, gold: Treebank) -> dict[str, float]:
        """Return the share of words with all tags right, then with each; what a file lacks is not counted."""
        right, words = np.zeros(4), np.zeros(4)
        empty = {name for name in TAG_COLUMNS if gold_lacks(gold, name)}
        for sentence, predicted in zip(gold.sentences, self.predict(gold.sentences), strict=True):
            known = np.array([name not in sentence.lacks - empty for name in TAG_COLUMNS])
            for row, tags in zip(sentence.words, predicted, strict=True):
                equal = np.array([row[n] == tag for n, tag in zip(TAG_COLUMNS.values(), tags, strict=True)])
                counted = np.append(True, known)
                right += np.append((equal | ~known).all(), equal) * counted
                words += counted
        shares = right / np.maximum(words, 1)
        return dict(zip(("all", *TAG_COLUMNS), map(float, shares), strict=True))


def gold_lacks(gold: Treebank, name: str) -> bool:
    """Whether all sentences lack a column, so that it is learnt and measured as empty."""
    return all(name in s.lacks for s in gold.sentences)

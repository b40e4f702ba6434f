"""The lemmatizer as a stage of training: a dictionary, and a network for the words that are not in it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from training.loop import TrainerStage
from training.treebank import Treebank

_FORM, _LEMMA, _UPOS = 1, 2, 3


class LemmatizerStage(TrainerStage):
    """Trains Stanza's lemmatizer.

    The network learns each form with its tag once, with its most frequent lemma, not running text: frequent words
    are in the dictionary anyway, and English text would be ten times as long.

    Args:
        train: The treebank.
        dev: Chooses the best round, by its gold tags.
        options: Settings of Stanza's lemmatizer.
        start: A model to continue from; its dictionary is made anew.
    """

    def __init__(
        self, train: Treebank, dev: Treebank, options: Mapping[str, Any], start: Path | None = None
    ) -> None:
        from stanza.models.lemma.data import DataLoader
        from stanza.models.lemma.trainer import Trainer
        from stanza.models.lemmatizer import parse_args

        words = _counted(train)
        majority: dict[tuple[str, str], str] = {}
        for (form, upos, lemma), _ in words.most_common():
            majority.setdefault((form, upos), lemma)
        args = {**parse_args(["--shorthand", "xx_x", "--cpu"]), **options}
        vocab = None
        if start is not None:
            self.trainer = Trainer(model_file=str(start), device="cpu", args={})
            vocab, args = self.trainer.vocab, self.trainer.args
        random.seed(1234)
        distinct = [[form, upos, lemma] for (form, upos), lemma in majority.items()]
        self.train = DataLoader(_document(distinct), args["batch_size"], args, vocab=vocab)
        args["vocab_size"] = self.train.vocab["char"].size
        args["pos_vocab_size"] = self.train.vocab["pos"].size
        if start is None:
            self.trainer = Trainer(args=args, vocab=self.train.vocab, device="cpu")
        self.trainer.pos_dict = {}
        self.trainer.train_dict([word for word, count in words.items() for _ in range(count)])
        self.args = args
        self.dev = _counted(dev)
        new = [
            key for key in dict.fromkeys(w[:2] for w in self.dev) if not self.trainer.skip_seq2seq([key])[0]
        ]
        self.unseen = new
        document = _document([[*key, ""] for key in new])
        self.dev_batches = (
            DataLoader(document, args["batch_size"], args, vocab=self.train.vocab, evaluation=True)
            if new
            else []
        )

    def batches(self) -> Iterator[Any]:
        """Yield batches in random order, without end."""
        while True:
            numbers = list(range(len(self.train)))
            random.shuffle(numbers)
            for number in numbers:
                yield self.train[number]

    def score(self) -> dict[str, float]:
        """Return the share of dev words with the right lemma, then that of those not in the dictionary."""
        spelled: list[str] = []
        edits: list[Any] = []
        if self.network is not None:
            for batch in self.dev_batches:
                lemmas, kinds = self.trainer.predict(batch, self.args["beam_size"])
                spelled += lemmas
                edits += kinds or []
            spelled = self.trainer.postprocess([form for form, _ in self.unseen], spelled, edits=edits)
        guessed = dict(zip(self.unseen, spelled or [form for form, _ in self.unseen], strict=True))
        right = words = new_right = new = 0
        for (form, upos, lemma), count in self.dev.items():
            key = (form, upos)
            predicted = guessed[key] if key in guessed else self.trainer.predict_dict([key])[0]
            right += count * (predicted == lemma)
            words += count
            if key in guessed:
                new += count
                new_right += count * (predicted == lemma)
        return {"lemma": right / words, "unseen": new_right / new if new else 1.0}


def _counted(treebank: Treebank) -> Counter[tuple[str, str, str]]:
    """Count form, tag and lemma; words without a lemma teach nothing."""
    return Counter(
        (word[_FORM], word[_UPOS], word[_LEMMA])
        for sentence in treebank.sentences
        for word in sentence.words
        if word[_LEMMA] != "_" or word[_FORM] == "_"
    )


def _document(words: list[list[str]]) -> Any:
    from stanza.models.common.doc import Document

    return Document(
        [[{"id": (1,), "text": form, "upos": upos, "lemma": lemma}] for form, upos, lemma in words]
    )

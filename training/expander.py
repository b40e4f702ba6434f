"""The expander of multi-word tokens (``don't`` → ``do`` ``n't``) as a stage of training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jperrant.parse.scores import stanza_document
from training.loop import TrainerStage
from training.treebank import Treebank


class ExpanderStage(TrainerStage):
    """Trains Stanza's expander of multi-word tokens.

    Args:
        train: The treebank; it has multi-word tokens.
        dev: Chooses the best round.
        options: Settings of Stanza's expander.
    """

    def __init__(self, train: Treebank, dev: Treebank, options: Mapping[str, Any]) -> None:
        from stanza.models.mwt.data import BinaryDataLoader, DataLoader
        from stanza.models.mwt.trainer import Trainer
        from stanza.models.mwt.utils import mwts_composed_of_words
        from stanza.models.mwt_expander import parse_args

        args = {**vars(parse_args(["--cpu"])), **options}
        document = stanza_document(train.sentences)
        # Where the words always spell the token a classifier finds the cuts, and nothing can be made up.
        args["force_exact_pieces"] = mwts_composed_of_words(document)
        args["num_layers"] = 2 if args["force_exact_pieces"] else 1
        loader = BinaryDataLoader if args["force_exact_pieces"] else DataLoader
        self.train = loader(document, args["batch_size"], args)
        args["vocab_size"] = self.train.vocab.size
        self.trainer = Trainer(args=args, vocab=self.train.vocab, device="cpu")
        self.trainer.train_dict(document.get_mwt_expansions())
        gold = stanza_document(dev.sentences).get_mwt_expansions()
        self.gold = [tuple(pair) for pair in gold]
        self.dev = loader(
            _Tokens([form for form, _ in self.gold]), args["batch_size"], args, self.train.vocab, True
        )
        self.args = args

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        while True:
            yield from self.train.to_loader()

    def score(self) -> dict[str, float]:
        """Return the share of the dev set's multi-word tokens that are cut right."""
        if not self.gold:
            return {"mwt": 1.0}
        expansions: list[str] = []
        for batch in self.dev.to_loader():
            expansions += self.trainer.predict(batch)
        expansions = self.trainer.ensemble([form for form, _ in self.gold], expansions)
        return {"mwt": sum(f == g for f, (_, g) in zip(expansions, self.gold, strict=True)) / len(self.gold)}


class _Tokens:
    """The part of Stanza's documents that its loader asks for when it predicts."""

    def __init__(self, forms: list[str]) -> None:
        self.forms = forms

    def get_mwt_expansions(self, evaluation: bool) -> list[str]:  # noqa: ARG002 - Stanza's signature
        return self.forms

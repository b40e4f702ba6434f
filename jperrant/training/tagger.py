"""The tagger (UPOS, XPOS, FEATS) as a stage of training."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jperrant.training.fast_characters import read_distinct_words
from jperrant.training.loop import TrainerStage
from jperrant.training.treebank import Treebank, stanza_document

_COLUMNS = ("upos", "xpos", "feats")


class TaggerStage(TrainerStage):
    """Trains Stanza's tagger.

    Args:
        train: Treebanks, each with the share of its batches an epoch takes.
        dev: Chooses the best round.
        options: Settings of Stanza's tagger.
        start: A model to continue from, with its vocabulary; None begins anew.
    """

    def __init__(
        self,
        train: Sequence[tuple[Treebank, float]],
        dev: Treebank,
        options: Mapping[str, Any],
        start: Path | None = None,
    ) -> None:
        from stanza.models.pos.data import Dataset, ShuffledDataset
        from stanza.models.pos.tag_columns import tag_columns_from_args
        from stanza.models.pos.trainer import Trainer
        from stanza.models.tagger import parse_args

        args = {**parse_args(["--no_pretrain", "--share_hid", "--cpu"]), **options}
        documents = [stanza_document(treebank) for treebank, _ in train]
        if start is None:
            vocab = Dataset.init_vocab(documents, args, tag_columns_from_args(args))
            self.trainer = Trainer(args=args, vocab=vocab, device="cpu")
        else:
            self.trainer = Trainer(args=args_of(options), model_file=str(start), device="cpu")
            vocab, args = self.trainer.vocab, self.trainer.args
        read_distinct_words(self.trainer.model)
        self.args = args
        sets = [Dataset(document, args, None, vocab=vocab) for document in documents]
        for name in _COLUMNS:  # a column nobody has is learnt as empty
            if not any(dataset.has_tags[name] for dataset in sets):
                for dataset in sets:
                    dataset.has_tags[name] = True
        self.train = ShuffledDataset(sets, args["batch_size"], ratios=[share for _, share in train])
        self.dev = Tagged(dev, args, vocab)

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizers.values())

    def batches(self) -> Iterator[Any]:
        """Yield shuffled batches without end."""
        while True:
            yield from self.train

    def score(self) -> dict[str, float]:
        """Return the share of dev words with all tags right, then with each."""
        return self.dev.score(self.trainer)


def args_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that may change in further training: weights do not hang on them."""
    return {
        k: v for k, v in options.items() if k in ("batch_size", "dropout", "word_dropout", "lr", "shorthand")
    }


class Tagged:
    """A treebank with gold tags, to measure a tagger on or to be tagged by one."""

    def __init__(self, treebank: Treebank, args: Mapping[str, Any], vocab: Any) -> None:
        from stanza.models.pos.data import Dataset

        self.document = stanza_document(treebank)
        self.loader = Dataset(self.document, args, None, vocab=vocab, evaluation=True).to_loader(
            batch_size=args["batch_size"]
        )
        self.gold = [
            [[word.upos, word.xpos, word.feats] for word in s.words] for s in self.document.sentences
        ]

    def predict(self, trainer: Any, noise: float = 0.0) -> list[list[list[str | None]]]:
        """Return UPOS, XPOS and FEATS of each word of each sentence.

        Args:
            trainer: Stanza's trainer of the tagger.
            noise: Share of the dropout of training to leave on. On its own training data a tagger is nearly always
                right; with 0.15 to 0.3 it errs there about as often as on new text.
        """
        predicted: list[list[list[str | None]]] = []
        with _dropout(trainer.model, noise):
            for batch in self.loader:
                tags = trainer.predict(batch)
                predicted += [[[None if tag == "_" else tag for tag in word] for word in s] for s in tags]
        return predicted

    def score(self, trainer: Any) -> dict[str, float]:
        """Return the share of words with all tags right, then with each."""
        right, words = [0] * 4, 0
        for gold, predicted in zip(self.gold, self.predict(trainer), strict=True):
            for g, f in zip(gold, predicted, strict=True):
                words += 1
                right[0] += g == f
                for n in range(3):
                    right[n + 1] += g[n] == f[n]
        return dict(zip(("all", *_COLUMNS), (r / words for r in right), strict=True))


@contextmanager
def _dropout(model: Any, share: float) -> Iterator[None]:
    """Leave a share of a network's dropout on while it predicts."""
    from stanza.models.common.dropout import WordDropout
    from torch.nn import Dropout

    if not share:
        yield
        return
    names = {Dropout: "p", WordDropout: "dropprob"}
    parts = [(m, names[type(m)]) for m in model.modules() if type(m) in names]
    before = [getattr(module, name) for module, name in parts]
    for (module, name), rate in zip(parts, before, strict=True):
        setattr(module, name, rate * share)
    model.eval = model.train  # trainers turn dropout off before they predict
    try:
        yield
    finally:
        del model.eval
        for (module, name), rate in zip(parts, before, strict=True):
            setattr(module, name, rate)

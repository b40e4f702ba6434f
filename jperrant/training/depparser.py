"""The dependency parser as a stage of training, on tags as a tagger predicts them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jperrant.parse.trees import best_tree
from jperrant.training.fast_characters import read_distinct_words
from jperrant.training.loop import TrainerStage
from jperrant.training.tagger import Tagged, args_of
from jperrant.training.treebank import Treebank, stanza_document


class ParserStage(TrainerStage):
    """Trains Stanza's parser.

    Args:
        train: The treebank.
        dev: Chooses the best round; it is tagged by the tagger before it is parsed.
        options: Settings of Stanza's parser.
        tagger: Stanza's trainer of a tagger, whose tags replace the gold ones; None keeps those.
        copies: How often the training treebank is tagged, each time with other errors.
        gold: Whether it is also there once with gold tags.
        noise: How much noise is added to the tagger over its training data; see ``Tagged.predict``.
        start: A model to continue from.
    """

    def __init__(
        self,
        train: Treebank,
        dev: Treebank,
        options: Mapping[str, Any],
        tagger: Any = None,
        copies: int = 1,
        gold: bool = True,
        noise: float = 0.15,
        start: Path | None = None,
    ) -> None:
        from stanza.models.depparse.data import DataLoader
        from stanza.models.depparse.trainer import GraphTrainer, Trainer
        from stanza.models.parser import parse_args

        switches = ["--no_pretrain", "--no_checkpoint", "--no_second_optim", "--no_plateau", "--cpu"]
        args = {**parse_args(switches), **options}
        document = _tagged(train, tagger, copies, gold, noise)
        if start is None:
            loader = DataLoader(document, args["batch_size"], args, None)
            self.trainer = GraphTrainer(args=args, vocab=loader.vocab, device="cpu")
        else:
            self.trainer = Trainer.load(
                str(start), None, args=args_of(options), device="cpu", reset_history=True
            )
            args = self.trainer.args
            loader = DataLoader(document, args["batch_size"], args, None, vocab=self.trainer.vocab)
        read_distinct_words(self.trainer.model)
        self.trainer.model.decode_graph_predictions = _decoded
        self.args, self.loader = args, loader
        document = _tagged(dev, tagger, 1, False, 0.0)
        self.gold = [[(w.head, w.deprel) for w in s.words] for s in document.sentences]
        how = {"vocab": loader.vocab, "evaluation": True, "sort_during_eval": True}
        self.dev = DataLoader(document, args["batch_size"], args, None, **how)

    @property
    def optimizers(self) -> list[Any]:
        """Torch's optimizers of the network."""
        return list(self.trainer.optimizer.values())

    def batches(self) -> Iterator[Any]:
        """Yield batches of sentences of similar length in random order, without end."""
        import random

        while True:
            self.loader.reshuffle()
            numbers = list(range(len(self.loader)))
            random.shuffle(numbers)
            for number in numbers:
                yield self.loader[number]

    def update(self, batch: Any) -> float:
        """Learn from a batch and return its loss."""
        return float(self.trainer.update(batch)[0])

    def score(self) -> dict[str, float]:
        """Return labelled and unlabelled attachment on the dev set, every word counted."""
        from stanza.models.common.utils import unsort

        predictions: list[Any] = []
        for batch in self.dev:
            predictions += self.trainer.predict(batch)
        labelled = unlabelled = words = 0
        for gold, predicted in zip(self.gold, unsort(predictions, self.dev.data_orig_idx), strict=True):
            for (head, deprel), (found_head, found_deprel) in zip(gold, predicted, strict=True):
                words += 1
                unlabelled += head == found_head
                labelled += head == found_head and deprel == found_deprel
        return {"las": labelled / words, "uas": unlabelled / words}


def _decoded(vocab: Any, count: int, scores: Any, lengths: list[int], **_: Any) -> list[list[list[Any]]]:
    """Return head and relation of each word, by the signature of Stanza's own decoder.

    Args:
        vocab: The relations.
        count: Number of sentences.
        scores: The score of each head for each word, and the best relation of each of these arcs.
        lengths: Words of each sentence, the root counted.
    """
    sentences = []
    for n in range(count):
        heads = best_tree(scores[0][n][: lengths[n], : lengths[n]])[1:]
        relations = vocab.unmap([scores[1][n][word][head] for word, head in enumerate(heads, start=1)])
        sentences.append([[int(head), relation] for head, relation in zip(heads, relations, strict=True)])
    return sentences


def _tagged(treebank: Treebank, tagger: Any, copies: int, gold: bool, noise: float) -> Any:
    """Return a document with the treebank once for each tagging asked for."""
    from stanza.models.common.doc import FEATS, UPOS, XPOS

    document = stanza_document(treebank)
    if tagger is None:
        return document
    documents = [document] if gold else []
    for _ in range(copies):
        copy = Tagged(treebank, tagger.args, tagger.vocab)
        tags = copy.predict(tagger, noise)
        copy.document.set([UPOS, XPOS, FEATS], [word for sentence in tags for word in sentence])
        documents.append(copy.document)
    for other in documents[1:]:
        documents[0].sentences.extend(other.sentences)
    return documents[0]

"""The fast loop computes Stanza's networks: the same losses, gradients and predictions, without dropout."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from stanza.models.depparse.data import DataLoader
from stanza.models.depparse.trainer import Trainer as ParserTrainer
from stanza.models.depparse.trainer import unpack_batch as unpack_parsed
from stanza.models.pos.data import Dataset
from stanza.models.pos.trainer import Trainer as TaggerTrainer
from stanza.models.pos.trainer import unpack_batch as unpack_tagged

from jperrant.parse.model_scores import stanza_document
from tests.compact.packages import folder
from training.batches import encode_parsed, encode_tagged
from training.export import relation_classes
from training.networks import FastParserNetwork, FastTaggerNetwork
from training.treebank import Treebank, TreebankSentence

from . import treebanks

pytestmark = [pytest.mark.slow, pytest.mark.models]


@pytest.fixture(scope="module")
def bank():
    """Sentences of one length: Stanza's losses of order and distance count padding, too."""
    by_length: dict[int, list[TreebankSentence]] = {}
    for sentence in treebanks.bank().sentences:
        by_length.setdefault(len(sentence.words), []).append(sentence)
    return Treebank(tuple(max(by_length.values(), key=len)))


def trainer_of(kind):
    """Return Stanza's trainer of an embedded English network, without dropout."""
    path = str(folder("en").files[kind])
    args = {"dropout": 0.0, "word_dropout": 0.0}
    if kind == "pos":
        trainer = TaggerTrainer(model_file=path, device="cpu", args=args)
    else:
        trainer = ParserTrainer.load(path, None, args=args, device="cpu")
    for module in trainer.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "dropprob"):
            module.dropprob = 0.0
    trainer.model.train()
    return trainer


def gradients(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: torch.zeros_like(p) if p.grad is None else p.grad.clone() for n, p in model.named_parameters()}


def same(model, found, expected):
    """Compare two losses of a network, and their gradients."""
    theirs = gradients(model, expected)
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)
    for name, gradient in gradients(model, found).items():
        torch.testing.assert_close(gradient, theirs[name], rtol=2e-3, atol=2e-5, msg=name)


def tagged_batch(trainer, sentences):
    """Return sentences as one batch of a tagger."""
    encoded = encode_tagged(sentences, trainer.vocab, trainer.model.tag_names)
    return encoded.batch(range(len(sentences)))


def test_the_tagger_has_stanzas_loss_and_gradients(bank):
    trainer = trainer_of("pos")
    sets = Dataset(stanza_document(bank.sentences), trainer.args, None, vocab=trainer.vocab, evaluation=True)
    (batch,) = sets.to_loader(batch_size=1000)
    inputs, _, order, lengths, sizes, text = unpack_tagged(batch, "cpu")
    expected, _ = trainer.model(*inputs, order, lengths, sizes, text)
    network = FastTaggerNetwork(trainer.model, trainer.args, torch.float32)
    same(trainer.model, network.loss(tagged_batch(trainer, bank.sentences)), expected)
    # Columns that a file lacks teach nothing.
    blank = [replace(s, lacks=frozenset({"feats"})) for s in bank.sentences]
    found = gradients(trainer.model, network.loss(tagged_batch(trainer, blank)))
    assert all(not g.any() for n, g in found.items() if n.startswith("tag_clf.feats"))
    assert found["upos_clf.weight"].any()


def test_the_parser_has_stanzas_loss_and_gradients(bank):
    trainer = trainer_of("depparse")
    loader = DataLoader(
        stanza_document(bank.sentences), 10_000, trainer.args, None, vocab=trainer.vocab, evaluation=True
    )
    inputs, _, order, lengths, sizes, text = unpack_parsed(loader[0], "cpu")
    expected, _ = trainer.model.loss(*inputs, order, lengths, sizes, text)
    batch = encode_parsed(bank.sentences, trainer.vocab).batch(range(len(bank.sentences)))
    network = FastParserNetwork(trainer.model, trainer.args, torch.float32)
    same(trainer.model, network.loss(batch), expected)


def test_sentences_of_any_length_get_what_they_get_alone():
    sentences, trainer = treebanks.bank("dev").sentences, trainer_of("pos")
    network = FastTaggerNetwork(trainer.model, trainer.args, torch.float32)
    batch = tagged_batch(trainer, sentences)
    together = network.predict(batch)
    for place, number in list(enumerate(batch.numbers))[:5]:
        alone = network.predict(tagged_batch(trainer, [sentences[number]]))
        assert torch.equal(alone[:, 0], together[: len(alone), place])


def test_a_relation_that_a_class_hardly_ever_has_is_none_of_it():
    words = [("NOUN", "obj")] * 1_997 + [("NOUN", "det")] + [("NOUN", "amod")] * 2 + [("X", "dep")] * 999
    assert relation_classes(words, []) == {"NOUN": ["amod", "obj", "root"]}
    tagged = [("NOUN", "obj")] * 198 + [("NOUN", "case"), ("NOUN", "mark"), ("NOUN", "mark")]
    assert relation_classes(words, tagged) == {"NOUN": ["amod", "obj", "root"]}
    assert relation_classes(words, tagged[1:]) == {"NOUN": ["amod", "mark", "obj", "root"]}

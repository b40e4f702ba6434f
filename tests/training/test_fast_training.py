"""The fast loop computes Stanza's networks: the same losses, gradients and predictions, without dropout."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from jperrant.packs.pack import load_pack
from jperrant.parse.models import find_models
from jperrant.parse.scores import stanza_document
from training.batches import encode_parsed, encode_tagged
from training.export import relation_classes
from training.networks import FastParserNetwork, FastTaggerNetwork
from training.treebank import Treebank, TreebankSentence, read_treebank

pytestmark = [pytest.mark.slow, pytest.mark.models]
TREEBANK = Path(__file__).parents[1] / "data" / "treebank"


@pytest.fixture(scope="module")
def bank():
    """Sentences of one length: Stanza's losses of order and distance count padding, too."""
    read = read_treebank([str(TREEBANK / "train.conllu")])
    by_length: dict[int, list[TreebankSentence]] = {}
    for sentence in read.sentences:
        by_length.setdefault(len(sentence.words), []).append(sentence)
    return Treebank("x", tuple(max(by_length.values(), key=len)))


def trainer_of(kind):
    pack = load_pack("en")
    path = str(find_models("compact", "en", pack.compact, "en").files[kind])
    if kind == "pos":
        from stanza.models.pos.trainer import Trainer

        return Trainer(model_file=path, device="cpu", args={"dropout": 0.0, "word_dropout": 0.0})
    from stanza.models.depparse.trainer import Trainer

    return Trainer.load(path, None, args={"dropout": 0.0, "word_dropout": 0.0}, device="cpu")


def gradients(model, loss):
    model.zero_grad()
    loss.backward()
    return {n: torch.zeros_like(p) if p.grad is None else p.grad.clone() for n, p in model.named_parameters()}


def same(ours, theirs):
    assert ours.keys() == theirs.keys()
    for name, gradient in theirs.items():
        torch.testing.assert_close(ours[name], gradient, rtol=2e-3, atol=2e-5, msg=name)


def without_dropout(model):
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
        if hasattr(module, "dropprob"):
            module.dropprob = 0.0
    return model.train()


def test_the_tagger_has_stanzas_loss_and_gradients(bank):
    from stanza.models.pos.data import Dataset
    from stanza.models.pos.trainer import unpack_batch

    trainer = trainer_of("pos")
    model = without_dropout(trainer.model)
    sets = Dataset(stanza_document(bank.sentences), trainer.args, None, vocab=trainer.vocab, evaluation=True)
    (batch,) = sets.to_loader(batch_size=1000)
    inputs, _, order, lengths, sizes, text = unpack_batch(batch, "cpu")
    expected, _ = model(*inputs, order, lengths, sizes, text)
    theirs = gradients(model, expected)
    encoded = encode_tagged(bank.sentences, trainer.vocab, model.tag_names)
    found = FastTaggerNetwork(model, trainer.args, torch.float32).loss(encoded.batch(range(len(encoded))))
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)
    same(gradients(model, found), theirs)


def test_the_parser_has_stanzas_loss_and_gradients(bank):
    from stanza.models.depparse.data import DataLoader
    from stanza.models.depparse.trainer import unpack_batch

    trainer = trainer_of("depparse")
    model = without_dropout(trainer.model)
    loader = DataLoader(
        stanza_document(bank.sentences), 10_000, trainer.args, None, vocab=trainer.vocab, evaluation=True
    )
    inputs, _, order, lengths, sizes, text = unpack_batch(loader[0], "cpu")
    expected, _ = model.loss(*inputs, order, lengths, sizes, text)
    theirs = gradients(model, expected)
    encoded = encode_parsed(bank.sentences, trainer.vocab)
    found = FastParserNetwork(model, trainer.args, torch.float32).loss(encoded.batch(range(len(encoded))))
    assert found.item() == pytest.approx(expected.item(), rel=1e-4)
    same(gradients(model, found), theirs)


def test_a_parser_learns_from_whole_trees_only(bank, tmp_path):
    from training.recipe import read_recipe
    from training.stages import ParserStage

    recipe = read_recipe(TREEBANK.parents[2] / "langpacks" / "en" / "models" / "recipe.yaml")
    options = {**recipe.stages["depparse"].options, "word_emb_dim": 64, "lang": "x", "shorthand": "x_x"}
    bare = [
        "".join("\t".join((*row[:6], "_", *row[7:])) + "\n" for row in s.rows) + "\n" for s in bank.sentences
    ]
    mixed = tmp_path / "mixed.conllu"
    mixed.write_text("".join([*bank.lines(), *bare]), encoding="utf-8")

    def first_batch(sentences):
        np.random.seed(1)
        stage = ParserStage([(sentences, 1.0)], sentences, options)
        assert len(stage.dev) == len(bank.sentences)
        return next(stage.train.batches(100_000))

    expected, found = first_batch(bank), first_batch(read_treebank([str(mixed)]))
    assert all(torch.equal(found.columns[name], column) for name, column in expected.columns.items())


def test_sentences_of_any_length_get_what_they_get_alone():
    bank = read_treebank([str(TREEBANK / "dev.conllu")])
    trainer = trainer_of("pos")
    encoded = encode_tagged(bank.sentences, trainer.vocab, trainer.model.tag_names)
    network = FastTaggerNetwork(trainer.model, trainer.args, torch.float32)
    batch = encoded.batch(range(len(encoded)))
    together = network.predict(batch)
    for place, number in list(enumerate(batch.numbers))[:5]:
        alone = network.predict(encoded.batch([number]))
        assert torch.equal(alone[:, 0], together[: len(alone), place])


def test_bfloat16_is_near(bank):
    trainer = trainer_of("pos")
    encoded = encode_tagged(bank.sentences, trainer.vocab, trainer.model.tag_names)
    batch = encoded.batch(range(len(encoded)))
    exact, near = (
        FastTaggerNetwork(trainer.model, trainer.args, kind).loss(batch).item()
        for kind in (torch.float32, torch.bfloat16)
    )
    assert near == pytest.approx(exact, rel=0.05)


def test_columns_that_a_file_lacks_teach_nothing(bank):
    trainer = trainer_of("pos")
    names = trainer.model.tag_names
    blank = [
        TreebankSentence(
            tuple((*row[:5], "_", *row[6:]) for row in s.rows), s.new_paragraph, lacks=frozenset({"feats"})
        )
        for s in bank.sentences
    ]
    encoded = encode_tagged(blank, trainer.vocab, names)
    network = FastTaggerNetwork(trainer.model, trainer.args, torch.float32)
    found = gradients(trainer.model, network.loss(encoded.batch(range(len(encoded)))))
    assert all(not g.any() for n, g in found.items() if n.startswith("tag_clf.feats"))
    assert found["upos_clf.weight"].any()


def test_a_relation_that_a_class_hardly_ever_has_is_none_of_it():
    words = [("NOUN", "obj")] * 1_997 + [("NOUN", "det")] + [("NOUN", "amod")] * 2 + [("X", "dep")] * 999
    assert relation_classes(words, []) == {"NOUN": ["amod", "obj", "root"]}
    tagged = [("NOUN", "obj")] * 198 + [("NOUN", "case"), ("NOUN", "mark"), ("NOUN", "mark")]
    assert relation_classes(words, tagged) == {"NOUN": ["amod", "obj", "root"]}
    assert relation_classes(words, tagged[1:]) == {"NOUN": ["amod", "mark", "obj", "root"]}

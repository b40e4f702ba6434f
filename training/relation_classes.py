"""The table of the relations that each class of words has, counted in treebanks beside a parser's model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from jperrant.parse.networks.tagger import Tagger
from jperrant.parse.networks.weights import read_model
from jperrant.parse.relation_classes import relation_classes, relation_file
from jperrant.parse.treebank import DEPREL, FORM, UPOS, Treebank
from training.export import write_json


def write_relation_classes(model: Path, tagger: Path, train: Iterable[Treebank], dev: Treebank) -> None:
    """Write which relations the words of each class can have beside a parser's model.

    Args:
        model: The parser's model.
        tagger: The tagger's.
        train: What the parser learnt from; sentences without trees are left out.
        dev: What the tagger has not seen.
    """
    trees = [s.words for bank in train for s in bank.sentences if "head" not in s.lacks]
    words = [(row[UPOS], row[DEPREL]) for words in trees for row in words]
    others = [s.words for s in dev.sentences if "head" not in s.lacks]
    write_json(relation_file(model), relation_classes(words, _tagged(tagger, others)))


def _tagged(tagger: Path, sentences: Sequence[list[tuple[str, ...]]]) -> list[tuple[str, str]]:
    """Return the UPOS tag that a tagger finds and the relation of each word; none where Stanza has to run it."""
    model = read_model(tagger)
    if not Tagger.fits(model):
        return []
    tags = Tagger(model).tag([[row[FORM] for row in words] for words in sentences])
    pairs = [pair for columns in zip(tags, sentences, strict=True) for pair in zip(*columns, strict=True)]
    return [(tag.upos, row[DEPREL]) for tag, row in pairs]

"""The table of the relations that each class of words has, counted in treebanks beside a parser's model."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jperrant.compact.relation_classes import relation_file
from jperrant.compact.tagger import Tagger
from jperrant.compact.weights import OtherFormatError, read_model
from jperrant.core.conllu import DEPREL, FORM, UPOS
from training.export import write_json
from training.treebank import Treebank

_ROOT = "root"
_OFTEN, _TAGGED_OFTEN = 1_000, 100
"""A relation counts where at least one in so many words of the class has it, and of words tagged as such."""


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
    try:
        network = Tagger(read_model(tagger))
    except OtherFormatError:
        return []
    tags = network.tag([[row[FORM] for row in words] for words in sentences])
    pairs = [pair for columns in zip(tags, sentences, strict=True) for pair in zip(*columns, strict=True)]
    return [(tag.upos, row[DEPREL]) for tag, row in pairs]


def relation_classes(
    words: Iterable[tuple[str, str]], tagged: Iterable[tuple[str, str]]
) -> dict[str, list[str]]:
    """Return the relations that the words of each class have.

    Those of at least one in a thousand words of the class, or one in a hundred of those that a tagger takes for
    such: parsers are right where taggers are wrong. A class of fewer than a thousand words is left out.

    Args:
        words: UPOS tag and relation of every word of a treebank.
        tagged: The same of another treebank, with the tags of a tagger.
    """
    by_class, by_tag = _counts(words), _counts(tagged)
    return {
        upos: sorted({_ROOT, *_frequent(counts, _OFTEN), *_frequent(by_tag[upos], _TAGGED_OFTEN)})
        for upos, counts in sorted(by_class.items())
        if counts.total() >= _OFTEN
    }


def _counts(words: Iterable[tuple[str, str]]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for upos, relation in words:
        counts[upos][relation] += 1
    return counts


def _frequent(counts: Counter[str], one_in: int) -> Iterator[str]:
    return (name for name, count in counts.items() if count * one_in >= counts.total())

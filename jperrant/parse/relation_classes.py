"""Which relations the words of a class can have: those that treebanks give them now and then.

The parser of a folder keeps to it, so that rules that ask for a relation know the answer for other words without a
parse: an English verb is no determiner. The table lies beside the parser's model; one without a table may give any
relation to any word.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jperrant.core.errors import CorruptModelError

RelationClasses = Mapping[str, frozenset[str]]
"""The relations of each UPOS tag; a tag that is missing may have any."""
_ROOT = "root"
_OFTEN, _TAGGED_OFTEN = 1_000, 100
"""A relation counts where at least one in so many words of the class has it, and of words tagged as such."""


def relation_file(model: Path) -> Path:
    """Return where the table of a parser's model lies."""
    return model.with_suffix(".relations.json")


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


def read_relation_classes(model: Path) -> RelationClasses:
    """Return the table of a parser's model; an empty one where there is none.

    Raises:
        CorruptModelError: The file is not such a table.
    """
    path = relation_file(model)
    if not path.is_file():
        return {}
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CorruptModelError(f"{path} cannot be read ({error}); download it again") from None
    if not isinstance(stored, dict) or not all(_are_names(names) for names in stored.values()):
        raise CorruptModelError(f"{path}: expected the relations of each UPOS tag; download it again")
    return {upos: frozenset(names) for upos, names in stored.items()}


def _are_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)

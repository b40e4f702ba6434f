"""What a teacher tells of words: the tags and relations that its treebanks have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from training.encoding import TAG_COLUMNS
from training.treebank import TreebankSentence

FORM, HEAD, DEPREL = 1, 6, 7


@dataclass(frozen=True)
class Labels:
    """The labels that a teacher chooses from.

    Attributes:
        tags: The values of each column of tags that the treebanks have, in order: ``upos``, ``xpos``, ``feats``.
        relations: The relations, in order; none where the treebanks have no heads.
        of_roots: Those that words with head 0 have.
        of_others: Those that words with another head have.
        characters: The characters of words.
    """

    tags: Mapping[str, tuple[str, ...]]
    relations: tuple[str, ...]
    of_roots: frozenset[str]
    of_others: frozenset[str]
    characters: tuple[str, ...]

    @cached_property
    def numbers(self) -> Mapping[str, Mapping[str, int]]:
        """The number of each value of the columns, ``deprel`` one of them."""
        columns = {**self.tags, "deprel": self.relations}
        return {name: {v: n for n, v in enumerate(values)} for name, values in columns.items()}

    @cached_property
    def character_numbers(self) -> Mapping[str, int]:
        """The number of each character, from 2; 0 is for none and 1 for others."""
        return {character: number for number, character in enumerate(self.characters, start=2)}


def labels_of(sentences: Iterable[TreebankSentence]) -> Labels:
    """Return the labels of sentences; columns that a sentence ``lacks`` say nothing."""
    tags: dict[str, set[str]] = {name: set() for name in TAG_COLUMNS}
    relations: tuple[set[str], set[str]] = (set(), set())
    characters: set[str] = set()
    for sentence in sentences:
        characters.update(*(row[FORM] for row in sentence.words))
        for name in tags.keys() - sentence.lacks:
            tags[name].update(row[TAG_COLUMNS[name]] for row in sentence.words)
        for row in attached(sentence):
            relations[row[HEAD] != "0"].add(row[DEPREL])
    return Labels(
        {name: tuple(sorted(values)) for name, values in tags.items() if values},
        tuple(sorted(relations[0] | relations[1])),
        frozenset(relations[0]),
        frozenset(relations[1]),
        tuple(sorted(characters)),
    )


def attached(sentence: TreebankSentence) -> Iterator[tuple[str, ...]]:
    """Yield the words of a sentence that have a head."""
    return (row for row in sentence.words if row[HEAD] != "_")

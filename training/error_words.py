"""Words of a sentence that may be changed, dropped and moved, with their tree; and the forms a treebank has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from training.treebank import TreebankSentence

COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "deprel": 7}
"""Columns of CoNLL-U by the names that patterns use."""
_HEAD, _DEPS, _MISC = 6, 8, 9


@dataclass(eq=False, slots=True)
class Word:
    """A syntactic word; two are the same only if they are one object.

    Attributes:
        columns: Its values by the names in ``COLUMNS``.
        head: The word it hangs on; None for the root and where the treebank has no trees.
        misc: MISC, which says whether a space follows.
        token: The row of the multi-word token it is part of, or None; such words stay as they are.
    """

    columns: dict[str, str]
    head: Word | None = None
    misc: str = "_"
    token: tuple[str, ...] | None = None

    @property
    def form(self) -> str:
        """The form as it is written."""
        return self.columns["form"]


def words_of(sentence: TreebankSentence) -> list[Word]:
    """Return the words of a sentence."""
    tokens = {}
    for row in sentence.rows:
        if "-" in row[0]:
            first, _, last = row[0].partition("-")
            tokens.update(dict.fromkeys(range(int(first), int(last) + 1), row))
    rows = sentence.words
    words = [
        Word({name: row[n] for name, n in COLUMNS.items()}, None, row[_MISC], tokens.get(number))
        for number, row in enumerate(rows, start=1)
    ]
    for word, row in zip(words, rows, strict=True):
        if row[_HEAD] not in ("_", "0"):
            word.head = words[int(row[_HEAD]) - 1]
    return words


def rebuilt(sentence: TreebankSentence, words: Sequence[Word]) -> TreebankSentence:
    """Return a sentence with these words instead of its own."""
    numbers = {id(word): number for number, word in enumerate(words, start=1)}
    trees = "head" not in sentence.lacks
    rows: list[tuple[str, ...]] = []
    for number, word in enumerate(words, start=1):
        if word.token is not None and (number == 1 or words[number - 2].token is not word.token):
            last = number + sum(other.token is word.token for other in words) - 1
            rows.append((f"{number}-{last}", *word.token[1:]))
        head = str(numbers[id(word.head)]) if word.head else "0" if trees else "_"
        c = word.columns
        row = (c["form"], c["lemma"], c["upos"], c["xpos"], c["feats"], head, c["deprel"], "_", word.misc)
        rows.append((str(number), *row))
    return replace(sentence, rows=tuple(rows))


def children(words: Sequence[Word], word: Word) -> list[Word]:
    """Return the words that hang on a word."""
    return [other for other in words if other.head is word]


def drop(words: list[Word], word: Word) -> bool:
    """Take a word out and say so, unless something hangs on it, or it is the root or part of a token."""
    place = words.index(word)
    if word.token or word.head is None or len(words) < 2 or children(words, word):
        return False
    if place and not words[place - 1].token:
        words[place - 1].misc = word.misc  # what follows stands as far from what is left
    del words[place]
    return True


@dataclass(slots=True)
class Lexicon:
    """The forms of a treebank.

    Attributes:
        forms: All of them in lower case.
        inflected: The most frequent form and FEATS of each lemma, UPOS and XPOS.
        features: The most frequent FEATS of each UPOS and XPOS.
    """

    forms: set[str] = field(default_factory=set)
    inflected: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)
    features: dict[tuple[str, str], str] = field(default_factory=dict)


def lexicon_of(sentences: Iterable[TreebankSentence]) -> Lexicon:
    """Return the forms of some sentences; those marked as misspelt or foreign are no forms."""
    counts: Counter[tuple[str, str, str, str, str]] = Counter()
    for sentence in sentences:
        for row in sentence.words:
            if not {"Typo=Yes", "Foreign=Yes", "Abbr=Yes"} & set(row[5].split("|")):
                counts[row[1].lower(), row[2], row[3], row[4], row[5]] += 1
    lexicon = Lexicon()
    for (form, lemma, upos, xpos, feats), _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        lexicon.forms.add(form)
        lexicon.inflected.setdefault((lemma, upos, xpos), (form, feats))
        lexicon.features.setdefault((upos, xpos), feats)
    return lexicon

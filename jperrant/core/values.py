"""The values that flow through jperrant: immutable, without I/O, cheap to hold by the million."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

#: The type ERRANT writes for an edit it cannot name; such an edit marks an error without correcting it.
UNKNOWN = "UNK"
#: Types of edits that mark an error and propose no correction (ERRANT's ``UNK``, NUCLE's ``Um``).
DETECTION_TYPES = frozenset({UNKNOWN, "Um"})


@dataclass(frozen=True, slots=True)
class Token:
    """One token and what is known of it.

    Attributes:
        form: The text of the token; not empty, no white space.
        lemma, upos, xpos, deprel: As in CoNLL-U; an empty string where unknown.
        feats: Morphological features as in CoNLL-U (``Case=Nom|Number=Sing``); empty where there are none.
        head: 1-based position of the head in the same sentence, 0 for a root, None where not parsed.
        start, end: Character offsets into the text of the sentence, half-open.
        words: The syntactic words of a multi-word token whose form they do not spell (German ``zum``: ``zu``,
            ``dem``); empty for all other tokens. The analysis is that of the first word.
    """

    form: str
    lemma: str = ""
    upos: str = ""
    xpos: str = ""
    feats: str = ""
    head: int | None = None
    deprel: str = ""
    start: int = 0
    end: int = 0
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """Tokens over a text.

    Attributes:
        tokens: The tokens in order; ``text[t.start:t.end] == t.form`` for each.
        text: The text the tokens were cut from. Without white space it equals the joined forms.
        id: Name of the sentence in its file, if it has one.
    """

    tokens: tuple[Token, ...]
    text: str
    id: str = ""

    @classmethod
    def from_forms(cls, forms: Iterable[str], id: str = "") -> Sentence:
        """Make a sentence of bare tokens, joined by single spaces in its text."""
        tokens, offset = [], 0
        for form in forms:
            tokens.append(Token(form, start=offset, end=offset + len(form)))
            offset += len(form) + 1
        return cls(tuple(tokens), " ".join(t.form for t in tokens), id)

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms of the tokens."""
        return tuple([t.form for t in self.tokens])

    @property
    def tagged(self) -> bool:
        """Whether every token has a universal part-of-speech tag."""
        return all(t.upos for t in self.tokens)

    @property
    def parsed(self) -> bool:
        """Whether every token has a head."""
        return all(t.head is not None for t in self.tokens)


class Span(NamedTuple):
    """What one edit covers on both sides: half-open token ranges of source and target."""

    start: int
    end: int
    target_start: int
    target_end: int


class Parallel(NamedTuple):
    """A source sentence and its corrections, one by each annotator; the input of annotation."""

    source: Sentence
    corrections: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """One correction of a stretch of source tokens.

    Attributes:
        start, end: Half-open range of source tokens; equal for an insertion.
        correction: The tokens that replace the range; empty for a deletion; None where the edit marks an
            error without proposing a correction (written ``-NONE-``).
        type: ``M:``, ``U:`` or ``R:`` and a label of the language pack, or ``UNK``.
        detail: Free detail about the type; not part of M2.
        alternatives: Further corrections of the same range (M2's ``||``).
    """

    start: int
    end: int
    correction: tuple[str, ...] | None
    type: str
    detail: str = ""
    alternatives: tuple[tuple[str, ...], ...] = ()

    @property
    def is_detection(self) -> bool:
        """Whether the edit only marks an error, so that applying it changes nothing."""
        return self.correction is None or self.type in DETECTION_TYPES


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator did to one sentence; no edits means that nothing was changed (noop).

    Edits are sorted by ``(start, end)``; the order of edits at one span is meaningful.
    """

    annotator: int
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A source sentence and its annotations: one block of an M2 file."""

    source: tuple[str, ...]
    annotations: tuple[Annotation, ...] = ()

    def annotation(self, annotator: int) -> Annotation | None:
        """Return the annotation of one annotator, or None if that annotator has none here."""
        return next((a for a in self.annotations if a.annotator == annotator), None)


def on_cycle(heads: Sequence[int | None]) -> int | None:
    """Return the index of a word whose heads lead back to it, or None where every word hangs on a root.

    Args:
        heads: 1-based index of each word's head, 0 for a root, None for an unknown one.
    """
    safe = [False] * len(heads)
    for start in range(len(heads)):
        path, word = [], start
        on_path: set[int] = set()
        while not safe[word]:  # so each word is visited once
            if word in on_path:
                return word
            path.append(word)
            on_path.add(word)
            head = heads[word]
            if not head:
                break
            word = head - 1
        for visited in path:
            safe[visited] = True
    return None

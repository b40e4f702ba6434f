"""Corrections that stand in the wrong lines: sentences in a row that share few words with their corrections."""

from __future__ import annotations

from dataclasses import dataclass

from jperrant.core.messages import agree, plural
from jperrant.core.values import Annotation, Block

#: Sentences in a row that are out of step. Single ones may be written anew, but in CoNLL-14, UA-GEC and MuCGEC
#: never two in a row are; of the same texts moved by a line, more than nine sentences in ten are.
ROW = 8
#: Sentences from which on a text of which every one is out of step is told, although it is shorter than that.
FEWEST = 3
#: Tokens from which on a sentence or its correction counts.
LEAST_TOKENS = 4
#: Part of the longer side's tokens that are kept, from which on a sentence belongs to its correction.
KEPT = 0.3


@dataclass
class OutOfStep:
    """Finds where sentences in a row begin to share few words with their corrections by one annotator.

    Attributes:
        apart: Sentences that share few words with a correction.
    """

    apart: int = 0

    def __post_init__(self) -> None:
        self._sentences = self._looked_at = self._begin = 0
        self._rows: dict[int, tuple[int, int]] = {}

    def add(self, block: Block) -> None:
        """Look at a sentence."""
        self._sentences += 1
        sides = [(annotation.annotator, *_tokens(block, annotation)) for annotation in block.annotations]
        longer = [(annotator, kept / tokens) for annotator, tokens, kept in sides if tokens >= LEAST_TOKENS]
        self._looked_at += bool(longer)
        self.apart += any([share < KEPT for _, share in longer])
        for annotator, share in longer:
            begin, count = self._rows.get(annotator, (self._sentences, 0))
            self._rows[annotator] = (begin, count + 1) if share < KEPT else (self._sentences + 1, 0)
            if share < KEPT and count + 1 == ROW:
                self._begin = min(self._begin or begin, begin)

    @property
    def problem(self) -> str:
        """What to say of a text; empty where sentences most likely stand beside their own corrections."""
        if not self._begin and not FEWEST <= self.apart == self._looked_at:
            return ""
        verb = agree(self.apart, "shares", "share")
        return (
            f"{plural(self.apart, 'sentence')} {verb} few words with a correction, many in a row from sentence "
            f"{self._begin or 1} on; check that both texts have the same sentences in the same lines"
        )


def _tokens(block: Block, annotation: Annotation) -> tuple[int, int]:
    """Return the tokens of the longer side, and how many tokens of the source no edit touches."""
    source = len(block.source)
    kept = source - sum([edit.end - edit.start for edit in annotation.edits])
    return max(source, kept + sum([len(edit.correction or ()) for edit in annotation.edits])), kept

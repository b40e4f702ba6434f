"""Warnings about annotated sentences: what looks wrong is counted, and each kind is one line at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from unicodedata import normalize

from jperrant.alignment.tokens import is_blockwise
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.messages import agree, plural
from jperrant.core.text import ADVICE, RunningText, TokenMode, corrected_passages
from jperrant.core.values import Annotation, Block, Edit, Parallel
from jperrant.io.answers import Review
from jperrant.parse.models import NONE

#: Sentences in a row that are out of step. Single ones may be written anew, but in CoNLL-14, UA-GEC and MuCGEC
#: never two in a row are; of the same texts moved by a line, more than nine sentences in ten are.
ROW = 8
#: Sentences from which on a text of which every one is out of step is told, although it is shorter than that.
FEWEST = 3
#: Tokens from which on a sentence or its correction counts.
LEAST_TOKENS = 4
#: Part of the longer side's tokens that are kept, from which on a sentence belongs to its correction.
KEPT = 0.3


class OutOfStep:
    """Finds where sentences in a row begin to share few words with their corrections by one annotator."""

    def __init__(self) -> None:
        self._sentences = self._looked_at = self._apart = self._begin = 0
        #: The sentences of the row that goes on, the first of them, by annotator.
        self._rows = defaultdict[int, list[int]](list)

    def add(self, block: Block) -> None:
        """Look at a sentence."""
        self._sentences += 1
        shares = {
            one.annotator: share for one in block.annotations if (share := _kept(block, one)) is not None
        }
        self._looked_at += bool(shares)
        self._apart += any([share < KEPT for share in shares.values()])
        for annotator, share in shares.items():
            row = self._rows[annotator]
            row[:] = [*row, self._sentences][:ROW] if share < KEPT else []
            if len(row) == ROW:
                self._begin = min(self._begin or row[0], row[0])

    @property
    def problem(self) -> str:
        """What to say of a text; empty where sentences most likely stand beside their own corrections."""
        if not self._begin and not FEWEST <= self._apart == self._looked_at:
            return ""
        verb = agree(self._apart, "shares", "share")
        return (
            f"{plural(self._apart, 'sentence')} {verb} few words with a correction, many in a row from sentence "
            f"{self._begin or 1} on; check that both texts have the same sentences in the same lines"
        )


def _kept(block: Block, annotation: Annotation) -> float | None:
    """Return the part of the longer side's tokens that no edit touches; None where that side is too short."""
    kept = len(block.source) - sum([edit.end - edit.start for edit in annotation.edits])
    longer = max(len(block.source), kept + sum([len(edit.correction or ()) for edit in annotation.edits]))
    return kept / longer if longer >= LEAST_TOKENS else None


#: Sentences from which on it is odd that none was corrected.
_ODD = 10


class Noticed:
    """Counts in the texts and the blocks that pass.

    Attributes:
        sentences, edits: Blocks, and their edits by all annotators.
        blockwise: Sentences whose edits were found block by block.
        recoded: Edits that change nothing but how characters are encoded: composed (NFC) or decomposed (NFD).
        running: Sentences that look like running text.
        corrected: Sentences whose corrections do.
        texts: Hashes of the source sentences and of their corrections, by annotator.
        answers: What was done to the answers of language models to read them.
        reviews: Corrections beside their sources, by annotator.
        step: Sentences beside the corrections of others.
    """

    def __init__(self) -> None:
        self.sentences = self.edits = self.blockwise = self.recoded = 0
        self.running, self.corrected, self.step = RunningText(), RunningText(), OutOfStep()
        self.answers = list[str]()
        self.texts = dict[int, tuple[int, int]]()
        self.reviews = defaultdict[int, Review](Review)

    def read(self, records: Iterable[Parallel]) -> Iterator[Parallel]:
        """Pass on what is to be annotated."""
        for record in records:
            source = record.source.text
            for annotator, correction in enumerate(record.corrections):
                self.reviews[annotator].add(source, correction.text)
                before, after = self.texts.get(annotator, (0, 0))
                self.texts[annotator] = hash((before, source)), hash((after, correction.text))
            yield record

    def watch(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Pass blocks on."""
        for block in blocks:
            edits = [edit for annotation in block.annotations for edit in annotation.edits]
            self.sentences += 1
            self.edits += len(edits)
            self.blockwise += is_blockwise(block)
            self.recoded += sum([_recodes(block, edit) for edit in edits])
            self.running.add(block.source)
            self.corrected.add(*corrected_passages(block))
            self.step.add(block)
            yield block

    def problems(self, options: AnnotatorOptions, raw: bool) -> tuple[str, ...]:
        """Return what to say of a text and its corrections, which are most likely not meant to be as they are.

        Args:
            options: How it was annotated.
            raw: Whether it was taken as raw.
        """
        reviews = {annotator: one.finish() for annotator, one in self.reviews.items()}
        names = {n: f"corrections of annotator {n}" if len(reviews) > 1 else "corrections" for n in reviews}
        told = [note for n, review in reviews.items() for note in review.notes(names[n])]
        many = [n for n, review in reviews.items() if review.sentences >= _ODD]
        same = [n for n in many if len({*self.texts[n]}) == 1]
        told += [
            f"{names[n]}: no sentence differs from its source; check that it is what you mean" for n in same
        ]
        told += [
            f"corrections of annotators {a} and {b} are the same in every sentence; check that both are what you "
            "mean"
            for a, b in combinations(many, 2)
            if self.texts[a] == self.texts[b] and a not in same
        ]
        told = told or [self._running_text(options, raw), self.step.problem]
        return tuple(filter(None, [*self._counted(), *told]))

    def _counted(self) -> Iterator[str]:
        """Yield what to say of sentences found block by block, and of edits that change only the encoding."""
        if self.blockwise:
            yield (
                f"{plural(self.blockwise, 'sentence')} {agree(self.blockwise, 'is', 'are')} too long to be aligned "
                "exactly; edits were found block by block (docs/errant.md, Long sentences)"
            )
        if self.recoded:
            yield (
                f"{plural(self.recoded, 'edit')} {agree(self.recoded, 'changes', 'change')} nothing but how "
                "characters are encoded (é as one character or two); bring all texts to one normal form of Unicode "
                "first, such as NFC"
            )

    def _running_text(self, options: AnnotatorOptions, raw: bool) -> str:
        """Return what to say of a text that looks like running text, or else of its corrections that do.

        Empty if models made the tokens.
        """
        finding = self.running.finding or (
            self.corrected.finding and f"in its corrections {self.corrected.finding}"
        )
        if raw and options.models == NONE:
            return (
                finding and f"{finding}; --models=none cuts raw text by simple rules: choose other --models"
            )
        return "" if raw or TokenMode(options.tokens).segments else finding and f"{finding}; {ADVICE}"


def _recodes(block: Block, edit: Edit) -> bool:
    old, new = block.source[edit.start : edit.end], edit.correction
    if not new or old == new or len(old) != len(new) or all(map(str.isascii, (*old, *new))):
        return False
    before, after = (normalize("NFC", " ".join(tokens)) for tokens in (old, new))
    return before == after

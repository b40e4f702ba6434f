"""Warnings about annotated texts: suspicious sentences are counted, and each kind gives one line at the end."""

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

#: The number of consecutive mismatched sentences (see ``KEPT``) that gives a warning. In CoNLL-14, UA-GEC and
#: MuCGEC no two in a row mismatch; with one text shifted by a line, more than nine in ten do.
ROW = 8
#: The fewest sentences of a shorter text for a warning; all of them must mismatch.
FEWEST = 3
#: The fewest tokens, of a sentence or its correction, for a sentence to be checked.
LEAST_TOKENS = 4
#: The share of unchanged tokens below which a sentence and its correction mismatch.
KEPT = 0.3


class OutOfStep:
    """Finds the first of many consecutive sentences that share few words with their corrections."""

    def __init__(self) -> None:
        self._sentences = self._looked_at = self._apart = self._begin = 0
        #: The first sentences of the current row of mismatches, by annotator.
        self._rows = defaultdict[int, list[int]](list)

    def add(self, block: Block) -> None:
        """Check one sentence."""
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
        """The warning about a text; empty if its sentences match their corrections."""
        if not self._begin and not FEWEST <= self._apart == self._looked_at:
            return ""
        verb = agree(self._apart, "shares", "share")
        return (
            f"{plural(self._apart, 'sentence')} {verb} few words with a correction, many in a row from sentence "
            f"{self._begin or 1} on; check that both texts have the same sentences in the same lines"
        )


def _kept(block: Block, annotation: Annotation) -> float | None:
    """Return the unchanged tokens divided by the tokens of the longer side; None if that side is too short."""
    kept = len(block.source) - sum([edit.end - edit.start for edit in annotation.edits])
    longer = max(len(block.source), kept + sum([len(edit.correction or ()) for edit in annotation.edits]))
    return kept / longer if longer >= LEAST_TOKENS else None


#: The number of sentences from which a warning is given if none was corrected.
_ODD = 10


class Noticed:
    """Collects properties of records and blocks for warnings.

    Attributes:
        sentences, edits: The number of blocks, and of edits by all annotators.
        blockwise: The number of sentences with a blockwise alignment.
        recoded: The number of edits that change only the encoding of characters: composed (NFC) or decomposed
            (NFD).
        running: The check of sources for running text, which is not tokenised.
        corrected: The same check of corrections.
        texts: Hashes of the sources and of the corrections, by annotator.
        answers: Notes about reading the answers of language models.
        reviews: The reviews of corrections beside their sources, by annotator.
        step: The check for sentences beside other corrections than their own.
    """

    def __init__(self) -> None:
        self.sentences = self.edits = self.blockwise = self.recoded = 0
        self.running, self.corrected, self.step = RunningText(), RunningText(), OutOfStep()
        self.answers = list[str]()
        self.texts = dict[int, tuple[int, int]]()
        self.reviews = defaultdict[int, Review](Review)

    def read(self, records: Iterable[Parallel]) -> Iterator[Parallel]:
        """Pass records on."""
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
        """Return the warnings about a text and its corrections.

        Args:
            options: The options of the annotator.
            raw: Whether the text was raw.
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
        """Yield warnings about blockwise alignments, and about edits that change only the encoding."""
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
        """Return the warning that sources or corrections are not tokenised; empty if models made the tokens."""
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

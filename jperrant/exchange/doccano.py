"""doccano's JSON lines for sequence labelling, one for each sentence and annotator; written only.

doccano holds spans and labels: no span without a character (its database refuses them) and no text on a span. So an
insertion is marked on the token behind it, at the end of a sentence on the last one, and corrections are
metadata that annotators see and cannot change. Nothing of that can be read back without guessing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from jperrant.core.option import option
from jperrant.core.values import Block, Edit
from jperrant.exchange.annotator_files import annotated_sentences
from jperrant.exchange.base import Corpus, ExchangeFormat, ExportedFile
from jperrant.exchange.corrections import correction_text
from jperrant.exchange.offsets import TokenOffsets, Utf16, sentence_text


@dataclass(frozen=True)
class DoccanoFormat(ExchangeFormat):
    """doccano's JSON lines for sequence labelling."""

    name: ClassVar[str] = "doccano"
    description: ClassVar[str] = "JSON lines of doccano for sequence labelling; export only"
    can_import: ClassVar[bool] = False
    files: ClassVar[str] = "a file, in it a line for each sentence and annotator"
    suffix: ClassVar[str] = ".jsonl"
    loses: ClassVar[str] = (
        "spans and labels only: corrections are metadata that cannot be changed there, insertions are marked on "
        "the token beside them, empty sentences are left out; allow overlapping spans in the project"
    )

    utf16: bool = option(
        False, "Count UTF-16 code units, for projects without 'count grapheme clusters as one'."
    )

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield the one file."""
        yield ExportedFile("", self._lines(corpus))

    def _lines(self, corpus: Corpus) -> Iterator[str]:
        for document, annotator, number, block, edits in annotated_sentences(corpus):
            labels, corrections = self._spans(block, edits)
            record = {
                "text": sentence_text(block),
                "label": labels,
                "corrections": corrections,
                "document": document.name,
                "sentence": number + 1,
                "annotator": annotator,
            }
            yield json.dumps(record, ensure_ascii=False) + "\n"

    def _spans(self, block: Block, edits: tuple[Edit, ...]) -> tuple[list[list[Any]], list[str]]:
        """Return the spans with their labels, and in words what each corrects."""
        offsets = TokenOffsets.of(sentence_text(block))
        units = Utf16(offsets.text)
        labels: list[list[Any]] = []
        corrections = []
        for edit in edits:
            begin, end, place = anchored(offsets, edit)
            covered, correction = offsets.text[begin:end], correction_text(edit)
            if self.utf16:
                begin, end = units.to_utf16(begin), units.to_utf16(end)
            labels.append([begin, end, edit.type])
            corrections.append(f"{place}{covered} → {'?' if correction is None else correction}")
        return labels, corrections


def anchored(offsets: TokenOffsets, edit: Edit) -> tuple[int, int, str]:
    """Return the characters on which an edit is marked, and whether it stands before or after them.

    >>> anchored(TokenOffsets.of("a b"), Edit(1, 1, ("c",), "M:X"))
    (2, 3, 'before ')
    >>> anchored(TokenOffsets.of("a b"), Edit(2, 2, ("c",), "M:X"))
    (2, 3, 'after ')
    """
    if edit.start < edit.end:
        return *offsets.stretch(edit.start, edit.end), ""
    token = min(edit.start, len(offsets.starts) - 1)
    return offsets.starts[token], offsets.ends[token], "before " if edit.start == token else "after "

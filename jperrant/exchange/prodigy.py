"""Prodigy's JSON lines with tokens and spans, one for each sentence and annotator; written only.

A span of Prodigy is a range of tokens, the last one included, so that none is empty: an insertion is marked on
the token behind it, at the end of a sentence on the last one, and ``place`` says so. ``correction`` is a key of
ours that Prodigy keeps and that its interface for spans does not let people change.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from jperrant.core.values import Edit
from jperrant.exchange.annotator_files import annotated_sentences
from jperrant.exchange.base import Corpus, ExchangeFormat, ExportedFile
from jperrant.exchange.corrections import correction_text
from jperrant.exchange.doccano import anchored
from jperrant.exchange.offsets import TokenOffsets, sentence_text


@dataclass(frozen=True)
class ProdigyFormat(ExchangeFormat):
    """Prodigy's JSON lines with tokens and spans."""

    name: ClassVar[str] = "prodigy"
    description: ClassVar[str] = "JSON lines of Prodigy with tokens and spans; export only"
    can_import: ClassVar[bool] = False
    files: ClassVar[str] = "a file, in it a line for each sentence and annotator"
    suffix: ClassVar[str] = ".jsonl"
    loses: ClassVar[str] = (
        "spans and labels only: corrections are a key that cannot be changed there, insertions are marked on the "
        "token beside them, empty sentences are left out"
    )

    def export(self, corpus: Corpus) -> Iterator[ExportedFile]:
        """Yield the one file."""
        yield ExportedFile("", _lines(corpus))


def _lines(corpus: Corpus) -> Iterator[str]:
    for document, annotator, number, block, edits in annotated_sentences(corpus):
        offsets = TokenOffsets.of(sentence_text(block))
        record = {
            "text": offsets.text,
            "tokens": list(_tokens(offsets)),
            "spans": [_span(offsets, edit) for edit in edits],
            "meta": {"document": document.name, "sentence": number + 1, "annotator": annotator},
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


def _tokens(offsets: TokenOffsets) -> Iterator[dict[str, Any]]:
    for k, (start, end) in enumerate(zip(offsets.starts, offsets.ends, strict=True)):
        is_last = end == len(offsets.text)
        yield {"text": offsets.text[start:end], "start": start, "end": end, "id": k, "ws": not is_last}


def _span(offsets: TokenOffsets, edit: Edit) -> dict[str, Any]:
    begin, end, place = anchored(offsets, edit)
    span = {
        "start": begin,
        "end": end,
        "token_start": offsets.starts.index(begin),
        "token_end": offsets.ends.index(end),
        "label": edit.type,
        "correction": correction_text(edit),
    }
    return {**span, "place": place.strip()} if place else span

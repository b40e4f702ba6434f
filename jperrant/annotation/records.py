"""Records of annotation as a Python user writes them: strings and lists of strings beside sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from jperrant.core.errors import UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence

#: A sentence, or its text.
Text: TypeAlias = Sentence | str
#: A source with one correction, or with one by each annotator.
Record: TypeAlias = Parallel | tuple[Text, Text | Sequence[Text]] | list[str]


def parallels(records: Iterable[Record]) -> Iterator[Parallel]:
    """Yield records as sentences; texts are split at white space.

    Args:
        records: Pairs of a source and its correction, or a list of its corrections.

    Raises:
        UsageError: A record is not such a pair; names the record, counted from 1.
    """
    if isinstance(records, (str, Parallel)):
        raise UsageError(f"found a single {_name(records)}, expected a list of records; put it in a list")
    for number, record in enumerate(records, start=1):
        if isinstance(record, Parallel) and isinstance(record.corrections, tuple):
            yield record
        else:
            yield _parallel(record, number)


def _parallel(record: Record, number: int) -> Parallel:
    if isinstance(record, str) or not isinstance(record, Sequence) or len(record) != 2:
        size = f" of {len(record)}" if isinstance(record, (list, tuple)) else ""
        raise UsageError(
            f"record {number}: expected a source and its correction or list of corrections, "
            f"found a {_name(record)}{size}"
        )
    source, corrections = record
    if isinstance(corrections, (str, Sentence)):
        corrections = [corrections]
    if not isinstance(corrections, Sequence):
        raise UsageError(
            f"record {number}: found a {_name(corrections)}, expected a correction or a list of corrections"
        )
    return Parallel(_sentence(source, number), tuple([_sentence(text, number) for text in corrections]))


def _sentence(text: object, number: int) -> Sentence:
    if isinstance(text, Sentence):
        return text
    if isinstance(text, str):
        return sentence_of(text)
    raise UsageError(f"record {number}: found a {_name(text)}, expected a string or a Sentence")


def _name(value: object) -> str:
    return "string" if isinstance(value, str) else type(value).__name__

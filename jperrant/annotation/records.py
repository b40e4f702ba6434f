"""Records of annotation as a Python user writes them: strings and lists of strings beside sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias, TypeVar

from jperrant.core.errors import UsageError
from jperrant.core.text import sentence_of
from jperrant.core.values import Parallel, Sentence
from jperrant.packs import Pack

T = TypeVar("T")

#: A sentence, or its text.
Text: TypeAlias = Sentence | str
#: A source with one correction, or with one by each annotator.
Record: TypeAlias = Parallel | tuple[Text, Text | Sequence[Text]] | list[str]
#: How many records tell the script of all.
_SAMPLE = 256


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


def texts_of(record: Parallel) -> str:
    """Return the texts of a record as one."""
    return "\n".join([sentence.text for sentence in (record.source, *record.corrections)])


def in_script(pack: Pack, records: Iterable[T], text: Callable[[T], str]) -> Iterator[T]:
    """Pass records on, none ahead of need, and refuse them where the first ones are not in the language's script.

    Args:
        pack: The pack that they are annotated with.
        records: What is to be annotated.
        text: Returns the text of a record.

    Raises:
        UsageError: Hardly a letter of the first records is of a script of the language.
    """
    characters = Counter[str]()
    number = 0
    for number, record in enumerate(records, start=1):
        if number <= _SAMPLE:
            characters.update(text(record))
        if number == _SAMPLE:
            _check_script(pack, characters)
        yield record
    if number < _SAMPLE:
        _check_script(pack, characters)


def _check_script(pack: Pack, characters: Counter[str]) -> None:
    if problem := pack.script_problem(characters):
        raise UsageError(problem)


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

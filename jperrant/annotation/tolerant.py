"""Annotation that goes on where a record cannot be annotated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from jperrant.annotation.annotator import Annotator
from jperrant.annotation.batch import Batch
from jperrant.core.errors import MissingError, PackError, UsageError
from jperrant.core.values import Block, Parallel
from jperrant.io.record_check import Unannotated

#: Errors that are not of one record: each would come again with the next.
_OF_ALL = (MissingError, UsageError, MemoryError)


def annotate_tolerantly(
    annotator: Annotator, records: Iterable[Parallel], *, raw: bool, batch: int
) -> Iterator[Block | Unannotated]:
    """Yield blocks as ``Annotator.annotate_many``, and the reason in the place of a record that fails.

    Where a batch fails its records are annotated one by one, which gives the same blocks.

    Raises:
        MissingError, UsageError, MemoryError: No record can be annotated.
    """
    stream = iter(records)
    while chunk := list(islice(stream, batch)):
        try:
            blocks: list[Block | Unannotated] = list(Batch(annotator, chunk, raw).blocks())
        except _OF_ALL:
            raise
        except Exception:
            blocks = [block for record in chunk for block in _one(annotator, record, raw)]
        yield from blocks


def _one(annotator: Annotator, record: Parallel, raw: bool) -> Sequence[Block | Unannotated]:
    try:
        return list(Batch(annotator, [record], raw).blocks())
    except _OF_ALL:
        raise
    except Exception as error:
        what = "" if isinstance(error, PackError) else f"{type(error).__name__}: "
        text = "\t".join(sentence.text for sentence in (record.source, *record.corrections))
        return [Unannotated(f"cannot be annotated ({what}{error})", text)]

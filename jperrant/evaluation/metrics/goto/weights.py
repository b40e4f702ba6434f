"""How hard each chunk of a reference is to get right, and files of these weights.

Gotou et al. (2020), Eq. 1: the weight of a chunk is the share of the systems that do not get it right. A weight
file is JSON, with a line for each sentence::

    {"format": "jperrant-goto-weights", "version": 1, "systems": ["AMU", "CAMB"], "annotators": {"0": [
    [[0, 0, "", 0.0], [0, 1, "He", 0.5]],
    …
    ]}}

For each annotator and each sentence it holds the chunks of the reference in order, each as start, end, correction
and weight, so that weights are never used with another reference than theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from jperrant.core.errors import InputError
from jperrant.core.messages import plural
from jperrant.evaluation.metrics.goto.chunks import Chunk
from jperrant.evaluation.metrics.goto.verdicts import Verdict
from jperrant.io.files import open_input, open_output

FORMAT = "jperrant-goto-weights"
VERSION = 1

#: For each sentence, its chunks.
Chunks: TypeAlias = Sequence[Sequence[Chunk]]
#: For each sentence, for each chunk, a weight from 0 (every system gets it right) to 1 (none does).
Weights: TypeAlias = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class WeightFile:
    """The contents of a weight file.

    Attributes:
        path: The file.
        systems: The names of the systems whose output the weights come from.
        annotators: For each annotator, for each sentence, the chunks: start, end, correction, weight.
    """

    path: str
    systems: tuple[str, ...]
    annotators: Mapping[int, Sequence[Sequence[tuple[int, int, str, float]]]]

    def weights(self, annotator: int, chunks: Chunks) -> list[list[float]]:
        """Return the weights of one annotator's chunks.

        Args:
            annotator: The number of the annotator.
            chunks: For each sentence of the reference, its chunks.

        Raises:
            InputError: The file belongs to another reference; names the first sentence that differs.
        """
        if annotator not in self.annotators:
            known = ", ".join(str(number) for number in sorted(self.annotators))
            raise InputError(
                f"{self.path}: found no weights for annotator {annotator}; expected one of {known}"
            )
        rows = self.annotators[annotator]
        if len(rows) != len(chunks):
            raise InputError(
                f"{self.path}: weights for {plural(len(rows), 'sentence')}, but the reference has {len(chunks)}; "
                "use the reference that they were made with, or make new weights"
            )
        for number, (row, sentence) in enumerate(zip(rows, chunks, strict=True), start=1):
            if [entry[:3] for entry in row] != [_key(chunk) for chunk in sentence]:
                raise InputError(
                    f"{self.path}: sentence {number}: the chunks differ from those of annotator {annotator} of the "
                    "reference; use the reference that they were made with, or make new weights"
                )
        return [[entry[3] for entry in row] for row in rows]


def difficulty(verdicts: Sequence[Sequence[Verdict]]) -> tuple[float, ...]:
    """Return the weights of the chunks of a sentence (Eq. 1).

    >>> difficulty([[Verdict(True, False), Verdict(False, True)], [Verdict(True, True), Verdict(True, True)]])
    (0.0, 0.5)

    Args:
        verdicts: For each system, the verdict on each chunk.
    """
    systems = len(verdicts)
    columns = zip(*verdicts, strict=True)
    return tuple([1 - sum(verdict.right for verdict in column) / systems for column in columns])


def write_weights(
    path: str, systems: Sequence[str], annotators: Mapping[int, tuple[Chunks, Weights]]
) -> None:
    """Write a weight file; it appears whole or not at all.

    Args:
        path: The file, ``-`` meaning standard output.
        systems: The names of the systems.
        annotators: For each annotator the chunks of each sentence and their weights.

    Raises:
        InputError: The file cannot be written.
    """
    head = json.dumps({"format": FORMAT, "version": VERSION, "systems": list(systems)}, ensure_ascii=False)
    with open_output(path) as stream:
        stream.write(head[:-1] + ', "annotators": {')
        for place, (annotator, (chunks, weights)) in enumerate(sorted(annotators.items())):
            stream.write(f'{", " if place else ""}"{annotator}": [')
            for number, (sentence, row) in enumerate(zip(chunks, weights, strict=True)):
                entries = [[*_key(chunk), weight] for chunk, weight in zip(sentence, row, strict=True)]
                stream.write((",\n" if number else "\n") + json.dumps(entries, ensure_ascii=False))
            stream.write("\n]")
        stream.write("}}\n")


def read_weights(path: str) -> WeightFile:
    """Read a weight file.

    Raises:
        InputError: The file cannot be read, is not JSON, or is not a weight file.
    """
    with open_input(path) as stream:
        raw = stream.read()
    try:
        contents = json.loads(raw.decode("utf-8"))
        head = (contents["format"], contents["version"])
    except (UnicodeDecodeError, ValueError, RecursionError, TypeError, KeyError):
        head = None
    if head != (FORMAT, VERSION):
        raise InputError(
            f"{path}: expected a weight file of jperrant (JSON whose format is {FORMAT!r}, version {VERSION}); "
            "write one with --save-weight-file"
        )
    try:
        annotators = {
            int(annotator): [[_entry(entry) for entry in row] for row in rows]
            for annotator, rows in contents["annotators"].items()
        }
        return WeightFile(path, tuple(map(str, contents["systems"])), annotators)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(
            f"{path}: a damaged weight file: {error}; each chunk is [start, end, correction, weight]"
        ) from None


def _entry(entry: Any) -> tuple[int, int, str, float]:
    """Return one chunk of a file.

    Raises:
        TypeError, ValueError: It is none.
    """
    start, end, correction, weight = entry
    if not (type(start) is int and type(end) is int and isinstance(correction, str)):
        raise ValueError(f"found {json.dumps(entry)[:60]}")
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1:
        raise ValueError(f"weight {json.dumps(weight)[:60]}, expected a number from 0 to 1")
    return start, end, correction, float(weight)


def _key(chunk: Chunk) -> tuple[int, int, str]:
    return chunk.start, chunk.end, " ".join(chunk.correction)

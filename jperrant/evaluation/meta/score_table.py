"""Scores of metrics from a table of the user's own: of metrics whose models cannot be had here, say.

A tab-separated file whose first line names the columns: ``system``, or ``system`` and ``sentence``, and then one
column for each metric::

    system  sentence  SOME
    BART    1         0.7933
    BART    2         0.8010
    BART              0.7971

``sentence`` counts from 1. A line without one has the score of the whole text; where a system has no such line, it
is the mean of its sentences.

A folder is read, too, in SEEDA's form: a file ``SYSTEM.txt`` for each system, with a score a line for each
sentence, in the folder or in its ``sentence_score``, and ``system_score.txt``, if it is there, with a score
for each system in their order.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.m2_format import shorten
from jperrant.core.messages import plural
from jperrant.core.paths import is_folder
from jperrant.evaluation.meta.dataset import MetaDataset
from jperrant.evaluation.meta.figures import figure_of
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.metrics.score import signature_part
from jperrant.io.files import read_lines
from jperrant.io.m2_lines import number_of

SYSTEM, SENTENCE = "system", "sentence"
#: The names in SEEDA's folder of scores.
SENTENCES_FOLDER, SYSTEMS_FILE = "sentence_score", "system_score.txt"


@dataclass(slots=True)
class _Column:
    """The figures of one metric as they are read: by system, and by system and sentence."""

    corpus: dict[str, float] = field(default_factory=dict)
    sentences: dict[tuple[str, int], float] = field(default_factory=dict)


def read_metric_scores(path: str, dataset: MetaDataset, lower: Collection[str] = ()) -> list[MetricScores]:
    """Return the scores of every metric in a table, or of the one in a folder, over the systems of a data set.

    Args:
        path: The file, or the folder, after which the metric is called.
        dataset: Says which systems and how many sentences there are.
        lower: The metrics of the table of which a lower score is better.

    Raises:
        FormatError: A line is not as the first one says, names an unknown system or sentence, or has no figure.
        InputError: The file cannot be read, or a system or a sentence is missing.
        UsageError: ``lower`` names a metric that is not there.
    """
    return read_score_tables({path: path}, dataset, lower)


def read_score_tables(
    tables: Mapping[str, str], dataset: MetaDataset, lower: Collection[str] = ()
) -> list[MetricScores]:
    """Return the scores of every metric in several tables and folders.

    Args:
        tables: Their paths, each with what messages and signatures call it.
        dataset, lower: As in :func:`read_metric_scores`.

    Raises:
        FormatError, InputError: As :func:`read_metric_scores`.
        UsageError: ``lower`` names a metric that is in none of them.
    """
    found = [
        scores
        for path, called in tables.items()
        for scores in (
            [_read_folder(Path(path), called, dataset, lower)]
            if is_folder(path)
            else _read_table(path, called, dataset, lower)
        )
    ]
    known = [scores.name for scores in found]
    for name in lower:
        if name not in known:
            where = ", ".join(tables.values()) or "tables of scores"
            raise UsageError(
                f"{where}: found no metric {name!r}{nearest(name, known)}; expected one of "
                f"{', '.join(known) or 'their metrics, and none is given'}"
            )
    return found


def _read_table(path: str, called: str, dataset: MetaDataset, lower: Collection[str]) -> list[MetricScores]:
    """Return the scores of every metric in a table."""
    lines = enumerate(read_lines(path), start=1)
    header = next(lines, (1, ""))[1].split("\t")
    by_sentence = header[1:2] == [SENTENCE]
    metrics = header[2 if by_sentence else 1 :]
    if header[0] != SYSTEM or not metrics or len(set(metrics)) < len(metrics):
        raise FormatError(
            called,
            1,
            f"found columns {', '.join(map(repr, header))}, expected 'system', optionally 'sentence', and one for "
            "each metric, separated by tabs",
        )
    columns = {name: _Column() for name in metrics}
    for number, line in lines:
        if line.strip():
            _read_line(called, number, line.split("\t"), by_sentence, columns, dataset)
    return [_scores_of(called, name, columns[name], dataset, name in lower) for name in metrics]


def _read_line(
    path: str,
    number: int,
    cells: Sequence[str],
    by_sentence: bool,
    columns: dict[str, _Column],
    dataset: MetaDataset,
) -> None:
    """Put the figures of one line into the columns."""
    figures = cells[2 if by_sentence else 1 :]
    if len(figures) != len(columns):
        raise FormatError(
            path,
            number,
            f"found {plural(len(figures), 'figure')}, expected {len(columns)} as in the first line",
        )
    system = cells[0]
    if system not in dataset.systems:
        raise FormatError(
            path, number, f"unknown system {system!r}{nearest(system, dataset.systems)} of {dataset.name}"
        )
    sentence = _sentence(path, number, cells[1], dataset) if by_sentence and cells[1].strip() else None
    for column, cell in zip(columns.values(), figures, strict=True):
        figure = figure_of(path, number, cell)
        if sentence is None:
            if system in column.corpus:
                raise FormatError(path, number, f"system {system!r} is given twice; remove one")
            column.corpus[system] = figure
        else:
            if (system, sentence) in column.sentences:
                raise FormatError(
                    path, number, f"sentence {sentence + 1} of {system!r} is given twice; remove one"
                )
            column.sentences[system, sentence] = figure


def _read_folder(folder: Path, called: str, dataset: MetaDataset, lower: Collection[str]) -> MetricScores:
    """Return the scores of a metric in SEEDA's form.

    Raises:
        InputError: The file of a system is missing.
        FormatError: A file has another number of scores, or a line is none.
    """
    name = folder.resolve().name
    inner = folder / SENTENCES_FOLDER
    rows = [
        _figures((inner if inner.is_dir() else folder) / f"{system}.txt", len(dataset.sources), "sentence")
        for system in dataset.systems
    ]
    sentences = np.array(rows, dtype=np.float64)
    corpus = sentences.mean(axis=1)
    if (folder / SYSTEMS_FILE).is_file():
        corpus = np.array(_figures(folder / SYSTEMS_FILE, len(dataset.systems), "system"))
    signature = _signature(name, called)
    return MetricScores(name, dataset.system_names, corpus, sentences, name in lower, signature=signature)


def _figures(path: Path, number: int, what: str) -> list[float]:
    """Return the figures of a file that has one a line."""
    if not path.is_file():
        raise InputError(f"{path}: found no such file, expected one score per line for each {what}")
    lines = list(read_lines(str(path)))
    if len(lines) != number:
        raise FormatError(str(path), None, f"found {plural(len(lines), 'score')}, expected {number}")
    return [figure_of(str(path), n, line) for n, line in enumerate(lines, start=1)]


def _sentence(path: str, number: int, cell: str, dataset: MetaDataset) -> int:
    sentences = len(dataset.sources)
    sentence = number_of(cell)
    if sentence is None or not 1 <= sentence <= sentences:
        raise FormatError(
            path, number, f"found sentence {shorten(cell)}, expected a number from 1 to {sentences}"
        )
    return sentence - 1


def _scores_of(path: str, name: str, column: _Column, dataset: MetaDataset, lower: bool) -> MetricScores:
    """Return the figures of one metric as arrays.

    Raises:
        InputError: A system or a sentence has none.
    """
    known = {*column.corpus, *(system for system, _ in column.sentences)}
    systems = tuple(system for system in dataset.systems if system in known)
    if not systems:
        raise InputError(f"{path}: found no scores of any system of {dataset.name}")
    rows = np.empty((len(systems), len(dataset.sources) if column.sentences else 0))
    for row, system in zip(rows, systems, strict=True):
        for sentence in range(len(row)):
            if (system, sentence) not in column.sentences:
                raise InputError(
                    f"{path}: metric {name!r} has no score of system {system!r} for sentence {sentence + 1}; give "
                    f"all {len(row)} sentences"
                )
            row[sentence] = column.sentences[system, sentence]
    corpus = [
        column.corpus.get(s, float(row.mean()) if len(row) else math.nan)
        for s, row in zip(systems, rows, strict=True)
    ]
    return MetricScores(name, systems, np.array(corpus), rows, lower, signature=_signature(name, path))


def _signature(name: str, path: str) -> str:
    return "|".join(map(signature_part, (name, f"file:{path}")))

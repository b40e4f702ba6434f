"""Reading tables: human scores, judgements, and scores of metrics that other programs computed.

A table is tab-separated, and its first line names the columns. Scores of metrics have ``system``, or ``system`` and
``sentence``, and then one column for each metric::

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
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TypeVar

import numpy as np

from jperrant.core.display import shorten
from jperrant.core.errors import FormatError, InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.paths import is_folder
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.metrics.score import signature_part
from jperrant.io.files import read_lines
from jperrant.io.m2 import number_of

T = TypeVar("T", bound=Hashable)
SYSTEM, SENTENCE = "system", "sentence"
#: The columns of marks, and whether they are ratings.
MARKS = {"rank": False, "rating": True}
#: The names in SEEDA's folder of scores.
SENTENCES_FOLDER, SYSTEMS_FILE = "sentence_score", "system_score.txt"


def number_in(path: str, line: int, cell: str) -> float:
    """Return the finite number in a cell of a table.

    Args:
        path, line: The file and its line, counted from 1, for errors.
        cell: The cell.

    Raises:
        FormatError: The cell holds no finite number.
    """
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FormatError(path, line, f"found {shorten(cell)}, expected a number")
    return number


def index_in(path: str, line: int, cell: str, most: int | None = None) -> int:
    """Return the number in a cell that counts from 1, as an index from 0.

    Raises:
        FormatError: It is not a whole number from 1 to ``most``.
    """
    number = number_of(cell)
    if number is None or number < 1 or (most is not None and number > most):
        expected = "1" if most is None else f"1 to {most}"
        raise FormatError(path, line, f"found sentence {shorten(cell)}, expected a number from {expected}")
    return number - 1


def read_figures(path: str, expected: int) -> list[float]:
    """Return the figures of a file that has one a line and no names.

    Raises:
        InputError: The file cannot be read.
        FormatError: It has another number of lines than expected, or a line is not a number.
    """
    lines = list(read_lines(path))
    if len(lines) != expected:
        raise FormatError(path, None, f"found {plural(len(lines), 'line')}, expected {expected}")
    return [number_in(path, number, line) for number, line in enumerate(lines, start=1)]


def read_human(path: str) -> dict[str, dict[str, float]]:
    """Return the scores of systems in a table, by column and system.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not as the first one says, or a system is there twice.
    """
    human: dict[str, dict[str, float]] = {}
    for line, cells in _rows(path, (SYSTEM,)):
        system = cells.pop(SYSTEM)
        for column, cell in cells.items():
            own, score = human.setdefault(column, {}), number_in(path, line, cell)
            _put(own, system, score, path, line, f"system {system!r}")
    return human


def read_judgements(path: str, name: str) -> JudgementSet:
    """Return the judgements of a table; lines of one sentence and judge are one judgement.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not as the first one says, or a judge marks a system twice.
    """
    marks: dict[tuple[int, str], dict[str, float]] = {}
    kind = ""
    for line, cells in _rows(path, (SENTENCE, "judge", SYSTEM)):
        if not kind:
            [kind, *others] = [one for one in MARKS if one in cells] or [""]
            if not kind or others:
                raise FormatError(
                    path, 1, "expected columns sentence, judge, system, and either rank or rating"
                )
        judged = marks.setdefault((index_in(path, line, cells[SENTENCE]), cells["judge"]), {})
        what = f"system {cells[SYSTEM]!r} of sentence {cells[SENTENCE]} by judge {cells['judge']!r}"
        _put(judged, cells[SYSTEM], number_in(path, line, cells[kind]), path, line, what)
    judgements = tuple(Judgement(sentence, judge, given) for (sentence, judge), given in marks.items())
    return JudgementSet(name, judgements, MARKS[kind])


def read_score_tables(
    tables: Mapping[str, str], dataset: MetaDataset, lower: Collection[str] = ()
) -> list[MetricScores]:
    """Return the scores of every metric in tables, and of the one in each folder, over the systems of a data set.

    Args:
        tables: Their paths, each with what messages and signatures call it. A folder is called as its metric.
        dataset: Says which systems and how many sentences there are.
        lower: The metrics of which a lower score is better.

    Raises:
        FormatError: A line is not as the first one says, names an unknown system or sentence, or has no figure.
        InputError: A file cannot be read, or a system or a sentence is missing.
        UsageError: ``lower`` names a metric that is in none of them.
    """
    found: list[MetricScores] = []
    for path, called in tables.items():
        found += (_read_folder if is_folder(path) else _read_table)(path, called, dataset)
    known = [scores.name for scores in found]
    for name in lower:
        if name not in known:
            where = ", ".join(tables.values()) or "tables of scores"
            raise UsageError(
                f"{where}: found no metric {name!r}{nearest(name, known)}; expected one of "
                f"{', '.join(known) or 'their metrics, and none is given'}"
            )
    return [replace(scores, lower_is_better=scores.name in lower) for scores in found]


def _read_table(path: str, called: str, dataset: MetaDataset) -> list[MetricScores]:
    """Return the scores of every metric in a table."""
    figures: dict[str, dict[tuple[str, int | None], float]] = {}
    for line, cells in _rows(path, (SYSTEM,), called):
        system, written = cells.pop(SYSTEM), cells.pop(SENTENCE, "")
        if system not in dataset.systems:
            near = nearest(system, dataset.systems)
            raise FormatError(called, line, f"unknown system {system!r}{near} of {dataset.name}")
        sentence = index_in(called, line, written, len(dataset.sources)) if written.strip() else None
        what = f"system {system!r}" if sentence is None else f"sentence {written} of {system!r}"
        for metric, cell in cells.items():
            own = figures.setdefault(metric, {})
            _put(own, (system, sentence), number_in(called, line, cell), called, line, what)
    return [_scores_of(called, metric, own, dataset) for metric, own in figures.items()]


def _scores_of(
    called: str, metric: str, figures: Mapping[tuple[str, int | None], float], dataset: MetaDataset
) -> MetricScores:
    """Return the figures of one metric as arrays.

    Raises:
        InputError: A sentence has none.
    """
    known = {system for system, _ in figures}
    systems = tuple(system for system in dataset.systems if system in known)
    sentences = range(len(dataset.sources) if any(number is not None for _, number in figures) else 0)
    for system, number in product(systems, sentences):
        if (system, number) not in figures:
            raise InputError(
                f"{called}: metric {metric!r} has no score of system {system!r} for sentence {number + 1}; give "
                f"all {len(sentences)} sentences"
            )
    rows = np.array([[figures[system, n] for n in sentences] for system in systems]).reshape(len(systems), -1)
    means = rows.mean(axis=1) if sentences else np.full(len(systems), np.nan)
    corpus = np.array([figures.get((s, None), mean) for s, mean in zip(systems, means, strict=True)])
    return MetricScores(metric, systems, corpus, rows, signature=_signature(metric, called))


def _read_folder(path: str, called: str, dataset: MetaDataset) -> list[MetricScores]:
    """Return the scores of the metric in a folder of SEEDA's form.

    Raises:
        InputError: The file of a system is missing.
        FormatError: A file has another number of scores, or a line is not a number.
    """
    folder, inner = Path(path), Path(path, SENTENCES_FOLDER)
    files = [(inner if inner.is_dir() else folder) / f"{name}.txt" for name in dataset.systems]
    rows = np.array([read_figures(str(file), len(dataset.sources)) for file in files])
    corpus, whole = rows.mean(axis=1), folder / SYSTEMS_FILE
    if whole.is_file():
        corpus = np.array(read_figures(str(whole), len(dataset.systems)))
    name = folder.resolve().name
    return [MetricScores(name, dataset.system_names, corpus, rows, signature=_signature(name, called))]


def _rows(path: str, needed: Sequence[str], called: str = "") -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a table, each with its number and its cells by column.

    Raises:
        FormatError: A needed column is missing, a name stands for two, there is nothing besides the needed ones, a
            line has another number of cells, or there are no lines.
    """
    called = called or path
    lines = enumerate(read_lines(path), start=1)
    header = next(lines, (1, ""))[1].split("\t")
    if not {*needed} < {*header} or len({*header}) < len(header):
        raise FormatError(
            called,
            1,
            f"found columns {', '.join(map(shorten, header))}, expected {', '.join(map(repr, needed))} and others "
            "of different names, separated by tabs",
        )
    number = 1
    for number, line in lines:
        if line.strip():
            cells = line.split("\t")
            if len(cells) != len(header):
                raise FormatError(called, number, f"found {len(cells)} columns, expected {len(header)}")
            yield number, dict(zip(header, cells, strict=True))
    if number == 1:
        raise FormatError(called, None, "found no lines below the names of columns")


def _put(figures: dict[T, float], key: T, figure: float, path: str, line: int, what: str) -> None:
    """Add a figure under a new key.

    Raises:
        FormatError: The key has a figure already.
    """
    if key in figures:
        raise FormatError(path, line, f"{what} is given twice; remove one")
    figures[key] = figure


def _signature(name: str, called: str) -> str:
    return "|".join(map(signature_part, (name, f"file:{called}")))

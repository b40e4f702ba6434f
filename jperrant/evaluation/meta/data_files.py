"""The files of a data set for meta-evaluation: its description, tables, references and the edits of systems.

A JSON or YAML file describes a data set of your own by naming the files of its parts::

    {
      "name": "essays", "lang": "en",
      "source": "source.txt",
      "systems": {"baseline": "baseline.txt", "large": "large.txt", "edited": "edited.txt"},
      "references": {"gold": ["annotator1.txt", "annotator2.m2"]},
      "human": "human.tsv",
      "judgements": {"fluency": "judgements.tsv"},
      "groups": {"machines": ["baseline", "large"]}
    }

Paths are relative to that file. Tables are tab-separated, and their first line names the columns:

- Human scores: ``system`` and one column for each score. Such a table and the M2 files of its systems are enough
  for a data set (:func:`read_judged_m2`).
- Judgements: ``sentence`` (from 1), ``judge``, ``system``, and either ``rank`` (1 is best) or ``rating`` (higher is
  better).
- Scores of metrics from other programs: ``system``, optionally ``sentence``, and one column for each metric. A line
  without a sentence holds the score of the whole text; a system without such a line gets the mean of its sentences.

Files in a folder of references form sets by their names: those that differ only in a last capital letter or number
belong together (``NUCLEA`` and ``NUCLEB`` are ``NUCLE``, ``BN1`` to ``BN10`` are ``BN``). Each file is also a set
of its own. This is the layout of the 18 references of CoNLL-2014 (Bryant and Ng 2015; Sakaguchi et al. 2016) in
cnap/grammaticality-metrics.

Published figures depend on the program that extracted the edits, such as ERRANT. To reproduce them, give its M2
files of the systems (``--edits``).
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path, PurePath
from typing import TypeVar

import numpy as np
from pydantic import Field

from jperrant.core.display import shorten
from jperrant.core.edits import apply_edits
from jperrant.core.errors import EditError, FormatError, InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.paths import is_folder
from jperrant.core.values import Block
from jperrant.evaluation.inputs import is_m2
from jperrant.evaluation.meta.dataset import Judgement, JudgementSet, MetaDataset, Reference
from jperrant.evaluation.meta.metric_scores import MetricScores
from jperrant.evaluation.metrics.base import annotations_of
from jperrant.evaluation.metrics.corrected_texts import changing
from jperrant.evaluation.metrics.system_score import signature_part
from jperrant.evaluation.read_sides import read_blocks
from jperrant.evaluation.text_annotation import read_text
from jperrant.io.files import read_lines
from jperrant.io.m2 import number_of, read_m2
from jperrant.packs.yaml_file import Keys, OneOrMore, Text, YamlFile

T = TypeVar("T", bound=Hashable)
#: The name of the set that consists of the files given one by one.
FILES = "references"
_MEMBER = re.compile(r"(.+?)([A-Z]|\d+)")
_IGNORED = (".xml", ".md", ".py", ".html")
_OTHERS = (".", "source")
SYSTEM, SENTENCE = "system", "sentence"
#: The column with the marks of judgements, and whether these are ratings.
MARKS = {"rank": False, "rating": True}


class OwnData(Keys):
    """The keys of a file that describes a data set.

    Attributes:
        name: The name of the data set.
        lang: The code of the language.
        source: The text that was corrected, one sentence per line.
        systems: The corrected text of each system, by name.
        references: The sets of references, by name: texts or M2 files.
        human: A table of human scores.
        judgements: Tables of judgements, by name.
        groups: Groups of systems, by name.
    """

    name: Text = ""
    lang: Text = ""
    source: Text
    systems: dict[Text, Text]
    references: dict[Text, OneOrMore[Text]] = Field(default_factory=dict)
    human: Text = ""
    judgements: dict[Text, Text] = Field(default_factory=dict)
    groups: dict[Text, tuple[Text, ...]] = Field(default_factory=dict)


def read_own(path: str) -> MetaDataset:
    """Return the data set that a file describes.

    Raises:
        InputError: The description is invalid, or its parts do not fit together.
        FormatError: A file that it names is malformed.
    """
    file = YamlFile(Path(path))
    own, problems = file.checked(OwnData)
    if own is None:
        raise InputError(str(problems[0]))
    files = [path]

    def beside(key: str, name: str) -> str:
        found = Path(path).parent / name
        if not found.is_file():
            raise InputError(str(file.problem((key,), f"found no file {found}")))
        files.append(str(found))
        return str(found)

    return MetaDataset(
        own.name or Path(path).stem,
        read_text(beside("source", own.source)),
        {system: read_text(beside("systems", name)) for system, name in own.systems.items()},
        {
            called: tuple([read_reference(beside("references", name)) for name in names])
            for called, names in own.references.items()
        },
        read_human(beside("human", own.human)) if own.human else {},
        {
            called: read_judgements(beside("judgements", name), called)
            for called, name in own.judgements.items()
        },
        own.groups,
        lang=own.lang,
        files=tuple(files),
    )


def read_judged_m2(path: str, files: Sequence[str]) -> MetaDataset:
    """Return the data set made of a table of human scores and M2 files of the systems.

    Args:
        path: A table with a column ``system`` and one for each human score; systems without a file are left out.
        files: M2 files named after the systems, or patterns with ``*``.

    Raises:
        UsageError: No files are given.
        InputError: A file matches no system of the table, or has other sentences than the first file.
        FormatError: A file is malformed.
    """
    if not files:
        raise UsageError(f"{path}: human scores need systems; give their M2 files with --edits")
    human = read_human(path)
    judged = systems_of(matching_files(files), dict.fromkeys(s for scores in human.values() for s in scores))
    systems: dict[str, tuple[str, ...]] = {}
    sources: tuple[str, ...] = ()
    for system, file in judged.items():
        blocks = list(read_m2(file))
        own = tuple([" ".join(block.source) for block in blocks])
        if own != (sources := sources or own):
            raise InputError(f"{file}: its sentences are not those of {next(iter(judged.values()))}")
        systems[system] = tuple([corrected_text(file, n, block) for n, block in enumerate(blocks, start=1)])
    return MetaDataset(
        Path(path).stem,
        sources,
        systems,
        human={name: {s: own[s] for s in systems if s in own} for name, own in human.items()},
        files=(path, *judged.values()),
    )


def number_in(path: str, line: int, cell: str) -> float:
    """Return the finite number in a cell of a table.

    Args:
        path, line: The file and the line, counted from 1, that errors name.
        cell: The text of the cell.

    Raises:
        FormatError: The cell is not a finite number.
    """
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FormatError(path, line, f"found {shorten(cell)}, expected a number")
    return number


def index_in(path: str, line: int, cell: str, most: int | None = None) -> int:
    """Return the sentence number in a cell, counted from 1, as an index from 0.

    Raises:
        FormatError: The cell is not a whole number from 1 to ``most``.
    """
    number = number_of(cell)
    if number is None or number < 1 or (most is not None and number > most):
        expected = "1 up" if most is None else f"1 to {most}"
        raise FormatError(path, line, f"found sentence {shorten(cell)}, expected a number from {expected}")
    return number - 1


def read_figures(path: str, expected: int) -> list[float]:
    """Return the figures of a file with one number per line and nothing else.

    Raises:
        InputError: The file cannot be read.
        FormatError: The number of lines is not the expected one, or a line is not a number.
    """
    lines = list(read_lines(path))
    if len(lines) != expected:
        raise FormatError(path, None, f"found {plural(len(lines), 'line')}, expected {expected}")
    return [number_in(path, number, line) for number, line in enumerate(lines, start=1)]


def read_human(path: str) -> dict[str, dict[str, float]]:
    """Return a table of human scores by column and system.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line does not fit the header, or a system occurs twice.
    """
    human: dict[str, dict[str, float]] = {}
    for line, cells in _rows(path, (SYSTEM,)):
        system = cells.pop(SYSTEM)
        for column, cell in cells.items():
            own, score = human.setdefault(column, {}), number_in(path, line, cell)
            _put(own, system, score, path, line, f"system {system!r}")
    return human


def read_judgements(path: str, name: str) -> JudgementSet:
    """Return a table of judgements; the lines of one sentence and judge form one judgement.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line does not fit the header, or a judge marks a system twice.
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
    """Return the scores of every metric in tables, for the systems of a data set.

    Args:
        tables: The paths of the tables, each with its name in messages and signatures.
        dataset: The data set with the systems and sentences.
        lower: The metrics whose lower scores are better.

    Raises:
        FormatError: A line does not fit the header, names an unknown system or sentence, or lacks a number.
        InputError: A file cannot be read, or a sentence of a system is missing.
        UsageError: ``lower`` names a metric that no table has.
    """
    found: list[MetricScores] = []
    for path, called in tables.items():
        found += _read_table(path, called, dataset)
    known = [scores.name for scores in found]
    for name in lower:
        if name not in known:
            where = ", ".join(tables.values()) or "tables of scores"
            raise UsageError(
                f"{where}: found no metric {name!r}{nearest(name, known)}; expected one of "
                f"{', '.join(known) or 'the metrics of such tables, but no table is given'}"
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
    """Return the scores of one metric as arrays.

    Raises:
        InputError: Some but not all sentences of a system have a score.
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
    signature = "|".join(map(signature_part, (metric, f"file:{called}")))
    return MetricScores(metric, systems, corpus, rows, signature=signature)


def _rows(path: str, needed: Sequence[str], called: str = "") -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the cells of each line of a table, the cells by column.

    Raises:
        FormatError: A needed column is missing, there is no other column, two columns share a name, a line has
            another number of cells than the header, or there are no lines.
    """
    called = called or path
    lines = enumerate(read_lines(path), start=1)
    header = next(lines, (1, ""))[1].split("\t")
    if not {*needed} < {*header} or len({*header}) < len(header):
        raise FormatError(
            called,
            1,
            f"found columns {', '.join(map(shorten, header))}, expected {', '.join(map(repr, needed))} and one or "
            "more others, all with different names, separated by tabs",
        )
    number = 1
    for number, line in lines:
        if line.strip():
            cells = line.split("\t")
            if len(cells) != len(header):
                raise FormatError(called, number, f"found {len(cells)} columns, expected {len(header)}")
            yield number, dict(zip(header, cells, strict=True))
    if number == 1:
        raise FormatError(called, None, "found only the names of columns, expected lines below them")


def _put(figures: dict[T, float], key: T, figure: float, path: str, line: int, what: str) -> None:
    """Add a figure under a new key.

    Raises:
        FormatError: The key already has a figure.
    """
    if key in figures:
        raise FormatError(path, line, f"{what} is given twice; remove one")
    figures[key] = figure


def with_reference_files(
    dataset: MetaDataset, paths: Sequence[str], sets: Sequence[str]
) -> tuple[MetaDataset, list[str], list[str]]:
    """Return a data set with additional references, the names of the sets to use, and notes.

    Args:
        dataset: The data set.
        paths: Texts and M2 files, which form the set ``references``, and folders of texts and M2 files.
        sets: The sets to use; only these are read from folders. If empty, the given files are used, or if no files
            are given the first set of the data set.

    Raises:
        UsageError: A folder has several sets and ``sets`` names none of them, or a named set is unknown.
        InputError, FormatError: A file cannot be read, or has another number of sentences.
    """
    files = [path for path in paths if not is_folder(path)]
    folders = {name: found for path in paths if is_folder(path) for name, found in _sets(path).items()}
    chosen = {
        **({FILES: files} if files else {}),
        **{name: folders[name] for name in sets if name in folders},
    }
    if folders and not chosen.keys() & folders:
        known = ", ".join(folders)
        if unknown := [name for name in sets if name != FILES]:
            raise UsageError(
                f"unknown set of references {unknown[0]!r}{nearest(unknown[0], folders)}; expected one of {known}"
            )
        raise UsageError(f"found several sets of references ({known}); choose with --set")
    notes: list[str] = []
    read = {name: [read_reference(path, notes) for path in members] for name, members in chosen.items()}
    dataset = dataset.with_references(read)
    names = list(sets) or list(chosen) or list(dataset.references)[:1]
    for name in names:
        dataset.reference_set(name)
    return dataset, names, notes


def _sets(folder: str) -> dict[str, list[str]]:
    """Return the files of each set of references in a folder.

    Raises:
        InputError: The folder has no such files.
    """
    inner = Path(folder, "references")  # a subfolder that some distributions have
    every = sorted((inner if inner.is_dir() else Path(folder)).iterdir(), key=lambda p: (len(p.name), p.name))
    files = [p for p in every if p.is_file() and p.suffix not in _IGNORED and not p.name.startswith(_OTHERS)]
    if not files:
        raise InputError(f"{folder}: found no references in the folder, expected texts or M2 files")
    alone = {path.name.removesuffix(".txt"): [str(path)] for path in files}
    families: dict[str, list[str]] = {}
    for name, [path] in alone.items():
        if member := _MEMBER.fullmatch(name):
            families.setdefault(member[1], []).append(path)
    return {**{name: members for name, members in families.items() if len(members) > 1}, **alone}


def read_reference(path: str, notes: list[str] | None = None) -> Reference:
    """Return the reference in a text or M2 file.

    Args:
        path: The file.
        notes: A list that collects notes about tolerated deviations from M2.

    Raises:
        InputError, FormatError: The file cannot be read.
    """
    if not is_m2(path):
        return read_text(path)
    file = read_blocks(path, path)
    if notes is not None:
        notes.extend(file.notes)
    return file.blocks


def with_system_edits(
    dataset: MetaDataset, files: Sequence[str], groups: Sequence[str]
) -> tuple[MetaDataset, dict[str, tuple[Block, ...]], list[str]]:
    """Return a data set whose groups keep only the systems with given edits; also these edits, and notes.

    Without files the data set is returned unchanged.

    Args:
        dataset: The data set; applying the edits must give the texts of its systems.
        files: The M2 files, as in :func:`read_system_edits`.
        groups: The groups that are evaluated; a note lists their systems without edits.

    Raises:
        InputError, FormatError: As :func:`read_system_edits`.
        UsageError: A group is unknown.
    """
    edits = read_system_edits(dataset, files)
    if not edits:
        return dataset, edits, []
    without = dict.fromkeys(s for group in groups for s in dataset.group(group) if s not in edits)
    kept = {name: tuple(s for s in own if s in edits) for name, own in dataset.groups.items()}
    notes = [f"left out, as no edits were given: {', '.join(without)}"] if without else []
    return replace(dataset, groups=kept), edits, notes


def read_system_edits(dataset: MetaDataset, files: Sequence[str]) -> dict[str, tuple[Block, ...]]:
    """Return the edits of systems over the sentences of a data set.

    Args:
        dataset: The data set; applying the edits must give the texts of its systems.
        files: M2 files named after the systems (``conll14-AMU.m2``), or patterns of them (``conll14-*.m2``). They
            have the sentences of the data set, or those of the whole text that the data set is a part of.

    Raises:
        InputError: A pattern matches no file; a file matches no system, or two files match one; the number of
            sentences differs; or the edits give another text.
        FormatError: A file is not M2.
    """
    found = {}
    for system, file in systems_of(matching_files(files), dataset.systems).items():
        blocks = tuple(read_m2(file))
        numbers = dataset.over_sentences(tuple(range(1, len(blocks) + 1)), file)
        for number, text in zip(numbers, dataset.systems[system], strict=True):
            corrected = corrected_text(file, number, blocks[number - 1])
            if corrected.split() != text.split():
                raise InputError(
                    f"{file}: sentence {number} (counted from 1) gives {corrected!r}, but the text of {system} is "
                    f"{text!r}"
                )
        found[system] = tuple([blocks[number - 1] for number in numbers])
    return found


def corrected_text(file: str, number: int, block: Block) -> str:
    """Return the corrected sentence of a system.

    Args:
        file, number: The file and the sentence that errors name.
        block: The block of the sentence; its one annotator is the system.

    Raises:
        InputError: The block has several annotators.
        EditError: The edits cannot be applied.
    """
    where = f"{file}: sentence {number} (counted from 1)"
    [annotation, *others] = annotations_of(block)
    if others:
        raise InputError(f"{where} has {len(others) + 1} annotators, expected one, the system")
    try:
        return " ".join(apply_edits(block.source, changing(annotation)))
    except EditError as error:
        raise EditError(f"{where}: {error}") from None


def matching_files(files: Sequence[str]) -> list[str]:
    """Return the files that patterns with ``*`` match, sorted by name; other names are returned as they are.

    Raises:
        InputError: A pattern matches no file.
    """
    found: list[str] = []
    for file in files:
        if "*" not in file or Path(file).exists():
            found.append(file)
            continue
        folder, _, written = file.rpartition("/")
        matching = sorted(str(path) for path in Path(folder or ".").glob(written) if path.is_file())
        if not matching:
            raise InputError(f"{file}: no file matches the pattern")
        found += matching
    return found


def systems_of(files: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Return the file of each system: its name is that of the system or has it as a word (``conll14-AMU.m2``).

    Raises:
        InputError: A file matches none of the judged systems, or two files match one.
    """
    matched: dict[str, str] = {}
    for file in files:
        name = PurePath(file).name
        words = {name, PurePath(file).stem, *re.split(r"[^\w+-]|_", name), *re.split(r"[\W_]", name)}
        # The longest name wins: GECToR-BERT over BERT.
        fitting = sorted((system for system in judged if system in words), key=len, reverse=True)
        if not fitting:
            raise InputError(
                f"{file}: its name contains no judged system ({', '.join(judged)}); rename it after one of them"
            )
        if fitting[0] in matched:
            raise InputError(f"{file}: found a second file of the system {fitting[0]!r}; give one for each")
        matched[fitting[0]] = file
    return matched

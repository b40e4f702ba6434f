"""Files of a data set: one's own, tables of scores and judgements, references, edits of systems.

A data set of one's own is a JSON or YAML file that names the files of its parts::

    {
      "name": "essays", "lang": "en",
      "source": "source.txt",
      "systems": {"baseline": "baseline.txt", "large": "large.txt", "edited": "edited.txt"},
      "references": {"gold": ["annotator1.txt", "annotator2.m2"]},
      "human": "human.tsv",
      "judgements": {"fluency": "judgements.tsv"},
      "groups": {"machines": ["baseline", "large"]}
    }

Paths are relative to the file. A table is tab-separated, and its first line names the columns:

- Human scores have ``system`` and one column for each score. Such a table is a data set by itself where the systems
  are M2 files (:func:`read_judged_m2`).
- Judgements have ``sentence`` (from 1), ``judge``, ``system``, and ``rank`` (1 is best) or ``rating`` (more is
  better).
- Scores of metrics that other programs computed have ``system``, or ``system`` and ``sentence``, and one column for
  each metric. A line without a sentence has the score of the whole text; where a system has no such line, it is the
  mean of its sentences.

In a folder of references such as CoNLL-2014's, files whose names differ in a last letter or number only are one
set: ``NUCLEA`` and ``NUCLEB`` are ``NUCLE``, ``BN1`` to ``BN10`` are ``BN``. Each file is also a set of its own by
its name. This is how cnap/grammaticality-metrics distributes 18 references of CoNLL-2014 (Bryant and Ng 2015;
Sakaguchi et al. 2016).

Published figures come from edits of one program and its models (ERRANT's, say). With its M2 files of the systems
they come out as published, whatever annotates texts here.
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
#: What the files given one by one are called together.
FILES = "references"
_MEMBER = re.compile(r"(.+?)([A-Z]|\d+)")
#: A folder in which the references stand in a folder of their own.
_INNER = "references"
_IGNORED = (".xml", ".md", ".py", ".html")
_OTHERS = (".", "source")
SYSTEM, SENTENCE = "system", "sentence"
#: The columns of marks, and whether they are ratings.
MARKS = {"rank": False, "rating": True}


class OwnData(Keys):
    """The keys of a data set's file.

    Attributes:
        name: What the data set is called.
        lang: The language's code.
        source: The text that was corrected, a sentence a line.
        systems: The text of each system.
        references: Sets of references: texts or M2 files.
        human: A table of human scores.
        judgements: Tables of judgements.
        groups: Groups of systems.
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
        InputError: It is not such a file, or parts do not fit each other.
        FormatError: A file that it names is not as it should be.
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
    """Return the data set of a table of human scores and the M2 files of the systems that it names.

    Args:
        path: A table with a column ``system`` and one for each human score; systems without a file are left out.
        files: M2 files named after the systems, or patterns of them.

    Raises:
        UsageError: There are no files.
        InputError: A file fits no system of the table, or is about other sentences than the first.
        FormatError: A file is not as it should be.
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
    """Return the scores of every metric in tables, over the systems of a data set.

    Args:
        tables: Their paths, each with what messages and signatures call it.
        dataset: Says which systems and how many sentences there are.
        lower: The metrics of which a lower score is better.

    Raises:
        FormatError: A line is not as the first one says, names an unknown system or sentence, or has no figure.
        InputError: A file cannot be read, or a system or a sentence is missing.
        UsageError: ``lower`` names a metric that is in none of them.
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


def with_reference_files(
    dataset: MetaDataset, paths: Sequence[str], sets: Sequence[str]
) -> tuple[MetaDataset, list[str], list[str]]:
    """Return a data set with references of files, the names of the sets to use, and notes.

    Args:
        dataset: The data set.
        paths: Texts and M2 files, which are one set ``references``, and folders.
        sets: The sets that are wanted; of the folders only their files are read. If empty all files, or else the
            first set of the data set.

    Raises:
        UsageError: A folder has several sets and none is named, or a named set is nowhere.
        InputError, FormatError: A file cannot be read, or is of another text.
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
    """Return the files of each set in a folder.

    Raises:
        InputError: There are none.
    """
    inner = Path(folder, _INNER)
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
        notes: Gets what was read leniently.

    Raises:
        InputError, FormatError: It cannot be read.
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
    """Return a data set in whose groups only systems with edits count, their edits, and notes; all if no files.

    Args:
        dataset: The texts that the edits must lead to.
        files: As in :func:`read_system_edits`.
        groups: The groups that are looked at; a note says which of their systems are left out.

    Raises:
        InputError, FormatError: As :func:`read_system_edits`.
        UsageError: There is no such group.
    """
    edits = read_system_edits(dataset, files)
    if not edits:
        return dataset, edits, []
    without = dict.fromkeys(s for group in groups for s in dataset.group(group) if s not in edits)
    kept = {name: tuple(s for s in own if s in edits) for name, own in dataset.groups.items()}
    notes = [f"left out, as no edits were given: {', '.join(without)}"] if without else []
    return replace(dataset, groups=kept), edits, notes


def read_system_edits(dataset: MetaDataset, files: Sequence[str]) -> dict[str, tuple[Block, ...]]:
    """Return the edits of systems, over the sentences of a data set.

    Args:
        dataset: The texts that the edits must lead to.
        files: M2 files, or patterns of them (``conll14-*.m2``), named after the systems (``conll14-AMU.m2``), over
            the sentences of the data set or over the whole text that they were taken from.

    Raises:
        InputError: A pattern matches no file, a file fits no system or two fit one, has another number of
            sentences, or leads to another text.
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
    """Return the sentence that the edits of a system make.

    Args:
        file, number: Where the block is, for errors.
        block: It has one annotator, the system.

    Raises:
        InputError: It has several.
        EditError: Its edits cannot be applied.
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
    """Return the files that patterns match, sorted by name; an existing file stands for itself.

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
    """Return the file of each system: named like it, or with its name as one word (``conll14-AMU.m2``).

    Raises:
        InputError: A file fits none or several of the judged systems, or two files fit one.
    """
    matched: dict[str, str] = {}
    for file in files:
        name = PurePath(file).name
        words = {name, PurePath(file).stem, *re.split(r"[^\w+-]|_", name), *re.split(r"[\W_]", name)}
        # The longest name wins: GECToR-BERT over BERT.
        fitting = sorted((system for system in judged if system in words), key=len, reverse=True)
        if not fitting:
            raise InputError(
                f"{file}: its name is none of the judged systems ({', '.join(judged)}); rename it after one of them"
            )
        if fitting[0] in matched:
            raise InputError(f"{file}: found a second file of the system {fitting[0]!r}; give one for each")
        matched[fitting[0]] = file
    return matched

"""Scoring a corpus in many files: each shard by itself, by whoever has time, and their rows joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jperrant.cluster.work import Alone, Crew
from jperrant.core.annotator_numbers import annotators_in, numbered_on
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.installed import checksum_of_code, versions_of
from jperrant.core.progress import track
from jperrant.evaluation.corpus_rows import (
    CorpusRows,
    Surveys,
    check_shardable,
    corpus_rows,
    corpus_surveys,
    joined_shard_surveys,
)
from jperrant.evaluation.lockstep import OtherSentencesError
from jperrant.evaluation.metrics.base import Scorer
from jperrant.io.files import reason
from jperrant.io.m2 import FormatDeviations, read_m2

#: Rooms whose code makes rows of statistics.
_ROOMS = ("alignment", "core", "edits", "encoders", "evaluation", "io", "llm")
_PACKAGES = ("jperrant", "numpy", "rapidfuzz", "POT", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class ShardFiles:
    """The files of one shard.

    Attributes:
        number: Its place in the corpus, from 0.
        systems: An M2 file for each system.
        references: M2 files of references.
    """

    number: int
    systems: tuple[str, ...]
    references: tuple[str, ...]


@dataclass
class RowsWork:
    """Makes the rows of statistics of shards, or what metrics must know of all shards before.

    Attributes:
        scorers: The metrics.
        names: What the systems are called.
        strict: Make every format deviation an error.
        surveying: Whether this is the survey.
        surveys: What was found of the whole corpus; None before.
        needed: A file that whoever does this must see.
        numbers: The numbers of the annotators of each folder of references; None where there is one.
    """

    scorers: Sequence[Scorer]
    names: Sequence[str]
    strict: bool
    surveying: bool
    surveys: Surveys | None
    needed: Path
    numbers: Sequence[Mapping[int, int]] | None = None

    def __call__(self, task: ShardFiles) -> Iterator[Surveys | CorpusRows]:
        """Yield the survey or the rows of a shard.

        Raises:
            InputError: The files have other sentences or tokens; or as ``corpus_rows``.
        """
        files = (self.scorers, task.systems, task.references)
        try:
            if self.surveying:
                yield corpus_surveys(*files, strict=self.strict)
            else:
                yield corpus_rows(
                    *files, self.names, strict=self.strict, surveys=self.surveys, numbers=self.numbers
                )
        except OtherSentencesError as error:
            raise InputError(
                f"{error.path}: its sentences or tokens differ from those of {error.first}; shards must share them "
                f"(jperrant align {error.path} {error.first} -o FOLDER)"
            ) from None

    def signature(self) -> dict[str, str]:
        """Return the versions of what computes."""
        return {**versions_of(_PACKAGES), "code": checksum_of_code(_ROOMS)[:16]}

    def check(self) -> None:
        """Check that this process sees the files.

        Raises:
            InputError: It does not.
        """
        if not self.needed.exists():
            raise InputError(
                f"{self.needed} is missing; all workers need the same files under the same paths"
            )

    def name_of(self, task: ShardFiles) -> str:
        """Return the path of the first system's file."""
        return task.systems[0]


class AnnotatorsWork(RowsWork):
    """Finds the annotators of shards of references, who have one number in all shards."""

    def __call__(self, task: ShardFiles) -> Iterator[list[list[int]]]:  # type: ignore[override]
        """Yield the annotators of each file of references.

        Raises:
            FormatError, InputError: As ``corpus_rows``.
        """
        yield [
            annotators_in(read_m2(path, self.strict, FormatDeviations(self.strict)))
            for path in task.references
        ]


def rows_of_folders(
    scorers: Sequence[Scorer],
    systems: Sequence[str],
    references: Sequence[str],
    names: Sequence[str] = (),
    *,
    strict: bool = False,
    crew: Crew | None = None,
) -> CorpusRows:
    """Return the rows of systems whose M2 is in many files, as if each folder were one file.

    Its parts are in the order of names.

    Args:
        scorers: Metrics whose rows need nothing but their sentence (``check_shardable``).
        systems: A folder for each system.
        references: Folders of references; all folders hold files of the same names.
        names: What the systems are called; their folders if empty.
        strict: Make every format deviation an error.
        crew: Who does it; None for this process.

    Raises:
        UsageError: A metric looks beyond the sentence; or the folders hold different files, or one of them twice.
        InputError: A file cannot be read, is not M2, or has other sentences than its references.
    """
    check_shardable(scorers)
    tasks = _tasks(systems, references)
    called, needed = list(names) or list(systems), Path(tasks[0].systems[0])
    crew = crew or Alone()
    surveys: Surveys | None = None
    numbers: list[dict[int, int]] | None = None
    if len(references) > 1:
        reading = AnnotatorsWork(scorers, called, strict, True, None, needed)
        found = zip(*_done(crew, reading, tasks, "numbering annotators"), strict=True)
        numbers = numbered_on({number for own in folder for number in own} for folder in found)
    if any(scorer.needs_survey for scorer in scorers):
        survey = RowsWork(scorers, called, strict, True, None, needed)
        surveys = joined_shard_surveys(_done(crew, survey, tasks, "surveying shards"))
    work = RowsWork(scorers, called, strict, False, surveys, needed, numbers)
    return CorpusRows.joined(_done(crew, work, tasks, "scoring shards"))


def _done(crew: Crew, work: RowsWork, tasks: Sequence[ShardFiles], what: str) -> list[Any]:
    """Return what comes of shards, in their order."""
    found: dict[int, Any] = {}
    with closing(crew.outcomes(work, tasks)) as outcomes:
        for task, outcome in track(outcomes, what, len(tasks)):
            if isinstance(outcome, WorkerError):
                raise WorkerError(f"{work.name_of(task)}: {outcome}")
            if isinstance(outcome, Exception):
                raise outcome
            found[task.number] = outcome
    return [found[task.number] for task in tasks]


def _tasks(systems: Sequence[str], references: Sequence[str]) -> list[ShardFiles]:
    """Return the shards of folders.

    Raises:
        UsageError: The folders hold different files, or none.
    """
    folders = [*systems, *references]
    files = [_files(folder) for folder in folders]
    for folder, own in zip(folders[1:], files[1:], strict=True):
        for name in sorted(files[0].keys() ^ own.keys()):
            has, lacks = (folders[0], folder) if name in files[0] else (folder, folders[0])
            raise UsageError(f"{name} is in {has} but not in {lacks}; both need shards of the same names")
    if not files[0]:
        raise UsageError(f"{folders[0]}: found no M2 files (.m2, .m2.gz …)")
    shards = [[own[name] for own in files] for name in sorted(files[0])]
    return [
        ShardFiles(number, tuple(paths[: len(systems)]), tuple(paths[len(systems) :]))
        for number, paths in enumerate(shards)
    ]


def _files(folder: str) -> dict[str, str]:
    """Return the M2 files of a folder by their names without compression; what else is there is left out.

    Raises:
        UsageError: A file is there with and without compression.
        InputError: The folder cannot be read.
    """
    try:
        entries = sorted(Path(folder).resolve().iterdir())
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({reason(error)})") from None
    found: dict[str, str] = {}
    for entry in entries:
        stem, ending, packed = entry.name.rpartition(".m2")
        if ending and packed in ("", ".gz", ".xz", ".bz2", ".zst") and not entry.name.startswith("."):
            if stem in found:
                raise UsageError(f"{found[stem]} and {entry.name} are one shard; remove one of them")
            found[stem] = str(entry)
    return found

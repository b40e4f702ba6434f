"""Rows of statistics of a corpus of any size: sentences pass in parts, and of each one its rows are kept.

::

    rows = corpus_rows(scorers, Inputs(["system.m2"], references=["references.m2"]))  # a few bytes a sentence
    scores = scores_of_rows(scorers, rows)                             # as jperrant.score gives them

Shards of a corpus can be scored anywhere, in any order, and their rows joined: ``rows_of_folders`` does so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

from jperrant.cluster.work import Crew
from jperrant.core.annotator_numbers import annotators_in, numbered_on
from jperrant.core.errors import InputError, UsageError, WorkerError
from jperrant.core.installed import checksum_of_code, versions_of
from jperrant.core.messages import CountedNote, merged_notes
from jperrant.core.progress import track
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, Row, Scorer, add_rows
from jperrant.evaluation.metrics.packed import PackedCandidates, PackedCombined, Part, pack, pack_combined
from jperrant.evaluation.metrics.score import Score, Side, Sides, check_types, prepare_references, score_of
from jperrant.evaluation.reading import SENTENCES, InStep, OtherSentencesError
from jperrant.evaluation.scores import Scores
from jperrant.io.files import reason
from jperrant.io.m2 import FormatDeviations, read_m2

#: Rooms whose code makes rows of statistics.
_ROOMS = ("alignment", "core", "edits", "encoders", "evaluation", "io", "llm")
_PACKAGES = ("jperrant", "numpy", "rapidfuzz", "torch", "transformers")


@dataclass(frozen=True, slots=True)
class SystemRows:
    """What is kept of one system and one metric.

    Attributes:
        candidates: The candidates of each sentence; with their types in a shard, else without.
        combined: The one that counts for each sentence; empty in a shard, where it may depend on other shards.
        notes: What users should know about this system's figures, one line each.
    """

    candidates: PackedCandidates
    combined: PackedCombined
    notes: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        return self.candidates.nbytes + self.combined.nbytes

    @classmethod
    def joined(cls, scorer: Scorer, shards: Sequence[SystemRows]) -> SystemRows:
        """Return the rows of shards, one behind the other, with what counts for each sentence.

        Args:
            scorer: Made the rows.
            shards: Their notes count sentences from their own 1.
        """
        before = [0, *accumulate(len(own.candidates) for own in shards)]
        notes = [_further(note, n) for own, n in zip(shards, before, strict=False) for note in own.notes]
        choice = _Choice(scorer)
        untyped, combined = [], []
        for part in (part for own in shards for part in own.candidates.parts):
            sentences = list(PackedCandidates([part]))
            untyped.append(pack(sentences, types=False))
            combined.append(pack_combined(choice.next(sentences)))
        return cls(PackedCandidates(untyped), PackedCombined(combined), merged_notes(notes))


def _further(note: str, before: int) -> str:
    return note.further(before) if isinstance(note, CountedNote) else note


class _Choice:
    """Combines the candidates of one system, a part of the sentences after the other."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._total: Row | None = None

    def next(self, candidates: Candidates) -> list[Candidate]:
        """Return one candidate for each of the next sentences."""
        combined = self._scorer.combine(candidates, self._total)
        before = () if self._total is None else (self._total,)
        self._total = add_rows([*before, *(c.row for c in combined)], len(self._scorer.columns))
        return combined


class _PartScorer:
    """Scores systems by one metric, a part of the corpus after the other.

    Args:
        scorer: The metric; it does not need the corpus at once.
        systems: The number of systems.
        shard: Whether the sentences are a shard of a corpus, of which the rest is scored elsewhere.
    """

    def __init__(self, scorer: Scorer, systems: int, shard: bool) -> None:
        if scorer.needs_corpus:
            raise ValueError(f"{scorer.name} needs the whole corpus at once")
        self._scorer, self._shard = scorer, shard
        self._choices = [_Choice(scorer) for _ in range(systems)]
        self._candidates: list[list[Part]] = [[] for _ in range(systems)]
        self._combined: list[list[Part]] = [[] for _ in range(systems)]
        self._notes: list[list[tuple[str, ...]]] = [[] for _ in range(systems)]

    def add(self, pairs: Sequence[Pair]) -> None:
        """Score the next sentences of all systems."""
        prepared = prepare_references(self._scorer, pairs, whole=False)
        for number, system in enumerate(self._scorer.candidates(pairs, prepared)):
            self._candidates[number].append(pack(system.sentences, types=self._shard))
            self._notes[number].append(system.notes)
            if not self._shard:
                self._combined[number].append(pack_combined(self._choices[number].next(system.sentences)))

    def rows(self) -> list[SystemRows]:
        """Return what is kept of each system."""
        return [
            SystemRows(PackedCandidates(own), PackedCombined(chosen), merged_notes(chain(*notes)))
            for own, chosen, notes in zip(self._candidates, self._combined, self._notes, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class CorpusRows:
    """What is kept of systems over a corpus, or over a shard of one.

    Attributes:
        sides: What is noted of each system and its references.
        rows: For each metric the rows of each system.
    """

    sides: tuple[Sides, ...]
    rows: tuple[tuple[SystemRows, ...], ...]

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return self.sides[0].hypothesis.sentences

    @property
    def nbytes(self) -> int:
        """The memory of the arrays, in bytes."""
        return sum(own.nbytes for systems in self.rows for own in systems)

    @classmethod
    def joined(cls, scorers: Sequence[Scorer], shards: Sequence[CorpusRows]) -> CorpusRows:
        """Return the rows of shards as those of the whole corpus, in the order given.

        Args:
            scorers: The metrics that made the rows.
            shards: The same systems, by the same metrics; one shard or more.
        """
        sides = tuple([_joined_sides(own) for own in zip(*(shard.sides for shard in shards), strict=True)])
        metrics = zip(scorers, *(shard.rows for shard in shards), strict=True)
        rows = [
            tuple([SystemRows.joined(scorer, own) for own in zip(*systems, strict=True)])
            for scorer, *systems in metrics
        ]
        return cls(sides, tuple(rows))


def _joined_sides(sides: Sequence[Sides]) -> Sides:
    """Return what is noted of shards of one system."""
    return Sides(
        sides[0].name,
        Side.joined(own.hypothesis for own in sides),
        Side.joined(own.references for own in sides),
        tuple([note for own in sides for note in own.notes]),
    )


def corpus_rows(
    scorers: Sequence[Scorer],
    inputs: Inputs,
    *,
    size: int = SENTENCES,
    numbers: Sequence[Mapping[int, int]] | None = None,
    shard: bool = False,
) -> CorpusRows:
    """Score files a part at a time and return their rows, some ten to a hundred bytes a sentence and metric.

    Args:
        scorers: The metrics; none of them needs the corpus at once.
        inputs: Regular files of systems and references, none of them raw text.
        size: Sentences that are in memory at a time, of each file; changes memory only, and with encoders the last
            bits of figures.
        numbers: For each file of references the numbers that its annotators have in the whole corpus; as in these
            files alone if None.
        shard: Whether the files are a shard of a corpus, so that what counts for each sentence is chosen by
            ``CorpusRows.joined``.

    Raises:
        OtherSentencesError: The files do not have the same sentences and tokens.
        FormatError: A file is not M2, or has no sentences.
        InputError: A file cannot be read.
    """
    files = InStep(inputs, refused_by(scorers), size, numbers)
    systems = len(inputs.hypotheses)
    parts = [_PartScorer(scorer, systems, shard) for scorer in scorers]
    for pairs in track(files, "scoring (parts)"):
        for part in parts:
            part.add(pairs)
    return CorpusRows(tuple(files.sides), tuple([tuple(part.rows()) for part in parts]))


def scores_of_rows(scorers: Sequence[Scorer], corpus: CorpusRows) -> Scores:
    """Return the scores of the systems of a corpus, system by system, each by all metrics.

    Args:
        scorers: The metrics that made the rows.
        corpus: The rows of the whole corpus.

    Raises:
        UsageError: A metric needs annotators that the references lack.
    """
    for scorer in scorers:
        if scorer.needs_references:
            scorer.check_annotators(corpus.sides[0].references.everyone)
        check_types(scorer, corpus.sides)
    scores: list[Score] = []
    for number, sides in enumerate(corpus.sides):
        for metric, (scorer, systems) in enumerate(zip(scorers, corpus.rows, strict=True)):
            rows = systems[number]
            said = sides if metric == 0 else replace(sides, notes=())
            scores.append(score_of(scorer, said, rows.candidates, rows.combined, rows.notes))
    return Scores(scores)


def refused_by(scorers: Sequence[Scorer]) -> Collection[str]:
    """Return the kinds of format deviations that some of the metrics cannot use."""
    return {kind for scorer in scorers for kind in scorer.refuses}


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
    """Makes the rows of statistics of shards.

    Attributes:
        scorers: The metrics.
        names: What the systems are called.
        strict: Make every format deviation an error.
        numbers: The numbers of the annotators of each folder of references; None where there is one.
    """

    scorers: Sequence[Scorer]
    names: Sequence[str]
    strict: bool
    numbers: Sequence[Mapping[int, int]] | None = None

    def __call__(self, task: ShardFiles) -> Iterator[CorpusRows]:
        """Yield the rows of a shard.

        Raises:
            InputError: The files have other sentences or tokens; or as ``corpus_rows``.
        """
        inputs = Inputs(task.systems, self.names, task.references, strict=self.strict, only_m2=True)
        try:
            yield corpus_rows(self.scorers, inputs, numbers=self.numbers, shard=True)
        except OtherSentencesError as error:
            raise InputError(
                f"{error.path}: its sentences or tokens differ from those of {error.first}; shards must share them "
                f"(jperrant align {error.path} {error.first} -o FOLDER)"
            ) from None

    def signature(self) -> dict[str, str]:
        """Return the versions of what computes."""
        return {**versions_of(_PACKAGES), "code": checksum_of_code(_ROOMS)[:16]}


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
        scorers: Metrics that do not need the whole corpus at once.
        systems: A folder for each system.
        references: Folders of references; all folders hold files of the same names.
        names: What the systems are called; their folders if empty.
        strict: Make every format deviation an error.
        crew: Who does it; None for this process.

    Raises:
        UsageError: A metric needs the whole corpus; or the folders hold different files, or one of them twice.
        InputError: A file cannot be read, is not M2, or has other sentences than its references.
    """
    for scorer in scorers:
        if scorer.needs_corpus:
            raise UsageError(
                f"metric {scorer.name!r}, with these options, needs the whole corpus at once; score it without "
                "shards"
            )
    tasks = _tasks(systems, references)
    called = list(names) or list(systems)
    crew = crew or Crew()
    numbers: list[dict[int, int]] | None = None
    if len(references) > 1:
        reading = AnnotatorsWork(scorers, called, strict)
        found = zip(*_done(crew, reading, tasks, "numbering annotators"), strict=True)
        numbers = numbered_on({number for own in folder for number in own} for folder in found)
    work = RowsWork(scorers, called, strict, numbers)
    return CorpusRows.joined(scorers, _done(crew, work, tasks, "scoring shards"))


def _done(crew: Crew, work: RowsWork, tasks: Sequence[ShardFiles], what: str) -> list[Any]:
    """Return what comes of shards, in their order."""
    found: dict[int, Any] = {}
    with closing(crew.outcomes(work, tasks)) as outcomes:
        for task, outcome in track(outcomes, what, len(tasks)):
            if isinstance(outcome, WorkerError):
                raise WorkerError(f"{task.systems[0]}: {outcome}")
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
    """Return the M2 files of a folder by their names without compression; other files are left out.

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

"""Scores of a corpus of any size: sentences pass in parts, and of each one its rows of statistics are kept.

A folder of M2 shards is scored as if it were one file, its parts in the order of names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from jperrant.core.edits import numbers_of
from jperrant.core.errors import InputError, UsageError
from jperrant.core.messages import merged_notes
from jperrant.core.paths import exists, is_folder
from jperrant.core.progress import track
from jperrant.evaluation.inputs import Inputs
from jperrant.evaluation.metrics.base import Pair, Row, Scorer, SystemCandidates, add_rows
from jperrant.evaluation.metrics.packed import PackedCandidates, PackedCombined, Part, pack, pack_combined
from jperrant.evaluation.metrics.score import Score, Side, Sides, check_types, prepare_references, score_of
from jperrant.evaluation.reading import SENTENCES, InStep, M2Reader, OtherSentencesError
from jperrant.evaluation.scores import Scores
from jperrant.io.files import STDIO, reason


class _SystemRows:
    """What is kept of one system by one metric, a part of the corpus after the other: some bytes a sentence.

    Args:
        scorer: The metric; it does not need the corpus at once.
    """

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._candidates: list[Part] = []
        self._combined: list[Part] = []
        self._notes: list[str] = []
        self._total: Row | None = None

    def add(self, system: SystemCandidates) -> None:
        """Keep the next sentences."""
        combined = self._scorer.combine(system.sentences, self._total)
        before = () if self._total is None else (self._total,)
        rows = [*before, *(candidate.row for candidate in combined)]
        self._total = add_rows(rows, len(self._scorer.columns))
        self._candidates.append(pack(system.sentences, types=False))
        self._combined.append(pack_combined(combined))
        self._notes += system.notes

    def score(self, sides: Sides) -> Score:
        """Return the score of all sentences."""
        candidates, combined = PackedCandidates(self._candidates), PackedCombined(self._combined)
        return score_of(self._scorer, sides, candidates, combined, merged_notes(self._notes))


def score_in_parts(scorers: Sequence[Scorer], inputs: Inputs, size: int = SENTENCES) -> Scores:
    """Score files, or folders of shards, a part at a time, system by system, each by all metrics.

    Args:
        scorers: The metrics.
        inputs: Regular files, none of them raw text, or folders of M2 files.
        size: Sentences that are in memory at a time, of each file; changes memory only, and with encoders the last
            bits of figures.

    Raises:
        UsageError: A metric needs the whole corpus at once, or annotators that the references lack; or folders hold
            different files.
        OtherSentencesError: The files do not have the same sentences and tokens.
        FormatError, InputError: A file cannot be read, is not M2, has no sentences, or, in a folder, has other
            sentences than its references.
    """
    for scorer in scorers:
        if scorer.needs_corpus:
            raise UsageError(
                f"metric {scorer.name!r}, with these options, needs the whole corpus at once; score it without "
                "shards"
            )
    rows = [[_SystemRows(scorer) for _ in inputs.hypotheses] for scorer in scorers]
    noted: list[list[Sides]] = []
    for pairs in track(_parts(scorers, inputs, size, noted), "scoring (parts)"):
        for scorer, systems in zip(scorers, rows, strict=True):
            found = scorer.candidates(pairs, prepare_references(scorer, pairs, whole=False))
            for system, own in zip(systems, found, strict=True):
                system.add(own)
    sides = [_joined(own) for own in zip(*noted, strict=True)]
    for scorer in scorers:
        if scorer.needs_references:
            scorer.check_annotators(sides[0].references.everyone)
        check_types(scorer, sides)
    return Scores(
        systems[number].score(own if metric == 0 else replace(own, notes=()))
        for number, own in enumerate(sides)
        for metric, systems in enumerate(rows)
    )


def _parts(
    scorers: Sequence[Scorer], inputs: Inputs, size: int, noted: list[list[Sides]]
) -> Iterator[list[Pair]]:
    """Yield the pairs of all systems, part by part; what is noted of the sides is added for each shard."""
    shards = _shards(inputs) if in_folders(inputs) else [inputs]
    refused, numbers, first = refused_by(scorers), None, 1
    if len(shards) > 1 and len(inputs.references) > 1:
        numbers = _numbers(shards, refused)
    for shard in shards:
        files = InStep(shard, refused, size, numbers, first)
        try:
            yield from files
        except OtherSentencesError as error:
            if shard is inputs:
                raise
            raise InputError(
                f"{error.path}: its sentences or tokens differ from those of {error.first}; shards must share them "
                f"(jperrant align {error.path} {error.first} -o FOLDER)"
            ) from None
        noted.append(files.sides)
        first += noted[-1][0].hypothesis.sentences


def _numbers(shards: Sequence[Inputs], refused: Collection[str]) -> Sequence[Mapping[int, int]]:
    """Return for each folder of references the numbers of its annotators in all of its shards."""
    folders = zip(*(shard.references for shard in shards), strict=True)
    return numbers_of(
        chain.from_iterable(M2Reader(fspath(cast(str, path)), shards[0].strict, refused) for path in folder)
        for folder in track(folders, "numbering annotators", len(shards[0].references))
    )


def _joined(sides: Sequence[Sides]) -> Sides:
    """Return what is noted of the shards of one system."""
    return Sides(
        sides[0].name,
        Side.joined(own.hypothesis for own in sides),
        Side.joined(own.references for own in sides),
        tuple([note for own in sides for note in own.notes]),
    )


def refused_by(scorers: Sequence[Scorer]) -> Collection[str]:
    """Return the kinds of format deviations that some of the metrics cannot use."""
    return {kind for scorer in scorers for kind in scorer.refuses}


def in_folders(inputs: Inputs) -> bool:
    """Whether a system, or references, are a folder of M2 shards."""
    return any(isinstance(one, str | PathLike) and is_folder(one) for one in inputs.given)


def _shards(inputs: Inputs) -> list[Inputs]:
    """Return the shards of folders, whose files have the same names, in the order of these.

    Raises:
        UsageError: What was given are no folders, or they hold different files, or none, or a file twice.
        InputError: A folder is missing or cannot be read.
    """
    folders = [fspath(one) for one in inputs.given if isinstance(one, str | PathLike)]
    for folder in folders:
        if folder != STDIO and not exists(folder):
            raise InputError(f"{folder}: cannot be read (No such file or directory); check the name")
    if len(folders) < len(inputs.given) or not all(map(is_folder, folders)):
        raise UsageError(
            "shards are scored from folders of M2 files: one for each system and one of references, with files "
            "of the same names; or give single files"
        )
    files = [_files(folder) for folder in folders]
    for folder, own in zip(folders[1:], files[1:], strict=True):
        for name in sorted(files[0].keys() ^ own.keys()):
            has, lacks = (folders[0], folder) if name in files[0] else (folder, folders[0])
            raise UsageError(f"{name} is in {has} but not in {lacks}; both need shards of the same names")
    if not files[0]:
        raise UsageError(f"{folders[0]}: found no M2 files (.m2, .m2.gz …)")
    systems = len(inputs.hypotheses)
    names = inputs.names or folders[:systems]
    shards = [[own[name] for own in files] for name in sorted(files[0])]
    return [
        Inputs(paths[:systems], names, paths[systems:], strict=inputs.strict, only_m2=True)
        for paths in shards
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

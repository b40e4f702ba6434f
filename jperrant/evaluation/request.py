"""What was asked to be scored: metrics, systems and references in their roles, and how they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import cast

from jperrant.cluster.work import Crew
from jperrant.core.errors import InputError, UsageError
from jperrant.core.paths import exists, is_folder
from jperrant.evaluation.doubtful_texts import doubts
from jperrant.evaluation.inputs import (
    Inputs,
    check_source,
    load_inputs,
    same_inputs,
)
from jperrant.evaluation.lockstep import OtherSentencesError
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import Sides, check_types, evaluate
from jperrant.evaluation.rows import CorpusRows, corpus_rows, refused_by, rows_of_folders, scores_of_rows
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.text_parts import PartTexts
from jperrant.io.files import STDIO, check_output, is_regular

#: Options of metrics that name a file which is written.
WRITING = ("save_weight_file",)
#: Options of metrics that name a file which is read.
READING = ("weight_file",)
_UNUSED = "none of the metrics uses references; the given ones were not read"
#: Bytes of all files from which on they are read a part at a time; fewer fit in memory and are read as a whole.
LARGE = 16 << 20
#: How many bytes of M2 become of one of text, about.
_AS_M2 = 4
#: How many times a compressed file grows, about.
_COMPRESSED = {".gz": 6, ".xz": 8, ".bz2": 8, ".zst": 6}


@dataclass(frozen=True, slots=True)
class Request:
    """Systems and references to be scored by metrics.

    Attributes:
        scorers: The metrics.
        inputs: The systems and references; the latter empty where no metric needs any.
        unused: Whether references were given that no metric needs.
    """

    scorers: Sequence[Scorer]
    inputs: Inputs
    unused: bool = False

    def scores(self, crew: Crew | None = None) -> Scores:
        """Return one score for each system and metric: of shards, of large files a part at a time, or of the whole.

        Args:
            crew: Who scores folders of M2 shards; None for this process.

        Raises:
            UsageError, FormatError, InputError: As ``jperrant.score``.
        """
        if crew is not None or self.in_folders():
            return self.scores_of_folders(crew)
        scores = self.scores_in_parts()
        return evaluate_all(self.scorers, self.pairs()) if scores is None else scores

    def pairs(self) -> list[Pair]:
        """Read everything and return the systems with their references, with what looks wrong about their roles.

        Raises:
            UsageError, FormatError, InputError: As ``load_inputs``.
        """
        pairs = load_inputs(self.inputs, refused_by(self.scorers))
        sides = [Sides.of(pair) for pair in pairs]
        for scorer in self.scorers:
            check_types(scorer, sides)
        notes = self._notes()
        return [replace(pairs[0], notes=(*notes, *pairs[0].notes)), *pairs[1:]] if notes else pairs

    def scores_in_parts(self, large: int = LARGE) -> Scores | None:
        """Return the scores of large files, read a part at a time.

        Args:
            large: Bytes of all files from which on they are large.

        Returns:
            None where everything has to be in memory, or may be: files that are not large, raw texts, standard
            input, a metric that needs the whole corpus, or files that have to be aligned.

        Raises:
            UsageError, FormatError, InputError: As ``corpus_rows``.
        """
        files = [*self.inputs.hypotheses, *self.inputs.references]
        paths = [fspath(one) for one in files if isinstance(one, str | PathLike)]
        if len(paths) < len(files) or not paths or not self._in_parts(paths, large):
            return None
        systems, references = paths[: len(self.inputs.hypotheses)], paths[len(self.inputs.hypotheses) :]
        names, strict = self.inputs.names, self.inputs.strict
        try:
            texts = self._texts([*references, *systems])
            corpus = corpus_rows(self.scorers, systems, references, names, strict=strict, texts=texts)
        except OtherSentencesError:
            return None
        return self._scores_of(corpus)

    def _scores_of(self, corpus: CorpusRows) -> Scores:
        """Return the scores of rows, with what looks wrong about the roles of files."""
        first = corpus.sides[0]
        told = replace(first, notes=(*self._notes(), *first.notes))
        return scores_of_rows(self.scorers, replace(corpus, sides=(told, *corpus.sides[1:])))

    def in_folders(self) -> bool:
        """Whether a system, or references, are a folder of M2 shards."""
        files = [*self.inputs.hypotheses, *self.inputs.references]
        return any(isinstance(one, str | PathLike) and is_folder(one) for one in files)

    def scores_of_folders(self, crew: Crew | None = None) -> Scores:
        """Return the scores of folders of M2 shards, which are scored apart.

        Args:
            crew: Who scores them; None for this process.

        Raises:
            UsageError: What was given are no folders; or as ``rows_of_folders``.
            InputError: One of them is missing; or as ``rows_of_folders``.
        """
        given = [*self.inputs.hypotheses, *self.inputs.references]
        folders = [fspath(one) for one in given if isinstance(one, str | PathLike)]
        for folder in folders:
            if folder != STDIO and not exists(folder):
                raise InputError(f"{folder}: cannot be read (No such file or directory); check the name")
        if len(folders) < len(given) or not all(map(is_folder, folders)):
            raise UsageError(
                "shards are scored from folders of M2 files: one for each system and one of references, with files "
                "of the same names; or give single files without --cluster and --jobs"
            )
        systems, references = folders[: len(self.inputs.hypotheses)], folders[len(self.inputs.hypotheses) :]
        strict, names = self.inputs.strict, self.inputs.names
        return self._scores_of(
            rows_of_folders(self.scorers, systems, references, names, strict=strict, crew=crew)
        )

    def _in_parts(self, paths: Sequence[str], large: int) -> bool:
        if any(scorer.needs_corpus for scorer in self.scorers):
            return False
        if not all(map(is_regular, paths)):
            return False
        source, texts = self.inputs.source, self._text_paths(paths)
        if sum(_size(path) * (_AS_M2 if path in texts else 1) for path in paths) < large:
            return False
        if not texts:
            return True
        known = len(texts) < len(set(paths)) if source is None else _is_file(source)
        return known and not self.inputs.texts.raw and not self.inputs.texts.answers

    def _text_paths(self, paths: Sequence[str]) -> list[str]:
        return [path for path in dict.fromkeys(paths) if self.inputs.is_text(path)]

    def _texts(self, paths: Sequence[str]) -> PartTexts | None:
        """Return what annotates the texts among files, once they were checked; None if all are M2."""
        if not (found := self._text_paths(paths)):
            return None
        source = None if self.inputs.source is None else fspath(cast(str, self.inputs.source))
        if source is not None:
            check_source(source)
        texts = PartTexts(found, source, self.inputs.texts)
        texts.check(paths)
        return texts

    def _notes(self) -> list[str]:
        notes = [*same_inputs(self.inputs), *doubts(self.inputs)]
        return [*notes, _UNUSED] if self.unused else notes


def evaluate_all(scorers: Sequence[Scorer], pairs: Sequence[Pair]) -> Scores:
    """Return the scores of pairs by all scorers, system by system; what was noted of the files is said once."""
    by_scorer = [
        evaluate(scorer, pairs if n == 0 else [replace(pair, notes=()) for pair in pairs])
        for n, scorer in enumerate(scorers)
    ]
    return Scores(scores[n] for n in range(len(pairs)) for scores in by_scorer)


def check_written(scorers: Sequence[Scorer], given: Iterable[object]) -> None:
    """Refuse options by which a metric would overwrite one of the files that are read.

    Raises:
        UsageError: There is one.
    """
    paths = [fspath(one) for one in given if isinstance(one, str | PathLike)]
    for scorer in scorers:
        for option in WRITING:
            if path := getattr(scorer, option, None):
                check_output(path, paths)


def _is_file(given: object) -> bool:
    return isinstance(given, str | PathLike) and is_regular(fspath(given))


def _size(path: str) -> int:
    """Return about how many bytes are in a file."""
    return Path(path).stat().st_size * _COMPRESSED.get(Path(path).suffix, 1)

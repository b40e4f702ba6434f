"""What was asked to be scored: metrics, systems and references in their roles, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from jperrant.cluster.work import Crew
from jperrant.core.errors import UsageError
from jperrant.evaluation.corpus_rows import corpus_rows, refused_by, scores_of_rows
from jperrant.evaluation.corpus_shards import score_folders
from jperrant.evaluation.inputs import Input, Inputs, is_m2, load_inputs, reference_warnings
from jperrant.evaluation.lockstep import OtherSentencesError
from jperrant.evaluation.metrics.base import Pair, Scope, Scorer
from jperrant.evaluation.metrics.score import Sides
from jperrant.evaluation.scores import Scores
from jperrant.io.files import is_regular

_UNUSED = "no metric here uses references; those given were not read"
#: Bytes of all files from which on they are read a part at a time; fewer fit in memory and are read as a whole.
LARGE = 16 << 20
#: How many times a compressed M2 file grows, about.
_COMPRESSED = {".gz": 6, ".xz": 8, ".bz2": 8, ".zst": 6}


@dataclass(frozen=True, slots=True)
class Request:
    """Systems and references to be scored by metrics.

    Attributes:
        scorers: The metrics.
        inputs: The systems and references; the latter empty where no metric needs any.
        last: The file that is taken for the references only because it came last.
        unused: Whether references were given that no metric needs.
    """

    scorers: Sequence[Scorer]
    inputs: Inputs
    last: Input | None = None
    unused: bool = False

    def pairs(self) -> list[Pair]:
        """Read everything and return the systems with their references, with what looks wrong about their roles.

        Raises:
            UsageError, FormatError, InputError: As ``load_inputs``.
        """
        pairs = load_inputs(self.inputs, refused_by(self.scorers))
        notes = self._notes([Sides.of(pair) for pair in pairs] if self.last is not None else [])
        return [replace(pairs[0], notes=(*notes, *pairs[0].notes)), *pairs[1:]] if notes else pairs

    def scores_in_parts(self, large: int = LARGE) -> Scores | None:
        """Return the scores of large M2 files, read a part at a time.

        Args:
            large: Bytes of all files from which on they are large.

        Returns:
            None where everything has to be in memory, or may be: files that are not large, texts, standard input, a
            metric that needs the whole corpus, or files that have to be aligned.

        Raises:
            UsageError, FormatError, InputError: As ``corpus_rows``.
        """
        files = [*self.inputs.hypotheses, *self.inputs.references]
        paths = [fspath(one) for one in files if isinstance(one, str | PathLike)]
        if len(paths) < len(files) or not paths or not self._in_parts(paths, large):
            return None
        systems, references = paths[: len(self.inputs.hypotheses)], paths[len(self.inputs.hypotheses) :]
        try:
            corpus = corpus_rows(
                self.scorers, systems, references, self.inputs.names, strict=self.inputs.strict
            )
        except OtherSentencesError:
            return None
        first = corpus.sides[0]
        told = replace(first, notes=(*self._notes(corpus.sides), *first.notes))
        return scores_of_rows(self.scorers, replace(corpus, sides=(told, *corpus.sides[1:])))

    def in_folders(self) -> bool:
        """Whether a system is a folder of M2 shards."""
        return any(isinstance(one, str | PathLike) and Path(one).is_dir() for one in self.inputs.hypotheses)

    def scores_of_folders(self, crew: Crew | None = None) -> Scores:
        """Return the scores of folders of M2 shards, which are scored apart.

        Args:
            crew: Who scores them; None for this process.

        Raises:
            UsageError: What was given are no folders; or as ``score_folders``.
            InputError: As ``score_folders``.
        """
        folders = [
            fspath(one)
            for one in (*self.inputs.hypotheses, *self.inputs.references)
            if isinstance(one, str | PathLike)
        ]
        if len(folders) < len(self.inputs.hypotheses) + len(self.inputs.references) or not all(
            Path(folder).is_dir() for folder in folders
        ):
            raise UsageError(
                "shards are scored from folders: one of M2 files for each system and one of references, with files "
                "of equal names; or give single files without --cluster"
            )
        systems, references = folders[: len(self.inputs.hypotheses)], folders[len(self.inputs.hypotheses) :]
        strict, names = self.inputs.strict, self.inputs.names
        return score_folders(self.scorers, systems, references, names, strict=strict, crew=crew)

    def _in_parts(self, paths: Sequence[str], large: int) -> bool:
        if any(scorer.scope is Scope.CORPUS for scorer in self.scorers):
            return False
        if not all(map(is_regular, paths)) or sum(map(_size, paths)) < large:
            return False
        return all(map(is_m2, paths))

    def _notes(self, sides: Sequence[Sides]) -> list[str]:
        if isinstance(self.last, str | PathLike):
            paths = [str(system) for system in self.inputs.hypotheses]
            return reference_warnings(sides, paths, str(self.last))
        return [_UNUSED] if self.unused else []


def _size(path: str) -> int:
    """Return about how many bytes of M2 are in a file."""
    return Path(path).stat().st_size * _COMPRESSED.get(Path(path).suffix, 1)

"""Scoring files of any size: sentences pass in parts, and of each one its rows of statistics are kept.

::

    rows = corpus_rows(scorers, ["system.m2"], ["references.m2"])       # a few bytes a sentence
    scores = scores_of_rows(scorers, rows)                             # as jperrant.score gives them

Shards of a corpus can be scored anywhere, in any order, and their rows joined: ``corpus_rows`` and ``CorpusRows``
can be pickled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.evaluation.lockstep import SENTENCES, Lockstep
from jperrant.evaluation.metrics.base import Row, Scope, Scorer
from jperrant.evaluation.metrics.parts import PartScorer, Survey, SystemRows, joined_surveys
from jperrant.evaluation.metrics.score import Score, Sides, check_types, score_of
from jperrant.evaluation.metrics.sides import Side
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.text_parts import PartTexts

#: For each metric the sums of each system; None for a metric that needs no survey.
Surveys = Sequence[Sequence[Row] | None]


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
    def joined(cls, shards: Sequence[CorpusRows]) -> CorpusRows:
        """Return the rows of shards as those of the whole corpus, in the order given.

        Args:
            shards: The same systems, by the same metrics; one shard or more.
        """
        sides = tuple([_joined_sides(own) for own in zip(*(shard.sides for shard in shards), strict=True)])
        metrics = zip(*(shard.rows for shard in shards), strict=True)
        rows = [tuple([SystemRows.joined(own) for own in zip(*systems, strict=True)]) for systems in metrics]
        return cls(sides, tuple(rows))


def check_shardable(scorers: Sequence[Scorer]) -> None:
    """Check that shards of a corpus can be scored apart: that no metric looks beyond the sentence.

    These are ``errant`` with ``exact``; ``cleme`` and ``cleme2`` with ``exact`` or at sentence level, unless a
    language model weighs their chunks; ``m2``, ``uot``, ``pt-errant`` and ``pt-m2`` at sentence level; ``gleu``
    without draws, ``green``, ``imeasure``, ``wer``, ``cer``; ``some``, ``impara``, ``scribendi``, ``perplexity``.

    Raises:
        UsageError: A metric chooses references by the totals of the sentences before, or needs the whole corpus.
    """
    for scorer in scorers:
        if scorer.scope is Scope.TOTALS:
            options = " or ".join(_by_sentence(scorer, alone=len(scorers) == 1))
            advice = f"add {options}" if options else "score single files instead"
            raise UsageError(
                f"metric {scorer.name!r} chooses the reference of a sentence by the totals of all before, so "
                f"shards cannot be scored apart; {advice}"
            )
        if scorer.scope is Scope.CORPUS:
            raise UsageError(
                f"metric {scorer.name!r}, with these options, needs the whole corpus at once; score it without "
                "shards"
            )


def corpus_surveys(
    scorers: Sequence[Scorer],
    systems: Sequence[str],
    references: Sequence[str],
    *,
    strict: bool = False,
    size: int = SENTENCES,
    texts: PartTexts | None = None,
) -> list[list[Row] | None]:
    """Return what metrics must know of the whole corpus before any shard is scored; None for most metrics.

    Only CLEME with its length weights needs it: the mean length of chunks. Those of shards are joined by
    ``joined_shard_surveys`` and given to ``corpus_rows``.

    Args:
        scorers, systems, references, strict, size, texts: As in ``corpus_rows``.

    Raises:
        OtherSentencesError, FormatError, InputError: As ``corpus_rows``.
    """
    wanted = {n: Survey(scorer, len(systems)) for n, scorer in enumerate(scorers) if scorer.needs_survey}
    if wanted:
        refused = refused_by(scorers)
        files = Lockstep(systems, systems, references, strict=strict, refused=refused, size=size, texts=texts)
        for pairs in track(files, "surveying (parts)"):
            for survey in wanted.values():
                survey.add(pairs)
    return [wanted[n].totals if n in wanted else None for n in range(len(scorers))]


def joined_shard_surveys(shards: Sequence[Surveys]) -> list[list[Row] | None]:
    """Return the surveys of shards as that of the whole corpus."""
    return [
        None if of_metric[0] is None else joined_surveys([own for own in of_metric if own is not None])
        for of_metric in zip(*shards, strict=True)
    ]


def corpus_rows(
    scorers: Sequence[Scorer],
    systems: Sequence[str],
    references: Sequence[str],
    names: Sequence[str] = (),
    *,
    strict: bool = False,
    surveys: Surveys | None = None,
    size: int = SENTENCES,
    texts: PartTexts | None = None,
    numbers: Sequence[Mapping[int, int]] | None = None,
) -> CorpusRows:
    """Score files a part at a time and return their rows, some ten to a hundred bytes a sentence and metric.

    For one file a system, every metric will do whose scope is not the corpus. For a shard of a corpus, whose rows
    are joined with those of others, ``check_shardable`` says which metrics allow that: those that choose each
    sentence's reference by itself, such as ERRANT with ``exact``.

    Args:
        scorers: The metrics; with the references they can be pickled.
        systems: One M2 file for each system.
        references: M2 files of the same sentences, whose annotators are numbered on; none for metrics that need
            none.
        names: What the systems are called; their paths if empty.
        strict: Make every format deviation an error.
        surveys: What ``corpus_surveys`` found of the whole corpus; of these files if None.
        size: Sentences that are in memory at a time, of each file; changes memory only, and with encoders the last
            bits of figures.
        texts: Which of the files are texts, and annotates them; None if all are M2.
        numbers: For each file of references the numbers that its annotators have in the whole corpus; as in these
            files alone if None.

    Raises:
        OtherSentencesError: The files do not have the same sentences and tokens.
        FormatError: A file is not M2, or has no sentences.
        InputError: A file cannot be read.
        UsageError: A metric needs annotators that the references lack.
    """
    refused = refused_by(scorers)
    if surveys is None:
        surveys = corpus_surveys(scorers, systems, references, strict=strict, size=size, texts=texts)
    ready = [
        scorer if found is None else scorer.surveyed(found)
        for scorer, found in zip(scorers, surveys, strict=True)
    ]
    files = Lockstep(
        systems, names or systems, references, strict=strict, refused=refused, size=size, texts=texts,
        numbers=numbers,
    )  # fmt: skip
    parts = [PartScorer(scorer, len(systems)) for scorer in ready]
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


def _joined_sides(sides: Sequence[Sides]) -> Sides:
    """Return what is noted of shards of one system."""
    return Sides(
        sides[0].name,
        Side.joined(own.hypothesis for own in sides),
        Side.joined(own.references for own in sides),
        tuple([note for own in sides for note in own.notes]),
    )


def _by_sentence(scorer: Scorer, alone: bool) -> Iterable[str]:
    """Yield the options by which a metric would choose by the sentence alone, as one types them.

    Args:
        scorer: The metric.
        alone: Whether no other is scored, to which an option of the command could belong as well.
    """
    for option, value, typed in (("exact", True, "exact=yes"), ("level", "sentence", "level=sentence")):
        if not hasattr(scorer, option):
            continue
        changed: Scorer = replace(cast(Any, scorer), **{option: value})
        if changed.scope is Scope.SENTENCE:
            flag = f"--{option}" if value is True else f"--{option}={value}"
            yield flag if alone else f"-m {scorer.name}:{typed}"


def refused_by(scorers: Sequence[Scorer]) -> Collection[str]:
    """Return the kinds of format deviations that some of the metrics cannot use."""
    return {kind for scorer in scorers for kind in scorer.refuses}

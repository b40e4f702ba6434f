"""From systems and references, as files, blocks or sentences, to scores in one call."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypedDict, Unpack

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.errors import UsageError, nearest
from jperrant.core.messages import merged_notes, spoken
from jperrant.core.paths import is_folder, optional_path
from jperrant.core.progress import track
from jperrant.core.text import Splitting, TokenMode
from jperrant.evaluation.inputs import (
    Inputs,
    References,
    Source,
    Systems,
    doubts,
    held,
    named_systems,
    same_inputs,
    sides_of,
)
from jperrant.evaluation.metric_names import make_scorers
from jperrant.evaluation.metrics.base import Candidate, Pair, Row, Scorer, SystemCandidates, add_rows
from jperrant.evaluation.metrics.system_score import (
    Packed,
    Part,
    Score,
    Sides,
    check_types,
    evaluate,
    pack,
    prepare_references,
    score_of,
)
from jperrant.evaluation.read_sides import SENTENCES, InStep, OtherSentencesError
from jperrant.evaluation.score_set import Scores
from jperrant.evaluation.text_annotation import TextOptions
from jperrant.io.files import check_input, is_regular


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
        # Types are looked at in what counts alone.
        bare = (
            [Candidate(c.hypothesis, c.reference, c.row, details=c.details) for c in sentence]
            for sentence in system.sentences
        )
        self._candidates.append(pack(bare))
        self._combined.append(pack(combined))
        self._notes += system.notes

    def score(self, sides: Sides) -> Score:
        """Return the score of all sentences."""
        packed = Packed[Sequence[Candidate]](self._candidates), Packed[Candidate](self._combined)
        return score_of(self._scorer, sides, *packed, merged_notes(self._notes))


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
    parts = InStep(inputs, refused_by(scorers), size)
    for pairs in track(parts, "scoring (parts)"):
        for scorer, systems in zip(scorers, rows, strict=True):
            found = scorer.candidates(pairs, prepare_references(scorer, pairs, whole=False))
            for system, own in zip(systems, found, strict=True):
                system.add(own)
    sides = parts.sides
    for scorer in scorers:
        if scorer.needs_references:
            scorer.check_annotators(sides[0].references.everyone)
        check_types(scorer, sides)
    return Scores(
        systems[number].score(own if metric == 0 else replace(own, pair=replace(own.pair, notes=())))
        for number, own in enumerate(sides)
        for metric, systems in enumerate(rows)
    )


def refused_by(scorers: Sequence[Scorer]) -> Collection[str]:
    """Return the kinds of format deviations that some of the metrics cannot use."""
    return {kind for scorer in scorers for kind in scorer.refuses}


def in_folders(inputs: Inputs) -> bool:
    """Whether a system, or references, are a folder of M2 shards."""
    return any(isinstance(one, str | PathLike) and is_folder(one) for one in inputs.given)


class TextKeywords(TypedDict, total=False):
    """How texts become typed edits: keywords of :func:`score` and of the functions beside it.

    Attributes:
        lang: Code of the language of texts, English if None; also chooses the encoder where a metric uses one and
            none is given.
        raw: Texts are not tokenised; the models split them into sentences and tokens.
        split_on, tokens, pack: As in :func:`jperrant.load`.
        models: As in :func:`jperrant.load`; the pack's own if None, but none where texts are tokenised and no
            metric looks at edits.
        cache: Folder that keeps annotations and encodings from run to run.
        strict: Make every deviation of an M2 file from the format an error.
        answers: How systems are read that language models wrote: ``clean`` takes away what is no corrected sentence
            (numbers, quotes, remarks) and puts the source where there is no answer; ``jsonl:FIELD`` and
            ``tsv:COLUMN`` read one field of JSON Lines or TSV; ``clean,jsonl:FIELD`` does both. What was done is
            among the warnings of the scores.
    """

    lang: str | None
    raw: bool
    split_on: str
    tokens: str
    models: str | PathLike[str] | None
    pack: str | PathLike[str] | None
    cache: str | PathLike[str]
    strict: bool
    answers: str


def score(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    **texts: Unpack[TextKeywords],
) -> Scores:
    """Score systems against references.

    A system or a reference is the path of an M2 or text file, or of a folder of M2 files (the shards of a corpus),
    the blocks of an M2 file, or a list of sentences.
    Systems whose sentences or tokens differ from those of the references are aligned to them. Large files are read
    a part at a time.

    Args:
        systems: One system, a list of them, or a mapping from names to systems. Scores keep their order. A list of
            strings is one system, sentence by sentence, if ``source`` is a list of sentences; else it is a list of
            paths.
        references: The references, or a list of them, read in the same way; None for metrics that need none. An M2
            file may have several annotators.
        source: The text that was corrected, a sentence a line, as a path or a list of sentences; needed for texts
            unless an M2 file among the others has it.
        metrics: A metric or several, each with its options if it is to have some
            (``["errant:beta=1", "cleme2:assumption=independent"]``).
        **texts: How texts become edits, and files are read: the keywords of :class:`TextKeywords`.

    Returns:
        One score for each system and metric, system by system.

    Raises:
        UsageError: No system, no references, an unknown metric or option.
        InputError: A file cannot be read, is not M2, or is another text than the references.

    Example:
        >>> [score] = jperrant.score("system.m2", "gold.m2", metrics="errant:beta=1")
        >>> sources, fixed = ["This are bad .", "Me too ."], ["This is bad .", "Me too ."]
        >>> scores = jperrant.score({"A": fixed, "B": sources}, fixed, source=sources, metrics=["errant", "cleme2"])
    """
    return requested(systems, references, source=source, metrics=metrics, **texts).scores()


def requested(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    shown: bool = False,
    **texts: Unpack[TextKeywords],
) -> Request:
    """Return what is to be scored, once its roles are clear and the models of the metrics are there.

    Args:
        systems, references, source, metrics: As in :func:`score`.
        shown: Whether edits are shown whatever the metrics look at, so that tokenised texts are analysed by models
            although no metric needs it.
        **texts: As in :func:`score`.

    Raises:
        UsageError: No system or no references, two systems of one name, an unknown metric or option.
        InputError: The source cannot be read.
        MissingError: A model of a metric is missing.
    """
    _check_kinds(metrics, texts)
    lang = texts.get("lang")
    specs = [metrics] if isinstance(metrics, str | Scorer) else list(metrics)
    scorers = make_scorers(specs, lang, cache=fspath(texts.get("cache", "")))
    source = held(source)
    sentences = 0 if source is None or isinstance(source, str | PathLike) else len(source)
    given, names = named_systems(systems, sentences)
    gold = sides_of(references, sentences)
    if not given:
        raise UsageError("found no systems to score; give at least one, as what --ref gives are references")
    needed = any(scorer.needs_references for scorer in scorers)
    if needed and not gold:
        raise UsageError("found no references; give them with --ref")
    inputs = Inputs(
        given,
        names,
        gold if needed else (),
        source,
        _text_options(scorers, shown, texts),
        strict=texts.get("strict", False),
    )
    if isinstance(source, str | PathLike):
        check_input(fspath(source))  # also where all files turn out to be M2, which have it
    for scorer in scorers:
        scorer.check_models()
    return Request(scorers, inputs, unused=bool(gold) and not needed)


def _check_kinds(metrics: Any, texts: Mapping[str, Any]) -> None:
    """Check what Python would take for something else: a mapping for its keys, the text "false" for true.

    Raises:
        UsageError: A keyword has a value of another kind than it takes.
    """
    if isinstance(metrics, Mapping) or not isinstance(metrics, Iterable | Scorer):
        raise UsageError(
            f"metrics is {metrics!r}, expected a metric such as 'gleu:draws=500', or a list of such"
        )
    for name, value in texts.items():
        if name not in TextKeywords.__annotations__:
            raise TypeError(f"unknown keyword {name!r}{nearest(name, TextKeywords.__annotations__)}")
        kind = bool if name in ("raw", "strict") else str if name in ("lang", "answers") else object
        if value is not None and not isinstance(value, kind):
            expected = "True or False" if kind is bool else "a string"
            raise UsageError(f"{name} is {value!r}, expected {expected}")


def _text_options(scorers: Sequence[Scorer], shown: bool, texts: TextKeywords) -> TextOptions:
    """Return how texts become blocks: without models where nobody looks at edits and all is tokenised."""
    raw = texts.get("raw", False)
    options = AnnotatorOptions(texts.get("lang"))
    if not (raw or shown or any(scorer.needs_edits for scorer in scorers)):
        options = options.without_models()
    annotator = replace(
        options,
        models=fspath(texts.get("models") or options.models),
        pack=optional_path(texts.get("pack")),
        tokens=texts.get("tokens", TokenMode.GIVEN),
        split_on=texts.get("split_on", Splitting.AUTO),
    )
    return TextOptions(annotator, raw, fspath(texts.get("cache", "")), texts.get("answers") or "")


_UNUSED = "none of the metrics uses references; the given ones were not read"
#: Files that have this many bytes together are read a part at a time; smaller ones are read as a whole.
LARGE = 16 << 20
#: How many bytes of M2 become of one of text, about.
_AS_M2 = 4
#: How many times a compressed file grows, about.
_COMPRESSED = {".gz": 6, ".xz": 8, ".bz2": 8}


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

    def scores(self, large: int = LARGE) -> Scores:
        """Return one score for each system and metric: of large files, and folders of shards, a part at a time.

        Args:
            large: Bytes of all files from which on they are large.

        Raises:
            UsageError, FormatError, InputError: As ``jperrant.score``.
        """
        if in_folders(self.inputs) or self._in_parts(large):
            with suppress(OtherSentencesError):  # they have to be aligned, for which all must be there
                scores = score_in_parts(self.scorers, self.inputs)
                told = (*map(spoken, self._notes()), *scores[0].warnings)
                return Scores([replace(scores[0], warnings=told), *scores[1:]])
        return evaluate_all(self.scorers, self.pairs())

    def pairs(self) -> list[Pair]:
        """Read everything and return the systems with their references, with what looks wrong about their roles.

        Raises:
            UsageError, FormatError, InputError: As ``InStep``.
        """
        [pairs] = InStep(self.inputs, refused_by(self.scorers))
        sides = [Sides.of(pair) for pair in pairs]
        for scorer in self.scorers:
            check_types(scorer, sides)
        notes = self._notes()
        return [replace(pairs[0], notes=(*notes, *pairs[0].notes)), *pairs[1:]] if notes else pairs

    def _in_parts(self, large: int) -> bool:
        """Whether all files are large together, regular, and can be read side by side.

        Raw texts, standard input and metrics that need the whole corpus are in memory as a whole.
        """
        files = self.inputs.given
        paths = [fspath(one) for one in files if isinstance(one, str | PathLike)]
        if len(paths) < len(files) or not all(map(is_regular, paths)):
            return False
        if any(scorer.needs_corpus for scorer in self.scorers):
            return False
        texts = {path for path in paths if self.inputs.is_text(path)}
        if sum(_size(path) * (_AS_M2 if path in texts else 1) for path in paths) < large:
            return False
        if not texts:
            return True
        source = self.inputs.source
        known = len(texts) < len(set(paths)) if source is None else _is_file(source)
        return known and not self.inputs.texts.raw and not self.inputs.texts.answers

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


def _is_file(given: object) -> bool:
    return isinstance(given, str | PathLike) and is_regular(fspath(given))


def _size(path: str) -> int:
    """Return about how many bytes are in a file."""
    return Path(path).stat().st_size * _COMPRESSED.get(Path(path).suffix, 1)

"""Scoring in one call: from systems and references, as files, blocks or sentences, to scores."""

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
    """Collects the candidates of one system and one metric, part by part, compressed to some bytes per sentence.

    Args:
        scorer: The metric, which must not need the whole corpus at once.
    """

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._candidates: list[Part] = []
        self._combined: list[Part] = []
        self._notes: list[str] = []
        self._total: Row | None = None

    def add(self, system: SystemCandidates) -> None:
        """Add the sentences of the next part."""
        combined = self._scorer.combine(system.sentences, self._total)
        before = () if self._total is None else (self._total,)
        rows = [*before, *(candidate.row for candidate in combined)]
        self._total = add_rows(rows, len(self._scorer.columns))
        # Figures by type are needed only of the combined candidates.
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
    """Score files, or folders of shards, part by part; the order is system by system, and metric by metric.

    Args:
        scorers: The metrics.
        inputs: Regular files without raw text, or folders of M2 files.
        size: The number of sentences of each file in memory at a time. It affects memory only, and with encoders
            the last bits of figures.

    Raises:
        UsageError: A metric needs the whole corpus at once, or an annotator that the references lack; or folders
            hold different shards.
        OtherSentencesError: The files differ in sentences or tokens.
        FormatError, InputError: A file cannot be read, is not M2, or has no sentences; or shards differ in
            sentences or tokens.
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
    """Return the kinds of deviations from M2 that some metric cannot handle."""
    return {kind for scorer in scorers for kind in scorer.refuses}


def in_folders(inputs: Inputs) -> bool:
    """Whether a system, or references, are a folder of M2 shards."""
    return any(isinstance(one, str | PathLike) and is_folder(one) for one in inputs.given)


class TextKeywords(TypedDict, total=False):
    """The keywords of :func:`score`, :func:`explain` and others that say how files and texts are read.

    Attributes:
        lang: The code of the language of texts, English if None; it also chooses the encoder of metrics without a
            given one.
        raw: Whether texts are not tokenised, so that the models split them into sentences and tokens.
        split_on, tokens, pack: As in :func:`jperrant.load`.
        models: As in :func:`jperrant.load`; if None those of the pack, or none if texts are tokenised and no metric
            uses edits.
        cache: The folder that keeps annotations and encodings between runs.
        strict: Make every deviation from M2 an error.
        answers: The format of the output of language models. ``clean`` removes everything but the corrected
            sentences (numbers, quotes, remarks) and puts the source in the place of a missing answer.
            ``jsonl:FIELD`` and ``tsv:COLUMN`` read one field of JSON Lines or TSV; ``clean,jsonl:FIELD`` does both.
            The changes are listed among the warnings of the scores.
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
    """Score systems against references (``jperrant.score``).

    A system or a reference is the path of an M2 or text file, the path of a folder of M2 files (the shards of a
    corpus), the blocks of an M2 file, or a list of sentences. A system whose sentences or tokens differ from those
    of the references is aligned to them. Large files are read part by part.

    Args:
        systems: One system, a list of systems, or a mapping from names to systems. A list of strings is one text if
            ``source`` is a list of sentences, and a list of paths otherwise.
        references: One reference or a list of them, in the same forms; None for metrics that need none. An M2 file
            can have several annotators.
        source: The text that was corrected, as a path (one sentence per line) or a list of sentences; required for
            texts unless an M2 file among the inputs has it.
        metrics: One metric or a list of metrics, with options if needed
            (``["errant:beta=1", "cleme2:assumption=independent"]``).
        **texts: The keywords of :class:`TextKeywords`, which say how files and texts are read.

    Returns:
        One score for each system and metric, system by system.

    Raises:
        UsageError: There is no system, a metric lacks references, or a metric or option is unknown.
        InputError: A file cannot be read or is not M2, or a system is another text than the references.

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
    """Return the request for scores after checking its arguments and the models of the metrics.

    Args:
        systems, references, source, metrics: As in :func:`score`.
        shown: Whether edits are shown to users, so that texts are analysed even if no metric uses edits.
        **texts: As in :func:`score`.

    Raises:
        UsageError: There is no system, a metric lacks references, or a metric or option is unknown.
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
        raise UsageError("found no systems to score; give at least one, as --ref gives only references")
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
        check_input(fspath(source))  # also if all files are M2 and the source is not read
    for scorer in scorers:
        scorer.check_models()
    return Request(scorers, inputs, unused=bool(gold) and not needed)


def _check_kinds(metrics: Any, texts: Mapping[str, Any]) -> None:
    """Check the types of arguments that Python would misread, such as the string "false" for True.

    Raises:
        UsageError: A value has the wrong type.
        TypeError: A keyword is unknown.
    """
    if isinstance(metrics, Mapping) or not isinstance(metrics, Iterable | Scorer):
        raise UsageError(
            f"metrics is {metrics!r}, expected a metric such as 'gleu:draws=500', or a list of metrics"
        )
    for name, value in texts.items():
        if name not in TextKeywords.__annotations__:
            known = [*TextKeywords.__annotations__, "metrics", "references", "source", "systems"]
            raise TypeError(f"unknown keyword {name!r}{nearest(name, known)}")
        kind = bool if name in ("raw", "strict") else str if name in ("lang", "answers") else object
        if value is not None and not isinstance(value, kind):
            expected = "True or False" if kind is bool else "a string"
            raise UsageError(f"{name} is {value!r}, expected {expected}")


def _text_options(scorers: Sequence[Scorer], shown: bool, texts: TextKeywords) -> TextOptions:
    """Return the options for annotating texts; without models if texts are tokenised and nothing uses edits."""
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


_UNUSED = "no metric uses references, so the given ones were not read"
#: The total number of bytes of files from which they are read part by part.
LARGE = 16 << 20
#: The approximate size of M2 relative to text.
_AS_M2 = 4
#: The approximate size of a file relative to its compressed size.
_COMPRESSED = {".gz": 6, ".xz": 8, ".bz2": 8}


@dataclass(frozen=True, slots=True)
class Request:
    """A request to score systems by metrics.

    Attributes:
        scorers: The metrics.
        inputs: The systems and references; without references if no metric needs any.
        unused: Whether references were given that no metric needs.
    """

    scorers: Sequence[Scorer]
    inputs: Inputs
    unused: bool = False

    def scores(self, large: int = LARGE) -> Scores:
        """Return one score for each system and metric; large files and folders of shards are read part by part.

        Args:
            large: The total number of bytes from which files are large.

        Raises:
            UsageError, FormatError, InputError: As in ``jperrant.score``.
        """
        if in_folders(self.inputs) or self._in_parts(large):
            with suppress(OtherSentencesError):  # to be aligned, files must be read as a whole
                scores = score_in_parts(self.scorers, self.inputs)
                told = (*map(spoken, self._notes()), *scores[0].warnings)
                return Scores([replace(scores[0], warnings=told), *scores[1:]])
        return evaluate_all(self.scorers, self.pairs())

    def pairs(self) -> list[Pair]:
        """Return the systems with their references, all in memory, with warnings about the inputs.

        Raises:
            UsageError, FormatError, InputError: As in ``InStep``.
        """
        [pairs] = InStep(self.inputs, refused_by(self.scorers))
        sides = [Sides.of(pair) for pair in pairs]
        for scorer in self.scorers:
            check_types(scorer, sides)
        notes = self._notes()
        return [replace(pairs[0], notes=(*notes, *pairs[0].notes)), *pairs[1:]] if notes else pairs

    def _in_parts(self, large: int) -> bool:
        """Whether the files are large and can be read part by part.

        Raw texts, pipes and metrics that need the whole corpus require whole files.
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
    """Return the scores of pairs by all scorers, system by system; notes about files go to the first metric."""
    by_scorer = [
        evaluate(scorer, pairs if n == 0 else [replace(pair, notes=()) for pair in pairs])
        for n, scorer in enumerate(scorers)
    ]
    return Scores(scores[n] for n in range(len(pairs)) for scores in by_scorer)


def _is_file(given: object) -> bool:
    return isinstance(given, str | PathLike) and is_regular(fspath(given))


def _size(path: str) -> int:
    """Return the approximate number of bytes in a file after decompression."""
    return Path(path).stat().st_size * _COMPRESSED.get(Path(path).suffix, 1)

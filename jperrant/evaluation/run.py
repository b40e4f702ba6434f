"""From systems and references, as files, blocks or sentences, to scores in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import TypedDict, Unpack

from jperrant.annotation.options import AnnotatorOptions
from jperrant.cluster.work import Crew
from jperrant.core.errors import UsageError
from jperrant.core.paths import optional_path
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.evaluation.inputs import Inputs, References, Source, Systems, named_systems, sides_of
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.request import Request, check_written
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.text_input import TextOptions
from jperrant.io.files import check_input


class TextKeywords(TypedDict, total=False):
    """How texts become typed edits: keywords of :func:`score` that other functions take too."""

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
    lang: str | None = None,
    raw: bool = False,
    split_on: str = Splitting.AUTO,
    tokens: str = TokenMode.GIVEN,
    models: str | PathLike[str] | None = None,
    pack: str | PathLike[str] | None = None,
    cache: str | PathLike[str] = "",
    strict: bool = False,
    answers: str = "",
    crew: Crew | None = None,
) -> Scores:
    """Score systems against references.

    A system or a reference is the path of an M2 or text file, the blocks of an M2 file, or a list of sentences.
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
        crew: Who scores folders of M2 shards; None for this process.

    Returns:
        One score for each system and metric, system by system.

    Raises:
        UsageError: No system, no references, an unknown metric or option, or one by which a metric would overwrite
            a file.
        InputError: A file cannot be read, is not M2, or is another text than the references.

    Example:
        >>> [score] = jperrant.score("system.m2", "gold.m2", metrics="errant:beta=1")
        >>> sources, fixed = ["This are bad .", "Me too ."], ["This is bad .", "Me too ."]
        >>> scores = jperrant.score({"A": fixed, "B": sources}, fixed, source=sources, metrics=["errant", "cleme2"])
    """
    request = requested(
        systems,
        references,
        source=source,
        metrics=metrics,
        lang=lang,
        raw=raw,
        split_on=split_on,
        tokens=tokens,
        models=models,
        pack=pack,
        cache=cache,
        strict=strict,
        answers=answers,
    )
    return request.scores(crew)


def read_pairs(
    systems: Systems,
    references: References | None = None,
    *,
    source: Source | None = None,
    metrics: str | Scorer | Sequence[str | Scorer] = "errant",
    **texts: Unpack[TextKeywords],
) -> tuple[list[Scorer], list[Pair]]:
    """Return the metrics, and the systems with their references over the same sentences.

    For what shows sentences and edits: texts are analysed even if no metric looks at edits.

    Args:
        systems, references, source, metrics: As in :func:`score`.
        **texts: As in :func:`score`.

    Raises:
        UsageError, InputError: As :func:`score`.
    """
    request = requested(systems, references, source=source, metrics=metrics, shown=True, **texts)
    return list(request.scorers), request.pairs()


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
        shown: Whether edits are shown whatever the metrics look at.
        **texts: As in :func:`score`.

    Raises:
        UsageError: No system or no references, two systems of one name, an unknown metric or option.
        InputError: The source cannot be read.
        MissingError: A model of a metric is missing.
    """
    lang = texts.get("lang")
    specs = [metrics] if isinstance(metrics, str | Scorer) else list(metrics)
    scorers = make_scorers(specs, {}, lang, cache=fspath(texts.get("cache", "")))
    sentences = source is not None and not isinstance(source, str | PathLike)
    given, names = named_systems(systems, sentences)
    gold = sides_of(references, sentences)
    if not given:
        raise UsageError(
            "found no systems to score; give at least one, before --ref, as files after --ref are references"
        )
    needed = any(scorer.needs_references for scorer in scorers)
    if needed and not gold:
        raise UsageError(
            "found no references; give them with --ref, as in: jperrant score SYSTEM --ref REFERENCES"
        )
    inputs = Inputs(
        given,
        names,
        gold if needed else (),
        source,
        _text_options(scorers, shown, texts),
        strict=texts.get("strict", False),
        retype=lang is not None,
    )
    check_written(scorers, (*given, *gold, source))
    if isinstance(source, str | PathLike):
        check_input(fspath(source))  # also where all files turn out to be M2, which have it
    for scorer in scorers:
        scorer.check_models()
    return Request(scorers, inputs, unused=bool(gold) and not needed)


def _text_options(scorers: Sequence[Scorer], shown: bool, texts: TextKeywords) -> TextOptions:
    """Return how texts become blocks: without models where nobody looks at edits and all is tokenised."""
    raw = texts.get("raw", False)
    options = AnnotatorOptions(texts.get("lang"))
    if not (raw or shown or any(scorer.uses_edits for scorer in scorers)):
        options = options.without_models()
    annotator = replace(
        options,
        models=fspath(texts.get("models") or options.models),
        pack=optional_path(texts.get("pack")),
        tokens=texts.get("tokens", TokenMode.GIVEN),
        split_on=texts.get("split_on", Splitting.AUTO),
    )
    return TextOptions(annotator, raw, fspath(texts.get("cache", "")), texts.get("answers", ""))

"""From files, blocks or texts to scores in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from jperrant.annotation.options import AnnotatorOptions
from jperrant.cluster.work import Crew
from jperrant.core.errors import UsageError
from jperrant.core.paths import optional_path
from jperrant.core.splitting import Splitting
from jperrant.core.token_mode import TokenMode
from jperrant.core.values import Block
from jperrant.evaluation.inputs import (
    Input,
    Inputs,
    check_names,
    held,
    named,
    stems,
)
from jperrant.evaluation.load import load_pairs
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import Score, evaluate
from jperrant.evaluation.request import LARGE, Request, check_written
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.scores import Scores
from jperrant.evaluation.text_input import TextOptions
from jperrant.io.files import check_input, is_regular


def score(
    *files: Input,
    references: Input | Sequence[Input] | None = None,
    source: str | PathLike[str] | Sequence[str] | None = None,
    metric: str | Sequence[str] = "errant",
    lang: str | None = None,
    strict: bool = False,
    texts: TextOptions | None = None,
    **options: Any,
) -> Scores:
    """Score systems against references.

    Args:
        *files: One or more systems, and last the references, unless these are given by ``references`` or the
            metric needs none: paths of M2 files, or blocks; of text files, where ``source`` is given. Systems whose
            sentences or tokens differ from those of the references are aligned to them.
        references: The references, or a list of files that each hold some of them (strings are paths here).
        source: The text that was corrected, one sentence a line, as a path or a list of strings; for texts.
        metric: A metric, or several, each with its options if it is to have some:
            ``["errant", "cleme2:assumption=independent"]``.
        lang: Language of texts; also chooses the encoder where a metric uses one and none is given.
        strict: Make every format deviation of an M2 file an error.
        texts: How texts are annotated; by the compact models of ``lang`` if None.
        **options: The options of the metric, if it is one.

    Returns:
        One score for each system and metric, system by system.

    Raises:
        UsageError: No system, no references, an unknown metric or option.
        InputError: A file cannot be read, is not M2, or is another text than the references.

    Example:
        >>> [score] = jperrant.score("system.m2", "gold.m2", metric="errant", beta=1.0)
        >>> score.values["f"]
    """
    return _scored(_request_scored(files, references, source, metric, lang, strict, texts, options, ()))


def score_texts(
    sources: str | PathLike[str] | Sequence[str],
    hypotheses: Mapping[str, Input] | Sequence[Input] | Sequence[str],
    references: Mapping[str, Input] | Sequence[Input] | Sequence[str] | None = None,
    *,
    lang: str = "en",
    metrics: str | Sequence[str] = "errant",
    models: str | PathLike[str] | None = None,
    pack: str | PathLike[str] | None = None,
    tokens: str = TokenMode.GIVEN,
    raw: bool = False,
    split_on: str = Splitting.AUTO,
    cache: str | PathLike[str] = "",
) -> Scores:
    """Score systems that come as texts.

    Args:
        sources: The sentences that were corrected.
        hypotheses: The corrected sentences of one system, of several (a list of lists), or of several by name; a
            single string is the path of a file.
        references: The references: the sentences of one annotator, or of several.
        lang: Code of the language.
        metrics: A metric, or several; each may bring its options (``"cleme2:level=sentence"``).
        models: As in :func:`jperrant.load`; the pack's own if None, but none where texts are tokenised and no
            metric looks at edits.
        pack, tokens: As in :func:`jperrant.load`.
        raw: Texts are not tokenised; the models split them into sentences and tokens.
        split_on: Where raw texts are split, as in :func:`jperrant.load`.
        cache: Folder that keeps annotations from run to run.

    Returns:
        One score for each system and metric, system by system.

    Raises:
        UsageError: No system, no references, an unknown metric or option, or one by which a metric would overwrite
            a file.
        InputError: A text has another number of sentences than the source.

    Example:
        >>> sources, fixed = ["This are bad .", "Me too ."], ["This is bad .", "Me too ."]
        >>> jperrant.score_texts(sources, {"A": fixed, "B": sources}, [fixed], metrics=["errant", "cleme2"])
    """
    encodings = {"cache": str(Path(cache) / "encodings")} if cache else {}
    scorers = make_scorers([metrics] if isinstance(metrics, str) else metrics, {}, lang, encodings)
    systems, names = named(_texts_of(hypotheses))
    given, _ = named(_texts_of(references if references is not None else []))
    check_written(scorers, (*systems, *given, sources))
    if not given and any(scorer.needs_references for scorer in scorers):
        raise UsageError("give references: a list of the corrected sentences, or several such lists")
    usual = text_options(scorers, lang, raw).annotator
    annotator = replace(
        usual,
        models=fspath(models or usual.models),
        pack=optional_path(pack),
        tokens=tokens,
        split_on=split_on,
    )
    needed = any(scorer.needs_references for scorer in scorers)
    inputs = Inputs(
        systems, names, given if needed else (), sources, TextOptions(annotator, raw, fspath(cache))
    )
    check_models(scorers)
    return evaluate_all(scorers, Request(scorers, inputs, unused=bool(given) and not needed).pairs())


def score_files(files: Sequence[str] = (), crew: Crew | None = None, **given: Any) -> Scores:
    """Score files, or folders of M2 shards, as ``jperrant score`` does.

    Args:
        files: As in :func:`load_files`.
        crew: Who scores shards; None for this process.
        **given: As in :func:`load_files`.

    Raises:
        UsageError: Shards are to be scored, and a metric looks beyond the sentence, or there are no folders.
        UsageError, InputError: As :func:`load_files`.
    """
    request = _request_files(files, **given)
    if crew is not None or request.in_folders():
        return request.scores_of_folders(crew)
    return _scored(request)


def score_m2(
    scorer: Scorer, hypothesis: str, references: str, strict: bool = False, large: int = LARGE
) -> Score:
    """Score one M2 file against another, as ``jperrant compare`` does: large files a part at a time.

    Args:
        scorer: The metric.
        hypothesis, references: The files; ``-`` is standard input.
        strict: Make every format deviation an error.
        large: Bytes of both files from which on they are large.

    Raises:
        FormatError: A file is not M2, or has no sentences.
        InputError: A file cannot be read, or the hypothesis is not the references' text.
    """
    inputs = Inputs([hypothesis], references=[references], strict=strict)
    if not any(is_regular(path) and inputs.is_text(path) for path in (hypothesis, references)):
        scores = Request([scorer], inputs).scores_in_parts(large)
        if scores is not None:
            return next(iter(scores))
    [score] = evaluate(scorer, load_pairs([hypothesis], references, strict))
    return score


def load_files(files: Sequence[str] = (), **given: Any) -> tuple[list[Scorer], list[Pair]]:
    """Return the metrics and the systems with their references that ``jperrant score`` evaluates.

    Args:
        files: Systems and, last, the references, unless ``references`` are given or no metric needs any.
        **given: Options:
            ``hypotheses``: more systems. ``references``: M2 files of references, or texts. ``source``: the text
            that was corrected. ``metrics``: the metrics, each with its options (``cleme2:level=sentence``).
            ``options``: more options, if the metric is one. ``shared``: options for every metric that has them
            (``seed``). ``lang``: language of texts and of encoders. ``raw``, ``split_on``, ``tokens``, ``models``,
            ``pack``: how texts are annotated, as in :func:`jperrant.load`; models are ``compact`` if None
            (:func:`score_files` uses none where no metric looks at edits). ``cache``: folder that keeps annotations
            and encodings.
            ``strict``: make every format deviation of an M2 file an error. ``names``: what the systems are
            called; their paths if empty, the stems of these if ``("stems",)``.

    Raises:
        UsageError: Files in no role, an unknown metric or option, another number of names than of systems.
        InputError: A file cannot be read, or is another text.
    """
    request = _request_files(files, **given, shown=True)
    return list(request.scorers), request.pairs()


def _request_files(
    files: Sequence[str] = (),
    *,
    hypotheses: Sequence[str] = (),
    references: Sequence[str] = (),
    source: str | None = None,
    metrics: Sequence[str] = ("errant",),
    options: Mapping[str, Any] | None = None,
    shared: Mapping[str, Any] | None = None,
    lang: str | None = None,
    raw: bool = False,
    split_on: str = Splitting.AUTO,
    tokens: str = TokenMode.GIVEN,
    models: str | None = None,
    pack: str | None = None,
    cache: str = "",
    strict: bool = False,
    names: Sequence[str] = (),
    shown: bool = False,
) -> Request:
    """Return what is asked for; see :func:`load_files`."""
    encodings = {"cache": str(Path(cache) / "encodings")} if cache else {}
    scorers = make_scorers(metrics, options or {}, lang, {**encodings, **(shared or {})})
    texts = text_options(scorers, lang, raw, shown)
    annotator = replace(
        texts.annotator, pack=pack, tokens=tokens, models=models or texts.annotator.models, split_on=split_on
    )
    return _request(
        scorers,
        *roles_of(scorers, files, hypotheses, references),
        names,
        source=source,
        texts=TextOptions(annotator, raw, cache),
        strict=strict,
        retype=lang is not None,
    )


def load_scored(
    files: Sequence[Input],
    references: Input | Sequence[Input] | None,
    source: str | PathLike[str] | Sequence[str] | None,
    metric: str | Sequence[str],
    lang: str | None,
    strict: bool,
    texts: TextOptions | None,
    options: Mapping[str, Any],
    names: Sequence[str] = (),
) -> tuple[list[Scorer], list[Pair]]:
    """Return what :func:`score` evaluates: the metrics, and the systems with their references.

    Args:
        files, references, source, metric, lang, strict, texts, options: As in :func:`score`.
        names: What the systems are called; empty for paths, or numbers.

    Raises:
        UsageError, InputError: As :func:`score`.
    """
    given = files, references, source, metric, lang, strict, texts, options, names
    request = _request_scored(*given, shown=True)
    return list(request.scorers), request.pairs()


def _request_scored(
    files: Sequence[Input],
    references: Input | Sequence[Input] | None,
    source: str | PathLike[str] | Sequence[str] | None,
    metric: str | Sequence[str],
    lang: str | None,
    strict: bool,
    texts: TextOptions | None,
    options: Mapping[str, Any],
    names: Sequence[str],
    shown: bool = False,
) -> Request:
    """Return what is asked for; see :func:`load_scored`."""
    scorers = make_scorers([metric] if isinstance(metric, str) else metric, options, lang)
    return _request(
        scorers,
        *roles_of(scorers, list(map(held, files)), (), several(references)),
        names,
        source=source,
        texts=texts or text_options(scorers, lang, shown=shown),
        strict=strict,
        retype=lang is not None,
    )


def roles_of(
    scorers: Sequence[Scorer],
    files: Sequence[Input],
    hypotheses: Sequence[Input],
    references: Sequence[Input],
) -> tuple[list[Input], list[Input], Input | None]:
    """Return systems, references, and the file that is taken for the references only because it came last.

    Raises:
        UsageError: Nothing is left to be scored, or to score it against.
    """
    systems = [*files, *hypotheses]
    if references or not any(scorer.needs_references for scorer in scorers):
        return systems, list(references), None
    if not files or len(systems) < 2:
        raise UsageError(
            "give one or more systems and the references: HYP... REF with the references last, or --hyp HYP "
            "--ref REF"
        )
    return [*files[:-1], *hypotheses], [files[-1]], files[-1]


def _request(
    scorers: Sequence[Scorer],
    systems: Sequence[Input],
    references: Sequence[Input],
    last: Input | None,
    names: Sequence[str],
    **inputs: Any,
) -> Request:
    """Return what is asked for, once the models of the metrics were found."""
    needed = any(scorer.needs_references for scorer in scorers)
    paths = [str(system) for system in systems]
    called = stems(paths) if list(names) == ["stems"] else check_names(names, len(systems))
    given = Inputs(systems, called, references if needed else (), **inputs)
    check_written(scorers, (*systems, *given.references, given.source))
    if isinstance(given.source, str | PathLike):
        check_input(fspath(given.source))  # also where all files turn out to be M2, which have it
    check_models(scorers)
    return Request(scorers, given, last, unused=bool(references) and not needed)


def _scored(request: Request) -> Scores:
    """Return the scores: of large files a part at a time, else with everything in memory."""
    scores = request.scores_in_parts()
    return evaluate_all(request.scorers, request.pairs()) if scores is None else scores


def check_models(scorers: Sequence[Scorer]) -> None:
    """Check that the models of all metrics are there, so that nothing is read or annotated in vain.

    Raises:
        MissingError: A model, or a package that runs it, is missing.
    """
    for scorer in scorers:
        scorer.check_models()


def evaluate_all(scorers: Sequence[Scorer], pairs: Sequence[Pair]) -> Scores:
    """Return the scores of pairs by all scorers, system by system; what was noted of the files is said once."""
    by_scorer = [
        evaluate(scorer, pairs if n == 0 else [_without_notes(pair) for pair in pairs])
        for n, scorer in enumerate(scorers)
    ]
    return Scores(scores[n] for n in range(len(pairs)) for scores in by_scorer)


def text_options(
    scorers: Sequence[Scorer], lang: str | None, raw: bool = False, shown: bool = False
) -> TextOptions:
    """Return how texts become blocks: without models where nobody looks at edits and all is tokenised.

    Args:
        scorers: The metrics.
        lang: Code of the language; English if None.
        raw: Whether texts are not tokenised.
        shown: Whether edits are shown whatever the metrics look at.
    """
    options = AnnotatorOptions(lang=lang or "en")
    analysed = raw or shown or any(scorer.uses_edits for scorer in scorers)
    return TextOptions(options if analysed else options.without_models(), raw)


def several(references: Input | Sequence[Input] | None) -> list[Input]:
    """Return references as a list: a path, or blocks, are one; a list of paths, or of lists, is several."""
    if references is None:
        return []
    if isinstance(references, str | PathLike):
        return [references]
    kept = held(references)
    first = next(iter(kept), None)
    return [kept] if isinstance(first, Block) else list(map(held, kept))


def _texts_of(given: Any) -> Any:
    """Return texts as a list or mapping of texts; a list of strings is one text."""
    if isinstance(given, Mapping):
        return given
    if isinstance(given, str | PathLike):
        return [given]
    rows = list(given)
    return [rows] if rows and all(isinstance(row, str) for row in rows) else rows


def _without_notes(pair: Pair) -> Pair:
    return replace(pair, notes=())

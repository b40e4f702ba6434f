"""From files to the agreement of their annotators in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jperrant.core.errors import UsageError
from jperrant.core.messages import spoken
from jperrant.evaluation.agreement.annotators import Annotators, load_annotators
from jperrant.evaluation.agreement.ceiling import SUBSETS, human_ceilings
from jperrant.evaluation.agreement.counting import count_agreement
from jperrant.evaluation.agreement.differences import by_type, confusion, differing_sentences
from jperrant.evaluation.agreement.results import Agreement, AgreementOptions
from jperrant.evaluation.breakdown import FULL
from jperrant.evaluation.m2_input import M2Input
from jperrant.evaluation.metrics.base import Scorer
from jperrant.evaluation.request import check_written
from jperrant.evaluation.rows import refused_by
from jperrant.evaluation.scorers import make_scorers
from jperrant.evaluation.statistics.significance import SEED


def agreement(
    *files: M2Input,
    names: Sequence[str] = (),
    metrics: str | Sequence[str] = "errant",
    lang: str | None = None,
    items: str = "tokens",
    level: int = FULL,
    beta: float = 0.5,
    missing: str = "left-out",
    samples: int = 0,
    seed: int = SEED,
    subsets: int = SUBSETS,
    strict: bool = False,
) -> Agreement:
    """Measure how far the annotators of a text agree.

    This is ``jperrant.agreement``.

    Args:
        *files: M2 files, or blocks: one with several annotators, or several with one or more each. Files that cut
            the same text into other sentences or tokens are aligned to the first.
        names: The names of the annotators.
        metrics: Metrics by which each annotator is scored against the others, each with its options
            (``"cleme2:level=sentence"``); none if empty.
        lang: Language whose pack chooses the encoder where a metric uses one.
        items: What the items of kappa and alpha are: ``tokens``, or ``gaps`` for the places between them as well.
        level: What of a type counts: operation (1), category (2) or all of it (3).
        beta: Weight of recall in the F that is given both ways.
        missing: A sentence without an annotation by an annotator is ``left-out``, or counts as ``unchanged``.
        samples: Bootstrap samples for intervals (customary are 1000); 0 for no intervals.
        seed: Of the random numbers.
        subsets: How many sets of other annotators of one size an annotator is scored against at most.
        strict: Make every format deviation of a file an error.

    Raises:
        UsageError: Fewer than two annotators, an unknown metric, an impossible option, or one by which a metric
            would overwrite a file.
        FormatError: A file is not M2, holds another text than the first, or edits that a metric cannot use.

    Example:
        >>> agreed = jperrant.agreement("anna.m2", "ben.m2")
        >>> agreed.pairs[0].values["kappa_identification"]
    """
    options = AgreementOptions(items, level, beta, samples, seed, subsets)
    scorers = make_scorers([metrics] if isinstance(metrics, str) else metrics, {}, lang) if metrics else []
    check_written(scorers, files)
    annotators = load_annotators(files, names, missing, strict, refused_by(scorers))
    return measure_agreement(annotators, options, scorers)


def measure_agreement(
    annotators: Annotators, options: AgreementOptions | None = None, scorers: Sequence[Scorer] = ()
) -> Agreement:
    """Measure how far annotators agree.

    Args:
        annotators: Two or more, as ``load_annotators`` gives them.
        options: How to measure.
        scorers: Metrics by which each annotator is scored against the others.

    Raises:
        UsageError: There is no sentence that two annotators looked at.
    """
    options = options or AgreementOptions()
    found = count_agreement(annotators.blocks, dict(enumerate(annotators.names)), options)
    if not any(pair.sentences for pair in found.pairs):
        raise UsageError(
            f"found no sentence annotated by two of {', '.join(annotators.names)}; agreement needs sentences "
            "that they share"
        )
    ceilings = human_ceilings(annotators, scorers, options.subsets, options.samples, options.seed)
    notes = [*annotators.notes, *(line for ceiling in ceilings for line in ceiling.warnings)]
    return replace(
        found,
        by_type=by_type(annotators, options),
        confusion=confusion(annotators, options),
        sentences=differing_sentences(annotators, options),
        ceilings=ceilings,
        notes=tuple(dict.fromkeys(map(spoken, notes))),
    )

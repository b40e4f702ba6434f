"""What a metric costs: seconds for one sentence of one system, as the tables of CLEME2.0 and UOT-ERRANT give them.

A metric is run on one sentence and on all of them. The difference, divided by the sentences and systems, is what
a sentence costs; the run on one sentence shows what must be paid before the first one: loading an encoder, mostly.
Each run is repeated and the fastest counts, as other programs on the machine only ever make a run slower. A first
run is not counted, so that importing libraries is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter, process_time

from jperrant.core.errors import UsageError
from jperrant.core.progress import track
from jperrant.evaluation.metrics.base import Pair, Scorer
from jperrant.evaluation.metrics.score import evaluate

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Timing:
    """What a metric costs.

    Attributes:
        metric: Its signature.
        name: Its name, with its settings where another one has the same name.
        systems: How many systems were scored.
        sentences: How many sentences each has.
        start: Seconds for one sentence of each system, by the clock.
        seconds: Seconds for all sentences of all systems, by the clock.
        cpu: CPU seconds for the same, of all threads.
    """

    metric: str
    name: str
    systems: int
    sentences: int
    start: float
    seconds: float
    cpu: float

    @property
    def per_sentence(self) -> float:
        """Seconds for a sentence of a system beyond the first; at least 0."""
        return max(0.0, self.seconds - self.start) / (self.systems * max(1, self.sentences - 1))


def time_metrics(scorers: Sequence[Scorer], pairs: Sequence[Pair], rounds: int = ROUNDS) -> list[Timing]:
    """Return what each metric costs over the same systems, as blocks that are already in memory.

    Args:
        scorers: The metrics; a cache among their options would be timed, too.
        pairs: Systems of the same number of sentences.
        rounds: How often each is run.

    Raises:
        UsageError: No system, fewer than two sentences, or no round.
    """
    if rounds < 1:
        raise UsageError(f"found {rounds} rounds, expected 1 or more")
    sentences = min((len(pair.hypothesis) for pair in pairs), default=0)
    if sentences < 2:
        raise UsageError("found fewer than two sentences; timing needs a system of two or more")
    first = _first_sentences(pairs)
    names = [scorer.name for scorer in scorers]
    timings = []
    for scorer in track(scorers, "timing metrics", len(scorers)):
        [score, *_] = evaluate(scorer, first)
        start, _ = _fastest(lambda scorer=scorer: evaluate(scorer, first), rounds)  # type: ignore[misc]
        seconds, cpu = _fastest(lambda scorer=scorer: evaluate(scorer, pairs), rounds)  # type: ignore[misc]
        alone = names.count(scorer.name) == 1
        name = scorer.name if alone else " ".join((scorer.name, *scorer.settings))
        timings.append(Timing(score.signature, name, len(pairs), sentences, start, seconds, cpu))
    return timings


def _first_sentences(pairs: Sequence[Pair]) -> list[Pair]:
    """Return pairs of their first sentence; those that share references still do."""
    references = {id(pair.references): pair.references[:1] for pair in pairs}
    return [
        replace(
            pair,
            hypothesis=pair.hypothesis[:1],
            references=references[id(pair.references)],
            spans=pair.spans[:1],
        )
        for pair in pairs
    ]


def _fastest(run: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the seconds by the clock and the CPU seconds of the fastest of some runs."""
    times = []
    for _ in range(rounds):
        clock, cpu = perf_counter(), process_time()
        run()
        times.append((perf_counter() - clock, process_time() - cpu))
    return min(times)

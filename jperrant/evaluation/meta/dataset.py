"""The data set of a meta-evaluation: outputs of systems for one source, with human judgements.

Human scores of systems are either given (``TS_edit``) or recomputed from judgements (``ew:edit``, ``ts:edit``,
``mean:wiki``: the method and the set of judgements). Expected Wins and TrueSkill follow Grundkiewicz,
Junczys-Dowmunt and Gillian (2015), "Human Evaluation of Grammatical Error Correction Systems", section 4. Expected
Wins equals their table in every digit. TrueSkill uses the constants of the published script but goes through all
judgements once, in order. The script draws judgements at random in 1,000 runs, so its figures differ slightly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

import numpy as np

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import Block
from jperrant.evaluation.metrics.fmeasure import ratio
from jperrant.evaluation.statistics.ranking import SIGMA, expected_wins, trueskill

T = TypeVar("T")
S = TypeVar("S", bound=tuple[object, ...])
#: One reference: the corrected sentences, or the blocks of an M2 file with one annotator or more.
Reference: TypeAlias = tuple[str, ...] | tuple[Block, ...]
#: The name of the group of all systems, which every data set has.
ALL = "all"
#: The methods that compute human scores from judgements.
RECOMPUTED = {"ew": "Expected Wins", "ts": "TrueSkill", "mean": "the mean of ratings"}


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one sentence by one judge.

    Attributes:
        sentence: The index of the sentence in ``MetaDataset.sources``, from 0.
        judge: The name of the judge.
        marks: The rank or rating of each judged system; systems with equal texts have equal marks.
    """

    sentence: int
    judge: str
    marks: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class JudgementSet:
    """Judgements of one kind, such as SEEDA's judgements of edits.

    Attributes:
        name: The name of the set, such as ``edit``.
        judgements: The judgements in the order of the file; a sentence can have several.
        ratings: Whether marks are ratings (higher is better) and not ranks (1 is best).
    """

    name: str
    judgements: tuple[Judgement, ...]
    ratings: bool = False

    def points(self, systems: Sequence[str]) -> FloatArray:
        """Return the marks of all systems, shape ``(systems, judgements)``.

        Ranks are negated, so higher is better. NaN stands for a system that was not judged.
        """
        sign = 1 if self.ratings else -1
        given = [[sign * one.marks.get(name, np.nan) for one in self.judgements] for name in systems]
        return np.array(given, dtype=np.float64).reshape(len(systems), -1)


@dataclass(frozen=True, slots=True)
class MetaDataset:
    """Systems, references and judgements over the same sentences.

    Attributes:
        name: The name of the data set.
        sources: The uncorrected sentences.
        systems: The sentences of each system by name. TrueSkill and the tie rule ``seeda`` depend on their order.
        references: Sets of references by name; a set has one reference or more.
        human: Human scores of the systems, by the name of the score (``TS_edit``) and system.
        judgements: Sets of judgements by name.
        groups: Groups of systems by name; ``all`` is added if it is missing.
        lines: The index of each sentence, from 0, in the text that the data set is a part of; empty if the data set
            is a whole text.
        full_length: The number of sentences of that text; 0 if ``lines`` is empty.
        lang: The code of the language; empty if unknown.
        files: The files of the data set, which no output may overwrite.

    Raises:
        InputError: Parts do not fit together: a text has another number of sentences than the source, or a score or
            judgement names an unknown system or sentence.
    """

    name: str
    sources: tuple[str, ...]
    systems: Mapping[str, tuple[str, ...]]
    references: Mapping[str, tuple[Reference, ...]] = field(default_factory=dict)
    human: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    judgements: Mapping[str, JudgementSet] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: tuple[int, ...] = ()
    full_length: int = 0
    lang: str = ""
    files: tuple[str, ...] = field(default=(), repr=False, compare=False)

    def __post_init__(self) -> None:
        if ALL not in self.groups:
            object.__setattr__(self, "groups", {**self.groups, ALL: tuple(self.systems)})
        if not self.sources or not self.systems:
            raise InputError(f"{self.name}: found no {'systems' if self.sources else 'sentences'}")
        texts: list[tuple[str, Sized]] = [(f"system {name!r} has", own) for name, own in self.systems.items()]
        for name, members in self.references.items():
            texts += [(f"references {name!r} have", one) for one in members]
        for what, text in texts:
            if len(text) != len(self.sources):
                found, wanted = plural(len(text), "sentence"), len(self.sources)
                raise InputError(f"{self.name}: {what} {found}, expected the {wanted} of the source")
        named = {f"human score {name!r}": [*scores] for name, scores in self.human.items()}
        named |= {f"group {name!r}": [*systems] for name, systems in self.groups.items()}
        for name, judged in self.judgements.items():
            named[f"a judgement of set {name!r}"] = [s for one in judged.judgements for s in one.marks]
            last = max((one.sentence for one in judged.judgements), default=0)
            if last >= len(self.sources):
                raise InputError(
                    f"{self.name}: a judgement of set {name!r} is about sentence {last + 1}, but there are "
                    f"{len(self.sources)}"
                )
        for what, systems in named.items():
            for system in systems:
                if system not in self.systems:
                    raise InputError(
                        f"{self.name}: {what} mentions system {system!r}{nearest(system, self.systems)}, of which "
                        f"there is no text; systems: {', '.join(self.systems)}"
                    )

    @property
    def system_names(self) -> tuple[str, ...]:
        """The names of all systems, in their order."""
        return tuple(self.systems)

    @property
    def human_names(self) -> list[str]:
        """The names of all human scores: those given, and those that can be recomputed from judgements."""
        recomputed = [
            f"{how}:{name}"
            for name, judged in self.judgements.items()
            for how in RECOMPUTED
            if how != "mean" or judged.ratings
        ]
        return [*self.human, *recomputed]

    def group(self, name: str) -> tuple[str, ...]:
        """Return the systems of a group, in the order of the data set.

        Raises:
            UsageError: The group is unknown.
        """
        members = set(self._named(self.groups, name, "group of systems"))
        return tuple(system for system in self.systems if system in members)

    def judgement_set(self, name: str) -> JudgementSet:
        """Return a set of judgements.

        Raises:
            UsageError: The set is unknown.
        """
        return self._named(self.judgements, name, "set of judgements")

    def reference_set(self, name: str) -> tuple[Reference, ...]:
        """Return a set of references.

        Raises:
            UsageError: The set is unknown.
        """
        return self._named(self.references, name, "set of references")

    def human_scores(self, name: str, systems: Sequence[str]) -> FloatArray:
        """Return the human score of each system, shape ``(systems,)``; NaN for a system that was not judged.

        Args:
            name: A given score (``TS_edit``), or a recomputed one (``ew:edit``).
            systems: The systems; recomputed scores use only the judgements among these.

        Raises:
            UsageError: The score is unknown.
        """
        self._named(dict.fromkeys(self.human_names), name, "human score")
        if name in self.human:
            return np.array([self.human[name].get(system, np.nan) for system in systems])
        how, _, of = name.partition(":")
        points = self.judgements[of].points(systems)
        if how == "mean":
            return known_means(points)
        return expected_wins(points) if how == "ew" else _trueskill(points)

    def with_references(self, references: Mapping[str, Sequence[Reference]]) -> MetaDataset:
        """Return the data set with additional sets of references.

        A reference covers the sentences of the data set, or those of the whole text that it is a part of.

        Raises:
            InputError: A reference has another number of sentences.
        """
        added = {
            name: tuple(self.over_sentences(reference, f"references {name!r}") for reference in given)
            for name, given in references.items()
        }
        return replace(self, references={**self.references, **added})

    def over_sentences(self, text: S, what: str) -> S:
        """Return a text reduced to the sentences of this data set, if it covers the whole text.

        Args:
            text: The text: sentences, blocks or numbers.
            what: The name of the text in the error.

        Raises:
            InputError: The text has another number of sentences than the data set and the whole text.
        """
        if self.lines and len(text) == self.full_length:
            return tuple([text[line] for line in self.lines])  # type: ignore[return-value]
        if len(text) == len(self.sources):
            return text
        whole = f" or the {self.full_length} of the whole text" if self.lines else ""
        raise InputError(
            f"{what}: found {plural(len(text), 'sentence')}, expected the {len(self.sources)} of {self.name}{whole}"
        )

    def _named(self, values: Mapping[str, T], name: str, what: str) -> T:
        if name not in values:
            known = ", ".join(values) or "none"
            raise UsageError(f"{self.name} has no {what} {name!r}{nearest(name, values)}; it has: {known}")
        return values[name]


def known_means(figures: FloatArray) -> FloatArray:
    """Return the mean of each row without its NaN values; NaN for a row of NaN only."""
    return ratio(np.nansum(figures, axis=1), (~np.isnan(figures)).sum(axis=1), np.nan)


def _trueskill(points: FloatArray) -> FloatArray:
    """Return the TrueSkill of each system, on the scale of the published tables."""
    judged = (~np.isnan(points)).sum(axis=0)
    matches = int((judged * (judged - 1)).sum()) // 2
    # As in wmt-trueskill: one judgement says little about skill, so beta is sigma * matches / 40.
    return trueskill(points, SIGMA * max(matches, 1) / 40)

"""A data set of meta-evaluation: texts of systems over one source, and what people said of them.

The values are plain and immutable. Readers (``read_seeda`` and others) make them from files; the analyses take
them, or arrays made of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from jperrant.core.errors import InputError, UsageError, nearest
from jperrant.core.messages import plural
from jperrant.core.values import Block

T = TypeVar("T")
#: One reference: the corrected sentences, or the blocks of an M2 file with one annotator or more.
Reference: TypeAlias = tuple[str, ...] | tuple[Block, ...]
#: The group of systems that every data set has.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one judge said of one sentence.

    Attributes:
        sentence: The index of the sentence in ``MetaDataset.sources``, from 0.
        judge: Who judged.
        marks: The rank or the rating of each system that was judged. Systems of one text have one mark.
    """

    sentence: int
    judge: str
    marks: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class JudgementSet:
    """Judgements that were made in one manner, such as SEEDA's of edits.

    Attributes:
        name: What the set is called: ``edit``, ``sent``.
        judgements: In the order of the file; a sentence may have several, of one judge or more.
        ratings: Whether marks are ratings, of which a higher one is better; ranks if not, of which 1 is best.
    """

    name: str
    judgements: tuple[Judgement, ...]
    ratings: bool = False


@dataclass(frozen=True, slots=True)
class MetaDataset:
    """Systems, references and judgements over the same sentences.

    Attributes:
        name: What the data set is called.
        sources: The sentences that were corrected.
        systems: The sentences of each system, in the order that TrueSkill and the tie rule ``seeda`` depend on.
        references: Sets of references by name; a set is one reference or more.
        human: Scores that people's judgements gave the systems, by the name of the score (``TS_edit``).
        judgements: The judgements themselves, by the name of the set.
        groups: Groups of systems by name; ``all`` is always there.
        lines: For each sentence its index, from 0, in the text that it was taken from; empty if it is that text.
        full_length: The number of sentences of that text; 0 if ``lines`` is empty.
        lang: Code of the language; empty if it is not known.
        files: The files that it was read from, which no output may overwrite.

    Raises:
        InputError: Parts do not fit each other: a text with another number of sentences, a score or judgement of
            a system that is not there, a judgement of an unknown sentence.
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
        self._check_texts()
        for column, scores in self.human.items():
            self._check_systems(scores, f"human score {column!r}")
        for group, systems in self.groups.items():
            self._check_systems(systems, f"group {group!r}")
        for judged in self.judgements.values():
            for judgement in judged.judgements:
                self._check_judgement(judged.name, judgement)

    @property
    def system_names(self) -> tuple[str, ...]:
        """The names of all systems, in their order."""
        return tuple(self.systems)

    def group(self, name: str) -> tuple[str, ...]:
        """Return the systems of a group, in the order of the data set.

        Raises:
            UsageError: There is no such group.
        """
        members = set(_named(self.groups, name, "group of systems", self.name))
        return tuple(system for system in self.systems if system in members)

    def human_scores(self, column: str) -> Mapping[str, float]:
        """Return the scores of systems that people gave.

        Raises:
            UsageError: There are no such scores.
        """
        return _named(self.human, column, "human score", self.name)

    def judgement_set(self, name: str) -> JudgementSet:
        """Return a set of judgements.

        Raises:
            UsageError: There is no such set.
        """
        return _named(self.judgements, name, "set of judgements", self.name)

    def reference_set(self, name: str) -> tuple[Reference, ...]:
        """Return a set of references.

        Raises:
            UsageError: There is no such set.
        """
        return _named(self.references, name, "set of references", self.name)

    def with_references(self, references: Mapping[str, Sequence[Reference]]) -> MetaDataset:
        """Return the data set with more sets of references, each over its sentences or over the whole text.

        Raises:
            InputError: A reference has another number of sentences than both.
        """
        added = {
            name: tuple(self._over_sentences(name, reference) for reference in given)
            for name, given in references.items()
        }
        return replace(self, references={**self.references, **added})

    def with_groups_of(self, systems: Collection[str]) -> MetaDataset:
        """Return the data set with groups of which only some systems count."""
        return replace(
            self,
            groups={name: tuple(s for s in own if s in systems) for name, own in self.groups.items()},
        )

    def _over_sentences(self, name: str, reference: Reference) -> Reference:
        """Return a reference over the sentences of this data set, also where it is over the whole text."""
        if len(reference) == len(self.sources):
            return reference
        if self.lines and len(reference) == self.full_length:
            return tuple([reference[line] for line in self.lines])  # type: ignore[return-value]
        whole = f" or the {self.full_length} of the whole text" if self.lines else ""
        raise InputError(
            f"references {name!r}: found {plural(len(reference), 'sentence')}, expected the {len(self.sources)} of "
            f"{self.name}{whole}"
        )

    def _check_texts(self) -> None:
        if not self.sources or not self.systems:
            raise InputError(f"{self.name}: found no {'systems' if self.sources else 'sentences'}")
        for system, text in self.systems.items():
            if len(text) != len(self.sources):
                raise InputError(
                    f"{self.name}: system {system!r} has {plural(len(text), 'sentence')}, expected the "
                    f"{len(self.sources)} of the source"
                )
        for name, members in self.references.items():
            for reference in members:
                if len(reference) != len(self.sources):
                    raise InputError(
                        f"{self.name}: references {name!r} have {plural(len(reference), 'sentence')}, expected the "
                        f"{len(self.sources)} of the source"
                    )

    def _check_systems(self, systems: Collection[str], what: str) -> None:
        unknown = [system for system in systems if system not in self.systems]
        if unknown:
            raise InputError(
                f"{self.name}: {what} mentions system {unknown[0]!r}{nearest(unknown[0], self.systems)}, of which "
                f"there is no text; systems: {', '.join(self.systems)}"
            )

    def _check_judgement(self, name: str, judgement: Judgement) -> None:
        if not 0 <= judgement.sentence < len(self.sources):
            raise InputError(
                f"{self.name}: a judgement of set {name!r} is about sentence {judgement.sentence + 1}, but there "
                f"are {len(self.sources)}"
            )
        if not judgement.marks.keys() <= self.systems.keys():
            self._check_systems(judgement.marks, f"a judgement of set {name!r}")


def _named(values: Mapping[str, T], name: str, what: str, dataset: str) -> T:
    if name not in values:
        known = ", ".join(values) or "none"
        raise UsageError(f"{dataset} has no {what} {name!r}{nearest(name, values)}; it has: {known}")
    return values[name]

"""UOT-ERRANT: how much edit mass can be transported from the hypothesis to the reference.

Goto, Sakai and Watanabe, "Grammatical Error Correction Evaluation by Optimally Transporting Edit Representation".
An edit is a vector (``edit_vectors``) whose length is its mass; the plan that transports the masses of one side to
those of the other at the lowest cost (``transport``) says how much of each edit is matched:

    tp = ΣT      fp = Σa − tp      fn = Σb − tp

The published metric is not bounded by 1, and a perfect hypothesis does not score 1: one edit of mass n that
is matched transports n^(4/3) at the default weights. ``normalise``, an option of our own, divides by what the
reference transports to itself, so that a perfect hypothesis scores 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import agree, plural
from jperrant.core.option import option, option_group
from jperrant.core.values import Block, Edit
from jperrant.encoders import Encoder
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import (
    Candidate,
    Candidates,
    Pair,
    Row,
    Scorer,
    SystemCandidates,
)
from jperrant.evaluation.metrics.fmeasure import beta_option
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence
from jperrant.evaluation.metrics.uot.edit_vectors import (
    VECTORS,
    EditTexts,
    EditVectors,
    encode_texts,
    texts_of_edits,
)
from jperrant.evaluation.metrics.uot.pot_solver import solve_with_pot
from jperrant.evaluation.metrics.uot.problem import COSTS, MASSES, problem_of, shares, shares_by_type
from jperrant.evaluation.metrics.uot.transport import (
    MAX_REG,
    MIN_REG,
    REG_TYPES,
    Problem,
    Solution,
    TransportOptions,
    solve_many,
)
from jperrant.evaluation.metrics.weighted_counts import COLUMNS, COUNTS, best_f, weighted_row, weighted_values

ENCODER = "google/electra-base-discriminator"
#: What the details of a candidate tell of a sentence that users should know, of one and of several.
_DETAILS = {
    "unseen": tuple(
        f"{verb} edits that the encoder cannot see; they weigh nothing" for verb in ("has", "have")
    ),
    "overlapping": tuple(
        f"{verb} overlapping edits, of which only the one that begins first is applied"
        for verb in ("has", "have")
    ),
    "residual": (
        "has a plan that is not exact to the tolerance, as reg is very small against reg_m",
        "have plans that are not exact to the tolerance, as reg is very small against reg_m",
    ),
}

#: The edits of a hypothesis annotator and those of a reference annotator.
AnnotationPair: TypeAlias = tuple[EditVectors, EditVectors]


@dataclass(frozen=True, slots=True)
class UotScorer(Scorer):
    """UOT-ERRANT with its options.

    Attributes:
        encoding: Which encoder, and how; the paper's by default.
        vector: How an edit becomes a vector: ``remove`` or ``add``.
        mass: What an edit weighs: the ``norm`` of its vector, or ``uniform``, 1 / number of edits.
        cost: Distance of two edits: ``euclidean``, or ``cosine``, which is 1 − cos.
        reg, reg_m, reg_type: Of the transport problem; see ``transport``.
        level: ``corpus`` adds masses up over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.
        normalise: Divide the transported mass by what the reference transports to itself, per its own mass.
        solver: ``exact``, or ``pot`` as in the paper's code.
        plans: Give masses, costs and plan of each sentence with its scores.

    Raises:
        UsageError: An option is out of its range.
    """

    encoding: EncoderOptions = option_group(EncoderOptions(ENCODER), without=("layer", "baseline"))
    vector: Literal["remove", "add"] = option("remove", "An edit's vector.", choices=VECTORS)
    mass: Literal["norm", "uniform"] = option("norm", "What an edit weighs.", choices=MASSES)
    cost: Literal["euclidean", "cosine"] = option("euclidean", "Distance of two edits.", choices=COSTS)
    reg: float = option(
        0.1, "Weight of the entropic term of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    reg_m: float = option(
        0.1, "Weight of the marginal terms of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    reg_type: Literal["kl", "entropy"] = option("kl", "Form of the entropic term.", choices=REG_TYPES)
    level: Literal["corpus", "sentence"] = option(
        "corpus", "Totals over the corpus, or means over sentences."
    )
    beta: float = beta_option()
    normalise: bool = option(False, "Our own: divide by what the reference transports to itself.")
    solver: Literal["exact", "pot"] = option("exact", "Exact, or POT as in the paper's code.")
    plans: bool = option(False, "Give each sentence with its plan, in JSON.")

    name: ClassVar[str] = "uot"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"
    per_reference: ClassVar[bool] = True

    @property
    def transport(self) -> TransportOptions:
        """The options of the transport problem."""
        return TransportOptions(self.reg, self.reg_m, self.reg_type)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        parts = [
            self.encoding.label,
            f"vec:{self.vector}",
            f"mass:{self.mass}",
            f"cost:{self.cost}",
            f"reg:{self.reg:g}",
            f"reg_m:{self.reg_m:g}",
            f"lvl:{self.level}",
            f"beta:{self.beta:g}",
        ]
        rare = {
            "reg_type": (self.reg_type, "kl"),
            "pooling": (self.encoding.pooling, "mean"),
            "dtype": (self.encoding.dtype, "float32"),
            "solver": (self.solver, "exact"),
        }
        parts += [f"{name}:{value}" for name, (value, usual) in rare.items() if value != usual]
        if self.normalise:
            parts.append("normalise:yes")
        return tuple(parts)

    @property
    def needs_corpus(self) -> bool:
        """Sentences are scored by themselves."""
        return False

    def load(self) -> Encoder:
        """Return the encoder; loaded once."""
        return self.encoding.load()

    def prepare(self, references: Sequence[Block], first: int = 1) -> EditTexts:
        """Return the texts of the references' edits."""
        return texts_of_edits(references, "references", self.vector, first)

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[EditTexts]) -> list[SystemCandidates]:
        """Return the transported masses of every hypothesis annotator against every reference annotator."""
        systems = [texts_of_edits(pair.hypothesis, pair.name, self.vector, pair.first) for pair in pairs]
        distinct = list({id(texts): texts for texts in prepared}.values())
        places = [
            next(n for n, prepared_texts in enumerate(distinct) if prepared_texts is texts)
            for texts in prepared
        ]
        notes: list[str] = []
        encoded = encode_texts([*distinct, *systems], self.load(), notes)
        met: list[list[list[AnnotationPair]]] = [
            [list(product(*sentence)) for sentence in zip(system, encoded[place], strict=True)]
            for place, system in zip(places, encoded[len(distinct) :], strict=True)
        ]
        scored = iter(self._scored([pair for system in met for sentence in system for pair in sentence]))
        return [
            SystemCandidates([tuple([next(scored) for _ in sentence]) for sentence in system], tuple(notes))
            for system in met
        ]

    def combine(self, candidates: Candidates, before: Row | None = None) -> list[Candidate]:
        """Return the candidate of the best F: of the totals so far, or, for sentence level, of its own."""
        if self.level == "corpus":
            return choose_greedily(candidates, best_f(self.beta), before)
        return choose_per_sentence(candidates, best_f(self.beta))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed masses, or the mean over sentences."""
        return weighted_values(totals, self.level, self.beta)

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Say what weighs nothing, what overlaps, and where the solver was not exact."""
        notes = []
        for key, (has, have) in _DETAILS.items():
            where = [
                number for number, candidate in enumerate(combined, start=1) if candidate.details.get(key)
            ]
            if where:
                notes.append(
                    f"{plural(len(where), 'sentence')} {agree(len(where), has, have)}, first sentence {where[0]} "
                    "(counted from 1)"
                )
        return notes

    def _scored(self, pairs: Sequence[AnnotationPair]) -> list[Candidate]:
        problems = [problem_of(hyp, ref, self.mass, self.cost) for hyp, ref in pairs]
        solutions = self._solve(problems)
        factors = self._factors([ref for _, ref in pairs]) if self.normalise else [1.0] * len(pairs)
        return [
            self._candidate(*pair, problem, solution, factor)
            for pair, problem, solution, factor in zip(pairs, problems, solutions, factors, strict=True)
        ]

    def _solve(self, problems: Sequence[Problem]) -> list[Solution]:
        if self.solver == "exact":
            return solve_many(problems, self.transport)
        return [Solution(plan, 0.0, 0, True) for plan in solve_with_pot(problems, self.transport)]

    def _factors(self, references: Sequence[EditVectors]) -> list[float]:
        """Return for each reference what makes its transport to itself equal to its mass; 1 without edits."""
        distinct = {id(ref): ref for ref in references}
        problems = [problem_of(ref, ref, self.mass, self.cost) for ref in distinct.values()]
        factors = {}
        for key, problem, solution in zip(distinct, problems, self._solve(problems), strict=True):
            itself = float(solution.plan.sum())
            factors[key] = float(problem.b.sum()) / itself if itself > 0 else 1.0
        return [factors[id(ref)] for ref in references]

    def _candidate(
        self, hyp: EditVectors, ref: EditVectors, problem: Problem, solution: Solution, factor: float
    ) -> Candidate:
        plan = solution.plan * factor
        by_type = {
            type_: weighted_row(*masses, beta=self.beta)
            for type_, masses in shares_by_type(hyp, ref, problem, plan).items()
        }
        unseen = int((hyp.norms == 0).sum() + (ref.norms == 0).sum())
        odd = {"unseen": unseen, "overlapping": hyp.overlapping or ref.overlapping}
        details: dict[str, object] = {name: value for name, value in odd.items() if value}
        if not solution.converged:
            details["residual"] = solution.residual
        if self.plans:
            details |= plan_details(hyp, ref, problem, plan)
        row = weighted_row(*shares(problem, plan), beta=self.beta)
        return Candidate(hyp.annotator, ref.annotator, row, by_type, details)


def plan_details(hyp: EditVectors, ref: EditVectors, problem: Problem, plan: FloatArray) -> dict[str, object]:
    """Return a plan and what it was made of, ready for JSON."""
    return {
        "hypothesis_edits": [_written(edit) for edit in hyp.edits],
        "reference_edits": [_written(edit) for edit in ref.edits],
        "hypothesis_mass": problem.a.tolist(),
        "reference_mass": problem.b.tolist(),
        "cost": problem.cost.tolist(),
        "plan": plan.tolist(),
    }


def _written(edit: Edit) -> list[int | str]:
    return [edit.start, edit.end, " ".join(edit.correction or ()), edit.type]

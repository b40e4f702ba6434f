"""UOT-ERRANT: how much of the reference's edits the hypothesis' edits can be brought to.

Goto, Sakai and Watanabe, "Grammatical Error Correction Evaluation by Optimally Transporting Edit Representation".
An edit is a vector (``edit_vectors``) whose length is its mass; the plan that brings the masses of one side to
those of the other at least cost (``transport``) says how much of each edit is found again:

    tp = ΣT      fp = Σa − tp      fn = Σb − tp

The published metric is not bounded by 1, and a perfect hypothesis does not score 1: one edit of mass n, found
again, transports n^(4/3) at the default weights. ``normalise``, an option of our own, divides by what the
reference transports to itself, so that a perfect hypothesis scores 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, TypeAlias

from jperrant.core.arrays import FloatArray
from jperrant.core.errors import UsageError, nearest
from jperrant.core.option import option
from jperrant.core.values import Edit
from jperrant.encoders import Encoder, encoder_label, load_encoder
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair
from jperrant.evaluation.metrics.fmeasure import check_beta
from jperrant.evaluation.metrics.reference_choice import choose_greedily, choose_per_sentence
from jperrant.evaluation.metrics.uot.edit_vectors import VECTORS, EditVectors, encode_edits
from jperrant.evaluation.metrics.uot.pot_solver import solve_with_pot
from jperrant.evaluation.metrics.uot.problem import COSTS, MASSES, problem_of, shares, shares_by_type
from jperrant.evaluation.metrics.uot.transport import REG_TYPES, Problem, Settings, Solution, solve_many
from jperrant.evaluation.metrics.weighted_counts import (
    COLUMNS,
    COUNTS,
    LEVELS,
    best_f,
    weighted_row,
    weighted_values,
)

SOLVERS = ("exact", "pot")
ENCODER = "google/electra-base-discriminator"
#: What the details of a candidate tell of a sentence that a person should know.
_ODDITIES = {
    "unseen": "have edits that the encoder cannot see; they weigh nothing",
    "overlapping": "have overlapping edits, of which only the one that begins first is applied",
    "residual": "have plans that are not exact to the tolerance, as reg is very small against reg_m",
}

#: The edits of a hypothesis annotator and those of a reference annotator.
AnnotationPair: TypeAlias = tuple[EditVectors, EditVectors]


@dataclass(frozen=True, slots=True)
class UotScorer:
    """UOT-ERRANT with its options.

    Attributes:
        encoder: ``minilm``, a folder, or a name on the Hugging Face hub; the paper's by default.
        vector: How an edit becomes a vector: ``remove`` or ``add``.
        mass: What an edit weighs: the ``norm`` of its vector, or ``uniform``, 1 / number of edits.
        cost: Distance of two edits: ``euclidean``, or ``cosine``, which is 1 − cos.
        reg, reg_m, reg_type: Of the transport problem; see ``transport``.
        level: ``corpus`` adds masses up over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.
        normalise: Divide the transported mass by what the reference transports to itself, per its own mass.
        solver: ``exact``, or ``pot`` as in the paper's code.
        plans: Give masses, costs and plan of each sentence with its scores.
        pooling, dtype, device, batch_size, cache: Of the encoder; see ``load_encoder``.

    Raises:
        UsageError: An option is out of its range.
    """

    encoder: str = option(ENCODER, "minilm, a folder, or a model of the Hugging Face hub.")
    vector: str = option(
        "remove", "An edit's vector: all edits against all but this one, or it alone added.", list(VECTORS)
    )
    mass: str = option(
        "norm", "What an edit weighs: the norm of its vector, or 1 / number of edits.", list(MASSES)
    )
    cost: str = option("euclidean", "Distance of two edits.", list(COSTS))
    reg: float = option(0.1, "Weight of the entropic term of the transport.")
    reg_m: float = option(0.1, "Weight of the marginal terms of the transport.")
    reg_type: str = option("kl", "Form of the entropic term.", list(REG_TYPES))
    level: str = option("corpus", "Totals over the corpus, or means over sentences.", list(LEVELS))
    beta: float = option(0.5, "Weight of recall in F; 0.5 favours precision.")
    normalise: bool = option(False, "Our own: divide by what the reference transports to itself.")
    solver: str = option("exact", "Exact, or POT as in the paper's code.", list(SOLVERS))
    plans: bool = option(False, "Give each sentence with its plan, in JSON.")
    pooling: str = option(
        "mean", "A sentence's vector: the mean over its tokens, or the first one's.", ["mean", "cls"]
    )
    dtype: str = option("float32", "Precision of the encoder.", ["float32", "bfloat16", "float16"])
    device: str = option("auto", "Where the encoder runs: auto, cpu, cuda, cuda:1 …")
    batch_size: int = option(32, "Sentences encoded together; changes speed and memory only.")
    cache: str = option("", "Folder in which sentence vectors are kept from run to run.")

    name: ClassVar[str] = "uot"
    columns: ClassVar[tuple[str, ...]] = COLUMNS
    counts: ClassVar[tuple[str, ...]] = COUNTS
    main: ClassVar[str] = "f"

    def __post_init__(self) -> None:
        for field, known in (
            ("vector", VECTORS),
            ("mass", MASSES),
            ("cost", COSTS),
            ("level", LEVELS),
            ("solver", SOLVERS),
        ):
            value = getattr(self, field)
            if value not in known:
                raise UsageError(
                    f"unknown {field} {value!r}{nearest(value, known)}; choose {' or '.join(known)}"
                )
        check_beta(self.beta)
        Settings(self.reg, self.reg_m, self.reg_type)  # checks them

    @property
    def transport(self) -> Settings:
        """The options of the transport problem."""
        return Settings(self.reg, self.reg_m, self.reg_type)

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only where they are not at their default."""
        parts = [
            f"enc:{encoder_label(self.encoder)}",
            f"vec:{self.vector}",
            f"mass:{self.mass}",
            f"cost:{self.cost}",
            f"reg:{self.reg:g}",
            f"reg_m:{self.reg_m:g}",
            f"lvl:{self.level}",
            f"beta:{self.beta:g}",
        ]
        rare = {"reg_type": "kl", "pooling": "mean", "dtype": "float32", "solver": "exact"}
        parts += [
            f"{name}:{getattr(self, name)}" for name, usual in rare.items() if getattr(self, name) != usual
        ]
        if self.normalise:
            parts.append("normalise:yes")
        return tuple(parts)

    def load(self) -> Encoder:
        """Return the encoder; loaded once."""
        return load_encoder(
            self.encoder,
            pooling=self.pooling,
            dtype=self.dtype,
            device=self.device,
            batch_size=self.batch_size,
            cache=self.cache,
        )

    def candidates(self, pairs: Sequence[Pair]) -> list[Candidates]:
        """Return the transported masses of every hypothesis annotator against every reference annotator."""
        references = {id(pair.references): pair.references for pair in pairs}  # shared ones are one object
        files = [*references.values(), *(pair.hypothesis for pair in pairs)]
        names = ["references"] * len(references) + [pair.name for pair in pairs]
        encoder = self.load()
        encoder.clear_notes()
        encoded = encode_edits(files, names, encoder, self.vector)
        gold = dict(zip(references, encoded[: len(references)], strict=True))
        found: list[list[list[AnnotationPair]]] = [
            [list(product(*sentence)) for sentence in zip(system, gold[id(pair.references)], strict=True)]
            for pair, system in zip(pairs, encoded[len(references) :], strict=True)
        ]
        scored = iter(
            self._scored([meeting for system in found for sentence in system for meeting in sentence])
        )
        return [[tuple([next(scored) for _ in sentence]) for sentence in system] for system in found]

    def choose(self, candidates: Candidates) -> list[int]:
        """Return the candidate of the best F: of the totals so far, or, for sentence level, of its own."""
        choose = choose_greedily if self.level == "corpus" else choose_per_sentence
        return choose(candidates, best_f(self.beta))

    def values(self, totals: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F-beta: of the summed masses, or the mean over sentences."""
        return weighted_values(totals, self.level, self.beta)

    def warnings(self, candidates: Candidates, chosen: Sequence[int]) -> list[str]:
        """Say what weighs nothing, what overlaps, and what the encoder or the solver met."""
        lines = list(self.load().notes)
        for key, what in _ODDITIES.items():
            where = [
                n for n, (c, at) in enumerate(zip(candidates, chosen, strict=True)) if c[at].details.get(key)
            ]
            if where:
                lines.append(f"{len(where)} sentences {what}, first sentence {where[0]} (counted from 0)")
        return lines

    def _scored(self, meetings: Sequence[AnnotationPair]) -> list[Candidate]:
        problems = [problem_of(hyp, ref, self.mass, self.cost) for hyp, ref in meetings]
        solutions = self._solve(problems)
        factors = self._factors([ref for _, ref in meetings]) if self.normalise else [1.0] * len(meetings)
        return [
            self._candidate(*meeting, problem, solution, factor)
            for meeting, problem, solution, factor in zip(meetings, problems, solutions, factors, strict=True)
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

r"""UOT-ERRANT: how much edit mass can be transported from the hypothesis to the reference.

Goto, Sakai and Watanabe, "Grammatical Error Correction Evaluation by Optimally Transporting Edit Representation".
An edit is represented by the difference of two encoded texts:

- ``remove`` (Eq. 1): the text with all edits, minus the text with all but this one;
- ``add``: the text with this edit alone, minus the source.

The length of this vector is the mass of the edit. The optimal plan T transports the masses a of the hypothesis to
the masses b of the reference, and

    tp = ΣT      fp = Σa − tp      fn = Σb − tp

Precision, recall and F of these masses can exceed 1, and a perfect hypothesis does not score 1: at the default
weights a matched edit of mass n transports n^(4/3). As in the published code, nothing is clipped.

Many small problems are solved together, exactly and in the log domain. The plan T ≥ 0 for masses a, b and costs C
minimises

    <T, C> + reg · KL(T | a bᵀ) + reg_m · KL(T1 | a) + reg_m · KL(Tᵀ1 | b),   KL(x|y) = Σ x log(x/y) − x + y

as in the code of UOT-ERRANT with POT ≥ 0.9.5 (the paper prints Σ T log T − T for the first KL). The problem is
strictly convex, so the plan is unique.

- Chizat, Peyré, Schmitzer and Vialard (2018), "Scaling Algorithms for Unbalanced Optimal Transport Problems":
  T = a bᵀ ∘ exp((f ⊕ g − C) / reg), where f = −reg_m log(T1 / a) and g = −reg_m log(Tᵀ1 / b), found by
  updating f and g in turn.
- Séjourné, Vialard and Peyré (2022), "Faster Unbalanced Optimal Transport": plain iterations converge with the rate
  (reg_m / (reg_m + reg))², which is slow for a large reg_m. The slow direction is (f + k, g − k), in which the best
  step has a closed form.

The row or column of a mass of 0 is 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import pairwise, product
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from jperrant.core.arrays import FloatArray
from jperrant.core.messages import plural
from jperrant.core.option import check_options, option, option_group, told
from jperrant.core.values import Annotation, Block, Edit
from jperrant.encoders.options import EncoderOptions
from jperrant.encoders.vectors import Encoder
from jperrant.evaluation.metrics.base import Candidate, Candidates, Pair, SystemCandidates, annotations_of
from jperrant.evaluation.metrics.corrected_texts import applied, changing, of_sentences
from jperrant.evaluation.metrics.fmeasure import Level, beta_option
from jperrant.evaluation.metrics.reference_choice import MassScorer, detail_notes

#: The range of both weights; outside it weights and costs differ by more than the precision of floats.
MIN_REG, MAX_REG = 1e-6, 1e6
#: The most cells of a batch, which bounds memory and keeps a batch in the processor's cache.
_CELLS = 1 << 16


@dataclass(frozen=True, slots=True)
class Problem:
    """A transport problem.

    Attributes:
        a: The masses of one side, shape ``(n,)``, 0 or more.
        b: The masses of the other side, shape ``(m,)``, 0 or more.
        cost: The costs of transport, shape ``(n, m)``, finite.
    """

    a: FloatArray
    b: FloatArray
    cost: FloatArray


@dataclass(frozen=True, slots=True)
class Solution:
    """The plan of one problem.

    Attributes:
        plan: The transported masses, shape ``(n, m)``.
        residual: The largest deviation of a cell from the optimality condition.
        converged: Whether the residual is within the tolerance.
    """

    plan: FloatArray
    residual: float
    converged: bool


@dataclass(frozen=True, slots=True)
class TransportOptions:
    """The options of the problem and of its solver.

    Attributes:
        reg: The weight of the entropic term.
        reg_m: The weight of the marginal terms.
        tolerance: The largest residual of C + reg log(T/ab) + reg_m log(T1/a) + reg_m log(T'1/b) = 0, in the unit
            of the costs.
        max_iterations: The most iterations.

    Raises:
        UsageError: An option is out of its range.
    """

    reg: float = option(
        0.1, "Weight of the entropic term of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    reg_m: float = option(
        0.1, "Weight of the marginal terms of the transport.", minimum=MIN_REG, maximum=MAX_REG
    )
    tolerance: float = option(1e-11, "Largest deviation from the optimality condition.", above=0)
    max_iterations: int = option(100_000, "The most iterations.", minimum=1)

    def __post_init__(self) -> None:
        check_options(self)


def solve_many(problems: Sequence[Problem], settings: TransportOptions | None = None) -> list[Solution]:
    """Return the solution of each problem; problems of similar size are solved together.

    Args:
        problems: The problems.
        settings: The options; those of the paper's code if None.
    """
    settings = settings or TransportOptions()
    solutions = [Solution(np.zeros(p.cost.shape), 0.0, True) for p in problems]
    sides = [(np.flatnonzero(p.a), np.flatnonzero(p.b)) for p in problems]
    grouped: dict[tuple[int, int], list[int]] = {}
    for number, (rows, columns) in enumerate(sides):
        if len(rows) and len(columns):
            grouped.setdefault((_padded(len(rows)), _padded(len(columns))), []).append(number)
    for (n, m), members in grouped.items():
        together = max(1, _CELLS // (n * m))
        for start in range(0, len(members), together):
            chosen = members[start : start + together]
            # Padded to one size with masses of 0. With the problems on the last axis, numpy is fastest.
            log_a, log_b = (np.full((size, len(chosen)), -np.inf) for size in (n, m))
            cost = np.zeros((n, m, len(chosen)))
            for place, number in enumerate(chosen):
                problem, (rows, columns) = problems[number], sides[number]
                log_a[: len(rows), place] = np.log(problem.a[rows])
                log_b[: len(columns), place] = np.log(problem.b[columns])
                cost[: len(rows), : len(columns), place] = problem.cost[np.ix_(rows, columns)]
            for number, solution in zip(chosen, _solve_batch(log_a, log_b, cost, settings), strict=True):
                plan, (rows, columns) = solutions[number].plan, sides[number]
                plan[np.ix_(rows, columns)] = solution.plan[: len(rows), : len(columns)]
                solutions[number] = replace(solution, plan=plan)
    return solutions


def _padded(size: int) -> int:
    """Return the size that problems are padded to: their own up to 4, above 4 at most a third more."""
    if size <= 4:
        return size
    step = 1 << (size - 1).bit_length() - 3
    return -(-size // step) * step


def _solve_batch(
    log_a: FloatArray, log_b: FloatArray, cost: FloatArray, settings: TransportOptions
) -> list[Solution]:
    """Return the solutions of a batch; plans have the padded size.

    Args:
        log_a, log_b: Logarithms of masses, shapes ``(n, problems)`` and ``(m, problems)``.
        cost: Shape ``(n, m, problems)``.
        settings: The options.
    """
    size = cost.shape[-1]
    plans = np.empty((size, *cost.shape[:2]))
    residuals = np.empty(size)
    left = np.arange(size)
    state = _Iteration.start(log_a, log_b, cost, settings)
    for done in range(1, settings.max_iterations + 1):
        residual, f = state.check()
        finished = residual <= settings.tolerance
        last = done == settings.max_iterations
        # Removing finished problems copies the others, so it waits until half are finished.
        if last or 2 * finished.sum() >= len(left):
            out = np.ones_like(finished) if last else finished
            plans[left[out]] = np.moveaxis(state.of(out).plan(), -1, 0)
            residuals[left[out]] = residual[out]
            if out.all():
                break
            left = left[~out]
            state, f = state.of(~out), f[:, ~out]
        state.step(f)
    both = zip(plans, residuals.tolist(), strict=True)
    return [Solution(plan, residual, residual <= settings.tolerance) for plan, residual in both]


@dataclass(slots=True)
class _Iteration:
    """The state of a batch: the potentials f and g, divided by ``reg``, where g is optimal for f.

    Attributes:
        settings: The options.
        log_a, log_b: The logarithms of masses, shapes ``(n, problems)`` and ``(m, problems)``.
        kernel: −C / reg, shape ``(n, m, problems)``.
        f, g: The potentials, shapes ``(n, problems)`` and ``(m, problems)``.
    """

    settings: TransportOptions
    log_a: FloatArray
    log_b: FloatArray
    kernel: FloatArray
    f: FloatArray
    g: FloatArray

    @classmethod
    def start(
        cls, log_a: FloatArray, log_b: FloatArray, cost: FloatArray, settings: TransportOptions
    ) -> _Iteration:
        """Return the state with f = 0."""
        state = cls(settings, log_a, log_b, -cost / settings.reg, np.zeros_like(log_a), log_b)
        state.g = state._best_g()
        return state

    @property
    def _share(self) -> float:
        return self.settings.reg_m / (self.settings.reg_m + self.settings.reg)

    def check(self) -> tuple[FloatArray, FloatArray]:
        """Return the residual of each problem, and the optimal f for the present g.

        As g is optimal for f, the residual is that of f alone: its distance from the optimal f, times
        (reg + reg_m) / reg.
        """
        f = -self._share * _log_sum((self.log_b + self.g)[None] + self.kernel, axis=1)
        apart = np.where(np.isfinite(self.log_a), np.abs(f - self.f), 0.0).max(axis=0)
        return apart * (self.settings.reg + self.settings.reg_m), f

    def step(self, f: FloatArray) -> None:
        """Take the optimal f, move it along (f + k, g − k) by the best k, and take the optimal g for it."""
        ratio = self.settings.reg / self.settings.reg_m
        over = _log_sum(self.log_a - ratio * f, axis=0)
        under = _log_sum(self.log_b - ratio * self.g, axis=0)
        self.f = f + (over - under) / (2 * ratio)
        self.g = self._best_g()

    def plan(self) -> FloatArray:
        """Return the plans, shape ``(n, m, problems)``."""
        plan: FloatArray = np.exp((self.log_a + self.f)[:, None] + (self.log_b + self.g)[None] + self.kernel)
        return plan

    def of(self, places: npt.NDArray[np.bool_]) -> _Iteration:
        """Return the state of some problems."""
        arrays = {field.name: getattr(self, field.name) for field in fields(self)[1:]}
        return replace(self, **{name: array[..., places] for name, array in arrays.items()})

    def _best_g(self) -> FloatArray:
        return -self._share * _log_sum((self.log_a + self.f)[:, None] + self.kernel, axis=0)


def _log_sum(logs: FloatArray, axis: int) -> FloatArray:
    """Return the logarithm of the sum of exponentials along an axis, which has at least one finite number."""
    largest = logs.max(axis=axis, keepdims=True)
    total: FloatArray = np.log(np.exp(logs - largest).sum(axis=axis)) + largest.squeeze(axis)
    return total


#: The annotations of each sentence, each with the two texts of every edit.
EditTexts: TypeAlias = list[list[tuple[Annotation, list[tuple[str, str]]]]]
#: The edits of a hypothesis annotator and those of a reference annotator.
AnnotationPair: TypeAlias = "tuple[EditVectors, EditVectors]"

#: The number of edits of one annotation above which a warning is given, as each edit adds a text to encode.
MANY = 100
VECTORS = {"remove": "all edits against all but this one", "add": "this edit alone against the source"}
MASSES = {"norm": "the length of its vector", "uniform": "1 / number of edits"}
COSTS = {"euclidean": "distance of the vectors", "cosine": "1 - cosine of their angle"}
ENCODER = "google/electra-base-discriminator"
#: The warnings behind the details of candidates.
_DETAILS = {
    "unseen": "edits that do not change the encoding; their mass is 0",
    "overlapping": "overlapping edits, of which only the one that begins first is applied",
    "residual": "a plan that is not exact to the tolerance, as reg is very small compared with reg_m",
}


@dataclass(frozen=True, slots=True)
class UotScorer(MassScorer):
    """UOT-ERRANT: how much edit mass can be transported from the hypothesis to the reference.

    Attributes:
        encoding: The encoder and its options; the paper's by default.
        vector: The vector of an edit: ``remove`` or ``add``.
        mass: The mass of an edit: the ``norm`` of its vector, or ``uniform`` for 1 / number of edits.
        cost: The distance of two edits: ``euclidean``, or ``cosine`` for 1 − cos.
        transport: The weights of the transport problem.
        level: ``corpus`` sums masses over sentences; ``sentence`` takes the mean of the sentences' scores.
        beta: Weight of recall in F.
        plans: Whether the details of a sentence have its masses, costs and plan.

    Raises:
        UsageError: An option is out of its range.
    """

    encoding: EncoderOptions = option_group(EncoderOptions(ENCODER), without=("layer", "baseline"))
    vector: Literal["remove", "add"] = option("remove", "An edit's vector.", choices=VECTORS)
    mass: Literal["norm", "uniform"] = option("norm", "Mass of an edit.", choices=MASSES)
    cost: Literal["euclidean", "cosine"] = option("euclidean", "Distance of two edits.", choices=COSTS)
    transport: TransportOptions = option_group(TransportOptions(), without=("tolerance", "max_iterations"))
    level: Level = option("corpus", "Totals over the corpus, or means over sentences.")
    beta: float = beta_option()
    plans: bool = option(False, "Add the plan of each sentence to JSON.")

    name: ClassVar[str] = "uot"
    per_reference: ClassVar[bool] = True

    @property
    def settings(self) -> tuple[str, ...]:
        """The options for the signature; rare ones only if they are not at their default."""
        return (
            self.encoding.label,
            f"vec:{self.vector}",
            f"mass:{self.mass}",
            f"cost:{self.cost}",
            f"reg:{self.transport.reg:g}",
            f"reg_m:{self.transport.reg_m:g}",
            f"lvl:{self.level}",
            f"beta:{self.beta:g}",
            *told(self.encoding, pooling="pooling:{}", dtype="dtype:{}"),
        )

    def load(self) -> Encoder:
        """Return the encoder, which is loaded once."""
        return self.encoding.load()

    def prepare(self, references: Sequence[Block], first: int = 1) -> EditTexts:
        """Return the texts of the references' edits."""
        return texts_of_edits(references, "references", self.vector, first)

    def candidates(self, pairs: Sequence[Pair], prepared: Sequence[EditTexts]) -> list[SystemCandidates]:
        """Return the transported masses of every hypothesis annotator against every reference annotator."""
        systems = [texts_of_edits(pair.hypothesis, pair.name, self.vector, pair.first) for pair in pairs]
        shared = {id(texts): texts for texts in prepared}
        notes: list[str] = []
        encoded = encode_texts([*shared.values(), *systems], self.load(), notes)
        references = dict(zip(shared, encoded, strict=False))
        met: list[list[list[AnnotationPair]]] = [
            [list(product(*sentence)) for sentence in zip(system, references[id(texts)], strict=True)]
            for texts, system in zip(prepared, encoded[len(shared) :], strict=True)
        ]
        scored = iter(self._scored([pair for system in met for sentence in system for pair in sentence]))
        return [
            SystemCandidates([tuple([next(scored) for _ in sentence]) for sentence in system], tuple(notes))
            for system in met
        ]

    def notes(self, candidates: Candidates, combined: Sequence[Candidate]) -> list[str]:  # noqa: ARG002
        """Return notes about edits without mass, overlapping edits, and inexact plans."""
        return [line for key, what in _DETAILS.items() for line in detail_notes(combined, key, what)]

    def _scored(self, pairs: Sequence[AnnotationPair]) -> list[Candidate]:
        problems = [problem_of(hyp, ref, self.mass, self.cost) for hyp, ref in pairs]
        solutions = solve_many(problems, self.transport)
        return [
            self._candidate(*pair, problem, solution)
            for pair, problem, solution in zip(pairs, problems, solutions, strict=True)
        ]

    def _candidate(
        self, hyp: EditVectors, ref: EditVectors, problem: Problem, solution: Solution
    ) -> Candidate:
        by_type = shares_by_type(hyp, ref, problem, solution.plan)
        unseen = int((hyp.norms == 0).sum() + (ref.norms == 0).sum())
        odd = {"unseen": unseen, "overlapping": hyp.overlapping or ref.overlapping}
        details: dict[str, object] = {name: value for name, value in odd.items() if value}
        if not solution.converged:
            details["residual"] = solution.residual
        if self.plans:
            details |= plan_details(hyp, ref, problem, solution.plan)
        row = self.row(*shares(problem, solution.plan))
        rows = {type_: self.row(*masses) for type_, masses in by_type.items()}
        return Candidate(hyp.annotator, ref.annotator, row, rows, details)


def plan_details(hyp: EditVectors, ref: EditVectors, problem: Problem, plan: FloatArray) -> dict[str, object]:
    """Return a plan with its edits, masses and costs, as JSON values."""
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


@dataclass(frozen=True, slots=True)
class EditVectors:
    """The edits of one annotator in one sentence, with their vectors.

    Attributes:
        annotator: The number of the annotator.
        edits: The edits in the order of the file, without detection edits.
        vectors: The vectors of the edits, shape ``(edits, dim)``; zeros for an edit that does not change the
            encoding.
        overlapping: Whether edits overlap; of two such edits only the first is applied.
    """

    annotator: int
    edits: tuple[Edit, ...]
    vectors: FloatArray
    overlapping: bool = False

    @property
    def norms(self) -> FloatArray:
        """The Euclidean length of each vector, shape ``(edits,)``."""
        norms: FloatArray = np.linalg.norm(self.vectors, axis=-1)
        return norms


def texts_of_edits(blocks: Sequence[Block], name: str, vector: str = "remove", first: int = 1) -> EditTexts:
    """Return the two texts of each edit, for each sentence and annotator; see :func:`edit_texts`.

    Args:
        blocks: The blocks.
        name: The name of the file in messages.
        vector: ``remove`` or ``add``.
        first: The number of the first sentence in the file, from 1.

    Raises:
        EditError: An edit reaches outside its sentence; names file and sentence.
    """
    return of_sentences(blocks, name, first, partial(_texts, vector=vector))


def encode_texts(
    files: Sequence[EditTexts], encoder: Encoder, notes: list[str] | None = None
) -> list[list[tuple[EditVectors, ...]]]:
    """Return the edit vectors of every annotator, by file and sentence; each distinct text is encoded once.

    Args:
        files: The texts of the edits of systems and references.
        encoder: The encoder.
        notes: A list that collects notes about the encoding.

    Raises:
        InputError: The encoder gives numbers that are not finite.
    """
    every = [annotation for file in files for sentence in file for annotation in sentence]
    texts = dict.fromkeys(text for _, pairs in every for pair in pairs for text in pair)
    rows = {text: number for number, text in enumerate(texts)}
    if notes is not None:
        notes += _many_edits([len(pairs) for _, pairs in every if len(pairs) > MANY])
    embedded = encoder.embed(list(rows), notes)
    return [
        [tuple([_vectors(*annotation, rows, embedded) for annotation in sentence]) for sentence in file]
        for file in files
    ]


def edit_texts(source: Sequence[str], edits: Sequence[Edit], vector: str = "remove") -> list[tuple[str, str]]:
    """Return the two texts of each edit, whose encodings are subtracted to get its vector.

    >>> from jperrant.core.values import Edit
    >>> edit_texts(("He", "go", "home"), [Edit(1, 2, ("goes",), "R:VERB:SVA"), Edit(3, 3, (".",), "M:PUNCT")])
    [('He goes home .', 'He go home .'), ('He goes home .', 'He goes home')]

    Args:
        source: The tokens of the sentence.
        edits: The edits of one annotator, without detection edits.
        vector: ``remove`` or ``add``.

    Raises:
        EditError: An edit reaches outside the sentence.
    """
    if vector == "add":
        plain = applied(source, ())
        return [(applied(source, [edit]), plain) for edit in edits]
    corrected = applied(source, edits)
    return [
        (corrected, applied(source, [*edits[:number], *edits[number + 1 :]])) for number in range(len(edits))
    ]


def _many_edits(sizes: Sequence[int]) -> list[str]:
    """Return a warning about annotations with many edits, as each edit adds a text as long as the sentence."""
    if not sizes:
        return []
    return [
        f"{plural(len(sizes), 'annotation')} with over {MANY} edits (up to {max(sizes)}), each of which is encoded "
        "as a text of its own"
    ]


def _texts(block: Block, vector: str) -> list[tuple[Annotation, list[tuple[str, str]]]]:
    return [(a, edit_texts(block.source, changing(a), vector)) for a in annotations_of(block)]


def _vectors(
    annotation: Annotation, pairs: Sequence[tuple[str, str]], rows: Mapping[str, int], embedded: FloatArray
) -> EditVectors:
    edits = changing(annotation)
    ones, others = [rows[first] for first, _ in pairs], [rows[second] for _, second in pairs]
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    overlapping = any(left.end > right.start for left, right in pairwise(ordered))
    return EditVectors(annotation.annotator, edits, embedded[ones] - embedded[others], overlapping)


def masses(edits: EditVectors, mass: str = "norm") -> FloatArray:
    """Return the mass of each edit, shape ``(edits,)``."""
    if mass == "norm":
        return edits.norms
    return np.full(len(edits.edits), 1 / max(1, len(edits.edits)))


def costs(vectors: FloatArray, other_vectors: FloatArray, cost: str = "euclidean") -> FloatArray:
    """Return the distances of vectors, shape ``(n, m)``, for shapes ``(n, dim)`` and ``(m, dim)``.

    The cosine of a zero vector with any other counts as 0.
    """
    if cost == "euclidean":
        # Not by |x|² − 2xy + |y|², which gives equal vectors a distance of 10⁻⁸.
        rows = [np.sqrt(np.square(other_vectors - vector).sum(axis=1)) for vector in vectors]
        return np.array(rows).reshape(len(vectors), len(other_vectors))
    lengths = np.linalg.norm(vectors, axis=1)[:, None] * np.linalg.norm(other_vectors, axis=1)
    cosine = np.divide(vectors @ other_vectors.T, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    distance: FloatArray = 1 - cosine
    return distance


def problem_of(
    hypothesis: EditVectors, reference: EditVectors, mass: str = "norm", cost: str = "euclidean"
) -> Problem:
    """Return the transport problem of the edits of a hypothesis and those of a reference."""
    return Problem(
        masses(hypothesis, mass), masses(reference, mass), costs(hypothesis.vectors, reference.vectors, cost)
    )


def shares(problem: Problem, plan: FloatArray) -> tuple[float, float, float]:
    """Return tp, fp and fn: the transported mass, and the rest of each side, which can be negative."""
    tp = float(plan.sum())
    return tp, float(problem.a.sum()) - tp, float(problem.b.sum()) - tp


def shares_by_type(
    hypothesis: EditVectors, reference: EditVectors, problem: Problem, plan: FloatArray
) -> Mapping[str, tuple[float, float, float]]:
    """Return tp, fp and fn by type: tp and fp by the type of the hypothesis edit, fn by that of the reference edit.

    As in the paper's code, an error with different types on both sides counts under both.
    """
    shares: dict[str, list[float]] = {}
    for edit, tp, mass in zip(hypothesis.edits, plan.sum(axis=1), problem.a, strict=True):
        row = shares.setdefault(edit.type, [0.0, 0.0, 0.0])
        row[0] += float(tp)
        row[1] += float(mass - tp)
    for edit, tp, mass in zip(reference.edits, plan.sum(axis=0), problem.b, strict=True):
        shares.setdefault(edit.type, [0.0, 0.0, 0.0])[2] += float(mass - tp)
    return {type_: (tp, fp, fn) for type_, (tp, fp, fn) in shares.items()}

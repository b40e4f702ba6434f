"""Steps of a study as tasks: for this process, others of this machine, or a cluster."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from jperrant.cluster.work import Crew
from jperrant.core.errors import InputError, WorkerError
from jperrant.evaluation.studies.compute import Workshop
from jperrant.evaluation.studies.content import versions
from jperrant.evaluation.studies.steps import Step


@dataclass
class StudyWork:
    """Computes portions of steps; the results go to the store, which all workers see.

    Attributes:
        shop: Computes the steps.
        inputs: The files of the study.
    """

    shop: Workshop
    inputs: Sequence[Path]

    def __call__(self, task: Sequence[Step]) -> Iterator[tuple[Step, float]]:
        """Compute steps of one group and yield each with the seconds it took.

        Raises:
            JperrantError: As ``Workshop.compute``.
        """
        begin = time.perf_counter()
        for step in self.shop.compute(task):
            end = time.perf_counter()
            yield step, end - begin
            begin = end

    def signature(self) -> dict[str, str]:
        """Return the versions of what computes."""
        return versions()

    def check(self) -> None:
        """Check that this process sees the files.

        Raises:
            InputError: It does not.
        """
        for path in (*self.inputs, self.shop.store.folder.parent):
            if not path.exists():
                raise InputError(
                    f"{path} is missing; all workers need the same files under the same paths (started in the "
                    "same folder, where paths are relative)"
                )

    def name_of(self, task: Sequence[Step]) -> str:
        """Return the name of the first of some steps."""
        return str(task[0])


def compute_by(
    crew: Crew, work: StudyWork, portions: Sequence[Sequence[Step]]
) -> Iterator[tuple[Step, float]]:
    """Yield steps as a crew computes them, each with the seconds it took.

    Raises:
        JperrantError: The first error; what is done is in the store.
    """
    with closing(crew.outcomes(work, portions)) as outcomes:
        for portion, outcome in outcomes:
            if isinstance(outcome, WorkerError):
                raise WorkerError(f"{work.name_of(portion)}: {outcome}")
            if isinstance(outcome, Exception):
                raise outcome
            yield outcome

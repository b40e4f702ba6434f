"""A short run of the fuzzing bench, always the same, and every case that ever failed; ``make fuzz`` runs longer."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from fuzz.areas import AREAS

CASES = sorted((Path(__file__).parent / "data" / "fuzz_cases").glob("*.json"))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("area", AREAS)
def test_a_short_run(tmp_path: Path, area: str) -> None:
    for number in range(AREAS[area].few):
        case = AREAS[area].make(Random(f"test-{number}"))
        AREAS[area].check(case, tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_that_failed_once(tmp_path: Path, path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    AREAS[kept["area"]].check(kept["case"], tmp_path)

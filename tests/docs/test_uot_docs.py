"""The commands and lines of docs/uot.md print what the page says."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.evaluation.metrics.uot.transport import Problem, TransportOptions, solve, solve_many

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "uot.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(block.removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]
NUMBER = re.compile(r"-?\d+\.\d{4}")


@pytest.mark.ci
@pytest.mark.models
@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "data" / "uot")
    found = CliRunner().invoke(app, shlex.split(command))
    assert found.exception is None
    shown = printed.replace("v:0.1.0", f"v:{version('jperrant')}")
    assert NUMBER.sub("#", found.stdout).split() == NUMBER.sub("#", shown).split()
    # Encoders differ in the sixth decimal from machine to machine.
    figures = [[float(n) for n in NUMBER.findall(text)] for text in (found.stdout, shown)]
    assert figures[0] == pytest.approx(figures[1], abs=2e-4)


@pytest.mark.ci
@pytest.mark.models
def test_python_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "tests" / "data" / "uot")
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL):
        known: dict[str, object] = {}
        for line in code.splitlines():
            work, _, printed = line.partition("  # ")
            if printed.startswith(("(", "[", "0", "None")):
                assert repr(eval(work, known)) == printed
            else:
                exec(work, known)


def test_solving_a_problem() -> None:
    plan = solve([0.5, 0.2], [0.4], [[0.1], [0.9]])
    assert f"# {plan.round(4).tolist()}\n" in PAGE
    problem = Problem(np.array([0.5]), np.array([0.4]), np.array([[0.1]]))
    [solution] = solve_many([problem], TransportOptions(reg=0.05, reg_m=0.5))
    assert solution.converged


def test_the_page_names_every_option() -> None:
    for option in ("encoder", "vector", "mass", "cost", "reg", "reg_m", "reg_type", "level", "pooling"):
        assert f"`{option}" in PAGE

"""Faults while outputs are written: no half file appears and no input is lost (``make faults``)."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.program import unmeasured

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and shells of POSIX"),
]

BLOCK = "S a b c\nA 1 2|||R:X|||d|||REQUIRED|||-NONE-|||0\nA 2 3|||U:X||||||REQUIRED|||-NONE-|||1\n\n"
COMMANDS = [
    ("m2 check --fix in.m2 -o out.m2", ["out.m2"]),
    ("m2 split in.m2 -o out", ["out/0.m2", "out/1.m2"]),
    ("align in.m2 in2.m2 -o out", ["out/in.m2", "out/in2.m2"]),
    ("m2 convert in.m2 out.txt.gz --to source", ["out.txt.gz"]),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("in.m2", "in2.m2"):
        (tmp_path / name).write_text(BLOCK * 5_000)
    return tmp_path


def start(command: str, folder: Path) -> subprocess.Popen[str]:
    program = f"exec {sys.executable} -m jperrant.cli {command}"
    return subprocess.Popen(
        ["bash", "-c", program], cwd=folder, env=unmeasured(), stderr=subprocess.PIPE, text=True
    )


def results(folder: Path, names: list[str]) -> dict[str, bytes]:
    """Return the results that have their names."""
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.parametrize(("command", "names"), COMMANDS)
def test_killed_at_random_moments(folder: Path, command: str, names: list[str]) -> None:
    began = time.monotonic()
    with start(command, folder) as program:
        assert program.wait() == 0
    seconds, whole = time.monotonic() - began, results(folder, names)
    assert [*whole] == names
    moments = random.Random(command)
    for _ in range(15):
        for name in whole:
            (folder / name).unlink()
        with start(command, folder) as program:
            time.sleep(moments.uniform(0.2, 1.1) * seconds)
            program.kill()
        for name, content in results(folder, names).items():
            assert content == whole[name], "a file is whole where it has its name"
        for name in whole:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch()
        assert {(folder / name).read_text() for name in ("in.m2", "in2.m2")} == {BLOCK * 5_000}


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-"])
@pytest.mark.parametrize(("command", "names"), COMMANDS)
def test_closed_descriptors(folder: Path, command: str, names: list[str], closed: str) -> None:
    with start(f"{command} {closed}", folder) as program:
        assert program.wait() == 0
    assert [*results(folder, names)] == names

"""Runs over shards that are ended in the middle: what has its name is whole, and resuming gives the same bytes."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.program import unmeasured
from tests.shard_cases import PLAIN, annotate, contents, manifest, write_shards

pytestmark = [
    pytest.mark.slow,
    pytest.mark.ci,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and shells of POSIX"),
]
TSV = ("--format", "tsv", *PLAIN)


def start(folder: Path, *options: object, before: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "jperrant.cli", "annotate", "in", "-o", "out/", *TSV, *map(str, options)]
    program = ["bash", "-c", f'{before} exec "$@"', "bash", *command]
    return subprocess.Popen(
        program, cwd=folder, env=unmeasured(), stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def wait_for_shards(folder: Path, count: int, program: subprocess.Popen[str]) -> None:
    path = folder / "out/manifest.json"
    while program.poll() is None and not (path.exists() and len(manifest(path.parent)["shards"]) >= count):
        time.sleep(0.01)


def end_and_resume(folder: Path, jobs: int, number: int, shards: int, delay: float = 0.0) -> None:
    """End a run once some shards are done, and check that another goes on where it ended."""
    with start(folder, "--jobs", jobs) as program:
        wait_for_shards(folder, shards, program)
        time.sleep(delay)
        program.send_signal(number)
        program.wait()
    whole = contents(folder / "whole")
    for name, content in contents(folder / "out").items():
        if name.endswith((".m2", ".gz")) and not name.startswith("."):
            assert content == whole[name], "a file is whole where it has its name"
        assert number == signal.SIGKILL or not name.endswith(".part")
    done = annotate(folder / "in", "-o", f"{folder}/out/", "--resume", *TSV)
    assert done.exit_code == 0, done.exception
    assert contents(folder / "out") == whole


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_shards(tmp_path / "in", 12, size=300)
    assert annotate(tmp_path / "in", "-o", f"{tmp_path}/whole/", *TSV).exit_code == 0
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_ended_and_resumed(folder: Path, number: int) -> None:
    end_and_resume(folder, 2, number, shards=3)


@pytest.mark.faults
@pytest.mark.parametrize("jobs", [1, 3])
def test_ended_at_random_moments(folder: Path, jobs: int) -> None:
    moments = random.Random(jobs)
    for _ in range(8):
        number = moments.choice([signal.SIGKILL, signal.SIGINT])
        end_and_resume(folder, jobs, number, moments.randrange(8), moments.random())
        for path in (folder / "out").iterdir():
            path.unlink()


def test_a_full_disk(tmp_path: Path) -> None:
    """Files may have 16 KiB, where a disk of that size cannot be mounted by everybody."""
    write_shards(tmp_path / "in", 2, size=5)
    write_shards(tmp_path / "big", 2, size=2_000)
    (tmp_path / "big/part-001.tsv").replace(tmp_path / "in/part-001.tsv")
    with start(tmp_path, before="ulimit -f 16;") as program:
        assert program.wait() == 2
        assert program.stderr is not None
        [line] = program.stderr.read().splitlines()
    assert "part-001.m2: cannot be written" in line
    assert set(contents(tmp_path / "out")) == {"part-000.m2", "manifest.json"}

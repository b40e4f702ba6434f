"""Shards and studies on workers of Dask: the bytes of one process, whoever dies, and clear refusals."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from jperrant.cluster.workers import crew_of
from jperrant.core.errors import InputError, UsageError, WorkerError
from tests.dask_cases import local_cluster
from tests.shard_cases import PLAIN, annotate, append, contents, deadly_pack, manifest, write_shards

pytestmark = [
    pytest.mark.slow,
    pytest.mark.ci,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
    # Importing it takes long, also where no test of this module runs.
    pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed"),
]
TSV = ("--format", "tsv", *PLAIN)


#: Work for tests, in a module that workers can import; what each process says of itself may differ.
SQUARES = """
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from jperrant.core.errors import InputError


@dataclass
class Squares:
    signed_by_process: bool = False
    dies: str = ""
    at: int = 0

    def __call__(self, task):
        if task < 0:
            raise InputError(f"{task} is negative")
        yield task * task

    def signature(self):
        if self.dies and os.getpid() != self.at:
            count = Path(self.dies)
            left = int(count.read_text()) - 1
            count.write_text(str(left))
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return {"jperrant": "0", "models": str(os.getpid() if self.signed_by_process else 0)}

"""


def test_two_workers_of_another_folder_and_both_kinds_of_death(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadly_pack(tmp_path)
    paths = [Path(path).relative_to(tmp_path) for path in write_shards(tmp_path / "in", 6, size=2)]
    options = ("--format", "tsv", "--models", "none", "--pack", "deadly")
    append(tmp_path / paths[1], "x ONCE y\tx z")
    append(tmp_path / paths[3], "x DIE y\tx z")
    with local_cluster(2) as address:
        monkeypatch.chdir(tmp_path)
        done = annotate(*paths, "-o", "out/", "--cluster", address, "-q", *options)
    assert done.exit_code == 2, done.exception
    assert Path("died").exists()
    [failure, _] = done.stderr.splitlines()
    assert failure.startswith(f"jperrant: {paths[3]}: its worker process ended unexpectedly each time")
    alone = annotate(*paths[:3], *paths[4:], "-o", "alone/", *options)
    assert alone.exit_code == 0
    assert contents(Path("out")) == contents(Path("alone")), "and nothing unfinished is left"


@pytest.fixture
def squares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class of the work, from a module of its own."""
    name = f"squares_of_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(SQUARES)
    monkeypatch.syspath_prepend(tmp_path)
    return import_module(name).Squares


def test_results_errors_refusals_and_a_death_before_the_first_task(
    squares: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (count := tmp_path / "count").write_text("1")
    with local_cluster(2) as address, crew_of(address, 1) as crew:
        outcomes = dict(crew.outcomes(squares(dies=str(count), at=os.getpid()), [3, -1, 2]))
        assert (outcomes[3], outcomes[2], str(outcomes[-1])) == (9, 4, "-1 is negative")
        assert int(count.read_text()) < 0
        differs = r"a worker cannot take part: models \d+ there, \d+ here; all workers need the same"
        with pytest.raises(WorkerError, match=differs):
            list(crew.outcomes(squares(signed_by_process=True), [1]))
        monkeypatch.setattr(os, "getcwd", lambda: "/shared")
        with pytest.raises(WorkerError, match=r"part: FileNotFoundError: .*/shared.* under the same paths"):
            list(crew.outcomes(squares(), [1]))


def test_workers_without_the_code(squares: Any, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path)
    with local_cluster() as address:
        for workers in (crew_of(None, 2), crew_of(address, 1)):
            needed = r"take part: .* all workers need the same jperrant"
            with workers as crew, pytest.raises(WorkerError, match=needed):
                list(crew.outcomes(squares(), [1, 2]))


def test_a_scheduler_that_is_not_there() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    begin = time.monotonic()
    with pytest.raises(InputError, match="no scheduler answers"), crew_of(address, 1, 1.0):
        pass
    assert time.monotonic() - begin < 10
    for wrong, jobs in (("nothing", 1), (address, 4), ("local", 1), (None, 0)):
        with pytest.raises(UsageError), crew_of(wrong, jobs):
            pass


def test_resumed_after_the_scheduler_was_killed(tmp_path: Path) -> None:
    write_shards(tmp_path / "in", 8, size=400)
    command = [sys.executable, "-m", "jperrant.cli", "annotate", "in", "-o", "out/", "-q", *TSV, "--cluster"]
    helper = [sys.executable, str(Path(__file__).parents[1] / "dask_cases.py")]
    pipe, path = subprocess.PIPE, tmp_path / "out/manifest.json"
    with subprocess.Popen(helper, stdin=pipe, stdout=pipe, text=True) as cluster:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        with subprocess.Popen([*command, address], cwd=tmp_path, stderr=pipe, text=True) as program:
            while program.poll() is None and not (path.exists() and manifest(path.parent)["shards"]):
                time.sleep(0.02)
            cluster.send_signal(signal.SIGKILL)
            _, said = program.communicate(timeout=60)
    assert program.returncode == 2
    assert said.splitlines() == [
        f"jperrant: --cluster {address}: lost the connection to the scheduler; finished work is kept"
    ]
    done = annotate(tmp_path / "in", "-o", f"{tmp_path}/out/", "--resume", *TSV)
    assert done.exit_code == 0, done.exception
    assert annotate(tmp_path / "in", "-o", f"{tmp_path}/whole/", *TSV).exit_code == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")

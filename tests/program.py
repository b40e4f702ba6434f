"""The program in a process of its own without the time that a start takes: forked from one that has imported it.

Each call has its own process, streams, folder and exit code, as if it had been started; only the import is shared.
Where there is no ``fork`` every call is a start. Tests of the start itself, of signals and of closed streams start
the program.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

PROGRAM = [sys.executable, "-m", "jperrant.cli"]
_FORKS = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
_FORKS.set_forkserver_preload(
    ["jperrant.cli.main", "jperrant.annotation.annotated_files"]
)  # what most calls import


def unmeasured() -> dict[str, str]:
    """Return an environment for programs that a test kills: those would leave half a file of coverage."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS")}


def run_program(
    arguments: Sequence[object], data: bytes = b"", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program in a process of its own.

    Args:
        arguments: The command and its options.
        data: What it reads on standard input.
        folder: Where it runs; here if None.
    """
    words = [*map(str, arguments)]
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_bytes(data)
        call = (words, folder or Path.cwd(), streams, dict(os.environ))
        # By its path: what is called ``tests`` there may be another package.
        started = (__file__, {"call": call}, "program")
        process = _FORKS.Process(target=runpy.run_path, args=started)  # type: ignore[attr-defined]
        process.start()
        process.join()
        out, err = (stream.read_bytes().decode() for stream in streams[1:])
        return subprocess.CompletedProcess(words, process.exitcode, out, err)


def _program(words: list[str], folder: Path, streams: list[Path], environment: dict[str, str]) -> None:
    """Run the program in this process, which ends with it, over files for its standard streams."""
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_WRONLY | os.O_CREAT if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb"), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb"), "utf-8", "backslashreplace", line_buffering=True)
    os.chdir(folder)
    sys.argv = ["jperrant", *words]
    from jperrant.cli.main import run

    run()


if __name__ == "program":
    _program(*call)  # type: ignore[name-defined]  # noqa: F821

"""The program in a process of its own without the time that a start takes: forked from one that has imported it.

Each call has its own process, streams, folder and exit code, as if it had been started; only the import is shared.
Where there is no ``fork`` every call is a start. Tests of the start itself, of signals and of closed streams start
the program.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

PROGRAM = [sys.executable, "-m", "jperrant.cli"]
#: Runs forked programs one after the other: reads pickled calls, writes pickled exit codes.
_SERVER = """
import io, os, pickle, sys, traceback
from jperrant.cli import main
from jperrant.annotation import annotated_files, annotator  # what most calls import

def program(arguments, folder, streams, environment):
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_WRONLY if number else os.O_RDONLY)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb"), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb"), "utf-8", "backslashreplace", line_buffering=True)
    os.chdir(folder)
    sys.argv = ["jperrant", *arguments]
    try:
        main.run()
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1

calls, codes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
while True:
    try:
        call = pickle.load(calls)
    except EOFError:
        break
    child = os.fork()
    if not child:
        calls.close()
        codes.close()
        code = program(*call)
        sys.stdout.flush()
        os._exit(code)
    pickle.dump(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), codes)
    codes.flush()
"""


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
    if not hasattr(os, "fork"):
        done = subprocess.run([*PROGRAM, *words], input=data, capture_output=True, cwd=folder, check=False)
        return subprocess.CompletedProcess(words, done.returncode, done.stdout.decode(), done.stderr.decode())
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("stdin", "stdout", "stderr")]
        for stream in streams:
            stream.write_bytes(data if stream is streams[0] else b"")
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        call = (words, str(folder or Path.cwd()), [*map(str, streams)], dict(os.environ))
        pickle.dump(call, server.stdin)
        server.stdin.flush()
        code = pickle.load(server.stdout)
        return subprocess.CompletedProcess(
            words, code, *(stream.read_bytes().decode() for stream in streams[1:])
        )


@cache
def _server() -> subprocess.Popen[bytes]:
    server = subprocess.Popen([sys.executable, "-c", _SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    atexit.register(_end, server)
    return server


def _end(server: subprocess.Popen[bytes]) -> None:
    for stream in (server.stdin, server.stdout):
        if stream is not None:
            stream.close()
    server.wait()

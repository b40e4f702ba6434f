"""Processes and signals: workers end with their parent, every signal ends the program soon and with its code.

The tests marked ``faults`` strike at random moments, many times (``make faults``); the others once each.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import pytest

from jperrant.annotation.annotator import annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.core.errors import FormatError, WorkerError
from jperrant.core.values import Block
from tests.program import unmeasured
from tests.shard_cases import deadly_pack

pytestmark = pytest.mark.slow

if not Path("/proc/self/stat").exists():
    pytest.skip("looks at processes in /proc", allow_module_level=True)

SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
PLAIN = AnnotatorOptions(lang="generic", models="none")


def parent(process: str) -> int | None:
    """Return the parent of a process, or None if it does not run."""
    try:
        state, number, *_ = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return int(number) if state != "Z" else None


def children(pid: int) -> list[int]:
    """Return the processes that a process has started and that run, those of theirs included."""
    processes = [entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    started = [int(process) for process in processes if parent(process) == pid]
    return [found for child in started for found in (child, *children(child))]


@pytest.fixture
def workers() -> Callable[[], list[int]]:
    """Give a function that returns the processes that this one has started since; other tests keep some."""
    before = set(children(os.getpid()))
    return lambda: [pid for pid in children(os.getpid()) if pid not in before]


def runs(pid: int) -> bool:
    return parent(str(pid)) is not None


def wait_until(condition, seconds: float = 30.0) -> bool:
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return bool(condition())


def heed_hangups() -> None:
    """Undo what ``nohup`` has a process inherit: a program leaves a signal ignored that it finds ignored."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def annotating(folder: Path, jobs: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run ``annotate`` on an endless input; its output is still unfinished."""
    command = [sys.executable, "-m", "jperrant.cli", "annotate", "-", "--format", "tsv", "-o", "out.m2"]
    command += ["--jobs", str(jobs), "--batch-size", "256", "--models", "none", "--lang", "generic"]
    with (
        subprocess.Popen(["yes", "a b c d e f g h\ta x c d f g e y"], stdout=subprocess.PIPE) as rows,
        subprocess.Popen(
            command, stdin=rows.stdout, stderr=subprocess.PIPE, cwd=folder, env=unmeasured(),
            preexec_fn=heed_hangups, start_new_session=True,
        ) as program,
    ):  # fmt: skip
        try:
            yield program
        finally:
            program.kill()
            rows.kill()


def is_working(folder: Path, pid: int, jobs: int) -> bool:
    """Whether output has begun and all workers run."""
    return bool(list(folder.iterdir())) and (jobs == 1 or len(children(pid)) == jobs)


def strike(folder: Path, jobs: int, number: int, code: int, to_group: bool, delay: float = 0.0) -> None:
    """Send a signal and check that everything ends as it should."""
    with annotating(folder, jobs) as program:
        assert wait_until(lambda: is_working(folder, program.pid, jobs))
        time.sleep(delay)
        workers = children(program.pid)
        start = time.monotonic()
        (os.killpg if to_group else os.kill)(program.pid, number)
        assert program.wait(timeout=30) == code
        assert time.monotonic() - start < 2
        assert wait_until(lambda: not any(map(runs, workers)), 2)
        assert program.stderr.read() == b""  # at its end only when nobody holds it open
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("number", "code", "jobs"),
    [(signal.SIGINT, 130, 1), *(pytest.param(*one, 2, marks=pytest.mark.ci) for one in SIGNALS)],
)
def test_a_signal_ends_the_program_and_its_workers(tmp_path, number, code, jobs):
    """A terminal sends SIGINT to every process of the group."""
    strike(tmp_path, jobs, number, code, to_group=number == signal.SIGINT)


@pytest.mark.faults
@pytest.mark.parametrize("jobs", [1, 2, 4])
@pytest.mark.parametrize(("number", "code"), SIGNALS)
@pytest.mark.parametrize("to_group", [False, True])
def test_signals_at_random_moments(tmp_path, jobs, number, code, to_group):
    moments = random.Random(f"{jobs} {number} {to_group}")
    for _ in range(10):
        strike(tmp_path, jobs, number, code, to_group, moments.uniform(0, 0.5))


@pytest.mark.parametrize(
    "moment", [pytest.param(n / 40, marks=pytest.mark.faults if n else pytest.mark.ci) for n in range(20)]
)
def test_workers_end_when_their_parent_is_killed(tmp_path, moment):
    with annotating(tmp_path, 2) as program:
        assert wait_until(lambda: is_working(tmp_path, program.pid, 2))
        time.sleep(moment)
        workers = children(program.pid)
        program.kill()
        assert len(workers) >= 2
        assert wait_until(lambda: not any(map(runs, workers)), 2)


IN_ONE_LONG_CALL = """
import hashlib
from jperrant.cli.process import exit_on_signals
from jperrant.io.files import open_output

exit_on_signals()
with open_output("out.m2"):
    print("begun", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # minutes; lets other threads run and no signal in
"""


@pytest.mark.ci
def test_a_signal_in_a_long_call_of_a_library_leaves_no_file(tmp_path):
    program = subprocess.Popen([sys.executable, "-c", IN_ONE_LONG_CALL], stdout=subprocess.PIPE, cwd=tmp_path)
    with program:
        assert program.stdout.readline() == b"begun\n"
        assert len(list(tmp_path.iterdir())) == 1
        time.sleep(0.2)
        program.terminate()
        assert program.wait(timeout=10) == 143
    assert list(tmp_path.iterdir()) == []


STARTED_IN_A_THREAD = """
import itertools, threading
from jperrant.annotation.annotator import annotator_of
from jperrant.annotation.annotator_options import AnnotatorOptions

blocks = annotator_of(AnnotatorOptions("generic", "none")).annotate_many(
    itertools.repeat(("a b", "a c")), jobs=2, batch=8
)
starter = threading.Thread(target=next, args=(blocks,))  # starts the workers, and ends
starter.start()
starter.join()
for _ in range(500):
    next(blocks)
print("annotated", flush=True)
input()
"""


@pytest.mark.ci
def test_workers_outlive_the_thread_that_started_them_and_not_the_process():
    """The iterator is never closed: the interpreter ends with workers at hand."""
    with subprocess.Popen(
        [sys.executable, "-c", STARTED_IN_A_THREAD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=unmeasured(),
    ) as program:
        assert program.stdout.readline() == b"annotated\n"
        workers = children(program.pid)
        assert len(workers) >= 2
        program.communicate(b"\n", timeout=10)
    assert program.returncode == 0
    assert wait_until(lambda: not any(map(runs, workers)), 2)


def numbered(count: int) -> Iterator[tuple[str, str]]:
    return ((f"a {n} c", f"a b{n} c") for n in range(count))


def numbers_until(error: type[Exception], problem: str, stream: Iterator[Block]) -> list[str]:
    """Return the numbers of the records whose blocks come before an error."""
    numbers = []
    with pytest.raises(error, match=problem):
        numbers.extend(block.source[1] for block in stream)
    return numbers


def test_what_a_dead_worker_held_is_annotated_by_another(workers):
    stream = annotator_of(PLAIN).annotate_many(numbered(4_000), jobs=2, batch=8)
    numbers = [next(stream).source[1]]
    os.kill(workers()[0], signal.SIGKILL)
    numbers.extend(block.source[1] for block in stream)
    assert numbers == [str(n) for n in range(4_000)]
    assert workers() == []


def test_a_batch_that_kills_its_worker_each_time_is_one_error_and_the_others_end(tmp_path, workers):
    options = AnnotatorOptions(pack=str(deadly_pack(tmp_path)), models="none")
    records = chain(numbered(80), [("a DIE b", "a DIE c")], numbered(50_000))
    stream = annotator_of(options).annotate_many(records, jobs=2, batch=8)
    problem = r"ended unexpectedly each time .* batch="
    assert numbers_until(WorkerError, problem, stream) == [str(n) for n in range(80)]
    assert workers() == []


def test_blocks_come_in_order_and_an_error_of_reading_after_those_before_it():
    def broken() -> Iterator[tuple[str, str]]:
        yield from numbered(100)
        raise FormatError("x.tsv", 101, "wrong")

    stream = annotator_of(PLAIN).annotate_many(broken(), jobs=3, batch=10)
    assert numbers_until(FormatError, r"x\.tsv:101", stream) == [str(n) for n in range(100)]


def test_closing_the_stream_ends_the_workers(workers):
    stream = annotator_of(PLAIN).annotate_many(numbered(50_000), jobs=2, batch=8)
    next(stream)
    started = workers()
    stream.close()
    assert started
    assert not any(map(runs, started))

"""The program, run as a user runs it: exit codes, one line on stderr, no half-written files."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import jperrant
from tests.platforms import SIGNALS, STDOUT_DEVICE
from tests.program import PROGRAM, run_program

pytestmark = pytest.mark.slow

NO_MODELS = ["--models", "none", "--lang", "generic"]


def run(
    *arguments: object, stdin: str | bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return run_program(arguments, stdin.encode() if isinstance(stdin, str) else stdin, cwd)


def check_error(done: subprocess.CompletedProcess[str], code: int, *parts: str) -> None:
    assert done.returncode == code, done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("jperrant: ")
    for part in parts:
        assert part in done.stderr


@pytest.fixture
def files(tmp_path):
    (tmp_path / "source.txt").write_text("a b\nc d\n\n")
    (tmp_path / "target.txt").write_text("a x\nc d\ny\n")
    return tmp_path


EXPECTED = (
    "S a b\nA 1 2|||R:OTHER|||x|||REQUIRED|||-NONE-|||0\n\n"
    "S c d\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n"
    "S\nA 0 0|||M:OTHER|||y|||REQUIRED|||-NONE-|||0\n\n"
)


def test_the_program_starts(files):
    command = [*PROGRAM, "annotate", "source.txt", "target.txt", *NO_MODELS]
    done = subprocess.run(command, cwd=files, capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, EXPECTED, b"")
    for module in ("jperrant", "jperrant.cli"):
        shown = subprocess.run([sys.executable, "-m", module, "--version"], capture_output=True, text=True)
        assert shown.stdout == f"jperrant {jperrant.__version__}\n"


def test_a_warning_made_an_error_is_one_line(files):
    (files / "odd.m2").write_text("S a b\nA 0 9|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n")
    command = [sys.executable, "-W", "error", *PROGRAM[1:], "find", "odd.m2", "--type", "R:*"]
    done = subprocess.run(command, cwd=files, capture_output=True, text=True)
    check_error(done, 2, "span outside the sentence")


def test_two_processes_write_a_file_of_standard_input(files):
    options = ("-o", "out.m2", "--jobs", "2", "--batch-size", "1", *NO_MODELS)
    done = run("annotate", "-", "target.txt", *options, cwd=files, stdin="a b\nc d\n\n")
    assert (done.returncode, done.stdout) == (0, "")
    # On a busy machine the workers take seconds to start, and progress is shown.
    assert all(line.startswith("annotating: ") for line in done.stderr.splitlines())
    assert (files / "out.m2").read_text() == EXPECTED
    assert sorted(p.name for p in files.iterdir()) == ["out.m2", "source.txt", "target.txt"]


@pytest.mark.parametrize(
    ("words", "content", "parts"),
    [
        ("source.txt bad", b"a\n", ["found 2 lines in source.txt and 1 in bad", "answer (line 2)"]),
        ("source.txt bad", b"a\nb\xff\nc\n", ["bad:2: byte 0xff at offset 3 is not UTF-8"]),
        ("source.txt bad", b"a\nb |||\nc\n", ["bad:2: token '|||'"]),
        ("source.txt bad", b"a\rb\rc\r", ["bad:1: found lines that end with carriage returns alone"]),
        ("source.txt target.txt --pack nowhere", b"", ["found no pack.yaml"]),
        ("source.txt target.txt --labels x", b"", ["no label set 'x'"]),
        ("source.txt target.txt --jobs 0", b"", ["jobs, expected 1 to 1024"]),
        ("source.txt target.txt --format conllu", b"", ["found 1 column, expected 10"]),
        ("source.txt .", b"", ["cannot be read"]),
        ("source.txt nowhere.txt --models no-such-folder/", b"", ["nowhere.txt: cannot be read"]),  # before models
        ("source.txt target.txt -o no/where.m2", b"", ["cannot be written"]),
        ("source.txt", b"", ["no file of corrections"]),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_leaves_the_old_file(files, words, content, parts):
    (files / "bad").write_bytes(content)
    (files / "out.m2").write_text("old")
    before = sorted(p.name for p in files.iterdir())
    check_error(run("annotate", "-o", "out.m2", *NO_MODELS, *words.split(), cwd=files), 2, *parts)
    assert (files / "out.m2").read_text() == "old"
    assert sorted(p.name for p in files.iterdir()) == before


@pytest.mark.ci
@pytest.mark.models
def test_missing_and_corrupt_models_exit_with_3(files, monkeypatch):
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(files))
    done = run("annotate", "source.txt", "target.txt", "-q", "--models", "default", "-o", "out.m2", cwd=files)
    check_error(done, 3, f"no Stanza models in {files}", "jperrant models get en")
    (files / "resources.json").write_text("{")
    done = run("annotate", "source.txt", "target.txt", "--models", str(files), "-o", "out.m2", cwd=files)
    check_error(done, 3, "resources.json cannot be read")
    assert not (files / "out.m2").exists()
    done = run("models", "list", "en", cwd=files)
    check_error(done, 3, "resources.json cannot be read", "get its models again")


def feed(stream, lines: int) -> None:
    stream.write(b"a b\tc d\n" * lines)
    stream.flush()


@SIGNALS
@pytest.mark.parametrize("out", ["-", pytest.param("/dev/stdout", marks=[STDOUT_DEVICE, pytest.mark.ci])])
def test_a_closed_pipe_is_quiet(out):
    options = ["annotate", "-", "--format", "tsv", "-o", out, *NO_MODELS]
    program = subprocess.Popen(
        [*PROGRAM, *options], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    feed(program.stdin, 2000)
    assert program.stdout.readline() == b"S a b\n"
    program.stdout.close()
    with suppress(BrokenPipeError):
        for _ in range(200):
            feed(program.stdin, 2000)
    program.stdin.close()
    assert program.stderr.read() == b""
    assert program.wait(timeout=60) != 0
    program.stderr.close()


@pytest.mark.parametrize(
    "command",
    ["annotate --lang en -", "align -o out -", "compare -", "score - --ref", "explain - --ref", "m2 check -"],
)
def test_standard_input_given_twice(command: str) -> None:
    """The second of the two would read nothing."""
    m2 = "S a b\nA 0 1|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
    check_error(run(*command.split(), "-", stdin=m2), 2, "standard input (-) was given twice")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score a --ref b --smaples 2",
         "No such option: --smaples (did you mean '--samples'?); see jperrant score --help"),
        ("score a --ref b --bet 1",
         "No such option: --bet; see jperrant score --help; 'jperrant metrics NAME'"),
        ("report --nope", "No such option: --nope; see jperrant report --help"),
        # the option, not the files, which are not there
        ("find a.m2 --context -1", "Invalid value for '--context': Input should be greater than or equal to 0"),
        ("scroe", "No such command 'scroe'. Did you mean 'score'? See jperrant --help"),
        ("m2 nope", "No such command 'nope'; see jperrant m2 --help"),
        ("annotate", "Missing argument 'SOURCE'; see jperrant annotate --help"),
        ("annotate a b --merge x", "Invalid value for '--merge': Value error, 'x' is not one of 'rules', "),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_one_line_that_names_the_help(command, message):
    done = run(*command.split())
    check_error(done, 2, message, " --help")
    assert done.stdout == ""

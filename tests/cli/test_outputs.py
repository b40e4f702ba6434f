"""What is written: never over an input, whole or not at all, compressed by name, one line where it fails."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.core.display import printable
from jperrant.core.errors import FormatError, InputError
from jperrant.io.files import open_output, open_outputs, read_lines
from tests.platforms import FULL_DEVICE, SHELL
from tests.program import run_program

pytestmark = pytest.mark.slow

M2 = "S a b\nA 1 2|||R:X|||c|||REQUIRED|||-NONE-|||0\n\n"
PROGRAM = f"{sys.executable} -m jperrant.cli"


def sh(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which ``jperrant`` is the program; without what needs a shell, the program alone."""
    words = command.split()
    if words[0] == "jperrant" and not set(command) & set("<>|&;$"):
        return run_program(words[1:], folder=cwd)
    script = f'jperrant() {{ {PROGRAM} "$@"; }}\n{command}'
    return subprocess.run(
        ["bash", "-c", script], cwd=cwd, capture_output=True, text=True, timeout=60, check=False
    )


#: What is in the folder of a test.
FILES = {
    "x.m2": M2, "y.m2": M2.replace("R:X", "R:Y"), "a": "a b\n", "b": "a c\n", "own/hooks.py": "",
    "own/pack.yaml": "code: xx\nextends: generic\nlexicon: words.txt\n", "own/words.txt": "a\n",
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "link.m2").symlink_to("x.m2")
    (tmp_path / "here").symlink_to(".")
    os.link(tmp_path / "x.m2", tmp_path / "hard.m2")
    return tmp_path


def contents(folder: Path) -> dict[Path, bytes]:
    """The files of a folder; Python keeps its own beside the ``hooks.py`` that it runs."""
    files = [path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return {path: path.read_bytes() for path in files}


@SHELL
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("m2 convert x.m2 ./x.m2 --to source", "overwrite the input"),
        ("m2 check --fix x.m2 -o hard.m2", "overwrite the input"),
        ("m2 check --fix x.m2 -o x.m2.zst", "x.m2.zst: Zstandard is not written"),
        ("m2 merge y.m2 x.m2 -o x.m2", "overwrite the input x.m2; give the output another name"),
        ("m2 merge y.m2 x.m2 -out x.m2", "No such option: -out (did you mean '--out'?)"),  # -o ut
        ("compare -hyp y.m2 -ref x.m2", "; jperrant_compare, jperrant_m2 and jperrant_parallel take"),
        ("m2 split x.m2 -o x.m2", ""),
        ("m2 convert - x.m2 --to source < x.m2", "overwrite the input"),
        ("m2 convert x.m2 - --to source >> x.m2", "overwrite the input"),
        ("annotate a b --lang generic --models none -o b", "overwrite the input"),
        ("annotate a b --pack own --models none -o own/words.txt", "overwrite the input"),
        ("m2 retype --gold x.m2 --pack own --models none -o own/hooks.py", "overwrite the input"),
        ("find x.m2 --pack own -o own/pack.yaml", "overwrite the input"),
        ("score --source a --hyp b --ref b --pack own --models none -o own/pack.yaml", "overwrite the input"),
        ("explain y.m2 --ref x.m2 -o x.m2", "overwrite the input"),
        ("review x.m2 --pack own -o own/words.txt", "overwrite the input"),
        ("score y.m2 x.m2 --per-sentence x.m2", "overwrite the input"),
        ("compare y.m2 x.m2 >> x.m2", ""),
        ("m2 adjudicate x.m2 y.m2 -o new.m2 --open ./new.m2", "./new.m2 is given for two outputs"),
        ("m2 adjudicate x.m2 y.m2 -o - --open -", "standard output (-) is given for two outputs"),
        ("m2 adjudicate x.m2 y.m2 -o /dev/null --open /dev/null", ""),
        ("align y.m2 x.m2 -o here", "overwrite the input"),
    ],
)
def test_no_file_is_overwritten(files: Path, command: str, said: str) -> None:
    before = contents(files)
    done = sh(f"jperrant {command}", files)
    assert said in done.stderr
    if said:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert contents(files) == before
    assert (files / "x.m2").read_text().startswith(M2)


@pytest.mark.ci
@SHELL
@pytest.mark.parametrize(
    ("command", "code"),
    [
        pytest.param("jperrant m2 convert x.m2 - --to source > /dev/full", 2, marks=FULL_DEVICE),
        pytest.param("jperrant annotate a b --lang generic --models none > /dev/full", 2, marks=FULL_DEVICE),
        ("jperrant score x.m2 --ref y.m2 >&-", 2),
        ("jperrant m2 check --fix x.m2 >&-", 2),
        ("jperrant --version >&-", 2),
        ("jperrant m2 convert - - --to source <&-", 2),
        pytest.param("jperrant m2 convert x.m2 /dev/full --to source", 2, marks=FULL_DEVICE),
        ("TMPDIR=/nowhere/at/all jperrant m2 merge x.m2 y.m2 >&-", 2),
        # A reader that has gone, and messages that nobody can read, stop nothing.
        ("mkfifo p; (read line < p) & yes S a | head -200000 | jperrant m2 convert - p --to source", 141),
        ("jperrant annotate --help | true; [[ ${PIPESTATUS[0]} =~ ^(0|141)$ ]]", 0),
        ("jperrant packs list | true; [[ ${PIPESTATUS[0]} =~ ^(0|141)$ ]]", 0),
        ("jperrant m2 convert marked.m2 - --to source 2>&-", 0),
        ("jperrant m2 source nowhere 2>&- || [[ $? = 2 ]]", 0),
        pytest.param("jperrant m2 convert marked.m2 - --to source 2>/dev/full", 0, marks=FULL_DEVICE),
    ],
)
def test_what_cannot_be_written_is_one_line_and_its_code(files: Path, command: str, code: int) -> None:
    (files / "marked.m2").write_text("\ufeff" + M2, encoding="utf-8")
    done = sh(command, files)
    assert (done.returncode, done.stderr.count("\n")) == (code, 1 if code == 2 else 0), done.stderr
    assert done.stdout == ("a b\n" if "marked" in command else ""), "all the same"


@SHELL
@pytest.mark.parametrize(
    "command", ["m2 split big.m2 -o out", "align big.m2 big.m2 -o out", "m2 check --fix big.m2 -o out"]
)
def test_of_several_files_all_appear_or_none(files: Path, command: str) -> None:
    rows = "".join(f"A 0 1|||R:X|||{'x' * n}|||REQUIRED|||-NONE-|||{n}\n" for n in range(3))
    (files / "big.m2").write_text(f"S a b\n{rows}\n" * 2000)
    unmeasured = "unset COVERAGE_PROCESS_CONFIG COVERAGE_PROCESS_START"  # its files would grow over the limit
    done = sh(f"{unmeasured}; ulimit -f 64; jperrant {command}", files)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert not (files / "out").exists(), "neither a file nor the folder for them"


@FULL_DEVICE
def test_no_file_appears_before_all_are_whole(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("before")
    written = open_outputs([str(tmp_path / "one"), "/dev/full"])
    with pytest.raises(InputError, match="/dev/full: cannot be written"), written as streams:
        print("after", file=streams[1])
    assert contents(tmp_path) == {tmp_path / "one": b"before"}


OPENERS = {".gz": gzip.decompress, ".xz": lzma.decompress, ".bz2": bz2.decompress}


@pytest.mark.parametrize("ending", [*OPENERS, ""])
@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_compressed_files_come_back(tmp_path_factory: pytest.TempPathFactory, ending: str, text: str) -> None:
    folder = tmp_path_factory.mktemp("z")
    path, again = folder / f"x{ending}", folder / f"y{ending}"
    for out in (path, again):
        with open_output(str(out)) as stream:
            stream.write(text + "\nlast\n")
    assert path.read_bytes() == again.read_bytes(), "neither name nor time is kept"
    assert list(read_lines(str(path))) == [text.removeprefix("\ufeff"), "last"]
    if ending in OPENERS:
        assert OPENERS[ending](path.read_bytes()).decode() == text + "\nlast\n"


@pytest.mark.parametrize("ending", [".gz", ".xz", ".bz2"])
def test_a_damaged_archive_is_one_line_with_its_name(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.m2{ending}"
    with open_output(str(path)) as stream:
        stream.write(M2 * 1000)
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[: len(whole) // 2], whole[:20] + b"\xff" * 9 + whole[29:]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=rf"^{path}:"):
            list(read_lines(str(path)))


def test_an_endless_line_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jperrant.io.files.LONGEST_LINE", 1 << 20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"ok\n" + bytes(2 << 20)))
    with pytest.raises(FormatError, match=r"bomb\.gz:2: found a line of more than 1 MiB"):
        list(read_lines(str(path)))


@given(st.text())
def test_a_terminal_gets_no_control_characters(text: str) -> None:
    shown = printable(text)
    assert re.sub("‹U[+]([0-9A-F]{4})›", lambda named: chr(int(named[1], 16)), shown) == text
    assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in shown)


def test_a_file_of_nothing_but_a_byte_order_mark_is_empty(tmp_path: Path) -> None:
    mark = b"\xef\xbb\xbf"
    for content, lines in ((b"", []), (mark, []), (mark + b"\n", [""]), (mark + b"a", ["a"])):
        (tmp_path / "x").write_bytes(content)
        assert list(read_lines(str(tmp_path / "x"))) == lines


@pytest.mark.ci
@SHELL
def test_file_names_that_are_not_utf8(files: Path) -> None:
    name = os.fsdecode(b"caf\xe9.m2")
    try:
        (files / name).write_text(M2)
    except (OSError, UnicodeError):
        pytest.skip("the file system takes no such name")
    done = sh("jperrant score caf*.m2 --ref y.m2 --json --per-sentence out.tsv && cat out.tsv", files)
    assert done.returncode == 0, done.stderr
    assert "caf\\udce9.m2" in done.stdout
    assert sh("jperrant m2 check --fix caf*.m2 -o caf*.m2", files).returncode == 2

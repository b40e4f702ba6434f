"""Records that M2 cannot hold: an error with file and line while reading, or left out with their reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.files import annotate_files
from jperrant.annotation.options import AnnotatorOptions
from jperrant.core.edits import apply_edits
from jperrant.core.errors import FormatError
from jperrant.core.values import format_block
from tests.strategies import examples

pytestmark = pytest.mark.slow

OPTIONS = AnnotatorOptions("generic", "none")
SOURCE = "a b\nc d\ne f\n"


def write(folder: Path, format: str, targets: list[str]) -> list[str]:
    """Write sources and targets in a format and return the files."""
    sources = SOURCE.splitlines()
    if format == "lines":
        (folder / "source").write_text(SOURCE)
        (folder / "target").write_text("".join(f"{text}\n" for text in targets))
        return [str(folder / "source"), str(folder / "target")]
    rows = {
        "tsv": [f"{a}\t{b}" for a, b in zip(sources, targets, strict=True)],
        "cherrant": [f"x\t{a}\t{b}" for a, b in zip(sources, targets, strict=True)],
        "jsonl": [json.dumps({"source": a, "target": b}) for a, b in zip(sources, targets, strict=True)],
    }[format]
    (folder / "source").write_text("".join(f"{row}\n" for row in rows))
    return [str(folder / "source")]


@pytest.mark.parametrize("format", ["lines", "tsv", "jsonl", "cherrant"])
@pytest.mark.parametrize("token", ["c||d", "-NONE-", "x|||y", "||x", "x||"])
def test_what_m2_cannot_hold(tmp_path: Path, format: str, token: str) -> None:
    files = write(tmp_path, format, ["a x", f"c {token}", "e y"])
    blocks = annotate_files(OPTIONS, files[0], files[1:], format=format)
    with pytest.raises(FormatError) as error:
        list(blocks)
    assert (error.value.file, error.value.line) == (files[-1], 2)
    rejected: list[tuple[FormatError, str]] = []
    blocks = annotate_files(
        OPTIONS, files[0], files[1:], format=format, reject=lambda *record: rejected.append(record)
    )
    assert [block.source for block in blocks] == [("a", "b"), ("e", "f")]
    [(problem, record)] = rejected
    assert problem.line == 2
    assert token in record


def test_first_row_in_another_encoding_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "pairs.tsv"
    file.write_bytes(b"caf\xe9\tx\na b\ta c\n")
    rejected: list[tuple[FormatError, str]] = []
    blocks = annotate_files(
        OPTIONS, str(file), [], format="tsv", reject=lambda *record: rejected.append(record)
    )
    assert [block.source for block in blocks] == [("a", "b")]
    assert [problem.line for problem, _ in rejected] == [1]


def test_a_token_that_stays_as_it_is_harms_nobody(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("c||d -NONE- b || e\n")
    (tmp_path / "t").write_text("c||d -NONE- x || y\n")
    blocks = annotate_files(OPTIONS, str(tmp_path / "s"), [str(tmp_path / "t")])
    [block] = blocks
    assert "c||d" in format_block(block)


def test_a_token_that_moves_is_found_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a\nc||d e f\nb\n")
    (tmp_path / "t").write_text("x\ne c||d f\ny\n")
    files = str(tmp_path / "s"), [str(tmp_path / "t")]
    blocks = annotate_files(OPTIONS, *files)
    with pytest.raises(FormatError, match="s:2: "):
        list(blocks)
    rejected: list[FormatError] = []
    blocks = annotate_files(OPTIONS, *files, reject=lambda error, _: rejected.append(error))
    assert [block.source for block in blocks] == [("a",), ("b",)]
    assert [error.line for error in rejected] == [2]


TOKENS = st.lists(st.sampled_from(["a", "b", "||", "c||d", "|", "a|", "-NONE-", "|||", "noop"]), max_size=5)


@pytest.mark.ci
@examples(40)
@given(pairs=st.lists(st.tuples(TOKENS, TOKENS), max_size=6))
def test_every_record_comes_out_or_is_rejected(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[list[str], list[str]]]
) -> None:
    while pairs and not any(pairs[-1]):  # blank lines at the end are no sentences
        pairs = pairs[:-1]
    folder = tmp_path_factory.mktemp("r")
    (folder / "s").write_text("".join(" ".join(source) + "\n" for source, _ in pairs))
    (folder / "t").write_text("".join(" ".join(target) + "\n" for _, target in pairs))
    lost: set[int | None] = set()
    stream = annotate_files(
        OPTIONS, str(folder / "s"), [str(folder / "t")], reject=lambda error, _: lost.add(error.line)
    )
    blocks = list(stream)
    kept = [pair for number, pair in enumerate(pairs, start=1) if number not in lost]
    for block, (source, target) in zip(blocks, kept, strict=True):
        assert block.source == tuple(source)
        assert apply_edits(block.source, block.annotations[0].edits) == tuple(target)
        format_block(block)


@pytest.mark.ci
def test_the_command(tmp_path: Path) -> None:
    files = write(tmp_path, "lines", ["a x", "c c||d", "e y"])
    command = [
        sys.executable, "-m", "jperrant.cli", "annotate", *files, "--lang", "generic", "--models", "none",
    ]  # fmt: skip
    out = tmp_path / "out.m2"
    done = subprocess.run([*command, "-o", out], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n"), out.exists()) == (2, 1, False)
    assert f"{files[1]}:2: " in done.stderr
    done = subprocess.run(
        [*command, "-o", out, "--on-error", "reject"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "1 record was rejected" in done.stderr
    assert out.read_text().count("S ") == 2
    [row] = map(json.loads, (tmp_path / "out.m2.rejected").read_text().splitlines())
    assert (row["file"], row["line"], row["record"]) == (files[1], 2, "c d\tc c||d")
    assert "||" in row["reason"]
    Path(files[1]).write_text("a y\nc d\ne x\n")
    done = subprocess.run([*command, "-o", out, "--on-error", "reject"], capture_output=True, check=False)
    assert done.returncode == 0
    assert not (tmp_path / "out.m2.rejected").exists()
    done = subprocess.run([*command, "--on-error", "reject"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")

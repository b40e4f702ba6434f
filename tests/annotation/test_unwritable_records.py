"""Records that M2 cannot hold: an error with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jperrant.annotation.annotated_files import annotate_files
from jperrant.annotation.annotator_options import AnnotatorOptions
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


def test_only_a_token_that_moves_is_an_error_with_its_line(tmp_path: Path) -> None:
    files = str(tmp_path / "s"), [str(tmp_path / "t")]
    (tmp_path / "s").write_text("c||d -NONE- b || e\n")
    (tmp_path / "t").write_text("c||d -NONE- x || y\n")
    [block] = annotate_files(OPTIONS, *files)
    assert "c||d" in format_block(block)
    (tmp_path / "s").write_text("a\nc||d e f\nb\n")
    (tmp_path / "t").write_text("x\ne c||d f\ny\n")
    with pytest.raises(FormatError, match="s:2: "):
        list(annotate_files(OPTIONS, *files))


TOKENS = st.lists(st.sampled_from(["a", "b", "||", "c||d", "|", "a|", "-NONE-", "|||", "noop"]), max_size=5)


@pytest.mark.ci
@examples(40)
@given(pair=st.tuples(TOKENS, TOKENS))
def test_a_record_comes_out_or_is_refused_with_its_line(
    tmp_path_factory: pytest.TempPathFactory, pair: tuple[list[str], list[str]]
) -> None:
    source, target = [["a"], pair[0], ["b"]], [["b"], pair[1], ["b"]]
    folder = tmp_path_factory.mktemp("r")
    (folder / "s").write_text("".join(" ".join(tokens) + "\n" for tokens in source))
    (folder / "t").write_text("".join(" ".join(tokens) + "\n" for tokens in target))
    try:
        blocks = list(annotate_files(OPTIONS, str(folder / "s"), [str(folder / "t")]))
    except FormatError as error:
        assert error.line == 2  # noqa: PT017
        return
    for block, before, after in zip(blocks, source, target, strict=True):
        assert block.source == tuple(before)
        assert apply_edits(block.source, block.annotations[0].edits) == tuple(after)
        format_block(block)

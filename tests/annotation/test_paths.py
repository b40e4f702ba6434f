"""Python takes a path as a string or as a ``Path``, wherever it takes a file or a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import jperrant
from jperrant.core.errors import InputError, PackError, UsageError

CONLL = Path(__file__).parents[1] / "data" / "conll14"
SYSTEM, GOLD = CONLL / "conll14-AMU.errant", CONLL / "conll14.errant"


def test_m2_is_read_and_written_by_path(tmp_path: Path) -> None:
    blocks = list(jperrant.read_m2(SYSTEM))
    assert jperrant.write_m2(blocks, tmp_path / "copy.m2") == len(blocks)
    assert (tmp_path / "copy.m2").read_bytes() == SYSTEM.read_bytes() + b"\n", "the file lacks its last line"
    assert jperrant.write_m2(blocks, str(tmp_path / "copy.m2.gz")) == len(blocks)
    assert list(jperrant.read_m2(tmp_path / "copy.m2.gz")) == blocks


def test_a_file_of_m2_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def broken():
        yield next(jperrant.read_m2(SYSTEM))
        raise InputError("here it ends")

    (tmp_path / "out.m2").write_text("old")
    with pytest.raises(InputError, match="here it ends"):
        jperrant.write_m2(broken(), tmp_path / "out.m2")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.m2", "old")]


@pytest.mark.models
def test_an_annotator_is_loaded_by_paths(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text("code: xx\nname: X\nextends: generic\n")
    (tmp_path / "words.txt").write_text("word\n")
    folder = Path(__file__).parents[2] / "langpacks" / "en" / "models"
    annotator = jperrant.load(pack=tmp_path, models="none", lexicon=tmp_path / "words.txt")
    assert annotator.pack.code == "xx"
    with pytest.raises(PackError, match=r"found no xx\.dic"):
        jperrant.load(pack=tmp_path, models="none", dictionary=tmp_path)
    assert jperrant.load("en", models=folder).annotate("He go .", "He goes .")[0].type == "R:VERB:SVA"
    [score] = jperrant.score(
        [["a c"]], [["a c"]], source=["a b"], pack=tmp_path, models="none", cache=tmp_path / "c"
    )
    assert score.values["f"] == 1.0


def test_files_of_annotation_tools_are_exchanged_by_paths(tmp_path: Path) -> None:
    out, back, log = tmp_path / "out.json", tmp_path / "back.m2", tmp_path / "log.tsv"
    done = jperrant.convert_m2(SYSTEM, out, "m2", "bea-json")
    assert done.files[0] == str(out)
    jperrant.convert_m2(out, back, "bea-json", "m2", side=done.files[1], log=log)
    assert back.read_bytes() == SYSTEM.read_bytes()
    jperrant.convert_m2([out], back, "bea-json", "m2")
    assert log.exists()


def test_judgements_are_found_by_path(tmp_path: Path) -> None:
    (tmp_path / "own.json").write_text(json.dumps({"name": "own"}))
    with pytest.raises((InputError, UsageError), match=r"own\.json"):
        jperrant.meta_evaluate(tmp_path / "own.json", ["gleu"], data=tmp_path)


def test_systems_by_different_metrics_have_no_ranks() -> None:
    one, other = (jperrant.score(SYSTEM, GOLD, metrics=name)[0] for name in ("errant", "wer"))
    with pytest.raises(UsageError, match=r"scored by errant and .* by wer; a ranking needs one metric"):
        jperrant.rank_systems([one, other])


@pytest.mark.parametrize(
    "call",
    [
        lambda name: jperrant.score(name, GOLD),
        lambda name: jperrant.score(SYSTEM, name),
        lambda name: jperrant.score(name, name, source=name, lang="en"),
        lambda name: jperrant.load("en", models=name),
        lambda name: jperrant.load("en", pack=name),
        lambda name: jperrant.load(name),
        lambda name: list(jperrant.read_m2(name)),
    ],
)
def test_a_text_where_a_path_belongs_is_refused(call: Callable[[str], object]) -> None:
    """Longer than any file name can be, which systems report in other words than a missing file."""
    with pytest.raises(jperrant.JperrantError, match="He went home"):
        call("He went home . " * 100)

"""Corpora in many M2 files have the figures of one file, with intervals; metrics that look further are refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import FormatError, InputError, JperrantError, UsageError
from tests.dask_cases import local_cluster
from tests.study_cases import contents, run, write_study


def blocks(number: int, edited: int) -> str:
    rows = []
    for row in range(12):
        edit = "A 1 2|||R:NOUN|||d|||REQUIRED|||-NONE-|||0" if (row + number) % edited else ""
        rows.append(f"S a b{number} c {row}\n{edit or 'A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0'}\n\n")
    return "".join(rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, edited in (("sys", 2), ("other", 4), ("ref", 3)):
        (tmp_path / name).mkdir()
        shards = [blocks(number, edited) for number in range(3)]
        for number, shard in enumerate(shards):
            (tmp_path / name / f"{number}.m2").write_text(shard)
        (tmp_path / f"{name}.m2").write_text("".join(shards))
    (tmp_path / "sys" / "manifest.json").write_text("{}")
    return tmp_path


def scored(*arguments: object) -> list[dict]:
    result = CliRunner().invoke(app, ["score", *map(str, arguments), "--json"])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    found = json.loads(result.stdout)
    return [{**one, "hypothesis": ""} for one in (found if isinstance(found, list) else [found])]


def test_annotators_have_one_number_in_all_shards(folder: Path) -> None:
    more = folder / "ref" / "1.m2"  # only this shard has a second annotator
    more.write_text(more.read_text().replace("\n\n", "\nA 0 1|||R:X|||y|||REQUIRED|||-NONE-|||1\n\n"))
    (folder / "ref.m2").write_text("".join((folder / "ref" / f"{n}.m2").read_text() for n in range(3)))
    names = ("sys", "ref", "other")
    files, folders = ([str(folder / f"{name}{end}") for name in names] for end in (".m2", ""))
    [whole] = jperrant.score(files[:1], files[1:], metrics=["errant:exact"])
    [score] = jperrant.score(folders[:1], folders[1:], metrics=["errant:exact"])
    numbers = [[candidate.reference for candidate in sentence] for sentence in score.candidates]
    assert numbers == [[0, 2]] * 12 + [[0, 1, 2]] * 12 + [[0, 2]] * 12
    assert score.to_dict(per_sentence=True) == {
        **whole.to_dict(per_sentence=True), "hypothesis": score.hypothesis,
    }  # fmt: skip
    assert [line.replace(".m2", "") for line in whole.warnings] == list(score.warnings)


def test_what_cannot_be_scored_by_shards(folder: Path) -> None:
    cases = [
        (("sys", "--ref", "ref", "-m", "gleu:draws=2"), "needs the whole corpus at once"),
        (("sys", "--ref", "ref.m2", "-m", "wer"), "folders"),
    ]
    for arguments, message in cases:
        given = [folder / one if (folder / one).exists() else one for one in arguments]
        with pytest.raises(JperrantError, match=message):
            scored(*given)
    (folder / "ref" / "2.m2").rename(folder / "ref" / "4.m2")
    with pytest.raises(JperrantError, match=r"2 is in .*sys but not in .*ref"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


def test_shards_with_other_sentences_are_named(folder: Path) -> None:
    (folder / "other" / "1.m2").write_text("S x y\nA 0 1|||R:X|||z|||REQUIRED|||-NONE-|||0\n\n")
    with pytest.raises(InputError, match=r"other/1\.m2: its sentences or tokens differ .*ref/1\.m2"):
        scored(folder / "sys", folder / "other", "--ref", folder / "ref", "-m", "errant:exact")


def test_shards_are_not_overwritten(folder: Path) -> None:
    for name in ("sys/0.m2", "ref/2.m2"):
        before = (folder / name).read_bytes()
        for option in ("-o", "--per-sentence"):
            with pytest.raises(UsageError, match="would overwrite it"):
                scored(folder / "sys", "--ref", folder / "ref", "-m", "wer", option, folder / name)
        assert (folder / name).read_bytes() == before


def test_a_shard_is_there_once(folder: Path) -> None:
    (folder / "ref" / "1.m2.gz").write_bytes(gzip.compress((folder / "ref" / "1.m2").read_bytes()))
    with pytest.raises(JperrantError, match=r"ref/1\.m2 and 1\.m2\.gz are one shard"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


def test_a_shard_that_cannot_be_read_is_not_left_out(folder: Path) -> None:
    for side in ("sys", "ref"):
        (folder / side / "3.m2.zst").write_bytes(b"\x28\xb5\x2f\xfd and more")
    with pytest.raises(FormatError, match=r"3\.m2\.zst: found a Zstandard file"):
        scored(folder / "sys", "--ref", folder / "ref", "-m", "wer")


@pytest.mark.ci
def test_a_study_on_a_cluster(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    import jperrant

    study = write_study(tmp_path)
    run(study, "alone")
    with local_cluster(2) as address:
        jperrant.run_study(study / "study.yaml", study / "out", cluster=address)
    ours, theirs = (contents(study / out) for out in ("out", "alone"))
    assert ours == theirs

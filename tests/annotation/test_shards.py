"""Corpora in many files: one M2 a shard, what is done stays done, what is poisoned fails alone."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.noticed import Noticed
from jperrant.annotation.shards import ShardWork, find_shards
from jperrant.core.errors import OutputError, UsageError
from jperrant.core.store import held
from jperrant.io.m2 import read_m2
from tests.shard_cases import PLAIN, annotate, append, contents, deadly_pack, manifest, write_shards

pytestmark = pytest.mark.slow

TSV = ("--format", "tsv", *PLAIN)


def test_each_shard_has_the_bytes_of_annotate_on_it_alone(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 4), tmp_path / "out"
    done = annotate(*paths, "-o", f"{out}/", *TSV)
    assert (done.exit_code, done.stdout) == (0, "")
    names = ["part-000.m2", "part-001.m2", "part-002.m2.gz", "part-003.m2"]
    assert set(contents(out)) == {*names, "manifest.json"}
    for name, path in zip(names, paths, strict=True):
        single = tmp_path / name
        assert annotate(path, "-o", single, *TSV).exit_code == 0
        assert (out / name).read_bytes() == single.read_bytes()
    found = manifest(out)
    assert [(one["sentences"], one["edits"]) for one in found["shards"].values()] == [(20, 40)] * 4
    assert "4 shards done; 80 sentences, 160 edits" in done.stderr
    assert [len(list(read_m2(str(out / name)))) for name in found["shards"]] == [20] * 4


@pytest.mark.ci
def test_processes_share_the_shards_of_a_folder(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 4), tmp_path / "out"
    assert annotate(tmp_path / "in", "-o", f"{out}/", *TSV).exit_code == 0
    assert annotate(*paths, "-o", f"{tmp_path}/two/", *TSV, "--jobs", 2).exit_code == 0
    assert contents(tmp_path / "two") == contents(out)


def test_lines_in_folders(tmp_path: Path) -> None:
    for folder, text in (("src", "a b\nc d\n"), ("one", "a c\nc d\n"), ("two", "a b\nd\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text(text)
    folders = [tmp_path / name for name in ("src", "one", "two")]
    expected = tmp_path / "x.m2"
    annotate(*(folder / "x.txt" for folder in folders), "-o", expected, *PLAIN)
    assert annotate(*folders, "-o", f"{tmp_path}/o1/", *PLAIN).exit_code == 0
    assert (tmp_path / "o1/x.m2").read_bytes() == expected.read_bytes()


def test_what_makes_no_shards(tmp_path: Path) -> None:
    paths = write_shards(tmp_path / "in", 3)
    other = write_shards(tmp_path / "other", 1)
    (tmp_path / "in" / "part-000.txt").write_text("")
    cases = [
        (([*paths, tmp_path / "in/part-000.txt"], "tsv"), "part-000.tsv and .*part-000.txt would both"),
        (([*paths, *other], "tsv"), "in/part-000.tsv and .*other/part-000.tsv would both"),
        ((["-"], "tsv"), "standard input"),
        ((paths[:2], "lines"), "takes a folder of sources"),
        (([tmp_path / "in", tmp_path / "other"], "lines"), "part-000.txt is in .*in but not in .*other"),
    ]
    for (given, format), message in cases:
        with pytest.raises(UsageError, match=message):
            find_shards([str(path) for path in given], format)
    commands = [
        ((*paths, "-o", "-"), "-o FOLDER/"),
        ((paths[0], "--resume", "-o", tmp_path / "x.m2"), "--resume is for shards"),
        ((*paths, "-o", f"{tmp_path}/in/"), "is the folder of"),
        ((*paths, "-o", f"{tmp_path}/in/part-001.tsv/"), "folder cannot be created"),
        ((*paths, "-o", f"{tmp_path}/out/", "--resume", "--force"), "exclude each other"),
    ]
    for command, message in commands:
        with pytest.raises((UsageError, OutputError), match=message):
            raise annotate(*command, *TSV).exception


@pytest.mark.parametrize(
    ("name", "harm", "problem"),
    [
        ("part-000.tsv", lambda text: text + b"no tab\n", "4: found one column"),
        ("part-000.tsv", lambda text: text + b"b\xffd\tx\n", "4: byte 0xff"),
        ("part-000.tsv", lambda text: text + b"a FAIL b\ta b\n", r" .*hooks\.py: MERGE raise"),
        ("part-000.tsv", lambda text: text + b"a ||| b\ta\n", r"4: token '\|\|\|'"),
        ("part-002.tsv.gz", lambda text: text[:-9], " damaged compressed file"),
    ],
)
def test_a_poisoned_shard_fails_alone_and_is_named_as_the_user_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, harm: Callable[[bytes], bytes], problem: str
) -> None:
    options = ("--format", "tsv", "--models", "none", "--pack", deadly_pack(tmp_path))
    write_shards(tmp_path / "in", 3, size=3)
    monkeypatch.chdir(tmp_path)
    shard = Path("in", name)
    whole = shard.read_bytes()
    shard.write_bytes(harm(whole))
    done = annotate("in", "-o", "out/", *options)
    assert done.exit_code == 2
    assert re.search(f"jperrant: in/{name}:{problem}", done.stderr)
    assert "2 shards done; 1 failed" in done.stderr
    others = {"part-000.m2", "part-001.m2", "part-002.m2.gz"} - {name.replace(".tsv", ".m2")}
    assert set(contents(Path("out"))) == {*others, "manifest.json"}
    shard.write_bytes(whole)
    assert "3 shards done (2 of them before)" in annotate("in", "-o", "out/", "--resume", *options).stderr


def test_resume_does_what_is_missing_or_has_changed(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 5, size=3), tmp_path / "out"
    run = (*paths, "-o", f"{out}/", *TSV)
    assert annotate(*run).exit_code == 0
    whole = contents(out)
    refused = annotate(*run)
    assert refused.exit_code != 0
    assert "--resume" in str(refused.exception)
    (out / "part-000.m2").unlink()
    (out / "part-001.m2").write_bytes(whole["part-001.m2"].replace(b"a 1", b"a 2"))
    append(paths[3], "new\tnewer")
    for name in ("manifest.json", "part-000.m2"):  # left by a process that was killed
        (out / f".{name}.01234567.part").write_text("half")
    done = annotate(*run, "--resume")
    assert "5 shards done (2 of them before)" in done.stderr
    new = contents(out)
    assert {name for name in whole if new[name] != whole[name]} == {"part-003.m2", "manifest.json"}
    assert new.keys() == whole.keys()
    other = annotate(*run, "--resume", "--merge", "all-split")
    assert "merging rules there, all-split here" in str(other.exception)
    assert contents(out) == new
    forced = annotate(*run, "--force", "--merge", "all-merge")
    assert forced.exit_code == 0
    assert manifest(out)["signature"]["merging"] == "all-merge"


def test_files_that_no_manifest_knows_are_kept(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 1), tmp_path / "out"
    out.mkdir()
    (out / "part-000.m2").write_text("gold")
    assert "no manifest" in str(annotate(*paths, "-o", out, "--resume", *TSV).exception)
    (out / "manifest.json").write_text('{"layout": 1}')
    assert "not a manifest" in str(annotate(*paths, "-o", out, "--resume", *TSV).exception)
    assert (out / "part-000.m2").read_text() == "gold"
    assert annotate(*paths, "-o", out, "--force", *TSV).exit_code == 0


@pytest.mark.parametrize(
    ("change", "problem"),
    [(Path.unlink, "cannot be read"), (lambda path: path.write_text("x\ty\n"), "the shard changed while")],
)
def test_a_file_that_changes_while_it_is_annotated_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], Any], problem: str
) -> None:
    paths, out = write_shards(tmp_path / "in", 2), tmp_path / "out"
    read = Noticed.read

    def changing(noticed: Noticed, records: Any) -> Any:
        yield from read(noticed, records)
        if not contents(out).keys() & {"part-000.m2", "part-001.m2"} and Path(paths[0]).exists():
            change(Path(paths[0]))

    monkeypatch.setattr(Noticed, "read", changing)
    done = annotate(*paths, "-o", f"{out}/", *TSV)
    assert done.exit_code == 2
    assert f"{paths[0]}: {problem}" in done.stderr
    assert set(contents(out)) == {"part-001.m2", "manifest.json"}


def test_the_signature_has_the_packages_that_a_pack_needs(tmp_path: Path) -> None:
    work = ShardWork(AnnotatorOptions("zh", models="none"), tmp_path)
    assert "pypinyin" in work.signature()


@pytest.mark.ci
def test_a_process_that_dies_is_replaced_and_one_that_always_dies_is_named(tmp_path: Path) -> None:
    pack, paths = deadly_pack(tmp_path), write_shards(tmp_path / "in", 5, size=2)
    options = ("--format", "tsv", "--models", "none", "--pack", pack)
    append(paths[1], "x ONCE y\tx z")
    append(paths[3], "x DIE y\tx z")
    done = annotate(*paths, "-o", f"{tmp_path}/out/", "--jobs", 2, *options)
    assert done.exit_code == 2
    assert f"{paths[3]}: its worker process ended unexpectedly each time" in done.stderr
    alone = annotate(*paths[:3], paths[4], "-o", f"{tmp_path}/alone/", *options)
    assert alone.exit_code == 0
    assert contents(tmp_path / "out") == contents(tmp_path / "alone"), "and nothing unfinished is left"


@pytest.mark.parametrize("option", ["--resume", "--force"])
def test_the_m2_of_a_renamed_shard_is_named(option: str, tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 2, size=3), tmp_path / "out"
    assert annotate(*paths, "-o", f"{out}/", *TSV).exit_code == 0
    Path(paths[1]).rename(tmp_path / "in" / "other.tsv")
    Path(f"{paths[0]}.gz").write_bytes(gzip.compress(Path(paths[0]).read_bytes()))
    Path(paths[0]).unlink()
    done = annotate(tmp_path / "in", "-o", f"{out}/", *TSV, option)
    for name in ("part-000.m2", "part-001.m2"):
        assert f"{out / name}: its shard was not given this time" in done.stderr
        (out / name).unlink()
    done = annotate(tmp_path / "in", "-o", f"{out}/", *TSV, "--resume")
    assert "not given" not in done.stderr
    assert set(manifest(out)["shards"]) == {"part-000.m2.gz", "other.m2"}
    assert set(contents(out)) == {"part-000.m2.gz", "other.m2", "manifest.json"}


@pytest.mark.ci
def test_one_run_at_a_time_writes_a_folder(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 2, size=3), tmp_path / "out"
    out.mkdir()
    with held(out):
        refused = annotate(*paths, "-o", f"{out}/", *TSV)
        assert "is in use by another program" in str(refused.exception)
        assert not contents(out).keys() & {"part-000.m2", "manifest.json"}
    assert annotate(*paths, "-o", f"{out}/", *TSV).exit_code == 0

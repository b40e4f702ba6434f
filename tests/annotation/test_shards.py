"""Corpora in many files: one M2 a shard, what is done stays done, what is poisoned fails alone."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jperrant.annotation.annotator_options import AnnotatorOptions
from jperrant.annotation.noticed import Noticed
from jperrant.annotation.shards import ShardWork
from jperrant.core.store import held
from tests.commands import printed, refused
from tests.program import unmeasured
from tests.shard_cases import PLAIN, annotate, append, contents, deadly_pack, manifest, write_shards

pytestmark = pytest.mark.slow

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and shells of POSIX")
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
    assert [(one["sentences"], one["edits"]) for one in manifest(out)["shards"].values()] == [(20, 40)] * 4
    assert "4 shards done; 80 sentences, 160 edits" in done.stderr


def test_lines_in_folders(tmp_path: Path) -> None:
    for folder, text in (("src", "a b\nc d\n"), ("one", "a c\nc d\n"), ("two", "a b\nd\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text(text)
    folders = [tmp_path / name for name in ("src", "one", "two")]
    annotate(*(folder / "x.txt" for folder in folders), "-o", tmp_path / "x.m2", *PLAIN)
    assert annotate(*folders, "-o", f"{tmp_path}/out/", *PLAIN).exit_code == 0
    assert (tmp_path / "out/x.m2").read_bytes() == (tmp_path / "x.m2").read_bytes()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("in text/part-000.txt -o out/ --format tsv", "in/part-000.tsv and text/part-000.txt would both"),
        ("in other -o out/ --format tsv", "in/part-000.tsv and other/part-000.tsv would both"),
        ("- -o out/ --format tsv", "standard input"),
        ("in/part-000.tsv -o out/", "takes a folder of sources"),
        ("text other -o out/", "part-000.tsv is in other but not in text"),
        ("in/part-000.tsv in/part-001.tsv -o - --format tsv", "-o FOLDER/"),
        ("in/part-000.tsv --resume -o x.m2 --format tsv", "--resume is for shards"),
        ("in -o in/ --format tsv", "in is the folder of the input in/part-000.tsv"),
        ("in -o in/part-001.tsv/ --format tsv", "folder cannot be created"),
        ("in -o out/ --resume --force --format tsv", "exclude each other"),
    ],
)
def test_what_makes_no_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    write_shards(Path("in"), 2, size=1)
    write_shards(Path("other"), 1, size=1)
    Path("text").mkdir()
    Path("text/part-000.txt").write_text("")
    assert message in refused("annotate", *command.split(), *PLAIN)
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("name", "harm", "problem"),
    [
        ("part-000.tsv", lambda text: text + b"no tab\n", "4: found one column"),
        ("part-000.tsv", lambda text: text + b"a FAIL b\ta b\n", r" .*hooks\.py: MERGE raise"),
        ("part-002.tsv.gz", lambda text: text[:-9], " damaged compressed file"),
    ],
)
def test_a_poisoned_shard_fails_alone_and_is_named_as_the_user_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, harm: Callable[[bytes], bytes], problem: str
) -> None:
    options = ("--format", "tsv", "--models", "none", "--pack", deadly_pack(tmp_path))
    monkeypatch.chdir(tmp_path)
    write_shards(Path("in"), 3, size=3)
    shard = Path("in", name)
    whole = shard.read_bytes()
    shard.write_bytes(harm(whole))
    done = annotate("in", "-o", "out/", *options)
    assert done.exit_code == 2
    assert re.search(f"jperrant: in/{name}:{problem}", done.stderr)
    assert "2 shards done; 1 failed" in done.stderr
    others = {"part-000.m2", "part-001.m2", "part-002.m2.gz"} - {name.replace(".tsv", ".m2")}
    assert contents(Path("out")).keys() == {*others, "manifest.json"}
    shard.write_bytes(whole)
    assert "3 shards done (2 of them before)" in annotate("in", "-o", "out/", "--resume", *options).stderr


def test_resume_does_what_is_missing_or_has_changed(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 5, size=3), tmp_path / "out"
    run = ("annotate", *paths, "-o", f"{out}/", *TSV)
    printed(*run)
    whole = contents(out)
    assert "--resume" in refused(*run)
    (out / "part-000.m2").unlink()
    (out / "part-001.m2").write_bytes(whole["part-001.m2"].replace(b"a 1", b"a 2"))
    append(paths[3], "new\tnewer")
    for name in ("manifest.json", "part-000.m2"):  # left by a process that was killed
        (out / f".{name}.01234567.part").write_text("half")
    assert "5 shards done (2 of them before)" in annotate(*run[1:], "--resume").stderr
    new = contents(out)
    assert {name for name in whole if new[name] != whole[name]} == {"part-003.m2", "manifest.json"}
    assert new.keys() == whole.keys()
    assert "merging rules there, all-split here" in refused(*run, "--resume", "--merge", "all-split")
    assert contents(out) == new
    printed(*run, "--force", "--merge", "all-merge")
    assert manifest(out)["signature"]["merging"] == "all-merge"


def test_files_that_no_manifest_knows_are_kept(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 1), tmp_path / "out"
    run = ("annotate", *paths, "-o", out, *TSV)
    out.mkdir()
    (out / "part-000.m2").write_text("gold")
    assert "no manifest" in refused(*run, "--resume")
    (out / "manifest.json").write_text('{"layout": 1}')
    assert "not a manifest" in refused(*run, "--resume")
    assert (out / "part-000.m2").read_text() == "gold"
    printed(*run, "--force")


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


@pytest.mark.parametrize("option", ["--resume", "--force"])
def test_the_m2_of_a_renamed_shard_is_named(option: str, tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 2, size=3), tmp_path / "out"
    assert annotate(*paths, "-o", f"{out}/", *TSV).exit_code == 0
    Path(paths[0]).rename(tmp_path / "in" / "other.tsv")
    done = annotate(tmp_path / "in", "-o", f"{out}/", *TSV, option)
    assert f"{out}/part-000.m2: its shard was not given this time" in done.stderr
    (out / "part-000.m2").unlink()
    done = annotate(tmp_path / "in", "-o", f"{out}/", *TSV, "--resume")
    assert "not given" not in done.stderr
    names = {"part-001.m2", "other.m2"}
    assert (manifest(out)["shards"].keys(), contents(out).keys()) == (names, {*names, "manifest.json"})


@pytest.mark.ci
def test_one_run_at_a_time_writes_a_folder(tmp_path: Path) -> None:
    paths, out = write_shards(tmp_path / "in", 2, size=3), tmp_path / "out"
    out.mkdir()
    with held(out):
        assert "is in use by another program" in refused("annotate", *paths, "-o", f"{out}/", *TSV)
        assert not [*out.glob("part*")]
    printed("annotate", *paths, "-o", f"{out}/", *TSV)


# Runs that are ended in the middle: what has its name is whole, and resuming gives the same bytes


def start(folder: Path, *options: object, before: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "jperrant.cli", "annotate", "in", "-o", "out/", *TSV, *map(str, options)]
    program = ["bash", "-c", f'{before} exec "$@"', "bash", *command]
    return subprocess.Popen(
        program, cwd=folder, env=unmeasured(), stderr=subprocess.PIPE, text=True, start_new_session=True
    )


@POSIX
@pytest.mark.ci
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_ended_and_resumed(tmp_path: Path, number: int) -> None:
    write_shards(tmp_path / "in", 12, size=300)
    assert annotate(tmp_path / "in", "-o", f"{tmp_path}/whole/", *TSV).exit_code == 0
    whole, out = contents(tmp_path / "whole"), tmp_path / "out"
    with start(tmp_path, "--jobs", 2) as program:
        while program.poll() is None and not (out.exists() and len([*out.glob("part-*.m2*")]) >= 3):
            time.sleep(0.01)
        program.send_signal(number)
        program.wait()
    for name, content in contents(out).items():
        assert name.startswith((".", "manifest")) or content == whole[name], "whole where it has its name"
        assert number == signal.SIGKILL or not name.endswith(".part")
    printed("annotate", tmp_path / "in", "-o", f"{out}/", "--resume", *TSV)
    assert contents(out) == whole


@POSIX
@pytest.mark.ci
def test_a_full_disk(tmp_path: Path) -> None:
    """Files may have 16 KiB, where a disk of that size cannot be mounted by everybody."""
    _, last = write_shards(tmp_path / "in", 2, size=5)
    Path(last).write_text("a b\ta c\n" * 2_000)
    with start(tmp_path, before="ulimit -f 16;") as program:
        assert program.wait() == 2
        assert program.stderr is not None
        [line] = program.stderr.read().splitlines()
    assert "part-001.m2: cannot be written" in line
    assert contents(tmp_path / "out").keys() == {"part-000.m2", "manifest.json"}

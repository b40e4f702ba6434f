"""ERRANT's command lines: ``jperrant_parallel`` and ``jperrant_m2`` take its flags verbatim."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from jperrant.cli import errant_compat
from jperrant.cli.errant_compat import COMPARE, M2, PARALLEL, Flag, rewrite
from jperrant.core.errors import UsageError

ROOT = Path(__file__).parents[2]
GOLD = ROOT / "tests" / "data" / "conll14" / "conll14.errant"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-orig o -cor a b c -out m", "--out m o a b c"),
        ("-cor a -out m -orig o", "--out m o a"),
        ("-out m -cor a b -tok -lev -merge all-split -orig o", "--out m --raw --lev --merge all-split o a b"),
        ("-orig - -cor a -out -", "--out - - a"),
        ("-h", "--help"),
    ],
)
def test_parallel(old: str, new: str) -> None:
    assert rewrite(old.split(), PARALLEL) == new.split()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-auto in -out m", "--auto --out m in"),
        ("in -gold -no_min -old_cats -out m", "--gold --no-min --old-types --out m in"),
        ("-auto -lev -merge all-equal -out m in", "--auto --lev --merge all-equal --out m in"),
        ("-gold -out m in", "--gold --out m in"),
    ],
)
def test_m2(old: str, new: str) -> None:
    assert rewrite(old.split(), M2, bare=0) == new.split()


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("-auto -gold in -out m", "exclude each other"),
        ("-auto in", "missing: -out"),
        ("-auto in -out", "-out needs a value"),
        ("-atuo in -out m", "unknown argument '-atuo' .did you mean '-auto'"),
    ],
)
def test_m2_refuses(old: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rewrite(old.split(), M2, bare=0)


def test_compare_takes_every_reference() -> None:
    assert rewrite(["-hyp", "h", "-ref", "r", "r2", "-b", "1"], COMPARE) == ["--beta", "1", "h", "r", "r2"]


def test_parallel_refuses() -> None:
    with pytest.raises(UsageError, match="missing: -cor"):
        rewrite(["-orig", "o", "-out", "m"], PARALLEL)
    with pytest.raises(UsageError, match="unknown argument 'stray'"):
        rewrite(["stray"], PARALLEL)


def run(monkeypatch: pytest.MonkeyPatch, program: str, *args: object) -> int:
    monkeypatch.setattr(sys, "argv", [f"jperrant_{program}", *map(str, args)])
    with pytest.raises(SystemExit) as end:
        getattr(errant_compat, program)()
    assert isinstance(end.value.code, int)
    return end.value.code


def test_m2_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "out.m2"
    assert run(monkeypatch, "m2", "-gold", GOLD, "-no_min", "-old_cats", "-out", out) == 0
    assert out.read_bytes() == GOLD.read_bytes()


@pytest.mark.parametrize(("program", "flags"), [("compare", COMPARE), ("m2", M2), ("parallel", PARALLEL)])
def test_help_shows_the_old_flags(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str, flags: dict[str, Flag]
) -> None:
    monkeypatch.setattr(sys, "argv", [f"jperrant_{program}", "-h"])
    getattr(errant_compat, program)()
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert set(flags) <= {words[0] for words in shown}
    assert any("must be given" in " ".join(words) for words in shown)


def test_m2_wants_auto_or_gold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "m2", GOLD, "-out", tmp_path / "out.m2") == 2
    assert "--auto and --gold" in capsys.readouterr().err
    assert not (tmp_path / "out.m2").exists()


@pytest.mark.models
def test_parallel_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source, out = tmp_path / "o.txt", tmp_path / "out.m2"
    corrections = [tmp_path / "a.txt", tmp_path / "b.txt"]
    source.write_text("She go home .\nFine .\n", encoding="utf-8")
    corrections[0].write_text("She goes home .\nFine .\n", encoding="utf-8")
    corrections[1].write_text("She go home .\nFine !\n", encoding="utf-8")
    assert run(monkeypatch, "parallel", "-orig", source, "-cor", *corrections, "-out", out) == 0
    assert out.read_text(encoding="utf-8") == (
        "S She go home .\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
        "S Fine .\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:PUNCT|||!|||REQUIRED|||-NONE-|||1\n\n"
    )


def test_the_programs_are_installed() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    for program in ("compare", "m2", "parallel"):
        assert scripts[f"jperrant_{program}"] == f"jperrant.cli.errant_compat:{program}"
        assert callable(getattr(errant_compat, program))

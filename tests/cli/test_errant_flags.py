"""ERRANT's command lines: ``jperrant_parallel`` and ``jperrant_m2`` take its flags verbatim."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from jperrant.cli import errant_compat
from jperrant.cli.errant_compat import COMPARE, M2, PARALLEL, rewrite
from jperrant.core.errors import UsageError

ROOT = Path(__file__).parents[2]
GOLD = ROOT / "tests" / "data" / "conll14" / "conll14.errant"


PROGRAMS = {"parallel": PARALLEL, "m2": M2, "compare": COMPARE}


@pytest.mark.parametrize(
    ("program", "old", "new"),
    [
        ("parallel", "-orig o -cor a b c -out m", "--out m o a b c"),
        ("parallel", "-out m -cor a b -tok -lev -merge all-split -orig o",
         "--out m --raw --lev --merge all-split o a b"),
        ("parallel", "-orig - -cor a -out -", "--out - - a"),
        ("parallel", "-h", "--help"),
        ("m2", "-auto in -out m", "--auto --out m in"),
        ("m2", "in -gold -no_min -old_cats -out m", "--gold --no-min --old-types --out m in"),
    ],
)  # fmt: skip
def test_flags_are_rewritten(program: str, old: str, new: str) -> None:
    assert rewrite(old.split(), PROGRAMS[program], 0 if program == "m2" else None) == new.split()


@pytest.mark.parametrize(
    ("program", "old", "message"),
    [
        ("m2", "-auto -gold in -out m", "exclude each other"),
        ("m2", "-auto in", "missing: -out"),
        ("m2", "-auto in -out", "-out needs a value"),
        ("m2", "-atuo in -out m", "unknown argument '-atuo' .did you mean '-auto'"),
        ("parallel", "stray", "unknown argument 'stray'"),
    ],
)
def test_flags_that_are_refused(program: str, old: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        rewrite(old.split(), PROGRAMS[program], 0 if program == "m2" else None)


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


@pytest.mark.parametrize("program", PROGRAMS)
def test_installed_programs_show_the_old_flags(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], program: str
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"][f"jperrant_{program}"] == f"jperrant.cli.errant_compat:{program}"
    monkeypatch.setattr(sys, "argv", [f"jperrant_{program}", "-h"])
    getattr(errant_compat, program)()
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert set(PROGRAMS[program]) <= {words[0] for words in shown}
    assert any("must be given" in " ".join(words) for words in shown)


def test_m2_wants_auto_or_gold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "m2", GOLD, "-out", tmp_path / "out.m2") == 2
    assert "--auto and --gold" in capsys.readouterr().err
    assert not (tmp_path / "out.m2").exists()


@pytest.mark.models
def test_parallel_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out, (source, *corrections) = tmp_path / "out.m2", [tmp_path / name for name in "oab"]
    texts = ("She go home .\nFine .\n", "She goes home .\nFine .\n", "She go home .\nFine !\n")
    for path, text in zip((source, *corrections), texts, strict=True):
        path.write_text(text, encoding="utf-8")
    assert run(monkeypatch, "parallel", "-orig", source, "-cor", *corrections, "-out", out) == 0
    assert sys.argv[-2:] == ["--lang", "en"], "ERRANT's texts are English, and nothing is said of it"
    assert out.read_text(encoding="utf-8") == (
        "S She go home .\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
        "S Fine .\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n"
        "A 1 2|||R:PUNCT|||!|||REQUIRED|||-NONE-|||1\n\n"
    )

"""What a language model wrote besides sentences: told and cleaned alike by every command and by Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.messages import naming_options
from tests.commands import refused

ROOT = Path(__file__).parents[2]


def test_answers_of_a_study_and_of_python_are_cleaned_alike(tmp_path: Path) -> None:
    examples = ROOT / "examples"
    files = examples / "llm" / "answers.txt", examples / "learner.corrected0.txt"
    source = examples / "learner.original.txt"
    [scored] = jperrant.score(*files, source=source, metrics="wer", answers="clean")
    assert any("removed: 3 lines of thought (lines 1-3)" in warning for warning in scored.warnings)
    given = f"source: {source}, references: [{files[1]}], lang: en, systems: {{model: {files[0]}}}"
    study = f"datasets: {{learner: {{{given}, answers: clean}}}}\nmetrics: [wer]\n"
    (tmp_path / "study.yaml").write_text(study)
    ran = CliRunner().invoke(app, ["study", f"{tmp_path}/study.yaml", "-o", f"{tmp_path}/out"])
    assert "removed: 3 lines of thought (lines 1-3)" in ran.output
    assert f"{scored.values['wer']:.4f}" in ran.output


@pytest.mark.parametrize("raw", [[], ["--raw", "--split-on", "blank"]])
def test_annotate_tells_and_cleans_answers(
    raw: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    numbered = tmp_path / "numbered.txt"
    lines = Path("learner.corrected1.txt").read_text(encoding="utf-8").splitlines()
    numbered.write_text("".join(f"{n}. {line}\n" for n, line in enumerate(lines, start=1)), encoding="utf-8")
    files, options = ["learner.original.txt", str(numbered)], ["--lang", "en", "-o", f"{tmp_path}/a.m2", *raw]
    said = f"numbers or bullets before 20 answers (lines 1-20), such as '1. {lines[0]}'"
    told = CliRunner().invoke(app, ["annotate", *files, *options], catch_exceptions=False).stderr
    assert f"corrections: {said}; this counts as changes to the text: give --answers clean" in told
    cleaned = CliRunner().invoke(app, ["annotate", *files, *options, "--answers", "clean"]).stderr
    assert f"{numbered}: removed: {said}\n" in cleaned
    made = (tmp_path / "a.m2").read_bytes()
    CliRunner().invoke(app, ["annotate", files[0], "learner.corrected1.txt", *options])
    assert (tmp_path / "a.m2").read_bytes() == made


def test_answers_that_annotate_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    for option, value in (("--format", "tsv"), ("-o", "/nowhere/OUT/")):
        words = ("annotate", "learner.original.txt", "llm/answers.txt", "--answers", "clean", option, value)
        expected = "files of lines, not --format tsv" if value == "tsv" else "a single output"
        with naming_options():
            assert f"--answers is for {expected}" in refused(*words)

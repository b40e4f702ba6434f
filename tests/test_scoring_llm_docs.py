"""The commands of docs/scoring-llm.md print what the page says."""

from __future__ import annotations

import re
import shlex
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.core.errors import JperrantError

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "scoring-llm.md").read_text(encoding="utf-8")
EXAMPLES = [
    tuple(block.removeprefix("$ jperrant ").split("\n", 1))
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
]


def shown(command: str) -> str:
    result = CliRunner().invoke(app, shlex.split(command), env={"COLUMNS": "100", "TERM": "dumb"})
    if result.exception is not None:
        assert isinstance(result.exception, JperrantError)
        return f"jperrant: {result.exception}\n"
    return result.output


@pytest.mark.models
@pytest.mark.parametrize(("command", "printed"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_example(command: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    lines = [line.rstrip() for line in shown(command).splitlines()]
    assert lines == printed.replace("v:0.1.0", f"v:{version('jperrant')}").splitlines()


def test_the_page_shows_all_it_promises() -> None:
    assert len(EXAMPLES) == 4
    answers = (ROOT / "examples" / "llm" / "answers.txt").read_text(encoding="utf-8")
    assert re.search(r"^```text\n(.*?)…", PAGE, flags=re.MULTILINE | re.DOTALL)[1] in answers  # type: ignore[index]


def test_answers_of_a_study_and_of_python_are_cleaned_alike(tmp_path: Path) -> None:
    examples = ROOT / "examples"
    [scored] = jperrant.score(
        examples / "llm" / "answers.txt",
        examples / "learner.corrected0.txt",
        source=examples / "learner.original.txt",
        metrics="wer",
        answers="clean",
    )
    assert any("taken away: 3 lines of thought (lines 1-3)" in warning for warning in scored.warnings)
    (tmp_path / "study.yaml").write_text(
        f"datasets:\n  learner:\n    source: {examples}/learner.original.txt\n"
        f"    references: [{examples}/learner.corrected0.txt]\n    lang: en\n"
        f"    systems: {{model: {examples}/llm/answers.txt}}\n    answers: clean\nmetrics: [wer]\n"
    )
    ran = CliRunner().invoke(
        app, ["study", "run", f"{tmp_path}/study.yaml", "-o", f"{tmp_path}/out"], catch_exceptions=False
    )
    assert "taken away: 3 lines of thought (lines 1-3)" in ran.output
    assert f"{scored.values['wer']:.4f}" in ran.output

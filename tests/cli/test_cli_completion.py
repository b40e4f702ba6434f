"""What shells complete after the program's name, asked for as bash asks."""

from __future__ import annotations

import pytest

from tests.program import run_program


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jperrant comp", ["compare"]),
        ("jperrant annotate --lang k", ["ko"]),
        ("jperrant annotate --format js", ["jsonl"]),
        ("jperrant annotate --input-format js", ["jsonl"]),
        ("jperrant score --lang z", ["zh"]),
        ("jperrant packs show e", ["el", "en", "es", "et"]),
        ("jperrant score -m cle", ["cleme", "cleme2"]),
        ("jperrant agree -m ll", ["llm-e", "llm-s"]),
        ("jperrant metrics uo", ["uot"]),
        ("jperrant m2 convert --to b", ["bea-json", "brat"]),
        ("jperrant m2 convert --from inc", ["inception"]),
    ],
)
def test_names_that_commands_know_are_completed(
    line: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_JPERRANT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    assert run_program([]).stdout.split() == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_JPERRANT_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "jperrant sc")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    assert "score" in run_program([]).stdout

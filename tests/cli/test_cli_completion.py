"""What shells complete after the program's name, asked for as bash asks."""

from __future__ import annotations

import pytest

from tests.program import run_program


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jperrant comp", ["compare"]),
        ("jperrant annotate --lang k", ["ko"]),
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
    assert run_program([], b"", None).stdout.split() == expected

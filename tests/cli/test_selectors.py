"""One way to select edits by type, in metrics, searches and ERRANT's own flags."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jperrant
from jperrant.core.edits import check_selectors, selectors_of, selects
from jperrant.core.errors import UsageError
from tests.commands import printed, refused

TYPES = ("M:DET", "U:DET", "R:DET", "R:VERB", "R:VERB:SVA", "M:VERB:TENSE", "R:SPELL", "UNK", "Rloc-", "M")
M2 = """S This are gramamtical sentence
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0

S She go to the home
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 3 4|||U:DET||||||REQUIRED|||-NONE-|||0
"""


@pytest.fixture
def m2(tmp_path: Path) -> str:
    (tmp_path / "a.m2").write_text(M2, encoding="utf-8")
    return str(tmp_path / "a.m2")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("R:SPELL", "R:SPELL"),
        ("DET", "M:DET U:DET R:DET"),
        ("VERB*", "R:VERB R:VERB:SVA M:VERB:TENSE"),
        ("VERB:SVA", "R:VERB:SVA"),
        ("*:DET", "M:DET U:DET R:DET"),
        ("M:*", "M:DET M:VERB:TENSE"),
        ("?:VERB*", "R:VERB R:VERB:SVA M:VERB:TENSE"),
        ("*", " ".join(TYPES)),
        ("UNK, Rloc-", "UNK Rloc-"),
        ("M:DET,R:SPELL", "M:DET R:SPELL"),
        ("=DET", ""),
        ("det", ""),
    ],
)
def test_what_is_selected(written: str, expected: str) -> None:
    assert [type_ for type_ in TYPES if selects(selectors_of([written]), type_)] == expected.split()


#: What selects nothing, and the nearest that selects something.
MISSPELT = {"R:SPEL": "R:SPELL", "SPEL": "SPELL", "r:spell": "R:SPELL", "R:VERB:SV": "R:VERB:SVA"}


def test_selectors_of_nothing() -> None:
    with pytest.raises(UsageError, match=r"'WO' of filter= \(there are M, M:DET, .*, …\); give"):
        check_selectors(["WO"], TYPES, "--filter")
    check_selectors(["WO"], (), "--filter")  # of texts without edits nothing can be said
    for written in ("", "DET,", "="):
        with pytest.raises(UsageError, match="empty selector"):
            selectors_of([written])


def test_metrics_leave_out_what_is_selected(m2: str) -> None:
    for selector, left in (("DET", 4), ("VERB*,PREP", 3), ("=R:NOUN", 6)):
        [score] = jperrant.score(m2, m2, metrics=f"errant:filter={selector}")
        assert score.total[0] == left


@pytest.mark.parametrize(
    "command",
    [
        "compare A A --filter {}", "compare A A --verbose --filter {}", "score A --ref A -m errant:filter={}",
        "find A --type {}",
    ],
)  # fmt: skip
def test_commands_refuse_selectors_of_nothing_and_name_the_nearest(m2: str, command: str) -> None:
    def words(selector: str) -> list[str]:
        return [m2 if word == "A" else word for word in command.format(selector).split()]

    for written, meant in MISSPELT.items():
        said = refused(*words(written))
        assert re.search(rf"no edit has the type '{written}' of \S+ \(did you mean '{meant}'\?\)", said)
        printed(*words(f"={written}"))
    printed(*words("DET"))

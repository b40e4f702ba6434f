"""The messages of docs/troubleshooting.md are those that the program prints."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from tests.pages import DOCS, ROOT

PAGE = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
MESSAGES = re.findall(r"^\| `(.*?)` \| [A-Z`]", PAGE, flags=re.MULTILINE)

FILES = {
    "source.txt": "a\n" * 20,
    "short.txt": "a\n" * 19,
    "raw.txt": "This are apple. They too.\nHe go home.\n",
    "cyrillic.txt": "Это плохо .\n",
    "broken.m2": "S a b\nA 1 2|||X|||c|||REQUIRED|||-NONE-\n\n",
    "overlap.m2": "S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\nA 0 2|||X|||e|||REQUIRED|||-NONE-|||0\n\n",
    "past.m2": "S He go .\nA 1 9|||X|||goes|||REQUIRED|||-NONE-|||0\n\n",
    "other.m2": "S Nothing alike\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\n",
    "absent.m2": "S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||1\n\n"
    "S c d\nA 0 1|||X|||e|||REQUIRED|||-NONE-|||0\n\n",
    "mine.m2": "S a b\nA 0 1|||X|||c|||REQUIRED|||-NONE-|||0\n\n" * 40,
    "theirs.m2": "S a b\nA 1 2|||X|||c|||REQUIRED|||-NONE-|||0\n\n" * 40,
}
AMU, CAMB, GOLD = (f"conll14{name}.errant" for name in ("-AMU", "-CAMB", ""))
CALLS = [
    "annotate source.txt short.txt --lang en --models none",
    "annotate raw.txt raw.txt --lang en --models none",
    "annotate cyrillic.txt cyrillic.txt",
    "annotate raw.txt raw.txt --lang xx",
    "annotate latin.txt latin.txt --lang en --models none",
    f"annotate {AMU} {AMU} --lang en --models none",
    f"score broken.m2 --ref {GOLD}",
    "score overlap.m2 --ref overlap.m2 -m gleu",
    "m2 convert past.m2 - --to text",
    "score llm/answers.txt --ref learner.corrected0.txt --source learner.original.txt --models none",
    "annotate cyrillic.txt cyrillic.txt --lang ru",
    f"score {AMU} --ref {GOLD} -m uot",
    f"score {AMU} --ref {GOLD} -m scribendi",
    f"score {AMU} --ref {GOLD} --plots plots",
    f"score {AMU} {GOLD}",
    "score learner.corrected1.txt --ref learner.corrected0.txt",
    f"score {AMU} --ref {GOLD} -m erant",
    f"score other.m2 --ref {GOLD}",
    f"score part.m2 --ref {GOLD}",
    f"score {CAMB} --ref {GOLD} -m cleme2",
    f"compare {AMU} {GOLD} --mode dt",
    "score absent.m2 --ref absent.m2",
    "score mine.m2 --ref theirs.m2",
    "score mine.m2 --ref theirs.m2 --ci --samples 10",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The examples, CoNLL-2014, and files with a mistake each."""
    made = tmp_path_factory.mktemp("troubles")
    shutil.copytree(ROOT / "examples", made, dirs_exist_ok=True)
    for name in (AMU, CAMB, GOLD):
        shutil.copy(ROOT / "tests" / "data" / "conll14" / name, made)
    for name, text in FILES.items():
        (made / name).write_text(text, encoding="utf-8")
    (made / "latin.txt").write_bytes(b"caf\xe9 x\n")
    blocks = (made / AMU).read_text(encoding="utf-8").split("\n\n")[:82]
    (made / "part.m2").write_text("\n\n".join([*blocks, ""]), encoding="utf-8")
    return made


@pytest.mark.parametrize(("call", "message"), list(zip(CALLS, MESSAGES, strict=True)), ids=CALLS)
def test_message(call: str, message: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HF_HUB_CACHE", str(folder / "no-models"))
    if message.startswith("not installed"):
        monkeypatch.setattr("jperrant.core.packages.find_spec", lambda module: None)
    found = CliRunner().invoke(app, call.split())
    assert message in f"{found.output}{found.exception or ''}"

"""The commands of docs/chinese.md print what the page says."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli.main import app
from jperrant.io.cherrant import read_cherrant
from jperrant.m2tools.retokenise import to_characters, to_tokens_of
from jperrant.packs import load_pack

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "chinese.md").read_text(encoding="utf-8")


@pytest.mark.ci
@pytest.mark.models
def test_first_example(tmp_path):
    block = PAGE.split("```console\n")[1].split("```")[0]
    _, source, target, printed = block.split("$ ")
    files = []
    for name, text in (("source.txt", source), ("target.txt", target)):
        assert text.startswith(f"cat {name}\n")
        (tmp_path / name).write_text(text.partition("\n")[2], encoding="utf-8")
        files.append(str(tmp_path / name))
    command, _, expected = printed.partition("\n")
    arguments = [a for a in command.removeprefix("jperrant ").split() if not a.endswith(".txt")]
    result = CliRunner().invoke(app, [arguments[0], *files, *arguments[1:]])
    assert result.stdout == expected  # stderr has progress on a slow machine


def test_every_label_is_described_there():
    words = PAGE.replace("`:PINYIN`", "`SPELL:PINYIN`").replace("`:SHAPE`", "`SPELL:SHAPE`")
    for label in load_pack("zh").labels:
        assert label in words


def test_words_and_characters_are_compared_as_the_page_says():
    words = list(read_cherrant(str(ROOT / "tests" / "data" / "zh" / "nlpcc18_60.ref.word.m2")))
    characters = list(to_characters(words, load_pack("zh").unbroken))
    again = list(to_tokens_of(characters, words, "characters", "words"))
    found = [jperrant.score(side, words, metrics="errant")[0].counts["tp"] for side in (characters, again)]
    assert "they find {:.0f} of 124 edits, and all {:.0f} after".format(*found) in " ".join(PAGE.split())

"""The pages about packs: tables that are up to date, and commands that print what they say."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jperrant.packs import known_packs, load_pack
from tests.platforms import SHELL

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("pack_reference", ROOT / "tools" / "pack_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["packs.md", "labels.md", "languages/README.md"])
def test_the_tables_are_up_to_date(reference, page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert reference.rendered(text) == text, "run python tools/pack_reference.py"


def test_every_label_but_those_that_need_more_has_an_example():
    packs = [load_pack(code) for code in known_packs()]
    edits = [edit for pack in packs for example in pack.examples for edit in example.edits]
    shown = {type_.partition(":")[2] for edit in edits for type_ in edit.types}
    # It needs a tokeniser that makes tokens of white space.
    assert {label for pack in packs for label in pack.labels} - shown == {"SPACE"}


def script(page: str) -> tuple[str, str]:
    """Return the commands of a page as one script, which marks where each ends, and what they print."""
    commands, printed = [], []
    for kind, block in _BLOCK.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        if kind == "sh":
            commands.append(block)
            continue
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            commands.append(f"{command}\n")
            printed.append(output)
    return "".join(commands), "".join(printed)


@pytest.mark.slow
@pytest.mark.ci
@SHELL
def test_a_new_language_in_ten_minutes(tmp_path):
    """The page runs as it is written, in a folder of its own and with nothing but what it says."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "jperrant"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jperrant.cli "$@"\n')
    program.chmod(0o755)
    (tmp_path / "work").mkdir()
    commands, printed = script("new-language.md")
    found = subprocess.run(
        ["bash", "-c", commands],
        cwd=tmp_path / "work",
        env={**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
    )
    assert found.stderr == ""
    assert found.stdout == printed

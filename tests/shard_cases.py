"""Shards for tests, and a pack whose hook does what a sentence says: fails, or kills its process."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from typer.testing import CliRunner, Result

from jperrant.cli.main import app

#: Options of annotation without models.
PLAIN = ("--models", "none", "--lang", "generic")

_HOOK = """
import os
import signal
from pathlib import Path

FOLDER = Path(__file__).parent


def MERGE(spans, alignment):
    words = [token.form for token in alignment.source.tokens]
    if "FAIL" in words:
        raise ValueError("the sentence says so")
    if "DIE" in words:
        os.kill(os.getpid(), signal.SIGKILL)
    if "ONCE" in words:
        try:
            (FOLDER.parent / "died").touch(exist_ok=False)
        except FileExistsError:
            return spans
        os.kill(os.getpid(), signal.SIGKILL)
    return spans
"""


def write_shards(folder: Path, count: int, size: int = 20) -> list[str]:
    """Write shards of TSV with different sentences, every third one compressed, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(count):
        rows = [f"a {number} b {row} c\ta {number} d {row} c e" for row in range(size)]
        text = "".join(f"{row}\n" for row in rows).encode()
        path = folder / f"part-{number:03}.tsv{'.gz' if number % 3 == 2 else ''}"
        path.write_bytes(gzip.compress(text, mtime=0) if path.suffix == ".gz" else text)
        paths.append(str(path))
    return paths


def deadly_pack(folder: Path) -> Path:
    """Write a pack that fails at the word FAIL, dies at DIE, and dies at ONCE the first time."""
    pack = folder / "deadly"
    pack.mkdir(parents=True)
    (pack / "pack.yaml").write_text("code: deadly\nextends: generic\nname: Deadly\n")
    (pack / "hooks.py").write_text(_HOOK)
    return pack


def append(path: str, row: str) -> None:
    """Add a row to a shard that is not compressed."""
    with Path(path).open("a", encoding="utf-8") as stream:
        stream.write(f"{row}\n")


def annotate(*arguments: object) -> Result:
    """Run ``jperrant annotate`` in this process."""
    return CliRunner().invoke(app, ["annotate", *map(str, arguments)])


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a folder, hidden ones included."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def manifest(folder: Path, name: str = "manifest.json") -> dict:
    """Return a manifest."""
    return json.loads((folder / name).read_text(encoding="utf-8"))

"""A pack of a test's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def pack(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes a pack.yaml, and a hooks.py, into a folder of the pack's name."""

    def write(content: str, name: str = "xx", hooks: str = "") -> str:
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "pack.yaml").write_text(content, encoding="utf-8")
        if hooks:
            (folder / "hooks.py").write_text(hooks, encoding="utf-8")
        return str(folder)

    return write

"""Entry points of installed packages."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jperrant.core.packages import entry_points
from jperrant.evaluation.metric_names import GROUP, metrics


def install(folder: Path, name: str) -> None:
    """Put the metadata of a package with one metric into a folder."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:Scorer\n")


def test_packages_on_the_path_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [entry.name for entry in entry_points(GROUP)]
    install(tmp_path, "mymetric")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert [entry.name for entry in entry_points(GROUP)] == ["mymetric", *before]
    assert "mymetric" in metrics()
    sys.path.pop(0)
    assert [entry.name for entry in entry_points(GROUP)] == before

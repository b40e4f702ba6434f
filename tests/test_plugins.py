"""Entry points of installed packages: one scan, and what is installed later is seen."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

import pytest

from jperrant.core.plugins import entry_points
from jperrant.evaluation.metrics.registry import GROUP, metrics


def install(folder: Path, name: str) -> None:
    """Put the metadata of a package with one metric into a folder."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:Scorer\n")


def test_packages_that_come_and_go_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [entry.name for entry in entry_points(GROUP)]
    install(tmp_path / "one", "mymetric")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "one"), *sys.path])
    assert [entry.name for entry in entry_points(GROUP)] == ["mymetric", *before]
    install(tmp_path / "one", "hismetric")
    assert {"mymetric", "hismetric"} <= metrics().keys()
    sys.path.pop(0)
    assert [entry.name for entry in entry_points(GROUP)] == before


def test_packages_are_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scans = []
    scan = importlib.metadata.entry_points

    def counted(**given: str) -> object:
        scans.append(given)
        return scan(**given)

    monkeypatch.setattr(importlib.metadata, "entry_points", counted)
    group = "jperrant.none"
    assert [entry_points(group) for _ in range(3)] == [[], [], []]
    assert scans == [{"group": group}]

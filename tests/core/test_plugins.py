"""Entry points of installed packages: what is installed later is seen."""

from __future__ import annotations

import importlib.metadata
import sys
import zipfile
from pathlib import Path

import pytest

from jperrant.core.packages import entry_points
from jperrant.evaluation.scorers import GROUP, metrics


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


def test_packages_in_archives_and_of_other_finders_are_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "one", "mymetric")
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        for file in (tmp_path / "one").glob("*/*"):
            archive.write(file, file.relative_to(tmp_path / "one"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packed.zip"), *sys.path])
    assert [entry.name for entry in entry_points(GROUP)] == ["mymetric"]
    monkeypatch.undo()

    class Finder:
        def find_spec(self, *_: object) -> None:
            return None

        def find_distributions(self, context: object) -> list[importlib.metadata.Distribution]:
            [info] = (tmp_path / "one").iterdir()
            return [importlib.metadata.Distribution.at(info)]

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert [entry.name for entry in entry_points(GROUP)] == ["mymetric"]

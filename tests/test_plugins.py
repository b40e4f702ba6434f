"""Entry points of installed packages: one scan, and what is installed later is seen."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from jperrant.core.packages import entry_points
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


#: Counts scans of installed packages in a Python where nothing else has been imported: what other libraries put
#: into ``sys.meta_path``, as importlib_metadata does, may know any package, so that then all are asked.
SCANS = """
import importlib.metadata, sys
from jperrant.core.packages import entry_points
scans, scan = [], importlib.metadata.entry_points
def counted(**given):
    scans.append(given["group"])
    return scan(**given)
importlib.metadata.entry_points = counted
sys.path[:] = [sys.argv[1], *[path for path in sys.path if "-packages" not in path]]
found = [len(entry_points(group)) for group in ("jperrant.metrics", "jperrant.metrics", "jperrant.none")]
print(found, scans)
"""


def test_packages_are_looked_through_once(tmp_path: Path) -> None:
    install(tmp_path, "mymetric")
    alone = subprocess.run(
        [sys.executable, "-c", SCANS, tmp_path], capture_output=True, text=True, check=True
    )
    # None names jperrant.none, so that none is asked.
    assert alone.stdout == "[1, 1, 0] ['jperrant.metrics']\n"


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

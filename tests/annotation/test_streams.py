"""What long work keeps aside on disk, and its progress."""

from __future__ import annotations

from pathlib import Path

import pytest

from jperrant.core.errors import InputError
from jperrant.core.progress import reporting
from jperrant.core.values import Annotation, Block
from jperrant.io.m2 import read_m2, spooled, write_m2
from jperrant.m2tools.check import check_m2
from jperrant.m2tools.merge import merge_m2, split_m2
from jperrant.m2tools.stats import corpus_stats
from tests.heard import Heard


def test_temporary_files_have_no_name_and_need_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with spooled([Block(("a",))]):
        assert [*tmp_path.iterdir()] == []  # so a signal leaves none
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"temporary file: cannot be written .*set TMPDIR"), spooled([]):
        pass


def test_long_work_says_what_it_goes_through(tmp_path: Path) -> None:
    path = tmp_path / "gold.m2"
    write_m2([Block(("a",), (Annotation(0), Annotation(1)))] * 3, path)
    heard = Heard()
    with reporting(heard):
        assert not [*check_m2(str(path))]
        corpus_stats(str(path), samples=4)
        assert len([*merge_m2([read_m2(str(path))], ["gold.m2"])]) == 3
        split_m2(read_m2(str(path)), str(tmp_path / "out"))
    assert heard.done == [
        (f"checking {path} (lines)", None, 12),
        (f"reading {path} (sentences)", None, 3),
        ("comparing annotators (sentences)", 3, 3),
        *[("drawing samples", 1, 1)] * 2,
        ("merging (sentences)", 3, 3),
        ("writing (sentences)", 3, 3),
    ]

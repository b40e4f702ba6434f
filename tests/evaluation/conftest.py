"""What the tests of evaluation share: installed packages with metrics, systems of CoNLL-2014."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import invalidate_caches
from pathlib import Path

import numpy as np
import pytest

from jperrant.core.arrays import FloatArray
from jperrant.core.packages import checksum_of_package
from jperrant.encoders.options import EncoderOptions
from jperrant.evaluation.metrics.base import Pair
from tests.m2_cases import load_pairs

CONLL14 = Path(__file__).parents[1] / "data" / "conll14"
SYSTEMS = ("AMU", "CAMB", "IITB", "INPUT")


@pytest.fixture(scope="session")
def conll14() -> dict[str, Pair]:
    """The systems of CoNLL-2014 that the tests have, with the references of both annotators."""
    files = [str(CONLL14 / f"conll14-{system}.errant") for system in SYSTEMS]
    pairs = load_pairs(files, str(CONLL14 / "conll14.errant"), strict=True)
    return dict(zip(SYSTEMS, pairs, strict=True))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Return what puts the code of a metric, its class ``Metric``, where Python finds installed packages."""
    site, module = tmp_path / "site", "jperrant_made_metrics"
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def forget() -> None:
        sys.modules.pop(module, None)
        checksum_of_package.cache_clear()
        invalidate_caches()

    def put(metric: str, code: str) -> None:
        for name, text in {
            f"{module}/__init__.py": code,
            f"{module}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
            f"{module}-1.0.dist-info/entry_points.txt": f"[jperrant.metrics]\n{metric} = {module}:Metric\n",
        }.items():
            (site / name).parent.mkdir(parents=True, exist_ok=True)
            (site / name).write_text(text)
        forget()

    yield put
    forget()


class Letters:
    """An encoder whose vectors count letters, case apart from nothing; it knows how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed(self, texts: Sequence[str], notes: list[str] | None = None) -> FloatArray:
        self.asked.append(list(texts))
        counted = [[text.lower().count(chr(97 + n)) for n in range(26)] for text in texts]
        return np.array(counted, dtype=np.float64).reshape(len(texts), 26) / 4


@pytest.fixture
def letters(monkeypatch: pytest.MonkeyPatch) -> Letters:
    encoder = Letters()
    monkeypatch.setattr(EncoderOptions, "load", lambda _: encoder)
    monkeypatch.setattr(EncoderOptions, "label", property(lambda options: f"enc:{options.encoder}"))
    return encoder

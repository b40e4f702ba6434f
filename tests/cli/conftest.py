"""What tests of the command line share: a program that runs in this process changes nothing of it."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _process_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run programs in this process without what they set for theirs: their signals would end later tests."""
    monkeypatch.setattr("jperrant.cli.main.exit_on_signals", lambda: None)
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)

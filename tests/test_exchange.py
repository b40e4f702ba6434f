"""Exchange formats in general: found by name, nothing lost on the way there and back, what is wrong is said."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from jperrant.core.errors import UsageError
from jperrant.exchange import registry
from jperrant.exchange.registry import format_class, formats, make_format
from tests.exchange_files import HARD, ODD, round_trip

BOTH_WAYS = [name for name in formats() if format_class(name).can_export and format_class(name).can_import]


@pytest.mark.parametrize("name", BOTH_WAYS)
@pytest.mark.parametrize("text", [HARD, ODD, "S", "S\n\nS a\n"])
def test_what_nobody_changed_comes_back_byte_for_byte(name: str, text: str, tmp_path: Path) -> None:
    assert round_trip(text, name, tmp_path) == text


def test_unknown_formats_and_options_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'brut' .did you mean 'brat'"):
        make_format("brut")
    with pytest.raises(UsageError, match=r"no option 'neighbour' .did you mean 'neighbours'"):
        make_format("brat:neighbour=no")
    with pytest.raises(UsageError, match=r"neighbours='maybe', expected yes or no"):
        make_format("brat:neighbours=maybe")


def test_entry_points_add_formats_and_may_not_hide_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = EntryPoint("mine", "jperrant.exchange.brat:BratFormat", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: [mine])
    assert make_format("mine:neighbours=no") == make_format("brat", neighbours=False)
    thief = EntryPoint("brat", "other.package:Thing", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: [thief])
    with pytest.raises(UsageError, match=r"defined twice: jperrant\.exchange.* and other\.package:Thing"):
        formats()

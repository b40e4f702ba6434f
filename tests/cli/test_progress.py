from __future__ import annotations

import doctest
import time

from jperrant.cli import output as module
from jperrant.cli.output import progress


def work(values, seconds):
    for value in values:
        time.sleep(seconds)
        yield value


def test_lines_where_stderr_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(module, "FIRST", 0.05)
    monkeypatch.setattr(module, "INTERVAL", 0.1)
    with progress("annotating", 8) as advance:
        assert list(advance(work(range(8), 0.05))) == list(range(8))
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 8
    assert all(line.startswith("annotating: ") and " of 8 (" in line for line in lines)
    counts = [int(line.split()[1]) for line in lines]
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]


def test_nothing_for_what_takes_seconds_or_is_quiet(capsys, monkeypatch):
    with progress("annotating", 8) as advance:
        assert list(advance(range(8))) == list(range(8))
    monkeypatch.setattr(module, "FIRST", 0.01)
    with progress("annotating", 8, quiet=True) as advance:
        assert list(advance(work(range(8), 0.02))) == list(range(8))
    assert capsys.readouterr().err == ""


def test_a_line_without_a_total_and_after_an_hour():
    assert module.progress_line("typing", 0, None, 3661) == "typing: 0, 1:01:01"
    assert module.progress_line("typing", 0, 5, 4) == "typing: 0 of 5 (0 %), 0:04"
    assert doctest.testmod(module).failed == 0

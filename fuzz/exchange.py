"""The area of exchange formats: any M2 goes out and back, and damaged files of tools are refused or read."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

from fuzz import text
from jperrant.core.errors import InputError, JperrantError
from jperrant.core.m2_format import format_block
from jperrant.exchange.registry import format_class, formats
from jperrant.exchange.side_file import SUFFIX
from jperrant.io.m2 import FormatDeviations, read_m2
from jperrant.m2tools.exchange import export_m2, import_m2


def make(random: Random) -> Any:
    """Return a format and a seed."""
    names = [name for name in formats() if format_class(name).can_export and format_class(name).can_import]
    return {"format": random.choice(sorted(names)), "seed": random.randrange(2**32)}


def check(case: Any, folder: Path) -> None:
    """Check a round trip, and an import after a file of the tool was damaged."""
    random, name = Random(case["seed"]), str(case["format"])
    gold = _gold(random)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        source, back = Path(place, "gold.m2"), Path(place, "back.m2")
        out = Path(place, f"out{format_class(name).suffix}")
        source.write_text(gold, encoding="utf-8", newline="")
        try:
            done = export_m2(str(source), name, str(out))
        except JperrantError:
            return  # what the format cannot hold
        import_m2(str(out), name, str(back))
        assert back.read_bytes().decode() == gold
        _damage(random, [Path(file) for file in done.files if not file.endswith(SUFFIX)])
        try:
            import_m2(str(out), name, str(back))
        except JperrantError:
            return
        sentences = [block.source for block in read_m2(str(source), deviations=FormatDeviations())]
        assert [block.source for block in read_m2(str(back), deviations=FormatDeviations())] == sentences


def _gold(random: Random) -> str:
    blocks = []
    while not blocks:
        for _ in range(random.randint(1, 3)):
            block = text.block(random)
            if block.source[:1] == ("\ufeff",):  # at the start of a file it is a byte-order mark
                continue
            try:
                blocks.append(format_block(block))
            except InputError:
                continue
    return "".join(blocks)


def _damage(random: Random, files: list[Path]) -> None:
    if not files:
        return
    file = random.choice(files)
    content = file.read_bytes().decode()
    file.write_bytes(text.mutated(random, content).encode("utf-8", "replace"))

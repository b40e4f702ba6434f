"""Files of annotation tools: what nobody changed comes back, and what somebody damaged is refused or read."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from fuzz import text
from jperrant.core.errors import InputError, JperrantError
from jperrant.core.m2_format import format_block
from jperrant.core.packages import missing_modules
from jperrant.exchange.base import BUILT_IN, format_class
from jperrant.exchange.side_file import read_original
from jperrant.m2tools.convert import convert_m2
from jperrant.reporting.html.review import review_record


def make(random: Random) -> Any:
    """Return a format, the seed of an M2 file, and that of what is damaged in its export."""
    return [random.choice(sorted(BUILT_IN)), random.randrange(2**32), random.randrange(2**32)]


def check(case: Any, folder: Path) -> None:
    """Export an M2 file and import it, as it is and damaged, with the side file and without."""
    with TemporaryDirectory(dir=folder) as new:  # an export never writes over another
        (_check_review if case[0] == "review" else _check)(case, Path(new))


def _check(case: Any, folder: Path) -> None:
    name, seed, damage = case
    made = format_class(name)
    if missing_modules(made.modules):
        return
    gold, back = folder / "gold.m2", folder / "back.m2"
    gold.write_text(_m2(Random(seed)), encoding="utf-8", newline="")
    out = folder / ("out" if made.is_folder else f"out{made.suffix}")
    try:
        done = convert_m2(str(gold), str(out), "m2", name)
    except InputError:  # a character that XML cannot hold
        return
    if not made.can_import:
        return
    convert_m2(str(out), str(back), name, "m2")
    assert back.read_bytes() == gold.read_bytes(), "what nobody changed comes back"
    random = Random(damage)
    side = [Path(file) for file in done.files if file.endswith(".jperrant.json")]
    written = [Path(file) for file in done.files if Path(file) not in side]
    if not written:  # no tool takes a document without any token
        return
    damaged = random.choice(written)
    content = damaged.read_text(encoding="utf-8")
    damaged.write_text(text.mutated(random, content), encoding="utf-8", errors="surrogatepass", newline="")
    if random.random() < 0.5:
        for path in side:
            path.unlink()
    with suppress(JperrantError):
        convert_m2(str(out), str(back), name, "m2")


def _check_review(case: Any, folder: Path) -> None:
    """Import a review in which nothing is decided, as it is and damaged."""
    _, seed, damage = case
    random = Random(damage)
    gold, back, saved = [folder / name for name in ("gold.m2", "back.m2", "gold.review.json")]
    gold.write_text(_m2(Random(seed)), encoding="utf-8", newline="")
    content = json.dumps(review_record(read_original(str(gold)), gold.name))
    saved.write_text(content, encoding="utf-8")
    convert_m2(str(saved), str(back), "review", "m2")
    assert back.read_bytes() == gold.read_bytes(), "what nobody decided comes back"
    saved.write_text(text.mutated(random, content), encoding="utf-8", errors="surrogatepass", newline="")
    with suppress(JperrantError):
        convert_m2(str(saved), str(back), "review", "m2")


def _m2(random: Random) -> str:
    """Return an M2 file of at least one sentence."""
    blocks: list[str] = []
    while not blocks or random.random() < 0.5:
        with suppress(InputError):
            blocks.append(format_block(text.block(random, wild=random.random() < 0.5)))
    return "".join(blocks)

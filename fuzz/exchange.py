"""Files of annotation tools: unchanged files come back as they were, and damaged files are refused or read.

An import always writes M2 that our reader reads, and writes again as the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from fuzz import text
from jperrant.core.errors import InputError, JperrantError
from jperrant.core.values import format_block
from jperrant.exchange.formats import BUILT_IN, ToolFormat, format_class
from jperrant.exchange.side_file import read_original
from jperrant.io.m2 import FormatDeviations, parse_m2, read_m2
from jperrant.m2tools.convert import convert_m2
from jperrant.reporting.html.review import review_record

#: Values that a file does not have, or has in other places.
VALUES = [
    None, True, -1, 0, 1, 1.5, 10**9, 10**30, "", " ", "a b", "a\nb", "\u0085", "\x1f", "\x00", "|||", "a||b",
    "-NONE-", "noop", "UNK", "\ud800", "\ufeff", "é" * 200, [], {}, [[]], [1], {"a": 1}, ["a"], float("nan"),
    float("inf"),
]  # fmt: skip
#: Deviations that come from annotators: the reader reports them, but the file is not damaged.
ACCEPTED = {"overlapping edits", "alternative corrections (||)", "annotators out of order"}
#: Formats of annotation tools that are written, and the review.
TOOLS = [
    name
    for name in sorted(BUILT_IN)
    if issubclass(made := format_class(name), ToolFormat) and (made.can_write or name == "review")
]


def make(random: Random) -> Any:
    """Return a format, the seed of an M2 file, and the seed of the damage to its export."""
    return [random.choice(TOOLS), random.randrange(2**32), random.randrange(2**32)]


def check(case: Any, folder: Path) -> None:
    """Export an M2 file and import it, as it is and damaged, with the side file and without."""
    with TemporaryDirectory(dir=folder) as new:  # an export never writes over another
        (_check_review if case[0] == "review" else _check)(case, Path(new))


def _check(case: Any, folder: Path) -> None:
    name, seed, damage = case
    made = format_class(name)
    gold, back = folder / "gold.m2", folder / "back.m2"
    gold.write_text(_m2(Random(seed)), encoding="utf-8", newline="")
    out = folder / ("out" if not made.suffix else f"out{made.suffix}")
    try:
        done = convert_m2(str(gold), str(out), "m2", name)
    except InputError:  # a character that XML cannot hold
        return
    if not made.can_read:
        return
    convert_m2(str(out), str(back), name, "m2")
    assert back.read_bytes() == gold.read_bytes(), "what nobody changed comes back"
    random = Random(damage)
    side = [Path(file) for file in done.files if file.endswith(".jperrant.json")]
    written = [Path(file) for file in done.files if Path(file) not in side]
    if not written:  # no tool takes a document without any token
        return
    damaged = random.choice([*written, *side])
    _damage(random, damaged)
    if random.random() < 0.5:
        for path in side:
            path.unlink()
    _import(out, back, name)


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
    _damage(random, saved)
    _import(saved, back, "review")


def _import(out: Path, back: Path, name: str) -> None:
    """Import files, and read back what that writes."""
    back.unlink(missing_ok=True)
    with suppress(JperrantError):
        convert_m2(str(out), str(back), name, "m2")
    if not back.exists():
        return
    deviations = FormatDeviations()
    blocks = list(read_m2(str(back), deviations=deviations))
    again = "".join(map(format_block, blocks))
    if set(deviations.counts) <= ACCEPTED:
        assert again == back.read_bytes().decode("utf-8"), "what an import wrote is written again as it was"
    else:  # the exact text of blocks that nobody changed
        assert list(parse_m2(again.split("\n"), "", FormatDeviations())) == blocks


def _damage(random: Random, path: Path) -> None:
    """Change a file: a few characters, or values of its JSON, or words and attributes of its XML."""
    content = path.read_text(encoding="utf-8")
    kind = random.random()
    if kind < 0.6 and path.suffix in (".json", ".jsonl"):
        with suppress(ValueError):
            lines = content.splitlines() if path.suffix == ".jsonl" else [content]
            content = "\n".join(
                [json.dumps(_changed(random, json.loads(line)), ensure_ascii=False) for line in lines]
            )
    elif kind < 0.6:
        for _ in range(random.randint(1, 3)):
            found = list(re.finditer(r"\d+|\"[^\"]*\"|[^\W\d]+", content))
            if found:
                place = random.choice(found)
                content = content[: place.start()] + str(random.choice(VALUES)) + content[place.end() :]
    else:
        content = text.mutated(random, content)
    path.write_text(content, encoding="utf-8", errors="surrogatepass", newline="")


def _changed(random: Random, value: Any) -> Any:
    """Return JSON with one to three values in it replaced, doubled or left out."""
    for _ in range(random.randint(1, 3)):
        places = list(_places(value))
        if not places:
            return deepcopy(random.choice(VALUES))
        holder, key = random.choice(places)
        match random.randint(0, 4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, holder[key])
            case 2:
                other, name = random.choice(places)
                holder[key] = (
                    json.loads(json.dumps(other[name])) if name in other or isinstance(other, list) else 0
                )
            case _:
                holder[key] = deepcopy(random.choice(VALUES))
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or object in JSON with each of its keys."""
    if isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(inner)


def _m2(random: Random) -> str:
    """Return an M2 file of at least one sentence."""
    blocks: list[str] = []
    while not blocks or random.random() < 0.5:
        with suppress(InputError):
            blocks.append(format_block(text.block(random, wild=random.random() < 0.5)))
    return "".join(blocks)

"""Send M2 files to every annotation tool and back, and count what differs.

    python benchmarks/exchange_round_trips.py FILE.m2... [--formats brat ua-gec]

One row for a file and a format that goes both ways, formats of other packages included: sentences and edits, the
blocks that differ after the round trip (none is expected, and then the files are equal byte for byte), and the
blocks that differ where the side file is missing: what the tool alone does not carry.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from itertools import zip_longest
from pathlib import Path

from jperrant import Block, convert_m2, read_m2
from jperrant.core.errors import JperrantError
from jperrant.core.tables import Cell, Table, render
from jperrant.exchange.base import format_class, formats
from jperrant.exchange.side_file import SUFFIX
from jperrant.exchange.tool import ToolFormat
from jperrant.io.m2 import FormatDeviations

HEADER = ("file", "format", "sentences", "edits", "differ", "bytes", "differ without side file", "seconds")
#: Ways of writing a format that are tried besides the default.
VARIANTS = {"label-studio": ("results=predictions",)}


def main() -> int:
    arguments = parsed()
    rows: list[tuple[Cell, ...]] = []
    different = 0
    for path in arguments.files:
        for spec in arguments.formats or specs():
            row, failed = round_trip(path, spec)
            rows.append(row)
            different += failed
            print(f"{path} {spec}: {'differs' if failed else 'same'}", file=sys.stderr)
    print(render([Table(HEADER, tuple(rows))], "text"), end="")
    return 1 if different else 0


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("files", nargs="+", metavar="FILE.m2")
    parser.add_argument(
        "--formats", nargs="+", metavar="FORMAT", help="Formats; all that go both ways by default."
    )
    return parser.parse_args()


def specs() -> list[str]:
    """Return every format that goes both ways, and its variants."""
    tools = {n: c for n in sorted(formats()) if issubclass(c := format_class(n), ToolFormat)}
    names = [n for n, tool in tools.items() if tool.can_write and tool.can_read]
    return [spec for n in names for spec in (n, *(f"{n}:{variant}" for variant in VARIANTS.get(n, ())))]


def round_trip(path: str, spec: str) -> tuple[tuple[Cell, ...], bool]:
    """Return the row of a file and a format, and whether something differs."""
    name = Path(path).name
    blocks = blocks_of(path)
    edits = sum(len(a.edits) for block in blocks for a in block.annotations)
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        out, back = Path(folder, "out" + format_class(spec.partition(":")[0]).suffix), Path(folder, "back.m2")
        try:
            done = convert_m2(path, str(out), "m2", spec)
            convert_m2(str(out), str(back), spec, "m2")
        except JperrantError as error:
            return (name, spec, len(blocks), edits, str(error), "", "", ""), True
        seconds = time.perf_counter() - begin
        differ = different_blocks(path, str(back))
        same = Path(path).read_bytes() == back.read_bytes()
        without = without_side_file(path, spec, out, back, done.files)
    row = (name, spec, len(blocks), edits, differ, "same" if same else "differ", without, f"{seconds:.1f}")
    return row, differ > 0 or not same


def without_side_file(path: str, spec: str, out: Path, back: Path, files: tuple[str, ...]) -> Cell:
    """Return how many blocks differ if the side file is lost, or what is wrong then."""
    next(Path(file) for file in files if file.endswith(SUFFIX)).unlink()
    try:
        convert_m2(str(out), str(back), spec, "m2")
    except JperrantError as error:
        return str(error)
    return different_blocks(path, str(back))


def different_blocks(path: str, other: str) -> int:
    return sum(a != b for a, b in zip_longest(blocks_of(path), blocks_of(other)))


def blocks_of(path: str) -> list[Block]:
    return list(read_m2(path, deviations=FormatDeviations()))


if __name__ == "__main__":
    sys.exit(main())

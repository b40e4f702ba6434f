"""``jperrant m2 from-kagas`` and ``to-kagas``: M2 as KAGAS writes it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from jperrant.cli.completion import languages
from jperrant.cli.options import Strict
from jperrant.cli.output import say

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")]
Out: TypeAlias = Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")]
Lang: TypeAlias = Annotated[
    str, typer.Option("--lang", "-l", help="Pack whose counterparts are used.", autocompletion=languages)
]


def from_kagas(file: File, lang: Lang = "ko", out: Out = "-", strict: Strict = False) -> None:
    """Convert KAGAS's M2 to jperrant's: letters, the pack's labels, noop.

    jperrant m2 from-kagas kagas.m2 -o ours.m2
    """
    from jperrant.io.files import open_output
    from jperrant.io.kagas import read_kagas
    from jperrant.io.m2 import FormatDeviations, write_m2
    from jperrant.packs import load_pack

    deviations, table = FormatDeviations(strict), load_pack(lang).counterparts
    with open_output(out, [file]) as stream:
        write_m2(read_kagas(file, table, deviations), stream)
    say([summary] if (summary := deviations.summary(file)) else [])


def to_kagas(file: File, lang: Lang = "ko", out: Out = "-", strict: Strict = False) -> None:
    """Convert jperrant's M2 to KAGAS's: its types, no letters, noop with an empty correction.

    jperrant m2 to-kagas ours.m2 -o kagas.m2
    """
    from jperrant.io.files import open_output
    from jperrant.io.kagas import write_kagas
    from jperrant.io.m2 import FormatDeviations, read_m2
    from jperrant.packs import load_pack

    deviations, table = FormatDeviations(strict), load_pack(lang).counterparts
    with open_output(out, [file]) as stream:
        write_kagas(read_m2(file, strict, deviations), stream, table)
    say([summary] if (summary := deviations.summary(file)) else [])

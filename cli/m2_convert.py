"""``jperrant m2 retokenise``, and ``from-`` and ``to-`` another tool: M2 on other tokens, ChERRANT's, KAGAS's."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from jperrant.cli.completion import languages
from jperrant.cli.options import Strict
from jperrant.cli.output import say

File: TypeAlias = Annotated[str, typer.Argument(metavar="FILE.m2", help="The M2 file; - is stdin.")]
Out: TypeAlias = Annotated[str, typer.Option("--out", "-o", help="Where the result goes; - is stdout.")]
Counterparts: TypeAlias = Annotated[
    str, typer.Option("--lang", "-l", help="Pack whose counterparts are used.", autocompletion=languages)
]


class Lettering(StrEnum):
    """What the letters of types mean in a file of ChERRANT's dialect."""

    rsw = "rsw"
    ust = "ust"
    mur = "mur"


Letters: TypeAlias = Annotated[
    Lettering,
    typer.Option(
        help="The letters for redundant, substituted, moved: rsw (ChERRANT), ust (CLEME), or M, U, R."
    ),
]


def retokenise(
    file: File,
    characters: Annotated[bool, typer.Option("--characters", help="Make every character a token.")] = False,
    like: Annotated[
        str | None,
        typer.Option(metavar="OTHER.m2", help="Use the tokens of this file of the same sentences."),
    ] = None,
    out: Out = "-",
    lang: Annotated[
        str,
        typer.Option(
            "--lang", "-l", help="Pack whose unbroken strings stay whole.", autocompletion=languages
        ),
    ] = "zh",
    strict: Strict = False,
) -> None:
    """Carry edits from words to characters, or to the tokens of another file, by character offsets.

    jperrant m2 retokenise words.m2 --characters -o characters.m2

    jperrant m2 retokenise characters.m2 --like words.m2 -o words-again.m2
    """
    from jperrant.core.errors import UsageError
    from jperrant.io.files import check_stdin, open_output
    from jperrant.io.m2 import FormatDeviations, read_m2, write_m2
    from jperrant.m2tools.retokenise import to_characters, to_tokens_of
    from jperrant.packs import load_pack

    if characters == (like is not None):
        raise UsageError(
            f"{'both' if characters else 'neither'} of --characters and --like given; choose one"
        )
    check_stdin((file, like))
    deviations, others = FormatDeviations(strict), FormatDeviations(strict)
    blocks = read_m2(file, strict, deviations)
    if like is None:
        converted = to_characters(blocks, load_pack(lang).unbroken)
    else:
        converted = to_tokens_of(blocks, read_m2(like, strict, others), file, like)
    with open_output(out, [file, *([like] if like else [])]) as stream:
        write_m2(converted, stream)
    say([line for line in (deviations.summary(file), others.summary(like or "")) if line])


def from_cherrant(
    file: File, letters: Letters = Lettering.rsw, out: Out = "-", strict: Strict = False
) -> None:
    """Convert ChERRANT's M2 to jperrant's: letters, deletions, NA; the first of alternatives.

    jperrant m2 from-cherrant ref.m2.char -o ref.m2
    """
    from jperrant.io.cherrant import read_cherrant
    from jperrant.io.files import open_output
    from jperrant.io.m2 import FormatDeviations, write_m2

    deviations, notes = FormatDeviations(strict), list[str]()
    with open_output(out, [file]) as stream:
        write_m2(read_cherrant(file, letters.value, deviations, notes), stream)
    say([*([summary] if (summary := deviations.summary(file)) else []), *notes])


def to_cherrant(
    file: File,
    letters: Letters = Lettering.rsw,
    bare: Annotated[
        bool, typer.Option("--bare", help="Letters without classes, as ChERRANT's at character level.")
    ] = False,
    lang: Annotated[
        str, typer.Option("--lang", "-l", help="Pack whose labels are translated.", autocompletion=languages)
    ] = "zh",
    out: Out = "-",
    strict: Strict = False,
) -> None:
    """Convert jperrant's M2 to ChERRANT's: letters, labels, T lines, -NONE- for deletions.

    jperrant m2 to-cherrant hyp.m2 --bare -o hyp.m2.char
    """
    from jperrant.io.cherrant import write_cherrant
    from jperrant.io.files import open_output
    from jperrant.io.m2 import FormatDeviations, read_m2
    from jperrant.packs import load_pack

    deviations = FormatDeviations(strict)
    labels = load_pack(lang).names_in("cherrant")
    with open_output(out, [file]) as stream:
        write_cherrant(read_m2(file, strict, deviations), stream, letters.value, labels, bare, file)
    say([summary] if (summary := deviations.summary(file)) else [])


def from_kagas(file: File, lang: Counterparts = "ko", out: Out = "-", strict: Strict = False) -> None:
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


def to_kagas(file: File, lang: Counterparts = "ko", out: Out = "-", strict: Strict = False) -> None:
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

"""Options that say what is scored and where the result goes, shared by the commands that score."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from jperrant.cli.completion import languages
from jperrant.core.paths import is_folder

INPUTS, TEXTS, STATISTICS, OUTPUT = "What is scored", "Texts", "Statistics", "Output"


def under(panel: str, *names: str, help: str, metavar: str | None = None, complete: Any = None) -> Any:
    """Return an option that stands under a heading of the help.

    Args:
        panel: The heading.
        names: ``--name``, and a letter.
        help: What it does.
        metavar: What stands for its value.
        complete: Returns the values that a shell offers.
    """
    return typer.Option(*names, help=help, metavar=metavar, autocompletion=complete, rich_help_panel=panel)


SystemFiles: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="SYSTEM", help="Files of systems, as M2 or text.")
]
Hyp: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--hyp", metavar="FILE...", help="Systems, if none stand first.", rich_help_panel=INPUTS),
]
Ref: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--ref",
        metavar="FILE...",
        help="References: all files up to the next option.",
        rich_help_panel=INPUTS,
    ),
]
StrictInputs: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Make every format deviation an error.", rich_help_panel=INPUTS)
]
Source: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="FILE",
        help="The original text, a sentence a line.",
        rich_help_panel=TEXTS,
    ),
]
Lang: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--lang",
        "-l",
        help="Language of texts and encoder (en).",
        rich_help_panel=TEXTS,
        autocompletion=languages,
    ),
]
Raw: TypeAlias = Annotated[
    bool, typer.Option("--raw", help="Texts are not tokenised.", rich_help_panel=TEXTS)
]
SplitOn: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--split-on",
        metavar="blank|newline|model",
        help="Where units of raw texts end.",
        rich_help_panel=TEXTS,
    ),
]
OnePerLine: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--one-sentence-per-line", help="Of raw texts: each line is a sentence.", rich_help_panel=TEXTS
    ),
]
Tokens: TypeAlias = Annotated[
    str,
    typer.Option(
        "--tokens", metavar="given|words|characters", help="What tokens are.", rich_help_panel=TEXTS
    ),
]
Models: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--models",
        help="compact, a folder, spacy:NAME, none …",
        rich_help_panel=TEXTS,
    ),
]
Pack: TypeAlias = Annotated[
    str | None,
    typer.Option("--pack", metavar="FOLDER", help="A language pack.", rich_help_panel=TEXTS),
]
Cache: TypeAlias = Annotated[
    str,
    typer.Option(
        "--cache", metavar="FOLDER", help="Keep annotations and encodings there.", rich_help_panel=TEXTS
    ),
]
Answers: TypeAlias = Annotated[
    str,
    typer.Option(
        "--answers",
        metavar="clean|jsonl:F|tsv:C",
        help="Texts are by language models.",
        rich_help_panel=TEXTS,
    ),
]
Samples: TypeAlias = Annotated[
    int | None, typer.Option("--samples", help="Samples drawn.", rich_help_panel=STATISTICS)
]
Seed: TypeAlias = Annotated[
    int, typer.Option("--seed", help="Seed of random numbers.", rich_help_panel=STATISTICS)
]
ResultFormat: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="text|json|tsv|csv|latex|md|html",
        help="Layout, else as FILE is named; --json.",
        rich_help_panel=OUTPUT,
    ),
]
ResultJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Short for --format json.", rich_help_panel=OUTPUT, hidden=True)
]
Out: TypeAlias = Annotated[
    str,
    typer.Option("--out", "-o", metavar="FILE", help="Where it goes.", rich_help_panel=OUTPUT),
]


def with_files_inside(paths: Sequence[str], pattern: str = "*") -> list[str]:
    """Return paths and, where they are folders, the files inside, which no output may overwrite either.

    Args:
        paths: Files and folders.
        pattern: Which files of folders are read.
    """
    inside = [file for path in paths if is_folder(path) for file in sorted(Path(path).rglob(pattern))]
    return [*paths, *(str(file) for file in inside if file.is_file())]


def input_paths(*given: Sequence[str] | str | None, pack: str | None = None) -> list[str]:
    """Return the paths among what was given, which no output may overwrite, and those of a pack's files.

    Raises:
        PackError: The folder holds no pack that can be read.
    """
    paths: list[str] = []
    for one in given:
        paths += [one] if isinstance(one, str) else list(one or ())
    if pack is None:
        return paths
    from jperrant.packs.dictionary import AUTO
    from jperrant.packs.read import files_of

    return [*paths, *files_of("", pack, None, AUTO)]

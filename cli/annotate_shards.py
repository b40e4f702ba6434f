"""``jperrant annotate`` for corpora in many files: one M2 file for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from jperrant.cli.output import say

if TYPE_CHECKING:
    from jperrant.annotation.shards import ShardSettings, ShardsResult

#: Options of corpora in many files stand in a panel of their own.
_PANEL = "Shards (-o FOLDER/)"

Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Skip finished shards; annotate those that are missing or have changed.",
        rich_help_panel=_PANEL,
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Start over, whatever the folder holds.", rich_help_panel=_PANEL)
]
PartOption = Annotated[
    str | None,
    typer.Option(
        "--part", metavar="K/N", help="Do every N-th shard from the K-th on.", rich_help_panel=_PANEL
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="local|ADDRESS",
        help="Dask workers: local (as many as --jobs), or those of a scheduler (tcp://host:8786, or its file).",
        rich_help_panel=_PANEL,
    ),
]
#: Names of failed shards that are printed.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ShardOptions:
    """The options that only corpora in many files have."""

    resume: bool
    force: bool
    part: str | None
    cluster: str | None

    def wanted(self, out: str) -> bool:
        """Return whether the output is a folder, for one M2 file a shard.

        Raises:
            UsageError: It is not, and there are options for that alone.
        """
        from jperrant.core.errors import UsageError
        from jperrant.io.files import names_folder

        if names_folder(out):
            return True
        given = {
            "--resume": self.resume,
            "--force": self.force,
            "--part": self.part,
            "--cluster": self.cluster,
        }
        for name, value in given.items():
            if value:
                raise UsageError(f"{name} is for shards; give their folder with -o FOLDER/")
        return False


def annotate_folder(
    paths: Sequence[str], out: str, settings: ShardSettings, given: ShardOptions, jobs: int, quiet: bool
) -> None:
    """Annotate shards, and say what came of them; exit code 2 if one failed, 1 if records were set aside."""
    from jperrant.annotation.shards import Part, annotate_shards, find_shards
    from jperrant.cluster.processes import crew_of
    from jperrant.core.errors import UsageError

    if given.resume and given.force:
        raise UsageError(
            "--resume and --force exclude each other: one keeps finished shards, the other replaces them; give "
            "only one"
        )
    shards = find_shards(paths, settings.format)
    part = Part.parse(given.part) if given.part else Part()
    with crew_of(given.cluster, jobs) as crew:
        result = annotate_shards(
            shards, out, settings, crew=crew, resume=given.resume, force=given.force, part=part
        )
    _tell(result, out, quiet)


def _tell(result: ShardsResult, out: str, quiet: bool) -> None:
    """Print what came of shards on stderr, and end with an exit code unless all is well."""
    from jperrant.annotation.shards import summary
    from jperrant.core.display import printable

    say(result.notes)
    failures = [
        reason if reason.startswith(f"{name}:") else f"{name}: {reason}"
        for name, reason in result.failed.items()
    ]
    for line in failures[:_SHOWN]:
        typer.echo(f"jperrant: {printable(line)}", err=True)
    if not quiet or failures or result.rejections:
        typer.echo(printable(f"{out}: {summary(result)}"), err=True)
    if failures:
        raise typer.Exit(2)
    if result.rejections:
        raise typer.Exit(1)

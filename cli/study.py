"""``jperrant study``: a whole experiment from one file."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from jperrant.cli.lean import CommandBox, LeanGroup
from jperrant.cli.options import Quiet

#: The command that a file stands for: ``study FILE`` is ``study run FILE``.
RUN = "run"


class StudyGroup(LeanGroup):
    """Commands of which ``run`` need not be named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``run`` before arguments that begin with no command."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [RUN, *args]
        return super().parse_args(ctx, args)


Folders = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=FOLDER", help="A folder of the study file; repeatable."),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    box = CommandBox(
        name="study",
        cls=StudyGroup,
        help="Run a whole experiment from one file: jperrant study FILE.yaml -o OUT/",
        no_args_is_help=True,
    )
    for name, command in ((RUN, run), ("check", check), ("new", new)):
        box.command(name)(command)
    app.add_typer(box)


def run(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="The study file.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="OUT/", help="Folder of the output.")],
    folders: Folders = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Processes that compute.")] = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            metavar="local|ADDRESS",
            help="Dask workers: local (as many as --jobs), or of a scheduler (tcp://host:8786, or its file).",
        ),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Run the steps that are not done yet, and write tables, plots and a manifest ('run' may be left out).

    Example: jperrant study examples/languages/study.yaml -o results/
    """
    from jperrant.cli.output import say, show
    from jperrant.reporting.study import overview, run_study

    result = run_study(
        file, out, folders=_folders(folders), jobs=jobs, report=None if quiet else _line, cluster=cluster
    )
    say(result.warnings())
    show(overview(result))


def check(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="The study file.")],
    folders: Folders = None,
) -> None:
    """Report every problem in a study file without running it; exit code 1 if there is any."""
    from jperrant.cli.output import show
    from jperrant.evaluation.studies.study_file import check_study
    from jperrant.reporting.study import described, layout_of

    study, problems = check_study(file, _folders(folders))
    if study is None or problems:
        show("".join(f"{problem}\n" for problem in problems))
        raise typer.Exit(1)
    layout_of(study)
    show(described(study))


def new(
    file: Annotated[str, typer.Argument(metavar="FILE.yaml", help="Where it goes; - is stdout.")],
) -> None:
    """Write a study file to start from, with comments that say what goes where."""
    from jperrant.cli.output import show
    from jperrant.evaluation.studies.study_file import new_study

    path = new_study(file)
    if path != "-":
        show(f"{path} written; fill it in, then: jperrant study check {path}\n")


def _folders(given: list[str] | None) -> dict[str, str]:
    """Return folders by name.

    Raises:
        UsageError: Something is not of the form NAME=FOLDER, or a name is given twice.
    """
    from jperrant.core.errors import UsageError

    folders: dict[str, str] = {}
    for one in given or ():
        name, equals, folder = one.partition("=")
        if not equals or not name or not folder:
            raise UsageError(f"--set {one}: expected NAME=FOLDER")
        if name in folders:
            raise UsageError(f"--set {one}: {name} is given twice; give it once")
        folders[name] = folder
    return folders


def _line(step: object, seconds: float | None) -> None:
    """Print a step that is done, on stderr."""
    from jperrant.core.visible import printable

    done = "reused" if seconds is None else f"done {seconds:.1f} s"
    typer.echo(f"{printable(str(step))}: {done}", err=True)

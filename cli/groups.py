"""Options that several commands take: each is declared once; those that go together are one dataclass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, get_type_hints

import typer

from jperrant.core.progress import reporting

if TYPE_CHECKING:
    from jperrant.core.tables import Layout

INPUTS, TEXTS, STATISTICS, OUTPUT = "What is scored", "Texts", "Statistics", "Output"
SPEC = "NAME[:OPTION=VALUE,...]"
Several: TypeAlias = list[str] | None


def option(
    *names: str,
    help: str,
    panel: str | None = None,
    metavar: str | None = None,
    complete: Any = None,
    **more: Any,
) -> Any:
    """Return an option of a command.

    Args:
        names: ``--name``, and a letter.
        help: What it does, in one sentence.
        panel: The heading of the help that it stands under; none for what most people need.
        metavar: What stands for its value; empty for a switch.
        complete: Returns the values that a shell offers.
        **more: As of ``typer.Option``.
    """
    return typer.Option(
        *names, help=help, metavar=metavar, autocompletion=complete, rich_help_panel=panel, **more
    )


def switch(name: str, *letters: str, help: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option without a value; the arguments are those of ``option``."""
    return option(name, *letters, help=help, panel=panel, metavar="", **more)


def languages(incomplete: str) -> Sequence[str]:
    """Return the codes of packs that begin so, which a shell completes."""
    from jperrant.packs.discovery import known_packs

    return _beginning(known_packs(), incomplete)


def metric_names(incomplete: str) -> Sequence[str]:
    """Return the metrics that begin so."""
    from jperrant.evaluation.scorers import metrics

    return _beginning(metrics(), incomplete)


def convertible(incomplete: str) -> Sequence[str]:
    """Return the formats of ``m2 convert`` that begin so."""
    from jperrant.exchange.base import formats

    return _beginning(formats(), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> Sequence[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def _silence(ctx: typer.Context, quiet: bool) -> bool:
    """Show no progress in this command, if so wanted."""
    if quiet:
        ctx.with_resource(reporting(None))
    return quiet


def listed(text: str) -> tuple[str, ...]:
    """Return the parts of a text that are separated by commas."""
    return tuple([part.strip() for part in text.split(",") if part.strip()])


# What most commands take
Quiet: TypeAlias = Annotated[bool, switch("--quiet", "-q", help="Show no progress.", callback=_silence)]
Strict: TypeAlias = Annotated[bool, switch("--strict", help="Refuse M2 that is not written as it should be.")]
Lang: TypeAlias = Annotated[
    str | None,
    option("--lang", "-l", help="Say which language the texts are in.", panel=TEXTS, complete=languages),
]
Pack: TypeAlias = Annotated[
    str | None, option("--pack", metavar="FOLDER", help="Use a language pack of your own.", panel=TEXTS)
]
Models: TypeAlias = Annotated[
    str, option("--models", help="Analyse with compact, a folder, spacy:NAME, none ...", panel=TEXTS)
]
Labels: TypeAlias = Annotated[
    str,
    option(
        "--labels", metavar="SET", help="Use another label set of the pack (en: errant, ud).", panel=TEXTS
    ),
]
Dictionary: TypeAlias = Annotated[
    str,
    option("--dictionary", help="Take the pack's Hunspell dictionary: auto, none, or a path.", panel=TEXTS),
]
RunHooks: TypeAlias = Annotated[
    bool | None,
    option(
        "--hooks/--no-hooks",
        help="Run the Python of all packs, or of none; if neither is given, of installed packs and the one named.",
        panel=TEXTS,
        metavar="",
        show_default=False,
    ),
]
Cluster: TypeAlias = Annotated[
    str | None,
    option(
        "--cluster",
        metavar="ADDRESS",
        help="Compute on the workers of a Dask scheduler.",
        panel="Processes",
    ),
]
Jobs: TypeAlias = Annotated[
    int, option("--jobs", "-j", metavar="N", help="Compute in so many processes.", panel="Processes")
]
BatchSize: TypeAlias = Annotated[
    int,
    option(
        "--batch-size",
        metavar="N",
        help="Look at so many sentences together; it changes speed and memory only.",
        panel="Processes",
    ),
]

# What texts are
Metric: TypeAlias = Annotated[
    Several,
    option(
        "--metric",
        "-m",
        metavar=SPEC,
        complete=metric_names,
        help="Score with this metric ('jperrant metrics' lists them); repeatable.",
    ),
]
Raw: TypeAlias = Annotated[bool, switch("--raw", help="Tokenise the texts, which are raw.", panel=TEXTS)]
SplitOn: TypeAlias = Annotated[
    str | None,
    option(
        "--split-on", metavar="blank|newline|model", help="Say where units of raw texts end.", panel=TEXTS
    ),
]
OnePerLine: TypeAlias = Annotated[
    bool, switch("--one-sentence-per-line", help="Take each raw line as a sentence.", panel=TEXTS)
]
Answers: TypeAlias = Annotated[
    str,
    option(
        "--answers", metavar="clean|jsonl:F|tsv:C", help="Read the texts of language models.", panel=TEXTS
    ),
]
Tokens: TypeAlias = Annotated[
    str, option("--tokens", metavar="given|words|characters", help="Say what a token is.", panel=TEXTS)
]
Cache: TypeAlias = Annotated[
    str, option("--cache", metavar="FOLDER", help="Keep annotations and encodings there.", panel=TEXTS)
]
Names: TypeAlias = Annotated[
    str, option("--names", metavar="A,B", help="Name the systems or annotators.", panel=OUTPUT)
]

# Statistics
Ci: TypeAlias = Annotated[bool, switch("--ci", help="Add 95 % bootstrap intervals.", panel=STATISTICS)]
Samples: TypeAlias = Annotated[
    int | None,
    option("--samples", metavar="N", help="Draw so many samples for each interval.", panel=STATISTICS),
]
Seed: TypeAlias = Annotated[
    int,
    option("--seed", metavar="N", help="Seed the random numbers.", panel=STATISTICS),
]
Category: TypeAlias = Annotated[
    int | None,
    option("--category", metavar="1|2|3", help="Group by operation, category or type.", panel=OUTPUT),
]
Beta: TypeAlias = Annotated[float, option("--beta", help="Weigh recall in F; 0.5 favours precision.")]
Filter: TypeAlias = Annotated[
    Several,
    option("--filter", metavar="TYPE", help="Leave out a type, category or pattern (R:SPELL, DET, R:VERB*)."),
]

# Where results go
Out: TypeAlias = Annotated[
    str, option("--out", "-o", metavar="FILE", help="Write to this file; - is stdout.")
]
Json: TypeAlias = Annotated[bool, switch("--json", help="Print JSON.", panel=OUTPUT)]
Format: TypeAlias = Annotated[
    str | None,
    option(
        "--format",
        metavar="text|json|tsv|csv|latex|md|html",
        help="Choose the layout; --json is short for one.",
        panel=OUTPUT,
    ),
]
ShortJson: TypeAlias = Annotated[bool, switch("--json", help="Print JSON.", panel=OUTPUT, hidden=True)]
Plots: TypeAlias = Annotated[
    str | None, option("--plots", metavar="DIR", help="Draw plots, as SVG and PNG files.", panel=OUTPUT)
]
PlotWidth: TypeAlias = Annotated[
    str, option("--plot-width", metavar="column|text|INCHES", help="Draw plots so wide.", panel=OUTPUT)
]
Title: TypeAlias = Annotated[str, option("--title", help="Give the page this title.", panel=OUTPUT)]


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the fields of its dataclasses as options, and is called with those values.

    Args:
        command: A function; parameters whose type is a dataclass stand for the options of that group.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for own in signature(command).parameters.values():
        if own.name not in groups:
            parameters.append(own.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[own.name]))
            continue
        types = get_type_hints(groups[own.name], include_extras=True)
        parameters += [
            Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=types[f.name])
            for f in fields(groups[own.name])
        ]

    @wraps(command)
    def spread(**given: Any) -> None:
        made = {
            name: group(**{f.name: given.pop(f.name) for f in fields(group)})  # type: ignore[operator]
            for name, group in groups.items()
        }
        command(**given, **made)

    spread.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    spread.__annotations__ = {p.name: p.annotation for p in parameters}
    return spread


@dataclass(frozen=True)
class Statistics:
    """What is drawn at random."""

    ci: Ci = False
    samples: Samples = None
    seed: Seed = 12345


@dataclass(frozen=True)
class Output:
    """Where a table goes, and its format."""

    format: Format = None
    json: ShortJson = False
    out: Out = "-"

    def kind(self, **known: Any) -> str:
        """Return the format of the table; the arguments are those of ``format_of``.

        Raises:
            UsageError: There is no such format.
        """
        from jperrant.core.tables import format_of

        return format_of(self.format, self.out, json=self.json, **known)


@dataclass(frozen=True)
class Look:
    """How the figures of a table look."""

    columns: Annotated[
        str, option("--columns", metavar="f,...", help="Show only these columns.", panel=OUTPUT)
    ] = ""
    intervals: Annotated[
        str,
        option(
            "--intervals", metavar="pm|brackets", help="Write 32.1 +- 2.1, or [29.9, 34.3].", panel=OUTPUT
        ),
    ] = ""
    percent: Annotated[bool, switch("--percent", help="Show figures times 100.", panel=OUTPUT)] = False
    decimals: Annotated[
        int | None, option("--decimals", metavar="N", help="Round figures to so many decimals.", panel=OUTPUT)
    ] = None

    def layout(self, kind: str, bold_best: bool = False) -> Layout:
        """Return the layout that was asked for.

        Args:
            kind: The format of the table.
            bold_best: Whether the best figure stands out.

        Raises:
            UsageError: A value does not exist, or the format has no place for it.
        """
        from jperrant.core.tables import Layout

        layout = Layout(self.intervals, self.percent, self.decimals, listed(self.columns), bold_best)
        layout.check(kind)
        return layout


@dataclass(frozen=True)
class BoldLook(Look):
    """The same for tables of systems, of which one is the best."""

    bold_best: Annotated[
        bool, switch("--bold-best", help="Set the best in bold (latex, md).", panel=OUTPUT)
    ] = False

    def layout(self, kind: str, bold_best: bool = False) -> Layout:
        """Return the layout that was asked for, as that of ``Look``."""
        return super().layout(kind, bold_best or self.bold_best)


@dataclass(frozen=True)
class Drawing:
    """Plots beside a table."""

    plots: Plots = None
    plot_width: PlotWidth = "column"


@dataclass(frozen=True)
class ScoredInputs:
    """Systems, references and metrics, and how texts become edits: the options of everything that scores."""

    files: Annotated[Several, typer.Argument(metavar="SYSTEM", help="Files of systems, as M2 or text.")] = (
        None
    )
    metric: Metric = None
    ref: Annotated[
        Several,
        option("--ref", metavar="FILE...", help="Compare with these: all files up to the next option."),
    ] = None
    hyp: Annotated[Several, option("--hyp", metavar="FILE...", help="Score these, if none stand first.")] = (
        None
    )
    strict: Strict = False
    source: Annotated[
        str | None,
        option("--source", metavar="FILE", help="Read the original text from there.", panel=TEXTS),
    ] = None
    lang: Lang = None
    raw: Raw = False
    split_on: SplitOn = None
    one_sentence_per_line: OnePerLine = False
    answers: Answers = ""
    tokens: Tokens = "given"
    models: Annotated[
        str | None,
        option("--models", help="Analyse with compact, a folder, spacy:NAME, none ...", panel=TEXTS),
    ] = None
    pack: Pack = None
    cache: Cache = ""
    names: Names = ""

    def paths(self) -> list[str]:
        """Return the files that are read, which no output may overwrite.

        Raises:
            PackError: The folder of a pack holds none that can be read.
        """
        from jperrant.cli.output import input_paths

        return input_paths(self.files, self.hyp, self.ref, self.source, pack=self.pack)

    def arguments(self, metrics: Sequence[str] = ("errant",)) -> dict[str, Any]:
        """Return the arguments of ``jperrant.score``.

        Args:
            metrics: The metrics where none is given.

        Raises:
            UsageError: Systems stand in two places, their names do not fit, or a metric or its options are unknown.
        """
        from jperrant.core.errors import UsageError
        from jperrant.core.text import Splitting
        from jperrant.evaluation.inputs import with_names
        from jperrant.evaluation.scorers import make_scorers

        if self.files and self.hyp:
            raise UsageError(
                f"systems stand in two places: {self.files[0]} and, after --hyp, {self.hyp[0]}; give all of them "
                "in one place, and references after --ref"
            )
        return {
            "systems": with_names(self.files or self.hyp or [], listed(self.names)),
            "references": self.ref or None,
            "source": self.source,
            "metrics": make_scorers(self.metric or metrics, self.lang, cache=self.cache),
            "lang": self.lang,
            "raw": self.raw,
            "split_on": Splitting.of_options(self.split_on, self.one_sentence_per_line),
            "tokens": self.tokens,
            "models": self.models,
            "pack": self.pack,
            "cache": self.cache,
            "strict": self.strict,
            "answers": self.answers,
        }


@dataclass(frozen=True)
class NamedInputs(ScoredInputs):
    """The same where systems go by the names of their files."""

    names: Names = "stems"

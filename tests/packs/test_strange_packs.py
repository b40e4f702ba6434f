"""Packs of strangers: whose Python is run, what files they may name, and that one does not break the others."""

from __future__ import annotations

import os
import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.cli.main import app
from jperrant.core.errors import InputError, PackError
from jperrant.packs import discovery
from jperrant.packs.discovery import iter_packs
from jperrant.packs.hooks import HooksNotRunWarning
from jperrant.packs.pack import load_pack
from jperrant.packs.read import read_pack
from tests.platforms import FIFOS, LINKS

BASE = "code: xx\nextends: generic\n"


def _pack(folder: Path, content: str = BASE, hooks: str = "") -> str:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(content, "utf-8")
    if hooks:
        (folder / "hooks.py").write_text(hooks, "utf-8")
    return str(folder)


# Whose Python is run


@pytest.fixture
def family(tmp_path: Path) -> tuple[str, Path]:
    """Return a pack that extends its neighbour, and a folder in which the hooks of both leave a mark."""
    marks = tmp_path / "marks"
    marks.mkdir()
    for name, parent in (("child", "neighbour"), ("neighbour", "generic")):
        hooks = f"from pathlib import Path\n(Path({str(marks)!r}) / {name!r}).touch()\n"
        _pack(tmp_path / name, f"code: {name}\nextends: {parent}\n", hooks)
    return str(tmp_path / "child"), marks


@pytest.mark.parametrize(("hooks", "ran"), [(None, ["child"]), (True, ["child", "neighbour"]), (False, [])])
@pytest.mark.filterwarnings("ignore::jperrant.packs.hooks.HooksNotRunWarning")
def test_hooks_run_where_the_user_named_the_pack_or_asked_for_them(family, hooks, ran):
    folder, marks = family
    load_pack("", folder, hooks=hooks)
    check_pack(folder, hooks)
    jperrant.load("child", models="none", pack=folder, hooks=hooks)
    assert sorted(mark.name for mark in marks.iterdir()) == ran


def test_hooks_that_are_not_run_are_not_silent(family):
    folder, _ = family
    with pytest.warns(HooksNotRunWarning, match=r"neighbour.hooks\.py is not run.*hooks=True"):
        load_pack("", folder)


def test_installed_packs_run_their_hooks_unless_told_not_to():
    assert load_pack("zh").hooks.merge is not None
    assert load_pack("en").rules
    with pytest.raises(PackError, match=r"unknown hook 'preceded_by_auxiliary'.*define it under CONDITIONS"):
        load_pack("en", hooks=False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["annotate", "a.txt", "b.txt", "-l", "child", "--pack", "child", "--models", "none"],
        [
            "m2", "retype", "a.m2", "--gold", "-l", "child", "--pack", "child", "--models", "none", "-o",
            "b.m2",
        ],
        ["packs", "check", "./child"],
    ],
)  # fmt: skip
@pytest.mark.parametrize(("option", "ran"), [("--no-hooks", []), ("--hooks", ["child", "neighbour"])])
def test_the_option_of_the_commands(family, monkeypatch, arguments, option, ran):
    folder, marks = family
    monkeypatch.chdir(Path(folder).parent)
    Path("a.txt").write_text("a b\n", "utf-8")
    Path("b.txt").write_text("a c\n", "utf-8")
    Path("a.m2").write_text("S a b\nA 1 2|||R:OTHER|||c|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
    result = CliRunner().invoke(app, [*arguments, option])
    assert result.exit_code == 0, result.output
    assert sorted(mark.name for mark in marks.iterdir()) == ran


# Files


@FIFOS
@pytest.mark.parametrize("key", ["lexicon: odd", "resources: [odd]", "examples: odd"])
@pytest.mark.parametrize("kind", ["fifo", "device", "link", "link to a folder outside", "folder"])
def test_files_that_are_not_regular_ones_of_the_folder(tmp_path, key, kind):
    (tmp_path / "secret").write_text("[]\n", "utf-8")
    folder = tmp_path / "pack"
    _pack(folder, f"{BASE}{key}\n")
    odd = folder / "odd"
    if kind == "fifo":
        os.mkfifo(odd)
    elif kind == "folder":
        odd.mkdir()
    else:
        target = {"device": "/dev/zero", "link": tmp_path / "secret"}.get(kind, tmp_path)
        odd.symlink_to(target)
    with pytest.raises(
        InputError,
        match=r"pack\.yaml:3: \w+: .*odd(: expected a regular file| links to a file "
        "outside)",
    ):
        load_pack("", str(folder))
    assert len(check_pack(str(folder)).problems) == 1


@LINKS
def test_a_dictionary_is_no_link_out_of_the_folder(tmp_path):
    (tmp_path / "sv_SE.dic").write_text("1\nhus\n", "utf-8")
    folder = tmp_path / "pack"
    _pack(folder, f"{BASE}dictionary: sv_SE\n")
    (folder / "sv_SE.aff").write_text("SET UTF-8\n", "utf-8")
    (folder / "sv_SE.dic").symlink_to(tmp_path / "sv_SE.dic")
    with pytest.raises(InputError, match=r"pack\.yaml:3: dictionary: .*sv_SE\.dic links to a file outside"):
        load_pack("", str(folder))


@LINKS
def test_a_link_inside_the_folder_is_fine(tmp_path):
    folder = tmp_path / "pack"
    _pack(folder, f"{BASE}lexicon: words.txt\n")
    (folder / "real.txt").write_text("word\n", "utf-8")
    (folder / "words.txt").symlink_to("real.txt")
    assert load_pack("", str(folder)).vocabulary.lexicon == {"word"}


@LINKS
@pytest.mark.parametrize("file", ["pack.yaml", "hooks.py"])
def test_the_files_of_a_pack_are_no_links_out_of_it(tmp_path, file):
    _pack(tmp_path / "other", BASE, "raise SystemError('ran')\n")
    folder = tmp_path / "pack"
    _pack(folder)
    (folder / file).unlink(missing_ok=True)
    (folder / file).symlink_to(tmp_path / "other" / file)
    with pytest.raises(InputError, match="links to a file outside the pack's folder"):
        load_pack("", str(folder))


@FIFOS
def test_a_pack_that_is_a_fifo_is_none(tmp_path):
    os.mkfifo(tmp_path / "pack.yaml")
    with pytest.raises(PackError, match="expected the folder of a language pack"):
        load_pack("", str(tmp_path))


# Installed packs


def anew(code):
    """Load a pack that other tests may have loaded before: with options none is shared, see conftest.py."""
    return load_pack(code, dictionary="none")


@pytest.fixture
def install(monkeypatch, tmp_path):
    """Return a function that installs packs as entry points of a package ``strangers``."""
    root = tmp_path / "strangers"
    root.mkdir()
    (root / "__init__.py").write_text("raise SystemError('ran')\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(**packs: str) -> None:
        for name, content in packs.items():
            _pack(root / name, content)
        points = [EntryPoint(name, f"strangers.{name}", discovery.GROUP) for name in packs]
        monkeypatch.setattr(discovery, "entry_points", lambda group: points)

    return install


BROKEN = {
    "not_yaml": "code: [\n",
    "value": "code: 2001-13-45\n",
    "tag": "code: !!python/name:os.system x\n",
    "nul": 'code: "a\\0b"\n',
    "list": "- code\n",
    "empty": "",
    "aliases": "code: q1\naliases: {en: 1}\n",
    "bad_alias": "code: q2\naliases: [[en]]\nextends: 3\n",
    "no_code": "name: x\n",
}


def test_a_broken_pack_does_not_break_the_others(install):
    install(**BROKEN)
    assert anew("en").code == "en"
    assert anew("sv").code == "sv"
    codes = {code: name for code, name, _ in iter_packs()}
    assert {"en", "zh", "ko", *BROKEN} - codes.keys() <= {"aliases", "bad_alias"}
    assert codes["value"].startswith("cannot be used: ")
    assert "2001-13-45" in codes["value"]
    for code in ("not_yaml", "value", "tag", "nul"):
        with pytest.raises(InputError, match=r"strangers.*pack\.yaml:[12]: "):
            load_pack(code)


def test_two_packs_of_one_code_are_an_error_of_that_code_alone(install):
    install(first="code: q1\nextends: generic\n", second="code: q1\nextends: generic\n", own="code: en\n")
    for code in ("q1", "en"):
        with pytest.raises(PackError, match=f"two packs have the code '{code}'"):
            anew(code)
    assert anew("ko").code == "ko"
    assert {code for code, name, _ in iter_packs() if "two packs" in name} == {"q1", "en"}


def test_a_package_whose_finder_fails_is_left_out(monkeypatch):
    def fail(name: str) -> None:
        raise RuntimeError(name)

    monkeypatch.setattr(
        discovery, "entry_points", lambda group: [EntryPoint("q1", "strangers.q1", discovery.GROUP)]
    )
    monkeypatch.setattr(discovery.importlib.util, "find_spec", fail)
    assert anew("en").code == "en"


def test_a_pack_that_a_package_declares_and_does_not_hold(install, tmp_path):
    install(da="code: da\n", en="code: en\n")
    for code in ("da", "en"):
        (tmp_path / "strangers" / code / "pack.yaml").unlink()
    with pytest.raises(PackError, match=r"entry point da = strangers\.da leads to no pack\.yaml"):
        anew("da")
    assert anew("en").code == "en"  # a built-in one is not concerned


# Chains


def _chain(folder: Path, count: int) -> str:
    for n in range(count):
        parent = f"p{n + 1}" if n + 1 < count else "generic"
        rule = f"rules: [{{type: OTHER, when: {{pair: [[a{n}, b{n}]]}}}}]\n"
        _pack(folder / f"p{n}", f"code: p{n}\nextends: {parent}\nlabels: {{L{n}: x}}\n{rule}")
    return str(folder / "p0")


@pytest.mark.slow
@pytest.mark.ci
def test_a_long_chain_of_packs_is_read_in_linear_time(tmp_path):
    short = _chain(tmp_path / "short", 100) if (tmp_path / "short").mkdir() is None else ""
    long = _chain(tmp_path / "long", 1_200) if (tmp_path / "long").mkdir() is None else ""

    def seconds(folder: str) -> float:
        start = time.process_time()
        data = read_pack(Path(folder))
        assert data.keys.labels["L0"] == data.keys.labels["L99"] == "x"
        assert data.keys.rules[99]["when"] == {"pair": [["a99", "b99"]]}
        return time.process_time() - start

    seconds(short)
    assert seconds(long) < 12 * 3 * max(seconds(short), 0.02)


def test_a_circle_is_named(tmp_path):
    _pack(tmp_path / "a", "code: aa\nextends: b\n")
    _pack(tmp_path / "b", "code: bb\nextends: a\n")
    problem = r"b.pack\.yaml:2: extends: the packs extend each other in a cycle: .*a → .*b → .*a; remove"
    with pytest.raises(PackError, match=problem):
        load_pack("", str(tmp_path / "a"))

"""Packs of strangers: whose Python is run, what files they may name, and that one does not break the others."""

from __future__ import annotations

import os
import time
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import jperrant
from jperrant.annotation.pack_check import check_pack
from jperrant.core.errors import InputError, PackError
from jperrant.packs import discovery
from jperrant.packs.discovery import iter_packs
from jperrant.packs.hooks import HooksNotRunWarning
from jperrant.packs.pack import load_pack
from jperrant.packs.read import read_pack
from tests.commands import printed
from tests.platforms import FIFOS, LINKS

BASE = "code: xx\nextends: generic\n"

# Whose Python is run


@pytest.fixture
def marks(pack, tmp_path, monkeypatch):
    """Return what tells whose hooks have run, in a folder of a pack, ``child``, that extends its neighbour."""
    monkeypatch.chdir(tmp_path)
    for name, parent in (("child", "neighbour"), ("neighbour", "generic")):
        hooks = f"from pathlib import Path\nPath('{name}.mark').touch()\n"
        pack(f"code: {name}\nextends: {parent}\n", name, hooks)
    return lambda: sorted(path.stem for path in tmp_path.glob("*.mark"))


@pytest.mark.parametrize(("hooks", "ran"), [(None, ["child"]), (True, ["child", "neighbour"]), (False, [])])
@pytest.mark.filterwarnings("ignore::jperrant.packs.hooks.HooksNotRunWarning")
def test_hooks_run_where_the_user_named_the_pack_or_asked_for_them(marks, hooks, ran):
    load_pack("", "child", hooks=hooks)
    check_pack("./child", hooks)
    jperrant.load("child", models="none", pack="child", hooks=hooks)
    assert marks() == ran


def test_hooks_that_are_not_run_are_not_silent(marks):
    with pytest.warns(HooksNotRunWarning, match=r"neighbour.hooks\.py is not run.*hooks=True"):
        load_pack("", "child")


def test_installed_packs_run_their_hooks_unless_told_not_to():
    assert load_pack("zh").hooks.merge is not None
    with pytest.raises(PackError, match=r"unknown hook 'preceded_by_auxiliary'.*define it under CONDITIONS"):
        load_pack("en", hooks=False)


@pytest.mark.parametrize(
    "command",
    [
        "annotate a.txt b.txt -l child --pack child --models none",
        "m2 retype a.m2 --gold -l child --pack child --models none -o b.m2",
        "packs check ./child",
    ],
)
def test_the_option_of_the_commands(marks, command):
    Path("a.txt").write_text("a b\n", "utf-8")
    Path("b.txt").write_text("a c\n", "utf-8")
    Path("a.m2").write_text("S a b\nA 1 2|||R:OTHER|||c|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
    for option, ran in (("--no-hooks", []), ("--hooks", ["child", "neighbour"])):
        printed(*command.split(), option)
        assert marks() == ran


# Files


@FIFOS
@pytest.mark.parametrize(
    ("key", "file", "target", "message"),
    [
        ("lexicon: odd", "odd", "secret", r"pack\.yaml:3: lexicon: .*odd links to a file outside"),
        ("dictionary: sv_SE", "sv_SE.dic", "secret", r"pack\.yaml:3: dictionary: .*dic links to a file outside"),
        ("", "hooks.py", "secret", r"hooks\.py links to a file outside the pack's folder"),
        ("", "pack.yaml", "secret", r"pack\.yaml links to a file outside the pack's folder"),
        ("resources: [odd]", "odd", "folder", r"pack\.yaml:3: resources: .*odd: expected a regular file"),
        ("examples: odd", "odd", "/dev/zero", r"pack\.yaml:3: examples: .*odd: expected a regular file"),
        ("lexicon: odd", "odd", "fifo", r"pack\.yaml:3: lexicon: .*odd: expected a regular file"),
        ("", "pack.yaml", "fifo", r"found no pack\.yaml, expected the folder of a language pack"),
    ],
)  # fmt: skip
def test_files_that_are_not_regular_ones_of_the_folder(pack, tmp_path, key, file, target, message):
    (tmp_path / "secret").write_text("raise SystemError('ran')\n", "utf-8")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    folder = pack(f"{BASE}{key}\n")
    Path(folder, file).unlink(missing_ok=True)
    Path(folder, file).symlink_to(tmp_path / target)
    with pytest.raises(InputError, match=message):
        load_pack("", folder)
    assert len(check_pack(folder).problems) == 1


@LINKS
def test_a_link_inside_the_folder_is_fine(pack):
    folder = pack(f"{BASE}lexicon: words.txt\n")
    Path(folder, "real.txt").write_text("word\n", "utf-8")
    Path(folder, "words.txt").symlink_to("real.txt")
    assert load_pack("", folder).vocabulary.lexicon == {"word"}


# Installed packs


def anew(code):
    """Load a pack that other tests may have loaded before: with options none is shared, see conftest.py."""
    return load_pack(code, dictionary="none")


@pytest.fixture
def install(monkeypatch, tmp_path):
    """Return a function that installs packs, or none where a content is empty, as those of a package."""
    root = tmp_path / "strangers"
    root.mkdir()
    (root / "__init__.py").write_text("raise SystemError('ran')\n", "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(**packs: str | None) -> None:
        for name, content in packs.items():
            if content is not None:
                (root / name).mkdir()
                (root / name / "pack.yaml").write_text(content, "utf-8")
        points = [EntryPoint(name, f"strangers.{name}", discovery.GROUP) for name in packs]
        monkeypatch.setattr(discovery, "entry_points", lambda group: points)

    return install


BROKEN = {
    "not_yaml": "code: [\n",
    "value": "code: 2001-13-45\n",
    "tag": "code: !!python/name:os.system x\n",
    "nul": 'code: "a\\0b"\n',
    "empty": "",
    "aliases": "code: q1\naliases: {en: 1}\n",
    "bad_alias": "code: q2\naliases: [[en]]\nextends: 3\n",
    "no_code": "name: x\n",
}


def test_a_broken_pack_does_not_break_the_others(install):
    install(**BROKEN)
    assert anew("en").code == "en"
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


def test_a_package_whose_finder_fails_is_left_out(monkeypatch, install):
    def fail(name: str) -> None:
        raise RuntimeError(name)

    install(q1=None)
    monkeypatch.setattr(discovery.importlib.util, "find_spec", fail)
    assert anew("en").code == "en"


def test_a_pack_that_a_package_declares_and_does_not_hold(install):
    install(da=None, en=None)
    with pytest.raises(PackError, match=r"entry point da = strangers\.da leads to no pack\.yaml"):
        anew("da")
    assert anew("en").code == "en"  # a built-in one is not concerned


@pytest.mark.slow
@pytest.mark.ci
def test_a_long_chain_of_packs_is_read_in_linear_time(pack):
    length = 1_200
    for n in range(length):
        parent = f"p{n + 1}" if n + 1 < length else "generic"
        rule = f"rules: [{{type: OTHER, when: {{pair: [[a{n}, b{n}]]}}}}]\n"
        pack(f"code: p{n}\nextends: {parent}\nlabels: {{L{n}: x}}\n{rule}", f"p{n}")

    def seconds(first: int) -> float:
        start = time.process_time()
        keys = read_pack(Path(pack(f"code: xx\nextends: p{first}\n"))).keys
        assert keys.labels[f"L{first}"] == keys.labels[f"L{length - 1}"] == "x"
        assert keys.rules[99]["when"] == {"pair": [[f"a{first + 99}", f"b{first + 99}"]]}
        return time.process_time() - start

    seconds(length - 100)
    assert seconds(0) < 12 * 3 * max(seconds(length - 100), 0.02)

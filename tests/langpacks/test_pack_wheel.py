"""A pack by somebody else, installed from a wheel: found by its entry point, and not run until it is asked for."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.ci]

PACK = """\
code: qpx
name: Pretend
aliases: [pretend]
extends: generic
labels: {SHOUT: capitals throughout}
rules:
  - {type: SHOUT, when: {hook: shouted}}
examples:
  - {source: hey you, target: HEY you, edits: [[0, 1, HEY, "R:SHOUT"]]}
"""
HOOKS = """\
from pathlib import Path

Path(__file__).with_name("ran").touch()
CONDITIONS = {"shouted": lambda view: view.target_text.isupper() and view.text.islower()}
"""
METADATA = "Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel(folder: Path, name: str, code: str) -> Path:
    """Write a wheel with one pack; its package lies inside another, whose Python must not run."""
    files = {
        f"{name}/__init__.py": "raise SystemExit('the package was imported')\n",
        f"{name}/packs/qpx/pack.yaml": PACK.replace("qpx", code),
        f"{name}/packs/qpx/hooks.py": HOOKS,
        f"{name}-1.0.dist-info/METADATA": METADATA.format(name=name),
        f"{name}-1.0.dist-info/WHEEL": WHEEL,
        f"{name}-1.0.dist-info/entry_points.txt": f"[jperrant.langpacks]\n{code} = {name}.packs.qpx\n",
    }
    record = f"{name}-1.0.dist-info/RECORD"
    rows = [f"{file},{digest(content)},{len(content.encode())}" for file, content in files.items()]
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        archive.writestr(record, "\n".join([*rows, f"{record},,"]) + "\n")
    return path


def digest(content: str) -> str:
    found = base64.urlsafe_b64encode(hashlib.sha256(content.encode()).digest()).rstrip(b"=")
    return f"sha256={found.decode()}"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Install a wheel into a folder of its own and return the folder."""
    folder = tmp_path_factory.mktemp("site")
    made = wheel(folder, "qpx_pack", "qpx")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, str(folder / "lib"), str(made)], check=True, capture_output=True)
    return folder / "lib"


def run(site: Path, *arguments: str, code: int = 0, path: str = "") -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *([path] if path else [])])}
    found = subprocess.run(
        [sys.executable, "-m", "jperrant.cli", *arguments],
        cwd=site, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == code, found.stderr
    return found.stdout + found.stderr


def test_a_pack_from_a_wheel(site, tmp_path):
    ran = site / "qpx_pack" / "packs" / "qpx" / "ran"
    assert "Pretend" in run(site, "packs", "list")
    assert "SHOUT" in run(site, "packs", "show", "pretend")
    assert not ran.exists()
    assert "no problems" in run(site, "packs", "check", "qpx")
    assert ran.exists()
    for name, line in (("source", "hey you"), ("target", "HEY you")):
        (tmp_path / name).write_text(line + "\n")
    files = [str(tmp_path / name) for name in ("source", "target")]
    assert "R:SHOUT" in run(site, "annotate", *files, "--lang", "qpx", "--models", "none")


def test_two_packs_with_one_code_are_named_both(site, tmp_path):
    with zipfile.ZipFile(wheel(tmp_path, "other_pack", "qpx")) as archive:
        archive.extractall(tmp_path / "lib")
    said = run(site, "packs", "show", "qpx", code=2, path=str(tmp_path / "lib"))
    assert "two packs have the code 'qpx'" in said
    assert "qpx_pack" in said
    assert "other_pack" in said
    assert said.count("\n") == 1

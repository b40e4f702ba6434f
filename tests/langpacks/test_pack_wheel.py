"""A pack by somebody else, installed from a wheel: found by its entry point, and not run until it is asked for."""

from __future__ import annotations

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
    files[record] = "".join([f"{file},,\n" for file in [*files, record]])
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return path


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Install a wheel into a folder of its own and return the folder."""
    folder = tmp_path_factory.mktemp("site")
    made = wheel(folder, "qpx_pack", "qpx")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, str(folder / "lib"), str(made)], check=True, capture_output=True)
    return folder / "lib"


def run(site: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "jperrant.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    found = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
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

"""The store: what was put is there, whatever ends or damages what; and one program holds a folder at a time."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from jperrant.core.errors import InputError, UsageError
from jperrant.core.store import Store, held


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "folder" / "store.sqlite")


def test_values_are_by_kind_and_key(store: Store) -> None:
    assert store.get("score", "a") is None
    assert not store.path.exists(), "looking makes no file"
    store.put("score", {"a": b"1", "b": b""})
    store.put("annotate", {"a": b"2" * 100_000})
    store.put("score", {"b": b"3"})
    assert store.get_many("score", ["a", "b", "c"]) == {"a": b"1", "b": b"3"}
    assert store.get("annotate", "a") == b"2" * 100_000
    assert pickle.loads(pickle.dumps(store)).get("score", "a") == b"1"
    assert len(store.get_many("score", [*map(str, range(40_000)), "a"])) == 1


def test_one_wrong_bit_is_a_missing_value(store: Store) -> None:
    values = {"a": b"a value of some length", "b": b"another"}
    store.put("score", values)
    store.close()
    whole = bytearray(store.path.read_bytes())
    whole[whole.index(b"x\x9c") + 6] ^= 1  # where a compressed value begins
    store.path.write_bytes(whole)
    found = store.get_many("score", values)
    assert len(found) == 1
    assert found.items() < values.items()


@pytest.mark.parametrize("kept", [0, 20_000, None])
def test_a_file_that_is_no_store_is_made_anew(store: Store, kept: int | None) -> None:
    store.put("score", {str(n): os.urandom(3000) for n in range(50)})
    store.close()
    store.path.write_bytes(b"not a database " * 100 if kept is None else store.path.read_bytes()[:kept])
    store.get_many("score", ["1", "49"])
    store.put("score", {"a": b"2"})
    assert store.get("score", "a") == b"2"


def test_a_folder_with_files_in_its_place_stays(store: Store) -> None:
    store.path.mkdir(parents=True)
    (store.path / "notes").write_text("mine")
    with pytest.raises(InputError, match=r"store\.sqlite: cannot be used"):
        store.put("score", {"a": b"1"})
    assert (store.path / "notes").read_text() == "mine"


HOLDING = """
import sys, time
from pathlib import Path
from jperrant.core.store import held
with held(Path(sys.argv[1])):
    print("holds", flush=True)
    time.sleep(60)
"""


@pytest.mark.ci
def test_one_program_holds_a_folder_and_lets_go_when_it_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "holds\n"
        with pytest.raises(UsageError, match="is in use by another program"), held(tmp_path):
            pass
        program.send_signal(signal.SIGKILL)
        program.wait()
    refusal = pytest.raises(UsageError, match="in use")
    with held(tmp_path), held(tmp_path, "another part"), refusal, held(tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "another part"]


RACING = """
import sys, time
from pathlib import Path
from jperrant.core.errors import UsageError
from jperrant.core.store import held
folder, end, done = Path(sys.argv[1]), time.monotonic() + 3, 0
while time.monotonic() < end:
    try:
        with held(folder):
            (folder / "inside").open("x").close()  # which fails where another is inside
            (folder / "inside").unlink()
            done += 1
    except UsageError:
        pass
print(done)
"""


@pytest.mark.ci
def test_programs_that_come_and_go_are_never_inside_together(tmp_path: Path) -> None:
    programs = [
        subprocess.Popen([sys.executable, "-c", RACING, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    entered = [int(program.communicate()[0] or -1) for program in programs]
    assert [program.returncode for program in programs] == [0, 0, 0]
    assert sum(entered) > 3


def test_two_processes_write_to_one_store(store: Store) -> None:
    code = (
        "import sys; from pathlib import Path; from jperrant.core.store import Store\n"
        "store = Store(Path(sys.argv[1]))\n"
        "for n in range(200): store.put('score', {f'{sys.argv[2]}{n}': b'1' * 500})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(store.path), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(store.get_many("score", [f"{name}{n}" for name in "ab" for n in range(200)])) == 400

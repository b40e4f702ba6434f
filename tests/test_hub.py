"""Getting Stanza's official models from a hub on localhost, and what can go wrong on the way."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from typer.testing import CliRunner

from jperrant.cli.main import app
from jperrant.core.errors import CorruptModelError, MissingModelError
from jperrant.parse.models import find_models

from .hub_server import serving
from .program import PROGRAM

pytestmark = pytest.mark.models

PARSER = "depparse/combined_charlm.pt"


@pytest.fixture
def server(small_hub, tmp_path, monkeypatch):
    """A server of the small hub, which Stanza takes for the real one, and an empty folder for its models."""
    common = pytest.importorskip("stanza.resources.common")
    with serving(small_hub) as running:
        monkeypatch.setattr(common, "DEFAULT_RESOURCES_URL", running.environment["STANZA_RESOURCES_URL"])
        monkeypatch.setattr(common, "DEFAULT_MODEL_URL", running.environment["STANZA_MODEL_URL"])
        monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "cache"))
        running.folder = tmp_path / "cache"
        yield running
    # Stanza leaves an answer open that it refuses: collected later, another test would be told of its socket.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def get(*arguments):
    return CliRunner().invoke(app, ["models", "get", *arguments])


def refused(*arguments, says):
    done = get(*arguments)
    assert done.exit_code == 1
    error = done.exception
    assert isinstance(error, MissingModelError)
    assert says in str(error)
    assert "\n" not in str(error)
    return error


def there(folder):
    """Return what lies in a folder: names and contents."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_default_is_got_and_found(server, small_hub):
    assert get("en").exit_code == 0
    models = find_models("default", "en", None, "en")
    assert set(models.files) == {"tokenize", "mwt", "pos", "lemma", "depparse"}
    assert {kind for kind, _ in models.foundations} == {"pretrain", "forward_charlm", "backward_charlm"}
    own = {"resources.json"} | {str(f.relative_to(server.folder)) for f in models.every_file}
    assert set(there(server.folder)) == own  # nothing that only names entities or feelings
    for file in models.every_file:
        kind, name = file.parts[-2:]
        assert file.read_bytes() == (small_hub / "en" / "models" / kind / name).read_bytes()
    with pytest.raises(MissingModelError, match="jperrant models get en default_fast"):
        find_models("default_fast", "en", None, "en")
    server.asked.clear()
    assert get("en", "default_fast").exit_code == 0  # what both have is not got again
    assert [path.rsplit("/", 2)[1] for path in server.asked[1:]] == ["pos", "depparse"]
    assert find_models("default_fast", "english", None, "en").lang == "en"


@pytest.mark.parametrize("fault", ["cut", "wrong", 404, 500])
def test_what_went_wrong_is_left_out_and_got_next_time(server, fault):
    server.faults[PARSER] = fault
    error = refused("en", says="the depparse model 'combined_charlm'")
    assert ("has the checksum" in str(error)) == (fault == "wrong")
    files = there(server.folder)
    assert not any("getting" in name or name.endswith(PARSER) for name in files)
    with pytest.raises(MissingModelError, match="run: jperrant models get en"):
        find_models("default", "en", None, "en")
    server.faults.clear()
    server.asked.clear()
    assert get("en").exit_code == 0
    assert len(server.asked) < 8
    assert server.asked[1].endswith(PARSER)
    assert find_models("default", "en", None, "en")


def test_older_models_stay_usable_where_newer_ones_cannot_be_got(server):
    assert get("en").exit_code == 0
    before = there(server.folder)
    newer = json.loads(before["resources.json"])
    newer["en"]["depparse"]["combined_charlm"]["md5"] = "0" * 32
    server.resources = json.dumps(newer).encode()
    refused("en", says=f"expected {'0' * 32}")
    assert there(server.folder) == before
    assert find_models("default", "en", None, "en")


@pytest.mark.parametrize(
    ("address", "says"),
    [("http://127.0.0.1:9/list", "Connection"), ("http://nowhere.invalid/list", "nowhere.invalid")],
)
def test_an_unreachable_hub(server, monkeypatch, address, says):
    monkeypatch.setattr("stanza.resources.common.DEFAULT_RESOURCES_URL", address)
    assert says in str(refused("en", says="could not get the list of models (http://"))
    assert not server.folder.exists()


def test_lists_of_models_of_other_versions(server, small_hub):
    own = json.loads((small_hub / "resources.json").read_text())
    english = own["en"]
    del english["packages"]  # as before Stanza 1.5.1
    server.resources = json.dumps(own).encode()
    refused("en", says="before 1.5.1, whose models later")
    for damage in (b"{", b"[]", b"<html>moved</html>"):
        server.resources = damage
        refused("en", says="list of models" if damage != b"[]" else "has no models for 'en'")
    english["packages"] = {"default": {"pos": ["one", "two"]}}
    server.resources = json.dumps(own).encode()
    assert isinstance(get("en").exception, CorruptModelError)
    english["packages"] = {"default": {"pos": "not-there"}}
    server.resources = json.dumps(own).encode()
    refused("en", says="lists a pos model 'not-there'")
    assert not server.folder.exists()


def test_what_the_hub_does_not_have(server):
    refused("fr", says="Stanza's hub has no models for 'fr'")
    refused("en", "--package", "default_fats", says="did you mean 'default_fast'?")
    assert not server.folder.exists()


def test_a_folder_that_cannot_be_written(server, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "file" / "models"))
    refused("en", says="set STANZA_RESOURCES_DIR")


def test_nothing_is_written_where_everything_is_there(server):
    assert get("en").exit_code == 0
    before = {path: path.stat().st_mtime_ns for path in (server.folder, *server.folder.rglob("*"))}
    assert get("en").exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in (server.folder, *server.folder.rglob("*"))} == before


def test_two_at_once(server, small_hub):
    from jperrant.parse.hub import get_models

    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(get_models, ["en", "en"])
    assert one == other == find_models("default", "en", None, "en")
    for file in one.every_file:
        assert file.read_bytes() == (small_hub / "en" / "models" / file.parts[-2] / file.name).read_bytes()


def test_the_addresses_of_the_real_hub(small_hub, tmp_path):
    """Stanza's list sends to Hugging Face's hub, whose own client then fetches the files."""
    with serving(small_hub) as running:
        environment = {
            **os.environ, "STANZA_RESOURCES_URL": running.environment["STANZA_RESOURCES_URL"],
            "HF_ENDPOINT": running.address, "HF_HOME": str(tmp_path / "hf"),
            "STANZA_RESOURCES_DIR": str(tmp_path / "cache"), "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
            "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_TELEMETRY": "1",
        }  # fmt: skip
        command = [*PROGRAM, "models", "get", "en", "default_fast"]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, timeout=120
        )
    assert done.returncode == 0, done.stderr
    assert any("/stanfordnlp/stanza-en/resolve/v" in path for path in running.asked)
    own = small_hub / "en" / "models" / "depparse" / "combined_nocharlm.pt"
    assert (tmp_path / "cache" / "en" / "depparse" / own.name).read_bytes() == own.read_bytes()

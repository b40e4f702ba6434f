"""Getting Stanza's official models from a hub on localhost, and what can go wrong on the way."""

from __future__ import annotations

import gc
import importlib
import json
import os
import re
import subprocess
import warnings
from functools import partial

import pytest

from jperrant.core.errors import MissingModelError
from jperrant.parse.models import find_models
from tests.commands import printed, refused
from tests.program import PROGRAM

from .hub_server import serving

pytestmark = [pytest.mark.slow, pytest.mark.models]

PARSER = "depparse/combined_charlm.pt"


@pytest.fixture
def server(small_hub, tmp_path, monkeypatch):
    """A server of the small hub, which Stanza takes for the real one, and an empty folder for its models."""
    stanza = pytest.importorskip("stanza")
    common = stanza.resources.common
    with serving(small_hub) as running:
        of_list = {"resources_url": f"{running.address}/list"}
        model_url = f"{running.address}/{{lang}}/models/{{filename}}"
        monkeypatch.setattr(stanza, "download", partial(stanza.download, **of_list, model_url=model_url))
        get_list = partial(common.download_resources_json, **of_list)
        monkeypatch.setattr(common, "download_resources_json", get_list)
        monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "cache"))
        running.folder = tmp_path / "cache"
        yield running
    # Stanza leaves an answer open that it refuses: collected later, another test would be told of its socket.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def there(folder):
    """Return what lies in a folder: names and contents."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_default_is_got_and_found(server, small_hub):
    printed("models", "get", "en")
    models = find_models("default", "en", None, "en")
    assert set(models.files) == {"tokenize", "mwt", "pos", "lemma", "depparse"}
    assert {f.parent.name for f in models.foundations} == {"pretrain", "forward_charlm", "backward_charlm"}
    own = {"resources.json"} | {str(f.relative_to(server.folder)) for f in models.every_file}
    assert set(there(server.folder)) == own  # nothing that only names entities or feelings
    for file in models.every_file:
        assert file.read_bytes() == small_hub.joinpath("en", "models", *file.parts[-2:]).read_bytes()
    with pytest.raises(MissingModelError, match="jperrant models get en default_fast"):
        find_models("default_fast", "en", None, "en")
    server.asked.clear()
    printed("models", "get", "en", "default_fast")  # what both have is not got again
    assert sorted(path.rsplit("/", 2)[1] for path in server.asked[1:]) == ["depparse", "pos"]
    assert find_models("default_fast", "english", None, "en").lang == "en"


@pytest.mark.parametrize("fault", ["cut", "wrong", 404, 500])
def test_what_went_wrong_is_left_out_and_got_next_time(server, fault):
    server.faults[PARSER] = fault
    assert "run the command again" in refused("models", "get", "en")
    assert not any(name.endswith(PARSER) for name in there(server.folder))
    with pytest.raises(MissingModelError, match="run: jperrant models get en"):
        find_models("default", "en", None, "en")
    server.faults.clear()
    server.asked.clear()
    printed("models", "get", "en")
    assert len(server.asked) < 8
    assert find_models("default", "en", None, "en")


@pytest.mark.ci
@pytest.mark.parametrize("address", ["127.0.0.1:9", "nowhere.invalid"])
def test_an_unreachable_hub(server, monkeypatch, address):
    common = importlib.import_module("stanza.resources.common")
    elsewhere = partial(common.download_resources_json, resources_url=f"http://{address}/list")
    monkeypatch.setattr(common, "download_resources_json", elsewhere)
    assert re.search(
        f"could not get the models .*{address.partition(':')[0]}", refused("models", "get", "en")
    )
    assert there(server.folder) == {}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "cannot be read"),
        ("[]", "found list, expected a mapping"),
        ("[" * 100_000, "cannot be read"),
        ({"default": {"pos": ["one", "two"]}}, "as the name of a model"),
        ({"default": {"pos": "not-there"}}, "the pos model"),
    ],
)
def test_lists_of_models_that_are_none(server, small_hub, content, said):
    resources = json.loads((small_hub / "resources.json").read_text())
    resources["en"]["packages"] = content
    server.resources = (content if isinstance(content, str) else json.dumps(resources)).encode()
    assert said in refused("models", "get", "en")


def test_what_the_hub_does_not_have_and_a_folder_that_cannot_be_written(server, monkeypatch, tmp_path):
    assert "found no package 'default' for 'fr'" in refused("models", "get", "fr")
    assert "did you mean 'default_fast'?" in refused("models", "get", "en", "default_fats")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "file" / "models"))
    assert "STANZA_RESOURCES_DIR names another folder" in refused("models", "get", "en")


@pytest.mark.ci
def test_the_addresses_of_the_real_hub(small_hub, tmp_path):
    """Stanza's list sends to Hugging Face's hub, whose own client then fetches the files."""
    with serving(small_hub) as running:
        environment = {
            **os.environ, "STANZA_RESOURCES_URL": f"{running.address}/list",
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

"""Getting Stanza's official models from a hub on localhost, and what can go wrong on the way."""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import re
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from jperrant.core.errors import MissingModelError
from jperrant.parse.models import find_models
from tests.commands import printed, refused
from tests.program import run_program

pytestmark = [pytest.mark.slow, pytest.mark.models]

PARSER = "depparse/combined_charlm.pt"


class HubServer(ThreadingHTTPServer):
    """Serves a hub.

    Args:
        hub: Folder that ``tiny_hub.write_hub`` made.

    Attributes:
        faults: What is wrong with a file, by the end of its address: a status, or ``cut`` or ``wrong``.
        asked: The addresses that were asked for.
        resources: What stands for ``resources.json``; None for the hub's own.
    """

    daemon_threads = True

    def __init__(self, hub: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.hub = hub
        self.faults: dict[str, int | str] = {}
        self.asked: list[str] = []
        self.resources: bytes | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def content(self, path: str) -> bytes | None:
        """Return what lies at an address."""
        if path.startswith("/list/resources_"):
            return self.resources or (self.hub / "resources.json").read_bytes()
        # Hugging Face's addresses: /stanfordnlp/stanza-en/resolve/v1.15.0/models/pos/ewt.pt
        parts = path.strip("/").split("/")
        if parts[0] == "stanfordnlp":
            parts = [parts[1].removeprefix("stanza-"), *parts[4:]]
        file = self.hub.joinpath(*parts)
        return file.read_bytes() if file.is_file() else None


class _Handler(BaseHTTPRequestHandler):
    server: HubServer

    def do_GET(self) -> None:
        """Send a file, or say what it is."""
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        fault = next((f for end, f in self.server.faults.items() if path.endswith(end)), "")
        body = self.server.content(path)
        status = fault if isinstance(fault, int) else 404 if body is None else 200
        body = b"<html>this is no model</html>" if status != 200 or body is None else body
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{hashlib.sha256(body).hexdigest()}"')
        self.send_header("X-Repo-Commit", "0" * 40)
        self.end_headers()
        if fault == "wrong":
            body = bytes(len(body))
        if self.command == "GET":
            self.wfile.write(body[: len(body) // 2] if fault == "cut" else body)
        self.close_connection = True

    do_HEAD = do_GET

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


@contextmanager
def serving(hub: Path) -> Iterator[HubServer]:
    """Serve a hub until the end of the block."""
    server = HubServer(hub)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


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
        gc.freeze()  # only what the test makes is looked through below
        yield running
    # Stanza leaves an answer open that it refuses: collected later, another test would be told of its socket.
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
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
def test_the_addresses_of_the_real_hub(small_hub, tmp_path, monkeypatch):
    """Stanza's list sends to Hugging Face's hub, whose own client then fetches the files."""
    for name, value in {
        "HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_TELEMETRY": "1",
        "STANZA_RESOURCES_DIR": str(tmp_path / "cache"), "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    with serving(small_hub) as running:
        monkeypatch.setenv("STANZA_RESOURCES_URL", f"{running.address}/list")
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        done = run_program(["models", "get", "en", "default_fast"])
    assert done.returncode == 0, done.stderr
    assert any("/stanfordnlp/stanza-en/resolve/v" in path for path in running.asked)
    own = small_hub / "en" / "models" / "depparse" / "combined_nocharlm.pt"
    assert (tmp_path / "cache" / "en" / "depparse" / own.name).read_bytes() == own.read_bytes()

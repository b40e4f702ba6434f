"""A real server of Label Studio takes what is written for it, and what it exports is read.

Needs the program: ``pip install label-studio`` in an environment of its own, its folder ``bin`` in PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from jperrant.m2tools.convert import convert_m2
from tests.exchange_files import HARD

PROGRAM = shutil.which("label-studio")
pytestmark = [pytest.mark.ci, pytest.mark.skipif(PROGRAM is None, reason="label-studio is not installed")]
USER, PASSWORD = "anna@example.org", "a-password-of-the-test"
#: Seconds that a server may take to make its database.
STARTING = 300


class Client:
    """A user of a server, who has logged in as in a browser."""

    def __init__(self, address: str) -> None:
        self.address, self.cookies = address, CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.cookies))
        self.opener.open(f"{address}/user/login", timeout=30).read()
        form = {"email": USER, "password": PASSWORD, "csrfmiddlewaretoken": self._token()}
        login = Request(f"{address}/user/login", urlencode(form).encode(), {"Referer": address})
        self.opener.open(login, timeout=30).read()

    def _token(self) -> str:
        return next(str(cookie.value) for cookie in self.cookies if cookie.name == "csrftoken")

    def ask(self, path: str, data: Any = None) -> Any:
        """Return the server's answer; with data they are posted. An answer of 400 and more is an error."""
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._token(), "Referer": self.address}
        content = None if data is None else json.dumps(data).encode()
        with self.opener.open(Request(f"{self.address}{path}", content, headers), timeout=60) as answer:
            return json.loads(answer.read())


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder, address = tmp_path_factory.mktemp("server"), f"http://127.0.0.1:{port}"
    quiet = {"COLLECT_ANALYTICS": "False", "LATEST_VERSION_CHECK": "False", "SENTRY_DSN": ""}
    environment = {**os.environ, **quiet, "LABEL_STUDIO_BASE_DATA_DIR": str(folder)}
    command = [str(PROGRAM), "start", "--no-browser", "--internal-host", "127.0.0.1", "--port", str(port)]
    command += ["--username", USER, "--password", PASSWORD]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
        try:
            deadline = time.monotonic() + STARTING
            while time.monotonic() < deadline and server.poll() is None:
                try:
                    made = Client(address)
                    break
                except (URLError, OSError):
                    time.sleep(1)
            else:
                pytest.fail((folder / "log").read_text(errors="replace")[-2000:])
            yield made
        finally:
            server.terminate()
            server.wait(30)


@pytest.mark.parametrize("query", ["", "&download_all_tasks=true"])
def test_annotations_come_back_from_the_server(client: Client, query: str, tmp_path: Path) -> None:
    (tmp_path / "gold.m2").write_text(HARD, encoding="utf-8")
    convert_m2(tmp_path / "gold.m2", tmp_path / "out", "m2", "label-studio")
    configuration = (tmp_path / "out" / "labels.xml").read_text(encoding="utf-8")
    project = client.ask("/api/projects", {"title": "from a test", "label_config": configuration})["id"]
    tasks = json.loads((tmp_path / "out" / "tasks.json").read_text(encoding="utf-8"))
    made = client.ask(f"/api/projects/{project}/import", tasks)
    assert (made["task_count"], made["annotation_count"]) == (4, 5)
    first = client.ask(f"/api/projects/{project}/export?exportType=JSON&download_all_tasks=true")[0]["id"]
    guess = {"task": first, "model_version": "a model", "result": []}
    client.ask("/api/predictions", guess)  # comes back as its id alone
    export = client.ask(f"/api/projects/{project}/export?exportType=JSON{query}")
    (tmp_path / "export.json").write_text(json.dumps(export), encoding="utf-8")
    side = tmp_path / "out" / "gold.jperrant.json"
    convert_m2(tmp_path / "export.json", tmp_path / "back.m2", "label-studio", "m2", side=side)
    assert (tmp_path / "back.m2").read_text(encoding="utf-8") == HARD
    # What a user of the server adds is that user's.
    client.ask(f"/api/tasks/{first}/annotations", {"result": []})
    export = client.ask(f"/api/projects/{project}/export?exportType=JSON{query}")
    (tmp_path / "export.json").write_text(json.dumps(export), encoding="utf-8")
    done = convert_m2(tmp_path / "export.json", tmp_path / "more.m2", "label-studio", "m2", side=side)
    assert any("number 2" in note for note in done.notes)
    assert (tmp_path / "more.m2").read_text(encoding="utf-8").count("|||2\n") == 1

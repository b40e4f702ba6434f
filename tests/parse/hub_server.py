"""A server of a hub on localhost: Stanza's list of models, its files, and the addresses of Hugging Face's hub."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


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
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

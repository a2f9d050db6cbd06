"""A server that answers as a test says, for faults and requests that a real service does not show."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from commands import EMAIL

from mayfly._core import Response

ANSWER: Any = {
    "email": {**EMAIL, "action_link": {"url": EMAIL["links"][0], "text": "Confirm", "kind": "confirm"}},
    "emails": [EMAIL], "next_cursor": None, "order": "oldest", "deleted": 1,
}  # fmt: skip


def json_of(answer: object) -> Response:
    return Response(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())


@dataclass
class Stub:
    """A running server and the paths and headers of its requests so far."""

    url: str
    paths: list[str]
    headers: list[Message]


@contextmanager
def stub(answer: Callable[[str], Response]) -> Iterator[Stub]:
    """Starts a server that answers each path with a response."""
    paths: list[str] = []
    headers: list[Message] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            paths.append(self.path)
            headers.append(self.headers)
            response = answer(self.path)
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        do_DELETE = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield Stub(f"http://127.0.0.1:{server.server_port}", paths, headers)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

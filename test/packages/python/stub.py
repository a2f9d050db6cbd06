"""A server that answers as a test says, for faults and requests that a real service does not show."""

from __future__ import annotations

import json
import ssl
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


class QuietHandler(BaseHTTPRequestHandler):
    """Answers requests without a log."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], tls: ssl.SSLContext | None = None) -> Iterator[str]:
    """Starts a server with a handler, yields its URL, and stops it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    try:
        yield f"{'http' if tls is None else 'https'}://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def stub(answer: Callable[[str], Response]) -> Iterator[Stub]:
    """Starts a server that answers each path with a response."""
    paths: list[str] = []
    headers: list[Message] = []

    class Handler(QuietHandler):
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

    with serving(Handler) as url:
        yield Stub(url, paths, headers)

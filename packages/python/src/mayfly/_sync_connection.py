# Generated from _async_connection.py by `npm run build:python`; do not edit.
"""HTTP/1.1 on a connection of the synchronous client (RFC 9112)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from urllib.parse import urlsplit

from ._core import Deadline, Request, Response
from ._sync_channel import Channel

_HEAD_MAX = 64 * 1024


class Connection:
    """Sends one request at a time."""

    has_answered: bool
    """Whether a byte of the response to the last request has arrived."""
    is_reusable: bool
    """Whether the last response was read to its end, and both sides keep the connection."""
    _keeps_alive: bool

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._unread = b""

    def begin(self, request: Request, deadline: Deadline) -> Response:
        """Sends the request and returns the response without its body. Raises OSError, EOFError, ValueError."""
        self.has_answered = self.is_reusable = False
        self._channel.write(_head_of(request) + (request.body or b""), deadline)
        status = 100
        while 100 <= status < 200:
            version, status = _status_of(self._line(deadline))
            headers = self._fields(deadline)
        self._keeps_alive = version == "HTTP/1.1" and "close" not in headers.get("connection", "").lower()
        return Response(status, headers, b"")

    def body(self, response: Response, deadline: Deadline) -> bytes:
        """Returns the rest of the response."""
        return b"".join([part for part in self.parts(response, lambda: deadline)])

    def parts(self, response: Response, limit: Callable[[], Deadline]) -> Generator[bytes, None, None]:
        """Yields the body in parts; `limit` gives the time for each."""
        if response.header("Transfer-Encoding").lower() == "chunked":
            while size := _size_of(self._line(limit())):
                yield from self._exactly(size, limit)
                self._line(limit())
            self._fields(limit())
        elif response.status not in (204, 304):
            length = response.header("Content-Length")
            if length:
                yield from self._exactly(int(length), limit)
            else:
                self._keeps_alive = False
                while part := self._some(limit(), sys.maxsize):
                    yield part
        self.is_reusable = self._keeps_alive and self._unread == b""

    def is_quiet(self) -> bool:
        """Returns whether the other side has neither ended the connection nor sent more."""
        return self._channel.is_quiet()

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

    def _fields(self, deadline: Deadline) -> dict[str, str]:
        headers: dict[str, str] = {}
        size = 0
        while line := self._line(deadline):
            size += len(line)
            if size > _HEAD_MAX:
                raise ValueError("the headers of the response are too long")
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        return headers

    def _line(self, deadline: Deadline) -> str:
        while b"\n" not in self._unread:
            if len(self._unread) > _HEAD_MAX:
                raise ValueError("a line of the response is too long")
            self._unread += self._received(deadline)
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode("latin-1").rstrip("\r")

    def _exactly(self, size: int, limit: Callable[[], Deadline]) -> Generator[bytes, None, None]:
        while size > 0:
            part = self._some(limit(), size)
            if part == b"":
                raise EOFError("the response ended too early")
            size -= len(part)
            yield part

    def _some(self, deadline: Deadline, most: int) -> bytes:
        unread = self._unread or self._channel.read(deadline)
        self._unread = unread[most:]
        return unread[:most]

    def _received(self, deadline: Deadline) -> bytes:
        data = self._channel.read(deadline)
        if data == b"":
            raise EOFError("the connection ended before the response")
        self.has_answered = True
        return data


def _head_of(request: Request) -> bytes:
    parts = urlsplit(request.url)
    headers = {"Host": parts.netloc.rpartition("@")[2], **request.headers}
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{request.method} {target} HTTP/1.1"]
    lines += [f"{name}: {_checked(value)}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def _checked(value: str) -> str:
    if "\r" in value or "\n" in value:
        raise ValueError("a header value contains a line break")
    return value


def _status_of(line: str) -> tuple[str, int]:
    version, _, rest = line.partition(" ")
    if not version.startswith("HTTP/1."):
        raise ValueError("the answer is not HTTP")
    return version, int(rest[:3])


def _size_of(line: str) -> int:
    size = int(line.partition(";")[0], 16)
    if size < 0:
        raise ValueError("a chunk of the response has a negative size")
    return size

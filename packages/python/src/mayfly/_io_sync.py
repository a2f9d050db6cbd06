"""Blocking sockets and pauses; `_io_async` has the same functions for asyncio."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import TypeVar

from ._core import Deadline

T = TypeVar("T")

_CHUNK = 64 * 1024


def connect(host: str, port: int, deadline: Deadline) -> socket.socket:
    """Returns a connected socket. Raises OSError, TimeoutError at the deadline."""
    sock = socket.create_connection((host, port), _seconds(deadline))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def send(sock: socket.socket, data: bytes, deadline: Deadline) -> None:
    """Sends all bytes. Raises OSError, TimeoutError at the deadline."""
    sock.settimeout(_seconds(deadline))
    sock.sendall(data)


def receive(sock: socket.socket, deadline: Deadline) -> bytes:
    """Returns the bytes that are there, waits for the first; b"" at the end. Raises OSError, TimeoutError."""
    sock.settimeout(_seconds(deadline))
    return sock.recv(_CHUNK)


def sleep(seconds: float) -> None:
    """Pauses."""
    time.sleep(seconds)


def slow(make: Callable[[], T]) -> T:
    """Returns the result of a function that takes long."""
    return make()


def _seconds(deadline: Deadline) -> float:
    # A time-out of 0 would make the socket non-blocking.
    if deadline.left == 0:
        raise TimeoutError
    return max(deadline.left, 0.001)

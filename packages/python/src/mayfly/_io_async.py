"""Sockets and pauses of asyncio; `_io_sync` has the same functions for threads."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ._core import Deadline

T = TypeVar("T")

_CHUNK = 64 * 1024


async def connect(host: str, port: int, deadline: Deadline) -> socket.socket:
    """Returns a connected socket. Raises OSError, TimeoutError at the deadline."""
    loop = asyncio.get_running_loop()
    found = await _limited(loop.getaddrinfo(host, port, type=socket.SOCK_STREAM), deadline)
    failure: OSError | None = None
    for family, kind, protocol, _, address in found:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await _limited(loop.sock_connect(sock, address), deadline)
            return sock
        except TimeoutError:
            sock.close()
            raise
        except OSError as error:
            sock.close()
            failure = error
        except BaseException:
            sock.close()
            raise
    raise failure or OSError(f"{host} has no address")


async def send(sock: socket.socket, data: bytes, deadline: Deadline) -> None:
    """Sends all bytes. Raises OSError, TimeoutError at the deadline."""
    await _limited(asyncio.get_running_loop().sock_sendall(sock, data), deadline)


async def receive(sock: socket.socket, deadline: Deadline) -> bytes:
    """Returns the bytes that are there, waits for the first; b"" at the end. Raises OSError, TimeoutError."""
    return await _limited(asyncio.get_running_loop().sock_recv(sock, _CHUNK), deadline)


async def sleep(seconds: float) -> None:
    """Pauses."""
    await asyncio.sleep(seconds)


async def slow(make: Callable[[], T]) -> T:
    """Returns the result of a function that takes long, and runs it in a thread beside the event loop."""
    return await asyncio.to_thread(make)


async def _limited(awaitable: Awaitable[T], deadline: Deadline) -> T:
    try:
        return await asyncio.wait_for(awaitable, deadline.left)
    except asyncio.TimeoutError as error:
        # Before Python 3.11 these are two classes.
        raise TimeoutError from error

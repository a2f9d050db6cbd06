# Generated from _async_channel.py by `npm run build:python`; do not edit.
"""The bytes of a connection of the synchronous client, with TLS or without."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ._core import Deadline
from ._io_sync import connect, receive, send, slow
from ._tls import Tls

T = TypeVar("T")

_CHUNK = 64 * 1024


class Channel:
    """A connected socket. TLS runs in memory, so that both kinds of clients share it.

    A socket belongs to no event loop while no operation uses it, so a later loop can use it too.
    """

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._encrypted_in = ssl.MemoryBIO()
        self._encrypted_out = ssl.MemoryBIO()
        self._tls: ssl.SSLObject | None = None

    @classmethod
    def open(cls, host: str, port: int, tls: Tls | None, deadline: Deadline) -> Channel:
        """Connects, with `tls` encrypted. Raises OSError, TimeoutError at the deadline."""
        context = None if tls is None else tls.ready or slow(tls.make)
        channel = cls(connect(host, port, deadline))
        if context is None:
            return channel
        try:
            channel._encrypt(context, host, deadline)
        except BaseException:
            channel.close()
            raise
        return channel

    def _encrypt(self, context: ssl.SSLContext, host: str, deadline: Deadline) -> None:
        tls = context.wrap_bio(self._encrypted_in, self._encrypted_out, server_hostname=host)
        try:
            self._exchange(tls.do_handshake, deadline)
        except ssl.SSLError:
            # The server gets the alert that says why, if it still listens.
            with suppress(OSError):
                self._flush(deadline)
            raise
        self._flush(deadline)
        self._tls = tls

    def write(self, data: bytes, deadline: Deadline) -> None:
        """Sends all bytes."""
        if self._tls is None:
            send(self._sock, data, deadline)
            return
        self._tls.write(data)
        self._flush(deadline)

    def read(self, deadline: Deadline) -> bytes:
        """Returns the next bytes; b"" if the other side has ended the connection."""
        if self._tls is None:
            return receive(self._sock, deadline)
        tls = self._tls
        try:
            return self._exchange(lambda: tls.read(_CHUNK), deadline)
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            return b""

    def _exchange(self, step: Callable[[], T], deadline: Deadline) -> T:
        """Returns the result of a step of TLS, and sends and receives what it needs."""
        while True:
            try:
                return step()
            except ssl.SSLWantReadError:
                self._flush(deadline)
                data = receive(self._sock, deadline)
                if data:
                    self._encrypted_in.write(data)
                else:
                    self._encrypted_in.write_eof()

    def _flush(self, deadline: Deadline) -> None:
        if data := self._encrypted_out.read():
            send(self._sock, data, deadline)

    def is_quiet(self) -> bool:
        """Returns whether the other side has sent nothing, not even the end, since the last response."""
        try:
            self._sock.setblocking(False)
            self._sock.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return self._encrypted_in.pending == 0
        except OSError:
            pass
        return False

    def close(self) -> None:
        """Ends the connection."""
        self._sock.close()

    # Without it, a client that is collected would give a warning for each socket.
    __del__ = close

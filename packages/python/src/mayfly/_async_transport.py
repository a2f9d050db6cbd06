"""Runs operations of the asynchronous client on kept connections."""

from __future__ import annotations

import os
import threading
from collections.abc import AsyncGenerator
from typing import TypeVar
from urllib.parse import urlsplit

from ._async_channel import AsyncChannel
from ._async_connection import AsyncConnection
from ._core import Command, Deadline, Http, Operation, Request, Response, Sleep, TransportError
from ._io_async import sleep
from ._tls import Tls

T = TypeVar("T")

# What connections raise for responses that do not come, end too early, or are not HTTP.
_ERRORS = (OSError, EOFError, ValueError)
_IDLE_MAX = 16
# Proxies and networks forget idle connections, some of them without a message.
_IDLE_SECONDS = 30.0
# Methods whose requests have the same effect once or twice (RFC 9110, section 9.2.2).
_REPEATABLE = ("GET", "DELETE")

Origin = tuple[str, str, int]


class AsyncTransport:
    """The connections of a client to its service. All threads and event loops may share it."""

    def __init__(self, http: Http) -> None:
        self.http = http
        self._tls = Tls()
        self._lock = threading.Lock()
        self._idle: list[tuple[Origin, AsyncConnection, Deadline]] = []
        self._process = os.getpid()

    async def run(self, operation: Operation[T]) -> T:
        """Runs an operation to its end and returns its result."""
        try:
            command = next(operation)
            while True:
                try:
                    response = await self._perform(command)
                except TransportError as error:
                    command = operation.throw(error)
                else:
                    command = operation.send(response)
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            # A cancelled operation runs its own clean-up now, and not when it is collected.
            operation.close()

    async def lines(self, request: Request, silence: float) -> AsyncGenerator[Response | str, None]:
        """Yields the response, without its body, then the lines of the body. Ends if it is silent for too long."""
        connection: AsyncConnection | None = None
        try:
            connection = await self._open(_origin_of(request.url), Deadline(silence))
            response = await connection.begin(request, Deadline(silence))
            if response.status != 200:
                body = await connection.body(response, Deadline(silence))
                yield Response(response.status, response.headers, body)
                return
            yield response
            rest = b""
            async for part in connection.parts(response, lambda: Deadline(silence)):
                *complete, rest = (rest + part).split(b"\n")
                for line in complete:
                    yield line.decode("utf-8").rstrip("\r")
        except _ERRORS as error:
            raise _failure(error) from error
        finally:
            if connection is not None:
                connection.close()

    async def _perform(self, command: Command) -> Response | None:
        if isinstance(command, Sleep):
            await sleep(command.seconds)
            return None
        deadline = Deadline(command.timeout)
        origin = _origin_of(command.url)
        try:
            kept = self._take(origin) if command.method in _REPEATABLE else None
            if kept is not None:
                try:
                    return await self._fetch(origin, kept, command, deadline)
                except (OSError, EOFError):
                    # The service has closed the connection while the request was on its way.
                    if kept.has_answered:
                        raise
            return await self._fetch(origin, await self._open(origin, deadline), command, deadline)
        except _ERRORS as error:
            raise _failure(error) from error

    async def _fetch(
        self, origin: Origin, connection: AsyncConnection, request: Request, deadline: Deadline
    ) -> Response:
        try:
            response = await connection.begin(request, deadline)
            response = Response(response.status, response.headers, await connection.body(response, deadline))
        except BaseException:
            connection.close()
            raise
        self._keep(origin, connection)
        return response

    async def _open(self, origin: Origin, deadline: Deadline) -> AsyncConnection:
        scheme, host, port = origin
        tls = self._tls if scheme == "https" else None
        return AsyncConnection(await AsyncChannel.open(host, port, tls, deadline))

    def _take(self, origin: Origin) -> AsyncConnection | None:
        """Returns a kept connection that is still open, the one that was used last."""
        with self._lock:
            if self._process != os.getpid():
                # The connections belong to the process that was copied.
                self._process = os.getpid()
                self._idle = []
            old = [item for item in self._idle if item[2].left == 0]
            self._idle = [item for item in self._idle if item[2].left > 0]
            found: AsyncConnection | None = None
            for item in [item for item in reversed(self._idle) if item[0] == origin]:
                self._idle.remove(item)
                if item[1].is_quiet():
                    found = item[1]
                    break
                old.append(item)
        for item in old:
            item[1].close()
        return found

    def _keep(self, origin: Origin, connection: AsyncConnection) -> None:
        with self._lock:
            if connection.is_reusable and len(self._idle) < _IDLE_MAX:
                self._idle.append((origin, connection, Deadline(_IDLE_SECONDS)))
                return
        connection.close()


def _origin_of(url: str) -> Origin:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)


def _failure(error: Exception) -> TransportError:
    if isinstance(error, TimeoutError):
        return TransportError("the response took too long", is_timeout=True)
    return TransportError(str(error) or type(error).__name__)

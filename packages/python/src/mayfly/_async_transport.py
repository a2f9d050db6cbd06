"""Runs operations on asyncio streams: the standard library has no asynchronous HTTP client."""

from __future__ import annotations

import asyncio
import ssl
import sys
from collections.abc import AsyncGenerator
from typing import TypeVar
from urllib.parse import urlsplit

from ._core import Command, Operation, Request, Response, Sleep, TransportError
from ._transport import target_of

T = TypeVar("T")

# What the streams of asyncio raise for responses that end, or are not HTTP.
_ERRORS = (OSError, EOFError, ValueError, asyncio.LimitOverrunError, asyncio.TimeoutError)


async def run(operation: Operation[T]) -> T:
    """Runs an operation to its end and returns its result."""
    try:
        command = next(operation)
        while True:
            try:
                response = await _perform(command)
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


async def lines(request: Request, silence: float) -> AsyncGenerator[Response | str, None]:
    """Yields the response, without its body, then the lines of the body. Ends if it is silent for too long."""
    connection = _Connection()
    try:
        response = await asyncio.wait_for(connection.begin(request), silence)
        if response.status != 200:
            yield Response(response.status, response.headers, await connection.body(response))
            return
        yield response
        rest = b""
        async for chunk in connection.chunks(response, silence):
            *complete, rest = (rest + chunk).split(b"\n")
            for line in complete:
                yield line.decode("utf-8").rstrip("\r")
    except _ERRORS as error:
        raise _failure(error) from error
    finally:
        connection.close()


async def _perform(command: Command) -> Response | None:
    if isinstance(command, Sleep):
        await asyncio.sleep(command.seconds)
        return None
    connection = _Connection()
    try:
        return await asyncio.wait_for(connection.fetch(command), command.timeout)
    except _ERRORS as error:
        raise _failure(error) from error
    finally:
        connection.close()


class _Connection:
    """One request on a connection of its own (RFC 9112)."""

    def __init__(self) -> None:
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def fetch(self, request: Request) -> Response:
        """Returns the response with its body."""
        response = await self.begin(request)
        return Response(response.status, response.headers, await self.body(response))

    async def begin(self, request: Request) -> Response:
        """Sends the request and returns the response without its body."""
        parts = urlsplit(request.url)
        is_tls = parts.scheme == "https"
        context = ssl.create_default_context() if is_tls else None
        port = parts.port or (443 if is_tls else 80)
        self._reader, self._writer = await asyncio.open_connection(parts.hostname, port, ssl=context)
        headers = {"Host": parts.netloc.rpartition("@")[2], **request.headers, "Connection": "close"}
        if request.body is not None:
            headers["Content-Length"] = str(len(request.body))
        head = [f"{request.method} {target_of(request.url)} HTTP/1.1"]
        head += [f"{name}: {_checked(value)}" for name, value in headers.items()]
        self._writer.write("\r\n".join([*head, "", ""]).encode("latin-1") + (request.body or b""))
        await self._writer.drain()
        return await self._head()

    async def _head(self) -> Response:
        status = 100
        headers: dict[str, str] = {}
        while 100 <= status < 200:
            line = await self._line()
            version, _, rest = line.partition(" ")
            if not version.startswith("HTTP/1."):
                raise ValueError("the answer is not HTTP")
            status = int(rest[:3])
            headers = {}
            while line := await self._line():
                name, _, value = line.partition(":")
                headers[name.strip().lower()] = value.strip()
        return Response(status, headers, b"")

    async def _line(self) -> str:
        assert self._reader is not None
        line = await self._reader.readuntil(b"\n")
        return line.decode("latin-1").rstrip("\r\n")

    async def body(self, response: Response) -> bytes:
        """Returns the rest of the response."""
        parts = [chunk async for chunk in self.chunks(response, None)]
        return b"".join(parts)

    async def chunks(self, response: Response, silence: float | None) -> AsyncGenerator[bytes, None]:
        """Yields the body in parts. Raises TimeoutError if it is silent for `silence` seconds."""
        if response.status in (204, 304):
            return
        reader = self._reader
        assert reader is not None
        if response.header("Transfer-Encoding").lower() == "chunked":
            while size := int((await asyncio.wait_for(self._line(), silence)).partition(";")[0], 16):
                yield await asyncio.wait_for(reader.readexactly(size), silence)
                await self._line()
            return
        length = response.header("Content-Length")
        left = int(length) if length else sys.maxsize
        while left > 0 and (chunk := await asyncio.wait_for(reader.read(min(left, 65_536)), silence)):
            left -= len(chunk)
            yield chunk
        if length and left > 0:
            raise EOFError("the response ended too early")

    def close(self) -> None:
        """Ends the connection."""
        if self._writer is not None:
            self._writer.transport.abort()


def _checked(value: str) -> str:
    if "\r" in value or "\n" in value:
        raise ValueError("a header value contains a line break")
    return value


def _failure(error: BaseException) -> TransportError:
    if isinstance(error, (asyncio.TimeoutError, TimeoutError)):
        return TransportError("the response took too long", is_timeout=True)
    return TransportError(str(error) or type(error).__name__)

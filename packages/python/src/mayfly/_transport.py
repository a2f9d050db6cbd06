"""Runs operations with the synchronous HTTP client of the standard library."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from contextlib import closing
from socket import socket as Socket
from typing import TypeVar
from urllib.parse import urlsplit

from ._core import Command, Operation, Request, Response, Sleep, TransportError

T = TypeVar("T")

_CHUNK = 64 * 1024


def run(operation: Operation[T]) -> T:
    """Runs an operation to its end and returns its result."""
    try:
        command = next(operation)
        while True:
            try:
                response = _perform(command)
            except TransportError as error:
                command = operation.throw(error)
            else:
                command = operation.send(response)
    except StopIteration as end:
        result: T = end.value
        return result


def lines(request: Request, silence: float) -> Iterator[Response | str]:
    """Yields the response, without its body, then the lines of the body. Ends if it is silent for too long."""
    try:
        with closing(_connect(request, silence)) as connection, closing(_begin(connection, request)) as response:
            if response.status != 200:
                yield Response(response.status, _headers(response), response.read())
                return
            yield Response(200, _headers(response), b"")
            while line := response.readline():
                yield line.decode("utf-8").rstrip("\r\n")
    except (OSError, http.client.HTTPException) as error:
        raise _failure(error) from error


def _perform(command: Command) -> Response | None:
    if isinstance(command, Sleep):
        time.sleep(command.seconds)
        return None
    return _fetch(command)


def _fetch(request: Request) -> Response:
    end = time.monotonic() + request.timeout
    try:
        with closing(_connect(request, request.timeout)) as connection:
            connection.connect()
            # The response takes the socket over, and the connection forgets it.
            socket = connection.sock
            with closing(_begin(connection, request)) as response:
                return Response(response.status, _headers(response), _body(response, socket, end))
    except (OSError, http.client.HTTPException) as error:
        raise _failure(error) from error


def _body(response: http.client.HTTPResponse, socket: Socket, end: float) -> bytes:
    chunks: list[bytes] = []
    # None for a body in chunks, and for one that ends with its connection.
    missing = response.length
    while missing != 0:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        socket.settimeout(left)
        # `read` would return when all of the bytes have arrived, however slowly they come.
        chunk = response.read1(_CHUNK)
        if chunk == b"":
            break
        chunks.append(chunk)
        if missing is not None:
            missing -= len(chunk)
    if missing:
        raise TransportError("the response ended too early")
    return b"".join(chunks)


def _connect(request: Request, timeout: float) -> http.client.HTTPConnection:
    parts = urlsplit(request.url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=timeout)


def _begin(connection: http.client.HTTPConnection, request: Request) -> http.client.HTTPResponse:
    headers = {**request.headers, "Connection": "close"}
    connection.request(request.method, target_of(request.url), body=request.body, headers=headers)
    return connection.getresponse()


def target_of(url: str) -> str:
    """Returns the path and the query of a URL."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value.strip() for name, value in response.getheaders()}


def _failure(error: Exception) -> TransportError:
    if isinstance(error, TimeoutError):
        return TransportError("the response took too long", is_timeout=True)
    return TransportError(str(error) or type(error).__name__)

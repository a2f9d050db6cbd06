"""Connections that are kept: one TLS context and one handshake for each client, and no reuse after a fault."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from commands import http
from test_transport import certificate, once, request_of

from mayfly._async_transport import AsyncTransport
from mayfly._core import Request, Response, TransportError
from mayfly._sync_transport import Transport

assert certificate
REQUESTS = 200

Fetch = Callable[[Request], Response]


def synchronous() -> Fetch:
    transport = Transport(http())
    return lambda request: transport.run(once(request))


def asynchronous() -> Fetch:
    """Each request has an event loop of its own, as each test of pytest-asyncio."""
    transport = AsyncTransport(http())
    return lambda request: asyncio.run(transport.run(once(request)))


@pytest.fixture(params=[synchronous, asynchronous], ids=["sync", "async"])
def fetch(request: pytest.FixtureRequest) -> Fetch:
    made: Fetch = request.param()
    return made


class Script:
    """A server that answers each request of a connection with the next part of the connection's script."""

    def __init__(self, *connections: list[bytes]) -> None:
        self._scripts = iter(connections)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        # The method of each request, by connection.
        self.requests: list[list[str]] = []
        self.is_closed = threading.Event()
        # Sent after each response, as by servers that end idle connections with 408.
        self.unasked = b""
        self.has_sent = threading.Event()
        # Holds the first response of each connection until all of them have a request.
        self.together: threading.Barrier | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for script in self._scripts:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self.requests.append([])
            threading.Thread(target=self._serve, args=[connection, script, self.requests[-1]], daemon=True).start()

    def _serve(self, connection: socket.socket, script: list[bytes], requests: list[str]) -> None:
        # A client that closes a connection with unread bytes resets it.
        with suppress(ConnectionError), connection:
            for answer in script:
                head = b""
                while b"\r\n\r\n" not in head:
                    more = connection.recv(65_536)
                    if more == b"":
                        return
                    head += more
                requests.append(head.decode().partition(" ")[0])
                if answer == b"end":
                    return
                if self.together is not None and len(requests) == 1:
                    self.together.wait(10)
                connection.sendall(answer)
                if self.unasked:
                    time.sleep(0.05)
                    connection.sendall(self.unasked)
                    self.has_sent.set()
        self.is_closed.set()

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(10)


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Trailer: 1\r\n\r\n"


@contextmanager
def script(*connections: list[bytes]) -> Iterator[Script]:
    server = Script(*connections)
    try:
        yield server
    finally:
        server.close()


@pytest.mark.parametrize("answer", [OK, CHUNKED, b"HTTP/1.1 204 No Content\r\n\r\n"])
def test_a_connection_is_used_again_after_a_whole_response(fetch: Fetch, answer: bytes) -> None:
    with script([answer, answer, OK], [OK]) as server:
        for _ in range(3):
            fetch(request_of(server.url))
        assert server.requests == [["GET"] * 3]


@pytest.mark.parametrize(
    "answer",
    [
        OK.replace(b"\r\n\r\n", b"\r\nConnection: Close\r\n\r\n"),
        OK.replace(b"HTTP/1.1", b"HTTP/1.0"),
        # More than the response: the next one could be another's.
        OK + OK,
        b"HTTP/1.1 204 No Content\r\n\r\nbody",
    ],
)
def test_a_connection_is_not_used_again_after_another_response(fetch: Fetch, answer: bytes) -> None:
    with script([answer, OK], [OK]) as server:
        for _ in range(2):
            fetch(request_of(server.url))
        assert server.requests == [["GET"], ["GET"]]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
        b"no HTTP\r\n\r\n",
        OK.replace(b"HTTP/1.1", b"ICY"),
        b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nok",
    ],
)
def test_a_connection_is_not_used_again_after_a_fault(fetch: Fetch, answer: bytes) -> None:
    with script([answer, OK], [OK]) as server:
        with pytest.raises(TransportError):
            fetch(request_of(server.url, timeout=0.3))
        assert fetch(request_of(server.url)).body == b"ok"
        assert server.requests == [["GET"], ["GET"]]


def test_a_connection_that_the_server_has_closed_is_replaced(fetch: Fetch) -> None:
    with script([OK], [OK]) as server:
        fetch(request_of(server.url))
        server.is_closed.wait(10)
        assert fetch(request_of(server.url)).body == b"ok"
        assert server.requests == [["GET"], ["GET"]]


def test_a_connection_on_which_more_has_arrived_is_replaced(fetch: Fetch) -> None:
    with script([OK, OK], [OK]) as server:
        server.unasked = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
        fetch(request_of(server.url))
        server.has_sent.wait(10)
        assert fetch(request_of(server.url)).status == 200
        assert server.requests == [["GET"], ["GET"]]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_a_request_that_may_be_repeated_is_sent_again_when_its_kept_connection_ends(fetch: Fetch, method: str) -> None:
    with script([OK, b"end"], [OK]) as server:
        for _ in range(2):
            assert fetch(Request(method, server.url, {}, None, 20)).body == b"ok"
        assert server.requests == [[method, method], [method]]


def test_a_request_is_not_repeated_on_a_new_connection_or_after_a_part_of_the_response(fetch: Fetch) -> None:
    with script([b"end"], [OK, b"HTTP/1.1 200 OK\r\nContent-Le"], [OK]) as server:
        with pytest.raises(TransportError):
            fetch(request_of(server.url))
        fetch(request_of(server.url))
        with pytest.raises(TransportError):
            fetch(request_of(server.url))
        assert server.requests == [["GET"], ["GET", "GET"]]


def test_a_request_that_may_not_be_repeated_has_a_new_connection(fetch: Fetch) -> None:
    with script([OK, OK], [OK, OK]) as server:
        fetch(request_of(server.url))
        fetch(Request("POST", server.url, {}, b"{}", 20))
        assert server.requests == [["GET"], ["POST"]]


def test_a_time_out_is_not_tried_again(fetch: Fetch) -> None:
    with script([OK, b"HTTP/1.1 100 Continue\r\n", OK], [OK]) as server:
        fetch(request_of(server.url))
        with pytest.raises(TransportError) as failure:
            fetch(request_of(server.url, timeout=0.3))
        assert failure.value.is_timeout and server.requests == [["GET", "GET"]]


def test_an_old_connection_is_not_used(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("_sync_transport", "_async_transport"):
        monkeypatch.setattr(f"mayfly.{module}._IDLE_SECONDS", 0.0)
    with script([OK, OK], [OK]) as server:
        for _ in range(2):
            fetch(request_of(server.url))
        assert server.requests == [["GET"], ["GET"]]


def test_of_several_kept_connections_the_last_one_is_used(fetch: Fetch) -> None:
    with script([OK] * 4, [OK] * 4) as server:
        server.together = threading.Barrier(2)
        clients = [threading.Thread(target=fetch, args=[request_of(server.url)]) for _ in range(2)]
        for client in clients:
            client.start()
        for client in clients:
            client.join(10)
        # Others can end, because they are idle for longer.
        for _ in range(3):
            fetch(request_of(server.url))
        assert sorted(map(len, server.requests)) == [1, 4]


def test_no_more_than_some_connections_are_kept(fetch: Fetch, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("_sync_transport", "_async_transport"):
        monkeypatch.setattr(f"mayfly.{module}._IDLE_MAX", 1)
    with script([OK, OK]) as first, script([OK, OK], [OK]) as second:
        for server in (first, second, second, first):
            fetch(request_of(server.url))
        assert first.requests == [["GET", "GET"]]
        assert second.requests == [["GET"], ["GET"]]


def test_a_process_that_was_copied_does_not_use_the_connections_of_the_other(
    fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    with script([OK, OK], [OK, OK]) as server:
        fetch(request_of(server.url))
        copy = os.getpid() + 1
        monkeypatch.setattr(os, "getpid", lambda: copy)
        for _ in range(2):
            fetch(request_of(server.url))
        assert server.requests == [["GET"], ["GET", "GET"]]


def test_a_cancelled_request_ends_its_connection() -> None:
    transport = AsyncTransport(http())

    async def cancel(url: str) -> None:
        waiting = asyncio.create_task(transport.run(once(request_of(url))))
        while not any(server.requests):
            await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    with script([b"HTTP/1.1 100 Continue\r\n", OK], [OK]) as server:
        asyncio.run(cancel(server.url))
        assert asyncio.run(transport.run(once(request_of(server.url)))).body == b"ok"
        assert server.requests == [["GET"], ["GET"]]


def test_a_client_that_is_collected_gives_no_warning(fetch: Fetch) -> None:
    with script([OK]) as server, warnings.catch_warnings():
        warnings.simplefilter("error")
        fetch(request_of(server.url))
        del fetch


class Secure(ThreadingHTTPServer):
    """A server with TLS that counts its handshakes."""

    daemon_threads = True
    handshakes = 0

    def get_request(self) -> Any:
        accepted = super().get_request()
        self.handshakes += 1
        return accepted


@pytest.fixture
def secure(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Secure]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"a" * 100_000)

        def log_message(self, format: str, *args: object) -> None:
            pass

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server = Secure(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_client_makes_one_context_and_one_handshake(
    secure: Secure, fetch: Fetch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contexts: list[ssl.SSLContext] = []
    make = ssl.create_default_context
    monkeypatch.setattr(ssl, "create_default_context", lambda: contexts.append(make()) or contexts[-1])
    request = request_of(f"https://127.0.0.1:{secure.server_port}")
    assert contexts == []
    fetch(request)
    started = time.thread_time()
    for _ in range(REQUESTS):
        assert len(fetch(request).body) == 100_000
    spent = (time.thread_time() - started) / REQUESTS * 1000
    with capsys.disabled():
        print(f"\n{spent:.2f} ms CPU for a request with TLS after the first")
    assert (len(contexts), secure.handshakes) == (1, 1)


def test_requests_at_the_same_time_share_a_context(
    secure: Secure, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[str] = []
    make = ssl.create_default_context

    def slow() -> ssl.SSLContext:
        threads.append(threading.current_thread().name)
        time.sleep(0.05)
        return make()

    monkeypatch.setattr(ssl, "create_default_context", slow)
    transport = AsyncTransport(http())

    async def run() -> None:
        request = request_of(f"https://127.0.0.1:{secure.server_port}")
        await asyncio.gather(*(transport.run(once(request)) for _ in range(5)))

    asyncio.run(run())
    assert len(threads) == 1
    assert threads[0] != threading.main_thread().name, "the event loop waited for the context"

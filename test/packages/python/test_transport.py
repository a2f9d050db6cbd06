"""Both transports against a server that sends exact bytes."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import subprocess
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest
from commands import http
from stub import QuietHandler, serving

from mayfly import _async_transport, _io_async, _io_sync, _sync_transport
from mayfly._async_channel import AsyncChannel
from mayfly._async_transport import AsyncTransport
from mayfly._core import Deadline, Operation, Request, Response, Sleep, TransportError
from mayfly._sync_channel import Channel
from mayfly._sync_transport import Transport

Serve = Callable[[list[bytes]], str]


@pytest.fixture
def received() -> list[bytes]:
    """The heads of the requests."""
    return []


@pytest.fixture
def serve(received: list[bytes]) -> Iterator[Serve]:
    """Starts a server that answers each connection with the parts and then ends it; `...` keeps it open, `drip` never ends."""
    servers: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def start(parts: list[bytes]) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def run() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    head = b""
                    while b"\r\n\r\n" not in head and (more := connection.recv(65_536)):
                        head += more
                    received.append(head)
                    for part in parts:
                        if part == b"...":
                            connection.recv(1)
                        elif part == b"drip":
                            # Ends when the client has closed the connection.
                            with suppress(OSError):
                                while True:
                                    connection.sendall(b"a")
                                    time.sleep(0.02)
                        else:
                            connection.sendall(part)

        threads.append(threading.Thread(target=run, daemon=True))
        threads[-1].start()
        return f"http://127.0.0.1:{server.getsockname()[1]}"

    yield start
    for server in servers:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive(), "a connection is still open"


def request_of(url: str, timeout: float = 20, **headers: str) -> Request:
    return Request("GET", f"{url}/a?b=1", headers, None, timeout)


def once(request: Request) -> Operation[Response]:
    response: Response = yield request
    return response


TRANSPORTS: dict[str, Callable[[Request], Response]] = {
    "sync": lambda request: Transport(http()).run(once(request)),
    "async": lambda request: asyncio.run(AsyncTransport(http()).run(once(request))),
}


@pytest.fixture(params=TRANSPORTS)
def fetch(request: pytest.FixtureRequest) -> Callable[[Request], Response]:
    return TRANSPORTS[request.param]


@pytest.mark.parametrize(
    ("parts", "status", "body"),
    [
        ([b"HTTP/1.1 200 OK\r\nX-A: 1 \r\nContent-Length: 3\r\n\r\nabc", b"..."], 200, b"abc"),
        ([b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n", b"..."], 200, b""),
        ([b"HTTP/1.1 200 OK\r\nx-a: 1\r\n\r\nab", b"c" * 200_000], 200, b"ab" + b"c" * 200_000),
        ([b"HTTP/1.1 404 Not Found\r\nX-A:1\r\nTransfer-Encoding: Chunked\r\n\r\n2;x=1\r\nab\r\n",
          b"A\r\n0123456789\r\n0\r\n\r\n", b"..."], 404, b"ab0123456789"),
        ([b"HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n", b"..."], 204, b""),
        ([b"HTTP/1.1 304 Not Modified\r\nX-A: 1\r\n\r\n", b"..."], 304, b""),
        ([b"HTTP/1.1 100 Continue\r\nX-A: 0\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 1\r\n\r\na"], 200, b"a"),
    ],
)  # fmt: skip
def test_responses(
    serve: Serve, fetch: Callable[[Request], Response], parts: list[bytes], status: int, body: bytes
) -> None:
    response = fetch(request_of(serve(parts)))
    assert (response.status, response.body, response.header("X-A")) == (status, body, "1")


@pytest.mark.parametrize(
    ("parts", "is_timeout"),
    [
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc"], False),
        ([b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"], False),
        ([b"SSH-2.0-OpenSSH_9.2\r\n\r\n"], False),
        ([b""], False),
        ([b"HTTP/1.1 200 OK\r\nX-A: " + b"a" * 200_000], False),
        ([b"..."], True),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc", b"..."], True),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 50000\r\n\r\n", b"drip"], True),
        ([b"HTTP/1.1 200 OK\r\n\r\n", b"drip"], True),
    ],
)
def test_failures(serve: Serve, fetch: Callable[[Request], Response], parts: list[bytes], is_timeout: bool) -> None:
    with pytest.raises(TransportError) as failure:
        fetch(request_of(serve(parts), timeout=0.3 if is_timeout else 20))
    assert failure.value.is_timeout is is_timeout
    assert str(failure.value) != ""
    if is_timeout:
        assert str(failure.value) == "the response took too long"


def test_a_refused_connection_is_named(fetch: Callable[[Request], Response]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(TransportError, match="refused|Connect call failed") as failure:
        fetch(request_of(url))
    assert failure.value.is_timeout is False


@pytest.mark.parametrize("module", [_io_sync, _io_async])
def test_the_next_address_of_a_host_is_tried_when_one_refuses(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(port: int) -> socket.socket:
        connected = module.connect("mail.example", port, Deadline(20))
        sock: socket.socket = await connected if module is _io_async else connected
        return sock

    with socket.create_server(("127.0.0.1", 0)) as free:
        refusing = free.getsockname()
    with socket.create_server(("127.0.0.1", 0)) as server:
        addresses = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", one) for one in (refusing, server.getsockname())]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
        with asyncio.run(connect(0)) as sock:
            assert sock.getpeername() == server.getsockname()
            # A small request must not wait for the acknowledgement of the one before.
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        addresses.pop()
        with pytest.raises(ConnectionRefusedError):
            asyncio.run(connect(0))
        addresses.clear()
        with pytest.raises(OSError):
            asyncio.run(connect(0))


def test_a_handshake_that_fails_ends_the_connection(fetch: Callable[[Request], Response]) -> None:
    is_ended = threading.Event()

    def answer(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, suppress(ConnectionError):
            connection.sendall(b"HTTP/1.1 400 This is not TLS\r\n\r\n")
            while connection.recv(65_536):
                pass
        is_ended.set()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=[server], daemon=True)
        thread.start()
        with pytest.raises(TransportError) as failure:
            fetch(request_of(f"https://127.0.0.1:{server.getsockname()[1]}"))
        # The error holds the frames that have the connection, so that only the client ends it.
        assert is_ended.wait(20) and failure.value.is_timeout is False
        thread.join(20)


@pytest.mark.parametrize("channel_of", [Channel, AsyncChannel])
def test_a_connection_is_quiet_only_without_bytes_that_are_not_decrypted(channel_of: type[Channel | AsyncChannel]) -> None:
    left, right = socket.socketpair()
    with left, right:
        channel = channel_of(left)
        assert channel.is_quiet()
        channel._encrypted_in.write(b"x")
        assert not channel.is_quiet()


def test_a_request(serve: Serve, fetch: Callable[[Request], Response], received: list[bytes]) -> None:
    url = serve([b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"])
    fetch(Request("POST", url, {"X-Key": "k"}, b'{"n": 1}', 20))
    fetch(request_of(url))
    fetch(Request("DELETE", f"{url.replace('//', '//ann:secret@')}/a", {}, None, 20))
    lines = [head.decode().split("\r\n") for head in received]
    assert [one[0] for one in lines] == ["POST / HTTP/1.1", "GET /a?b=1 HTTP/1.1", "DELETE /a HTTP/1.1"]
    host = url.removeprefix("http://")
    assert {"X-Key: k", "Content-Length: 8", f"Host: {host}"} <= set(lines[0])
    assert not any(line.startswith("Content-Length") for line in lines[1] + lines[2])
    assert f"Host: {host}" in lines[2]


def test_a_body_is_sent_behind_the_headers(fetch: Callable[[Request], Response]) -> None:
    class Handler(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"received " + body)

    with serving(Handler) as url:
        assert fetch(Request("POST", url, {}, b'{"n": 1}', 2)).body == b'received {"n": 1}'


def test_a_key_with_a_line_break_is_not_sent(
    serve: Serve, fetch: Callable[[Request], Response], received: list[bytes]
) -> None:
    for key in ("a\nX-Evil: 1", "a\rX-Evil: 1"):
        with pytest.raises((TransportError, ValueError)):
            fetch(request_of(serve([b"HTTP/1.1 200 OK\r\n\r\n"]), **{"X-Key": key}))
    assert not any(b"Evil" in head for head in received)


@pytest.mark.parametrize("module", [_async_transport, _sync_transport])
def test_a_url_without_a_port_has_that_of_its_scheme(module: ModuleType) -> None:
    for url, port in (("https://a.test/x", 443), ("http://a.test/x", 80), ("https://a.test:8443/x", 8443)):
        assert module._origin_of(url) == (url.partition(":")[0], "a.test", port)


def test_a_pause_lasts(fetch: Callable[[Request], Response]) -> None:
    def pausing() -> Operation[str]:
        yield Sleep(0)
        return "over"

    assert Transport(http()).run(pausing()) == "over"
    assert asyncio.run(AsyncTransport(http()).run(pausing())) == "over"


def test_a_cancelled_operation_cleans_up_at_once() -> None:
    cleaned: list[str] = []

    def pausing() -> Operation[None]:
        try:
            yield Sleep(600)
        finally:
            cleaned.append("up")

    async def cancel() -> None:
        # A reference, because a generator that is collected would clean up too.
        operation = pausing()
        running = asyncio.create_task(AsyncTransport(http()).run(operation))
        await asyncio.sleep(0)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
        assert cleaned == ["up"]
        operation.close()

    asyncio.run(cancel())


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1, with its key in the same file."""
    path = tmp_path_factory.mktemp("tls") / "certificate.pem"
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes".split()
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", *key, *names, "-keyout", str(path), "-out", f"{path}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return path


def test_the_certificate_of_a_service_is_checked(
    fetch: Callable[[Request], Response], certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Handler(QuietHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving(Handler, context) as url:
        request = request_of(url)
        with pytest.raises(TransportError, match="certificate verify failed"):
            fetch(request)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert fetch(request).status == 200
        # The certificate is trusted now, and is not for this name.
        with pytest.raises(TransportError, match="Hostname mismatch"):
            fetch(request_of(url.replace("127.0.0.1", "localhost")))


def test_a_server_whose_certificate_is_refused_gets_the_reason(
    fetch: Callable[[Request], Response], certificate: Path
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    reasons: list[str | None] = []

    def answer(server: socket.socket) -> None:
        connection, _ = server.accept()
        try:
            with context.wrap_socket(connection, server_side=True) as encrypted:
                encrypted.recv(1)
        except ssl.SSLError as error:
            reasons.append(error.reason)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=[server], daemon=True)
        thread.start()
        with pytest.raises(TransportError, match="certificate verify failed"):
            fetch(request_of(f"https://127.0.0.1:{server.getsockname()[1]}"))
        thread.join(20)
    assert reasons == ["TLSV1_ALERT_UNKNOWN_CA"]


def read(request: Request, silence: float, is_async: bool) -> list[Response | str]:
    async def collect() -> list[Response | str]:
        return [line async for line in AsyncTransport(http()).lines(request, silence)]

    return asyncio.run(collect()) if is_async else list(Transport(http()).lines(request, silence))


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_the_lines_of_a_stream(serve: Serve, is_async: bool) -> None:
    text = "data: 李雷\r\n: ä\n\ndata: 2\n".encode()
    parts = [b"HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\n", *(bytes([byte]) for byte in text)]
    response, *lines = read(request_of(serve(parts)), 20, is_async)
    assert isinstance(response, Response) and (response.status, response.header("x-a"), response.body) == (200, "1", b"")
    assert lines == ["data: 李雷", ": ä", "", "data: 2"]
    [refusal] = read(request_of(serve([b"HTTP/1.1 403 X\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nno"])), 20, is_async)
    assert refusal == Response(403, {"x-a": "1", "content-length": "2"}, b"no")
    for parts in ([b"..."], [b"HTTP/1.1 200 OK\r\n\r\n: \n", b"..."]):
        with pytest.raises(TransportError) as failure:
            read(request_of(serve(parts)), 0.3, is_async)
        assert failure.value.is_timeout is True


class EndsAfter(Deadline):
    """A deadline that is over after it was asked `times` times."""

    def __init__(self, times: int) -> None:
        super().__init__(5)
        self.times = times

    @property
    def left(self) -> float:
        self.times -= 1
        return 5.0 if self.times >= 0 else 0.0


@pytest.mark.parametrize(("times", "failure"), [(9, ConnectionRefusedError), (1, TimeoutError)])
def test_a_connection_that_fails_leaves_no_socket_open(times: int, failure: type[Exception]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    gc.collect()  # What earlier tests left.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        with pytest.raises(failure):
            asyncio.run(_io_async.connect("127.0.0.1", port, EndsAfter(times)))
        gc.collect()
    assert [str(warning.message) for warning in caught] == []


def test_sending_to_a_server_that_does_not_read_ends_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        with _io_sync.connect(*address, Deadline(3600)) as sock:
            _io_sync.send(sock, b"x", Deadline(0.2))
            assert (sock.gettimeout() or 3600) <= 0.2
            with pytest.raises(TimeoutError):
                _io_sync.send(sock, bytes(50_000_000), Deadline(0.2))

        async def send() -> None:
            with await _io_async.connect(*address, Deadline(3600)) as sock:
                await _io_async.send(sock, bytes(50_000_000), Deadline(0.2))

        with pytest.raises(TimeoutError):
            asyncio.run(send())


def test_a_deadline_that_ends_at_the_last_moment_is_a_time_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        with _io_sync.connect(*server.getsockname(), Deadline(60)) as sock:
            with pytest.raises(TimeoutError):
                _io_sync.receive(sock, EndsAfter(1))

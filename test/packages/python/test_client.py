"""What the table of scenarios does not contain: parts of mails, streams, threads, keys and errors."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from conftest import API_KEY, TEST_SECONDS, Service, start_service, stop_service

from mayfly import AsyncMayfly, MailTimeoutError, Mayfly, MayflyError


@pytest.fixture
def client(service: Service) -> Mayfly:
    return Mayfly(service.url, api_key=API_KEY)


def test_every_part_of_a_mail(service: Service, client: Mayfly) -> None:
    inbox = client.inbox()
    service.post(inbox.address, "Report", "See file", "<b>See</b> file", [("zahlen.csv", "ä;1".encode())])
    mail = inbox.wait_for_mail(has="attachment")
    assert (mail.text.strip(), mail.code, mail.codes, mail.action_link) == ("See file", None, [], None)
    assert (mail.from_.name, mail.from_.address) == (None, "sender@example.com")
    assert mail.to[0].address == inbox.address == mail.address
    assert mail.received_at.tzinfo is not None
    assert (mail.html() or "").strip() == "<b>See</b> file"
    [attachment] = mail.attachments
    assert (attachment.filename, attachment.size, attachment.inline) == ("zahlen.csv", 4, False)
    assert attachment.content_type == attachment.info()["content_type"]
    assert attachment.info()["filename"] == "zahlen.csv"
    assert mail.attachments[0].bytes() == "ä;1".encode()
    assert mail.attachments[0].text() == "ä;1"
    assert b"Subject: Report" in mail.raw()
    assert mail.whole()["mail_from"] == "sender@example.com"
    assert inbox.mail(mail.id).subject == "Report"
    mail.delete()
    assert inbox.latest() is None
    with pytest.raises(MayflyError) as failure:
        mail.delete()
    assert failure.value.code == "email_not_found"
    assert failure.value.status == 404


def test_every_part_of_a_mail_with_asyncio(service: Service) -> None:
    async def run() -> None:
        async with AsyncMayfly(service.url, api_key=API_KEY).inbox() as inbox:
            service.post(inbox.address, "Report", "See file", "<b>See</b> file", [("zahlen.csv", b"1" * 300_000)])
            mail = await inbox.wait_for_mail(has="attachment")
            assert (await mail.html() or "").strip() == "<b>See</b> file"
            assert (await mail.attachments[0].info())["size"] == 300_000
            assert await mail.attachments[0].bytes() == b"1" * 300_000
            assert b"Subject: Report" in await mail.raw()
            await mail.delete()
            assert await inbox.clear() == 0

    asyncio.run(run())


def test_leaving_the_context_deletes_the_mail(service: Service, client: Mayfly) -> None:
    with client.inbox() as inbox:
        service.post(inbox.address, "x", "x")
        inbox.wait_for_mail()
    assert client.inbox(address=inbox.address, history=True).mails() == []


@pytest.mark.parametrize("is_opened", [False, True])
def test_leaving_the_context_deletes_the_mail_with_asyncio(service: Service, client: Mayfly, is_opened: bool) -> None:
    async def run() -> str:
        opening = AsyncMayfly(service.url, api_key=API_KEY).inbox()
        async with await opening if is_opened else opening as inbox:
            service.post(inbox.address, "x", "x")
            await inbox.wait_for_mail()
        return inbox.address

    assert client.inbox(address=asyncio.run(run()), history=True).mails() == []


def test_a_stream_has_the_mails_that_are_there_and_those_that_arrive(service: Service, client: Mayfly) -> None:
    inbox = client.inbox()
    for subject in ("1", "2"):
        service.post(inbox.address, subject, "x")
    subjects: list[str] = []
    for mail in inbox.stream():
        subjects.append(mail.subject)
        if len(subjects) == 2:
            service.post(inbox.address, "3", "x")
        if len(subjects) == 3:
            break
    assert subjects == ["1", "2", "3"]


def test_a_stream_with_asyncio(service: Service) -> None:
    async def run() -> list[str]:
        inbox = await AsyncMayfly(service.url, api_key=API_KEY).inbox()
        service.post(inbox.address, "1", "x")
        subjects: list[str] = []
        async for mail in inbox.stream():
            subjects.append(mail.subject)
            if len(subjects) == 2:
                return subjects
            service.post(inbox.address, "2", "x")
        raise AssertionError("the stream ended")

    assert asyncio.run(asyncio.wait_for(run(), 10)) == ["1", "2"]


def test_a_stream_continues_after_a_restart(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    variables = {"MAYFLY_API_KEYS": API_KEY, "MAYFLY_DATA_DIR": str(tmp_path), "MAYFLY_HTTP_PORT": port}
    service = start_service(**variables)
    inbox = Mayfly(service.url, api_key=API_KEY).inbox()
    service.post(inbox.address, "before", "x")
    mails = inbox.stream()
    assert next(mails).subject == "before"
    stop_service(service)
    service = start_service(**variables)
    try:
        service.post(inbox.address, "after", "x")
        assert next(mails).subject == "after"
    finally:
        stop_service(service)


def test_more_mails_than_one_page_holds_are_all_listed(
    service: Service, client: Mayfly, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mayfly._search.PAGE", 2)
    inbox = client.inbox()
    subjects = ["1", "2", "3", "4", "5"]
    for subject in subjects:
        service.post(inbox.address, subject, "x")
    assert [mail.subject for mail in inbox.mails()] == subjects[::-1]
    assert [mail.subject for mail in inbox.wait_for_mails(5)] == subjects


def test_the_fixture_of_pytest_clears_its_inbox(service: Service, client: Mayfly, tmp_path: Path) -> None:
    (tmp_path / "test_sign_up.py").write_text(
        f"""
from smtplib import SMTP

clients = []

def test_sign_up(mayfly, inbox):
    clients.append(mayfly)
    with SMTP("{service.smtp_host}", {service.smtp_port}) as smtp:
        smtp.sendmail("shop@example.com", inbox.address, "Subject: Hello\\r\\n\\r\\nx")
    assert inbox.wait_for_mail().subject == "Hello"
    print(f"[{{inbox.address}}]")

def test_all_tests_share_a_client(mayfly):
    assert clients == [mayfly]
"""
    )
    environment = {**os.environ, "MAYFLY_URL": service.url, "MAYFLY_API_KEY": API_KEY}
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "mayfly.pytest_plugin", str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TEST_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [address] = re.findall(r"\[(\S+@\S+)\]", done.stdout)
    assert client.inbox(address=address, history=True).mails() == []


def test_200_waits_from_20_threads(service: Service, client: Mayfly) -> None:
    def wait(n: int) -> None:
        inbox = client.inbox(prefix=f"thread{n}")
        code = str(100_000 + n)
        sender = threading.Timer(0.02, service.post, [inbox.address, "Your code", f"Your code is {code}."])
        sender.start()
        assert inbox.wait_for_code(timeout=30) == code

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(wait, range(200)))


def test_threads_that_share_an_inbox_get_each_mail_once(service: Service, client: Mayfly) -> None:
    inbox = client.inbox()
    with ThreadPoolExecutor(5) as pool:
        waits = [pool.submit(inbox.wait_for_mail, timeout=20) for _ in range(5)]
        for n in range(5):
            service.post(inbox.address, str(n), "x")
        assert sorted(wait.result().subject for wait in waits) == ["0", "1", "2", "3", "4"]


def test_many_waits_with_asyncio(service: Service) -> None:
    async def wait(client: AsyncMayfly, n: int) -> str:
        inbox = await client.inbox()
        waiting = asyncio.create_task(inbox.wait_for_code(timeout=20))
        await asyncio.to_thread(service.post, inbox.address, "Your code", f"Your code is {200_000 + n}.")
        return await waiting

    async def run() -> list[str]:
        client = AsyncMayfly(service.url, api_key=API_KEY)
        return await asyncio.gather(*(wait(client, n) for n in range(30)))

    assert asyncio.run(run()) == [str(200_000 + n) for n in range(30)]


def test_a_wait_can_be_cancelled(service: Service) -> None:
    async def run() -> None:
        inbox = await AsyncMayfly(service.url, api_key=API_KEY).inbox()
        waiting = asyncio.create_task(inbox.wait_for_mail(timeout=300))
        await asyncio.sleep(0.2)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(asyncio.wait_for(run(), 10))


def test_the_predicate_decides(service: Service, client: Mayfly) -> None:
    inbox = client.inbox()
    service.post(inbox.address, "1", "x")
    service.post(inbox.address, "22", "x")
    assert inbox.wait_for_mail(where=lambda mail: len(mail.subject) == 2).subject == "22"
    with pytest.raises(MailTimeoutError, match="No mail that `where` accepts arrived") as failure:
        inbox.wait_for_mail(where=lambda mail: False, timeout=0)
    assert [mail.subject for mail in failure.value.arrived] == ["1"]
    assert failure.value.activity_url == f"{service.url}/#{inbox.address}/activity"
    assert str(failure.value).endswith(f"\nWhy: {failure.value.activity_url}")
    service.post(inbox.address, "3", "https://shop.example/a https://shop.example/b")
    assert inbox.wait_for_link(lambda url: url.endswith("b")) == "https://shop.example/b"


def test_the_timeout_comes_from_the_environment_in_milliseconds(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAYFLY_URL", f"{service.url}/")
    monkeypatch.setenv("MAYFLY_API_KEY", API_KEY)
    monkeypatch.setenv("MAYFLY_TIMEOUT", "2000")
    client = Mayfly()
    assert client.url == service.url
    with pytest.raises(MailTimeoutError) as failure:
        client.inbox().wait_for_mail()
    # Far below the 30 s of a client without the variable.
    assert 2 <= failure.value.waited < 20
    monkeypatch.setenv("MAYFLY_TIMEOUT", "soon")
    with pytest.raises(TypeError, match='MAYFLY_TIMEOUT must be a number of milliseconds from 0 to 3600000, not "soon".'):
        Mayfly()


def test_a_key_is_created_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Not on loopback, where a service publishes its operator's key.
    service = start_service(MAYFLY_HOST="0.0.0.0")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    url = service.url.replace("0.0.0.0", "127.0.0.1")
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: Mayfly(url).inbox().mails(), range(8)))
        [(at, entry)] = json.loads((tmp_path / "mayfly/keys.json").read_text()).items()
        assert at == url
        assert re.fullmatch(r"mf_\w{38}", entry["key"])
        assert (tmp_path / "mayfly/keys.json").stat().st_mode & 0o777 == 0o600
        # A rejected key is replaced.
        (tmp_path / "mayfly/keys.json").write_text(json.dumps({url: {**entry, "key": "mf_wrong"}}))
        assert Mayfly(url).inbox().mails() == []
        assert json.loads((tmp_path / "mayfly/keys.json").read_text())[url]["key"] not in ("mf_wrong", entry["key"])
    finally:
        stop_service(service)


def test_the_key_of_a_loopback_service_is_read_from_the_key_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = start_service(XDG_CACHE_HOME=str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    try:
        assert Mayfly(service.url).inbox().mails() == []
        keys = json.loads((tmp_path / "mayfly/keys.json").read_text())
        assert not keys[service.url]["key"].startswith("mf_")
    finally:
        stop_service(service)


def test_the_domain_key_opens_a_private_domain() -> None:
    service = start_service(MAYFLY_API_KEYS=API_KEY, MAYFLY_DOMAINS="mayfly.test,private.test=domain-secret")
    try:
        inbox = Mayfly(service.url, API_KEY, "domain-secret").inbox(domain="private.test")
        service.post(inbox.address, "x", "x")
        assert next(inbox.stream()).subject == "x"
        with pytest.raises(MayflyError, match=r"Pass it as `Mayfly\(domain_key=\.\.\.\)`") as failure:
            Mayfly(service.url, API_KEY).inbox(domain="private.test").mails()
        assert failure.value.code == "domain_key_missing"
    finally:
        stop_service(service)


def test_a_service_that_does_not_answer() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    for opening in (lambda: Mayfly(url).inbox(), lambda: asyncio.run(AsyncMayfly(url)._open(None, None, None, False))):
        with pytest.raises(MayflyError, match=r"No service answers at .* \(\[Errno \d+\] .*\)\. Start one with `mayfly`") as failure:
            opening()
        assert failure.value.code == "unreachable"


@pytest.mark.parametrize("url", ["", "127.0.0.1:8025", "ftp://host", "http://", "http://host:99999"])
def test_a_url_that_is_none(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAYFLY_URL", raising=False)
    if url == "":
        assert Mayfly(url).url == "http://127.0.0.1:8025"
        return
    with pytest.raises(MayflyError, match="is no URL of a service") as failure:
        Mayfly(url)
    assert failure.value.code == "invalid_url"


@pytest.fixture
def other_server() -> Iterator[tuple[str, list[str]]]:
    """A server that is not Mayfly: it answers with the statuses of its list, then 200 and HTML."""

    statuses: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, _, header = (statuses.pop(0) if statuses else "200").partition(" ")
            self.send_response(int(status))
            if header:
                self.send_header("Retry-After", header)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<p>hello</p>")

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", statuses
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_redirect_to_another_server_is_followed_without_the_keys() -> None:
    received: list[tuple[str, str | None, str | None]] = []
    email = {"id": "01M7XY78NV3PTPJF56WG3ST56J", "address": "a@private.test"}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            received.append((self.path, self.headers["X-API-Key"], self.headers["X-Domain-Key"]))
            if self.path.endswith("/raw"):
                self.send_response(302)
                # The same server under another name.
                self.send_header("Location", f"http://localhost:{self.server.server_address[1]}/object")
            else:
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps({"email": email}).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        client = Mayfly(f"http://127.0.0.1:{server.server_port}", api_key="mf_secret", domain_key="secret")
        client.inbox(address="a@private.test", history=True).mail(email["id"]).raw()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert received[1][1:] == ("mf_secret", "secret")
    assert received[2:] == [("/object", None, None)]


def test_another_server(other_server: tuple[str, list[str]]) -> None:
    url, statuses = other_server
    # Temporary refusals are tried again, as Retry-After says.
    statuses += ["503 0", "429 0"]
    for opening in (
        lambda: Mayfly(url).inbox(),
        lambda: asyncio.run(AsyncMayfly(url)._open(None, None, None, False)),
    ):
        with pytest.raises(MayflyError, match="does not answer as Mayfly does: GET /api/domains/random returned 200"):
            opening()
    assert statuses == []


def test_a_failed_disposal_hides_no_error_of_the_test(other_server: tuple[str, list[str]]) -> None:
    url, _ = other_server

    async def run() -> None:
        async with AsyncMayfly(url, api_key="mf_x").inbox(address="a@mayfly.test", history=True):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with Mayfly(url, api_key="mf_x").inbox(address="a@mayfly.test", history=True):
            raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())


def test_wrong_arguments_are_type_errors(service: Service, client: Mayfly) -> None:
    inbox = client.inbox()
    for call in (
        lambda: inbox.wait_for_mail(has="codes"),  # type: ignore[arg-type]
        lambda: inbox.wait_for_mail(subject=1),  # type: ignore[arg-type]
        lambda: inbox.wait_for_mail(timeout="1"),  # type: ignore[arg-type]
        lambda: inbox.wait_for_mail(timeout=-1),
        lambda: inbox.wait_for_mails(0),
        lambda: inbox.wait_for_code(subjct="x"),  # type: ignore[call-arg]
        lambda: inbox.wait_for_link(1),  # type: ignore[arg-type]
        lambda: inbox.mail(""),
    ):
        with pytest.raises(TypeError):
            call()

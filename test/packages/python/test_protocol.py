"""The rules of the client without input and output: each command of an operation is answered by the test."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mayfly import AsyncMayfly, Mayfly, MayflyError
from mayfly._core import Call, Command, Deadline, Http, Operation, Request, Response, Sleep, TransportError, base_url
from mayfly._errors import MailTimeoutError, UnexpectedMailError, problem_error
from mayfly._filter import MailFilter, shown
from mayfly._keys import GivenKey, KeyFile
from mayfly._mail_data import MailData
from mayfly._options import connect, default_timeout, described_match
from mayfly._search import Box, code_of, newest_id, open_address
from mayfly._stream import EventReader, Gap

URL = "http://mail.example"
JSON = {"content-type": "application/json"}
EMAIL: Any = {
    "id": "01M7XY78NV3PTPJF56WG3ST56J",
    "address": "a+b@mayfly.test",
    "from": {"name": "Ann", "address": "ann@shop.example"},
    "to": [{"name": None, "address": "a+b@mayfly.test"}],
    "cc": [{"name": "Bob", "address": "bob@shop.example"}],
    "subject": "Hello",
    "body_text": "x",
    "codes": ["739105", "111222"],
    "links": ["https://shop.example/a"],
    "action_link": None,
    "received_at": "2026-11-23T08:00:00.000Z",
}
AT = "/api/emails/a%2Bb%40mayfly.test"


def drive(operation: Operation[Any], answer: Callable[[Request], Response]) -> tuple[Any, list[Command]]:
    """Returns the result of an operation, an error included, and its commands."""
    commands: list[Command] = []
    try:
        command = next(operation)
        while True:
            commands.append(command)
            if isinstance(command, Sleep):
                command = operation.send(None)
                continue
            try:
                response = answer(command)
            except TransportError as error:
                command = operation.throw(error)
            else:
                command = operation.send(response)
    except StopIteration as end:
        return end.value, commands
    except MayflyError as error:
        return error, commands


def ok(_: Request) -> Response:
    """Answers every request with the same JSON."""
    answer = {
        "email": EMAIL, "emails": [EMAIL], "next_cursor": None, "deleted": 1, "order": "oldest",
        "domain": "mayfly.test", "username": "bot1", "key": "mf_new",
    }  # fmt: skip
    return Response(200, JSON, json.dumps(answer).encode())


def problem(status: int, code: str, **headers: str) -> Response:
    body = {"code": code, "title": "Title", "detail": "Detail.", "status": status, "request_id": "r1"}
    return Response(status, {"content-type": "application/problem+json", **headers}, json.dumps(body).encode())


def http(domain_key: str | None = None) -> Http:
    return Http(URL, GivenKey("mf_x"), domain_key)


def box(since: str | None = None) -> Box[MailData]:
    return Box(http(), EMAIL["address"], since, MailData)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock does not move, so that no duration depends on the machine."""
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)


def test_a_request_has_the_keys_the_parameters_and_the_body(clock: None) -> None:
    call = Call("/api/x", method="POST", query={"a": "1", "c": "ä&"}, body={"n": 1}, patience=5)
    _, [request] = drive(http("secret").json(call, Deadline(60)), ok)
    accept = {"Accept": "application/json, */*", "User-Agent": "mayfly-client (Python)"}
    keys = {"X-API-Key": "mf_x", "X-Domain-Key": "secret", "Content-Type": "application/json"}
    assert request == Request("POST", f"{URL}/api/x?a=1&c=%C3%A4%26", {**accept, **keys}, b'{"n": 1}', 5)
    _, [request] = drive(http().json(Call("/api/x", is_open=True), Deadline(60)), ok)
    assert request == Request("GET", f"{URL}/api/x", accept, None, 30)


def test_refusals_are_repeated_after_growing_pauses_or_as_the_service_asks(clock: None) -> None:
    asked = [{}] * 6 + [{"retry-after": after} for after in ("2", "0", "soon", "-1")]
    answers = [problem(503, "unavailable", **headers) for headers in asked]
    _, commands = drive(http().json(Call("/api/x"), Deadline(60)), lambda _: answers.pop(0) if answers else ok(_))
    pauses = [command.seconds for command in commands if isinstance(command, Sleep)]
    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.2, 5, 2, 0, 5, 0]


@pytest.mark.parametrize("status", [400, 404, 500, 501])
def test_other_refusals_are_errors_at_once(status: int) -> None:
    error, commands = drive(http().json(Call("/api/x"), Deadline(60)), lambda _: problem(status, "x"))
    assert (str(error), error.code, error.status, error.request_id) == ("Title. Detail.", "x", status, "r1")
    assert len(commands) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_temporary_refusals_are_errors_for_a_single_attempt_or_at_the_deadline(clock: None, status: int) -> None:
    for call, seconds in ((Call("/api/x", is_single=True), 60), (Call("/api/x"), 7)):
        refuse = lambda _: problem(status, "x", **{"retry-after": "7"})  # noqa: E731
        error, commands = drive(http().json(call, Deadline(seconds)), refuse)
        assert (error.status, len(commands)) == (status, 1)


def test_a_lost_connection_is_repeated_only_after_an_answer(clock: None) -> None:
    client, losses = http(), [True]

    def lose(request: Request) -> Response:
        if losses:
            losses.pop()
            raise TransportError("reset")
        return ok(request)

    error, commands = drive(client.json(Call("/api/x"), Deadline(60)), lose)
    assert (error.code, len(commands)) == ("unreachable", 1)
    drive(client.json(Call("/api/x"), Deadline(60)), ok)
    losses.append(True)
    _, commands = drive(client.json(Call("/api/x"), Deadline(60)), lose)
    assert commands[1:2] == [Sleep(0.2)] and len(commands) == 3
    for call, seconds in ((Call("/api/x", is_single=True), 60), (Call("/api/x"), 0)):
        losses.append(True)
        error, commands = drive(client.json(call, Deadline(seconds)), lose)
        words = f"{URL} answered before and does not answer now (reset). Has the service stopped?"
        assert (str(error), len(commands)) == (words, 1)


@pytest.mark.parametrize("code", ["api_key_invalid", "api_key_expired"])
def test_a_rejected_key_is_replaced_twice(code: str) -> None:
    class Counting(GivenKey):
        renewals = 0

        def renew(self, http: Http, rejected: str) -> Operation[bool]:
            yield from ()
            Counting.renewals += 1
            return True

    client = Http(URL, Counting("mf_x"), None)
    error, commands = drive(client.json(Call("/api/x"), Deadline(60)), lambda _: problem(401, code))
    assert (error.code, len(commands), Counting.renewals) == (code, 3, 2)
    error, commands = drive(http().json(Call("/api/x"), Deadline(60)), lambda _: problem(401, code))
    assert (error.code, len(commands)) == (code, 1)


def test_a_redirect_is_followed_without_keys_and_one_to_no_place_is_an_error() -> None:
    answers = [Response(302, {"location": "/object?a=1"}, b""), Response(200, {}, b"raw")]
    content, commands = drive(http("secret").content(Call("/api/emails/a/raw"), Deadline(60)), lambda _: answers.pop(0))
    assert content == b"raw"
    assert commands[1] == Request("GET", f"{URL}/object?a=1", {}, None, 30)
    error, _ = drive(http().content(Call("/x"), Deadline(60)), lambda _: Response(302, {}, b""))
    assert (error.code, error.status) == ("not_mayfly", 302)


def test_a_foreign_server_is_named() -> None:
    for status in (200, 404):
        error, _ = drive(http().json(Call("/api/x"), Deadline(60)), lambda _: Response(status, {}, b"<html>"))
        words = f"{URL} does not answer as Mayfly does: GET /api/x returned {status}. "
        assert str(error) == words + "Is this the base URL of the service, without /api?"
        assert (error.code, error.status) == ("not_mayfly", status)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
        ("HTTPS://Mail.Example:443/below/?a=1#b", "https://mail.example/below"),
        ("http://mail.example:80", "http://mail.example"),
        ("http://mail.example:443", "http://mail.example:443"),
        ("https://mail.example:80", "https://mail.example:80"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_base_urls(text: str, url: str) -> None:
    assert base_url(text) == url


def looking(timeout: float) -> Operation[Any]:
    return box().wait(MailFilter(), 1, "mail", timeout)


@pytest.mark.parametrize(
    ("operation", "seconds"),
    [
        (lambda: open_address(http(), None, None), {30}),
        (lambda: newest_id(http(), "a@mayfly.test"), {30}),
        (lambda: box().newest_first(MailFilter()), {30}),
        (lambda: box().missed("0", "1"), {30}),
        (lambda: box().one("1"), {30}),
        (lambda: box().clear(), {30}),
        (lambda: box().dispose(), {5}),
        (lambda: looking(0), {5}),
        (lambda: looking(20), {20}),
        (lambda: looking(60), {35}),
        (lambda: KeyFile()._get(http(), None), {30}),
    ],
)
def test_each_call_has_its_time(
    clock: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    operation: Callable[[], Operation[Any]],
    seconds: set[float],
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    _, commands = drive(operation(), ok)
    assert {command.timeout for command in commands if isinstance(command, Request)} == seconds


def test_each_call_is_tried_for_30_seconds_and_a_request_gets_some_time_at_the_end(clock: None) -> None:
    refuse = lambda _: problem(429, "rate_limited", **{"retry-after": "30"})  # noqa: E731
    for operation in (open_address(http(), "a.test", None), newest_id(http(), "a"), box().clear(), box().one("1")):
        assert len(drive(operation, refuse)[1]) == 1
    _, [request] = drive(http().json(Call("/api/x"), Deadline(0)), ok)
    assert isinstance(request, Request) and request.timeout == 0.05


@pytest.mark.parametrize(("timeout", "hold"), [(60, "25"), (2.4, "3"), (0.1, "1")])
def test_the_query_of_a_wait(clock: None, timeout: float, hold: str) -> None:
    filter: MailFilter[MailData] = MailFilter("Ann", "Hell", "code", "x")
    _, [request] = drive(box("0").wait(filter, 1, "", timeout), ok)
    query = f"from=Ann&subject=Hell&has=code&q=x&timeout={hold}&order=oldest&since=0"
    assert isinstance(request, Request) and request.url == f"{URL}{AT}/wait?{query}"


def test_paths_and_queries() -> None:
    patterns: MailFilter[MailData] = MailFilter(re.compile("x"), re.compile("y"))
    mails, [request] = drive(box("0").newest_first(patterns), ok)
    assert isinstance(request, Request) and request.url == f"{URL}{AT}?limit=100&since=0"
    assert mails == []
    for operation, method, path in (
        (box().one("1"), "GET", f"{AT}/1"),
        (box().clear(), "DELETE", AT),
        (box().dispose(), "DELETE", AT),
        (newest_id(http(), EMAIL["address"]), "GET", f"{AT}/latest"),
    ):
        _, [request] = drive(operation, ok)
        assert isinstance(request, Request) and (request.method, request.url) == (method, URL + path)


def test_a_new_address() -> None:
    for domain, prefix, address, requests in (
        (None, None, "bot1@mayfly.test", ["/api/domains/random", "/api/random-username"]),
        ("shop.test", "sign.up", "sign.up-bot1@shop.test", ["/api/random-username"]),
    ):
        opened, commands = drive(open_address(http(), domain, prefix), ok)
        assert opened == address
        assert [c.url for c in commands if isinstance(c, Request)] == [URL + path for path in requests]
        assert not any("X-API-Key" in c.headers for c in commands if isinstance(c, Request))
    for prefix in ("a b", "a@b", ".a", "a.", ""):
        error, _ = drive(open_address(http(), None, prefix), ok)
        assert str(error) == f'No address can begin with "{prefix}", which is the prefix.'


def test_a_mail_that_is_taken_is_not_requested_again(clock: None) -> None:
    inbox = box()
    assert [mail.id for mail in drive(inbox.wait(MailFilter(), 1, "", 5), ok)[0]] == [EMAIL["id"]]
    waiting = inbox.wait(MailFilter(), 1, "", 5)
    list_request = next(waiting)
    assert isinstance(list_request, Request) and list_request.url == f"{URL}{AT}?limit=100"
    wait_request = waiting.send(ok(list_request))
    assert isinstance(wait_request, Request) and f"since={EMAIL['id']}" in wait_request.url


def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None = None) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path / "mayfly/keys.json"
    if text is not None:
        path.parent.mkdir()
        path.write_text(text)
    return path


def test_the_key_file_keeps_the_50_newest_keys_for_30_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def age(days: float) -> dict[str, Any]:
        return {"key": "kept", "taken_at": int((time.time() - days * 86_400) * 1000)}

    others = {f"http://{n}": age(20 - n / 10) for n in range(55)}
    path = key_file(tmp_path, monkeypatch, json.dumps({"http://old": age(30.1), **others, "http://young": age(0.1)}))
    started = time.time() * 1000 - 1
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    entries = json.loads(path.read_text())
    taken = entries.pop(URL)
    assert taken["key"] == "mf_new" and started <= taken["taken_at"] <= time.time() * 1000
    assert list(entries) == ["http://young", *(f"http://{54 - n}" for n in range(48))]
    path.write_text(json.dumps({"http://month": age(29.9), "http://old": age(30.1)}))
    drive(KeyFile().current(http()), ok)
    assert list(json.loads(path.read_text())) == [URL, "http://month"]


def test_the_key_file_belongs_to_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    _, [request] = drive(KeyFile().current(http()), ok)
    assert isinstance(request, Request) and (request.method, request.url) == ("POST", f"{URL}/api/keys")
    assert json.loads(request.body or b"") == {"purpose": "created by mayfly-client"}
    assert "X-API-Key" not in request.headers
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert os.listdir(path.parent) == ["keys.json"]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    drive(KeyFile().current(http()), ok)
    assert os.listdir(tmp_path / "home/.cache/mayfly") == ["keys.json"]


def test_a_key_is_read_once_and_replaced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"key": "mf_old", "taken_at": int(time.time() * 1000)}
    path = key_file(tmp_path, monkeypatch, json.dumps({URL: entry}))
    keys, others = KeyFile(), KeyFile()
    assert drive(keys.current(http()), ok) == ("mf_old", [])
    assert drive(others.current(http()), ok) == ("mf_old", [])
    path.unlink()
    assert drive(keys.current(http()), ok) == ("mf_old", [])
    assert drive(keys.renew(http(), "mf_old"), ok)[0] is True
    assert drive(keys.current(http()), ok) == ("mf_new", [])
    # Rejected for another request meanwhile.
    assert drive(keys.renew(http(), "mf_old"), ok) == (True, [])
    # Another process has replaced it.
    assert drive(others.renew(http(), "mf_old"), ok) == (True, [])
    assert drive(others.current(http()), ok) == ("mf_new", [])


@pytest.mark.parametrize(
    "text", ["{", "null", "[1]", f'{{"{URL}": 5}}', f'{{"{URL}": null}}', f'{{"{URL}": {{"key": 5, "taken_at": 5}}}}',
             f'{{"{URL}": {{"key": "x", "taken_at": "5"}}}}']
)  # fmt: skip
def test_a_damaged_key_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = key_file(tmp_path, monkeypatch, text)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert json.loads(path.read_text())[URL]["key"] == "mf_new"


def test_a_path_that_cannot_be_used_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    path.mkdir(parents=True)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert os.listdir(path.parent) == ["keys.json"]
    path.rmdir()
    os.mkfifo(path)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    below = tmp_path / "file"
    below.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(below))
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"


def test_a_user_without_a_home_folder_has_no_key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    monkeypatch.chdir(tmp_path)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("age", [11, -3600])
def test_an_abandoned_lock_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float) -> None:
    path = key_file(tmp_path, monkeypatch, "{}")
    lock = path.with_name("keys.json.lock")
    lock.write_text("")
    os.utime(lock, (time.time() - age, time.time() - age))
    now = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    key, commands = drive(KeyFile().current(http()), ok)
    assert key == "mf_new" and not lock.exists()
    pauses = [command for command in commands if isinstance(command, Sleep)]
    assert pauses == ([] if age > 0 else [Sleep(0.025)] * 9)


def test_a_lock_is_released_when_no_key_could_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    error, _ = drive(KeyFile().current(http()), lambda _: problem(500, "internal_error"))
    assert error.code == "internal_error" and os.listdir(path.parent) == []


def test_the_lines_of_a_stream() -> None:
    reader = EventReader(http("se cret"), EMAIL["address"], None)
    request = reader.request()
    assert (request.method, request.url, request.timeout) == (
        "GET", f"{URL}/api/sse/a%2Bb%40mayfly.test?key=se+cret", 45,
    )  # fmt: skip
    assert request.headers == {"Accept": "text/event-stream", "Last-Event-ID": "0" * 26}
    assert (reader.retry, EventReader(http(), "a", "5").request().url) == (2.0, f"{URL}/api/sse/a")

    def data(**event: object) -> str:
        return f"data: {json.dumps(event)}"

    ids = [EMAIL["id"][:-1] + end for end in "1234"]
    emails = [{**EMAIL, "id": id} for id in ids]
    for line in ("", ":", ": comment", "event: new-email", "id: 5", "retry: soon", data(type="other", email=emails[0])):
        assert reader.read(line) is None
    assert reader.read("retry: 1500") is None and reader.retry == 1.5
    assert reader.read(data(type="new-email", email=emails[1])) == emails[1]
    assert reader.read(f"data:{json.dumps({'type': 'new-email', 'email': emails[2]})}") == emails[2]
    for repeated in emails[:3]:
        assert reader.read(data(type="new-email", email=repeated)) is None
    assert reader.read(data(type="gap", missed_before=ids[3])) == Gap(ids[2], ids[3])
    assert reader.request().headers["Last-Event-ID"] == ids[2]
    for status in (200, 429, 502, 503, 504):
        reader.check(Response(status, {}, b""))
    with pytest.raises(MayflyError, match="Title. Detail.") as failure:
        reader.check(problem(403, "domain_key_invalid"))
    assert (failure.value.code, failure.value.status) == ("domain_key_invalid", 403)
    with pytest.raises(MayflyError, match=f"{URL} does not answer as Mayfly does.") as failure:
        reader.check(Response(404, {}, b""))
    assert (failure.value.code, failure.value.status) == ("not_mayfly", 404)


def test_the_mails_of_a_gap_end_before_the_next_event() -> None:
    missed, _ = drive(box().missed("0", EMAIL["id"]), ok)
    assert missed == []
    missed, _ = drive(box().missed("0", EMAIL["id"] + "0"), ok)
    assert [mail.id for mail in missed] == [EMAIL["id"]]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("api_key_invalid", "Does MAYFLY_API_KEY (or `api_key`) belong to this service?"),
        ("api_key_expired", "Without MAYFLY_API_KEY (or `api_key`), a new key"),
        ("key_quota_exceeded", "Set MAYFLY_API_KEY (or `api_key`) to a key that you have."),
        ("domain_key_missing", "Pass it as `Mayfly(domain_key=...)`, or set MAYFLY_DOMAIN_KEY."),
        ("domain_not_found", "GET /api/domains lists the domains of this service"),
        ("rate_limited", "set MAYFLY_API_KEYS there and MAYFLY_API_KEY here"),
    ],
)
def test_errors_say_what_to_do(code: str, words: str) -> None:
    error = problem_error({"code": code, "title": "Title", "detail": "Detail.", "status": 429, "request_id": "r1"})
    assert str(error).startswith("Title. Detail. ") and words in str(error)
    assert (error.code, error.status, error.request_id) == (code, 429, "r1")
    assert str(problem_error({"code": code})).startswith(f"{code}. ")
    assert problem_error({}).code == "internal_error"


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, '  ann@shop.example  "Hello"  (2 codes, 1 link, no action link)'),
        ({"codes": ["1"], "links": []}, '  ann@shop.example  "Hello"  (1 code, no links)'),
        ({"action_link": {}, "links": ["a", "b"]}, '  ann@shop.example  "Hello"  (2 codes, 2 links)'),
        ({"from": {"name": "Ann", "address": None}, "links": [], "codes": []}, '  Ann  "Hello"  (no codes, no links)'),
        ({"from": {"name": None, "address": None}, "links": []}, '  unknown sender  "Hello"  (2 codes, no links)'),
    ],
)
def test_errors_show_a_mail_in_a_line(more: dict[str, Any], line: str) -> None:
    mail = MailData({**EMAIL, **more})
    shown_mail = f"  2026-11-23T08:00:00.000Z{line}"
    error = MailTimeoutError("a@mayfly.test", "code", 1.26, [mail, mail])
    assert str(error) == f"No code arrived for a@mayfly.test within 1.3 s. These mails arrived:\n{shown_mail}\n{shown_mail}"
    assert (error.code, error.filter, error.waited, error.arrived) == ("timeout", "code", 1.26, [mail, mail])
    unexpected = UnexpectedMailError("a@mayfly.test", mail)
    assert str(unexpected) == f"Expected no mail for a@mayfly.test, but this one arrived:\n{shown_mail}"
    assert (unexpected.code, unexpected.mail) == ("unexpected_mail", mail)


def test_the_fields_of_a_mail() -> None:
    mail = MailData(EMAIL)
    fields = (mail.id, mail.address, mail.from_, mail.to, mail.cc, mail.subject, mail.text, mail.codes, mail.links)
    names = ("id", "address", "from", "to", "cc", "subject", "body_text", "codes", "links")
    assert fields == tuple(EMAIL[name] for name in names)
    assert (mail.code, mail.action_link, mail.received_at.isoformat()) == ("739105", None, "2026-11-23T08:00:00+00:00")
    assert repr(mail) == f"<MailData {EMAIL['id']} 'Hello' for {EMAIL['address']}>"
    assert mail._path("/raw") == f"{AT}/{EMAIL['id']}/raw"


@pytest.mark.parametrize(
    ("from_", "is_match"), [("^Ann$", True), ("^ann@shop", True), ("^Ann <ann@shop.example>$", True), ("bob", False)]
)
def test_a_pattern_for_the_sender(from_: str, is_match: bool) -> None:
    assert MailFilter(re.compile(from_)).matches(MailData(EMAIL)) is is_match
    both = MailFilter(re.compile(from_), re.compile("ell"), where=lambda mail: mail.subject == "Hello")
    assert both.matches(MailData(EMAIL)) is is_match
    nameless = {**EMAIL, "from": {"name": None, "address": None}}
    assert MailFilter(re.compile("^ <>$")).matches(MailData(nameless))


def test_filters_in_words() -> None:
    every: MailFilter[MailData] = MailFilter("shop", re.compile("code", re.I | re.M | re.S), "code", "7", bool)
    assert every.described() == 'mail from "shop" with subject /code/ims with "7" in it with a code that `where` accepts'
    assert every.described("code") == 'code from "shop" with subject /code/ims with "7" in it that `where` accepts'
    for has, words in (("link", "a link"), ("action_link", "an action link"), ("attachment", "an attachment")):
        assert MailFilter(has=has).described() == f"mail with {words}"  # type: ignore[arg-type, var-annotated]
    assert (shown("a"), shown(re.compile("a"))) == ('"a"', "/a/")
    assert described_match("/terms") == "link that matches /terms"
    assert described_match(re.compile("a", re.I)) == "link that matches /a/i"
    assert described_match(len) == "link that matches len"  # type: ignore[arg-type]


def test_a_filter_that_is_narrowed_keeps_its_own_predicate() -> None:
    narrowed: MailFilter[MailData] = MailFilter(q="x", where=lambda mail: mail.text == "x").narrowed("link", None)
    assert (narrowed.has, narrowed.q, narrowed.matches(MailData(EMAIL))) == ("link", "x", True)
    for own, further, is_match in ((True, True, True), (True, False, False), (False, True, False), (None, True, True)):
        filter: MailFilter[MailData] = MailFilter(where=None if own is None else lambda _, own=own: own)  # type: ignore[misc]
        assert filter.narrowed(None, lambda _: further).matches(MailData(EMAIL)) is is_match


def test_codes_by_pattern() -> None:
    mail = MailData({**EMAIL, "subject": "Order 8812", "body_text": "Room: blue-fox"})
    patterns = {r"^\d{6}$": "739105", r"Order (\d+)": "8812", r"[a-z]+-[a-z]+": "blue-fox", "none": None}
    for pattern, code in patterns.items():
        assert code_of(mail, re.compile(pattern)) == code


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: MailFilter(from_=1), "`from_` must be a string or a compiled pattern, not 1."),
        (lambda: MailFilter(subject=1), "`subject` must be a string or a compiled pattern, not 1."),
        (lambda: MailFilter(has="x"), "`has` must be one of 'code', 'link', 'action_link', 'attachment', not 'x'."),
        (lambda: MailFilter(q=1), "`q` must be a string, not 1."),
        (lambda: MailFilter(where=1), "`where` must be a function, not 1."),
        (lambda: default_timeout(True), "`timeout` must be a number of seconds from 0, not True."),
        (lambda: default_timeout(float("nan")), "`timeout` must be a number of seconds from 0, not nan."),
        (lambda: Mayfly(timeout=-1), "`timeout` must be a number of seconds from 0, not -1."),
        (lambda: AsyncMayfly(timeout=-1), "`timeout` must be a number of seconds from 0, not -1."),
        (lambda: described_match(1), "`match` must be a string, a compiled pattern or a function, not 1."),
        (lambda: drive(box().one(""), ok), "mail() takes the id of a mail, not ''."),
    ],
)
def test_wrong_arguments_are_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError) as failure:
        call()
    assert str(failure.value) == words


def test_options_come_from_the_environment_unless_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAYFLY_URL", "MAYFLY_API_KEY", "MAYFLY_DOMAIN_KEY", "MAYFLY_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    plain = connect(None, None, None)
    assert (plain.url, plain.domain_key, default_timeout(None)) == ("http://127.0.0.1:8080", None, 10)
    assert isinstance(plain._keys, KeyFile)
    monkeypatch.setenv("MAYFLY_URL", "http://env.example")
    monkeypatch.setenv("MAYFLY_API_KEY", "mf_env")
    monkeypatch.setenv("MAYFLY_DOMAIN_KEY", "env-secret")
    monkeypatch.setenv("MAYFLY_TIMEOUT", "7000")
    for client, url, key, domain_key in (
        (connect(None, None, None), "http://env.example", "mf_env", "env-secret"),
        (connect(URL, "mf_x", "secret"), URL, "mf_x", "secret"),
    ):
        assert (client.url, client.domain_key) == (url, domain_key)
        assert drive(client._keys.current(client), ok)[0] == key
    assert (default_timeout(None), default_timeout(0), default_timeout(2.5)) == (7, 0, 2.5)

"""Requests and waits: what the client asks for, and when it asks again."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import AT, EMAIL, URL, box, drive, http, ok, problem

from mayfly._all_mail import AllMail
from mayfly._core import Call, Deadline, Http, Operation, Request, Response, Sleep, TransportError
from mayfly._explanation import explain
from mayfly._filter import MailFilter
from mayfly._keys import GivenKey, KeyFile
from mayfly._mail_data import MailData
from mayfly._search import hold_call, newest_id, open_address
from mayfly._service_url import service_url


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


@pytest.mark.parametrize(
    ("operation", "patience"),
    [
        (lambda: AllMail(http(), MailData).newest_first(MailFilter()), 30),
        (lambda: AllMail(http(), MailData).clear(MailFilter()), 120),
        (lambda: box().clear(), 30),
        (lambda: box().one("1"), 30),
        (lambda: box().dispose(), 5),
    ],
)
def test_each_operation_has_its_patience(clock: None, operation: Callable[[], Any], patience: float) -> None:
    _, requests = drive(operation(), ok)
    assert [request.timeout for request in requests] == [patience]


def test_a_disposal_and_the_search_for_an_explanation_try_each_request_once(clock: None) -> None:
    refuse = lambda _: problem(503, "unavailable")  # noqa: E731
    for operation, result, paths in (
        (box().dispose(), None, [AT]),
        (explain(http(), EMAIL["address"], "0"), ([], [], []), [AT, "/api/refusals", "/api/emails"]),
    ):
        found, commands = drive(operation, refuse)
        assert found == result
        assert [command.url.removeprefix(URL).partition("?")[0] for command in commands] == paths


def test_the_service_holds_a_request_for_a_second_to_25() -> None:
    for seconds in (0.0, 0.3, 1.0):
        assert hold_call("/x", MailFilter(), None, Deadline(seconds)).query["timeout"] == "1"
    longest = hold_call("/x", MailFilter(), None, Deadline(60))
    # The response may take longer than the request is held.
    assert (longest.query["timeout"], longest.patience > 30) == ("25", True)


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


def test_a_redirect_has_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def redirect(request: Request) -> Response:
        now[0] += 20
        return Response(302, {"location": "/object"}, b"") if now[0] == 20 else Response(200, {}, b"raw")

    _, commands = drive(http().content(Call("/api/emails/a/raw"), Deadline(30)), redirect)
    assert [command.timeout for command in commands if isinstance(command, Request)] == [30, 10]


def test_a_deadline_that_is_over_leaves_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [7.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    deadline = Deadline(5)
    for seconds, waited, left in ((0, 0, 5), (2, 2, 3), (5, 5, 0), (6, 6, 0)):
        now[0] = 7 + seconds
        assert (deadline.waited, deadline.left) == (waited, left)


def test_a_pause_ends_at_the_deadline(clock: None) -> None:
    client = http()
    drive(client.json(Call("/api/x"), Deadline(60)), ok)
    losses = [TransportError("reset")]

    def lose(request: Request) -> Response:
        if losses:
            raise losses.pop()
        return ok(request)

    assert drive(client.json(Call("/api/x"), Deadline(0.1)), lose)[1][1] == Sleep(0.1)


@pytest.mark.parametrize("charset", ["", "; charset=utf-8"])
def test_a_charset_does_not_change_what_an_answer_is(charset: str) -> None:
    answer = Response(200, {"content-type": f"application/json{charset}"}, b'{"n": 1}')
    assert drive(http().json(Call("/api/x"), Deadline(60)), lambda _: answer)[0] == {"n": 1}
    refusal = problem(404, "x", **{"content-type": f"application/problem+json{charset}"})
    assert drive(http().json(Call("/api/x"), Deadline(60)), lambda _: refusal)[0].code == "x"


def test_an_open_request_that_is_rejected_for_its_key_creates_none() -> None:
    client = Http(URL, KeyFile(), None)
    error, commands = drive(client.json(Call("/api/x", is_open=True), Deadline(60)), lambda _: problem(401, "api_key_invalid"))
    assert (error.code, len(commands)) == ("api_key_invalid", 1)


def test_a_foreign_server_is_named() -> None:
    for status, kind in ((200, ""), (404, ""), (200, "application/octet-stream"), (500, "application/json")):
        foreign = Response(status, {"content-type": kind}, b"<html>")
        error, _ = drive(http().json(Call("/api/x"), Deadline(60)), lambda _: foreign)
        words = f"{URL} does not answer as Mayfly does: GET /api/x returned {status}. "
        assert str(error) == words + "Is this the base URL of the service, without /api?"
        assert (error.code, error.status) == ("not_mayfly", status)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("http://127.0.0.1:8025//", "http://127.0.0.1:8025"),
        ("HTTPS://Mail.Example:443/below/?a=1#b", "https://mail.example/below"),
        ("http://mail.example:80", "http://mail.example"),
        ("http://mail.example:443", "http://mail.example:443"),
        ("https://mail.example:80", "https://mail.example:80"),
        ("http://[::1]:8025", "http://[::1]:8025"),
        ("http://ann:secret@mail.example", "http://mail.example"),
    ],
)
def test_base_urls(text: str, url: str) -> None:
    assert service_url(text).url == url


def looking(timeout: float) -> Operation[Any]:
    return box().wait(MailFilter(), 1, "mail", timeout)


@pytest.mark.parametrize(
    ("operation", "seconds"),
    [
        (lambda: open_address(http(), None, None), {10}),
        (lambda: newest_id(http(), "a@mayfly.test"), {10}),
        (lambda: box().newest_first(MailFilter()), {30}),
        (lambda: box().missed("0", "1"), {30}),
        (lambda: box().one("1"), {30}),
        (lambda: box().clear(), {30}),
        (lambda: box().dispose(), {5}),
        (lambda: looking(0), {5}),
        (lambda: looking(20), {20}),
        (lambda: looking(60), {35}),
        (lambda: KeyFile()._get(http(), None), {10}),
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
    query = f"from=Ann&subject=Hell&q=x&has=code&timeout={hold}&order=oldest&since=0"
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
        ("shop.test", "Ann", "Ann-bot1@shop.test", ["/api/random-username"]),
    ):
        opened, commands = drive(open_address(http(), domain, prefix), ok)
        assert opened == address
        assert [c.url for c in commands if isinstance(c, Request)] == [URL + path for path in requests]
        assert not any("X-API-Key" in c.headers for c in commands if isinstance(c, Request))
    for prefix in ("a b", "a@b", ".a", "a.", ""):
        error, _ = drive(open_address(http(), None, prefix), ok)
        assert str(error) == f'No address can begin with "{prefix}", which is the prefix.'
        assert error.code == "invalid_address"
    error, _ = drive(open_address(http(), "jo@shop.test", None), ok)
    assert str(error) == '"jo@shop.test" is no domain. Pass the address of an inbox as `address="jo@shop.test"`.'
    assert error.code == "invalid_address"


def test_a_mail_that_is_taken_is_not_requested_again(clock: None) -> None:
    inbox = box()
    assert [mail.id for mail in drive(inbox.wait(MailFilter(), 1, "", 5), ok)[0]] == [EMAIL["id"]]
    waiting = inbox.wait(MailFilter(), 1, "", 5)
    list_request = next(waiting)
    assert isinstance(list_request, Request) and list_request.url == f"{URL}{AT}?limit=100"
    wait_request = waiting.send(ok(list_request))
    assert isinstance(wait_request, Request) and f"since={EMAIL['id']}" in wait_request.url


@pytest.mark.parametrize(
    ("credentials", "sent"),
    [("ann:a%40b", "ann:a@b"), ("ann", "ann:"), (":secret", ":secret"), ("", None)],
)
def test_the_credentials_of_a_url(credentials: str, sent: str | None) -> None:
    authorization = sent and f"Basic {base64.b64encode(sent.encode()).decode()}"
    url = service_url(f"http://{credentials}@mail.example")
    assert (url.url, url.authorization) == ("http://mail.example", authorization)

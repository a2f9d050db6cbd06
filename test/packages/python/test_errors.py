"""Errors that know: why a mail did not arrive, and what is wrong with the URL of the service."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import socket
import time
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from commands import AT, EMAIL, JSON, URL, box, drive, http, ok, problem
from conftest import API_KEY, ROOT, Service
from stub import ANSWER, json_of, stub

from mayfly import AsyncMayfly, MailTimeoutError, Mayfly, MayflyError, UnexpectedMailError
from mayfly._core import Call, Deadline, Http, Request, Response, TransportError
from mayfly._errors import Found
from mayfly._explanation import activity_url
from mayfly._filter import MailFilter
from mayfly._keys import GivenKey
from mayfly._mail_data import MailData
from mayfly._refusals import edit_distance, refusals_for, stray_mail
from mayfly._service_url import is_loopback
from mayfly._stream import EventReader

ADDRESS = EMAIL["address"]
EARLIER = {**EMAIL, "id": "01M7XY78NV3PTPJF56WG3ST56H", "subject": "Before"}
LATER = {**EMAIL, "id": "01M7XY78NV3PTPJF56WG3ST56K", "subject": "After"}


def refused(recipient: str | None, seconds: float = 1) -> Any:
    at = (datetime.now(timezone.utc) - timedelta(seconds=seconds)).isoformat().replace("+00:00", "Z")
    return {"at": at, "client": "127.0.0.1", "mail_from": "a@b.example", "recipient": recipient, "code": 550, "reply": "No."}


NONE: Any = {"emails": [], "next_cursor": None}


def answering(earlier: Any, refusals: Any, arrived: Any = (), stray: Any = NONE) -> Any:
    """Answers the requests of a wait without a result."""

    def answer(request: Request) -> Response:
        if request.url.endswith("/api/refusals"):
            found: Any = refusals
        elif request.url.endswith("limit=5"):
            found = earlier
        elif "/api/emails?" in request.url:
            found = stray
        else:
            found = {"emails": list(arrived), "next_cursor": None}
        return found if isinstance(found, Response) else Response(200, JSON, json.dumps(found).encode())

    return answer


def waited(answer: Any, since: str | None = EMAIL["id"]) -> Any:
    return drive(box(since).wait(MailFilter(), 1, "mail", 0), answer)


def test_mail_from_before_the_inbox_and_refusals_are_named() -> None:
    both = answering({"emails": [LATER, EMAIL, EARLIER]}, {"refusals": [refused("a+c@mayfly.test")]})
    error, commands = waited(both)
    assert isinstance(error, MailTimeoutError)
    assert ([mail.id for mail in error.earlier], error.arrived) == ([EMAIL["id"], EARLIER["id"]], [])
    [refusal] = error.refused
    assert (refusal.recipient, refusal.code, refusal.reply) == ("a+c@mayfly.test", 550, "No.")
    head, title, first, second, history, service, line = str(error).split("\n")
    assert head == f"No mail arrived for {ADDRESS} within 0 s."
    assert title == "Before this inbox was opened, there arrived:"
    assert '"Hello"' in first and '"Before"' in second
    assert history == "Pass `history=True` to `inbox()`, or open the inbox before the mail is sent."
    assert service == "The service refused:" and re.fullmatch(r"  [\d-]{10}T[\d:]{8}\.\d{3}Z  a\+c@mayfly\.test  550 No\.", line)
    assert [c.url for c in commands if isinstance(c, Request)][1:] == [
        f"{URL}{AT}?limit=5", f"{URL}/api/refusals", f"{URL}/api/emails?limit=100&text_limit=0"
    ]  # fmt: skip


def test_an_inbox_with_history_has_no_earlier_mail() -> None:
    error, commands = waited(answering({"emails": [EMAIL]}, {"refusals": []}), None)
    assert (error.earlier, error.refused, error.stray, len(commands)) == ([], [], [], 3)
    assert str(error).endswith("0 s. No other mail arrived either. Was it sent to this address, and to this service?")



def test_mail_that_an_earlier_wait_returned_is_not_denied() -> None:
    inbox = box(None)
    inbox._taken.add(EMAIL["id"])
    error, _ = drive(inbox.wait(MailFilter(), 1, "code", 0), answering({"emails": []}, {"refusals": []}, [EMAIL]))
    assert error.arrived == []
    assert str(error).endswith("each mail once. `wait_for_mail()` gives code and link of one.")


@pytest.mark.parametrize(
    "answer",
    [problem(403, "operator_key_required"), problem(503, "unavailable"), Response(200, {}, b"<html>"),
     Response(200, JSON, b"{}"), Response(200, JSON, b'{"refusals": [{}], "emails": [{}]}'), Response(200, JSON, b"{"),
     Response(200, JSON, b'{"refusals": [{"at": 5}], "emails": [{"id": "Z", "address": "a+c@mayfly.test", "received_at": 5}]}')],
)  # fmt: skip
def test_an_explanation_that_fails_changes_nothing(answer: Response) -> None:
    error, _ = waited(answering(answer, answer, stray=answer))
    assert isinstance(error, MailTimeoutError) and (error.earlier, error.refused, error.stray) == ([], [], [])


def test_what_explains_a_time_out_is_asked_once_and_gets_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)
    busy = problem(429, "rate_limited", **{"retry-after": "1"})
    _, [_, *asked] = waited(answering(busy, busy, stray=busy))
    assert [one.timeout if isinstance(one, Request) else one for one in asked] == [2.0] * 3


def test_refusals_of_the_last_minute_for_similar_addresses_the_nearest_first() -> None:
    near = ["bot1@mayfly.test", "bto1@mayfly.test", "bot1@elsewhere.example", "BOT@mayfly.test", "bot1@mayfly.tes"]
    far = [refused(None), refused("somebody@mayfly.test"), refused("bot1@mayfly.test", 61)]
    found = refusals_for("bot1@mayfly.test", [*far, *(refused(one) for one in [*near, "bot1@c.d"])])
    assert [one.recipient for one in found] == [near[0], near[3], near[4], near[1], near[2]]
    assert [edit_distance(a, b) for a, b in (("", "ab"), ("abc", "axc"), ("kitten", "sitting"), ("a", "a"))] == [2, 1, 3, 0]


def test_mail_of_the_last_minute_at_a_similar_address_is_named() -> None:
    def arrived(address: str, seconds: float) -> Any:
        return {**EMAIL, "address": address, "received_at": refused(None, seconds)["at"]}

    names = ["a+b@mayfly.tset", "a+b@mayfly.test", "A+B@mayfly.test", "a+bcde@mayfly.test", "a+c@mayfly.test"]
    stray = {**NONE, "emails": [*(arrived(name, 3) for name in names), arrived("a+d@mayfly.test", 61)]}
    error, _ = waited(answering(NONE, {"refusals": []}, stray=stray))
    assert [mail.address for mail in error.stray] == ["a+c@mayfly.test", "a+b@mayfly.tset"]
    assert str(error).split("\n") == [
        f"No mail arrived for {ADDRESS} within 0 s.",
        f"Mail for a+c@mayfly.test arrived 3 s ago; this inbox is {ADDRESS}.",
        f"Mail for a+b@mayfly.tset arrived 3 s ago; this inbox is {ADDRESS}.",
    ]


def test_mail_for_an_address_that_is_written_in_another_way_is_not_of_another_address() -> None:
    # A letter with its mark as one character, or as two.
    email = {**EMAIL, "address": "jo\u0308@mayfly.test", "received_at": refused(None, -1)["at"]}
    assert [stray_mail(address, [email]) for address in ("j\u00f6@mayfly.test", "ja@mayfly.test")] == [[], [email]]
    stray = MailTimeoutError("a@mayfly.test", "mail", 0, Found([], stray=[MailData(email)]))
    # The clock of the service may be ahead.
    assert "arrived 0 s ago" in str(stray)


@pytest.mark.parametrize("base", [URL, "http://127.0.0.1:1"])
def test_only_a_service_on_loopback_is_said_to_accept_connections(base: str) -> None:
    def answer(_: Request) -> Response:
        raise TransportError("x", is_timeout=True)

    error, _ = drive(Http(base, GivenKey("x"), None).json(Call("/y"), Deadline(60)), answer)
    assert ("accepts connections but" in str(error)) == (base != URL) and f"{base} " in str(error)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_count_of_one_is_not_named(is_async: bool) -> None:
    def wait(url: str, count: int) -> None:
        async def run() -> None:
            inbox = await AsyncMayfly(url, api_key="mf_x").inbox(address=ADDRESS, history=True)
            await inbox.wait_for_mails(count, timeout=0)

        if is_async:
            asyncio.run(run())
        else:
            Mayfly(url, api_key="mf_x").inbox(address=ADDRESS, history=True).wait_for_mails(count, timeout=0)

    with stub(lambda _: json_of({**ANSWER, "email": None, "emails": []})) as server:
        for count, what in ((1, "mail"), (2, "2 × mail")):
            with pytest.raises(MailTimeoutError, match=f"^No {what} arrived"):
                wait(server.url, count)


@pytest.mark.parametrize(("url", "expected"), json.loads((ROOT / "test/packages/loopback.json").read_text())["urls"].items())
def test_the_urls_of_this_machine_are_those_of_the_service(url: str, expected: bool) -> None:
    assert is_loopback(url) == expected


@pytest.mark.parametrize(
    ("base", "page"),
    [("http://127.0.0.1:8025", "http://127.0.0.1:8025/#a+b@c.test/activity"),
     ("http://localhost:8025/sub", "http://localhost:8025/sub/#a+b@c.test/activity"),
     ("http://[::1]:8025", "http://[::1]:8025/#a+b@c.test/activity"),
     ("https://mail.example", None)],
)  # fmt: skip
def test_only_a_service_on_loopback_has_a_page_of_its_requests(base: str, page: str | None) -> None:
    url = activity_url(base, "a+b@c.test")
    assert (url and url.replace("%2B", "+")) == page


def test_the_page_of_an_address_has_the_name_that_a_browser_gives_it() -> None:
    # As encodeURIComponent, which leaves these marks as they are, except that the @ stays readable.
    url = activity_url("http://127.0.0.1:8025", "a-b_c.!~*'()#$%&+/=?^`{|}@c.test")
    assert url == "http://127.0.0.1:8025/#a-b_c.!~*'()%23%24%25%26%2B%2F%3D%3F%5E%60%7B%7C%7D@c.test/activity"


def test_a_real_service_names_what_it_refused(service: Service) -> None:
    client = Mayfly(service.url, api_key=API_KEY)
    with client.inbox() as inbox:
        other = inbox.address.replace("@mayfly.test", "@mayfly.tset")
        with pytest.raises(Exception, match="550"):
            service.post(other, "x", "x")
        with pytest.raises(MailTimeoutError, match="The service refused:") as failure:
            inbox.wait_for_mail(timeout=0.1)
        assert [one.recipient for one in failure.value.refused] == [other]
        similar = f"a{inbox.address}"
        service.post(similar, "stray", "x")
        with pytest.raises(MailTimeoutError, match=rf"Mail for {similar} arrived \d+ s ago; this inbox is") as failure:
            inbox.wait_for_mail(timeout=0)
        assert [mail.subject for mail in failure.value.stray] == ["stray"]
        service.post(inbox.address, "before", "x")
        client.inbox(address=inbox.address, history=True).wait_for_mail()
        with pytest.raises(MailTimeoutError, match="history=True") as failure:
            client.inbox(address=inbox.address).wait_for_mail(timeout=0)
        assert [mail.subject for mail in failure.value.earlier] == ["before"]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_host_that_accepts_and_does_not_answer_ends_the_opening(is_async: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"

        async def opening() -> None:
            await AsyncMayfly(url, timeout=0.2).inbox()

        started = time.monotonic()
        with pytest.raises(MayflyError, match=rf"^{url} accepts connections but does not answer within \d+(\.\d)? s\. .* Set MAYFLY_URL \(or `url`\) to the URL of your service\.$") as failure:
            asyncio.run(opening()) if is_async else Mayfly(url, timeout=0.2).inbox()
    assert failure.value.code == "unreachable"
    seconds = re.search(r"within ([\d.]+) s", str(failure.value))
    assert seconds is not None and float(seconds[1]) >= 0.2
    # Without the client's time-out it would be 30 s.
    assert time.monotonic() - started < 20


def test_credentials_of_the_url_are_sent_to_the_service_and_named_nowhere() -> None:
    client = Http("http://an%40n:s%C3%A4cret@mail.example/base", GivenKey("mf_x"), None)
    sent = {"Authorization": f"Basic {base64.b64encode('an@n:säcret'.encode()).decode()}"}
    assert client.url == "http://mail.example/base"
    redirect = Response(302, {"location": "http://bucket.example/raw"}, b"")
    answers = [redirect, ok(Request("GET", "", {}, None, 1))]
    _, [first, second] = drive(client.content(Call("/api/x"), Deadline(60)), lambda _: answers.pop(0))
    assert isinstance(first, Request) and first.headers.items() >= sent.items()
    assert isinstance(second, Request) and second.headers == {}
    assert EventReader(client, "a", None).request().headers.items() >= sent.items()
    error, _ = drive(client.json(Call("/api/x"), Deadline(60)), lambda _: Response(404, {}, b""))
    assert "http://mail.example/base does not" in str(error) and "cret" not in str(error)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("ftp://ann:secret@host", "ftp://…@host"),
        ("ftp://ann:p@secret@host", "ftp://…@host"),
        ("ann:secret@host:8025", "…@host:8025"),
        ("http://ann:secret@", "http://…@"),
        ("http://ann:sec/secret@host", "http://…@host"),
        ("http://ann:secret@host:99999", "http://…@host:99999"),
    ],
)
def test_a_wrong_url_is_shown_without_its_credentials(url: str, shown: str) -> None:
    with pytest.raises(MayflyError, match=f'"{shown}" is no URL of a service') as failure:
        Mayfly(url)
    assert failure.value.code == "invalid_url" and "secret" not in str(failure.value)


def test_a_url_that_ends_with_api_is_named() -> None:
    client = Http(f"{URL}/api", GivenKey("mf_x"), None)
    error, _ = drive(client.json(Call("/api/x"), Deadline(60)), lambda _: problem(404, "not_found"))
    assert str(error) == f'The URL of the service ends before "/api": use {URL} in place of {URL}/api.'
    assert (error.code, error.status) == ("invalid_url", 404)
    for base, code in ((f"{URL}/api", "x"), (URL, "not_found")):
        error, _ = drive(Http(base, GivenKey("x"), None).json(Call("/y"), Deadline(60)), lambda _: problem(404, code))
        assert str(error) == "Title. Detail."


def test_the_url_of_a_real_service_with_api(service: Service) -> None:
    with pytest.raises(MayflyError, match=f"use {service.url} in place of {service.url}/api"):
        Mayfly(f"{service.url}/api", api_key=API_KEY).inbox()


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_exactly_as_many_mails(monkeypatch: pytest.MonkeyPatch, is_async: bool) -> None:
    for module in ("_sync_inbox", "_async_inbox"):
        monkeypatch.setattr(f"mayfly.{module}._ONE_MORE_SECONDS", 0.0)
    emails = [LATER, EMAIL]

    def answer(path: str) -> Response:
        return json_of({**ANSWER, "emails": emails})

    def wait(url: str) -> list[str]:
        async def run() -> list[str]:
            inbox = await AsyncMayfly(url, api_key="mf_x").inbox(address=ADDRESS, history=True)
            return [mail.id for mail in await inbox.wait_for_mails(1, subject="H", exactly=True)]

        if is_async:
            return asyncio.run(run())
        inbox = Mayfly(url, api_key="mf_x").inbox(address=ADDRESS, history=True)
        return [mail.id for mail in inbox.wait_for_mails(1, subject="H", exactly=True)]

    with stub(answer) as server:
        with pytest.raises(UnexpectedMailError, match=f"Expected exactly 1 for {EMAIL['address'][:1]}") as failure:
            wait(server.url)
        assert failure.value.mail.id == LATER["id"]
        emails.pop(0)
        assert wait(server.url) == [EMAIL["id"]]

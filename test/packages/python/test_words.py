"""Options, filters, the fields of a mail, and the words of errors."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from commands import AT, EMAIL, URL, box, drive, http, ok
from stub import json_of, stub

from mayfly import AsyncInbox, AsyncMail, AsyncMayfly, Inbox, Mail, Mayfly, Person
from mayfly._async_transport import AsyncTransport
from mayfly._core import Response
from mayfly._errors import Found, MailTimeoutError, UnexpectedMailError, problem_error
from mayfly._filter import MailFilter, decided, parameter, shown
from mayfly._keys import KeyFile
from mayfly._mail_data import MailData
from mayfly._options import checked_count, checked_seconds, compiled, connect, default_timeout, described_match
from mayfly._search import code_of, link_of
from mayfly._sync_transport import Transport
from mayfly._wire import FILTERS

LINK: Any = {"url": "https://shop.example/a", "text": "Confirm", "kind": "confirm"}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            "api_key_invalid",
            "Does MAYFLY_API_KEY (or `api_key`) belong to this service? Without it, a key is created automatically.",
        ),
        ("api_key_expired", "Without MAYFLY_API_KEY (or `api_key`), a new key is created automatically."),
        ("key_quota_exceeded", "Set MAYFLY_API_KEY (or `api_key`) to a key that you have."),
        ("domain_key_missing", "Pass it as `Mayfly(domain_key=...)`, or set MAYFLY_DOMAIN_KEY."),
        (
            "domain_not_found",
            "GET /api/domains lists the domains of this service; `inbox(domain=...)` selects one.",
        ),
        (
            "rate_limited",
            "All workers that share a key share its 120 requests a minute, which is about 60 tests with one wait "
            "each. Your own service has no limit for you: set MAYFLY_API_KEYS there and MAYFLY_API_KEY here to the "
            "same key. On a service of others, give each worker a key of its own, or allow more time with `timeout`.",
        ),
    ],
)
def test_errors_say_what_to_do(code: str, words: str) -> None:
    error = problem_error({"code": code, "title": "Title", "detail": "Detail.", "status": 429, "request_id": "r1"})
    assert str(error) == f"Title. Detail. {words}"
    assert (error.code, error.status, error.request_id) == (code, 429, "r1")
    assert str(problem_error({"code": code})).startswith(f"{code}. ")
    assert problem_error({}).code == "internal_error"


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, '  ann@shop.example  "Hello"  (2 codes, 1 link, no action link)'),
        ({"codes": ["1"], "links": []}, '  ann@shop.example  "Hello"  (1 code, no links)'),
        ({"action_link": LINK, "links": ["a", "b"]}, '  ann@shop.example  "Hello"  (2 codes, 2 links)'),
        ({"from": {"name": "Ann", "address": None}, "links": [], "codes": []}, '  Ann  "Hello"  (no codes, no links)'),
        ({"from": {"name": None, "address": None}, "links": []}, '  unknown sender  "Hello"  (2 codes, no links)'),
    ],
)
def test_errors_show_a_mail_in_a_line(more: dict[str, Any], line: str) -> None:
    mail = MailData({**EMAIL, **more})
    shown_mail = f"  2026-11-23T08:00:00.000Z{line}"
    error = MailTimeoutError("a@mayfly.test", "code", 1.26, Found([mail, mail]))
    assert str(error) == f"No code arrived for a@mayfly.test within 1.3 s. These mails arrived:\n{shown_mail}\n{shown_mail}"
    assert (error.code, error.filter, error.waited, error.arrived) == ("timeout", "code", 1.26, [mail, mail])
    unexpected = UnexpectedMailError("a@mayfly.test", mail)
    assert str(unexpected) == f"Expected no mail for a@mayfly.test, but this one arrived:\n{shown_mail}"
    assert (unexpected.code, unexpected.mail) == ("unexpected_mail", mail)


def test_the_fields_of_a_mail() -> None:
    mail = MailData(EMAIL)
    fields = (mail.id, mail.address, mail.subject, mail.text, mail.codes, mail.links, mail.data)
    names = ("id", "address", "subject", "body_text", "codes", "links")
    assert fields == (*(EMAIL[name] for name in names), EMAIL)
    assert (mail.from_.name, mail.from_.address) == ("Ann", "ann@shop.example")
    assert (mail.to, mail.cc) == ([Person(None, "a+b@mayfly.test")], [Person("Bob", "bob@shop.example")])
    link = MailData({**EMAIL, "action_link": LINK}).action_link
    assert link is not None and (link.url, link.text, link.kind) == ("https://shop.example/a", "Confirm", "confirm")
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


def test_a_pattern_for_the_recipient_is_about_the_address_and_to_and_cc() -> None:
    mail = MailData({**EMAIL, "to": [{"name": "Jo", "address": None}], "cc": [{"name": None, "address": "bob@shop.example"}]})
    for pattern in (f"^{re.escape(EMAIL['address'])}$", "^Jo$", "^bob@shop"):
        assert MailFilter(to=re.compile(pattern)).matches(mail), pattern
    assert not MailFilter(to=re.compile("^Ann")).matches(mail)


def test_filters_in_words() -> None:
    every: MailFilter[MailData] = MailFilter("shop", re.compile("code", re.I | re.M | re.S), "code", "7", where=bool)
    assert every.described() == 'mail from "shop" with subject /code/ims with "7" in it with a code that `where` accepts'
    assert every.described("code") == 'code from "shop" with subject /code/ims with "7" in it that `where` accepts'
    for has, words in (("link", "a link"), ("action_link", "an action link"), ("attachment", "an attachment")):
        assert MailFilter(has=has).described() == f"mail with {words}"  # type: ignore[arg-type, var-annotated]
    assert (shown("a"), shown(re.compile("a"))) == ('"a"', "/a/")
    assert shown(re.compile("a", re.I | re.M | re.S)) == "/a/ims"
    assert described_match("/terms") == "link that matches /terms"
    assert described_match(re.compile("a", re.I)) == "link that matches /a/i"
    assert described_match(len) == "link that matches len"  # type: ignore[arg-type]
    # A partial function has no name.
    is_terms = partial(str.__contains__, "/terms")
    assert described_match(is_terms) == f"link that matches {is_terms}"


def test_a_filter_that_is_narrowed_keeps_its_own_predicate() -> None:
    narrowed: MailFilter[MailData] = MailFilter(q="x", where=lambda mail: mail.text == "x").narrowed("link", None)
    assert (narrowed.has, narrowed.q, narrowed.matches(MailData(EMAIL))) == ("link", "x", True)
    for own, further, is_match in ((True, True, True), (True, False, False), (False, True, False), (None, True, True)):
        filter: MailFilter[MailData] = MailFilter(where=None if own is None else lambda _, own=own: own)  # type: ignore[misc]
        assert filter.narrowed(None, lambda _: further).matches(MailData(EMAIL)) is is_match


def test_a_predicate_that_is_async_is_a_mistake() -> None:
    async def never(_: object) -> bool:
        return False

    with pytest.raises(TypeError, match="must not be async"):
        MailFilter(where=never).matches(MailData(EMAIL))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must not be async"):
        link_of(MailData({**EMAIL, "links": ["https://shop.example/"]}), never)  # type: ignore[arg-type]
    # The error says it all: Python warns of a coroutine that nothing has run, when it is collected.
    answer = never(None)
    with pytest.raises(TypeError):
        decided(answer)
    assert inspect.getcoroutinestate(answer) == inspect.CORO_CLOSED


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
        (lambda: default_timeout(True), "`timeout` must be a number of seconds from 0 to 3600, not True."),
        (lambda: default_timeout(float("nan")), "`timeout` must be a number of seconds from 0 to 3600, not nan."),
        (lambda: Mayfly(timeout=-1), "`timeout` must be a number of seconds from 0 to 3600, not -1."),
        (lambda: AsyncMayfly(timeout=-1), "`timeout` must be a number of seconds from 0 to 3600, not -1."),
        (lambda: Mayfly(timeout=10_000), "`timeout` must be a number of seconds from 0 to 3600, not 10000."),
        (lambda: AsyncMayfly(timeout=1e4), "`timeout` must be a number of seconds from 0 to 3600, not 10000.0."),
        (lambda: checked_seconds("within", 3600.1), "`within` must be a number of seconds from 0 to 3600, not 3600.1."),
        (lambda: described_match(1), "`match` must be a string, a compiled pattern or a function, not 1."),
        (lambda: drive(box().one(""), ok), "mail() takes the id of a mail, not ''."),
        (lambda: drive(box().one(5), ok), "mail() takes the id of a mail, not 5."),  # type: ignore[arg-type]
        (lambda: checked_count(0), "`count` must be a whole number from 1, not 0."),
        (lambda: checked_count(1.0), "`count` must be a whole number from 1, not 1.0."),
        (lambda: checked_count(True), "`count` must be a whole number from 1, not True."),
        (lambda: checked_seconds("within", "1"), "`within` must be a number of seconds from 0 to 3600, not '1'."),
        (lambda: compiled(1), "`pattern` must be a string or a compiled pattern, not 1."),  # type: ignore[arg-type]
    ],
)
def test_wrong_arguments_are_named(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError) as failure:
        call()
    assert str(failure.value) == words


def test_options_come_from_the_environment_unless_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAYFLY_URL", "MAYFLY_API_KEY", "MAYFLY_DOMAIN_KEY", "MAYFLY_TIMEOUT"):
        monkeypatch.delenv(name, raising=False)
    plain = connect(None, None, None, 7)
    assert (plain.url, plain.domain_key, default_timeout(None)) == ("http://127.0.0.1:8025", None, 10)
    assert isinstance(plain._keys, KeyFile)
    assert (plain.opening, connect(None, None, None, 0).opening) == (7, 10)
    monkeypatch.setenv("MAYFLY_URL", "http://env.example")
    monkeypatch.setenv("MAYFLY_API_KEY", "mf_env")
    monkeypatch.setenv("MAYFLY_DOMAIN_KEY", "env-secret")
    monkeypatch.setenv("MAYFLY_TIMEOUT", "7000")
    for client, url, key, domain_key in (
        (connect(None, None, None, 7), "http://env.example", "mf_env", "env-secret"),
        (connect(URL, "mf_x", "secret", 7), URL, "mf_x", "secret"),
    ):
        assert (client.url, client.domain_key) == (url, domain_key)
        assert drive(client._keys.current(client), ok)[0] == key
    assert (default_timeout(None), default_timeout(0), default_timeout(2.5)) == (7, 0, 2.5)
    monkeypatch.setenv("MAYFLY_TIMEOUT", "3600000")
    assert (default_timeout(None), default_timeout(3600)) == (3600, 3600)
    for text in ("-1", "3600001"):
        monkeypatch.setenv("MAYFLY_TIMEOUT", text)
        with pytest.raises(TypeError) as failure:
            default_timeout(None)
        expected = f'MAYFLY_TIMEOUT must be a number of milliseconds from 0 to 3600000, not "{text}".'
        assert str(failure.value) == expected


def test_the_fields_of_an_attachment() -> None:
    fields = [(f"{n}.pdf", f"application/{n}", n, n > 5) for n in range(10)]
    summaries = [
        {"id": name[0], "filename": name, "content_type": kind, "size": size, "inline": inline}
        for name, kind, size, inline in fields
    ]
    data: Any = {**EMAIL, "attachment_count": 11, "attachments": summaries}
    for mail in (Mail(data, Transport(http())), AsyncMail(data, AsyncTransport(http()))):
        shown_fields = [(one.filename, one.content_type, one.size, one.inline) for one in mail.attachments]
        assert shown_fields == [*fields, (None, None, None, None)]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_each_attachment_is_read_by_its_number(is_async: bool) -> None:
    whole = {**EMAIL, "attachments": [{"filename": "a.pdf"}, {"filename": "b.pdf"}]}

    async def read(url: str) -> Any:
        if is_async:
            [_, second] = AsyncMail({**EMAIL, "attachment_count": 2}, AsyncMayfly(url, api_key="x")._transport).attachments
            return await second.info(), await second.text()
        [_, second_sync] = Mail({**EMAIL, "attachment_count": 2}, Mayfly(url, api_key="x")._transport).attachments
        return second_sync.info(), second_sync.text()

    with stub(lambda path: Response(200, {}, b"\xe4x") if "/attachments/" in path else json_of({"email": whole})) as server:
        # Bytes that are no UTF-8 do not fail.
        assert asyncio.run(read(server.url)) == ({"filename": "b.pdf"}, "\ufffdx")
    assert server.paths == [f"{AT}/{EMAIL['id']}", f"{AT}/{EMAIL['id']}/attachments/1"]


METHODS = ["wait_for_mail", "wait_for_mails", "wait_for_code", "wait_for_link", "expect_no_mail", "mails", "latest"]
ALL_MAIL_METHODS = ["mails", "wait_for_mail", "clear"]


@pytest.mark.parametrize(
    ("type_", "method"),
    [(one, method) for one in (Inbox, AsyncInbox) for method in METHODS]
    + [(one, method) for one in (Mayfly, AsyncMayfly) for method in ALL_MAIL_METHODS],
)
def test_every_method_takes_every_filter_of_the_service(type_: type, method: str) -> None:
    # What a code and a link must have is fixed.
    wanted = [name for name in FILTERS if name != "has" or method not in ("wait_for_code", "wait_for_link")]
    parameters = inspect.signature(getattr(type_, method)).parameters
    assert [name for name in wanted if parameter(name) not in parameters] == []


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_is_sent_and_described(name: str) -> None:
    value = "code" if name == "has" else "some text"
    filter: MailFilter[MailData] = MailFilter(**{parameter(name): value})  # type: ignore[arg-type]
    assert filter.query() == {name: value}
    assert filter.described() != "mail"


@pytest.mark.parametrize("name", [parameter(name) for name in FILTERS if name not in ("q", "has")])
def test_a_pattern_selects_by_every_text(name: str) -> None:
    pattern = re.compile("no mail has this")
    filter: MailFilter[MailData] = MailFilter(**{name: pattern})  # type: ignore[arg-type]
    assert (filter.query(), filter.has_pattern, filter.matches(MailData(EMAIL))) == ({}, True, False)


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        *(("from_", pattern) for pattern in ("^Ann$", "^ann@shop", "^Ann <ann@shop.example>$")),
        *(("to", pattern) for pattern in ("^hidden@", r"^a\+b@", "^Bob$", "^bob@shop", "^Bob <bob@shop.example>$")),
        ("subject", "^Hello$"),
    ],
)
def test_a_pattern_is_compared_with_names_addresses_and_both(name: str, pattern: str) -> None:
    mail = MailData({**EMAIL, "address": "hidden@mayfly.test"})
    filter: MailFilter[MailData] = MailFilter(**{name: re.compile(pattern)})  # type: ignore[arg-type]
    assert filter.matches(mail)

"""How a wait finds its mails: when it lists them, from where it continues, and what ends it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from commands import EMAIL, box, drive, http, problem
from stub import json_of

from mayfly._all_mail import AllMail
from mayfly._core import Request, Response, TransportError
from mayfly._filter import MailFilter
from mayfly._mail_data import MailData

ids = [EMAIL["id"][:-1] + end for end in "1234"]
emails = [{**EMAIL, "id": id, "subject": id[-1]} for id in ids]
ANY: MailFilter[MailData] = MailFilter()
NONE: MailFilter[MailData] = MailFilter(where=lambda _: False)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock, which a test sets."""
    seconds = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: seconds[0])
    return seconds


def held(email: object) -> Response:
    return Response(200, {"content-type": "application/json"}, json.dumps({"email": email}).encode())


def listed(*found: object) -> Response:
    return json_of({"emails": list(found)[::-1], "next_cursor": None})


class Script:
    """Answers the requests of an operation in order, and records them as `wait` or `list` with their `since`."""

    def __init__(self, *answers: Response | Exception | Callable[[], Response]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str | None]] = []

    def __call__(self, request: Request) -> Response:
        parts = urlsplit(request.url)
        if parts.path in ("/api/refusals", "/api/emails") or "limit=5" in parts.query:
            # Requests of the error, which test_errors.py has.
            return problem(403, "operator_key_required")
        kind = "wait" if parts.path.endswith("/wait") else "list"
        self.asked.append((kind, dict(parse_qsl(parts.query)).get("since")))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        if callable(answer):
            return answer()
        return Response(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.body)


def subjects(result: Any) -> list[str]:
    return [mail.subject for mail in result]


def test_several_mails_are_listed(now: list[float]) -> None:
    script = Script(held(emails[0]), listed(emails[0]), held(None), held(emails[1]), listed(*emails[1:3]))
    assert subjects(drive(box().wait(ANY, 2, "", 5), script)[0]) == ["1", "2"]
    assert script.asked == [("wait", None), ("list", None), ("wait", ids[0]), ("wait", ids[0]), ("list", ids[0])]


def test_a_mail_that_is_rejected_is_not_requested_again(now: list[float]) -> None:
    def late() -> Response:
        now[0] = 5.26
        return Response(200, {"content-type": "application/json"}, b'{"email": null}')

    script = Script(held(emails[0]), listed(emails[0]), late, listed(emails[0]))
    error, _ = drive(box("0").wait(NONE, 1, "code", 5), script)
    assert str(error).startswith("No code arrived for a+b@mayfly.test within 5.3 s. These mails arrived:\n")
    assert script.asked == [("wait", "0"), ("list", "0"), ("wait", ids[0]), ("list", "0")]


def test_a_mail_of_the_last_moment_is_found(now: list[float]) -> None:
    script = Script(listed(emails[0]), listed(emails[0]))
    assert subjects(drive(box().wait(ANY, 1, "", 0), script)[0]) == ["1"]
    assert script.asked == [("list", None), ("list", None)]


def test_a_mail_that_another_wait_has_taken_does_not_end_a_wait(now: list[float]) -> None:
    inbox = box()
    waiting = inbox.wait(ANY, 1, "", 5)
    next(waiting)
    # The other wait ends first, with the same mail.
    assert subjects(drive(inbox.wait(ANY, 1, "", 5), Script(held(emails[0])))[0]) == ["1"]
    again = waiting.send(held(emails[0]))
    assert isinstance(again, Request) and "/wait" not in again.url


def test_mails_that_a_wait_has_returned_are_no_longer_among_those_that_arrived(now: list[float]) -> None:
    inbox = box()
    drive(inbox.wait(ANY, 1, "", 5), Script(held(emails[0])))
    # It only looks, so it lists just twice: the mails that arrived, and those that match.
    script = Script(listed(*emails[:2]), listed(*emails[:2]))
    error, _ = drive(inbox.wait(NONE, 1, "", 0), script)
    assert (subjects(error.arrived), len(script.asked)) == (["2"], 2)


def test_a_list_without_mails_changes_no_position(now: list[float]) -> None:
    inbox = box("0")
    drive(inbox.wait(ANY, 1, "", 5), Script(held(emails[0])))
    script = Script(listed(), held(emails[1]))
    assert subjects(drive(inbox.wait(ANY, 1, "", 5), script)[0]) == ["2"]
    assert script.asked == [("list", "0"), ("wait", "0")]


@pytest.mark.parametrize(
    ("seconds", "failure", "code"),
    [
        # The deadline has ended the request.
        (5.0, TransportError("too late", is_timeout=True), "timeout"),
        (5.0, TransportError("reset"), "unreachable"),
        (5.0, problem(500, "internal_error"), "internal_error"),
        # The request took longer than it may, before the deadline.
        (4.9, TransportError("too late", is_timeout=True), "unreachable"),
    ],
)
def test_only_the_deadline_is_a_time_out(now: list[float], seconds: float, failure: Any, code: str) -> None:
    def answer(request: Request) -> Response:
        if "/wait" not in request.url:
            return Response(200, {"content-type": "application/json"}, b'{"emails": [], "next_cursor": null}')
        now[0] = seconds
        if isinstance(failure, Exception):
            raise failure
        response: Response = failure
        return response

    error, _ = drive(box().wait(ANY, 1, "", 5), answer)
    assert error.code == code


def test_a_mail_that_was_not_expected_stays_for_the_next_wait(now: list[float]) -> None:
    inbox = box()
    error, _ = drive(inbox.expect_none(ANY, 5), Script(held(emails[0])))
    assert (error.code, error.mail.subject) == ("unexpected_mail", "1")
    assert subjects(drive(inbox.wait(ANY, 1, "", 5), Script(held(emails[0])))[0]) == ["1"]


def test_patterns_decide_what_a_list_has(now: list[float]) -> None:
    pattern: MailFilter[MailData] = MailFilter(subject=re.compile("[13]"))
    assert subjects(drive(box().newest_first(pattern), Script(listed(*emails)))[0]) == ["3", "1"]


class AllMailScript:
    """Answers the requests of a wait for all mail in order, and records their kinds, `since` and `limit`."""

    def __init__(self, *answers: Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str | None, str | None]] = []

    def __call__(self, request: Request) -> Response:
        parts = urlsplit(request.url)
        query = dict(parse_qsl(parts.query))
        self.asked.append((parts.path.rpartition("/")[2], query.get("since"), query.get("limit")))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Response(answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.body)


def test_a_wait_for_all_mail_reads_every_page_before_it_waits(now: list[float]) -> None:
    wanted: MailFilter[MailData] = MailFilter(subject=re.compile("1"))
    first = json_of({"emails": emails[3:1:-1], "next_cursor": "c"})
    script = AllMailScript(first, listed(*emails[:2]))
    found, _ = drive(AllMail(http(), MailData).wait(wanted, 5), script)
    assert (found.subject, script.asked) == ("1", [("emails", None, "100")] * 2)


def test_a_wait_for_all_mail_examines_each_mail_once(now: list[float]) -> None:
    wanted: MailFilter[MailData] = MailFilter(subject=re.compile("4"))
    script = AllMailScript(
        listed(*emails[:2]), held(emails[2]), listed(), held(None), listed(), held(emails[3]), listed(emails[3])
    )
    found, _ = drive(AllMail(http(), MailData).wait(wanted, 5), script)
    assert found.subject == "4"
    assert script.asked == [
        ("emails", None, "100"),
        ("wait", ids[1], None),
        ("emails", ids[2], "100"),
        ("wait", ids[2], None),
        ("emails", ids[2], "100"),
        ("wait", ids[2], None),
        ("emails", ids[2], "100"),
    ]


def test_a_wait_for_all_mail_that_fails_lists_the_five_newest_mails_the_oldest_first(now: list[float]) -> None:
    script = AllMailScript(listed(*emails), listed(*emails))
    error, _ = drive(AllMail(http(), MailData).wait(NONE, 0), script)
    assert (error.code, subjects(error.arrived)) == ("timeout", ["1", "2", "3", "4"])
    assert script.asked == [("emails", None, "100"), ("emails", None, "5")]


@pytest.mark.parametrize(
    ("seconds", "is_timeout", "code", "requests"),
    [
        # A list, the wait, and the list of what arrived instead.
        (5.0, True, "timeout", 3),
        (5.0, False, "unreachable", 2),
        (4.9, True, "unreachable", 1),
    ],
)
def test_only_the_deadline_of_a_wait_for_all_mail_is_a_time_out(
    now: list[float], seconds: float, is_timeout: bool, code: str, requests: int
) -> None:
    script = AllMailScript(listed(), listed())

    def answer(request: Request) -> Response:
        # A service that has never answered is not asked again.
        if "/wait" not in request.url and seconds == 5.0:
            return script(request)
        now[0] = seconds
        raise TransportError("lost", is_timeout=is_timeout)

    error, commands = drive(AllMail(http(), MailData).wait(ANY, 5), answer)
    assert (error.code, len(commands)) == (code, requests)

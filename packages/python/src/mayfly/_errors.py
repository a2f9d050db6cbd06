"""Errors of this library."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._mail_data import MailData
from ._refusals import Refusal

# What a user of this library can do about a refusal; the service only knows about HTTP.
_ADVICE = {
    "api_key_invalid": "Does MAYFLY_API_KEY (or `api_key`) belong to this service? "
    "Without it, a key is created automatically.",
    "api_key_expired": "Without MAYFLY_API_KEY (or `api_key`), a new key is created automatically.",
    "key_quota_exceeded": "Set MAYFLY_API_KEY (or `api_key`) to a key that you have.",
    "domain_key_missing": "Pass it as `Mayfly(domain_key=...)`, or set MAYFLY_DOMAIN_KEY.",
    "domain_not_found": "GET /api/domains lists the domains of this service; `inbox(domain=...)` selects one.",
    "rate_limited": "All workers that share a key share its 120 requests a minute, which is about 60 tests "
    "with one wait each. Your own service has no limit for you: set MAYFLY_API_KEYS there and MAYFLY_API_KEY "
    "here to the same key. On a service of others, give each worker a key of its own, or allow more time "
    "with `timeout`.",
}


class MayflyError(Exception):
    """Any error of this library; its message says what to do.

    `code` is a code of the service's problem responses (`api_key_expired`, `domain_not_found`, ...), or
    `unreachable`, `not_mayfly`, `invalid_url`, `timeout`, `unexpected_mail`. `status` is the HTTP status, None
    if the error is not a response of the service. `request_id` finds the request in the service's log.

    Example:
        >>> try:
        ...     inbox.wait_for_code()
        ... except MayflyError as error:
        ...     print(error.code)
    """

    def __init__(
        self, code: str, message: str, *, status: int | None = None, request_id: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.request_id = request_id


@dataclass(frozen=True)
class Found:
    """What explains a wait without a result."""

    arrived: Sequence[MailData]
    earlier: Sequence[MailData] = ()
    refused: Sequence[Refusal] = ()
    stray: Sequence[MailData] = ()
    # Whether an earlier wait has returned mail.
    returned: bool = False
    activity_url: str | None = None


class MailTimeoutError(MayflyError):
    """No matching mail arrived in time. The message says what was there instead, so that the cause is obvious.

    `filter` describes the mail that was waited for, `waited` is the time in seconds. `arrived` holds the mails that
    arrived and that no wait has returned, oldest first; `earlier` up to five mails from before the inbox was opened,
    newest first; `refused` the mail of the last minute that the service refused for this address or one that looks
    like it (empty without an operator's key). `stray` holds the mail of the last minute that arrived at an address that
    looks like this one, with an empty `text`; it is empty for a client that may not read all mail. `activity_url` is a page of a service on this machine that shows the wait
    beside the mail, and which filter refused each; None for other services, which do not record requests.

    Example:
        >>> try:
        ...     inbox.wait_for_code(timeout=5)
        ... except MailTimeoutError as error:
        ...     print([mail.subject for mail in error.arrived])
    """

    def __init__(self, address: str, filter: str, waited: float, found: Found) -> None:
        parts = [
            f"No {filter} arrived for {address} within {round(waited, 1):g} s.",
            _listed("These mails arrived:", [_line(mail) for mail in found.arrived]),
            _listed("Before this inbox was opened, there arrived:", [_line(mail) for mail in found.earlier], _HISTORY),
            _listed("The service refused:", [_refusal(refusal) for refusal in found.refused]),
            *(f"{_arrival(mail)}; this inbox is {address}." for mail in found.stray),
            _NOT_LISTED if found.returned and found.arrived else "",
        ]
        parts = [part for part in parts if part]
        if len(parts) == 1:
            parts.append(_RETURNED if found.returned else _NOTHING)
        text = ("\n" if len(parts) > 2 else " ").join(parts)
        super().__init__("timeout", text if found.activity_url is None else f"{text}\nWhy: {found.activity_url}")
        self.filter = filter
        self.waited = waited
        self.arrived = list(found.arrived)
        self.earlier = list(found.earlier)
        self.refused = list(found.refused)
        self.stray = list(found.stray)
        self.activity_url = found.activity_url


class UnexpectedMailError(MayflyError):
    """A mail arrived during `expect_no_mail`; it is in `mail`.

    Example:
        >>> try:
        ...     inbox.expect_no_mail()
        ... except UnexpectedMailError as error:
        ...     print(error.mail.subject)
    """

    def __init__(self, address: str, mail: MailData, expected: str = "no mail") -> None:
        message = f"Expected {expected} for {address}, but this one arrived:\n{_line(mail)}"
        super().__init__("unexpected_mail", message)
        self.mail = mail


def problem_error(problem: Mapping[str, Any]) -> MayflyError:
    """Returns the error for a problem response of the service (RFC 9457)."""
    code = str(problem.get("code", "internal_error"))
    parts = [f"{problem.get('title', code)}.", problem.get("detail"), _ADVICE.get(code)]
    return MayflyError(
        code,
        " ".join(str(part) for part in parts if part),
        status=problem.get("status"),
        request_id=problem.get("request_id"),
    )


def _arrival(mail: MailData) -> str:
    seconds = max(0, round(time.time() - mail.received_at.timestamp()))
    return f"Mail for {mail.address} arrived {seconds} s ago"


_NOTHING = "No other mail arrived either. Was it sent to this address, and to this service?"
_RETURNED = (
    "Earlier waits have returned all mail that arrived, each mail once. `wait_for_mail()` gives code and link of one."
)
_NOT_LISTED = "Mails that earlier waits have returned are not listed: a wait returns each mail once."
_HISTORY = "Pass `history=True` to `inbox()`, or open the inbox before the mail is sent."


def _listed(title: str, lines: list[str], end: str | None = None) -> str:
    return "\n".join([title, *lines, *([] if end is None else [end])]) if lines else ""


def _refusal(refusal: Refusal) -> str:
    at = refusal.at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return f"  {at}  {refusal.recipient}  {refusal.code} {refusal.reply}"


def _line(mail: MailData) -> str:
    counts = f"{_count(len(mail.codes), 'code')}, {_count(len(mail.links), 'link')}"
    action = ", no action link" if mail.links and mail.action_link is None else ""
    sender = mail.from_.address or mail.from_.name or "unknown sender"
    return f'  {mail.data["received_at"]}  {sender}  "{mail.subject}"  ({counts}{action})'


def _count(n: int, word: str) -> str:
    return f"{n or 'no'} {word}{'' if n == 1 else 's'}"

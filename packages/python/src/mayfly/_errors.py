"""Errors of this library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._mail_data import MailData

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


class MailTimeoutError(MayflyError):
    """No matching mail arrived in time. The message lists the mails that did arrive.

    `filter` describes the mail that was waited for, `waited` is the time in seconds, `arrived` holds the mails
    that arrived and that no wait has returned, oldest first.

    Example:
        >>> try:
        ...     inbox.wait_for_code(timeout=5)
        ... except MailTimeoutError as error:
        ...     print([mail.subject for mail in error.arrived])
    """

    def __init__(self, address: str, filter: str, waited: float, arrived: Sequence[MailData]) -> None:
        if arrived:
            summary = "These mails arrived:\n" + "\n".join(_line(mail) for mail in arrived)
        else:
            summary = "No other mail arrived either. Was it sent to this address, and to this service?"
        message = f"No {filter} arrived for {address} within {round(waited, 1):g} s. {summary}"
        super().__init__("timeout", message)
        self.filter = filter
        self.waited = waited
        self.arrived = list(arrived)


class UnexpectedMailError(MayflyError):
    """A mail arrived during `expect_no_mail`; it is in `mail`.

    Example:
        >>> try:
        ...     inbox.expect_no_mail()
        ... except UnexpectedMailError as error:
        ...     print(error.mail.subject)
    """

    def __init__(self, address: str, mail: MailData) -> None:
        message = f"Expected no mail for {address}, but this one arrived:\n{_line(mail)}"
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


def _line(mail: MailData) -> str:
    counts = f"{_count(len(mail.codes), 'code')}, {_count(len(mail.links), 'link')}"
    action = ", no action link" if mail.links and mail.action_link is None else ""
    sender = mail.from_["address"] or mail.from_["name"] or "unknown sender"
    return f'  {mail.data["received_at"]}  {sender}  "{mail.subject}"  ({counts}{action})'


def _count(n: int, word: str) -> str:
    return f"{n or 'no'} {word}{'' if n == 1 else 's'}"

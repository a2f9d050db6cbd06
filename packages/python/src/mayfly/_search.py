"""Requests about one address, and waits."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable
from typing import Any, Generic

from ._core import CALL_SECONDS, Call, Deadline, Http, Operation
from ._errors import Found, MailTimeoutError, MayflyError, UnexpectedMailError
from ._explanation import activity_url, explain
from ._filter import M, MailFilter, decided
from ._mail_data import MailData, path_of
from ._wire import Email

# The longest time that the service holds a request, in seconds, and the time that the response may take on top.
_HOLD_MAX = 25
_GRACE = 10
PAGE = 100
# A test must not wait for its clean-up: mail that is not deleted now expires.
_DISPOSAL_SECONDS = 5.0
# After the time-out, one last list finds mail that arrived in the last moment; it may take this long.
_LAST_LIST_SECONDS = 5.0

LinkMatch = str | re.Pattern[str] | Callable[[str], bool]
"""A part of the URL, a compiled pattern, or a predicate."""


class Box(Generic[M]):
    """An address and its mail since `since`: the operations of an inbox."""

    def __init__(self, http: Http, address: str, since: str | None, mail: Callable[[Any], M]) -> None:
        self.http = http
        self.address = address
        self.since = since
        self.mail = mail
        self._path = path_of(address)
        self._taken: set[str] = set()
        # Waits of several threads must not return the same mail.
        self._lock = threading.Lock()

    def wait(self, filter: MailFilter[M], count: int, what: str, timeout: float) -> Operation[list[M]]:
        """Returns the wanted mails in the order in which they arrived. Raises MailTimeoutError."""
        mails, waited, arrived = yield from self._search(filter, count, timeout)
        if mails is None:
            earlier, refused, stray = yield from explain(self.http, self.address, self.since)
            activity = activity_url(self.http.url, self.address)
            found = Found(arrived, self._mails(earlier), refused, self._mails(stray), bool(self._taken), activity)
            raise MailTimeoutError(self.address, what, waited, found)
        return mails

    def expect_none(self, filter: MailFilter[M], within: float, expected: str = "no mail") -> Operation[None]:
        """Raises UnexpectedMailError if a matching mail arrives."""
        mails, _, _ = yield from self._search(filter, 1, within)
        for mail in mails or []:
            with self._lock:
                self._taken.discard(mail.id)
            raise UnexpectedMailError(self.address, mail, expected)

    def newest_first(self, filter: MailFilter[M]) -> Operation[list[M]]:
        """Returns the mails that match, newest first."""
        mails = yield from self._list(filter, self.since, Deadline(CALL_SECONDS))
        return [mail for mail in reversed(mails) if filter.matches(mail)]

    def missed(self, after: str, before: str) -> Operation[list[M]]:
        """Returns the mails between two ids, oldest first."""
        mails = yield from self._list(MailFilter(), after, Deadline(CALL_SECONDS))
        return [mail for mail in mails if mail.id < before]

    def one(self, id: str) -> Operation[M]:
        """Returns the mail with this id and marks it as read."""
        if not isinstance(id, str) or id == "":
            raise TypeError(f"mail() takes the id of a mail, not {id!r}.")
        answer = yield from self.http.json(Call(f"{self._path}/{id}"), Deadline(CALL_SECONDS))
        return self.mail(answer["email"])

    def clear(self) -> Operation[int]:
        """Deletes every mail of the address and returns how many there were."""
        answer = yield from self.http.json(Call(self._path, method="DELETE"), Deadline(CALL_SECONDS))
        return int(answer["deleted"])

    def dispose(self) -> Operation[None]:
        """Does the same in one attempt and never fails: an error here would hide the error of the test."""
        call = Call(self._path, method="DELETE", is_single=True)
        try:
            yield from self.http.json(call, Deadline(_DISPOSAL_SECONDS))
        except MayflyError:
            pass

    def _search(
        self, filter: MailFilter[M], count: int, timeout: float
    ) -> Operation[tuple[list[M] | None, float, list[M]]]:
        """Returns the mails, None if they did not arrive; the time waited; the mails that arrived instead."""
        deadline = Deadline(timeout)
        search = _Search(self, filter, count)
        try:
            # A held request would return the mails that are taken already.
            if self._taken and deadline.left > 0:
                yield from search.look(deadline)
            mails = search.take()
            while mails is None and deadline.left > 0:
                yield from search.hold(deadline)
                mails = search.take()
        except MayflyError as error:
            # The deadline has ended a request, which is no failure of the service.
            if deadline.left > 0 or not getattr(error.__cause__, "is_timeout", False):
                raise
            mails = None
        waited = deadline.waited
        if mails is not None:
            return mails, waited, []
        last = Deadline(_LAST_LIST_SECONDS)
        arrived = yield from self._list(MailFilter(), self.since, last)
        if arrived and arrived[-1].id > (search.since or ""):
            yield from search.look(last)
        mails = search.take()
        return mails, waited, [mail for mail in arrived if mail.id not in self._taken]

    def _mails(self, emails: list[Email]) -> list[M]:
        return [self.mail(email) for email in emails]

    def _list(self, filter: MailFilter[M], since: str | None, deadline: Deadline) -> Operation[list[M]]:
        mails: list[M] = []
        query = {**filter.query(), "limit": str(PAGE), **({} if since is None else {"since": since})}
        while True:
            page = yield from self.http.json(Call(self._path, query=query), deadline)
            mails.extend(self.mail(email) for email in page["emails"])
            if page["next_cursor"] is None:
                return mails[::-1]
            query["cursor"] = page["next_cursor"]


class _Search(Generic[M]):
    """One wait for a number of mails.

    Usually it is one held request, whose response is the mail. The mails are listed only when that response does
    not decide it: a pattern or predicate rejects the mail, or more than one is wanted.
    """

    def __init__(self, box: Box[M], filter: MailFilter[M], count: int) -> None:
        self._box = box
        self._filter = filter
        self._count = count
        self._candidates: list[M] = []
        self.since = box.since

    def hold(self, deadline: Deadline) -> Operation[None]:
        """Sends one request that the service holds until a mail is there."""
        call = hold_call(self._box._path, self._filter, self.since, deadline)
        answer = yield from self._box.http.json(call, deadline)
        if answer["email"] is None:
            return
        mail = self._box.mail(answer["email"])
        if self._count == 1 and mail.id not in self._box._taken and self._filter.matches(mail):
            self._candidates.append(mail)
        else:
            yield from self.look(deadline)

    def look(self, deadline: Deadline) -> Operation[None]:
        """Lists the mails that no earlier list has returned."""
        mails = yield from self._box._list(self._filter, self.since, deadline)
        self._candidates.extend(mail for mail in mails if self._filter.matches(mail))
        if mails:
            self.since = mails[-1].id

    def take(self) -> list[M] | None:
        """Returns the wanted mails if they are there, and marks them as taken."""
        with self._box._lock:
            mails = [mail for mail in self._candidates if mail.id not in self._box._taken][: self._count]
            if len(mails) < self._count:
                return None
            self._box._taken.update(mail.id for mail in mails)
            return mails


def hold_call(path: str, filter: MailFilter[M], since: str | None, deadline: Deadline) -> Call:
    """Returns a request that the service holds until a mail newer than `since` is there."""
    seconds = min(_HOLD_MAX, max(1, math.ceil(deadline.left)))
    query = {**filter.query(), "timeout": str(seconds), "order": "oldest"}
    if since is not None:
        query["since"] = since
    return Call(f"{path}/wait", query=query, patience=seconds + _GRACE)


def open_address(http: Http, domain: str | None, prefix: str | None) -> Operation[str]:
    """Returns a new address. Raises MayflyError `invalid_address` for a prefix or domain that none can have."""
    if prefix is not None and not _PREFIX.fullmatch(prefix):
        raise MayflyError("invalid_address", f'No address can begin with "{prefix}", which is the prefix.')
    # The domain is the first argument, so an address is easily given in its place.
    if domain is not None and "@" in domain:
        message = f'"{domain}" is no domain. Pass the address of an inbox as `address="{domain}"`.'
        raise MayflyError("invalid_address", message)
    deadline = Deadline(http.opening)
    if domain is None:
        answer = yield from http.json(Call("/api/domains/random", is_open=True), deadline)
        domain = answer["domain"]
    answer = yield from http.json(Call("/api/random-username", is_open=True), deadline)
    local = answer["username"] if prefix is None else f"{prefix}-{answer['username']}"
    return f"{local}@{domain}"


def newest_id(http: Http, address: str) -> Operation[str | None]:
    """Returns the id of the newest mail of an address, None if it has none."""
    answer = yield from http.json(Call(f"{path_of(address)}/latest"), Deadline(http.opening))
    return answer["email"] and str(answer["email"]["id"])


_PREFIX = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*", re.IGNORECASE)


def code_of(mail: MailData, pattern: re.Pattern[str]) -> str | None:
    """Returns the code that the pattern selects: its first group, or else the whole match."""
    for text in [*mail.codes, mail.subject, mail.text]:
        match = pattern.search(text)
        if match is not None:
            return match.group(1) if pattern.groups else match.group(0)
    return None


def link_of(mail: MailData, match: LinkMatch) -> str | None:
    """Returns the first link of the mail that matches."""
    for url in mail.links:
        if isinstance(match, str):
            is_match = match in url
        elif isinstance(match, re.Pattern):
            is_match = match.search(url) is not None
        else:
            is_match = decided(match(url))
        if is_match:
            return url
    return None

"""The mail of all addresses of a service on one machine, for its operator."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic

from ._core import CALL_SECONDS, Call, Deadline, Http, Operation
from ._errors import Found, MailTimeoutError, MayflyError
from ._filter import M, MailFilter
from ._search import PAGE, hold_call

_PATH = "/api/emails"
# Deleting 100,000 mails takes half a minute.
_CLEAR_SECONDS = 120.0
# Mails that a time-out lists.
_SHOWN = 5


class AllMail(Generic[M]):
    """The operations on all mail."""

    def __init__(self, http: Http, mail: Callable[[Any], M]) -> None:
        self._http = http
        self._mail = mail
        self._taken: set[str] = set()
        # Waits of several threads must not return the same mail.
        self._lock = threading.Lock()

    def newest_first(self, filter: MailFilter[M]) -> Operation[list[M]]:
        """Returns every mail that matches, newest first."""
        mails: list[M] = []
        cursor: str | None = None
        deadline = Deadline(CALL_SECONDS)
        while True:
            page, cursor = yield from self._page(filter, None, cursor, deadline)
            mails += [mail for mail in page if filter.matches(mail)]
            if cursor is None:
                return mails

    def wait(self, filter: MailFilter[M], timeout: float) -> Operation[M]:
        """Returns the newest mail that matches and that no wait has returned, or the next one that arrives."""
        deadline = Deadline(timeout)
        found = yield from self._find(filter, deadline)
        if found is not None:
            return found
        waited = deadline.waited
        page, _ = yield from self._page(MailFilter(), None, None, Deadline(CALL_SECONDS), _SHOWN)
        arrived = [mail for mail in reversed(page) if mail.id not in self._taken]
        seen = Found(arrived, returned=bool(self._taken))
        raise MailTimeoutError("any address", filter.described(), waited, seen)

    def clear(self, filter: MailFilter[M]) -> Operation[int]:
        """Deletes every mail that matches and returns how many there were. Raises TypeError for patterns."""
        if filter.has_pattern:
            raise TypeError("clear() takes no patterns: the service deletes what it selects itself.")
        call = Call(_PATH, method="DELETE", query=filter.query(), patience=_CLEAR_SECONDS)
        answer = yield from self._http.json(call, Deadline(_CLEAR_SECONDS))
        return int(answer["deleted"])

    def _find(self, filter: MailFilter[M], deadline: Deadline) -> Operation[M | None]:
        since: str | None = None
        try:
            while True:
                before, cursor, is_last = since, None, False
                while not is_last:
                    page, cursor = yield from self._page(filter, before, cursor, deadline)
                    since = max([mail.id for mail in page] + ([] if since is None else [since]), default=None)
                    for mail in page:
                        if filter.matches(mail) and self._take(mail):
                            return mail
                    is_last = cursor is None
                if deadline.left == 0:
                    return None
                answer = yield from self._http.json(hold_call(_PATH, filter, since, deadline), deadline)
                # A mail that a pattern rejects must not be returned again.
                if answer["email"] is not None and not filter.matches(self._mail(answer["email"])):
                    since = answer["email"]["id"]
        except MayflyError as error:
            # The deadline has ended a request, which is no failure of the service.
            if deadline.left > 0 or not getattr(error.__cause__, "is_timeout", False):
                raise
            return None

    def _take(self, mail: M) -> bool:
        with self._lock:
            if mail.id in self._taken:
                return False
            self._taken.add(mail.id)
            return True

    def _page(
        self, filter: MailFilter[M], since: str | None, cursor: str | None, deadline: Deadline, limit: int = PAGE
    ) -> Operation[tuple[list[M], str | None]]:
        """Returns a page of mails newer than `since`, newest first, and the cursor of the next page."""
        query = {**filter.query(), "limit": str(limit)}
        query |= {name: value for name, value in (("since", since), ("cursor", cursor)) if value is not None}
        answer = yield from self._http.json(Call(_PATH, query=query), deadline)
        return [self._mail(email) for email in answer["emails"]], answer["next_cursor"]

"""The events of an address (HTML standard, section 9.2, as far as this service uses it)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from ._core import TEMPORARY, Call, Deadline, Http, Request, Response, TransportError
from ._errors import MayflyError
from ._wire import Email

# The service sends a comment every 15 s, so a connection that is silent for longer is dead.
SILENCE = 45.0
# How long a service may take to restart.
RETURN_SECONDS = 60.0

FIRST_ID = "0" * 26
"""Older than every email."""


@dataclass(frozen=True)
class Gap:
    """Emails between two ids that the service has not sent again."""

    after: str
    before: str


class EventReader:
    """Reads the lines of a stream and resumes with the last id after each broken connection."""

    def __init__(self, http: Http, address: str, since: str | None) -> None:
        self._http = http
        self._call = Call(f"/api/sse/{quote(address, safe='')}")
        self.last = since or FIRST_ID
        self.retry = 2.0
        # When a service that has not come back since must be there again.
        self._return: Deadline | None = None

    def request(self) -> Request:
        """Returns the request that continues after the last event."""
        # Streams read the domain key from the query only.
        key = f"?{urlencode({'key': self._http.domain_key})}" if self._http.domain_key else ""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.last, **self._http.credentials}
        return Request("GET", f"{self._http.url}{self._call.path}{key}", headers, None, SILENCE)

    def check(self, response: Response) -> None:
        """Raises MayflyError for a refusal, one that a later attempt can change only when that takes too long."""
        if response.status == 200:
            self._return = None
            return
        problem = self._http.problem(self._call, response)
        if response.status not in TEMPORARY:
            raise problem
        self._miss(problem)

    def lose(self, error: TransportError) -> None:
        """Raises MayflyError if the service does not come back in time after a broken connection."""
        self._miss(self._http.unreachable(error, SILENCE))

    def _miss(self, error: MayflyError) -> None:
        self._return = self._return or Deadline(RETURN_SECONDS)
        if self._return.left == 0:
            raise error

    def read(self, line: str) -> Email | Gap | None:
        """Returns the email or the gap that this line brings. Each event has one line of data."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "retry" and value.isdigit():
            self.retry = int(value) / 1000
        if name != "data":
            return None
        event = json.loads(value)
        # The first event of a stream, `connected`, has an id and no type.
        if event.get("type") == "gap":
            return Gap(self.last, event["missed_before"])
        # A service with several streams may repeat an event after a reconnect.
        if event.get("type") != "new-email" or event["email"]["id"] <= self.last:
            return None
        email: Email = event["email"]
        self.last = email["id"]
        return email

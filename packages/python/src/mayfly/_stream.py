"""The events of an address (HTML standard, section 9.2, as far as this service uses it)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from ._core import Http, Request, Response
from ._errors import MayflyError, problem_error
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
        self._address = address
        self.last = since or FIRST_ID
        self.retry = 2.0

    def request(self) -> Request:
        """Returns the request that continues after the last event."""
        # Streams read the domain key from the query only.
        key = f"?{urlencode({'key': self._http.domain_key})}" if self._http.domain_key else ""
        url = f"{self._http.url}/api/sse/{quote(self._address, safe='')}{key}"
        headers = {"Accept": "text/event-stream", "Last-Event-ID": self.last}
        return Request("GET", url, headers, None, SILENCE)

    def check(self, response: Response) -> None:
        """Raises MayflyError for a refusal that a later attempt does not change."""
        if response.status == 200 or response.status in (429, 502, 503, 504):
            return
        if response.header("Content-Type").startswith("application/problem+json"):
            raise problem_error(json.loads(response.body))
        raise MayflyError("not_mayfly", f"{self._http.url} does not answer as Mayfly does.", status=response.status)

    def read(self, line: str) -> Email | Gap | None:
        """Returns the email or the gap that this line brings. Each event has one line of data."""
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "retry" and value.isdigit():
            self.retry = int(value) / 1000
        if name != "data":
            return None
        event = json.loads(value)
        if event["type"] == "gap":
            return Gap(self.last, event["missed_before"])
        # A service with several streams may repeat an event after a reconnect.
        if event["type"] != "new-email" or event["email"]["id"] <= self.last:
            return None
        email: Email = event["email"]
        self.last = email["id"]
        return email

"""The protocol with the service, without input and output.

An `Operation` is a generator: it yields the next `Request` or `Sleep` and receives the response, so that the
synchronous and the asynchronous client share every rule about retries, keys and waits.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode, urljoin

from ._errors import MayflyError, problem_error
from ._service_url import is_loopback, service_url

T = TypeVar("T")

CALL_SECONDS = 30.0
"""The time limit of every call except waits and disposal."""

OPENING_SECONDS = 10.0
"""A host that accepts connections and does not answer must not take the time of the whole test."""

TEMPORARY = (429, 502, 503, 504)
"""Statuses that a later attempt can change: too many requests, or a service or proxy that restarts."""

_PAUSE = 0.2
_PAUSE_MAX = 5.0


@dataclass(frozen=True)
class Request:
    """One HTTP request. `timeout` is the time in seconds that the response may take."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Sleep:
    """A pause in seconds."""

    seconds: float


@dataclass(frozen=True)
class Response:
    """An HTTP response. The names of the headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def header(self, name: str) -> str:
        return self.headers.get(name.lower(), "")


class TransportError(Exception):
    """No response arrived. The message says why."""

    def __init__(self, why: str, *, is_timeout: bool = False) -> None:
        super().__init__(why)
        self.is_timeout = is_timeout


Command = Request | Sleep
Operation = Generator[Command, Any, T]


class Deadline:
    """The time-out of a call with all its requests."""

    def __init__(self, seconds: float) -> None:
        self._started = time.monotonic()
        self._seconds = seconds

    @property
    def waited(self) -> float:
        """Seconds since the call began."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float:
        """Seconds until the time-out, at least 0."""
        return max(0.0, self._seconds - self.waited)


@dataclass(frozen=True)
class Call:
    """A request of the REST API. `is_open` sends no API key, `is_single` fails at the first refusal."""

    path: str
    method: str = "GET"
    query: dict[str, str] = field(default_factory=dict)
    body: object = None
    is_open: bool = False
    is_single: bool = False
    patience: float = CALL_SECONDS


class Keys(Protocol):
    """Gives the API key of a client."""

    def current(self, http: Http) -> Operation[str]:
        """Returns the key to send."""
        ...

    def renew(self, http: Http, rejected: str) -> Operation[bool]:
        """Replaces a rejected key; False if there is no other."""
        ...


class Http:
    """Sends requests to one service and repeats them until their deadline when a later attempt can succeed."""

    def __init__(self, url: str, keys: Keys, domain_key: str | None, opening: float = OPENING_SECONDS) -> None:
        service = service_url(url)
        self.url = service.url
        self.domain_key = domain_key
        self.opening = opening
        """Seconds that opening an inbox and creating a key may take."""
        # The credentials of the URL are for a proxy before the service.
        self.credentials = {} if service.authorization is None else {"Authorization": service.authorization}
        self._keys = keys
        self._answered = False

    def json(self, call: Call, deadline: Deadline) -> Operation[Any]:
        """Returns the JSON of the answer."""
        response = yield from self._send(call, deadline)
        if not response.header("Content-Type").startswith("application/json"):
            raise self._not_mayfly(call, response)
        return json.loads(response.body)

    def content(self, call: Call, deadline: Deadline) -> Operation[bytes]:
        """Returns the body of the answer."""
        response = yield from self._send(call, deadline)
        return response.body

    def _send(self, call: Call, deadline: Deadline) -> Operation[Response]:
        attempt = 0
        while True:
            key = None if call.is_open else (yield from self._keys.current(self))
            pause = min(_PAUSE * 2**attempt, _PAUSE_MAX)
            try:
                response: Response = yield self._request(call, key, deadline)
                if response.status == 302 and response.header("Location"):
                    # Raw messages on AWS redirect to a bucket. The keys must not be sent there.
                    url = urljoin(self.url + call.path, response.header("Location"))
                    response = yield Request("GET", url, {}, None, _time_for(call, deadline))
            except TransportError as error:
                # A service that has never answered is not there; one that has answered may be restarting.
                if not self._answered or deadline.left == 0 or call.is_single:
                    raise self.unreachable(error, deadline.waited) from error
            else:
                self._answered = True
                if 200 <= response.status < 300:
                    return response
                problem = self.problem(call, response)
                is_rejected = problem.code in ("api_key_invalid", "api_key_expired")
                if is_rejected and attempt < 2 and key is not None and (yield from self._keys.renew(self, key)):
                    attempt += 1
                    continue
                pause = _retry_after(response, pause)
                if response.status not in TEMPORARY or pause >= deadline.left or call.is_single:
                    raise problem
            attempt += 1
            yield Sleep(min(pause, deadline.left))

    def _request(self, call: Call, key: str | None, deadline: Deadline) -> Request:
        headers = {"Accept": "application/json, */*", "User-Agent": "mayfly-client (Python)", **self.credentials}
        if key is not None:
            headers["X-API-Key"] = key
        if self.domain_key is not None:
            headers["X-Domain-Key"] = self.domain_key
        body = None
        if call.body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(call.body).encode()
        query = f"?{urlencode(call.query)}" if call.query else ""
        return Request(call.method, self.url + call.path + query, headers, body, _time_for(call, deadline))

    def problem(self, call: Call, response: Response) -> MayflyError:
        """Returns the error for a response without success."""
        if response.header("Content-Type").startswith("application/problem+json"):
            error = problem_error(json.loads(response.body))
            if error.code != "not_found" or not self.url.endswith("/api"):
                return error
            base = self.url.removesuffix("/api")
            message = f'The URL of the service ends before "/api": use {base} in place of {self.url}.'
            return MayflyError("invalid_url", message, status=response.status)
        return self._not_mayfly(call, response)

    def _not_mayfly(self, call: Call, response: Response) -> MayflyError:
        return MayflyError(
            "not_mayfly",
            f"{self.url} does not answer as Mayfly does: {call.method} {call.path} returned {response.status}. "
            "Is this the base URL of the service, without /api?",
            status=response.status,
        )

    def unreachable(self, error: TransportError, waited: float) -> MayflyError:
        """Returns the error for a service that does not answer."""
        if self._answered:
            message = f"{self.url} answered before and does not answer now ({error}). Has the service stopped?"
        elif error.is_timeout:
            # Elsewhere than on this machine, a firewall may drop what is sent.
            accepts = "accepts connections but " if is_loopback(self.url) else ""
            message = (
                f"{self.url} {accepts}does not answer within {round(waited, 1):g} s. Is it another program? "
                "Set MAYFLY_URL (or `url`) to the URL of your service."
            )
        else:
            message = (
                f"No service answers at {self.url} ({error}). Start one with `mayfly`, or set MAYFLY_URL "
                "(or `url`) to the URL of yours."
            )
        return MayflyError("unreachable", message)


def _time_for(call: Call, deadline: Deadline) -> float:
    # A request at the deadline still gets the time that a response of a service nearby takes.
    return max(0.05, min(call.patience, deadline.left))


def _retry_after(response: Response, otherwise: float) -> float:
    try:
        return max(0.0, float(response.header("Retry-After")))
    except ValueError:
        return otherwise

"""Requests that find out why a wait found nothing."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import quote

from ._core import Call, Deadline, Http, Operation
from ._errors import MayflyError
from ._mail_data import path_of
from ._refusals import Refusal, refusals_for, stray_mail
from ._service_url import is_loopback
from ._wire import Email

# The time that an error may take to find out more.
_EXPLANATION_SECONDS = 2.0
_EARLIER_MAX = 5
_EXAMINED = 100
# A refusal, no answer, or one in another form.
_FAILURES = (MayflyError, AttributeError, LookupError, TypeError, ValueError)


def explain(http: Http, address: str, since: str | None) -> Operation[tuple[list[Email], list[Refusal], list[Email]]]:
    """Returns the newest mails up to `since`, and of the last minute, refusals and mail for similar addresses.

    Never fails, because the time-out is the error of the test.
    """
    deadline = Deadline(_EXPLANATION_SECONDS)
    earlier: list[Email] = []
    refused: list[Refusal] = []
    stray: list[Email] = []
    with suppress(*_FAILURES):
        if since is not None:
            call = Call(path_of(address), query={"limit": str(_EARLIER_MAX)}, is_single=True)
            answer = yield from http.json(call, deadline)
            earlier = [email for email in answer["emails"] if email["id"] <= since]
    with suppress(*_FAILURES):
        # A key that is not the operator's gets 403.
        answer = yield from http.json(Call("/api/refusals", is_single=True), deadline)
        refused = refusals_for(address, answer["refusals"])
    with suppress(*_FAILURES):
        # A key that may not read all mail gets 403, and a service without all mail answers 404.
        query = {"limit": str(_EXAMINED), "text_limit": "0"}
        answer = yield from http.json(Call("/api/emails", query=query, is_single=True), deadline)
        stray = stray_mail(address, answer["emails"])
    return earlier, refused, stray


def activity_url(base: str, address: str) -> str | None:
    """Returns the page of the requests of an address. Only a service on loopback has it."""
    if not is_loopback(base):
        return None
    # What encodeURIComponent of the page leaves as it is, and @.
    segment = quote(address, safe="@!'()*")
    return f"{base}/#{segment}/activity"

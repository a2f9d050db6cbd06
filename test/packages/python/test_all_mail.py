"""The mail of all addresses, for the operator."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import API_KEY, Service, start_service, stop_service

from mayfly import AsyncMayfly, MailTimeoutError, Mayfly, MayflyError
from mayfly._filter import parameter
from mayfly._wire import FILTERS


@pytest.fixture(scope="module")
def own() -> Iterator[Service]:
    """A service whose mail no other test changes."""
    service = start_service(MAYFLY_API_KEYS=API_KEY)
    yield service
    stop_service(service)


class Caller:
    """Calls the methods of either client and waits for their results."""

    def __init__(self, service: Service, is_async: bool, **options: Any) -> None:
        self._is_async = is_async
        self._client: Any = (AsyncMayfly if is_async else Mayfly)(service.url, **{"api_key": API_KEY, **options})

    def __getattr__(self, name: str) -> Any:
        def call(**arguments: Any) -> Any:
            async def wait() -> Any:
                return await getattr(self._client, name)(**arguments)

            return asyncio.run(wait()) if self._is_async else getattr(self._client, name)(**arguments)

        return call


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def client(request: pytest.FixtureRequest, own: Service) -> Caller:
    caller = Caller(own, request.param)
    caller.clear()
    return caller


def test_all_mail_is_listed_waited_for_and_cleared(own: Service, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mayfly._all_mail.PAGE", 2)
    for n in range(5):
        own.post(f"jo{n}@shop{n}.example", f"Order {n}", "x")
    assert [mail.subject for mail in client.mails()] == [f"Order {n}" for n in (4, 3, 2, 1, 0)]
    assert [mail.address for mail in client.mails(to="jo3")] == ["jo3@shop3.example"]
    assert [mail.subject for mail in client.mails(subject=re.compile("[12]$"), where=lambda mail: True)] == ["Order 2", "Order 1"]
    # The newest one first, each once.
    assert [client.wait_for_mail(subject="Order").subject for _ in range(5)] == [f"Order {n}" for n in (4, 3, 2, 1, 0)]
    with pytest.raises(MailTimeoutError, match=r'^No mail to "jo1" arrived for any address within [0-9](\.[0-9])? s. Earlier waits'):
        client.wait_for_mail(to="jo1", timeout=0)
    own.post("ann@shop.example", "Of another", "x")
    with pytest.raises(MailTimeoutError, match="These mails arrived:\n.*Of another.*\nMails that earlier waits") as failure:
        client.wait_for_mail(to="jo1", timeout=0)
    assert [mail.subject for mail in failure.value.arrived] == ["Of another"]
    assert (client.clear(to="jo1"), client.clear(), client.clear()) == (1, 5, 0)


def test_a_wait_returns_mail_that_arrives_later(own: Service, client: Any) -> None:
    own.post("other@shop.example", "no", "x")
    senders = [threading.Timer(delay, own.post, ["late@shop.example", subject, "x"]) for delay, subject in ((0.2, "no"), (0.5, "yes"))]
    for sender in senders:
        sender.start()
    assert client.wait_for_mail(subject=re.compile("^yes$"), timeout=30).address == "late@shop.example"


@pytest.mark.parametrize(
    "filter",
    [{parameter(name): re.compile("x")} for name in FILTERS if name not in ("q", "has")]
    + [{"from_": re.compile("x"), "to": "y"}],
)
def test_what_cannot_be_selected_is_not_deleted(own: Service, client: Any, filter: dict[str, Any]) -> None:
    own.post("jo@shop.example", "x", "x")
    with pytest.raises(TypeError, match="takes no patterns"):
        client.clear(**filter)
    assert len(client.mails()) == 1


def test_others_than_the_operator_are_refused(own: Service) -> None:
    key = Mayfly(own.url, api_key=API_KEY)
    assert key.mails() is not None
    for method in ("mails", "wait_for_mail", "clear"):
        with pytest.raises(MayflyError) as failure:
            getattr(Mayfly(own.url, api_key="mf_" + "0" * 38), method)()
        assert failure.value.status in (401, 403)

"""The arguments of each method of both clients: what they ask the service for, and how errors describe it."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from commands import EMAIL
from stub import ANSWER, json_of, stub

from mayfly import AsyncMayfly, MailTimeoutError, Mayfly, UnexpectedMailError
from mayfly._filter import MailFilter, parameter
from mayfly._mail_data import MailData
from mayfly._wire import FILTERS

ASKED = {name: f"some {name}" for name in FILTERS if name != "has"}
TEXTS = {parameter(name): value for name, value in ASKED.items()}
LINK = EMAIL["links"][0]
WORDS = MailFilter[MailData](**TEXTS).described().removeprefix("mail ")

# Method, arguments, the `has` of the request, and the description in errors.
WAITS: list[tuple[str, dict[str, Any], str | None, str]] = [
    ("wait_for_mail", {"has": "code"}, "code", f"mail {WORDS} with a code"),
    ("wait_for_mails", {"count": 1, "has": "link"}, "link", f"mail {WORDS} with a link"),
    ("wait_for_code", {}, "code", f"code {WORDS}"),
    ("wait_for_code", {"pattern": "^\\d{6}$"}, None, f"code that matches /^\\d{{6}}$/ {WORDS}"),
    ("wait_for_link", {}, "action_link", f"action link {WORDS}"),
    ("wait_for_link", {"match": "shop"}, "link", f"link that matches shop {WORDS}"),
]
RESULTS = {"wait_for_mail": EMAIL["id"], "wait_for_mails": [EMAIL["id"]], "wait_for_code": "739105", "wait_for_link": LINK}
LISTS: list[tuple[str, dict[str, Any], Any]] = [
    ("mails", {"has": "attachment"}, [EMAIL["id"]]),
    ("latest", {"has": "attachment"}, EMAIL["id"]),
]
is_async = pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])


async def call(url: str, is_async: bool, method: str, **arguments: Any) -> Any:
    """Calls a method of an inbox; mails in the result are their ids."""
    client: Any = (AsyncMayfly if is_async else Mayfly)(url, api_key="mf_x", timeout=7)
    inbox = client.inbox(address=EMAIL["address"], history=True)
    inbox = await inbox if is_async else inbox
    result = getattr(inbox, method)(**arguments)
    result = await result if is_async else result
    if isinstance(result, list):
        return [mail.id for mail in result]
    return getattr(result, "id", result)


def asked(path: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(path)
    return parts.path.rpartition("/")[2], dict(parse_qsl(parts.query))


@is_async
@pytest.mark.parametrize(("method", "more", "has", "_words"), WAITS)
@pytest.mark.parametrize(("seconds", "hold"), [({}, "7"), ({"timeout": 20}, "20")])
def test_a_wait_passes_its_arguments_on(
    is_async: bool, method: str, more: dict[str, Any], has: str | None, _words: str, seconds: dict[str, int], hold: str
) -> None:
    judged: list[str] = []

    def where(mail: Any) -> bool:
        judged.append(mail.id)
        return True

    with stub(lambda _: json_of(ANSWER)) as server:
        result = asyncio.run(call(server.url, is_async, method, **TEXTS, **more, **seconds, where=where))
    fixed = {"timeout": hold, "order": "oldest", **({} if has is None else {"has": has})}
    assert [asked(path) for path in server.paths] == [("wait", {**ASKED, **fixed})]
    assert (result, set(judged)) == (RESULTS[method], {EMAIL["id"]})


@is_async
@pytest.mark.parametrize(("method", "more", "_has", "words"), WAITS)
def test_a_wait_that_fails_describes_its_arguments(
    is_async: bool, method: str, more: dict[str, Any], _has: str | None, words: str
) -> None:
    with stub(lambda _: json_of(ANSWER)) as server, pytest.raises(MailTimeoutError) as failure:
        asyncio.run(call(server.url, is_async, method, **TEXTS, **more, where=lambda _: False, timeout=0))
    assert failure.value.filter == f"{words} that `where` accepts"
    assert [mail.id for mail in failure.value.arrived] == [EMAIL["id"]]


@is_async
@pytest.mark.parametrize(("method", "more", "result"), LISTS)
def test_a_list_passes_its_arguments_on(is_async: bool, method: str, more: dict[str, Any], result: Any) -> None:
    with stub(lambda _: json_of(ANSWER)) as server:
        assert asyncio.run(call(server.url, is_async, method, **TEXTS, **more, where=lambda _: True)) == result
        assert not asyncio.run(call(server.url, is_async, method, **TEXTS, **more, where=lambda _: False))
    assert [asked(path)[1] for path in server.paths] == [{**ASKED, "has": "attachment", "limit": "100"}] * 2


@is_async
@pytest.mark.parametrize(("seconds", "hold"), [({}, "3"), ({"within": 20}, "20")])
def test_expecting_no_mail_passes_its_arguments_on(is_async: bool, seconds: dict[str, int], hold: str) -> None:
    arguments = {**TEXTS, "has": "code", **seconds}
    with stub(lambda _: json_of(ANSWER)) as server:
        with pytest.raises(UnexpectedMailError):
            asyncio.run(call(server.url, is_async, "expect_no_mail", **arguments, where=lambda _: True))
        assert [asked(path) for path in server.paths] == [("wait", {**ASKED, "has": "code", "timeout": hold, "order": "oldest"})]
        asyncio.run(call(server.url, is_async, "expect_no_mail", **{**arguments, "within": 0}, where=lambda _: False))


@is_async
@pytest.mark.parametrize("method", ["mails", "wait_for_mail", "clear"])
def test_all_mail_passes_its_filters_on(is_async: bool, method: str) -> None:
    async def call_all(url: str) -> None:
        client: Any = (AsyncMayfly if is_async else Mayfly)(url, api_key="mf_x")
        result = getattr(client, method)(**TEXTS, has="code")
        await result if is_async else result

    with stub(lambda _: json_of(ANSWER)) as server:
        asyncio.run(call_all(server.url))
    assert asked(server.paths[0])[1].items() >= {**ASKED, "has": "code"}.items()

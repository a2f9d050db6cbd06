"""The lines of a stream."""

from __future__ import annotations

import asyncio
import base64
import json
import time

import pytest
from commands import EMAIL, URL, box, drive, http, ok, problem
from stub import json_of, stub

from mayfly import AsyncMayfly, Mayfly, MayflyError
from mayfly._core import Http, Response, TransportError
from mayfly._keys import GivenKey
from mayfly._stream import EventReader, Gap


def test_the_lines_of_a_stream() -> None:
    reader = EventReader(http("se cret"), EMAIL["address"], None)
    request = reader.request()
    assert (request.method, request.url, request.timeout) == (
        "GET", f"{URL}/api/sse/a%2Bb%40mayfly.test?key=se+cret", 45,
    )  # fmt: skip
    assert request.headers == {"Accept": "text/event-stream", "Last-Event-ID": "0" * 26}
    assert (reader.retry, EventReader(http(), "a", "5").request().url) == (2.0, f"{URL}/api/sse/a")

    def data(**event: object) -> str:
        return f"data: {json.dumps(event)}"

    ids = [EMAIL["id"][:-1] + end for end in "1234"]
    emails = [{**EMAIL, "id": id} for id in ids]
    ignored = ("", ":", ": comment", "event: new-email", "id: 5", "retry: soon", "retry:  9")
    for line in (*ignored, data(type="other", email=emails[0])):
        assert reader.read(line) is None
    assert reader.retry == 2.0
    assert reader.read("retry: 1500") is None and reader.retry == 1.5
    assert reader.read(data(type="new-email", email=emails[1])) == emails[1]
    assert reader.read(f"data:{json.dumps({'type': 'new-email', 'email': emails[2]})}") == emails[2]
    for repeated in emails[:3]:
        assert reader.read(data(type="new-email", email=repeated)) is None
    assert reader.read(data(type="gap", missed_before=ids[3])) == Gap(ids[2], ids[3])
    assert reader.request().headers["Last-Event-ID"] == ids[2]


def test_a_stream_begins_behind_the_mail_that_was_there_with_the_credentials_of_the_url() -> None:
    headers = EventReader(Http("http://ann:secret@mail.example", GivenKey("mf_x"), None), "a", "5").request().headers
    assert headers == {
        "Accept": "text/event-stream",
        "Last-Event-ID": "5",
        "Authorization": f"Basic {base64.b64encode(b'ann:secret').decode()}",
    }


def test_a_refusal_ends_a_stream_unless_a_later_attempt_can_change_it() -> None:
    reader = EventReader(http(), "a", None)
    for status in (200, 429, 502, 503, 504):
        reader.check(Response(status, {}, b""))
    with pytest.raises(MayflyError, match="Title. Detail.") as failure:
        reader.check(problem(403, "domain_key_invalid"))
    assert (failure.value.code, failure.value.status) == ("domain_key_invalid", 403)
    with pytest.raises(MayflyError, match=f"{URL} does not answer as Mayfly does: GET /api/sse/a returned 404") as failure:
        reader.check(Response(404, {}, b""))
    assert (failure.value.code, failure.value.status) == ("not_mayfly", 404)


def test_a_service_has_one_minute_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for fail, code in (
        (lambda reader: reader.lose(TransportError("reset")), "unreachable"),
        (lambda reader: reader.check(problem(503, "unavailable")), "unavailable"),
    ):
        reader = EventReader(http(), "a", None)
        now[0] = 0
        fail(reader)
        now[0] = 59.9
        fail(reader)
        reader.check(Response(200, {}, b""))
        now[0] = 100
        fail(reader)
        now[0] = 160
        with pytest.raises(MayflyError) as failure:
            fail(reader)
        assert failure.value.code == code


def read(url: str, is_async: bool, count: int) -> list[str]:
    """Returns the ids of the first mails of a stream."""

    async def collect() -> list[str]:
        stream = (await AsyncMayfly(url, api_key="mf_x").inbox(address="a@mayfly.test", history=True)).stream()
        return [(await anext(stream)).id for _ in range(count)]

    if is_async:
        return asyncio.run(collect())
    stream = Mayfly(url, api_key="mf_x").inbox(address="a@mayfly.test", history=True).stream()
    return [next(stream).id for _ in range(count)]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_stream_connects_again_after_the_pause_that_the_service_asks_for(
    monkeypatch: pytest.MonkeyPatch, is_async: bool
) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", pause)
    monkeypatch.setattr(time, "sleep", pauses.append)
    ids = [EMAIL["id"][:-1] + end for end in "12"]
    events = [f"data: {json.dumps({'type': 'new-email', 'email': {**EMAIL, 'id': id}})}\n\n".encode() for id in ids]
    answers = [
        problem(503, "unavailable"),
        Response(200, {}, b"retry: 1500\n\n"),
        # A connection that breaks.
        Response(200, {"Content-Length": "100"}, b":\n"),
        Response(200, {}, events[0]),
        Response(200, {}, events[1]),
    ]
    with stub(lambda _: answers.pop(0)) as server:
        assert read(server.url, is_async, 2) == ids
    assert pauses == [2, 1.5, 1.5, 1.5]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_stream_ends_when_the_service_does_not_come_back(monkeypatch: pytest.MonkeyPatch, is_async: bool) -> None:
    monkeypatch.setattr("mayfly._stream.RETURN_SECONDS", 0)
    with stub(lambda _: problem(503, "unavailable")) as server:
        with pytest.raises(MayflyError) as failure:
            read(server.url, is_async, 1)
        assert failure.value.code == "unavailable"
    with pytest.raises(MayflyError) as failure:
        read(server.url, is_async, 1)
    assert failure.value.code == "unreachable"


def test_the_mails_of_a_gap_end_before_the_next_event() -> None:
    missed, _ = drive(box().missed("0", EMAIL["id"]), ok)
    assert missed == []
    missed, _ = drive(box().missed("0", EMAIL["id"] + "0"), ok)
    assert [mail.id for mail in missed] == [EMAIL["id"]]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_stream_lists_the_mails_of_a_gap(is_async: bool) -> None:
    ids = [EMAIL["id"][:-1] + end for end in "123"]
    emails = [{**EMAIL, "id": id} for id in ids]
    events = ({"type": "gap", "missed_before": ids[2]}, {"type": "new-email", "email": emails[2]})
    stream = Response(200, {}, "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode())
    listed = json_of({"emails": emails[::-1], "next_cursor": None})
    with stub(lambda path: stream if path.startswith("/api/sse/") else listed) as server:
        assert read(server.url, is_async, 3) == ids

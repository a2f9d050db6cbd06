"""The lines of a stream."""

from __future__ import annotations

import json

import pytest
from commands import EMAIL, URL, box, drive, http, ok, problem

from mayfly import MayflyError
from mayfly._core import Response
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
    for line in ("", ":", ": comment", "event: new-email", "id: 5", "retry: soon", data(type="other", email=emails[0])):
        assert reader.read(line) is None
    assert reader.read("retry: 1500") is None and reader.retry == 1.5
    assert reader.read(data(type="new-email", email=emails[1])) == emails[1]
    assert reader.read(f"data:{json.dumps({'type': 'new-email', 'email': emails[2]})}") == emails[2]
    for repeated in emails[:3]:
        assert reader.read(data(type="new-email", email=repeated)) is None
    assert reader.read(data(type="gap", missed_before=ids[3])) == Gap(ids[2], ids[3])
    assert reader.request().headers["Last-Event-ID"] == ids[2]
    for status in (200, 429, 502, 503, 504):
        reader.check(Response(status, {}, b""))
    with pytest.raises(MayflyError, match="Title. Detail.") as failure:
        reader.check(problem(403, "domain_key_invalid"))
    assert (failure.value.code, failure.value.status) == ("domain_key_invalid", 403)
    with pytest.raises(MayflyError, match=f"{URL} does not answer as Mayfly does.") as failure:
        reader.check(Response(404, {}, b""))
    assert (failure.value.code, failure.value.status) == ("not_mayfly", 404)


def test_the_mails_of_a_gap_end_before_the_next_event() -> None:
    missed, _ = drive(box().missed("0", EMAIL["id"]), ok)
    assert missed == []
    missed, _ = drive(box().missed("0", EMAIL["id"] + "0"), ok)
    assert [mail.id for mail in missed] == [EMAIL["id"]]

"""Runs operations of the client without input and output: the test answers each of their commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mayfly import MayflyError
from mayfly._core import Command, Http, Operation, Request, Response, Sleep, TransportError
from mayfly._keys import GivenKey
from mayfly._mail_data import MailData
from mayfly._search import Box

URL = "http://mail.example"
JSON = {"content-type": "application/json"}
EMAIL: Any = {
    "id": "01M7XY78NV3PTPJF56WG3ST56J",
    "address": "a+b@mayfly.test",
    "from": {"name": "Ann", "address": "ann@shop.example"},
    "to": [{"name": None, "address": "a+b@mayfly.test"}],
    "cc": [{"name": "Bob", "address": "bob@shop.example"}],
    "subject": "Hello",
    "body_text": "x",
    "codes": ["739105", "111222"],
    "links": ["https://shop.example/a"],
    "action_link": None,
    "attachment_count": 0,
    "attachments": [],
    "received_at": "2026-11-23T08:00:00.000Z",
}
AT = "/api/emails/a%2Bb%40mayfly.test"


def drive(operation: Operation[Any], answer: Callable[[Request], Response]) -> tuple[Any, list[Command]]:
    """Returns the result of an operation, an error included, and its commands."""
    commands: list[Command] = []
    try:
        command = next(operation)
        while True:
            commands.append(command)
            if isinstance(command, Sleep):
                command = operation.send(None)
                continue
            try:
                response = answer(command)
            except TransportError as error:
                command = operation.throw(error)
            else:
                command = operation.send(response)
    except StopIteration as end:
        return end.value, commands
    except MayflyError as error:
        return error, commands


def ok(_: Request) -> Response:
    """Answers every request with the same JSON."""
    answer = {
        "email": EMAIL, "emails": [EMAIL], "next_cursor": None, "deleted": 1, "order": "oldest",
        "domain": "mayfly.test", "username": "bot1", "key": "mf_new",
    }  # fmt: skip
    return Response(200, JSON, json.dumps(answer).encode())


def problem(status: int, code: str, **headers: str) -> Response:
    body = {"code": code, "title": "Title", "detail": "Detail.", "status": status, "request_id": "r1"}
    return Response(status, {"content-type": "application/problem+json", **headers}, json.dumps(body).encode())


def http(domain_key: str | None = None) -> Http:
    return Http(URL, GivenKey("mf_x"), domain_key)


def box(since: str | None = None) -> Box[MailData]:
    return Box(http(), EMAIL["address"], since, MailData)

"""The JSON of the service's API, as types."""

from __future__ import annotations

from typing import Literal, TypedDict


class Person(TypedDict):
    """A mailbox in a header field."""

    name: str | None
    address: str | None


class ActionLink(TypedDict):
    """The link that does what a mail asks for."""

    url: str
    text: str
    kind: Literal["confirm", "sign_in", "reset", "invite"]


_Sender = TypedDict("_Sender", {"from": Person})


class Email(_Sender):
    """An email in lists, waits and streams."""

    id: str
    address: str
    to: list[Person]
    cc: list[Person]
    subject: str
    body_text: str
    body_text_truncated: bool
    codes: list[str]
    links: list[str]
    action_link: ActionLink | None
    attachment_count: int
    size: int
    received_at: str
    expires_at: str
    read: bool


class Header(TypedDict):
    """A header field."""

    name: str
    value: str


class AttachmentInfo(TypedDict):
    """What a mail says about one of its attachments. `size` is in bytes."""

    id: str
    filename: str | None
    content_type: str
    size: int
    inline: bool
    content_id: str | None
    sha256: str
    url: str


class WholeEmail(Email):
    """An email with every field."""

    body_html: str | None
    headers: list[Header]
    message_id: str | None
    date: str | None
    attachments: list[AttachmentInfo]
    verdicts: dict[str, str | None]
    mail_from: str | None
    raw_url: str

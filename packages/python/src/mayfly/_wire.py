"""The JSON of the service's API, generated from its schemas by `npm run build:wire`; do not edit."""

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


class AttachmentSummary(TypedDict):
    """An attachment in a list. `size` is in bytes."""

    id: str
    filename: str | None
    content_type: str
    size: int
    inline: bool


_EmailKeywords = TypedDict("_EmailKeywords", {"from": Person})


class Email(_EmailKeywords):
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
    attachments: list[AttachmentSummary]
    size: int
    received_at: str
    expires_at: str
    read: bool


class Header(TypedDict):
    """A header field."""

    name: str
    value: str


class Attachment(TypedDict):
    """One attachment of an email. `size` is in bytes."""

    id: str
    filename: str | None
    content_type: str
    size: int
    inline: bool
    content_id: str | None
    sha256: str
    url: str


class CodeDetail(TypedDict):
    """A code of a mail: its kind, and the words of the mail that show it."""

    value: str
    kind: Literal["one_time", "password", "recovery", "invitation"]
    reason: str


class Verdicts(TypedDict):
    """The results of the checks of an email; null if a check was not made."""

    spam: Literal["pass", "fail", "gray", "processing_failed"] | None
    virus: Literal["pass", "fail", "gray", "processing_failed"] | None
    spf: Literal["pass", "fail", "gray", "processing_failed"] | None
    dkim: Literal["pass", "fail", "gray", "processing_failed"] | None
    dmarc: Literal["pass", "fail", "gray", "processing_failed"] | None


_WholeEmailKeywords = TypedDict("_WholeEmailKeywords", {"from": Person})


class _WholeEmailOptional(TypedDict, total=False):
    parse_error: str


class WholeEmail(_WholeEmailKeywords, _WholeEmailOptional):
    """An email with every field."""

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
    attachments: list[Attachment]
    size: int
    received_at: str
    expires_at: str
    read: bool
    body_html: str | None
    headers: list[Header]
    message_id: str | None
    date: str | None
    verdicts: Verdicts
    mail_from: str | None
    code_details: list[CodeDetail]
    raw_url: str


class RefusedMail(TypedDict):
    """A recipient or a message that the service refused."""

    at: str
    client: str
    mail_from: str | None
    recipient: str | None
    code: int
    reply: str


class Problem(TypedDict):
    """The answer to a request that failed (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    success: Literal[False]
    request_id: str


Has = Literal["code", "link", "action_link", "attachment"]
"""What a mail may be asked to have."""

HAS: dict[str, str] = {
    "code": "a code",
    "link": "a link",
    "action_link": "an action link",
    "attachment": "an attachment",
}
"""The values of the filter `has`, in words."""

FILTERS: dict[str, str] = {
    "from": "a part of the sender’s name or address",
    "to": "a part of the recipient, or of a name or address in To or Cc",
    "subject": "a part of the subject",
    "q": "a part of sender, subject, codes or the first 16 KiB of the text",
    "has": "code, link, action_link, attachment",
}
"""The filters that the service applies. Parts are compared without case."""

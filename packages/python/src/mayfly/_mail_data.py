"""The fields of a mail, for both kinds of clients."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from urllib.parse import quote

from . import _wire
from ._wire import Email


@dataclass(frozen=True)
class Person:
    """A mailbox in a header field."""

    name: str | None
    address: str | None


@dataclass(frozen=True)
class ActionLink:
    """The link that does what a mail asks for."""

    url: str
    text: str
    kind: Literal["confirm", "sign_in", "reset", "invite"]


def path_of(address: str) -> str:
    """Returns the path of an inbox in the API."""
    return f"/api/emails/{quote(address, safe='')}"


class MailData:
    """A received mail, without requests. `data` is the mail as the service sent it."""

    def __init__(self, data: Email) -> None:
        self.data = data

    @property
    def id(self) -> str:
        """The id of the mail, a ULID."""
        return self.data["id"]

    @property
    def address(self) -> str:
        """The envelope recipient."""
        return self.data["address"]

    @property
    def from_(self) -> Person:
        """The sender."""
        return _person(self.data["from"])

    @property
    def to(self) -> list[Person]:
        """The recipients in the header."""
        return [_person(person) for person in self.data["to"]]

    @property
    def cc(self) -> list[Person]:
        """The recipients of copies in the header."""
        return [_person(person) for person in self.data["cc"]]

    @property
    def subject(self) -> str:
        """The subject, "" if the mail has none."""
        return self.data["subject"]

    @property
    def text(self) -> str:
        """The plain text, generated from the HTML if there is no text part; at most 16 KiB."""
        return self.data["body_text"]

    @property
    def code(self) -> str | None:
        """The best verification code."""
        return self.codes[0] if self.codes else None

    @property
    def codes(self) -> list[str]:
        """All verification codes, best first."""
        return self.data["codes"]

    @property
    def action_link(self) -> ActionLink | None:
        """The link that does what the mail asks for (confirm, sign in, reset, accept)."""
        link = self.data["action_link"]
        return link and ActionLink(link["url"], link["text"], link["kind"])

    @property
    def links(self) -> list[str]:
        """The http(s) links, confirmation links first."""
        return self.data["links"]

    @property
    def received_at(self) -> datetime:
        """The time at which the service received the mail, in UTC."""
        return datetime.fromisoformat(self.data["received_at"].replace("Z", "+00:00"))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.subject!r} for {self.address}>"

    def _path(self, below: str = "") -> str:
        return f"{path_of(self.address)}/{self.id}{below}"


def _person(person: _wire.Person) -> Person:
    return Person(person["name"], person["address"])

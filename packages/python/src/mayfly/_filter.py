"""Selects mails."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, Literal, TypeVar

from ._mail_data import MailData
from ._wire import Person

M = TypeVar("M", bound=MailData)

Text = str | re.Pattern[str]
"""A part in any case, or a compiled pattern."""

Has = Literal["code", "link", "action_link", "attachment"]

_HAS: dict[str, str] = {
    "code": "a code",
    "link": "a link",
    "action_link": "an action link",
    "attachment": "an attachment",
}


@dataclass(frozen=True)
class MailFilter(Generic[M]):
    """What a mail must match: every given field."""

    from_: Text | None = None
    subject: Text | None = None
    has: Has | None = None
    q: str | None = None
    where: Callable[[M], bool] | None = None

    def __post_init__(self) -> None:
        for name, value in (("from_", self.from_), ("subject", self.subject)):
            if value is not None and not isinstance(value, (str, re.Pattern)):
                raise TypeError(f"`{name}` must be a string or a compiled pattern, not {value!r}.")
        if self.has is not None and self.has not in _HAS:
            names = ", ".join(repr(name) for name in _HAS)
            raise TypeError(f"`has` must be one of {names}, not {self.has!r}.")
        if self.q is not None and not isinstance(self.q, str):
            raise TypeError(f"`q` must be a string, not {self.q!r}.")
        if self.where is not None and not callable(self.where):
            raise TypeError(f"`where` must be a function, not {self.where!r}.")

    def query(self) -> dict[str, str]:
        """Returns the query parameters for the part of the filter that the service applies."""
        parameters = {"from": _plain(self.from_), "subject": _plain(self.subject), "has": self.has, "q": self.q}
        return {name: value for name, value in parameters.items() if value is not None}

    def matches(self, mail: M) -> bool:
        """Applies the part of the filter that the service cannot apply."""
        if isinstance(self.from_, re.Pattern):
            pattern = self.from_
            if not any(pattern.search(sender) for sender in _senders(mail.from_)):
                return False
        if isinstance(self.subject, re.Pattern) and not self.subject.search(mail.subject):
            return False
        return self.where is None or self.where(mail)

    def described(self, what: str = "mail") -> str:
        """Returns words such as `mail from "shop.example" with subject /code/ and a code`."""
        parts = [what]
        if self.from_ is not None:
            parts.append(f"from {shown(self.from_)}")
        if self.subject is not None:
            parts.append(f"with subject {shown(self.subject)}")
        if self.q is not None:
            parts.append(f"with {shown(self.q)} in it")
        if self.has is not None and what == "mail":
            parts.append(f"with {_HAS[self.has]}")
        if self.where is not None:
            parts.append("that `where` accepts")
        return " ".join(parts)

    def narrowed(self, has: Has | None, where: Callable[[M], bool] | None) -> MailFilter[M]:
        """Returns the filter with a fixed `has`, and with a further predicate if there is one."""
        own = self.where
        if where is None:
            return replace(self, has=has)
        further = where
        return replace(self, has=has, where=lambda mail: further(mail) and (own is None or own(mail)))


def shown(value: Text) -> str:
    """Returns the value as messages show it: a text in quotes, a pattern between slashes."""
    if isinstance(value, str):
        return f'"{value}"'
    flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
    return f"/{value.pattern}/{flags}"


_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))


def _plain(value: Text | None) -> str | None:
    return value if isinstance(value, str) else None


def _senders(person: Person) -> list[str]:
    name, address = person["name"] or "", person["address"] or ""
    return [address, name, f"{name} <{address}>"]

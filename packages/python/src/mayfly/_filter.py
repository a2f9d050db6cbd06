"""Selects mails."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from inspect import isawaitable
from typing import Generic, TypeVar

from ._mail_data import MailData
from ._wire import FILTERS, HAS, Has, Person

M = TypeVar("M", bound=MailData)

Text = str | re.Pattern[str]
"""A part in any case, or a compiled pattern."""


@dataclass(frozen=True)
class MailFilter(Generic[M]):
    """What a mail must match: every given field."""

    from_: Text | None = None
    subject: Text | None = None
    has: Has | None = None
    q: str | None = None
    to: Text | None = None
    where: Callable[[M], bool] | None = None

    def __post_init__(self) -> None:
        if self.has is not None and self.has not in HAS:
            names = ", ".join(repr(name) for name in HAS)
            raise TypeError(f"`has` must be one of {names}, not {self.has!r}.")
        for name in map(parameter, FILTERS):
            value = getattr(self, name)
            takes_patterns = name in _TEXTS
            if value is None or isinstance(value, str) or (takes_patterns and isinstance(value, re.Pattern)):
                continue
            kind = "a string or a compiled pattern" if takes_patterns else "a string"
            raise TypeError(f"`{name}` must be {kind}, not {value!r}.")
        if self.where is not None and not callable(self.where):
            raise TypeError(f"`where` must be a function, not {self.where!r}.")

    @property
    def has_pattern(self) -> bool:
        """Whether the service alone does not select what the filter selects."""
        return any(isinstance(getattr(self, name), re.Pattern) for name in _TEXTS)

    def query(self) -> dict[str, str]:
        """Returns the query parameters for the part of the filter that the service applies."""
        parameters = {name: getattr(self, parameter(name)) for name in FILTERS}
        return {name: value for name, value in parameters.items() if isinstance(value, str)}

    def matches(self, mail: M) -> bool:
        """Applies the part of the filter that the service cannot apply."""
        for name, texts in _TEXTS.items():
            pattern = getattr(self, name)
            if isinstance(pattern, re.Pattern) and not any(pattern.search(text) for text in texts(mail)):
                return False
        return self.where is None or decided(self.where(mail))

    def described(self, what: str = "mail") -> str:
        """Returns words such as `mail from "shop.example" with subject /code/ and a code`."""
        parts = [what]
        for name, words in _WORDS.items():
            value = getattr(self, name)
            if value is None or (name == "has" and what != "mail"):
                continue
            parts.append(words.format(HAS[value] if name == "has" else shown(value)))
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


def decided(answer: object) -> bool:
    """Returns the answer of a predicate. Raises TypeError for an awaitable, which would always count as true."""
    if not isawaitable(answer):
        return bool(answer)
    if isinstance(answer, Coroutine):
        answer.close()
    raise TypeError("A predicate must not be async: it has to return True or False, not an awaitable.")


def shown(value: Text) -> str:
    """Returns the value as messages show it: a text in quotes, a pattern between slashes."""
    if isinstance(value, str):
        return f'"{value}"'
    flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
    return f"/{value.pattern}/{flags}"


_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))


def parameter(name: str) -> str:
    """Returns the name of the argument for a filter of the service."""
    return "from_" if name == "from" else name


def _people(persons: list[Person]) -> list[str]:
    pairs = [(person["name"] or "", person["address"] or "") for person in persons]
    return [text for name, address in pairs for text in (address, name, f"{name} <{address}>")]


# The texts that a pattern is compared with; the service applies every other value.
_TEXTS: dict[str, Callable[[MailData], list[str]]] = {
    "from_": lambda mail: _people([mail.data["from"]]),
    "to": lambda mail: [mail.address, *_people([*mail.data["to"], *mail.data["cc"]])],
    "subject": lambda mail: [mail.subject],
}

_WORDS = {
    "from_": "from {}",
    "to": "to {}",
    "subject": "with subject {}",
    "q": "with {} in it",
    "has": "with {}",
}

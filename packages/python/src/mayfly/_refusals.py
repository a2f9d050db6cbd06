"""Mail that the service refused, or that arrived at a similar address, for errors that explain why nothing arrived."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from ._wire import Email, RefusedMail

T = TypeVar("T")

_RECENT_SECONDS = 60
_SHOWN_MAX = 5
# Edits between two addresses of which one is probably a misspelt form of the other.
_SIMILAR_EDITS = 2


@dataclass(frozen=True)
class Refusal:
    """A recipient that the service refused. `code` and `reply` are those of SMTP."""

    at: datetime
    recipient: str
    code: int
    reply: str


def refusals_for(address: str, refused: list[RefusedMail]) -> list[Refusal]:
    """Returns the refusals of the last minute for this address or a similar one, the nearest address first.

    Only the operator gets refusals, so the service has the clock of the test or one near it.
    """
    return _nearest(address, map(_refusal, refused), lambda one: one.recipient, lambda one: one.at)


def stray_mail(address: str, emails: list[Email]) -> list[Email]:
    """Returns the mail of the last minute that arrived at a similar address, the nearest address first."""
    others = [email for email in emails if _folded(email["address"]) != _folded(address)]
    return _nearest(address, others, lambda email: email["address"], lambda email: _time(email["received_at"]))


def _nearest(
    address: str, items: Iterable[T], recipient_of: Callable[[T], str], time_of: Callable[[T], datetime]
) -> list[T]:
    distances = [(_distance(address, recipient_of(item)), item) for item in items]
    near = [
        (distance, item)
        for distance, item in distances
        if distance <= _SIMILAR_EDITS and time.time() - time_of(item).timestamp() < _RECENT_SECONDS
    ]
    return [item for _, item in sorted(near, key=lambda pair: pair[0])[:_SHOWN_MAX]]


def edit_distance(a: str, b: str) -> int:
    """Returns how many characters to insert, delete or replace (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        following = [i + 1]
        for j, y in enumerate(b):
            following.append(min(row[j] + (x != y), row[j + 1] + 1, following[j] + 1))
        row = following
    return row[-1]


def _distance(a: str, b: str) -> int:
    """Returns the edits; an address with the same local part counts as similar, whatever its domain is."""
    one, other = _folded(a), _folded(b)
    edits = edit_distance(one, other)
    is_same_name = one.partition("@")[0] == other.partition("@")[0]
    return min(edits, _SIMILAR_EDITS) if is_same_name else edits


def _refusal(refused: RefusedMail) -> Refusal:
    return Refusal(_time(refused["at"]), refused["recipient"] or "", refused["code"], refused["reply"])


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _folded(address: str) -> str:
    return unicodedata.normalize("NFC", address).lower()

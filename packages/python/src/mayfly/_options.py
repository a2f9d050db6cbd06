"""The options of a client: arguments, or else environment variables."""

from __future__ import annotations

import os
import re
from typing import Any

from ._core import OPENING_SECONDS, Http
from ._filter import shown
from ._keys import GivenKey, KeyFile
from ._search import LinkMatch

DEFAULT_TIMEOUT = 10.0
# A wait of an hour is longer than any test, and a larger number is probably meant as milliseconds.
MAX_SECONDS = 3600


def connect(url: str | None, api_key: str | None, domain_key: str | None, timeout: float) -> Http:
    """Returns the connection of a client. Sends no request."""
    if url is not None and not isinstance(url, str):
        raise TypeError(f"`url` must be a string, not {url!r}.")
    key = _checked_key("api_key", "MAYFLY_API_KEY", api_key)
    return Http(
        url or os.environ.get("MAYFLY_URL") or "http://127.0.0.1:8025",
        GivenKey(key) if key else KeyFile(),
        _checked_key("domain_key", "MAYFLY_DOMAIN_KEY", domain_key),
        # A client whose waits only look still has to open its inbox.
        timeout or OPENING_SECONDS,
    )


def _checked_key(option: str, variable: str, given: Any) -> str | None:
    """Returns a key without the white space around it, which files and secrets of a CI end with; None if there is none.

    Raises TypeError for a key with a character that keys do not have. The message does not contain it.
    """
    key = given or os.environ.get(variable) or ""
    if not isinstance(key, str):
        raise TypeError(f"`{option}` must be a string, not {type(key).__name__}.")
    if not re.fullmatch(r"[\x20-\x7e]*", key.strip()):
        raise TypeError(f"`{option}` or {variable} has a character that no key has.")
    return key.strip() or None


def default_timeout(timeout: float | None) -> float:
    """Returns the time-out of waits in seconds: the given one, MAYFLY_TIMEOUT in milliseconds, or 10."""
    if timeout is not None:
        return checked_seconds("timeout", timeout)
    text = os.environ.get("MAYFLY_TIMEOUT")
    if not text:
        return DEFAULT_TIMEOUT
    try:
        return checked_seconds("MAYFLY_TIMEOUT", float(text) / 1000)
    except (ValueError, TypeError):
        bounds = f"from 0 to {MAX_SECONDS * 1000}"
        raise TypeError(f'MAYFLY_TIMEOUT must be a number of milliseconds {bounds}, not "{text}".') from None


def checked_seconds(name: str, value: Any) -> float:
    """Returns the value. Raises TypeError if it is not a number of seconds from 0 to MAX_SECONDS."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= MAX_SECONDS:
        raise TypeError(f"`{name}` must be a number of seconds from 0 to {MAX_SECONDS}, not {value!r}.")
    return float(value)


def checked_count(value: Any) -> int:
    """Returns the value. Raises TypeError if it is not a whole number from 1."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise TypeError(f"`count` must be a whole number from 1, not {value!r}.")
    return value


def compiled(pattern: str | re.Pattern[str]) -> re.Pattern[str]:
    """Returns a compiled pattern. Raises TypeError."""
    if isinstance(pattern, str):
        return re.compile(pattern)
    if not isinstance(pattern, re.Pattern):
        raise TypeError(f"`pattern` must be a string or a compiled pattern, not {pattern!r}.")
    return pattern


def described_match(match: LinkMatch) -> str:
    """Returns the words for a link that was waited for. Raises TypeError."""
    if isinstance(match, str):
        return f"link that matches {match}"
    if isinstance(match, re.Pattern):
        return f"link that matches {shown(match)}"
    if callable(match):
        return f"link that matches {getattr(match, '__name__', match)}"
    raise TypeError(f"`match` must be a string, a compiled pattern or a function, not {match!r}.")

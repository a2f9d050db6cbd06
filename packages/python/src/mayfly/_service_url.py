"""The URL of a service."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from ._errors import MayflyError


@dataclass(frozen=True)
class ServiceUrl:
    """A base URL without a slash at its end and without credentials.

    `authorization` has its user and password in the form of HTTP basic authentication (RFC 7617), None without them.
    """

    url: str
    authorization: str | None


def service_url(text: str) -> ServiceUrl:
    """Parses the base URL of a service. Raises MayflyError `invalid_url`."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        shown = re.sub(r"^(\w+://)?.*@", r"\1…@", text)
        message = f'"{shown}" is no URL of a service; one looks like http://127.0.0.1:8025.'
        raise MayflyError("invalid_url", f"{message} It comes from `url` or MAYFLY_URL.")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    is_default = port is None or port == {"http": 80, "https": 443}[parts.scheme]
    base = f"{parts.scheme}://{host}{'' if is_default else f':{port}'}{parts.path}".rstrip("/")
    if not parts.username and not parts.password:
        return ServiceUrl(base, None)
    credentials = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return ServiceUrl(base, f"Basic {base64.b64encode(credentials.encode()).decode()}")


def is_loopback(url: str) -> bool:
    """Returns whether a base URL always names this machine, as those of test/packages/loopback.json do."""
    return re.fullmatch(r"localhost|.+\.localhost|127(\.\d{1,3}){3}|::1", urlsplit(url).hostname or "") is not None

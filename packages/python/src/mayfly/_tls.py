"""The TLS settings of a client."""

from __future__ import annotations

import ssl
import threading


class Tls:
    """One TLS context for all connections of a client, made when the first one needs it.

    Making a context reads all certificates that the machine trusts, which takes longer than many requests.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._context: ssl.SSLContext | None = None

    @property
    def ready(self) -> ssl.SSLContext | None:
        """The context if it was made already."""
        return self._context

    def make(self) -> ssl.SSLContext:
        """Returns the context, the same one each time."""
        with self._lock:
            if self._context is None:
                self._context = ssl.create_default_context()
            return self._context

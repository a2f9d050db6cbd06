"""The synchronous client."""

from __future__ import annotations

from ._options import connect, default_timeout
from ._search import newest_id, open_address
from ._sync_inbox import Inbox
from ._transport import run


class Mayfly:
    """A Mayfly service. Creating the object sends no request.

    `url` is MAYFLY_URL, or http://127.0.0.1:8080; `api_key` is MAYFLY_API_KEY, or the key of the user's key file,
    or a free key that is created and kept; `domain_key` (for private domains) is MAYFLY_DOMAIN_KEY. `timeout` is
    the time in seconds that each wait takes at most: MAYFLY_TIMEOUT (in milliseconds), or 10.

    Example:
        >>> mayfly = Mayfly("http://127.0.0.1:8080")
        >>> with mayfly.inbox() as inbox:
        ...     sign_up(inbox.address)
        ...     code = inbox.wait_for_code()
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        domain_key: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self._http = connect(url, api_key, domain_key)
        self._timeout = default_timeout(timeout)

    @property
    def url(self) -> str:
        """The base URL of the service."""
        return self._http.url

    def inbox(
        self,
        domain: str | None = None,
        prefix: str | None = None,
        address: str | None = None,
        history: bool = False,
    ) -> Inbox:
        """Returns an inbox with a new address, or with the existing one that `address` names.

        `domain` is one of the service's domains, a random public one unless given; `prefix` is the beginning of
        the new address. With `address` and `history`, mail that arrived earlier counts too.

        Example:
            >>> inbox = mayfly.inbox(prefix="signup")
            >>> earlier = mayfly.inbox(address="bot@mayfly.test", history=True)
        """
        if address is None:
            return Inbox(self._http, run(open_address(self._http, domain, prefix)), None, self._timeout)
        since = None if history else run(newest_id(self._http, address))
        return Inbox(self._http, address, since, self._timeout)

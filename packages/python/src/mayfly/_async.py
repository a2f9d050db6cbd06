"""The asynchronous client: the same methods as coroutines."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any

from ._async_inbox import AsyncInbox
from ._async_transport import run
from ._options import connect, default_timeout
from ._search import newest_id, open_address


class InboxOpening:
    """An inbox that is being opened: `await` it, or use it with `async with`."""

    def __init__(self, open: Callable[[], Coroutine[Any, Any, AsyncInbox]]) -> None:
        self._open = open
        self._inbox: AsyncInbox | None = None

    def __await__(self) -> Generator[Any, None, AsyncInbox]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncInbox:
        self._inbox = await self._open()
        return self._inbox

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._inbox is not None:
            await self._inbox.__aexit__(kind, error, trace)


class AsyncMayfly:
    """A Mayfly service for asyncio. Creating the object sends no request.

    `url` is MAYFLY_URL, or http://127.0.0.1:8080; `api_key` is MAYFLY_API_KEY, or the key of the user's key file,
    or a free key that is created and kept; `domain_key` (for private domains) is MAYFLY_DOMAIN_KEY. `timeout` is
    the time in seconds that each wait takes at most: MAYFLY_TIMEOUT (in milliseconds), or 10.

    Example:
        >>> mayfly = AsyncMayfly("http://127.0.0.1:8080")
        >>> async with mayfly.inbox() as inbox:
        ...     await sign_up(inbox.address)
        ...     code = await inbox.wait_for_code()
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
    ) -> InboxOpening:
        """Returns an inbox with a new address, or with the existing one that `address` names.

        `domain` is one of the service's domains, a random public one unless given; `prefix` is the beginning of
        the new address. With `address` and `history`, mail that arrived earlier counts too.

        Await it, or use it with `async with`, which deletes the mail at the end.

        Example:
            >>> inbox = await mayfly.inbox(prefix="signup")
            >>> earlier = await mayfly.inbox(address="bot@mayfly.test", history=True)
        """
        return InboxOpening(lambda: self._open(domain, prefix, address, history))

    async def _open(
        self, domain: str | None, prefix: str | None, address: str | None, history: bool
    ) -> AsyncInbox:
        if address is None:
            new = await run(open_address(self._http, domain, prefix))
            return AsyncInbox(self._http, new, None, self._timeout)
        since = None if history else await run(newest_id(self._http, address))
        return AsyncInbox(self._http, address, since, self._timeout)

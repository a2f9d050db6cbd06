"""The asynchronous client."""

from __future__ import annotations

from ._all_mail import AllMail
from ._async_inbox import AsyncInbox, Where
from ._async_mail import AsyncMail
from ._async_transport import AsyncTransport
from ._filter import MailFilter, Text
from ._opening import Opening
from ._options import checked_seconds, connect, default_timeout
from ._search import newest_id, open_address
from ._wire import Has


class AsyncMayfly:
    """A Mayfly service for asyncio. Creating the object sends no request.

    `url` is MAYFLY_URL, or http://127.0.0.1:8025; `api_key` is MAYFLY_API_KEY, or the key of the user's key file,
    or a free key that is created and kept; `domain_key` (for private domains) is MAYFLY_DOMAIN_KEY. `timeout` is
    the time in seconds that each wait takes at most: MAYFLY_TIMEOUT (in milliseconds), or 10.

    Example:
        >>> mayfly = AsyncMayfly("http://127.0.0.1:8025")
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
        self._timeout = default_timeout(timeout)
        http = connect(url, api_key, domain_key, self._timeout)
        self._transport = AsyncTransport(http)
        self._all_mail: AllMail[AsyncMail] = AllMail(http, lambda email: AsyncMail(email, self._transport))

    @property
    def url(self) -> str:
        """The base URL of the service."""
        return self._transport.http.url

    def inbox(
        self,
        domain: str | None = None,
        prefix: str | None = None,
        address: str | None = None,
        history: bool = False,
    ) -> Opening:
        """Returns an inbox with a new address, or with the existing one that `address` names.

        `domain` is one of the service's domains, a random public one unless given; `prefix` is the beginning of
        the new address. With `address` and `history`, mail that arrived earlier counts too. It takes at most the
        `timeout` of the client.

        `async with` deletes its mail at the end.

        Example:
            >>> inbox = await mayfly.inbox(prefix="signup")
            >>> earlier = await mayfly.inbox(address="bot@mayfly.test", history=True)
        """
        return Opening(lambda: self._open(domain, prefix, address, history))

    async def _open(
        self, domain: str | None, prefix: str | None, address: str | None, history: bool
    ) -> AsyncInbox:
        if address is None:
            new = await self._transport.run(open_address(self._transport.http, domain, prefix))
            return AsyncInbox(self._transport, new, None, self._timeout)
        since = None if history else await self._transport.run(newest_id(self._transport.http, address))
        return AsyncInbox(self._transport, address, since, self._timeout)

    async def mails(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> list[AsyncMail]:
        """Returns the mails of all addresses that match, newest first.

        For the operator of a service on one machine, as are `wait_for_mail` and `clear`; others get MayflyError
        `operator_key_required`.

        Example:
            >>> mails = await mayfly.mails(to="jo@example.com")
        """
        return await self._transport.run(self._all_mail.newest_first(MailFilter(from_, subject, has, q, to, where)))

    async def wait_for_mail(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
        timeout: float | None = None,
    ) -> AsyncMail:
        """Returns the newest mail of any address that matches and that this client has not returned, or the next one.

        Earlier mail counts too, so it may be called after the mail was sent. Raises MailTimeoutError.

        Example:
            >>> mail = await mayfly.wait_for_mail(to="jo@example.com", subject="Welcome")
        """
        seconds = self._timeout if timeout is None else checked_seconds("timeout", timeout)
        return await self._transport.run(
            self._all_mail.wait(MailFilter(from_, subject, has, q, to, where), seconds)
        )

    async def clear(
        self,
        from_: str | None = None,
        subject: str | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: str | None = None,
    ) -> int:
        """Deletes the mails of all addresses that match for good, and returns how many there were.

        Example:
            >>> await mayfly.clear()
            >>> await mayfly.clear(to="jo@example.com")
        """
        return await self._transport.run(self._all_mail.clear(MailFilter(from_, subject, has, q, to)))

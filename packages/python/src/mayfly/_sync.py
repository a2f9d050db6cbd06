# Generated from _async.py by `npm run build:python`; do not edit.
"""The synchronous client."""

from __future__ import annotations

from ._all_mail import AllMail
from ._filter import MailFilter, Text
from ._options import checked_seconds, connect, default_timeout
from ._search import newest_id, open_address
from ._sync_inbox import Inbox, Where
from ._sync_mail import Mail
from ._sync_transport import Transport
from ._wire import Has


class Mayfly:
    """A Mayfly service. Creating the object sends no request.

    `url` is MAYFLY_URL, or http://127.0.0.1:8025; `api_key` is MAYFLY_API_KEY, or the key of the user's key file,
    or a free key that is created and kept; `domain_key` (for private domains) is MAYFLY_DOMAIN_KEY. `timeout` is
    the time in seconds that each wait takes at most: MAYFLY_TIMEOUT (in milliseconds), or 10.

    Example:
        >>> mayfly = Mayfly("http://127.0.0.1:8025")
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
        self._timeout = default_timeout(timeout)
        http = connect(url, api_key, domain_key, self._timeout)
        self._transport = Transport(http)
        self._all_mail: AllMail[Mail] = AllMail(http, lambda email: Mail(email, self._transport))

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
    ) -> Inbox:
        """Returns an inbox with a new address, or with the existing one that `address` names.

        `domain` is one of the service's domains, a random public one unless given; `prefix` is the beginning of
        the new address. With `address` and `history`, mail that arrived earlier counts too. It takes at most the
        `timeout` of the client.

        `with` deletes its mail at the end.

        Example:
            >>> inbox = mayfly.inbox(prefix="signup")
            >>> earlier = mayfly.inbox(address="bot@mayfly.test", history=True)
        """
        return self._open(domain, prefix, address, history)

    def _open(
        self, domain: str | None, prefix: str | None, address: str | None, history: bool
    ) -> Inbox:
        if address is None:
            new = self._transport.run(open_address(self._transport.http, domain, prefix))
            return Inbox(self._transport, new, None, self._timeout)
        since = None if history else self._transport.run(newest_id(self._transport.http, address))
        return Inbox(self._transport, address, since, self._timeout)

    def mails(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> list[Mail]:
        """Returns the mails of all addresses that match, newest first.

        For the operator of a service on one machine, as are `wait_for_mail` and `clear`; others get MayflyError
        `operator_key_required`.

        Example:
            >>> mails = mayfly.mails(to="jo@example.com")
        """
        return self._transport.run(self._all_mail.newest_first(MailFilter(from_, subject, has, q, to, where)))

    def wait_for_mail(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
        timeout: float | None = None,
    ) -> Mail:
        """Returns the newest mail of any address that matches and that this client has not returned, or the next one.

        Earlier mail counts too, so it may be called after the mail was sent. Raises MailTimeoutError.

        Example:
            >>> mail = mayfly.wait_for_mail(to="jo@example.com", subject="Welcome")
        """
        seconds = self._timeout if timeout is None else checked_seconds("timeout", timeout)
        return self._transport.run(
            self._all_mail.wait(MailFilter(from_, subject, has, q, to, where), seconds)
        )

    def clear(
        self,
        from_: str | None = None,
        subject: str | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: str | None = None,
    ) -> int:
        """Deletes the mails of all addresses that match for good, and returns how many there were.

        Example:
            >>> mayfly.clear()
            >>> mayfly.clear(to="jo@example.com")
        """
        return self._transport.run(self._all_mail.clear(MailFilter(from_, subject, has, q, to)))

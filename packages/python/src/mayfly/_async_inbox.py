"""Inboxes of the asynchronous client."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import TYPE_CHECKING

from ._async_mail import AsyncMail
from ._async_transport import AsyncTransport
from ._core import Response, TransportError
from ._filter import MailFilter, Text
from ._io_async import sleep
from ._options import checked_count, checked_seconds, compiled, described_match
from ._search import Box, LinkMatch, code_of, link_of
from ._stream import SILENCE, EventReader, Gap
from ._wire import Email, Has

if TYPE_CHECKING:
    from typing_extensions import Self

Where = Callable[[AsyncMail], bool]

# How long `exactly` waits for one mail too many.
_ONE_MORE_SECONDS = 1.0


class AsyncInbox:
    """An address and its mail since the inbox was opened.

    Waits return mails in the order in which they arrived, each mail once; a mail that a wait does not match stays
    for the next wait. All times are seconds. As a context manager it deletes its mail at the end.

    Example:
        >>> async with AsyncMayfly().inbox() as inbox:
        ...     await sign_up(inbox.address)
        ...     code = await inbox.wait_for_code()
    """

    def __init__(self, transport: AsyncTransport, address: str, since: str | None, timeout: float) -> None:
        self.address = address
        self._transport = transport
        self._timeout = timeout
        self._box: Box[AsyncMail] = Box(transport.http, address, since, self._mail)

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
        """Returns the next mail that matches.

        `from_`, `to` and `subject` take a part in any case, or a compiled pattern; `has` is "code", "link",
        "action_link" or "attachment"; `q` is a part of sender, subject, codes or the first 16 KiB of
        the text; `where` is a predicate.
        Raises MailTimeoutError after `timeout` seconds; 0 only looks at what is already there.

        Example:
            >>> mail = await inbox.wait_for_mail(subject=re.compile("welcome", re.I))
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, to, where)
        return (await self._wait(filter, 1, filter.described(), timeout))[0]

    async def wait_for_mails(
        self,
        count: int,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
        timeout: float | None = None,
        *,
        exactly: bool = False,
    ) -> list[AsyncMail]:
        """Returns the next `count` mails that match, in the order in which they arrived. Raises MailTimeoutError.

        With `exactly` it raises UnexpectedMailError if one more arrives within a second.

        Example:
            >>> order, invoice = await inbox.wait_for_mails(2, from_="shop.example")
            >>> await inbox.wait_for_mails(1, subject="Welcome", exactly=True)  # sent once
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, to, where)
        what = filter.described() if count == 1 else f"{count} × {filter.described()}"
        mails = await self._wait(filter, checked_count(count), what, timeout)
        if exactly:
            await self._transport.run(self._box.expect_none(filter, _ONE_MORE_SECONDS, f"exactly {count}"))
        return mails

    async def wait_for_code(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
        timeout: float | None = None,
        *,
        pattern: str | re.Pattern[str] | None = None,
    ) -> str:
        """Returns the verification code of the next mail that has one. Raises MailTimeoutError.

        `pattern` selects the code: one of the mail's codes that matches, or else a part of its subject or text
        that does. If the pattern has a group, the code is the first group.

        Example:
            >>> pin = await inbox.wait_for_code(pattern=r"PIN: (\\w{4})")
        """
        filter = MailFilter[AsyncMail](from_, subject, None, q, to, where)
        if pattern is None:
            [mail] = await self._wait(filter.narrowed("code", None), 1, filter.described("code"), timeout)
            return mail.codes[0]
        wanted = compiled(pattern)
        what = filter.described(f"code that matches /{wanted.pattern}/")
        accepted = filter.narrowed(None, lambda mail: code_of(mail, wanted) is not None)
        [mail] = await self._wait(accepted, 1, what, timeout)
        return code_of(mail, wanted) or ""

    async def wait_for_link(
        self,
        match: LinkMatch | None = None,
        from_: Text | None = None,
        subject: Text | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
        timeout: float | None = None,
    ) -> str:
        """Returns the action link of the next mail that has one (to confirm, sign in, reset, accept).

        With `match` (a part of the URL, a compiled pattern or a predicate) it returns the first matching link of
        the next mail that has one. Raises MailTimeoutError.

        Example:
            >>> await page.goto(await inbox.wait_for_link())
        """
        filter = MailFilter[AsyncMail](from_, subject, None, q, to, where)
        if match is None:
            found = filter.narrowed("action_link", None)
            [mail] = await self._wait(found, 1, filter.described("action link"), timeout)
            return mail.action_link.url if mail.action_link else ""
        wanted = match
        what = filter.described(described_match(wanted))
        accepted = filter.narrowed("link", lambda mail: link_of(mail, wanted) is not None)
        [mail] = await self._wait(accepted, 1, what, timeout)
        return link_of(mail, wanted) or ""

    async def expect_no_mail(
        self,
        within: float = 3.0,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> None:
        """Returns when no matching mail has arrived within `within` seconds. Raises UnexpectedMailError.

        Example:
            >>> await inbox.expect_no_mail(within=2, subject="Reset your password")
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, to, where)
        await self._transport.run(self._box.expect_none(filter, checked_seconds("within", within)))

    async def mails(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> list[AsyncMail]:
        """Returns the mails since the inbox was opened, newest first.

        Example:
            >>> [mail.subject for mail in await inbox.mails()]
        """
        return await self._transport.run(self._box.newest_first(MailFilter(from_, subject, has, q, to, where)))

    async def latest(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> AsyncMail | None:
        """Returns the newest mail since the inbox was opened, or None."""
        mails = await self.mails(from_, subject, has, q, to, where)
        return mails[0] if mails else None

    async def mail(self, id: str) -> AsyncMail:
        """Returns the mail with this id and marks it as read. Raises MayflyError `email_not_found`."""
        return await self._transport.run(self._box.one(id))

    async def clear(self) -> int:
        """Deletes every mail of the address for good and returns how many there were."""
        return await self._transport.run(self._box.clear())

    async def stream(self) -> AsyncIterator[AsyncMail]:
        """Yields every mail since the inbox was opened, then every mail that arrives, each once.

        Reconnects after a failure and misses nothing. Raises MayflyError if the service refuses, or does not come
        back within a minute.

        Example:
            >>> async for mail in inbox.stream():
            ...     print(mail.subject)
        """
        reader = EventReader(self._transport.http, self.address, self._box.since)
        while True:
            events = self._transport.lines(reader.request(), SILENCE)
            try:
                async for line in events:
                    if isinstance(line, Response):
                        reader.check(line)
                        continue
                    item = reader.read(line)
                    if isinstance(item, Gap):
                        for mail in await self._transport.run(self._box.missed(item.after, item.before)):
                            yield mail
                    elif item is not None:
                        yield self._mail(item)
            except TransportError as error:
                reader.lose(error)
            finally:
                await events.aclose()
            await sleep(reader.retry)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._transport.run(self._box.dispose())

    def _mail(self, email: Email) -> AsyncMail:
        return AsyncMail(email, self._transport)

    async def _wait(self, filter: MailFilter[AsyncMail], count: int, what: str, timeout: float | None) -> list[AsyncMail]:
        seconds = self._timeout if timeout is None else checked_seconds("timeout", timeout)
        return await self._transport.run(self._box.wait(filter, count, what, seconds))

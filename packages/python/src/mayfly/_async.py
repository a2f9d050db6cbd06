"""The asynchronous client: the same methods as coroutines."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from types import TracebackType
from typing import Any

from ._async_transport import lines, run
from ._core import CALL_SECONDS, Call, Deadline, Http, Response, TransportError
from ._filter import Has, MailFilter, Text
from ._mail_data import MailData
from ._options import checked_count, checked_seconds, compiled, connect, default_timeout, described_match
from ._search import Box, LinkMatch, code_of, link_of, newest_id, open_address
from ._stream import RETURN_SECONDS, SILENCE, EventReader, Gap
from ._wire import AttachmentInfo, Email, WholeEmail

Where = Callable[["AsyncMail"], bool]


class AsyncMail(MailData):
    """A received mail. Properties come with the mail; methods send a request.

    Example:
        >>> mail = await inbox.wait_for_mail(subject="Report")
        >>> print(mail.code, await mail.html())
    """

    def __init__(self, data: Email, http: Http) -> None:
        super().__init__(data)
        self._http = http
        self._whole: WholeEmail | None = None

    @property
    def attachments(self) -> list[AsyncMailAttachment]:
        """The attachments of the mail."""
        return [AsyncMailAttachment(self, n, self._http) for n in range(self.data["attachment_count"])]

    async def whole(self) -> WholeEmail:
        """Returns every field of the API: HTML, headers, verdicts, the whole text. Marks the mail as read.

        Example:
            >>> (await mail.whole())["headers"]
        """
        if self._whole is None:
            answer = await run(self._http.json(Call(self._path()), Deadline(CALL_SECONDS)))
            whole: WholeEmail = answer["email"]
            self._whole = whole
        return self._whole

    async def html(self) -> str | None:
        """Returns the HTML part, or None. Marks the mail as read."""
        return (await self.whole())["body_html"]

    async def raw(self) -> bytes:
        """Returns the message as it was received (RFC 5322)."""
        return await run(self._http.content(Call(self._path("/raw")), Deadline(CALL_SECONDS)))

    async def delete(self) -> None:
        """Deletes the mail and its attachments for good. Raises MayflyError `email_not_found` the second time."""
        await run(self._http.json(Call(self._path(), method="DELETE"), Deadline(CALL_SECONDS)))


class AsyncMailAttachment:
    """An attachment of a mail.

    Example:
        >>> [attachment] = mail.attachments
        >>> print((await attachment.info())["filename"], await attachment.text())
    """

    def __init__(self, mail: AsyncMail, n: int, http: Http) -> None:
        self._mail = mail
        self._n = n
        self._http = http

    async def info(self) -> AttachmentInfo:
        """Returns its file name, type, size and SHA-256. Marks the mail as read."""
        return (await self._mail.whole())["attachments"][self._n]

    async def bytes(self) -> bytes:
        """Returns its decoded bytes."""
        path = self._mail._path(f"/attachments/{self._n}")
        return await run(self._http.content(Call(path), Deadline(CALL_SECONDS)))

    async def text(self) -> str:
        """Returns its bytes as UTF-8 text."""
        return (await self.bytes()).decode("utf-8", "replace")


class AsyncInbox:
    """An address and its mail since the inbox was opened.

    Waits return mails in the order in which they arrived, each mail once; a mail that a wait does not match stays
    for the next wait. All times are seconds. As a context manager it deletes its mail at the end.

    Example:
        >>> async with AsyncMayfly().inbox() as inbox:
        ...     await sign_up(inbox.address)
        ...     code = await inbox.wait_for_code()
    """

    def __init__(self, http: Http, address: str, since: str | None, timeout: float) -> None:
        self.address = address
        self._http = http
        self._timeout = timeout
        self._box: Box[AsyncMail] = Box(http, address, since, lambda email: AsyncMail(email, http))

    async def wait_for_mail(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        where: Where | None = None,
        timeout: float | None = None,
    ) -> AsyncMail:
        """Returns the next mail that matches.

        `from_` and `subject` take a part in any case, or a compiled pattern; `has` is "code", "link",
        "action_link" or "attachment"; `q` is a part of sender, subject, text or codes; `where` is a predicate.
        Raises MailTimeoutError after `timeout` seconds; 0 only looks at what is already there.

        Example:
            >>> mail = await inbox.wait_for_mail(subject=re.compile("welcome", re.I))
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, where)
        return (await self._wait(filter, 1, filter.described(), timeout))[0]

    async def wait_for_mails(
        self,
        count: int,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        where: Where | None = None,
        timeout: float | None = None,
    ) -> list[AsyncMail]:
        """Returns the next `count` mails that match, in the order in which they arrived. Raises MailTimeoutError.

        Example:
            >>> order, invoice = await inbox.wait_for_mails(2, from_="shop.example")
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, where)
        return await self._wait(filter, checked_count(count), f"{count} × {filter.described()}", timeout)

    async def wait_for_code(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        q: str | None = None,
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
        filter = MailFilter[AsyncMail](from_, subject, None, q, where)
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
        where: Where | None = None,
        timeout: float | None = None,
    ) -> str:
        """Returns the action link of the next mail that has one (to confirm, sign in, reset, accept).

        With `match` (a part of the URL, a compiled pattern or a predicate) it returns the first matching link of
        the next mail that has one. Raises MailTimeoutError.

        Example:
            >>> await page.goto(await inbox.wait_for_link())
        """
        filter = MailFilter[AsyncMail](from_, subject, None, q, where)
        if match is None:
            found = filter.narrowed("action_link", None)
            [mail] = await self._wait(found, 1, filter.described("action link"), timeout)
            return mail.action_link["url"] if mail.action_link else ""
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
        where: Where | None = None,
    ) -> None:
        """Returns when no matching mail has arrived within `within` seconds. Raises UnexpectedMailError.

        Example:
            >>> await inbox.expect_no_mail(within=2, subject="Reset your password")
        """
        filter = MailFilter[AsyncMail](from_, subject, has, q, where)
        await run(self._box.expect_none(filter, checked_seconds("within", within)))

    async def mails(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        where: Where | None = None,
    ) -> list[AsyncMail]:
        """Returns the mails since the inbox was opened, newest first.

        Example:
            >>> [mail.subject for mail in await inbox.mails()]
        """
        return await run(self._box.newest_first(MailFilter(from_, subject, has, q, where)))

    async def latest(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        where: Where | None = None,
    ) -> AsyncMail | None:
        """Returns the newest mail since the inbox was opened, or None."""
        mails = await self.mails(from_, subject, has, q, where)
        return mails[0] if mails else None

    async def mail(self, id: str) -> AsyncMail:
        """Returns the mail with this id and marks it as read. Raises MayflyError `email_not_found`."""
        return await run(self._box.one(id))

    async def clear(self) -> int:
        """Deletes every mail of the address for good and returns how many there were."""
        return await run(self._box.clear())

    async def stream(self) -> AsyncIterator[AsyncMail]:
        """Yields every mail since the inbox was opened, then every mail that arrives, each once.

        Reconnects after a failure and misses nothing. Raises MayflyError if the service refuses, or does not come
        back within a minute.

        Example:
            >>> async for mail in inbox.stream():
            ...     print(mail.subject)
        """
        reader = EventReader(self._http, self.address, self._box.since)
        gone_since: float | None = None
        while True:
            events = lines(reader.request(), SILENCE)
            try:
                async for line in events:
                    if isinstance(line, Response):
                        reader.check(line)
                        gone_since = None
                        continue
                    item = reader.read(line)
                    if isinstance(item, Gap):
                        for mail in await run(self._box.missed(item.after, item.before)):
                            yield mail
                    elif item is not None:
                        yield AsyncMail(item, self._http)
            except TransportError as error:
                gone_since = gone_since or time.monotonic()
                if time.monotonic() - gone_since > RETURN_SECONDS:
                    raise self._http.unreachable(error) from error
            finally:
                await events.aclose()
            await asyncio.sleep(reader.retry)

    async def __aenter__(self) -> AsyncInbox:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await run(self._box.dispose())

    async def _wait(self, filter: MailFilter[AsyncMail], count: int, what: str, timeout: float | None) -> list[AsyncMail]:
        seconds = self._timeout if timeout is None else checked_seconds("timeout", timeout)
        return await run(self._box.wait(filter, count, what, seconds))


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

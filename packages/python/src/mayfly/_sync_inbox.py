# Generated from _async_inbox.py by `npm run build:python`; do not edit.
"""Inboxes of the synchronous client."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from ._core import Response, TransportError
from ._filter import MailFilter, Text
from ._io_sync import sleep
from ._options import checked_count, checked_seconds, compiled, described_match
from ._search import Box, LinkMatch, code_of, link_of
from ._stream import SILENCE, EventReader, Gap
from ._sync_mail import Mail
from ._sync_transport import Transport
from ._wire import Email, Has

if TYPE_CHECKING:
    from typing_extensions import Self

Where = Callable[[Mail], bool]

# How long `exactly` waits for one mail too many.
_ONE_MORE_SECONDS = 1.0


class Inbox:
    """An address and its mail since the inbox was opened.

    Waits return mails in the order in which they arrived, each mail once; a mail that a wait does not match stays
    for the next wait. All times are seconds. As a context manager it deletes its mail at the end.

    Example:
        >>> with Mayfly().inbox() as inbox:
        ...     sign_up(inbox.address)
        ...     code = inbox.wait_for_code()
    """

    def __init__(self, transport: Transport, address: str, since: str | None, timeout: float) -> None:
        self.address = address
        self._transport = transport
        self._timeout = timeout
        self._box: Box[Mail] = Box(transport.http, address, since, self._mail)

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
        """Returns the next mail that matches.

        `from_`, `to` and `subject` take a part in any case, or a compiled pattern; `has` is "code", "link",
        "action_link" or "attachment"; `q` is a part of sender, subject, codes or the first 16 KiB of
        the text; `where` is a predicate.
        Raises MailTimeoutError after `timeout` seconds; 0 only looks at what is already there.

        Example:
            >>> mail = inbox.wait_for_mail(subject=re.compile("welcome", re.I))
        """
        filter = MailFilter[Mail](from_, subject, has, q, to, where)
        return self._wait(filter, 1, filter.described(), timeout)[0]

    def wait_for_mails(
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
    ) -> list[Mail]:
        """Returns the next `count` mails that match, in the order in which they arrived. Raises MailTimeoutError.

        With `exactly` it raises UnexpectedMailError if one more arrives within a second.

        Example:
            >>> order, invoice = inbox.wait_for_mails(2, from_="shop.example")
            >>> inbox.wait_for_mails(1, subject="Welcome", exactly=True)  # sent once
        """
        filter = MailFilter[Mail](from_, subject, has, q, to, where)
        what = filter.described() if count == 1 else f"{count} × {filter.described()}"
        mails = self._wait(filter, checked_count(count), what, timeout)
        if exactly:
            self._transport.run(self._box.expect_none(filter, _ONE_MORE_SECONDS, f"exactly {count}"))
        return mails

    def wait_for_code(
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
            >>> pin = inbox.wait_for_code(pattern=r"PIN: (\\w{4})")
        """
        filter = MailFilter[Mail](from_, subject, None, q, to, where)
        if pattern is None:
            [mail] = self._wait(filter.narrowed("code", None), 1, filter.described("code"), timeout)
            return mail.codes[0]
        wanted = compiled(pattern)
        what = filter.described(f"code that matches /{wanted.pattern}/")
        accepted = filter.narrowed(None, lambda mail: code_of(mail, wanted) is not None)
        [mail] = self._wait(accepted, 1, what, timeout)
        return code_of(mail, wanted) or ""

    def wait_for_link(
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
            >>> page.goto(inbox.wait_for_link())
        """
        filter = MailFilter[Mail](from_, subject, None, q, to, where)
        if match is None:
            found = filter.narrowed("action_link", None)
            [mail] = self._wait(found, 1, filter.described("action link"), timeout)
            return mail.action_link.url if mail.action_link else ""
        wanted = match
        what = filter.described(described_match(wanted))
        accepted = filter.narrowed("link", lambda mail: link_of(mail, wanted) is not None)
        [mail] = self._wait(accepted, 1, what, timeout)
        return link_of(mail, wanted) or ""

    def expect_no_mail(
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
            >>> inbox.expect_no_mail(within=2, subject="Reset your password")
        """
        filter = MailFilter[Mail](from_, subject, has, q, to, where)
        self._transport.run(self._box.expect_none(filter, checked_seconds("within", within)))

    def mails(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> list[Mail]:
        """Returns the mails since the inbox was opened, newest first.

        Example:
            >>> [mail.subject for mail in inbox.mails()]
        """
        return self._transport.run(self._box.newest_first(MailFilter(from_, subject, has, q, to, where)))

    def latest(
        self,
        from_: Text | None = None,
        subject: Text | None = None,
        has: Has | None = None,
        q: str | None = None,
        to: Text | None = None,
        where: Where | None = None,
    ) -> Mail | None:
        """Returns the newest mail since the inbox was opened, or None."""
        mails = self.mails(from_, subject, has, q, to, where)
        return mails[0] if mails else None

    def mail(self, id: str) -> Mail:
        """Returns the mail with this id and marks it as read. Raises MayflyError `email_not_found`."""
        return self._transport.run(self._box.one(id))

    def clear(self) -> int:
        """Deletes every mail of the address for good and returns how many there were."""
        return self._transport.run(self._box.clear())

    def stream(self) -> Iterator[Mail]:
        """Yields every mail since the inbox was opened, then every mail that arrives, each once.

        Reconnects after a failure and misses nothing. Raises MayflyError if the service refuses, or does not come
        back within a minute.

        Example:
            >>> for mail in inbox.stream():
            ...     print(mail.subject)
        """
        reader = EventReader(self._transport.http, self.address, self._box.since)
        while True:
            events = self._transport.lines(reader.request(), SILENCE)
            try:
                for line in events:
                    if isinstance(line, Response):
                        reader.check(line)
                        continue
                    item = reader.read(line)
                    if isinstance(item, Gap):
                        yield from self._transport.run(self._box.missed(item.after, item.before))
                    elif item is not None:
                        yield self._mail(item)
            except TransportError as error:
                reader.lose(error)
            finally:
                events.close()
            sleep(reader.retry)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._transport.run(self._box.dispose())

    def _mail(self, email: Email) -> Mail:
        return Mail(email, self._transport)

    def _wait(self, filter: MailFilter[Mail], count: int, what: str, timeout: float | None) -> list[Mail]:
        seconds = self._timeout if timeout is None else checked_seconds("timeout", timeout)
        return self._transport.run(self._box.wait(filter, count, what, seconds))

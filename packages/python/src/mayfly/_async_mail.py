"""Mails of the asynchronous client."""

from __future__ import annotations

from ._async_transport import AsyncTransport
from ._core import CALL_SECONDS, Call, Deadline
from ._mail_data import MailData
from ._wire import Attachment, Email, WholeEmail


class AsyncMail(MailData):
    """A received mail. Properties come with the mail; methods send a request.

    Example:
        >>> mail = await inbox.wait_for_mail(subject="Report")
        >>> print(mail.code, await mail.html())
    """

    def __init__(self, data: Email, transport: AsyncTransport) -> None:
        super().__init__(data)
        self._transport = transport
        self._whole: WholeEmail | None = None

    @property
    def attachments(self) -> list[AsyncMailAttachment]:
        """The attachments of the mail."""
        return [AsyncMailAttachment(self, n, self._transport) for n in range(self.data["attachment_count"])]

    async def whole(self) -> WholeEmail:
        """Returns every field of the API: HTML, headers, verdicts, the whole text. Marks the mail as read.

        Example:
            >>> (await mail.whole())["headers"]
        """
        if self._whole is None:
            answer = await self._transport.run(self._transport.http.json(Call(self._path()), Deadline(CALL_SECONDS)))
            whole: WholeEmail = answer["email"]
            self._whole = whole
        return self._whole

    async def html(self) -> str | None:
        """Returns the HTML part, or None. Marks the mail as read."""
        return (await self.whole())["body_html"]

    async def raw(self) -> bytes:
        """Returns the message as it was received (RFC 5322)."""
        return await self._transport.run(self._transport.http.content(Call(self._path("/raw")), Deadline(CALL_SECONDS)))

    async def delete(self) -> None:
        """Deletes the mail and its attachments for good. Raises MayflyError `email_not_found` the second time."""
        await self._transport.run(self._transport.http.json(Call(self._path(), method="DELETE"), Deadline(CALL_SECONDS)))


class AsyncMailAttachment:
    """An attachment of a mail.

    Example:
        >>> [attachment] = mail.attachments
        >>> print(attachment.filename, await attachment.text())
    """

    def __init__(self, mail: AsyncMail, n: int, transport: AsyncTransport) -> None:
        self._mail = mail
        self._n = n
        summaries = mail.data["attachments"]
        self._summary = summaries[n] if n < len(summaries) else None
        self._transport = transport

    @property
    def filename(self) -> str | None:
        """Its file name; None if it has none, and from the eleventh attachment on, whose name `info()` returns."""
        return self._summary["filename"] if self._summary else None

    @property
    def content_type(self) -> str | None:
        """Its MIME type, such as `application/pdf`; None from the eleventh attachment on."""
        return self._summary["content_type"] if self._summary else None

    @property
    def size(self) -> int | None:
        """Its size in bytes; None from the eleventh attachment on."""
        return self._summary["size"] if self._summary else None

    @property
    def inline(self) -> bool | None:
        """Whether the HTML shows it; None from the eleventh attachment on."""
        return self._summary["inline"] if self._summary else None

    async def info(self) -> Attachment:
        """Returns its file name, type, size and SHA-256. Marks the mail as read."""
        return (await self._mail.whole())["attachments"][self._n]

    async def bytes(self) -> bytes:
        """Returns its decoded bytes."""
        path = self._mail._path(f"/attachments/{self._n}")
        return await self._transport.run(self._transport.http.content(Call(path), Deadline(CALL_SECONDS)))

    async def text(self) -> str:
        """Returns its bytes as UTF-8 text."""
        return (await self.bytes()).decode("utf-8", "replace")

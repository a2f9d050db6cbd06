"""Mails of the asynchronous client."""

from __future__ import annotations

from ._async_transport import run
from ._core import CALL_SECONDS, Call, Deadline, Http
from ._mail_data import MailData
from ._wire import AttachmentInfo, Email, WholeEmail


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

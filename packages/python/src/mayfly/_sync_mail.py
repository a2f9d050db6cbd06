# Generated from _async_mail.py by `npm run build:python`; do not edit.
"""Mails of the synchronous client."""

from __future__ import annotations

from ._core import CALL_SECONDS, Call, Deadline
from ._mail_data import MailData
from ._sync_transport import Transport
from ._wire import Attachment, Email, WholeEmail


class Mail(MailData):
    """A received mail. Properties come with the mail; methods send a request.

    Example:
        >>> mail = inbox.wait_for_mail(subject="Report")
        >>> print(mail.code, mail.html())
    """

    def __init__(self, data: Email, transport: Transport) -> None:
        super().__init__(data)
        self._transport = transport
        self._whole: WholeEmail | None = None

    @property
    def attachments(self) -> list[MailAttachment]:
        """The attachments of the mail."""
        return [MailAttachment(self, n, self._transport) for n in range(self.data["attachment_count"])]

    def whole(self) -> WholeEmail:
        """Returns every field of the API: HTML, headers, verdicts, the whole text. Marks the mail as read.

        Example:
            >>> mail.whole()["headers"]
        """
        if self._whole is None:
            answer = self._transport.run(self._transport.http.json(Call(self._path()), Deadline(CALL_SECONDS)))
            whole: WholeEmail = answer["email"]
            self._whole = whole
        return self._whole

    def html(self) -> str | None:
        """Returns the HTML part, or None. Marks the mail as read."""
        return self.whole()["body_html"]

    def raw(self) -> bytes:
        """Returns the message as it was received (RFC 5322)."""
        return self._transport.run(self._transport.http.content(Call(self._path("/raw")), Deadline(CALL_SECONDS)))

    def delete(self) -> None:
        """Deletes the mail and its attachments for good. Raises MayflyError `email_not_found` the second time."""
        self._transport.run(self._transport.http.json(Call(self._path(), method="DELETE"), Deadline(CALL_SECONDS)))


class MailAttachment:
    """An attachment of a mail.

    Example:
        >>> [attachment] = mail.attachments
        >>> print(attachment.filename, attachment.text())
    """

    def __init__(self, mail: Mail, n: int, transport: Transport) -> None:
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

    def info(self) -> Attachment:
        """Returns its file name, type, size and SHA-256. Marks the mail as read."""
        return self._mail.whole()["attachments"][self._n]

    def bytes(self) -> bytes:
        """Returns its decoded bytes."""
        path = self._mail._path(f"/attachments/{self._n}")
        return self._transport.run(self._transport.http.content(Call(path), Deadline(CALL_SECONDS)))

    def text(self) -> str:
        """Returns its bytes as UTF-8 text."""
        return self.bytes().decode("utf-8", "replace")

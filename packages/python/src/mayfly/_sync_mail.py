"""Mails of the synchronous client."""

from __future__ import annotations

from ._core import CALL_SECONDS, Call, Deadline, Http
from ._mail_data import MailData
from ._transport import run
from ._wire import AttachmentInfo, Email, WholeEmail


class Mail(MailData):
    """A received mail. Properties come with the mail; methods send a request.

    Example:
        >>> mail = inbox.wait_for_mail(subject="Report")
        >>> print(mail.code, mail.html())
    """

    def __init__(self, data: Email, http: Http) -> None:
        super().__init__(data)
        self._http = http
        self._whole: WholeEmail | None = None

    @property
    def attachments(self) -> list[MailAttachment]:
        """The attachments of the mail."""
        return [MailAttachment(self, n, self._http) for n in range(self.data["attachment_count"])]

    def whole(self) -> WholeEmail:
        """Returns every field of the API: HTML, headers, verdicts, the whole text. Marks the mail as read.

        Example:
            >>> mail.whole()["headers"]
        """
        if self._whole is None:
            answer = run(self._http.json(Call(self._path()), Deadline(CALL_SECONDS)))
            whole: WholeEmail = answer["email"]
            self._whole = whole
        return self._whole

    def html(self) -> str | None:
        """Returns the HTML part, or None. Marks the mail as read."""
        return self.whole()["body_html"]

    def raw(self) -> bytes:
        """Returns the message as it was received (RFC 5322)."""
        return run(self._http.content(Call(self._path("/raw")), Deadline(CALL_SECONDS)))

    def delete(self) -> None:
        """Deletes the mail and its attachments for good. Raises MayflyError `email_not_found` the second time."""
        run(self._http.json(Call(self._path(), method="DELETE"), Deadline(CALL_SECONDS)))


class MailAttachment:
    """An attachment of a mail.

    Example:
        >>> [attachment] = mail.attachments
        >>> print(attachment.info()["filename"], attachment.text())
    """

    def __init__(self, mail: Mail, n: int, http: Http) -> None:
        self._mail = mail
        self._n = n
        self._http = http

    def info(self) -> AttachmentInfo:
        """Returns its file name, type, size and SHA-256. Marks the mail as read."""
        return self._mail.whole()["attachments"][self._n]

    def bytes(self) -> bytes:
        """Returns its decoded bytes."""
        path = self._mail._path(f"/attachments/{self._n}")
        return run(self._http.content(Call(path), Deadline(CALL_SECONDS)))

    def text(self) -> str:
        """Returns its bytes as UTF-8 text."""
        return self.bytes().decode("utf-8", "replace")

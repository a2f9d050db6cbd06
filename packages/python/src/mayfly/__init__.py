"""Client of a Mayfly service: addresses, waits for mails, verification codes and links.

Example:
    >>> from mayfly import Mayfly
    >>> with Mayfly().inbox() as inbox:
    ...     sign_up(inbox.address)
    ...     code = inbox.wait_for_code()
"""

from ._async import AsyncInbox, AsyncMail, AsyncMailAttachment, AsyncMayfly
from ._errors import MailTimeoutError, MayflyError, UnexpectedMailError
from ._sync import Inbox, Mail, MailAttachment, Mayfly
from ._wire import ActionLink, AttachmentInfo, Email, Person, WholeEmail

__all__ = [
    "ActionLink",
    "AsyncInbox",
    "AsyncMail",
    "AsyncMailAttachment",
    "AsyncMayfly",
    "AttachmentInfo",
    "Email",
    "Inbox",
    "Mail",
    "MailAttachment",
    "MailTimeoutError",
    "Mayfly",
    "MayflyError",
    "Person",
    "UnexpectedMailError",
    "WholeEmail",
]

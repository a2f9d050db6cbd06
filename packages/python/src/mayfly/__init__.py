"""Client of a Mayfly service: addresses, waits for mails, verification codes and links.

Example:
    >>> from mayfly import Mayfly
    >>> with Mayfly().inbox() as inbox:
    ...     sign_up(inbox.address)
    ...     code = inbox.wait_for_code()
"""

from ._async import AsyncMayfly
from ._async_inbox import AsyncInbox
from ._async_mail import AsyncMail, AsyncMailAttachment
from ._errors import MailTimeoutError, MayflyError, UnexpectedMailError
from ._mail_data import ActionLink, Person
from ._refusals import Refusal
from ._sync import Mayfly
from ._sync_inbox import Inbox
from ._sync_mail import Mail, MailAttachment
from ._wire import Attachment, Email, WholeEmail

__all__ = [
    "ActionLink",
    "AsyncInbox",
    "AsyncMail",
    "AsyncMailAttachment",
    "AsyncMayfly",
    "Attachment",
    "Email",
    "Inbox",
    "Mail",
    "MailAttachment",
    "MailTimeoutError",
    "Mayfly",
    "MayflyError",
    "Person",
    "Refusal",
    "UnexpectedMailError",
    "WholeEmail",
]

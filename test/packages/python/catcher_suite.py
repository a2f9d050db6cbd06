"""A suite that uses pytest-mailpit. It does not know which program answers at MAILPIT_URL."""

from __future__ import annotations

import os
from email.message import EmailMessage
from smtplib import SMTP
from typing import Any

import pytest


def send(to: str, subject: str, text: str = "x", html: str | None = None, bcc: str | None = None) -> None:
    message = EmailMessage()
    message["From"] = "Shop <shop@shop.example>"
    message["To"] = to
    message["Subject"] = subject
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
    message.add_attachment(b"%PDF-1", maintype="application", subtype="pdf", filename="invoice-1.pdf")
    with SMTP("127.0.0.1", int(os.environ["CATCHER_SMTP"])) as smtp:
        smtp.send_message(message, to_addrs=[bcc or to])


def test_a_code_and_a_link(mailpit_inbox: Any, mailpit: Any) -> None:
    html = '<p>Your verification code is 482913. <a href="https://shop.example/reset/1">Reset password</a></p>'
    send(mailpit_inbox.address, "Reset your password", "Your verification code is 482913.", html)
    message = mailpit_inbox.wait_for_message(subject="Reset your password")
    assert message.code() == "482913"
    assert message.link("/reset/") == "https://shop.example/reset/1"
    assert message.sender.address == "shop@shop.example"
    invoice = message.attachment("invoice-*.pdf", content_type="application/pdf")
    assert mailpit.get_attachment(invoice) == b"%PDF-1"


def test_exactly_two_messages_of_this_test(mailpit_inbox: Any) -> None:
    send(f"x{mailpit_inbox.address}", "not mine")
    send(mailpit_inbox.address, "one")
    send("other@example.com", "two", bcc=mailpit_inbox.address)
    assert [message.subject for message in mailpit_inbox.wait_for_messages(2)] == ["one", "two"]
    mailpit_inbox.assert_no_message(subject="three", within=0.5)
    mailpit_inbox.clear()
    assert mailpit_inbox.messages() == []


@pytest.mark.parametrize("count", [3])
def test_many(mailpit_inbox: Any, count: int) -> None:
    for number in range(count):
        send(mailpit_inbox.address, f"mail {number}")
    assert len(mailpit_inbox.wait_for_messages(count)) == count

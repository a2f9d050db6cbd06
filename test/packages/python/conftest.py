"""A real service for the tests of the Python client."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from smtplib import SMTP

import pytest

ROOT = Path(__file__).resolve().parents[3]
API_KEY = "operator-key-of-the-python-tests"
# As Jest gives the other tests.
TEST_SECONDS = 120


@dataclass
class Service:
    """A running one-machine service."""

    url: str
    smtp_host: str
    smtp_port: int
    process: subprocess.Popen[str]

    def post(
        self,
        to: str,
        subject: str,
        text: str | None = None,
        html: str | None = None,
        attachments: list[tuple[str, bytes]] | None = None,
    ) -> None:
        """Sends a mail by SMTP."""
        message = EmailMessage()
        message["From"] = "sender@example.com"
        message["To"] = to
        message["Subject"] = subject
        if text is not None:
            message.set_content(text)
        if html is not None and text is None:
            message.set_content(html, subtype="html")
        elif html is not None:
            message.add_alternative(html, subtype="html")
        for name, content in attachments or []:
            message.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
        with SMTP(self.smtp_host, self.smtp_port) as smtp:
            smtp.send_message(message)


def start_service(**variables: str) -> Service:
    """Starts a service on free ports and waits until it is ready."""
    folder = tempfile.mkdtemp(prefix="mayfly-")
    environment = {
        "PATH": os.environ["PATH"],
        "MAYFLY_HTTP_PORT": "0",
        "MAYFLY_SMTP_PORT": "0",
        "MAYFLY_DATA_DIR": folder,
        "XDG_CACHE_HOME": folder,
        **variables,
    }
    node = ROOT / "node_modules/node/bin/node"
    command = [str(node if node.exists() else shutil.which("node")), "bin/local.js"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    match = re.match(r"mayfly ready http=(\S+) smtp=(\S+):(\d+)", line)
    assert match is not None, f"the service did not start: {line}"
    return Service(match[1], match[2], int(match[3]), process)


def stop_service(service: Service) -> None:
    """Stops a service and waits for its end."""
    service.process.send_signal(signal.SIGTERM)
    service.process.wait(20)


@pytest.fixture(autouse=True)
def time_limit(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that hangs, with the line at which it waits."""

    def expire(*_: object) -> None:
        raise TimeoutError(f"{request.node.name} did not end within {TEST_SECONDS} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(TEST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """A service that all tests share."""
    service = start_service(MAYFLY_API_KEYS=API_KEY, MAYFLY_CATCH_ALL="off")
    yield service
    stop_service(service)

"""pytest-mailpit against the read API of Mailpit (contract: Catcher APIs)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from conftest import start_service

SUITE = Path(__file__).with_name("catcher_suite.py")


def test_a_suite_of_pytest_mailpit_passes(tmp_path: Path) -> None:
    service = start_service()
    try:
        environment = {**os.environ, "MAILPIT_URL": service.url, "CATCHER_SMTP": str(service.smtp_port)}
        options = ["-q", "--tb=line", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
        command = [sys.executable, "-m", "pytest", *options, str(SUITE)]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "3 passed" in done.stdout
    finally:
        service.process.terminate()
        service.process.wait()

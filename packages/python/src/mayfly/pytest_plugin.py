"""Fixtures for pytest, loaded by installation.

Example:
    >>> def test_sign_up(inbox):
    ...     sign_up(inbox.address)
    ...     assert len(inbox.wait_for_code()) == 6
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ._sync import Mayfly
from ._sync_inbox import Inbox


@pytest.fixture(scope="session")
def mayfly() -> Mayfly:
    """The service at MAYFLY_URL, or at http://127.0.0.1:8025. Override it to choose another one."""
    return Mayfly()


@pytest.fixture
def inbox(mayfly: Mayfly) -> Iterator[Inbox]:
    """An address of its own for each test, which is cleared afterwards."""
    with mayfly.inbox() as inbox:
        yield inbox

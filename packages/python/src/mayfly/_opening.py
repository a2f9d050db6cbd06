"""An inbox of the asynchronous client before it is open."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator
from types import TracebackType
from typing import Any

from ._async_inbox import AsyncInbox


class Opening:
    """An inbox that is being opened: `await` it, or use it with `async with`."""

    def __init__(self, open: Callable[[], Coroutine[Any, Any, AsyncInbox]]) -> None:
        self._open = open
        self._inbox: AsyncInbox | None = None

    def __await__(self) -> Generator[Any, None, AsyncInbox]:
        return self._open().__await__()

    async def __aenter__(self) -> AsyncInbox:
        self._inbox = await self._open()
        return self._inbox

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._inbox is not None:
            await self._inbox.__aexit__(kind, error, trace)

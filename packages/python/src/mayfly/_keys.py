"""API keys: the given one, or one from the key file of the user."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ._core import Call, Deadline, Http, Operation, Sleep

_KEY_LIFETIME_MS = 30 * 24 * 3_600_000
_SERVICES_MAX = 50
# A process that holds the lock for longer has ended without removing it.
_LOCK_MAX = 10.0
_LOCK_POLL = 0.025


class GivenKey:
    """A key that the user chose."""

    def __init__(self, key: str) -> None:
        self._key = key

    def current(self, http: Http) -> Operation[str]:
        """Returns the key."""
        yield from ()
        return self._key

    def renew(self, http: Http, rejected: str) -> Operation[bool]:
        """Returns False, because there is no other key."""
        yield from ()
        return False


class KeyFile:
    """A key that is kept in the user's cache folder, for all processes and runs of a test suite.

    A service on this machine writes its operator's key to the same file (contract, "The operator"). A file that
    cannot be read, written or locked is ignored: the key is then used without being kept.
    """

    def __init__(self) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        if cache.startswith("~"):
            # A user without a home folder, as in a container with an arbitrary user id. No file is below this path.
            cache = os.devnull
        self._path = Path(cache, "mayfly", "keys.json")
        self._key: str | None = None

    def current(self, http: Http) -> Operation[str]:
        """Returns the stored key of the service, or else a new one."""
        if self._key is None:
            self._key = yield from self._get(http, None)
        return self._key

    def renew(self, http: Http, rejected: str) -> Operation[bool]:
        """Replaces a key that the service has rejected."""
        if self._key == rejected:
            self._key = yield from self._get(http, rejected)
        return True

    def _get(self, http: Http, rejected: str | None) -> Operation[str]:
        known = self._read().get(http.url, {}).get("key")
        if isinstance(known, str) and known != rejected:
            return known
        is_locked = yield from self._lock()
        try:
            entries = self._read()
            other = entries.get(http.url, {}).get("key")
            if isinstance(other, str) and other != rejected:
                return other
            key = yield from _create(http)
            entries[http.url] = {"key": key, "taken_at": int(time.time() * 1000)}
            self._write(entries)
            return key
        finally:
            if is_locked:
                _remove(self._lock_path)

    @property
    def _lock_path(self) -> Path:
        return self._path.with_name("keys.json.lock")

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            # Reading a named pipe would wait for a writer.
            entries = json.loads(self._path.read_text("utf-8")) if self._path.is_file() else {}
        except (OSError, ValueError):
            return {}
        if not isinstance(entries, dict):
            return {}
        return {url: entry for url, entry in entries.items() if _is_entry(entry)}

    def _write(self, entries: dict[str, dict[str, Any]]) -> None:
        oldest = int(time.time() * 1000) - _KEY_LIFETIME_MS
        fresh = [item for item in entries.items() if item[1]["taken_at"] > oldest]
        fresh.sort(key=lambda item: -item[1]["taken_at"])
        partial = self._path.with_name(f"keys.json.{os.getpid()}")
        try:
            with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(dict(fresh[:_SERVICES_MAX]), file, indent=1)
            partial.replace(self._path)
        except OSError:
            _remove(partial)

    def _lock(self) -> Operation[bool]:
        deadline = Deadline(_LOCK_MAX)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            while deadline.left > 0:
                try:
                    self._lock_path.touch(mode=0o600, exist_ok=False)
                    return True
                except FileExistsError:
                    if self._is_stale():
                        self._lock_path.unlink(missing_ok=True)
                    else:
                        yield Sleep(_LOCK_POLL)
            self._lock_path.unlink(missing_ok=True)
        except OSError:
            pass  # The folder is read-only, or belongs to another user.
        return False

    def _is_stale(self) -> bool:
        try:
            return time.time() - self._lock_path.stat().st_mtime > _LOCK_MAX
        except FileNotFoundError:
            return False


def _create(http: Http) -> Operation[str]:
    call = Call("/api/keys", method="POST", body={"purpose": "created by mayfly-client"}, is_open=True)
    answer = yield from http.json(call, Deadline(http.opening))
    return str(answer["key"])


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("key"), str)
        and isinstance(entry.get("taken_at"), (int, float))
    )

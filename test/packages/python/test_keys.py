"""The key file of the user."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from commands import URL, drive, http, ok, problem
from conftest import ROOT

from mayfly._core import Http, Request, Response, Sleep
from mayfly._keys import GivenKey, KeyFile


def key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None = None) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = tmp_path / "mayfly/keys.json"
    if text is not None:
        path.parent.mkdir()
        path.write_text(text)
    return path


def test_the_key_file_keeps_the_50_newest_keys_for_30_days(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def age(days: float) -> dict[str, Any]:
        return {"key": "kept", "taken_at": int((time.time() - days * 86_400) * 1000)}

    others = {f"http://{n}": age(20 - n / 10) for n in range(55)}
    path = key_file(tmp_path, monkeypatch, json.dumps({"http://old": age(30.1), **others, "http://young": age(0.1)}))
    started = time.time() * 1000 - 1
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    entries = json.loads(path.read_text())
    taken = entries.pop(URL)
    assert taken["key"] == "mf_new" and started <= taken["taken_at"] <= time.time() * 1000
    assert list(entries) == ["http://young", *(f"http://{54 - n}" for n in range(48))]
    path.write_text(json.dumps({"http://month": age(29.9), "http://old": age(30.1)}))
    drive(KeyFile().current(http()), ok)
    assert list(json.loads(path.read_text())) == [URL, "http://month"]


def test_the_key_file_belongs_to_its_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    _, [request] = drive(KeyFile().current(http()), ok)
    assert isinstance(request, Request) and (request.method, request.url) == ("POST", f"{URL}/api/keys")
    assert json.loads(request.body or b"") == {"purpose": "created by mayfly-client"}
    assert "X-API-Key" not in request.headers
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert os.listdir(path.parent) == ["keys.json"]
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    drive(KeyFile().current(http()), ok)
    assert os.listdir(tmp_path / "home/.cache/mayfly") == ["keys.json"]


def test_a_key_that_another_process_creates_meanwhile_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch, "{}")
    lock = path.with_name("keys.json.lock")
    lock.touch()
    keys = KeyFile()
    operation = keys.current(http())
    assert isinstance(next(operation), Sleep)
    path.write_text(json.dumps({URL: {"key": "mf_other", "taken_at": int(time.time() * 1000)}}))
    lock.unlink()
    with pytest.raises(StopIteration) as end:
        operation.send(None)
    assert (end.value.value, lock.exists()) == ("mf_other", False)
    # A key that another thread has replaced already is not replaced again.
    path.unlink()
    assert drive(keys.renew(http(), "mf_before"), ok) == (True, [])


def test_a_key_is_read_once_and_replaced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"key": "mf_old", "taken_at": int(time.time() * 1000)}
    path = key_file(tmp_path, monkeypatch, json.dumps({URL: entry}))
    keys, others = KeyFile(), KeyFile()
    assert drive(keys.current(http()), ok) == ("mf_old", [])
    assert drive(others.current(http()), ok) == ("mf_old", [])
    path.unlink()
    assert drive(keys.current(http()), ok) == ("mf_old", [])
    assert drive(keys.renew(http(), "mf_old"), ok)[0] is True
    assert drive(keys.current(http()), ok) == ("mf_new", [])
    # Rejected for another request meanwhile.
    assert drive(keys.renew(http(), "mf_old"), ok) == (True, [])
    # Another process has replaced it.
    assert drive(others.renew(http(), "mf_old"), ok) == (True, [])
    assert drive(others.current(http()), ok) == ("mf_new", [])


@pytest.mark.parametrize(
    "text", ["{", "null", "[1]", f'{{"{URL}": 5}}', f'{{"{URL}": null}}', f'{{"{URL}": {{"key": 5, "taken_at": 5}}}}',
             f'{{"{URL}": {{"key": "x", "taken_at": "5"}}}}']
)  # fmt: skip
def test_a_damaged_key_file_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    path = key_file(tmp_path, monkeypatch, text)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert json.loads(path.read_text())[URL]["key"] == "mf_new"


def test_a_path_that_cannot_be_used_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    path.mkdir(parents=True)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert os.listdir(path.parent) == ["keys.json"]
    path.rmdir()
    os.mkfifo(path)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    below = tmp_path / "file"
    below.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(below))
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"


def test_a_user_without_a_home_folder_has_no_key_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "getuid", lambda: 54321)
    monkeypatch.chdir(tmp_path)
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("age", [11, 5, -3600])
def test_an_abandoned_lock_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float) -> None:
    path = key_file(tmp_path, monkeypatch, "{}")
    lock = path.with_name("keys.json.lock")
    lock.write_text("")
    os.utime(lock, (time.time() - age, time.time() - age))
    now = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    key, commands = drive(KeyFile().current(http()), ok)
    assert key == "mf_new" and not lock.exists()
    # An old lock is removed long before the time for the lock is over.
    assert age <= 10 or next(now) < 8
    pauses = [command for command in commands if isinstance(command, Sleep)]
    # A lock may be 10 s old, and a wait for it may take as long.
    assert pauses == ([] if age > 10 else [Sleep(0.025)] * 9)


def test_a_key_that_is_there_is_used_while_another_client_has_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"key": "kept", "taken_at": int(time.time() * 1000)}
    path = key_file(tmp_path, monkeypatch, json.dumps({URL: entry}))
    path.with_name("keys.json.lock").write_text("")
    assert drive(KeyFile().current(http()), ok) == ("kept", [])


def test_a_key_is_created_under_a_lock_that_no_other_process_removes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = key_file(tmp_path, monkeypatch).with_name("keys.json.lock")

    def locked(request: Request) -> Response:
        assert lock.stat().st_mode & 0o777 == 0o600
        return ok(request)

    assert drive(KeyFile().current(http()), locked)[0] == "mf_new"
    assert not lock.exists()
    # A lock that was not available in time belongs to another process.
    now = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    lock.with_name("keys.json").unlink()
    lock.write_text("")

    def lock_again(request: Request) -> Response:
        lock.write_text("")
        return ok(request)

    assert drive(KeyFile().current(http()), lock_again)[0] == "mf_new"
    assert lock.exists()


def test_a_damaged_entry_does_not_harm_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"key": "kept", "taken_at": int(time.time() * 1000)}
    damaged = {"http://a": None, "http://c": {**entry, "key": 5}, "http://d": {**entry, "taken_at": "now"}}
    path = key_file(tmp_path, monkeypatch, json.dumps({"http://b": entry, **damaged}))
    assert drive(KeyFile().current(http()), ok)[0] == "mf_new"
    assert set(json.loads(path.read_text())) == {URL, "http://b"}


def test_a_lock_is_released_when_no_key_could_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, monkeypatch)
    error, _ = drive(KeyFile().current(http()), lambda _: problem(500, "internal_error"))
    assert error.code == "internal_error" and os.listdir(path.parent) == []


SCENARIOS: list[dict[str, Any]] = json.loads((ROOT / "test/packages/key-file.json").read_text())["scenarios"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["name"] for scenario in SCENARIOS])
def test_the_table_that_the_clients_of_all_languages_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any]
) -> None:
    text = scenario.get("text", json.dumps({url: aged(entry) for url, entry in scenario.get("entries", {}).items()}))
    path = key_file(tmp_path, monkeypatch, text if scenario.keys() & {"text", "entries", "lockSeconds"} else None)
    lock = path.with_name("keys.json.lock")
    if "lockSeconds" in scenario:
        lock.write_text("")
        os.utime(lock, (time.time() - scenario["lockSeconds"],) * 2)
    key, _ = drive(KeyFile()._get(Http("http://a", GivenKey(""), None), scenario.get("rejected")), ok)
    assert key.replace("mf_new", "new") == scenario["key"]
    assert list(json.loads(path.read_text())) == scenario["urls"]
    assert sorted(os.listdir(path.parent)) == ["keys.json", *(["keys.json.lock"] if "isStillLocked" in scenario else [])]
    if scenario["key"] == "new":
        assert path.stat().st_mode & 0o777 == 0o600


def aged(entry: Any) -> Any:
    if isinstance(entry, dict) and "days" in entry:
        return {"key": entry["key"], "taken_at": int((time.time() - entry["days"] * 86_400) * 1000)}
    return entry

"""Keys that the user gives, by an argument or in the environment."""

from __future__ import annotations

from typing import Any

import pytest
from stub import json_of, stub

from mayfly import AsyncMayfly, Mayfly

ADDRESS = "bot@mayfly.test"


@pytest.mark.parametrize("given", [" some key", "some key\n", "\tsome key\r\n"])
def test_a_key_is_sent_without_the_white_space_around_it(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with stub(lambda _: json_of({"email": None})) as server:
        Mayfly(server.url, api_key=given, domain_key=given).inbox(address=ADDRESS)
        monkeypatch.setenv("MAYFLY_API_KEY", given)
        monkeypatch.setenv("MAYFLY_DOMAIN_KEY", given)
        Mayfly(server.url).inbox(address=ADDRESS)
    sent = [(headers["X-API-Key"], headers["X-Domain-Key"]) for headers in server.headers]
    assert sent == [("some key", "some key")] * 2


@pytest.mark.parametrize("client", [Mayfly, AsyncMayfly])
@pytest.mark.parametrize("given", ["secret\nsecret", "secret€", "clé", "secret\0"])
def test_a_key_with_a_character_that_no_key_has_is_refused_without_being_shown(client: Any, given: str) -> None:
    with pytest.raises(TypeError, match=r"^`api_key` or MAYFLY_API_KEY has a character that no key has\.$"):
        client(api_key=given)
    with pytest.raises(TypeError, match=r"^`domain_key` or MAYFLY_DOMAIN_KEY has a character that no key has\.$"):
        client(domain_key=given)


def test_a_url_or_a_key_of_another_type_is_refused() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match=r"^`url` must be a string, not 5\.$"):
        Mayfly(wrong)
    with pytest.raises(TypeError, match=r"^`api_key` must be a string, not int\.$"):
        Mayfly(api_key=wrong)

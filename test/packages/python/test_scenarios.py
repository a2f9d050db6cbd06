"""The table of scenarios that the SDKs of all languages run, on both Python clients."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import API_KEY, Service

import mayfly as package
from mayfly import AsyncMayfly, Mayfly

TABLE = json.loads(Path(__file__).with_name("..").joinpath("scenarios.json").resolve().read_text())
SCENARIOS = {scenario["name"]: scenario["steps"] for scenario in TABLE["scenarios"]}


class World:
    """Runs the calls of one client, of either kind."""

    def __init__(self, service: Service, is_async: bool) -> None:
        kind = AsyncMayfly if is_async else Mayfly
        self.client: Any = kind(service.url, api_key=API_KEY)
        self.inbox: Any = None

    async def run(self, step: dict[str, Any]) -> Any:
        """Returns the result of a step."""
        if "open" in step:
            options = dict(step["open"])
            if options.get("address") == "same":
                options["address"] = self.inbox.address
            self.inbox = await finished(self.client.inbox(**options))
            return self.inbox.address
        method = getattr(self.inbox, snake(step["call"]))
        arguments = {name_of(name): value_of(name, value) for name, value in step.get("with", {}).items()}
        positional = [value_of("match", step["match"])] if "match" in step else []
        result = await finished(method(*positional, **arguments))
        if "field" not in step:
            return result
        field = snake(step["field"])
        values = [getattr(mail, field) for mail in (result if isinstance(result, list) else [result])]
        plain = [asdict(value) if is_dataclass(value) else value for value in values]
        return plain if isinstance(result, list) else plain[0]


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(service: Service, name: str, is_async: bool) -> None:
    asyncio.run(scenario(World(service, is_async), service, SCENARIOS[name]))


async def scenario(world: World, service: Service, steps: list[dict[str, Any]]) -> None:
    for step in steps:
        if "post" in step:
            post = threading.Timer(
                step.get("afterMs", 0) / 1000, service.post, [world.inbox.address], step["post"]
            )
            post.start()
            if "afterMs" not in step:
                post.join()
        elif "fails" in step:
            with pytest.raises(getattr(package, step["fails"])) as failure:
                await world.run(step)
            assert type(failure.value).__name__ == step["fails"]
            assert re.search(step["message"], str(failure.value), re.DOTALL)
            assert step.get("code") in (None, getattr(failure.value, "code"))
        else:
            outcome = await world.run(step)
            if "address" in step:
                assert re.search(step["address"], outcome)
            if "gives" in step:
                assert outcome == step["gives"]


async def finished(result: Any) -> Any:
    return await result if hasattr(result, "__await__") else result


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def name_of(name: str) -> str:
    return "from_" if name == "from" else snake(name)


def value_of(name: str, value: Any) -> Any:
    if name in ("timeout", "within"):
        return value / 1000
    if isinstance(value, dict):
        return re.compile(value["pattern"], re.IGNORECASE if "i" in value.get("flags", "") else 0)
    return value

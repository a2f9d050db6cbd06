"""The synchronous client is generated from the asynchronous one."""

from __future__ import annotations

import sys

import pytest
from conftest import ROOT

sys.path.append(str(ROOT / "packages/python"))
from generate_sync import SOURCE, generated  # noqa: E402

FILES = {path.name: text for path, text in generated().items()}


@pytest.mark.parametrize("name", FILES)
def test_a_synchronous_file_is_as_npm_run_build_python_writes_it(name: str) -> None:
    assert (SOURCE / name).read_text("utf-8") == FILES[name], "run `npm run build:python`"


def test_every_synchronous_file_is_generated() -> None:
    assert {path.name for path in SOURCE.glob("_sync*.py")} == set(FILES)


@pytest.mark.parametrize("name", FILES)
def test_no_asynchronous_word_is_left(name: str) -> None:
    _, _, code = FILES[name].partition("\n")
    assert [word for word in ("async", "await", "Async", "_io_async") if word in code] == []

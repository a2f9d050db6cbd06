"""Writes the synchronous client, src/mayfly/_sync*.py, from the asynchronous one, src/mayfly/_async*.py.

Run it by `npm run build:python`. A test compares the files.
"""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parent / "src/mayfly"

# Applied one after the other, to code and docstrings.
RULES = [
    # A call whose result is used in the same expression needs no brackets without `await`.
    (r"(?<!\w)\(await ([\w.]+\((?:[^()]|\([^()]*\))*\))\)", r"\1"),
    (r"\bawait ", ""),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bAsyncGenerator\[(.*), None\]", r"Generator[\1, None, None]"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\bAsyncIterator, Callable\b", "Callable, Iterator"),
    (r"\bAsyncGenerator, Callable\b", "Callable, Generator"),
    # The asynchronous client opens an inbox in two ways, `await` and `async with`.
    (r"from \._opening import Opening\n", ""),
    (r"\bOpening\(lambda: (.*)\)\n", r"\1\n"),
    (r"\bOpening\b", "Inbox"),
    (r" for asyncio\b", ""),
    (r"\basynchronous\b", "synchronous"),
    (r"\bAsync(?=[A-Z])", ""),
    (r"\b_io_async\b", "_io_sync"),
    (r"\b_async(?=_|\b)", "_sync"),
    # Asynchronous generators have no `yield from`.
    (r"for (\w+) in (.*):\n +yield \1\n", r"yield from \2\n"),
]


def generated() -> dict[Path, str]:
    """Returns the synchronous files and their text."""
    return {
        path.with_name(path.name.replace("_async", "_sync")): _converted(path)
        for path in sorted(SOURCE.glob("_async*.py"))
    }


def _converted(path: Path) -> str:
    text = path.read_text("utf-8")
    for pattern, replacement in RULES:
        text = re.sub(pattern, replacement, text)
    # The new names have another order.
    text = re.sub(r"(?:^from \._.*\n)+", lambda imports: "".join(sorted(imports[0].splitlines(True))), text, flags=re.MULTILINE)
    return f"# Generated from {path.name} by `npm run build:python`; do not edit.\n{text}"


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, "utf-8")

"""The distribution: built by its backend, installed into a new environment, typed, with its pytest plugin."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from conftest import API_KEY, ROOT, Service

import mayfly

PACKAGE = ROOT / "packages/python"

USERS_TEST = '''
import re
from typing import assert_type

from mayfly import AsyncMayfly, Inbox, Mail, MailTimeoutError, Mayfly


def test_sign_up(mayfly: Mayfly, inbox: Inbox) -> None:
    assert_type(inbox.address, str)
    try:
        mail = inbox.wait_for_mail(from_="shop", subject=re.compile("code", re.I), has="code", timeout=0)
        assert_type(mail, Mail)
        assert_type(mail.code, str | None)
        assert_type(mail.attachments[0].bytes(), bytes)
        assert_type(mail.attachments[0].info()["size"], int)
        assert_type(mail.attachments[0].filename, str | None)
        assert_type(mail.from_.address, str | None)
        if mail.action_link is not None:
            assert_type(mail.action_link.url, str)
        assert_type(inbox.wait_for_code(pattern=r"\\d+", where=lambda mail: mail.subject != ""), str)
        assert_type(inbox.wait_for_link(lambda url: url.endswith("x")), str)
    except MailTimeoutError as error:
        assert (error.arrived, error.earlier, error.refused) == ([], [], [])
    assert_type(inbox.mails(), list[Mail])
    with inbox as same:
        assert_type(same, Inbox)
    assert mayfly.inbox(prefix="x").latest() is None


async def sign_up() -> str:
    async with AsyncMayfly(timeout=5).inbox() as inbox:
        return await inbox.wait_for_code()
'''


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel."""
    folder = tmp_path_factory.mktemp("build")
    copy = folder / "python"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    run(sys.executable, "-m", "build", "--outdir", str(folder / "dist"), str(copy))
    return folder / "dist"


@pytest.fixture(scope="session")
def installed(distributions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment with the wheel and pytest."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", str(folder))
    python = folder / "bin/python"
    [wheel] = distributions.glob("*.whl")
    run(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel), "pytest", "mypy")
    return python


def test_the_archives_hold_what_they_should(distributions: Path) -> None:
    [wheel] = distributions.glob("mayfly_client-*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"mayfly/__init__.py", "mayfly/py.typed", "mayfly/pytest_plugin.py"} <= names
    assert not any(name.startswith("tests") for name in names)
    metadata = zipfile.ZipFile(wheel).read(next(name for name in names if name.endswith("METADATA"))).decode()
    assert "Requires-Dist" not in metadata, "only the standard library"
    assert "Requires-Python: >=3.10" in metadata
    assert "# mayfly-client" in metadata
    [sdist] = distributions.glob("mayfly_client-*.tar.gz")
    assert any(name.endswith("src/mayfly/py.typed") for name in tarfile.open(sdist).getnames())


def test_the_version_is_that_of_the_npm_packages(distributions: Path) -> None:
    version = (ROOT / "packages/client/package.json").read_text().split('"version": "')[1].split('"')[0]
    assert [path.name for path in distributions.glob("*.tar.gz")] == [f"mayfly_client-{version}.tar.gz"]


def test_the_plugin_gives_fixtures(installed: Path, service: Service, tmp_path: Path) -> None:
    (tmp_path / "test_sign_up.py").write_text(USERS_TEST.replace("from typing import assert_type", "def assert_type(value, kind): pass"))
    environment = {**os.environ, "MAYFLY_URL": service.url, "MAYFLY_API_KEY": API_KEY}
    output = run(str(installed), "-m", "pytest", "-q", str(tmp_path), env=environment)
    assert "1 passed" in output


def test_mypy_strict_accepts_a_users_test(installed: Path, tmp_path: Path) -> None:
    file = tmp_path / "test_sign_up.py"
    file.write_text(USERS_TEST)
    run(str(installed), "-m", "mypy", "--strict", "--python-version", "3.12", str(file))


def test_pyright_accepts_a_users_test(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "test_sign_up.py").write_text("# pyright: strict\n" + USERS_TEST)
    pyright = ROOT / ".ci/tools/node_modules/.bin/pyright"
    assert pyright.exists(), "pyright is missing. Install it with: node .ci/tools.mjs"
    run(str(pyright), "--pythonpath", str(installed), "--pythonversion", "3.12", str(tmp_path))


def test_every_name_of_the_package_is_exported() -> None:
    # A type checker refuses an import that the package does not list.
    names = {name for name, value in vars(mayfly).items() if not name.startswith("_") and not isinstance(value, ModuleType)}
    assert set(mayfly.__all__) == names


def test_the_package_itself_is_typed() -> None:
    run(sys.executable, "-m", "mypy", "--config-file", str(PACKAGE / "pyproject.toml"), str(PACKAGE / "src"))


def test_the_client_of_the_plugin_is_one_for_the_session() -> None:
    command = "-m pytest -p mayfly.pytest_plugin --fixtures -q".split()
    fixtures = run(sys.executable, *command, str(Path(__file__).with_name("commands.py")))
    named = re.findall(r"^(mayfly|inbox)( \[session scope\])? --", fixtures, re.MULTILINE)
    assert named == [("mayfly", " [session scope]"), ("inbox", "")]


def test_ruff_finds_nothing_in_the_package() -> None:
    run(sys.executable, "-m", "ruff", "check", "--no-cache", str(PACKAGE))


def test_pyroma_gives_the_best_rating(tmp_path: Path) -> None:
    # A copy, because it builds the metadata beside the sources.
    copy = tmp_path / "python"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    output = run(sys.executable, "-m", "pyroma", "--min", "10", str(copy))
    assert "Final rating: 10/10" in output


def test_both_clients_have_the_same_methods() -> None:
    import inspect

    import mayfly

    for name in ("Mayfly", "Inbox", "Mail", "MailAttachment"):
        sync, asynchronous = getattr(mayfly, name), getattr(mayfly, f"Async{name}")
        methods = [method for method in dir(sync) if not method.startswith("_")]
        assert methods == [method for method in dir(asynchronous) if not method.startswith("_")]
        for method in methods:
            if callable(getattr(sync, method)):
                parameters = inspect.signature(getattr(sync, method)).parameters
                assert list(parameters) == list(inspect.signature(getattr(asynchronous, method)).parameters)


def test_what_only_some_waits_take_is_given_by_name() -> None:
    import inspect

    import mayfly

    for client in (mayfly.Inbox, mayfly.AsyncInbox):
        for method, by_name in {
            "wait_for_mail": [],
            "wait_for_mails": ["exactly"],
            "wait_for_code": ["pattern"],
        }.items():
            parameters = inspect.signature(getattr(client, method)).parameters.values()
            assert [one.name for one in parameters if one.kind is one.KEYWORD_ONLY] == by_name


def run(*command: str, env: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output; fails with it."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout

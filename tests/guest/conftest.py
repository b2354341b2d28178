"""Guests for the tests, one for each Python that is installed."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.guest.driver import Driven, Frame

VERSIONS = ("3.10", "3.11", "3.12", "3.13")
FORGET = """
for _name in [name for name in globals() if name not in ("_name", "tools")]:
    if _name[:2] != "__":
        del globals()[_name]
"""


def pythons() -> dict[str, str]:
    """The interpreters found, by version; always the one that runs the tests."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for version in VERSIONS:
        places = [Path.home() / ".pyenv" / "versions", Path("/opt/python")]
        below = [path for place in places for path in sorted(place.glob(f"{version}.*"))]
        candidates = [str(path / "bin" / "python") for path in below]
        named = shutil.which(f"python{version}")
        for candidate in [*candidates, *([named] if named else [])]:
            if Path(candidate).exists():
                found.setdefault(version, candidate)
    return {version: found[version] for version in VERSIONS if version in found}


PYTHONS = pythons()


@pytest.fixture(scope="session", params=list(PYTHONS), ids=list(PYTHONS))
def python(request: pytest.FixtureRequest) -> str:
    """Each interpreter in turn."""
    return PYTHONS[request.param]


def binding(name: str, *parameters: str) -> Frame:
    """A binding; a parameter that ends in `?` may be left out."""
    return {
        "name": name,
        "description": f"Does {name}.",
        "parameters": [
            {"name": p.rstrip("?"), "type": "str", "required": not p.endswith("?")}
            for p in parameters
        ],
    }


TOOLS: Frame = {
    "name": "tools",
    "description": "What the host offers.",
    "callable": False,
    "bindings": [
        binding("echo", "value", "more?"),
        binding("fail"),
        binding("refuse"),
        binding("never"),
        binding("read", "path", "limit?"),
        *(binding(name, name) for name in ("__proto__", "constructor", "self", "name", "args")),
    ],
}


def answer_call(frame: Frame) -> Frame | None:
    """The host's part: echoes, fails, refuses or never answers."""
    reply = {"t": "reply", "run": frame["run"], "id": frame["id"], "ok": True}
    if frame["name"] == "never":
        return None
    if frame["name"] == "fail":
        return {**reply, "ok": False, "kind": "failed", "name": "not-found", "message": "No."}
    if frame["name"] == "refuse":
        return {**reply, "ok": False, "kind": "stopped", "name": "denied", "message": "Denied."}
    return {**reply, "value": frame["args"]}


@pytest.fixture(scope="module")
def shared(python: str) -> Iterator[Driven]:
    """One guest for the tests of a module."""
    driven = Driven(python, namespaces=[TOOLS])
    driven.answering["call"] = answer_call
    yield driven
    driven.close()


@pytest.fixture
def guest(shared: Driven) -> Driven:
    """The shared guest, with nothing of earlier tests in its namespace."""
    assert shared.run(FORGET, origin="probe", silent=True).status == "ok"
    return shared


Start = Callable[..., Driven]


@pytest.fixture
def start(python: str) -> Iterator[Start]:
    """Makes guests of the test's own, and ends them."""
    made: list[Driven] = []

    def make(**fields: Any) -> Driven:
        driven = Driven(python, **{"namespaces": [TOOLS], **fields})
        driven.answering["call"] = answer_call
        made.append(driven)
        return driven

    yield make
    for driven in made:
        driven.close()

"""A workspace and a way to call one tool in it, as the tool pipeline does after its judgements."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from keelbook.archive import Archive
from keelbook.events import Vocabulary
from keelbook.files import Files
from keelbook.interpreter import Interpreter
from keelbook.log import Log
from keelbook.observer import Silence
from keelbook.tool import Result, Scene
from keelbook.toolset import search

Call = Callable[..., Coroutine[Any, Any, Result]]


@pytest.fixture(autouse=True)
def _no_process_left() -> Iterator[None]:
    yield
    search.close_all()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The folder that tools work in."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    """The log of the session the calls belong to."""
    with Archive(Vocabulary(), tmp_path / "sessions").create() as log:
        yield log


@pytest.fixture
def scene(workspace: Path, log: Log) -> Scene:
    """A call made by an agent's code in a cell. File tools have no use for an interpreter."""
    nowhere = cast(Interpreter, None)
    return Scene("t1s1c1", "agent", log, Files(workspace), nowhere, Silence(), parent="t1s1c0")


@pytest.fixture
def native(scene: Scene) -> Scene:
    """The same call, asked for by the model itself."""
    return replace(scene, parent="")


@pytest.fixture
def call(scene: Scene) -> Call:
    """``await call(module, path="x")``: the tool's result, with checked arguments."""

    async def run(module: ModuleType, at: Scene = scene, **arguments: Any) -> Result:
        tool = module.tool()
        return cast(Result, await tool.run(tool.arguments.model_validate(arguments), at))

    return run

"""Kernels for the tests of the Jupyter edge: a shared one, and one of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jupyter.driving import Driven, driven


@pytest.fixture(scope="session")
def shared_kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    """One kernel for many tests."""
    with driven(tmp_path_factory.mktemp("kernel")) as kernel:
        kernel.ready()
        yield kernel


@pytest.fixture
def kernel(shared_kernel: Driven) -> Driven:
    """The shared kernel with nothing left on its channels."""
    shared_kernel.drained(0.01)
    return shared_kernel


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Driven]:
    """A kernel of one's own."""
    with driven(tmp_path) as kernel:
        kernel.ready()
        yield kernel

"""Every check of jupyter_kernel_test, none skipped (guest J1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import jupyter_kernel_test as suite
import pytest


@pytest.fixture(scope="module", autouse=True)
def private_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The suite starts its kernels itself, with this environment."""
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("KEELBOOK_DATA", str(home / "data"))
        patch.setenv("KEELBOOK_CONFIG", str(home / "config"))
        patch.delenv("JPY_SESSION_NAME", raising=False)
        yield


class TestKernel(suite.KernelTests):  # type: ignore[misc]
    """guest J1"""

    kernel_name = "keelbook"
    language_name = "python"
    file_extension = ".py"
    code_hello_world = "print('hello, world')"
    code_stderr = "import sys; print('test', file=sys.stderr)"
    completion_samples: ClassVar = [{"text": "zi", "matches": {"zip"}}]
    complete_code_samples: ClassVar = [
        "1",
        "print('hi')",
        "def f(x):\n  return x*2\n\n\n",
        "return 1",
        "!ls",
        "%pip list",
    ]
    incomplete_code_samples: ClassVar = ["print('''hi", "def f(x):\n  x*2", "%%bash\nls"]
    invalid_code_samples: ClassVar = ["import = 7q", "x = 1 +* 2"]
    code_page_something = "zip?"
    code_generate_error = "raise"
    code_execute_result: ClassVar = [
        {"code": "1+2+3", "result": "6"},
        {"code": "[n*n for n in range(1, 4)]", "result": "[1, 4, 9]"},
    ]
    code_display_data: ClassVar = [
        {"code": "class H:\n    def _repr_html_(self): return '<b>x</b>'\ndisplay(H())",
         "mime": "text/html"},
    ]  # fmt: skip
    code_history_pattern = "1?2*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "zip"
    code_clear_output = "from IPython.display import clear_output; clear_output()"


class TestWelcome(suite.IopubWelcomeTests):  # type: ignore[misc]
    """guest J1"""

    kernel_name = "keelbook"
    support_iopub_welcome = True


def test_no_check_is_left_out() -> None:
    """guest J1: a check that is skipped shows as an attribute we did not set."""
    ours = {name for name in vars(TestKernel) if not name.startswith("_")}
    asked = {
        name
        for name, value in vars(suite.KernelTests).items()
        if not name.startswith(("_", "test")) and not callable(value) and value in ("", [], ())
    }
    assert asked <= ours

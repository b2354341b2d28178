"""Which variables a guest is started with (guest H10)."""

from __future__ import annotations

import pytest

from keelbook.guest_process.environment import guest_environment

HOST = {
    "PATH": "/bin",
    "HOME": "/home/u",
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "4",
    "MY_SETTING": "1",
    "AWS_SECRET_ACCESS_KEY": "s",
    "GITHUB_TOKEN": "s",
    "DB_PASSWORD": "s",
    "OMP_TOKEN": "s",
    "SSH_AUTH_SOCK": "/run/agent",
    "JPY_SESSION_NAME": "n",
    "JUPYTER_RUNTIME_DIR": "/run/j",
    "MPLBACKEND": "module://matplotlib_inline",
    "OPENAI_API_KEY": "s",
    "HTTPS_PROXY": "http://user:word@proxy:1",
    "HTTP_PROXY": "http://proxy:1/a@b",
}


def test_only_names_on_the_list_pass() -> None:
    """guest H10"""
    assert set(guest_environment(HOST)) == {
        "PATH",
        "HOME",
        "LC_ALL",
        "OMP_NUM_THREADS",
        "HTTP_PROXY",
    }


@pytest.mark.parametrize("pattern", ["MY_SETTING", "MY_*", "*SETTING", "*_SET*", "*"])
def test_pass_env_adds_names_by_name_or_pattern(pattern: str) -> None:
    """guest H10"""
    assert guest_environment(HOST, [pattern])["MY_SETTING"] == "1"


@pytest.mark.parametrize(
    "name",
    [
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "DB_PASSWORD",
        "OMP_TOKEN",
        "SSH_AUTH_SOCK",
        "JPY_SESSION_NAME",
        "JUPYTER_RUNTIME_DIR",
        "HTTPS_PROXY",
    ],
)
def test_a_guarded_name_passes_only_when_it_is_spelled_out(name: str) -> None:
    """guest H10"""
    assert name not in guest_environment(HOST, ["*", f"{name[:3]}*"])
    assert guest_environment(HOST, [name])[name] == HOST[name]


def test_the_hosts_own_keys_never_pass() -> None:
    """guest H10"""
    passed = guest_environment(HOST, ["*", "OPENAI_API_KEY", "GITHUB_TOKEN"], ["GITHUB_TOKEN"])
    assert "OPENAI_API_KEY" not in passed
    assert "GITHUB_TOKEN" not in passed


def test_the_backend_of_matplotlib_is_never_inherited() -> None:
    """guest B29"""
    assert "MPLBACKEND" not in guest_environment(HOST, ["*", "MPLBACKEND"])

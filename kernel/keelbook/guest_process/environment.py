"""Which of the host's environment variables a guest gets.

Rules (H10): by allow-list, plus what ``pass_env`` names or matches; a name that looks like a
secret or belongs to Jupyter, and an address with a login in it, pass only when ``pass_env`` spells
the name out; the host's own model keys never pass. ``MPLBACKEND`` never does (the guest has its
own backend). Nothing is imported that a start would have to wait for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

ALLOWED = frozenset(
    {
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "SHELL",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TERM",
        "COLORTERM",
        "DISPLAY",
        "EDITOR",
        "PAGER",
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "CONDA_DEFAULT_ENV",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "DYLD_LIBRARY_PATH",
        "PYTHONPATH",
        "PYTHONHASHSEED",
        "JAVA_HOME",
        "R_HOME",
        "GDAL_DATA",
        "PROJ_LIB",
        "PROJ_DATA",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "REQUESTS_CA_BUNDLE",
        "CURL_CA_BUNDLE",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "NO_PROXY",
        "http_proxy",
        "https_proxy",
        "no_proxy",
        "SOURCE_DATE_EPOCH",
    }
)
ALLOWED_STARTS = (
    "LC_",
    "XDG_",
    "OMP_",
    "MKL_",
    "OPENBLAS_",
    "NUMEXPR_",
    "NUMBA_",
    "BLIS_",
    "VECLIB_",
    "CUDA_",
    "NVIDIA_",
    "ROCM_",
    "HIP_",
    "XLA_",
    "TF_",
    "TORCH_",
    "POLARS_",
    "ARROW_",
    "SPARK_",
    "PIP_",
    "UV_",
    "CONDA_",
    "PYENV_",
)
SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
GUARDED_STARTS = ("JPY_", "JUPYTER")
GUARDED = frozenset({"SSH_AUTH_SOCK"})
NEVER = frozenset({"MPLBACKEND", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OLLAMA_API_KEY"})


def guest_environment(
    environ: Mapping[str, str],
    pass_env: Collection[str] = (),
    never: Collection[str] = (),
) -> dict[str, str]:
    """The variables of ``environ`` a guest is started with.

    ``pass_env`` holds names and patterns with ``*`` at either end; ``never`` more names that stay
    behind whatever else is said (the keys of the models in use).
    """
    return {
        name: value
        for name, value in environ.items()
        if name not in NEVER
        and name not in never
        and (name in pass_env or (_passes(name, pass_env) and not _has_login(value)))
    }


def guarded(name: str) -> bool:
    """Whether ``name`` needs to be spelled out in ``pass_env``."""
    upper = name.upper()
    return (
        name in GUARDED
        or upper.startswith(GUARDED_STARTS)
        or any(word in upper for word in SECRET_WORDS)
    )


def _passes(name: str, pass_env: Collection[str]) -> bool:
    return not guarded(name) and (
        name in ALLOWED
        or name.startswith(ALLOWED_STARTS)
        or any(_matches(name, pattern) for pattern in pass_env)
    )


def _has_login(value: str) -> bool:
    """Whether a value is an address such as ``https://user:word@host``."""
    _, found, rest = value.partition("://")
    return bool(found) and "@" in rest.partition("/")[0]


def _matches(name: str, pattern: str) -> bool:
    start, star, end = pattern.partition("*")
    if not star:
        return False
    if end.endswith("*") and not start:
        return end[:-1] in name
    return len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end)

"""What a path names: scratch, build output, a device, a part of the system.

Rules: by its text alone; the folder the text changed into is taken into account, links are not.
"""

from __future__ import annotations

import posixpath
import re

from keelbook.destructive.shell.flow import Dynamic
from keelbook.destructive.vocabulary import words

ARTIFACTS = words(
    "node_modules dist build .venv venv env __pycache__ .pytest_cache .mypy_cache .ruff_cache "
    ".tox .nox .cache .next .nuxt .turbo .parcel-cache .svelte-kit coverage htmlcov .coverage "
    ".nyc_output target .gradle .eggs .ipynb_checkpoints .terraform bower_components tmp temp "
    "_build .angular .dart_tool DerivedData .sass-cache .hypothesis .output site-packages "
    "CMakeFiles CMakeCache.txt .DS_Store"
)
"""Names of what a tool makes anew."""

_ARTIFACT = re.compile(
    r".*\.(?:pyc|pyo|o|obj|egg-info|tmp|swp|class)|cmake-build-\w+|.*\.py\[?[cod]+\]?",
    re.IGNORECASE,
)
_SCRATCH = re.compile(r"/(?:private/)?(?:tmp|var/tmp|var/folders|dev/shm)(?:/|$)")
_SYSTEM = re.compile(
    r"/(?:etc|usr|bin|sbin|lib|lib32|lib64|boot|sys|proc|root|var|opt|srv|home|dev|System|Library"
    r"|Applications|Users|mnt|media|run|nix|snap)(?:/\*?)?$"
    r"|/(?:etc|bin|sbin|boot|lib|lib64|sys|proc|usr|System)/|/\*?$|~/?\*?$|[A-Za-z]:[\\/]?\*?$"
    r"|[A-Za-z]:[\\/]Windows"
)
_PRECIOUS = re.compile(
    r"(?:~|/root|/home/[^/]+|/Users/[^/]+)/\.(?:ssh|gnupg|aws|kube|config|bashrc|profile|zshrc|"
    r"bash_profile|gitconfig|netrc|pgpass|docker)(?:/|$)|/var/(?:lib|log|www|mail|spool|backups?)/"
    r"|(?:.*/)?\.git(?:/|$)|/[^/]+$"
)
_DEVICE = re.compile(
    r"/dev/(?:sd[a-z]+\d*|hd[a-z]+\d*|vd[a-z]+\d*|xvd[a-z]+\d*|nvme\d+(?:n\d+)?(?:p\d+)?|mmcblk\d+\w*"
    r"|r?disk\d+\w*|md\d+\w*|dm-\d+|mapper/.+|disk/.+|loop\d+\w*|mem|kmem|port|nbd\d+|zvol/.+|sr\d+"
    r"|mtd\w+|sg\d+|st\d+|nst\d+|ram\d+|vg\w*/.+|[a-z]*da\d+\w*|sdX\d*|sd\[.*|sd\?.*)"
    r"|\\\\[.?]\\(?:PhysicalDrive\d+|[A-Z]:)|/proc/sysrq-trigger|/sys/block/.*",
    re.IGNORECASE,
)
_SINK = re.compile(
    r"/dev/(?:null|stdout|stderr|stdin|tty\w*|fd/.*|full|zero|u?random|pts/.*|tcp/.*|udp/.*"
    r"|console|dsp|audio|ptmx)|&?\d+|-|NUL|nul"
)


def located(path: str, folder: str) -> str:
    """The path from the folder ``cd`` went to, without ``.`` and ``..``."""
    if folder and path[:1] not in ("/", "~", "$"):
        path = f"{folder}/{path}"
    if "/" not in path:
        return path
    slash = path.endswith("/*")
    return posixpath.normpath(path) if not slash else posixpath.normpath(path[:-2]) + "/*"


def is_scratch(path: str, folder: str = "") -> bool:
    """Under a temporary folder, or something that is built again."""
    if isinstance(path, Dynamic):
        flow = path.flow
        if flow is not None and flow.origin == "listing":
            return flow.scratch
        return path.startswith("$TMP") or bool(_SCRATCH.match(path)) or is_artifact(path)
    there = located(path, folder)
    if _SCRATCH.match(there):
        return True
    return not there.startswith(("..", "/*")) and is_artifact(there)


def is_artifact(path: str) -> bool:
    """By its last part: ``node_modules``, ``*.pyc``. A system folder of that name is none."""
    parts = [part for part in path.rstrip("/").split("/") if part not in ("*", "**", "")]
    if not parts or is_system(path):
        return False
    absolute = path.startswith("/") and len(parts) < 3
    name = parts[-1]
    if not absolute and (name in ARTIFACTS or _ARTIFACT.fullmatch(name)):
        return True
    return not absolute and any(part in ("node_modules", "__pycache__") for part in parts)


def is_system(path: str, folder: str = "") -> bool:
    """A part of the operating system, or a whole home."""
    return bool(_SYSTEM.match(located(path, folder))) and not _SCRATCH.match(path)


def is_precious(path: str, folder: str = "") -> bool:
    """A single file whose loss is not a file's loss: system, keys, data of services, history."""
    there = located(path, folder)
    if _SCRATCH.match(there):
        return False
    return bool(_SYSTEM.match(there) or _PRECIOUS.match(there))


def is_device(path: str) -> bool:
    """A disk, or what acts on the kernel when it is written."""
    return bool(_DEVICE.fullmatch(path))


def is_sink(path: str) -> bool:
    """Where writing loses nothing."""
    return bool(_SINK.fullmatch(path))


def is_everything(path: str) -> bool:
    """A glob for all that is in a folder."""
    return path.rsplit("/", 1)[-1] in ("*", "*.*", ".*", "**", ".[!.]*", "{*,.*}")

"""Where Keelbook keeps what is the user's own: data, settings, and folders nobody else reads.

Rules: everything lies outside the workspace. A folder made here is 0700 whatever the umask; one of
another owner is refused; one with wider bits is narrowed where the file system can.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from platformdirs import user_config_path, user_data_path

from keelbook.errors import Refused


def data_folder() -> Path:
    """``KEELBOOK_DATA``, or the user's data folder for Keelbook; links are followed."""
    given = os.environ.get("KEELBOOK_DATA")
    path = Path(given).expanduser() if given else user_data_path("keelbook", appauthor=False)
    return Path(os.path.realpath(path))


def config_folder() -> Path:
    """``KEELBOOK_CONFIG``, or the user's settings folder for Keelbook."""
    given = os.environ.get("KEELBOOK_CONFIG")
    path = Path(given).expanduser() if given else user_config_path("keelbook", appauthor=False)
    return Path(os.path.realpath(path))


def private_folder(folder: Path) -> Path:
    """Makes the folder, or sees that it is ours. Raises Refused (``data-folder``)."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        if not folder.is_dir() or folder.is_symlink():
            raise Refused(f"{folder} is not a folder, so nothing can be kept there.", "data-folder")
    except OSError as error:
        raise Refused(f"{folder} cannot be used: {error.strerror}.", "data-folder") from None
    if found.st_uid != os.getuid():
        raise Refused(f"{folder} belongs to another user, so it is not used.", "data-folder")
    if found.st_mode & 0o777 != 0o700:
        with suppress(OSError):
            folder.chmod(0o700)
    return folder

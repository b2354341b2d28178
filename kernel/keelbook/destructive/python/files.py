"""Python's own ways to lose files: ``os``, ``shutil``, ``pathlib``, ``open``."""

from __future__ import annotations

from collections.abc import Callable

from keelbook.destructive.python.deed import Deed
from keelbook.destructive.python.values import Items, Number, Symbol, Text, Value, texts
from keelbook.destructive.shell.redirects import is_critical
from keelbook.destructive.shell.targets import is_device, is_scratch, is_sink, is_system
from keelbook.destructive.vocabulary import words

TREE = "removes a directory tree"
FILE = "removes a file"


def path_of(value: Value | None) -> str | None:
    """The path a value names; None when it is not known."""
    if isinstance(value, Symbol) and value.name.startswith("tempfile."):
        return "/tmp/made"
    if isinstance(value, Symbol) and value.name.split(".")[0] in ("tmp_path", "tmpdir", "tmp_dir"):
        return "/tmp/made"
    found = texts(value)
    return found[0].text if found else None


def _scratch(value: Value | None) -> bool:
    path = path_of(value)
    return path is not None and is_scratch(path)


def _removes(deed: Deed, target: Value | None, what: str) -> None:
    if _scratch(target):
        deed.may_lose("files", "removes temporary files or build output")
    else:
        deed.destroys("files", what)


def _remove(deed: Deed) -> None:
    _removes(deed, deed.argument(0, "path"), FILE)


def _tree(deed: Deed) -> None:
    _removes(deed, deed.argument(0, "path", "directory"), TREE)


def _rmdir(deed: Deed) -> None:
    deed.may_lose("files", "removes an empty folder")


def _truncate(deed: Deed) -> None:
    _removes(deed, deed.argument(0, "path"), "empties or cuts a file")


def _moved(deed: Deed) -> None:
    """Onto, or from, ``/dev/null``."""
    source, target = path_of(deed.argument(0, "src")), path_of(deed.argument(1, "dst"))
    _replaced(deed, source, target)


def _replaced(deed: Deed, source: str | None, target: str | None) -> None:
    if target is not None and (target == "/dev/null" or is_device(target)):
        deed.destroys("files", "moves a file onto a device")
    elif source == "/dev/null":
        deed.destroys("files", "puts nothing in a file's place")
    elif target is not None and is_critical(target, ""):
        deed.destroys("files", "overwrites a file of the system")
    elif source is not None and is_system(source) and source.count("/") < 2:
        deed.destroys("files", "moves a part of the system away")


def _copied(deed: Deed) -> None:
    source, target = path_of(deed.argument(0, "src")), path_of(deed.argument(1, "dst"))
    if source == "/dev/null" or (target is not None and is_device(target)):
        deed.destroys("files", "puts nothing in a file's place")
    elif target is not None and is_critical(target, ""):
        deed.destroys("files", "overwrites a file of the system")


def _open(deed: Deed) -> None:
    mode = deed.text(1, "mode")
    if mode is None or not ("w" in mode.text or "+" in mode.text):
        return
    if "w" in mode.text:
        _written(deed, deed.argument(0, "file"), empty=deed.alone)
    elif path_of(deed.argument(0, "file")) is not None:
        path = path_of(deed.argument(0, "file")) or ""
        if is_device(path):
            deed.destroys("disks", "writes onto a device")


def _written(deed: Deed, target: Value | None, *, empty: bool) -> None:
    path = path_of(target)
    if path is not None and (is_sink(path) or is_scratch(path)):
        return
    if path is not None and is_device(path):
        deed.destroys("disks", "writes onto a device")
    elif path is not None and is_critical(path, ""):
        deed.destroys("files", "overwrites a file of the system")
    elif empty:
        deed.destroys("files", "empties a file")
    else:
        deed.may_lose("files", "may overwrite a file")


def _os_open(deed: Deed) -> None:
    flags = deed.argument(1, "flags")
    if isinstance(flags, Symbol) and "TRUNC" in flags.name:
        deed.may_lose("files", "empties a file")


def _opened_closed(deed: Deed) -> None:
    """``open(p, 'w').close()``."""
    mode = texts(deed.subject[1]) if len(deed.subject) > 1 else []
    if mode and "w" in mode[0].text:
        _written(deed, deed.subject[0], empty=True)


def _opened_truncated(deed: Deed) -> None:
    if not _scratch(deed.subject[0] if deed.subject else None):
        deed.destroys("files", "cuts an open file")


def _chmod(deed: Deed) -> None:
    path = path_of(deed.argument(0, "path"))
    mode = deed.argument(1, "mode")
    if path is None or not (is_system(path) or is_critical(path, "")):
        return
    if isinstance(mode, Number) and mode.number in (0, 0o777, 0o666):
        deed.destroys("permissions", "changes access to a part of the system")


def _trash(deed: Deed) -> None:
    deed.may_lose("files", "moves files to the trash")


def _unlinked_library(deed: Deed) -> None:
    deed.destroys("files", FILE)


PATH_METHODS = words("unlink rmdir rmtree write_text write_bytes rename replace open close")


def judge_path_method(deed: Deed) -> bool:
    """A method of ``pathlib.Path``; False when it is none that loses anything."""
    method = deed.last
    target = deed.subject[0] if deed.subject else None
    if deed.name.startswith(("pathlib.Path.", "pathlib.PosixPath.")) and "()" not in deed.name:
        target = deed.given[0] if deed.given else None
    if method == "unlink":
        _removes(deed, target, FILE)
    elif method == "rmdir":
        _rmdir(deed)
    elif method == "rmtree":
        _removes(deed, target, TREE)
    elif method in ("write_text", "write_bytes"):
        first = deed.argument(0, "data")
        _written(deed, target, empty=isinstance(first, Text) and not first.text)
    elif method in ("rename", "replace"):
        _replaced(deed, path_of(target), path_of(deed.argument(0, "target")))
    elif method == "open":
        mode = deed.text(0, "mode")
        if mode is not None and "w" in mode.text:
            _written(deed, target, empty=deed.alone)
    elif method == "close" and ".open()" in deed.name:
        if deed.subject and texts(deed.subject[0]) and "w" in texts(deed.subject[0])[0].text:
            deed.destroys("files", "empties a file")
    else:
        return method in ("exists", "touch", "mkdir", "read_text", "glob", "iterdir", "is_file")
    return True


def _joined_removal(deed: Deed) -> None:
    """``map(os.remove, …)`` with a list that is known."""
    value = deed.argument(0)
    targets = value.items if isinstance(value, Items) else (value,)
    if targets and all(_scratch(each) for each in targets):
        deed.may_lose("files", "removes temporary files or build output")
    else:
        deed.destroys("files", FILE)


FILES: dict[str, Callable[[Deed], None]] = {
    "os.remove": _joined_removal,
    "os.unlink": _joined_removal,
    "os.removedirs": _rmdir,
    "os.rmdir": _rmdir,
    "os.truncate": _truncate,
    "os.ftruncate": _truncate,
    "os.rename": _moved,
    "os.renames": _moved,
    "os.replace": _moved,
    "os.chmod": _chmod,
    "os.chown": _chmod,
    "os.open": _os_open,
    "shutil.rmtree": _tree,
    "shutil.move": _moved,
    "shutil.copy": _copied,
    "shutil.copy2": _copied,
    "shutil.copyfile": _copied,
    "shutil.copyfileobj": _copied,
    "distutils.dir_util.remove_tree": _tree,
    "setuptools.distutils.dir_util.remove_tree": _tree,
    "send2trash.send2trash": _trash,
    "send2trash": _trash,
    "ctypes.CDLL().unlink": _unlinked_library,
    "ctypes.CDLL().remove": _unlinked_library,
    "ctypes.CDLL().rmdir": _unlinked_library,
    "ctypes.CDLL().truncate": _unlinked_library,
    "ctypes.cdll.LoadLibrary().unlink": _unlinked_library,
    "ctypes.cdll.LoadLibrary().remove": _unlinked_library,
    "builtins.open": _open,
    "codecs.open": _open,
    "gzip.open": _open,
    "builtins.open().close": _opened_closed,
    "builtins.open().truncate": _opened_truncated,
    "winreg.DeleteKey": _unlinked_library,
    "winreg.DeleteKeyEx": _unlinked_library,
    "winreg.DeleteValue": _unlinked_library,
    "aiofiles.os.remove": _remove,
    "aiofiles.os.unlink": _remove,
    "aioshutil.rmtree": _tree,
    "aiofiles.os.rmdir": _rmdir,
    "anyio.Path().unlink": _remove,
    "fs.removetree": _tree,
}

"""Operations on literals, worked out: what obfuscation is made of.

Rules: only what cannot fail or grow is worked out; a result longer than ``LENGTH`` is not known.
"""

from __future__ import annotations

import ast
import base64
import binascii
import codecs
import shlex
import zlib
from collections.abc import Callable

from keelbook.destructive.python.values import (
    UNKNOWN,
    Items,
    Number,
    Symbol,
    Table,
    Text,
    Value,
    texts,
)

LENGTH = 256 * 1024

_Folder = Callable[[tuple[Value | None, ...]], Value | None]


def combined(op: ast.operator, left: Value | None, right: Value | None) -> Value | None:
    """``left op right``."""
    if isinstance(op, ast.Add):
        return _added(left, right)
    if isinstance(op, ast.Mod) and isinstance(left, Text):
        return _formatted(left, right)
    if isinstance(op, ast.Mult):
        text, number = (left, right) if isinstance(left, Text) else (right, left)
        return _repeated(text, number)
    if isinstance(op, ast.Div) and isinstance(left, Symbol):
        return _path(left, right)
    if isinstance(left, Number) and isinstance(right, Number):
        return _arithmetic(op, left.number, right.number)
    return None


def _repeated(text: Value | None, times: Value | None) -> Value | None:
    if not isinstance(text, Text) or not isinstance(times, Number):
        return None
    if not isinstance(times.number, int) or not 0 <= times.number * len(text.text) <= LENGTH:
        return None
    return Text(text.text * times.number, text.whole)


def _added(left: Value | None, right: Value | None) -> Value | None:
    if isinstance(left, Items) and isinstance(right, Items):
        return Items(left.items + right.items)
    if isinstance(left, Number) and isinstance(right, Number):
        return _arithmetic(ast.Add(), left.number, right.number)
    first, second = texts(left), texts(right)
    if not first and not second:
        return None
    one = first[0] if first else Text(UNKNOWN, whole=False)
    two = second[0] if second else Text(UNKNOWN, whole=False)
    if len(one.text) + len(two.text) > LENGTH:
        return None
    return Text(one.text + two.text, one.whole and two.whole)


def _arithmetic(op: ast.operator, left: object, right: object) -> Value | None:
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        return None
    if max(abs(left), abs(right)) > 1e6:
        return None
    if isinstance(op, ast.Add):
        return Number(left + right)
    if isinstance(op, ast.Sub):
        return Number(left - right)
    if isinstance(op, ast.BitXor) and isinstance(left, int) and isinstance(right, int):
        return Number(left ^ right)
    return Number(left * right) if isinstance(op, ast.Mult) else None


def _formatted(form: Text, given: Value | None) -> Value | None:
    items = given.items if isinstance(given, Items) else (given,)
    pieces = form.text.split("%s")
    made = pieces[0]
    for place, piece in enumerate(pieces[1:]):
        found = texts(items[place]) if place < len(items) else []
        made += (found[0].text if found else UNKNOWN) + piece
    return Text(made, whole=UNKNOWN not in made)


def _path(left: Symbol, right: Value | None) -> Value | None:
    """``Path('a') / 'b'``."""
    if not left.name.endswith(("Path()", "PurePath()", "home()", "cwd()", "PosixPath()", "parent")):
        return None
    found = texts(right)
    start = texts(left.given[0]) if left.given else []
    first = start[0].text if start else ("~" if left.name.endswith("home()") else UNKNOWN)
    joined = f"{first}/{found[0].text if found else UNKNOWN}"
    return Symbol("pathlib.Path()", (Text(joined, whole=UNKNOWN not in joined),))


def indexed(base: Value | None, index: Value | None) -> Value | None:
    """``base[index]``."""
    if isinstance(index, Number) and isinstance(index.number, int):
        if isinstance(base, Items) and -len(base.items) <= index.number < len(base.items):
            return base.items[index.number]
        if isinstance(base, Text) and -len(base.text) <= index.number < len(base.text):
            return Text(base.text[index.number], base.whole)
    if isinstance(base, Table) and isinstance(index, Text):
        return base.items.get(index.text)
    if isinstance(base, Symbol):
        if isinstance(index, Text):
            if base.name in ("sys.modules", "builtins.globals()", "builtins.locals()"):
                return Symbol(index.text)
            if base.name.endswith((".__dict__", "builtins.vars()")):
                owner = base.given[0] if base.name.endswith("vars()") and base.given else None
                name = (
                    owner.name if isinstance(owner, Symbol) else base.name.removesuffix(".__dict__")
                )
                return Symbol(f"{name}.{index.text}")
            if base.name == "builtins":
                return Symbol(f"builtins.{index.text}")
        return Symbol(f"{base.name}[]", base.given, base.local, base.named)
    return None


def called(function: Symbol, given: tuple[Value | None, ...]) -> Value | None:
    """The result of a call on literals; None when it is not known here."""
    folder = _FOLDERS.get(function.name)
    if folder is not None:
        return folder(given)
    if function.name.startswith("str.") and function.given:
        base = function.given[0]
        if isinstance(base, Text):
            return _method(base, function.name[4:], given)
    if function.name == "functools.partial()" and function.given:
        return called_again(function, given)
    return None


def called_again(function: Symbol, given: tuple[Value | None, ...]) -> Value | None:
    """What a partial gives is what its function gives."""
    inner = function.given[0]
    return called(inner, function.given[1:] + given) if isinstance(inner, Symbol) else None


def _first(given: tuple[Value | None, ...]) -> str | None:
    found = texts(given[0]) if given else []
    return found[0].text if found else None


def _method(base: Text, name: str, given: tuple[Value | None, ...]) -> Value | None:
    text = base.text
    words = [found[0].text for found in map(texts, given) if found]
    if name in ("lower", "upper", "title", "capitalize", "swapcase", "casefold"):
        return Text(getattr(text, name)(), base.whole)
    if name in ("strip", "lstrip", "rstrip"):
        return Text(getattr(text, name)(*words[:1]), base.whole)
    if name in ("decode", "encode"):
        if words[:1] in (["rot13"], ["rot_13"]):
            return Text(codecs.encode(text, "rot13"))
        if words[:1] in (["hex"], ["base64"]):
            return _decoded(text, words[0])
        return Text(text, base.whole, raw=name == "encode")
    if name == "replace" and len(words) > 1 and len(text) < 10_000:
        return Text(text.replace(words[0], words[1]), base.whole)
    if name in ("split", "rsplit", "splitlines"):
        pieces = text.split(words[0]) if words and words[0] else text.split()
        return Items(tuple(Text(piece, base.whole) for piece in pieces[:1000]))
    if name == "join" and given and isinstance(given[0], Items):
        parts = [texts(item) for item in given[0].items]
        joined = text.join(each[0].text if each else UNKNOWN for each in parts)
        return Text(joined, base.whole and all(parts)) if len(joined) < LENGTH else None
    if name == "format":
        made = text
        for each in given:
            found = texts(each)
            made = made.replace("{}", found[0].text if found else UNKNOWN, 1)
        return Text(made, base.whole and UNKNOWN not in made)
    return None


def _decoded(text: str, codec: str) -> Value | None:
    try:
        raw = bytes.fromhex(text) if codec == "hex" else base64.b64decode(text)
    except (ValueError, binascii.Error):
        return None
    return Text(raw.decode("utf-8", "replace"), raw=True)


def _hex(given: tuple[Value | None, ...]) -> Value | None:
    text = _first(given)
    return _decoded(text, "hex") if text is not None else None


def _base64(given: tuple[Value | None, ...]) -> Value | None:
    text = _first(given)
    return _decoded(text, "base64") if text is not None else None


def _inflated(given: tuple[Value | None, ...]) -> Value | None:
    text = _first(given)
    if text is None:
        return None
    try:
        raw = zlib.decompressobj().decompress(text.encode("latin-1"), LENGTH)
        return Text(raw.decode("utf-8", "replace"), raw=True)
    except (zlib.error, UnicodeEncodeError):
        return None


def _codecs(given: tuple[Value | None, ...]) -> Value | None:
    text, codec = _first(given), _first(given[1:])
    if text is None or codec is None:
        return None
    if codec.replace("_", "").replace("-", "") == "rot13":
        return Text(codecs.encode(text, "rot13"))
    return _decoded(text, codec) if codec in ("hex", "base64") else None


def _chr(given: tuple[Value | None, ...]) -> Value | None:
    first = given[0] if given else None
    if isinstance(first, Number) and isinstance(first.number, int) and 0 <= first.number < 0x110000:
        return Text(chr(first.number))
    return None


def _bytes(given: tuple[Value | None, ...]) -> Value | None:
    first = given[0] if given else None
    if isinstance(first, Items):
        numbers = [item.number for item in first.items if isinstance(item, Number)]
        if numbers and all(isinstance(n, int) and 0 <= n < 256 for n in numbers):
            return Text(bytes(numbers).decode("utf-8", "replace"), raw=True)
    return first if isinstance(first, Text) else None


def _same(given: tuple[Value | None, ...]) -> Value | None:
    first = given[0] if given else None
    found = texts(first)
    return found[0] if found else first if isinstance(first, Items) else None


def _reversed(given: tuple[Value | None, ...]) -> Value | None:
    first = given[0] if given else None
    if isinstance(first, Text):
        return Items(tuple(Text(letter) for letter in reversed(first.text)))
    return Items(tuple(reversed(first.items))) if isinstance(first, Items) else None


def _mapped(given: tuple[Value | None, ...]) -> Value | None:
    if len(given) > 1 and isinstance(given[0], Symbol) and isinstance(given[1], Items):
        made = [called(given[0], (item,)) for item in given[1].items[:1000]]
        if all(each is not None for each in made):
            return Items(tuple(made))
    return None


def _attribute(given: tuple[Value | None, ...]) -> Value | None:
    name = _first(given[1:])
    if isinstance(given[0] if given else None, Symbol) and name is not None:
        base = given[0]
        if isinstance(base, Symbol):
            return Symbol(f"{base.name}.{name}", base.given, base.local)
    return None


def _module(given: tuple[Value | None, ...]) -> Value | None:
    name = _first(given)
    return Symbol(name) if name else None


def _split(given: tuple[Value | None, ...]) -> Value | None:
    text = _first(given)
    if text is None:
        return None
    try:
        pieces = shlex.split(text[:4000])
    except ValueError:
        pieces = text.split()
    return Items(tuple(Text(piece) for piece in pieces))


def _shell_joined(given: tuple[Value | None, ...]) -> Value | None:
    first = given[0] if given else None
    if not isinstance(first, Items):
        return None
    return Text(" ".join(found[0].text for found in map(texts, first.items) if found))


def _path_joined(given: tuple[Value | None, ...]) -> Value | None:
    parts = [found[0].text if found else UNKNOWN for found in map(texts, given)]
    joined = ""
    for part in parts:
        joined = part if part.startswith("/") or not joined else f"{joined}/{part}"
    return Text(joined, whole=UNKNOWN not in joined)


def _constant(text: str) -> _Folder:
    return lambda given: Text(text)


_FOLDERS: dict[str, _Folder] = {
    "builtins.chr": _chr,
    "builtins.str": _same,
    "builtins.bytes": _bytes,
    "builtins.bytearray": _bytes,
    "builtins.list": _same,
    "builtins.tuple": _same,
    "builtins.sorted": _same,
    "builtins.set": _same,
    "builtins.reversed": _reversed,
    "builtins.map": _mapped,
    "builtins.getattr": _attribute,
    "builtins.__import__": _module,
    "builtins.bytes.fromhex": _hex,
    "builtins.bytearray.fromhex": _hex,
    "builtins.str.join": lambda given: called(Symbol("str.join", given[:1]), given[1:]),
    "importlib.import_module": _module,
    "importlib.__import__": _module,
    "base64.b64decode": _base64,
    "base64.standard_b64decode": _base64,
    "base64.urlsafe_b64decode": _base64,
    "base64.decodebytes": _base64,
    "binascii.unhexlify": _hex,
    "binascii.a2b_hex": _hex,
    "binascii.a2b_base64": _base64,
    "zlib.decompress": _inflated,
    "codecs.decode": _codecs,
    "codecs.encode": _codecs,
    "shlex.split": _split,
    "shlex.join": _shell_joined,
    "shlex.quote": _same,
    "textwrap.dedent": _same,
    "os.fspath": _same,
    "os.fsencode": _same,
    "os.path.join": _path_joined,
    "os.path.abspath": _same,
    "os.path.realpath": _same,
    "os.path.expanduser": _same,
    "os.path.expandvars": _same,
    "os.path.normpath": _same,
    "tempfile.mkdtemp": _constant("/tmp/made"),
    "tempfile.gettempdir": _constant("/tmp"),
    "tempfile.mktemp": _constant("/tmp/made"),
    "os.getcwd": _constant("."),
}

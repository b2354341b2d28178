"""The frames between host and guest, as tables: the guest's copy.

The host keeps its own copy and neither side imports the other; a test compares the two
(guest R11). Everything in this module is plain data, so that the comparison is an
equality of values.

Rules
- A frame is one JSON object on one line with the fields `t` (its type) and `run` (a run
  id or null) and those of its entry below.
- A type is written `int` (no bool, at most 2**53 in size), `num` (int or float), `str`,
  `bool`, `json` (anything), `null`, `T/null`, `[T]` (list), `{T}` (object with text
  keys), `'a'|'b'` (one of these texts), or the name of an entry of `RECORDS`.
- An entry is `(required fields, optional fields)`, each a table of name to type.
- Whoever changes a frame, a field, a limit's name, a status, a kind or a conversion rule
  changes `PROTOCOL` (guest R10).
"""

from __future__ import annotations

Fields = dict[str, str]
Frames = dict[str, tuple[Fields, Fields]]

PROTOCOL = 1

STATUSES = ("ok", "error", "aborted", "stopped", "died")
DONE_STATUSES = ("ok", "error", "aborted", "stopped")
REASONS = ("person", "wall", "turn", "refused", "cpu")
REPLY_KINDS = ("failed", "stopped")
ORIGINS = ("person", "agent", "probe")
RUNGS = ("unconfined", "landlock", "namespaces", "landlock and namespaces")

MARKER = "\n[... {} bytes left out ...]\n"
"""What stands where a text was cut; the number counts UTF-8 bytes."""

CALLED_NAMESPACE = "__call__"
"""The binding that a namespace with `callable: true` calls when it is itself called."""

MAX_INT = 2**53
"""The largest size of a declared `int` field. Not a bound on numbers inside `json`."""

MAX_DIGITS = 4000
"""The longest int, in decimal digits, that crosses in arguments and values."""

LIMITS: Fields = {
    "address_bytes": "int/null",
    "nofile": "int/null",
    "fsize_bytes": "int/null",
    "cpu_life_s": "num/null",
    "idle_cpu_s": "num/null",
    "notebook_text_bytes": "int/null",
    "display_bytes": "int/null",
    "value_bytes": "int/null",
    "traceback_bytes": "int/null",
    "args_bytes": "int/null",
    "depth": "int/null",
    "line_bytes": "int/null",
    "inline_bytes": "int/null",
    "payload_bytes": "int/null",
    "fds": "int/null",
    "flush_s": "num/null",
    "grace_s": "num/null",
    "skill_s": "num/null",
    "answer_s": "num/null",
}


def _one_of(names: tuple[str, ...]) -> str:
    return "|".join(f"'{name}'" for name in names)


_PAYLOADS: Fields = {"payloads": "[Payload]"}

RECORDS: Frames = {
    "Limits": (LIMITS, {}),
    "Payload": ({"at": "str", "bytes": "int", "form": "'json'|'text'|'bytes'"}, {}),
    "Parameter": ({"name": "str", "type": "str", "required": "bool"}, {}),
    "Binding": ({"name": "str", "description": "str", "parameters": "[Parameter]"}, {}),
    "Namespace": (
        {"name": "str", "description": "str", "callable": "bool", "bindings": "[Binding]"},
        {},
    ),
    "Skill": ({"name": "str", "module": "str", "root": "str/null"}, {}),
    "Value": (
        {"form": "'json'|'repr'"},
        {"json": "json", "text": "str", "type": "str", "cut": "bool"},
    ),
    "Error": (
        {"name": "str", "message": "str", "traceback": "[str]", "cut": "bool"},
        {"line": "int"},
    ),
    "Confine": (
        {
            "mode": "'required'|'on'|'off'",
            "read": "[str]",
            "write": "[str]",
            "tcp": "'all'|'none'|[int]",
            "namespaces": "[str]",
            "canary": "str",
        },
        {},
    ),
    "Confined": (
        {
            "rung": "str",
            "abi": "int/null",
            "missing": "[str]",
            "canary": "'refused'|'written'|'untried'",
            "reason": "str/null",
        },
        {},
    ),
}

_COMM: tuple[Fields, Fields] = (
    {"op": "'open'|'msg'|'close'", "comm": "str", "data": "json", "metadata": "json"},
    {"target": "str", "buffers": "[null]", **_PAYLOADS},
)
_QUESTION: tuple[Fields, Fields] = (
    {"id": "int", "code": "str", "cursor": "int"},
    {"detail": "int"},
)
_ID: tuple[Fields, Fields] = ({"id": "int"}, {})

HOST_FRAMES: Frames = {
    "boot": (
        {
            "protocol": "int",
            "session": "str",
            "cwd": "str",
            "tmp": "str",
            "limits": "Limits",
            "confine": "Confine",
            "namespaces": "[Namespace]",
            "skills": "[Skill]",
            "restore": "bool",
        },
        {},
    ),
    "run": (
        {
            "key": "str",
            "file": "str",
            "code": "str",
            "origin": _one_of(ORIGINS),
            "silent": "bool",
            "stdin": "bool",
            "cpu_s": "num/null",
            "wall_s": "num/null",
            "expressions": "{str}",
        },
        {"number": "int", **_PAYLOADS},
    ),
    "cancel": ({"reason": _one_of(REASONS)}, {}),
    "reply": (
        {"id": "int", "ok": "bool"},
        {
            "value": "json",
            "kind": _one_of(REPLY_KINDS),
            "name": "str",
            "message": "str",
            **_PAYLOADS,
        },
    ),
    "namespaces": ({"version": "int", "set": "[Namespace]"}, {}),
    "complete": _QUESTION,
    "inspect": _QUESTION,
    "is-complete": _QUESTION,
    "variables": ({"id": "int", "offset": "int", "limit": "int"}, {"prefix": "str"}),
    "peek": (
        {
            "id": "int",
            "name": "str",
            "view": "'repr'|'html'|'grid'|'image'",
            "offset": "int",
            "limit": "int",
        },
        {},
    ),
    "stdin-reply": ({"id": "int", "ok": "bool"}, {"value": "str", "message": "str"}),
    "synced": _ID,
    "ping": _ID,
    "shutdown": ({"grace_s": "num"}, {}),
    "comm": _COMM,
}

GUEST_FRAMES: Frames = {
    "boot-ack": (
        {
            "protocol": "int",
            "python": "str",
            "executable": "str",
            "applied": "{num/null}",
            "confined": "Confined",
            "modules": "{bool}",
        },
        {},
    ),
    "fault": ({"message": "str", "fatal": "bool"}, {}),
    "skills": ({"loaded": "[str]", "failed": "{str}"}, {}),
    "started": ({}, {}),
    "output": (
        {"stream": "'stdout'|'stderr'", "text": "str", "late": "bool"},
        {"cut": "int"},
    ),
    "display": (
        {
            "op": "'show'|'update'|'result'|'clear'",
            "data": "{json}",
            "metadata": "json",
            "late": "bool",
        },
        {"display_id": "str", "wait": "bool", **_PAYLOADS},
    ),
    "call": ({"id": "int", "namespace": "str", "name": "str", "args": "json"}, _PAYLOADS),
    "call-cancel": _ID,
    "sync": _ID,
    "pong": ({"id": "int", "busy": "str/null"}, {}),
    "stdin": ({"id": "int", "prompt": "str", "password": "bool"}, {}),
    "answer": (
        {"id": "int", "ok": "bool"},
        {"data": "json", "message": "str", **_PAYLOADS},
    ),
    "note": ({"text": "str"}, {}),
    "done": (
        {
            "key": "str",
            "status": _one_of(DONE_STATUSES),
            "cpu_s": "num",
            "wall_s": "num",
            "left": "int",
        },
        {"value": "Value", "error": "Error", "expressions": "{json}"},
    ),
    "comm": _COMM,
}

PAYLOAD_PLACES: Fields = {
    "run": "/code",
    "call": "/args",
    "reply": "/value",
    "display": "/data",
    "comm": "/buffers",
    "answer": "/data",
}
"""The one field of each frame that may travel as descriptors; `comm` has one for each
entry of `/buffers` (`/buffers/0`, ...). A field that travels holds null in the frame,
whatever its declared type."""

ANSWERS: Frames = {
    "complete": ({"matches": "[str]", "start": "int", "end": "int", "types": "[str]"}, {}),
    "inspect": ({"found": "bool", "data": "{str}"}, {}),
    "is-complete": ({"status": "str", "indent": "str"}, {}),
    "variables": ({"total": "int", "rows": "[Variable]"}, {}),
    "peek": ({"data": "{json}"}, {}),
    "Variable": ({"name": "str", "type": "str", "size": "str", "preview": "str"}, {}),
}
"""What `answer.data` holds, by the type of the question. `start`, `end` and every
`cursor` count code points. `inspect` and `peek` give a mime bundle; the bundle of the
view `grid` is `application/vnd.keelbook.grid.v1+json` (see `peek`). A question that
cannot be answered has `ok` false and one sentence in `message`."""

APPLIED = ("address_bytes", "nofile", "fsize_bytes", "cpu_life_s")
"""The limits the operating system keeps, and so the keys of `boot-ack.applied`."""

CONVERSIONS: Fields = {
    "str": "exact",
    "int": "exact up to 4000 digits",
    "float": "exact if finite",
    "bool": "exact",
    "None": "exact",
    "list": "exact",
    "dict": "exact with text keys",
    "tuple": "list",
    "set": "list sorted by JSON text",
    "frozenset": "list sorted by JSON text",
    "Path": "text as given",
    "date": "ISO text",
    "time": "ISO text",
    "datetime": "ISO text",
    "Enum": "its value",
    "Decimal": "text",
    "UUID": "text",
    "numpy scalar": "Python scalar",
    "subclass": "base",
}
"""How an argument of a governed call becomes JSON (guest E17); all else is refused."""

"""The host's copy of the protocol between host and guest: tables only, no code of either side.

Rules: the guest has its own copy and neither imports the other (R11); a test compares the two as
values. Types are texts in one notation: ``T/null`` may be null, ``[T]`` is a list, ``{T}`` an
object with text keys, a capital name is a record of ``RECORDS``, ``num`` an int or a float, ``int``
no bool and at most ``MAX_INT`` in size, ``'a'|'b'`` one of these texts, ``json`` anything. A
changed table is a new ``PROTOCOL`` (R10).
"""

from __future__ import annotations

from typing import Final

Fields = dict[str, str]
Shape = tuple[Fields, Fields]
"""Required fields and optional ones (``t`` and ``run`` are in every frame and in none of these)."""

PROTOCOL: Final = 1
MAX_INT: Final = 2**53
MAX_DIGITS: Final = 4000
MARKER: Final = "\n[... {} bytes left out ...]\n"
CALLED_NAMESPACE: Final = "__call__"
"""The binding that is meant when a namespace itself is called."""

STATUSES: Final = ("ok", "error", "aborted", "stopped", "died")
DONE_STATUSES: Final = STATUSES[:-1]
REASONS: Final = ("person", "wall", "turn", "refused", "cpu")
REPLY_KINDS: Final = ("failed", "stopped")
ORIGINS: Final = ("person", "agent", "probe")
RUNGS: Final = ("unconfined", "landlock", "namespaces", "landlock and namespaces")
APPLIED: Final = ("address_bytes", "nofile", "fsize_bytes", "cpu_life_s")

LIMITS: Final[Fields] = {
    **dict.fromkeys(("address_bytes", "nofile", "fsize_bytes"), "int/null"),
    **dict.fromkeys(("cpu_life_s", "idle_cpu_s"), "num/null"),
    **dict.fromkeys(
        (
            "notebook_text_bytes",
            "display_bytes",
            "value_bytes",
            "traceback_bytes",
            "args_bytes",
            "depth",
            "line_bytes",
            "inline_bytes",
            "payload_bytes",
            "fds",
        ),
        "int/null",
    ),
    **dict.fromkeys(("flush_s", "grace_s", "skill_s", "answer_s"), "num/null"),
}


def _one_of(*names: str) -> str:
    return "|".join(f"'{name}'" for name in names)


RECORDS: Final[dict[str, Shape]] = {
    "Namespace": (
        {"name": "str", "description": "str", "callable": "bool", "bindings": "[Binding]"},
        {},
    ),
    "Binding": ({"name": "str", "description": "str", "parameters": "[Parameter]"}, {}),
    "Parameter": ({"name": "str", "type": "str", "required": "bool"}, {}),
    "Skill": ({"name": "str", "module": "str", "root": "str/null"}, {}),
    "Value": (
        {"form": _one_of("json", "repr")},
        {"json": "json", "text": "str", "type": "str", "cut": "bool"},
    ),
    "Error": (
        {"name": "str", "message": "str", "traceback": "[str]", "cut": "bool"},
        {"line": "int"},
    ),
    "Confine": (
        {
            "mode": _one_of("required", "on", "off"),
            "read": "[str]",
            "write": "[str]",
            "tcp": f"{_one_of('all', 'none')}|[int]",
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
            "canary": _one_of("refused", "written", "untried"),
            "reason": "str/null",
        },
        {},
    ),
    "Limits": (LIMITS, {}),
    "Payload": ({"at": "str", "bytes": "int", "form": _one_of("json", "text", "bytes")}, {}),
}

_ID: Final[Fields] = {"id": "int"}
_PAYLOADS: Final[Fields] = {"payloads": "[Payload]"}
_QUESTION: Final[Shape] = ({"id": "int", "code": "str", "cursor": "int"}, {"detail": "int"})
_COMM: Final[Shape] = (
    {"op": _one_of("open", "msg", "close"), "comm": "str", "data": "json", "metadata": "json"},
    {"target": "str", "buffers": "[null]", **_PAYLOADS},
)

HOST_FRAMES: Final[dict[str, Shape]] = {
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
            "origin": _one_of(*ORIGINS),
            "silent": "bool",
            "stdin": "bool",
            "cpu_s": "num/null",
            "wall_s": "num/null",
            "expressions": "{str}",
        },
        {"number": "int", **_PAYLOADS},
    ),
    "cancel": ({"reason": _one_of(*REASONS)}, {}),
    "reply": (
        {"id": "int", "ok": "bool"},
        {
            "value": "json",
            "kind": _one_of(*REPLY_KINDS),
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
            "view": _one_of("repr", "html", "grid", "image"),
            "offset": "int",
            "limit": "int",
        },
        {},
    ),
    "stdin-reply": ({"id": "int", "ok": "bool"}, {"value": "str", "message": "str"}),
    "synced": (_ID, {}),
    "ping": (_ID, {}),
    "shutdown": ({"grace_s": "num"}, {}),
    "comm": _COMM,
}

GUEST_FRAMES: Final[dict[str, Shape]] = {
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
        {"stream": _one_of("stdout", "stderr"), "text": "str", "late": "bool"},
        {"cut": "int"},
    ),
    "display": (
        {
            "op": _one_of("show", "update", "result", "clear"),
            "data": "{json}",
            "metadata": "json",
            "late": "bool",
        },
        {"display_id": "str", "wait": "bool", **_PAYLOADS},
    ),
    "call": ({"id": "int", "namespace": "str", "name": "str", "args": "json"}, _PAYLOADS),
    "call-cancel": (_ID, {}),
    "sync": (_ID, {}),
    "pong": ({"id": "int", "busy": "str/null"}, {}),
    "stdin": ({"id": "int", "prompt": "str", "password": "bool"}, {}),
    "answer": ({"id": "int", "ok": "bool"}, {"data": "json", "message": "str", **_PAYLOADS}),
    "note": ({"text": "str"}, {}),
    "done": (
        {
            "key": "str",
            "status": _one_of(*DONE_STATUSES),
            "cpu_s": "num",
            "wall_s": "num",
            "left": "int",
        },
        {"value": "Value", "error": "Error", "expressions": "{json}"},
    ),
    "comm": _COMM,
}

PAYLOAD_PLACES: Final[dict[str, str]] = {
    "run": "/code",
    "call": "/args",
    "reply": "/value",
    "display": "/data",
    "comm": "/buffers",
    "answer": "/data",
}
"""The field of each frame that may travel as a descriptor (``comm``: one for each of its
``/buffers``); it holds null in the line, whatever its declared type."""

ANSWERS: Final[dict[str, Shape]] = {
    "complete": ({"matches": "[str]", "start": "int", "end": "int", "types": "[str]"}, {}),
    "inspect": ({"found": "bool", "data": "{str}"}, {}),
    "is-complete": ({"status": "str", "indent": "str"}, {}),
    "variables": ({"total": "int", "rows": "[Variable]"}, {}),
    "peek": ({"data": "{json}"}, {}),
    "Variable": (dict.fromkeys(("name", "type", "size", "preview"), "str"), {}),
}
"""What ``answer.data`` holds, by the type of the question; positions count code points. A question
that cannot be answered has ``ok`` false and one sentence in ``message``."""

CONVERSIONS: Final[Fields] = {
    **dict.fromkeys(("str", "float", "bool", "None", "list", "dict"), "exact"),
    "int": f"exact up to {MAX_DIGITS} digits",
    "float": "exact if finite",
    "dict": "exact with text keys",
    "tuple": "list",
    **dict.fromkeys(("set", "frozenset"), "list sorted by JSON text"),
    "Path": "text as given",
    **dict.fromkeys(("date", "time", "datetime"), "ISO text"),
    "Enum": "its value",
    **dict.fromkeys(("Decimal", "UUID"), "text"),
    "numpy scalar": "Python scalar",
    "subclass": "base",
}
"""How an argument of a governed call becomes JSON (E17); all else is refused by the guest."""

"""Between the host's records and those of the protocol.

Rules: what the host sends is made here from typed records; an answer of another shape than the
protocol declares is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from keelbook.guest_process.asides import Answer
from keelbook.guest_process.decoding import Frame, Wrong, shaper
from keelbook.guest_process.protocol import ANSWERS, APPLIED
from keelbook.guest_process.settings import GuestSettings
from keelbook.interpreter import (
    CommMessage,
    Completion,
    GuestInfo,
    Namespace,
    Variable,
)
from keelbook.observer import Display


def namespace_record(namespace: Namespace) -> Frame:
    """A ``Namespace`` of a ``boot`` or ``namespaces`` frame."""
    return {
        "name": namespace.name,
        "description": namespace.description,
        "callable": namespace.callable,
        "bindings": [
            {
                "name": binding.name,
                "description": binding.description,
                "parameters": [
                    {"name": each.name, "type": each.type, "required": each.required}
                    for each in binding.parameters
                ],
            }
            for binding in namespace.bindings
        ],
    }


def skill_records(settings: GuestSettings) -> list[Frame]:
    """The ``skills`` of a ``boot`` frame."""
    return [
        {"name": skill.name, "module": skill.module, "root": skill.root}
        for skill in settings.skills
    ]


def comm_frame(message: CommMessage) -> Frame:
    """A ``comm`` frame to the guest."""
    frame: Frame = {
        "t": "comm",
        "run": None,
        "op": message.op,
        "comm": message.comm,
        "data": message.data,
        "metadata": message.metadata,
    }
    if message.target is not None:
        frame["target"] = message.target
    if message.buffers:
        frame["buffers"] = list(message.buffers)
    return frame


def comm_message(frame: Frame) -> CommMessage:
    """A ``comm`` frame of the guest."""
    return CommMessage(
        frame["op"],
        frame["comm"],
        frame["data"],
        frame["metadata"],
        frame.get("target"),
        tuple(each for each in frame.get("buffers", ()) if each is not None),
    )


def display_of(frame: Frame, late: bool = False) -> Display:
    """A ``display`` frame."""
    metadata = frame["metadata"]
    return Display(
        frame["op"],
        frame["data"],
        metadata if isinstance(metadata, dict) else {},
        frame.get("display_id"),
        frame.get("wait", False),
        late,
    )


def guest_info(
    ack: Frame, limits: Frame, pid: int, missing: Sequence[str], revived: bool
) -> GuestInfo:
    """What a ``boot-ack`` says of its guest.

    ``limits`` is what was asked for, ``missing`` what the warden could not enter.
    """
    confined = ack["confined"]
    words = confined["rung"].replace("landlock", f"Landlock (ABI {confined['abi']})")
    if confined["reason"]:
        words += f": {confined['reason']}"
    return GuestInfo(
        pid=pid,
        python=ack["python"],
        executable=ack["executable"],
        confinement=words,
        missing=(*missing, *confined["missing"], *_not_applied(ack["applied"], limits)),
        modules=ack["modules"],
        revived=revived,
    )


def _not_applied(applied: Frame, limits: Frame) -> list[str]:
    """Limits that were asked for and are not in force (H8)."""
    return [
        f"limit {name}"
        for name in APPLIED
        if limits[name] is not None and applied.get(name) is None
    ]


def answer_of(t: str, answer: Answer | None) -> Frame | None:
    """The data of an answer to a question of type ``t``, rebuilt as declared; or None."""
    if answer is None or not answer.ok:
        return None
    try:
        data: Frame = _ANSWERS[t](answer.data)
    except Wrong:
        return None
    return data


_ANSWERS: Final = {t: shaper(*shape) for t, shape in ANSWERS.items()}


def completion(data: Frame | None, cursor: int) -> Completion:
    """An answer to ``complete``; empty when there is none."""
    if data is None or not 0 <= data["start"] <= data["end"]:
        return Completion((), cursor, cursor)
    matches, types = tuple(data["matches"]), tuple(data["types"])
    return Completion(matches, data["start"], data["end"], types)


def variables(data: Frame | None) -> tuple[tuple[Variable, ...], int]:
    """An answer to ``variables``."""
    if data is None:
        return (), 0
    return tuple(Variable(**row) for row in data["rows"]), data["total"]

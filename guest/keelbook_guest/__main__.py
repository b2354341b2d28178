"""Boots the guest and puts its parts together.

Rules (guest R4, R9, H13)
- The order is: death signal (the warden's fork has set it), working folder, limits,
  capabilities, confinement and its proof, all with one thread; then streams, handlers,
  names, threads; `boot-ack`; only then skills and the workspace on `sys.path`.
- A protocol of another version is a fatal fault and exit code 2.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any, NoReturn, cast

from keelbook_guest import figures
from keelbook_guest.answers import Answers
from keelbook_guest.arrivals import Arrivals
from keelbook_guest.asides import Asides
from keelbook_guest.calls import Calls
from keelbook_guest.channel import Channel, Frame
from keelbook_guest.children import Children
from keelbook_guest.comms import Comms
from keelbook_guest.confine import Grants, confine, persons_folders
from keelbook_guest.display import Formatter, Publisher
from keelbook_guest.ending import Values
from keelbook_guest.figures import Figures
from keelbook_guest.libraries import meetings
from keelbook_guest.limits import apply_limits
from keelbook_guest.loop import CellLoop, explain_asyncio_run, run_for_ever
from keelbook_guest.namespace import Names
from keelbook_guest.prompts import Prompts
from keelbook_guest.protocol import PROTOCOL
from keelbook_guest.proxies import BoundNamespace
from keelbook_guest.reader import Reader
from keelbook_guest.record import Run, Work
from keelbook_guest.refusals import Refusals
from keelbook_guest.run import Runner
from keelbook_guest.skills import Lent, load_skills
from keelbook_guest.spaces import Entered
from keelbook_guest.stdin import NoInput
from keelbook_guest.stops import Interrupts, ToolFailed, without_signals
from keelbook_guest.streams import Sink, Stream
from keelbook_guest.upkeep import Upkeep

CHANNEL = 3
EXIT_VERSION = 2
FOUND = ("IPython", "matplotlib", "comm", "dill")
TEXT_LIMIT = 1 << 20


def run_guest(start: dict[str, Any], entered: Entered) -> NoReturn:
    """The guest's whole life, in the child that the warden forked."""
    channel = Channel(CHANNEL)
    boot = channel.read()
    if boot is None or boot.get("t") != "boot":
        _refuse(channel, "The first frame must be a boot frame.")
    if boot.get("protocol") != PROTOCOL:
        _refuse(
            channel,
            f"The host speaks protocol {boot.get('protocol')}, this guest {PROTOCOL}.",
        )
    channel.configure(boot["limits"], boot["tmp"])
    os.chdir(boot["cwd"])
    applied = apply_limits(boot["limits"])
    confined, grants = confine(boot["confine"], boot["tmp"], entered)
    if boot["confine"]["mode"] == "required" and confined["rung"] == "unconfined":
        _refuse(channel, f"The guest cannot be confined: {confined['reason']}.")
    guest = Guest(channel, boot, grants)
    guest.open()
    channel.send(
        [
            {
                "t": "boot-ack",
                "protocol": PROTOCOL,
                "python": sys.version.split()[0],
                "executable": sys.executable,
                "applied": applied,
                "confined": confined,
                "modules": {name: _is_there(name) for name in FOUND},
            }
        ]
    )
    sys.meta_path.append(cast(Any, Lent(start.get("lend", {}))))
    guest.live(boot)


def _refuse(channel: Channel, message: str) -> NoReturn:
    channel.send([{"t": "fault", "message": message, "fatal": True}])
    os._exit(EXIT_VERSION)


def _is_there(name: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class Guest:
    """The parts of a running guest."""

    def __init__(self, channel: Channel, boot: Frame, grants: Grants) -> None:
        limits = boot["limits"]
        folder = os.path.dirname(os.path.abspath(__file__)) + "/"
        self.channel = channel
        self.grants = grants
        self.work = Work()
        self.interrupts = Interrupts(self.work, folder)
        self.sink = Sink(channel.send, limits, self.interrupts)
        self.loop = CellLoop()
        self.names = Names()
        self.calls = Calls(self.sink, self.work, limits)
        self.prompts = Prompts(self.sink, self.work)
        self.formatter = Formatter(self._note, TEXT_LIMIT)
        self.publisher = Publisher(self.formatter, self._show, limits["display_bytes"])
        self.values = Values(self.formatter, self.names, limits)
        self.streams = {
            "stdin": NoInput(),
            "stdout": Stream("stdout", self.sink, self.work),
            "stderr": Stream("stderr", self.sink, self.work),
        }
        self.upkeep = Upkeep(self.sink, self.names, self.interrupts, limits, self.streams)
        self.asides = Asides(self.work, self.interrupts)
        self.runner = Runner(
            self.sink,
            self.work,
            self.interrupts,
            self.names,
            self.values,
            self.upkeep,
            self.asides,
            Refusals(self.sink, grants),
            self.loop,
            limits,
        )
        self.reader = Reader(channel, self.work, self.interrupts)
        self.answers = Answers(
            channel.send, self.work, self.asides, self.names, self.formatter, limits
        )
        self.figures = Figures(self.publisher)
        self.arrivals = Arrivals(self._note)
        self.comms = Comms(self.sink, self.work, self._note)
        self.children = Children(self.sink, channel, self.loop)
        self.skills: dict[str, Any] = {}
        self.ending = False

    def open(self) -> None:
        """Streams, handlers, names and threads."""
        self.calls.loop = self.loop
        self.calls.on_stop = self.runner.take_stop
        self.upkeep.rebind = self.bind
        self.comms.post = self.loop.call_soon_threadsafe
        self.answers.post = self.loop.call_soon_threadsafe
        self.asides.wake = self.reader.wake
        self.reader.nudge = self.runner.nudge
        self.runner.catch_up = self.reader.catch_up
        self.reader.deadline = self.answers.deadline
        self.reader.late = self.answers.late
        for name, stream in self.streams.items():
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        self.interrupts.install()
        sys.argv[:] = [""]
        self.names.open(
            {
                "display": self.publisher.display,
                "input": self.prompts.input,
                "ToolFailed": ToolFailed,
            }
        )
        self.formatter.extra.append(self.figures.bundle)
        self.values.finally_.append(self.figures.at_end)
        figures.shower = self.figures
        self.arrivals.meetings = meetings(self.publisher, self.prompts, self.figures, self.comms)
        self.arrivals.install()
        self.work.follow_threads()
        explain_asyncio_run()
        self.children.install()
        self.reader.handlers = {
            "run": self.runner.take_run,
            "cancel": self.runner.take_cancel,
            "reply": self.calls.take_reply,
            "namespaces": self._take_namespaces,
            "stdin-reply": self.prompts.take_reply,
            "complete": self.answers.take,
            "inspect": self.answers.take,
            "is-complete": self.answers.take,
            "variables": self.answers.take,
            "peek": self.answers.take_peek,
            "synced": self.children.take_synced,
            "comm": self.comms.take,
            "ping": self._pong,
            "shutdown": self._take_shutdown,
        }

    def live(self, boot: Frame) -> NoReturn:
        """Serves frames until the end."""
        for name, body in (
            ("flusher", self.sink.flush_for_ever),
            ("io", self.reader.read_for_ever),
        ):
            deaf = without_signals(body)
            threading.Thread(target=deaf, name=f"keelbook-{name}", daemon=True).start()
        from keelbook_guest import readiness

        readiness.complete()
        sys.path[:0] = [boot["cwd"], *persons_folders()]
        self._load(boot)
        run_for_ever(self.loop, lambda: self.ending)
        self._end()

    def bind(self, namespaces: list[dict[str, Any]]) -> None:
        """Replaces the names that the host binds; skills stay."""
        self.calls.bind(namespaces)
        proxies = {each["name"]: BoundNamespace(self.calls, each["name"]) for each in namespaces}
        self.names.bind({**self.skills, **proxies})

    def _load(self, boot: Frame) -> None:
        """Imports the skills; a first run waits for them."""
        seconds = boot["limits"]["skill_s"] or 10.0
        self.skills, failed = load_skills(self.asides, boot["skills"], seconds)
        self.bind(boot["namespaces"])
        loaded = [name for name in self.skills if name not in failed]
        self.channel.send([{"t": "skills", "loaded": loaded, "failed": failed}])

    def _take_namespaces(self, frame: Frame) -> None:
        self.upkeep.pending.append(frame["set"])

    def _pong(self, frame: Frame) -> None:
        run = self.work.active
        busy = None if run is None else run.id
        self.channel.send([{"t": "pong", "id": frame["id"], "busy": busy}])

    def _take_shutdown(self, frame: Frame) -> None:
        self.ending = True
        self.loop.call_soon_threadsafe(self.loop.stop)
        watch = threading.Timer(frame["grace_s"], os._exit, (0,))
        watch.daemon = True
        watch.start()

    def _end(self) -> NoReturn:
        import atexit

        atexit._run_exitfuncs()
        self.sink.flush()
        os._exit(0)

    def _note(self, text: str) -> None:
        self.streams["stderr"].write(text)

    def _show(self, frame: Frame) -> None:
        run: Run | None = self.work.producer()
        frame["run"] = None if run is None else run.id
        frame["late"] = run is None or run.ended
        if frame["op"] == "update":
            self.sink.update(frame)
        else:
            self.sink.emit(frame)
        if self.interrupts.waiting:
            self.interrupts.check()

"""What a session is made of, as its rows may use it, and the request as it stands now.

Rules: the prefix is made anew for each request, so that a row's section is true when it is sent,
and logged when it changed. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from keelbook.ask import Person
from keelbook.errors import HostBug
from keelbook.events import PromptSet
from keelbook.log import Log
from keelbook.loop import progress, prompt
from keelbook.loop.progress import Progress
from keelbook.loop.seams import Seams
from keelbook.messages import AssistantTurn
from keelbook.model import Model, Price, Request, ToolSchema
from keelbook.row import Row
from keelbook.surface import messages
from keelbook.tool import Tool


class Stage:
    """One session's ``View``. ``model`` is the running or last turn's."""

    def __init__(
        self,
        log: Log,
        rows: Sequence[Row],
        tools: Sequence[Tool],
        person: Person,
        *,
        code_mode: bool,
        workspace: str,
    ) -> None:
        self.log = log
        self.person = person
        self.model: Model | None = None
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self.code_mode = code_mode and prompt.code_tool(tools) is not None
        self.seams = Seams(rows, self)
        self._workspace = workspace

    @cached_property
    def _schemas(self) -> tuple[ToolSchema, ...]:
        """The tools the model may call itself; made for the first request, not at the start."""
        return prompt.schemas(self.tools.values(), code_mode=self.code_mode)

    @property
    def progress(self) -> Progress:
        """Where the session stands."""
        return self.log.fold(progress.FOLD)

    @property
    def working(self) -> bool:
        """Whether a turn runs."""
        return self.progress.open

    @property
    def model_name(self) -> str:
        """The model of the running or last turn."""
        return self.progress.model if self.model is None else self.model.name

    @property
    def window(self) -> int | None:
        """That model's input room in tokens."""
        return None if self.model is None else self.model.window

    @property
    def price(self) -> Price | None:
        """What that model costs."""
        return None if self.model is None else self.model.price

    def prefix(self) -> PromptSet:
        """The cached prefix now; logs it when it is not the one the log ends with."""
        text = prompt.system(
            tuple(self.tools.values()),
            self.seams.sections(),
            code_mode=self.code_mode,
            workspace=self._workspace,
        )
        event = prompt.prompt(text, self._schemas)
        if progress.prompt_digest(event) != self.progress.prompt:
            self.log.append(event)
        return event

    def render(self) -> Request:
        """The request as the loop would send it now: prefix, surface, no per-step context."""
        now = self.progress
        return Request(
            system=self.prefix().system,
            messages=messages(self.log),
            tools=self._schemas,
            turn=now.turn,
            step=now.replies,
        )

    async def request(self, request: Request) -> AssistantTurn:
        """Asks the model outside every seam. Raises ModelFailed."""
        if self.model is None:
            raise HostBug("The model was asked before the session had one.")
        return await self.model.request(request, _unheard)


def _unheard(_: str) -> None:
    """Words nobody watches."""

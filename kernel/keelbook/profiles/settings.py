"""Every setting a profile may hold, with its default.

Rules: a setting is declared once, where it is used; here they are gathered into one document. The
numbers of ``guest.md`` section 14 all stand under ``limits``; null means no limit. Defaults are not
validated: pydantic would have to build the code for it at every start.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from keelbook.config import Config
from keelbook.guest_process.settings import (
    Bytes,
    Confinement,
    Count,
    GuestSettings,
    Limits,
    Seconds,
    SkillSetting,
)
from keelbook.models import ModelSettings
from keelbook.parts import Budgets

Switch = bool | Literal["on", "off"]
Waits = tuple[Annotated[float, Field(ge=0)], ...]

_GUEST = GuestSettings.model_construct()
_BUDGETS = Budgets()


class LimitSettings(Limits):
    """What one cell, one call and one guest may use.

    ``cpu_s`` and ``wall_s`` bound a cell of an agent's, ``idle_cpu_s`` what it may leave running.
    ``retry_waits_s`` are the waits before a failed model request is sent again.
    """

    cpu_s: Seconds | None = _BUDGETS.cpu_s
    wall_s: Seconds | None = _BUDGETS.wall_s
    retry_waits_s: Waits = _BUDGETS.retries
    boot_s: Seconds = _GUEST.boot_s
    shutdown_s: Seconds = _GUEST.shutdown_s
    idle_cpu_s: Seconds | None = _GUEST.idle_cpu_s
    parallel_calls: Count = _GUEST.parallel_calls
    calls_per_cell: Count | None = _GUEST.calls_per_cell
    result_bytes: Bytes = _GUEST.result_bytes
    display_bytes_per_cell: Bytes = _GUEST.display_bytes_per_cell
    shell_output_bytes: Bytes = _GUEST.shell_output_bytes


class Settings(Config):
    """A whole profile.

    ``profile`` names the profile in use (in a named profile: the one it builds on). ``model`` is
    ``provider:name``, ``scripted:FILE``, ``replay:RECORDING`` or null. ``python`` is ``host`` or an
    interpreter's path. ``code_mode``: the agent works through cells and reaches the other tools
    from them; false gives it every tool directly. ``rows`` maps a row's name to ``on``, ``off`` or
    its settings.
    """

    profile: str = ""
    model: str | None = None
    model_settings: ModelSettings = ModelSettings.model_construct()
    python: str = _GUEST.python
    code_mode: bool = True
    confine: Confinement = Confinement.model_construct()
    pass_env: tuple[str, ...] = ()
    limits: LimitSettings = LimitSettings.model_construct()
    skills: tuple[SkillSetting, ...] = ()
    rows: dict[str, Switch | dict[str, Any]] = Field(default_factory=dict)

    def guest(self) -> GuestSettings:
        """The part that is the guest's; made of what was checked, so not checked again."""
        limits = self.limits
        inner = {name: getattr(limits, name) for name in Limits.model_fields}
        own = GuestSettings.model_fields.keys() - Settings.model_fields.keys()
        return GuestSettings.model_construct(
            python=self.python,
            pass_env=self.pass_env,
            confine=self.confine,
            skills=self.skills,
            limits=Limits.model_construct(**inner),
            **{name: getattr(limits, name) for name in own},
        )

    def budgets(self) -> Budgets:
        """The part that is the turn's."""
        limits = self.limits
        return Budgets(
            cpu_s=limits.cpu_s,
            wall_s=limits.wall_s,
            parallel=limits.parallel_calls,
            retries=limits.retry_waits_s,
        )

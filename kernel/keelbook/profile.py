"""Puts a session's parts together: the ordered list of rows, the tools, and a profile's settings.

Rules: ``ROWS`` is the order of every seam, first is outermost; rows of other packages
(``keelbook.rows`` entry points) follow in the order the profile names them. Layers, later wins:
built-in profile, the user's ``profile.yaml``, named profiles of the user's, the workspace's
``.keelbook/profile.yaml`` (a closed list of settings, ``profiles.workspace``), the environment
(``KEELBOOK_MODEL``,
``KEELBOOK_PYTHON``), what was asked for. All errors are listed at once, one sentence each.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pydantic import ValidationError

from keelbook.archive import Archive
from keelbook.config import Config, Loc, sentences
from keelbook.errors import BadConfig
from keelbook.events import Event, Vocabulary
from keelbook.files import private_places
from keelbook.guest_process.settings import GuestSettings
from keelbook.model import Model
from keelbook.models import ModelSettings, make
from keelbook.parts import Parts
from keelbook.private import config_folder
from keelbook.profiles.layers import Layer, merged, origin
from keelbook.profiles.settings import Settings
from keelbook.profiles.stack import Wishes, stack, user_file
from keelbook.profiles.workspace import faults as loosened
from keelbook.row import Row
from keelbook.rows import todo, turn_budget
from keelbook.text import near
from keelbook.tool import Tool
from keelbook.toolset import bash, edit, glob, grep, ls, read, run_code, write
from keelbook.value import Value

RowMaker = Callable[[Any], Row]

ROWS: tuple[tuple[str, RowMaker], ...] = (("turn-budget", turn_budget.row), ("todo", todo.row))
TOOLS: tuple[Callable[[], Tool], ...] = (
    run_code.tool, bash.tool, read.tool, write.tool, edit.tool, glob.tool, grep.tool, ls.tool,
)  # fmt: skip

ENTRY_POINTS = "keelbook.rows"
C = TypeVar("C", bound=Config)


class Profile(Value):
    """What is in force, and where each value came from. ``workspace`` is the session's folder."""

    settings: Settings
    rows: tuple[Row, ...]
    workspace: Path
    layers: tuple[Layer, ...]
    origins: Mapping[Loc, Layer]

    @property
    def name(self) -> str:
        """The profile's name."""
        return self.settings.profile

    @property
    def guest(self) -> GuestSettings:
        """How the guest is started and bounded."""
        return self.settings.guest()

    @property
    def key_variables(self) -> tuple[str, ...]:
        """Environment variables with keys of the model's, which no guest gets."""
        name = self.settings.model_settings.api_key_variable
        return () if name is None else (name,)

    @property
    def private(self) -> tuple[str, ...]:
        """Folders and files that no grant opens."""
        return tuple(map(str, private_places(Path.home(), os.environ)))

    def origin(self, loc: Loc) -> Layer | None:
        """The layer a value came from, None for a default."""
        return origin(self.origins, loc)

    def model(self, name: str | None = None) -> Model:
        """The model called ``name``, or the profile's own. Raises BadConfig."""
        chosen = name or self.settings.model or ""
        return make(chosen, self._model_settings(chosen), self.workspace, self._recorded)

    def _model_settings(self, chosen: str) -> ModelSettings:
        """The profile's, for a model of the same provider; else none: they hold its address."""
        own = self.settings.model or ""
        same = chosen.partition(":")[0] == own.partition(":")[0] or not own
        return self.settings.model_settings if same else ModelSettings()

    def _recorded(self, session: str) -> Iterable[Event]:
        with Archive(self.vocabulary).read(session) as log:
            return [each.event for each in log.read()]

    @property
    def vocabulary(self) -> Vocabulary:
        """Every event a session of this profile may hold."""
        return Vocabulary(*(row.events for row in self.rows))

    def parts(self) -> Parts:
        """The session's parts."""
        return Parts(
            rows=self.rows,
            tools=tuple(tool() for tool in TOOLS),
            models=self.model,
            profile=self.name,
            code_mode=self.settings.code_mode,
            writable=tuple(Path(each).expanduser() for each in self.settings.confine.write),
            budgets=self.settings.budgets(),
        )


def load(
    workspace: Path,
    *,
    profile: str | None = None,
    model: str | None = None,
    environ: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Profile:
    """The profile in force in ``workspace``. Raises BadConfig with every error found.

    ``profile`` and ``model`` are what was asked for just now; ``folder`` is where the user's own
    files are (``private.config_folder()`` when None).
    """
    folder = folder or config_folder()
    found = stack(
        workspace, folder, Wishes(os.environ if environ is None else environ, profile, model)
    )
    faults: list[str] = []
    settings = _settings(found.layers, faults)
    if found.workspace is not None and not faults:
        below = _settings(found.below, faults)
        now = _settings((*found.below, found.workspace), faults)
        if below is not None and now is not None:
            faults.extend(loosened(found.workspace, below, now, str(user_file(folder))))
            # A workspace that asks for too much does not get a row of another package imported.
            settings = None if faults else settings
    document, origins = merged(found.layers if settings else found.below)
    rows = tuple(_rows(document.get("rows"), origins, faults))
    if faults or settings is None:
        raise BadConfig(faults[0], sentences=tuple(dict.fromkeys(faults)))
    return Profile(settings, rows, workspace, found.layers, origins)


def every_event() -> Vocabulary:
    """The events of all rows there are, on or off: to read any session of this installation."""
    from importlib.metadata import entry_points

    makers = [maker for _, maker in ROWS]
    for point in entry_points(group=ENTRY_POINTS):
        # A broken package must not keep the sessions of others from being read.
        with suppress(Exception):
            makers.append(point.load())
    groups = []
    for maker in makers:
        with suppress(Exception):
            groups.append(maker(_settings_of(maker)()).events)
    return Vocabulary(*groups)


def _settings(layers: Iterable[Layer], faults: list[str]) -> Settings | None:
    """The settings of these layers, None when some are wrong; each fault is added once."""
    document, origins = merged(layers)
    return _checked(Settings, document, "", (), origins, faults)


def _checked(
    kind: type[C], data: Any, where: str, at: Loc, origins: Mapping[Loc, Layer], faults: list[str]
) -> C | None:
    """``data`` as settings; every error becomes a fault that says where the value stands."""
    places: list[Loc] = []

    def lead(loc: Loc) -> str:
        places.append((*at, *loc))
        return ".".join(str(part) for part in (where, *loc) if part != "")

    try:
        # As JSON, because strict settings take a list for a tuple only from there.
        return kind.model_validate_json(json.dumps(data))
    except ValidationError as error:
        for sentence, loc in zip(sentences(error, where, kind, lead), places, strict=True):
            layer = origin(origins, loc)
            faults.append(sentence if layer is None else f"{sentence} ({layer.at(loc)})")
        return None


def _rows(table: Any, origins: Mapping[Loc, Layer], faults: list[str]) -> Iterator[Row]:
    """The rows that are on, in their order. What is no table of rows is a fault found before."""
    asked = table if isinstance(table, dict) else {}
    known = dict(ROWS)
    for name in (*known, *(each for each in asked if each not in known)):
        wanted = asked.get(name, False)
        maker = known.get(name) or _foreign(name, origins, faults)
        if maker is None or wanted in (False, "off"):
            continue
        given = wanted if isinstance(wanted, dict) else {}
        config = _checked(_settings_of(maker), given, name, ("rows", name), origins, faults)
        if config is not None:
            yield maker(config)


def _foreign(name: str, origins: Mapping[Loc, Layer], faults: list[str]) -> RowMaker | None:
    """A row of another package, by its entry point."""
    from importlib.metadata import entry_points

    layer = origin(origins, ("rows", name))
    where = "" if layer is None else f" ({layer.at(('rows', name))})"
    points = entry_points(group=ENTRY_POINTS)
    if name not in points.names:
        meant = near(name, (*dict(ROWS), *points.names))
        hint = f"; did you mean `{meant}`?" if meant else "."
        faults.append(f"rows.{name}: There is no row `{name}`{hint}{where}")
        return None
    try:
        maker: RowMaker = points[name].load()
        _settings_of(maker)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        faults.append(
            f"rows.{name}: The row of {points[name].value} cannot be used: {said}.{where}"
        )
        return None
    return maker


def _settings_of(maker: RowMaker) -> type[Config]:
    """The type of a row's settings, as ``row(config)`` declares it."""
    kind = get_type_hints(maker)["config"]
    if not (isinstance(kind, type) and issubclass(kind, Config)):
        raise TypeError("row(config) must say which settings it takes")
    return kind

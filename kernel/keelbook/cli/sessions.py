"""``keelbook sessions``: what is kept on this machine, shown, exported, imported.

Rules: a session is read beside its writer and never changed; an id may be cut short as long as it
names one. Times are the machine's own.
"""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from pathlib import Path

from keelbook.archive import Archive, Listed
from keelbook.cli.telling import told
from keelbook.errors import BadConfig
from keelbook.jsonl import export, import_file
from keelbook.profile import every_event
from keelbook.text import count


def run(options: Namespace) -> int:
    """Lists, shows, exports or imports."""
    archive = Archive(every_event())
    if options.action == "import":
        session = import_file(archive, options.file)
        print(f"Session {session} was made from {options.file}.")
        return 0
    found = archive.sessions()
    if options.action is None or options.action == "list":
        _list(found, archive, as_json=options.json)
        return 0
    session = _chosen(options.session, [each.card.session for each in found])
    if options.action == "show":
        _show(archive, session, options.last)
    else:
        _export(archive, session, options.output)
    return 0


def _list(found: tuple[Listed, ...], archive: Archive, *, as_json: bool) -> None:
    if as_json:
        for each in found:
            print(each.to_json())
        return
    if not found:
        print(f"There are no sessions in {archive.folder}.")
        return
    for each in found:
        card = each.card
        begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.active))
        open_in = archive.writer(card.session)
        note = f"  (open in process {open_in})" if open_in else ""
        print(f"{card.session}  {begun}  {card.origin or card.workspace or '-'}{note}")
    print(f"\n{count(len(found), 'session')} in {archive.folder}")


def _chosen(given: str, known: list[str]) -> str:
    """The one session whose id is, or begins with, ``given``. Raises BadConfig."""
    if given in known:
        return given
    begin = [each for each in known if given and each.startswith(given)]
    if len(begin) == 1:
        return begin[0]
    if begin:
        raise BadConfig(f"`{given}` is the beginning of {len(begin)} sessions; give more of it.")
    raise BadConfig(f"There is no session `{given}`; `keelbook sessions` lists them.")


def _show(archive: Archive, session: str, last: int | None) -> None:
    with archive.read(session) as log:
        print(f"Session {session}, {count(log.length, 'event')}\n")
        start = max(log.length - last, 0) if last else 0
        for logged in log.read(after=start):
            for line in told(logged):
                print(line)


def _export(archive: Archive, session: str, output: Path | None) -> None:
    with archive.read(session) as log:
        if output is None:
            export(log, sys.stdout.buffer)
            return
        try:
            with output.open("xb") as out:
                written = export(log, out)
        except FileExistsError:
            raise BadConfig(f"{output} is there already; give another name.") from None
        except OSError as error:
            raise BadConfig(f"{output} cannot be written: {error.strerror}.") from None
    print(f"{count(written, 'event')} in {output}")

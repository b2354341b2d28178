"""What can be typed after ``keelbook``.

Rules: only argparse and text are imported here. What is wrong is said in one sentence that names
the nearest right word; usage is what ``--help`` is for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from keelbook import __version__
from keelbook.text import near

_ABOUT = "A Jupyter kernel in which a person and an agent share one notebook and one namespace."


class _Parser(argparse.ArgumentParser):
    """An ArgumentParser that complains in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Ends with status 2."""
        print(f"keelbook: {_sentence(message)} See `{self.prog} --help`.", file=sys.stderr)
        sys.exit(2)


def _sentence(message: str) -> str:
    """argparse's complaint as a sentence."""
    head, _, rest = message.partition("invalid choice: ")
    if rest:
        given, _, choices = rest.partition(" (choose from ")
        given = given.strip("'\"")
        known = [each.strip("'\" ") for each in choices.rstrip(")").split(",")]
        meant = near(given, known)
        hint = f"; did you mean `{meant}`?" if meant else "."
        return f"There is no command `{given}`{hint}" if "COMMAND" in head else f"{message}."
    return message[:1].upper() + message[1:] + "."


def parsed(argv: Sequence[str]) -> argparse.Namespace:
    """The options of one command, its module in ``module``. Exits on bad input and ``--help``."""
    parser = _Parser("keelbook", description=_ABOUT, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"keelbook {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser, dest="command")
    _demo(commands)
    _run(commands)
    _config(commands)
    _doctor(commands)
    _sessions(commands)
    _install(commands)
    _classify(commands)
    options = parser.parse_args(argv)
    if options.command is None:
        parser.print_help()
        sys.exit(2 if argv else 0)
    return options


_Commands = argparse._SubParsersAction


def _command(commands: _Commands[_Parser], name: str, module: str, about: str) -> _Parser:
    made = commands.add_parser(name, help=about, description=about, allow_abbrev=False)
    made.set_defaults(module=module)
    return made


def _demo(commands: _Commands[_Parser]) -> None:
    made = _command(
        commands, "demo", "demo", "Open the tour in JupyterLab; it needs no key and no network."
    )
    made.add_argument("--headless", action="store_true", help="run it here and say what happened")
    made.add_argument("--port", type=_port, help="JupyterLab's port (a free one from 8888 on)")
    made.add_argument("--no-browser", action="store_true", help="print the address only")
    made.add_argument(
        "--folder", type=Path, help="where the copy goes (~/keelbook-demo; headless: a new one)"
    )
    made.add_argument("--fresh", action="store_true", help="put back the tour as it came")


def _run(commands: _Commands[_Parser]) -> None:
    made = _command(commands, "run", "turn", "Ask the agent something, here on the terminal.")
    made.add_argument("request", help="what to do; - reads it from standard input")
    made.add_argument("--session", metavar="ID", help="go on with a session")
    _profile(made)


def _config(commands: _Commands[_Parser]) -> None:
    made = _command(commands, "config", "config", "Show what is in force and where it came from.")
    made.add_argument("--row", metavar="NAME", help="the settings of one row only")
    made.add_argument("--json", action="store_true", help="for a program")
    _profile(made)


def _doctor(commands: _Commands[_Parser]) -> None:
    made = _command(
        commands, "doctor", "doctor", "Check the installation, the profile and the confinement."
    )
    _profile(made)


def _sessions(commands: _Commands[_Parser]) -> None:
    made = _command(commands, "sessions", "sessions", "List the sessions kept on this machine.")
    made.set_defaults(action="list")
    made.add_argument("--json", action="store_true", help="one JSON object a line")
    actions = made.add_subparsers(metavar="COMMAND", parser_class=_Parser, dest="action")
    shown = actions.add_parser("show", help="what happened in a session", allow_abbrev=False)
    shown.add_argument("session", metavar="ID", help="the session, or the beginning of its id")
    shown.add_argument("--last", type=_count, metavar="N", help="only the last N events")
    out = actions.add_parser("export", help="a session as JSONL", allow_abbrev=False)
    out.add_argument("session", metavar="ID", help="the session, or the beginning of its id")
    out.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="standard output if left out"
    )
    back = actions.add_parser("import", help="a session from JSONL", allow_abbrev=False)
    back.add_argument("file", type=Path, metavar="FILE")


def _install(commands: _Commands[_Parser]) -> None:
    made = _command(
        commands, "install", "install", "Make a kernel whose cells run in another interpreter."
    )
    made.add_argument("--python", metavar="PATH", help="the interpreter (Keelbook's own)")
    made.add_argument("--name", help="the kernel's name, such as keelbook-analysis")
    made.add_argument("--display-name", metavar="TEXT", help="what a launcher shows")
    made.add_argument("--profile", metavar="NAME", help="the profile it starts with")
    place = made.add_mutually_exclusive_group()
    place.add_argument("--user", action="store_true", help="for every Jupyter of this user")
    place.add_argument(
        "--sys-prefix", action="store_true", help="for the Jupyter beside Keelbook (the default)"
    )


def _classify(commands: _Commands[_Parser]) -> None:
    made = _command(
        commands, "classify", "classify", "Say what a command, a query or a cell would destroy."
    )
    made.add_argument(
        "--language", choices=("shell", "sql", "python", "auto"), default="auto",
        help="what the text is written in (it is guessed)",
    )  # fmt: skip
    made.add_argument(
        "--json", action="store_true", help="JSON lines in and out: {id, dialect, text}"
    )


def _profile(made: _Parser) -> None:
    made.add_argument("--profile", metavar="NAME", help="the profile to use")
    made.add_argument("--model", metavar="NAME", help="the model, such as openai:gpt-5")
    made.add_argument("--workspace", type=_folder, default=Path(), metavar="FOLDER", help="(here)")


def _folder(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return path


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no number of 1 or more")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"`{text}` is no port (1 to 65535)")
    return int(text)

"""The tool ``bash``: one command line, run where cells run and bound as they are.

Rules: the command goes to ``interpreter.shell``; the host runs nothing. Output is shown live. A
program gets output and exit code; a command that fails is no failure of the tool, one that takes
too long is. A model's view keeps the beginning and the end of each stream.
"""

from pydantic import Field

from keelbook.interpreter import Shell, ShellOutcome
from keelbook.observer import Output, Stream
from keelbook.text import MARKER, head, size, tail
from keelbook.tool import Arguments, Capabilities, Result, Scene, Tool

SHOWN = 64 * 1024
TIMEOUT_S = 120.0

DESCRIPTION = (
    "Run a shell command in the workspace, under the same confinement as cells. Each call starts a "
    "new shell: `cd` and variables do not carry over. Called from code it returns {stdout, stderr, "
    "exit, cut}; a non-zero exit raises nothing."
)


class BashArguments(Arguments):
    """What to run."""

    command: str = Field(min_length=1, description="Command line for the shell.")
    timeout_s: float = Field(
        TIMEOUT_S,
        alias="timeout_s",
        gt=0,
        le=86_400,
        description="Seconds after which it is ended.",
    )


async def _bash(arguments: BashArguments, scene: Scene) -> Result:
    def show(stream: Stream, text: str) -> None:
        scene.observer.output(scene.call, Output(stream, text))

    shell = Shell(arguments.command, timeout_s=arguments.timeout_s)
    outcome = await scene.interpreter.shell(shell, show)
    value = {
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "exit": outcome.exit,
        "cut": outcome.cut,
    }
    ended = outcome.timed_out or outcome.exit is None
    code = "timeout" if outcome.timed_out else "killed" if ended else ""
    return Result(value, _view(outcome, arguments.timeout_s), is_error=ended, code=code)


def _view(outcome: ShellOutcome, timeout_s: float) -> str:
    parts = [_both_ends(outcome.stdout)] if outcome.stdout.strip() else []
    if outcome.stderr.strip():
        parts.append(f"[stderr]\n{_both_ends(outcome.stderr)}")
    if outcome.cut:
        parts.append(f"[{outcome.cut:,} bytes of output were not kept.]")
    if outcome.timed_out:
        parts.append(
            f"[The command was ended after {timeout_s:g} s; if it needs longer, give `timeout_s`.]"
        )
    elif outcome.exit is None:
        parts.append(f"[{outcome.sentence or 'The command was ended.'}]")
    elif outcome.exit != 0 or not parts:
        parts.append(f"[exit {outcome.exit}]")
    return "\n".join(parts)


def _both_ends(text: str) -> str:
    """``text`` within ``SHOWN`` bytes: its first quarter and the rest from its end."""
    text = text.rstrip("\n")
    total = size(text)
    if total <= SHOWN:
        return text
    first, last = head(text, SHOWN // 4), tail(text, SHOWN - SHOWN // 4)
    return first + MARKER.format(total - size(first) - size(last)) + last


def tool() -> Tool:
    """``bash(command, timeout_s=120) -> {stdout, stderr, exit, cut}``."""
    return Tool(
        name="bash",
        description=DESCRIPTION,
        arguments=BashArguments,
        run=_bash,
        capabilities=Capabilities(command_line=True),
    )

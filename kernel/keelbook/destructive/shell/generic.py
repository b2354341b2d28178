"""Judges a command nobody wrote a line for, by the verb among its subcommands or options.

Rules: most command lines say ``TOOL NOUN VERB`` or ``TOOL VERB-NOUN``; a verb counts only where a
subcommand can stand, and not after one that reads or makes. Prose is no command.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.options import Arguments
from keelbook.destructive.vocabulary import words

PLACES = 4
"""A verb stands among so many first operands."""

HARD = words(
    "delete destroy purge wipe erase drop terminate nuke obliterate deprovision decommission "
    "delete-all destroy-all drop-all purge-all remove-all rm-all wipe-all factory-reset "
    "hard-delete force-delete truncate flush flushall flushdb shred teardown tear-down expunge "
    "annihilate zap deleteall destroyall dropall removeall force-remove delete! del-all "
    "erase-all flush-all batch-delete bulk-delete deletes mass-delete permanently-delete "
    "delete-batch prune-all unpublish deleteinstance removedata remove-data delete-data "
    "wipe-data drop-database dropdb repo-delete self-destruct"
)
SOFT_FIRST = words("rm remove del unlink")
"""Destructive after a noun, debatable as the first word."""

SOFT = words(
    "uninstall prune reset clear clean cleanup revoke unregister deregister disable kill stop "
    "rollback undeploy detach downgrade unlink deactivate cleanse gc shutdown halt restart "
    "unset evict cancel abort suspend"
)
READS = words(
    "get list ls show describe search find help view status info log logs diff explain version "
    "create add new init insert set-up setup install build print echo cat inspect read query "
    "select count export download pull fetch clone check validate verify test lint watch "
    "completion docs man history top tail head stat whoami can-i wait plan preview edit open "
    "comment send publish say"
)
_HARD = re.compile(
    r"(?:delete|destroy|purge|drop|terminate|wipe|erase|remove|deregister|obliterate|nuke|"
    r"batch-delete|schedule-deletion|force-delete)[-_:.].+"
    r"|.+[-_:.](?:delete|destroy|purge|drop|wipe|erase|terminate|nuke|remove|rm|flush|truncate)"
)
_SAFE = re.compile(r".*[-_:.](?:label|labels|tag|tags|alias|comment|annotation)s?")
_HARD_OPTIONS = words(
    "--delete --purge --destroy --wipe --drop --erase --delete-all --remove-all --purge-all "
    "--destroy-all --force-delete --force-reset --drop-all --delete-data --wipe-data --nuke "
    "--hard-delete --factory-reset --delete-topic --delete-repo --expunge --truncate "
    "--overwrite-all --delete-source --delete-volumes --obliterate --zap --flush-all "
    "--drop-tables --reset-all --delete-group --delete-before --delete-after --delete-excluded "
    "--delete-extraneous --delete-bucket --mirror-delete --delete-removed --delete-destination "
    "--remove-source"
)
_PROSE = words(
    "the a an this that my your our all and of to please not do does it is are was be should "
    "would will can cannot if then else or with from for in on der die das und nicht bitte le "
    "la les et el los y ne pas"
) - {"all", "do", "in", "on"}
_PROGRAM = re.compile(r"[a-z0-9_][a-z0-9_.+-]*")


def judge_verbs(call: Call, given: Arguments) -> None:
    """Reports when a tool is told to delete something."""
    base = call.words[0].rsplit("/", 1)[-1]
    if not _PROGRAM.fullmatch(base) or is_prose(call.words):
        return
    flags = given.flags
    if not flags.isdisjoint(_HARD_OPTIONS):
        option = next(word for word in sorted(flags) if word in _HARD_OPTIONS)
        if given.values.get(option, "").lower() not in ("false", "no", "0", "none"):
            call.destroys("other", f"is told to delete by `{option}`")
            return
    for operands in (given.operands, given.strict):
        verb = _verb(operands)
        if verb:
            word, hard = verb
            if hard:
                call.destroys("other", f"is told to `{word}`")
            else:
                call.may_lose("other", f"is told to `{word}`")
            return


def _verb(operands: list[str]) -> tuple[str, bool] | None:
    """The verb that counts, and whether it destroys."""
    if operands and operands[-1] == "help":
        return None
    for place, operand in enumerate(operands[:PLACES]):
        word = operand.lower()
        if word in READS or word.startswith(("list-", "get-", "describe-", "show-")):
            return None
        if word in HARD or (_HARD.fullmatch(word) and _subcommand(word)):
            return word, not _SAFE.fullmatch(word)
        if word in SOFT_FIRST:
            return word, place > 0 and len(operands) > place + 1
        if word in SOFT:
            return word, False
        if not _subcommand(word):
            return None
    return None


def _subcommand(word: str) -> bool:
    """Whether it can be a subcommand rather than what one is told to work on."""
    return word.replace("-", "").replace("_", "").replace(":", "").isalnum() and len(word) < 40


def is_prose(words: Sequence[str]) -> bool:
    """Whether the words read like a sentence."""
    return any(word.lower() in _PROSE for word in words[1:6])

"""Statements to the server itself, by their first words.

Rules: the first line whose words all stand in the statement counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from keelbook.destructive.finding import Class
from keelbook.destructive.sql.lexer import Token
from keelbook.destructive.sql.reading import Reading

_Parts = tuple[tuple[str, ...], ...]
SERVER: dict[str, tuple[tuple[_Parts, Class, str], ...]] = {
    "SHUTDOWN": (((), "destructive", "stops the database server"),),
    "PURGE": (((), "destructive", "deletes logs or what could be put back"),),
    "RESET": (((("MASTER", "REPLICA", "SLAVE"),), "destructive", "deletes the server's logs"),),
    "FLUSH": (((), "debatable", "flushes a part of the server"),),
    "KILL": (((), "debatable", "ends a session or query"),),
    "RESTORE": (((("REPLACE",),), "destructive", "overwrites a database"),
                ((("DATABASE",),), "destructive", "overwrites a database"),
                ((), "debatable", "takes a table or database back")),
    "FLASHBACK": (((("DATABASE",),), "destructive", "takes a whole database back"),
                  ((), "debatable", "takes a table back")),
    "DBCC": (((("CHECKDB", "CHECKTABLE", "CHECKALLOC"),
               ("REPAIR_ALLOW_DATA_LOSS", "REPAIR_REBUILD")), "destructive",
              "repairs a database and may lose data"),
             ((("SHRINKDATABASE", "SHRINKFILE", "FREEPROCCACHE", "DROPCLEANBUFFERS"),),
              "debatable", "shrinks a database or empties its caches")),
    "SYSTEM": (((("SHUTDOWN", "KILL"),), "destructive", "stops the database server"),
               ((("DROP",), ("REPLICA", "DATABASE")), "destructive", "drops a replica"),
               ((("DROP", "STOP", "RELOAD"),), "debatable", "changes the state of the server")),
    "VACUUM": (((("RETAIN",),), "destructive", "deletes old versions of a table"),
               ((("FULL",),), "debatable", "rewrites a table under a lock")),
    "LOCK": (((("TABLE", "TABLES", "IN"),), "debatable", "locks tables"),),
    "ROLLBACK": (((), "debatable", "throws the changes of the transaction away"),),
    "REVOKE": (((("ON", "FROM"),), "debatable", "takes access away"),),
    "DENY": (((("ON", "TO"),), "debatable", "takes access away"),),
    "REASSIGN": (((("OWNED",),), "debatable", "gives objects to another user"),),
    "DETACH": (((("TABLE", "PARTITION", "PERMANENTLY"),), "debatable", "takes a table away"),
               ((("DELETE", "GRAPH"),), "destructive", "deletes nodes")),
    "RENAME": (((("TABLE", "TO"),), "debatable", "renames a table"),),
    "LOAD": (((("OVERWRITE",),), "destructive", "replaces what a table holds"),),
    "MSCK": (((("DROP", "SYNC"),), "debatable", "drops partitions"),),
    "OPTIMIZE": (((("DEDUPLICATE",),), "debatable", "removes rows that are there twice"),),
    "UNLOAD": (((("ALLOWOVERWRITE", "CLEANPATH"),), "debatable", "overwrites files"),),
    "EXPORT": (((("OVERWRITE",),), "debatable", "overwrites files"),),
}  # fmt: skip


def server(reading: Reading, words: Sequence[Token]) -> None:
    """One-word commands whose next word tells what they do."""
    names = {token.upper for token in words[1:]}
    for rest, class_, what in SERVER.get(words[0].upper, ()):
        if all(not names.isdisjoint(alternatives) for alternatives in rest):
            reading.say(class_, what, words)
            return


def remove(reading: Reading, words: Sequence[Token]) -> None:
    """``REMOVE @stage``, not English."""
    if len(words) > 1 and words[1].text.startswith("@"):
        reading.destroys("deletes files of a stage", words)

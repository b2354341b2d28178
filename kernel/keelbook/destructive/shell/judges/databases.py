"""Database clients: what they are told to run is judged in the database's own language.

Rules: the text is an option's value, an operand, a file this text wrote, or the standard input.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Dynamic, Flow
from keelbook.destructive.shell.judges.removal import is_listing
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.shell.targets import located
from keelbook.destructive.vocabulary import words


@dataclass(frozen=True, slots=True)
class Client:
    """``place``: the operand that begins the text, -1 for none."""

    language: str
    texts: frozenset[str]
    values: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    place: int = -1
    subcommand: tuple[str, ...] = ()


def _client(
    texts: str, values: str = "", files: str = "", place: int = -1, language: str = "sql",
    subcommand: str = "",
) -> Client:  # fmt: skip
    return Client(
        language, frozenset(texts.split()), frozenset(values.split()), frozenset(files.split()),
        place, tuple(subcommand.split()),
    )  # fmt: skip


_PSQL = _client("-c --command", "-h -p -U -d -v -o -F -P -R -T -L --host --port --username "
                "--dbname --set --variable --output", "-f --file")  # fmt: skip
_MYSQL = _client("-e --execute", "-u -h -P -D -S --user --host --port --database --socket "
                 "--defaults-file --init-command")  # fmt: skip
CLIENTS: dict[str, list[Client]] = {
    "psql": [_PSQL],
    "pgcli": [_PSQL],
    "usql": [_client("-c --command", "-d -o -v", "-f --file")],
    "mysql": [_MYSQL],
    "mariadb": [_MYSQL],
    "mycli": [_MYSQL],
    "mysqlsh": [_client("-e --execute", "-u -h -P -D --uri", "-f --file")],
    "sqlite3": [_client("-cmd", "-separator -newline -nullvalue -init -mmap -vfs", place=1)],
    "sqlite": [_client("", place=1)],
    "sqlcipher": [_client("-cmd", place=1)],
    "litecli": [_client("-e", place=1)],
    "duckdb": [_client("-c -s -cmd", "-init -separator -newline -nullvalue", place=1)],
    "sqlcmd": [_client("-Q -q", "-S -U -P -d -o -h -s -w -W -v -t", "-i")],
    "bq": [_client("", place=1, subcommand="query")],
    "snowsql": [_client("-q --query", "-a -u -d -s -r -w -h -p -o", "-f --filename")],
    "snow": [_client("-q --query", "", "-f --filename", subcommand="sql")],
    "clickhouse-client": [_client("-q --query", "-h -u -d --host --port --user --password "
                                  "--database", "--queries-file")],
    "clickhouse": [_client("-q --query", "-h -u -d --host --port --user --password --database",
                           "--queries-file", subcommand="client"),
                   _client("-q --query", "", subcommand="local")],
    "chdb": [_client("", place=0)],
    "cockroach": [_client("-e --execute", "--host --url -d --database --certs-dir -p",
                          subcommand="sql")],
    "cqlsh": [_client("-e --execute", "-u -p -k --keyspace --cqlshrc", "-f --file")],
    "ycqlsh": [_client("-e --execute", "-u -p -k", "-f --file")],
    "ysqlsh": [_PSQL],
    "beeline": [_client("-e", "-u -n -p -d", "-f")],
    "hive": [_client("-e", "--database --hiveconf -d", "-f")],
    "impala-shell": [_client("-q --query", "-i -d -u -o", "-f --query_file")],
    "presto": [_client("--execute", "--server --catalog --schema --user", "-f --file")],
    "trino": [_client("--execute", "--server --catalog --schema --user", "-f --file")],
    "spark-sql": [_client("-e", "--master --conf --database", "-f")],
    "vsql": [_client("-c --command", "-h -p -U -d -w", "-f --file")],
    "nzsql": [_client("-c", "-h -u -pw -d", "-f")],
    "gsql": [_PSQL],
    "isql": [_client("", "")],
    "osql": [_client("-Q -q", "-S -U -P -d", "-i")],
    "invoke-sqlcmd": [_client("-query", "-serverinstance -database", "-inputfile")],
    "influx": [_client("-execute --execute", "-database -host -port -username -password"),
               _client("", "--org --token", "-f --file", place=1, subcommand="query")],
    "questdb": [_client("", place=0)],
    "dolt": [_client("-q --query", "", "-f --file", subcommand="sql")],
    "rqlite": [_client("")],
    "ysql": [_PSQL],
    "db2": [_client("", "", "-f -tvf -tf", place=0)],
    "hdbsql": [_client("", "-n -u -p -d -i", "-I", place=0)],
    "bteq": [_client("")],
    "sqlplus": [_client("")],
    "wp": [_client("", place=2, subcommand="db query")],
    "drush": [_client("", place=1, subcommand="sql-query"), _client("", place=1, subcommand="sqlq"),
              _client("", place=1, subcommand="sql:query")],
    "heroku": [_client("-c --command", "-a --app", "-f --file", subcommand="pg:psql")],
    "wrangler": [_client("--command", "--env --name", "--file", subcommand="d1 execute")],
    "turso": [_client("", place=3, subcommand="db shell")],
    "pscale": [_client("-e --execute", "--org", subcommand="shell")],
    "neonctl": [_PSQL],
    "prisma": [_client("", "--url --schema", "--file", subcommand="db execute")],
    "aws": [_client("--sql", "", subcommand="rds-data execute-statement"),
            _client("--sql", "", subcommand="redshift-data execute-statement"),
            _client("--query-string", "", subcommand="athena start-query-execution"),
            _client("--statement", "", subcommand="dynamodb execute-statement")],
    "gcloud": [_client("--sql", "", subcommand="spanner databases execute-sql"),
               _client("--ddl", "", subcommand="spanner databases ddl update")],
    "az": [_client("--querytext -q", "-n -u -p -d", subcommand="postgres flexible-server execute"),
           _client("--querytext -q", "-n -u -p -d", subcommand="mysql flexible-server execute")],
    "mongosh": [_client("--eval", "-u -p --host --port --username --password", "--file -f",
                        language="javascript")],
    "mongo": [_client("--eval", "-u -p --host --port --username --password",
                      language="javascript")],
    "cypher-shell": [_client("", "-u -p -a -d --address --username --password --database",
                             "-f --file", place=0, language="cypher")],
    "memgraph": [_client("", language="cypher")],
    "mgconsole": [_client("", language="cypher")],
    "arangosh": [_client("--javascript.execute-string", language="javascript")],
    "surreal": [_client("", subcommand="sql")],
    "edgedb": [_client("-c", "", "-f", place=1, subcommand="query")],
}  # fmt: skip


def judge_database(call: Call) -> None:
    """A client's call; what its texts do not say, its table does."""
    for client in CLIENTS[call.name]:
        words = _after(call.words[1:], client.subcommand)
        if words is not None and not call.idle(head=True):
            _judge(call, client, words)
            if client.texts or client.place >= 0:
                break
    by_table(call)


def _after(words: Sequence[str], subcommand: tuple[str, ...]) -> list[str] | None:
    """The words with the subcommand still counted as operands; None when it is another one."""
    operands = [word for word in words if word[:1] != "-"]
    return list(words) if tuple(operands[: len(subcommand)]) == subcommand else None


def _judge(call: Call, client: Client, words: list[str]) -> None:
    texts, files, operands = _told(words, client)
    given = False
    for text in texts:
        given = True
        _text(call, client, text)
    for file in files:
        given = True
        _flow(call, client, call.scope.files.get(located(file, call.folder)))
    if client.place >= 0 and len(operands) > client.place:
        given = True
        for text in operands[client.place :]:
            _text(call, client, text)
    if call.fed and not given:
        _flow(call, client, call.stdin)


def _told(words: list[str], client: Client) -> tuple[list[str], list[str], list[str]]:
    """The texts, files and operands of a call."""
    texts: list[str] = []
    files: list[str] = []
    operands: list[str] = []
    waiting: list[str] | None = None
    for word in words:
        name, equals, value = word.partition("=")
        if waiting is not None:
            waiting.append(word)
            waiting = None
        elif word.lower() in client.texts or word in client.texts:
            waiting = texts
        elif equals and name in client.texts:
            texts.append(value)
        elif word in client.files:
            waiting = files
        elif equals and name in client.files:
            files.append(value)
        elif word in client.values:
            waiting = []
        elif word[:2] in client.texts and word[1] != "-" and len(word) > 2:
            texts.append(word[2:])
        elif word[:1] == "-" and word[1:2] != "-" and 2 < len(word) < 6:
            if f"-{word[-1]}" in client.texts:
                waiting = texts
        elif word[:1] != "-":
            operands.append(word)
    return texts, files, operands


def _text(call: Call, client: Client, text: str) -> None:
    if isinstance(text, Dynamic) and text.flow == DOWNLOAD:
        call.destroys("remote code", "runs what comes from the network")
        return
    escaped = re.match(r"\s*(?:\\!|\.shell|\.system|system|!)\s+(.+)", text)
    if escaped:
        call.read_shell(escaped[1])
    elif client.language == "sql" and re.match(r"\s*\\[a-z]", text):
        return
    else:
        call.read(client.language, text)


def _flow(call: Call, client: Client, flow: Flow | None) -> None:
    if flow == DOWNLOAD:
        call.destroys("remote code", "runs what comes from the network")
    elif flow is not None and flow.origin == "text":
        _text(call, client, flow.text)


# ---------------------------------------------------------------- Redis

_REDIS_VALUES = words("-h -p -s -a -u -n -r -i -d -D -x --user --pass --pattern --count")
_REDIS = {
    "flushall": ("destructive", "deletes every key of every database"),
    "flushdb": ("destructive", "deletes every key of a database"),
    "shutdown": ("destructive", "stops the database server"),
    "swapdb": ("debatable", "swaps two databases"),
    "del": ("debatable", "deletes keys"),
    "unlink": ("debatable", "deletes keys"),
    "hdel": ("debatable", "deletes fields of a key"),
    "ltrim": ("debatable", "cuts a list"),
    "expire": ("debatable", "lets a key expire"),
    "script flush": ("debatable", "forgets the loaded scripts"),
    "function flush": ("destructive", "deletes the loaded functions"),
    "config resetstat": ("debatable", "forgets statistics"),
    "cluster reset": ("destructive", "makes the node forget its cluster"),
    "cluster forget": ("debatable", "removes a node from its cluster"),
    "debug segfault": ("destructive", "crashes the database server"),
    "acl deluser": ("destructive", "deletes users"),
    "xgroup destroy": ("destructive", "deletes a consumer group"),
    "xtrim": ("debatable", "cuts a stream"),
    "replicaof": ("debatable", "makes the server a copy of another, losing its own data"),
    "slaveof": ("debatable", "makes the server a copy of another, losing its own data"),
    "ft.dropindex": ("destructive", "drops an index"),
}


def _redis(call: Call) -> None:
    if call.idle(head=True):
        return
    operands = call.arguments(_REDIS_VALUES - {"-x"}).operands
    if operands:
        _redis_command(call, operands)
    elif call.fed and call.stdin is not None and call.stdin.origin == "text":
        for line in call.stdin.text.splitlines()[:200]:
            _redis_command(call, line.split())


def _redis_command(call: Call, words: list[str]) -> None:
    lowered = [word.lower() for word in words]
    if lowered[:1] in (["eval"], ["evalsha"]):
        if re.search(r"(?i)['\"](?:flushall|flushdb|del|unlink)['\"]", " ".join(words)):
            call.destroys("databases", "runs a script that deletes keys")
        return
    found = _REDIS.get(" ".join(lowered[:2])) or (_REDIS.get(lowered[0]) if lowered else None)
    if found is None:
        return
    class_, what = found
    if lowered[:1] == ["replicaof"] and lowered[1:3] == ["no", "one"]:
        return
    if class_ == "destructive" or any(is_listing(word) for word in words):
        call.destroys("databases", what)
    else:
        call.may_lose("databases", what)


JUDGES = dict.fromkeys(CLIENTS, judge_database) | dict.fromkeys(
    ("redis-cli", "valkey-cli", "keydb-cli", "iredis", "dragonfly-cli"), _redis
)

"""Databases and data frames from Python: texts that run, and methods that delete.

Rules: a method counts where its name says enough, whoever has it; a name everybody uses needs a
receiver that is known.
"""

from __future__ import annotations

import re

from keelbook.destructive.python.deed import Deed
from keelbook.destructive.python.values import Items, Number, Symbol, Table, Text, Value, texts
from keelbook.destructive.vocabulary import words

_RUN_SQL = words(
    "execute executemany executescript exec_driver_sql read_sql read_sql_query sql raw "
    "execute_sql run_sql execute_query run_query query fetch fetchall fetchone fetchrow "
    "fetchval exec_sql execute_async execute_batch execute_values sqlquery query_df session_sql "
    "command text scalars scalar stream_execute run executeQuery executeUpdate execute_string"
)
_HEADS = re.compile(
    r"(?is)\s*(?:--[^\n]*\n\s*|/\*.*?\*/\s*|begin\s*;\s*|\()*(?:drop|delete|truncate|update|alter|merge|with|"
    r"insert|create|exec|execute|call|do|select|purge|shutdown|explain|set|replace|copy|restore|grant|"
    r"revoke|vacuum|flush|kill|lock|optimize|system|detach|match|rename|load|begin|use|/\*!)\b"
)
_ANYWHERE: dict[str, str] = {
    "delete_by_query": "deletes the documents its query names",
    "drop_all": "drops every table",
    "drop_database": "drops a database",
    "dropDatabase": "drops a database",
    "drop_collection": "drops a collection",
    "dropCollection": "drops a collection",
    "flushall": "deletes every key of every database",
    "flushdb": "deletes every key of a database",
    "truncate_table": "empties a table",
    "drop_table": "drops a table",
    "drop_column": "drops a column with its data",
    "drop_schema": "drops a schema",
    "drop_keyspace": "drops a keyspace",
    "delete_collection": "deletes a collection",
    "delete_database": "drops a database",
    "delete_index": "deletes an index",
    "delete_table": "deletes a table",
    "drop_tables": "drops tables",
    "delete_all": "deletes every record",
    "drop_namespace": "drops a namespace",
    "delete_topics": "deletes topics",
    "delete_records": "deletes records",
    "drop_measurement": "drops a measurement",
    "drop_retention_policy": "drops a retention policy",
    "delete_series": "deletes series",
    "detach_delete": "deletes nodes",
    "purge_queue": "deletes every message of a queue",
    "queue_delete": "deletes a queue",
    "queue_purge": "deletes every message of a queue",
    "exchange_delete": "deletes an exchange",
    "drop_partition": "drops a partition",
    "purge_table": "deletes a table",
}
_TESTS = (
    "fastapi.testclient",
    "starlette.testclient",
    "django.test",
    "flask.",
    "rest_framework.test",
)


def judge_tables(deed: Deed) -> bool:
    """Judges a call on a database; False when it is none."""
    last = deed.last
    if last in _RUN_SQL and _sql(deed):
        return True
    if deed.local and deed.name == last:
        return False
    what = _ANYWHERE.get(last)
    if what is not None and not deed.name.startswith(("str.", "self.")):
        deed.destroys("databases", what)
        return True
    judge = _METHODS.get(last)
    return judge(deed) if judge is not None else False


def _sql(deed: Deed) -> bool:
    value = deed.argument(0, "sql", "query", "statement", "stmt", "command", "q")
    if isinstance(value, Symbol) and value.name.endswith(("text()", "SQL()", "DDL()")):
        return False
    found = texts(value)
    if isinstance(value, Symbol) and value.name.endswith(("SQL().format()", ".format()")):
        found = texts(value.given[0]) if value.given else []
    for each in found:
        if _HEADS.match(each.text):
            deed.read("cypher" if re.match(r"(?i)\s*match\b", each.text) else "sql", each.text)
    return bool(found)


def _delete_many(deed: Deed) -> bool:
    query = deed.argument(0, "filter")
    if isinstance(query, Table) and query.items:
        deed.destroys("databases", "deletes the documents its filter names")
    else:
        deed.destroys("databases", "deletes every document of a collection")
    return True


def _delete_one(deed: Deed) -> bool:
    deed.may_lose("databases", "deletes a document")
    return True


def _delete(deed: Deed) -> bool:
    """``.delete()`` of query builders, by what it is called on."""
    name = deed.name
    if name.startswith(_TESTS) or name.startswith(("str.", "?.")):
        return False
    if re.search(r"\.indices\.delete$", name):
        deed.destroys("databases", "deletes an index")
        return True
    if name.endswith((".objects.all().delete", ".objects.delete", "_base_manager.all().delete")):
        deed.destroys("databases", "deletes every record")
        return True
    if re.search(
        r"\.objects\.exclude\(\)\.delete$|\.objects\.(?:order_by|select_related)\(\)\.delete$", name
    ):
        deed.destroys("databases", "deletes nearly every record")
        return True
    if re.search(r"\.objects\..*\(\)\.delete$", name):
        deed.may_lose("databases", "deletes the records its filter names")
        return True
    if re.search(r"\.query\(\)\.delete$|(?:^|\.)query\.delete$|\.delete\(\)\.execute$", name):
        deed.destroys("databases", "deletes every record")
        return True
    if re.search(r"\.(?:filter|filter_by|where)\(\)\.delete$", name):
        deed.may_lose("databases", "deletes the records its filter names")
        return True
    table = ".table()" in name or "deltatable" in name.lower()
    if table and not deed.given and not re.search(r"\.(?:eq|filter|match|in_|where)\(\)", name):
        deed.destroys("databases", "deletes rows of a table")
        return True
    return False


def _drop(deed: Deed) -> bool:
    """``collection.drop()``; a data frame's ``drop`` takes names."""
    if deed.given or deed.named:
        return _drop_of_table(deed)
    if re.search(
        r"pymongo|mongo|(?:^|\.|\[\])(?:\w*collection|coll|\w*table)(?:\(\)|\[\])?\.drop$|\[\]\.drop$",
        deed.name,
    ):
        deed.destroys("databases", "drops a collection or table")
        return True
    return False


def _drop_of_table(deed: Deed) -> bool:
    if re.search(r"sqlalchemy|__table__\.drop$|(?:^|\.)\w*table\w*\.drop$", deed.name):
        deed.destroys("databases", "drops a table")
        return True
    return False


def _to_sql(deed: Deed) -> bool:
    mode = deed.named.get("if_exists")
    if isinstance(mode, Text) and mode.text == "replace":
        deed.destroys("databases", "drops a table and writes it anew")
    return True


def _mode(deed: Deed) -> bool:
    """Spark's writers."""
    mode = deed.text(0, "saveMode")
    if mode is not None and mode.text == "overwrite" and ".write" in deed.name:
        deed.may_lose("databases", "overwrites a table or folder")
    return True


def _insert_into(deed: Deed) -> bool:
    if deed.flag("overwrite", 1):
        deed.destroys("databases", "replaces what a table holds")
    return True


def _vacuum(deed: Deed) -> bool:
    first = deed.argument(0, "retentionHours", "retention_hours")
    if isinstance(first, Number) or "deltatable" in deed.name.lower():
        deed.destroys("databases", "deletes old versions of a table")
        return True
    return False


def _remove_tree(deed: Deed) -> bool:
    """``dbutils.fs.rm``, and the file systems of fsspec."""
    name = deed.name
    known = name.startswith(
        ("dbutils.fs", "fsspec", "s3fs", "gcsfs", "adlfs", "pyarrow.fs", "mssparkutils")
    )
    remote = re.search(
        r"(?:^|\.)(?:fs|filesystem|s3|gcs|hdfs|client_hdfs|bucket_fs)\.(?:rm|delete)$", name
    )
    if known or (remote and (deed.flag("recursive") or deed.flag("recursive", 1))):
        deed.destroys("files", "removes files of a store")
        return True
    return False


def _update(deed: Deed) -> bool:
    if re.search(r"\.objects\.(?:all\(\)\.)?update$|\.query\(\)\.update$", deed.name):
        deed.destroys("databases", "overwrites every record")
        return True
    return False


def _remove(deed: Deed) -> bool:
    """pymongo's old ``remove``; paramiko's and docker's."""
    query = deed.argument(0)
    if isinstance(query, Table) and (
        "mongo" in deed.name or "coll" in deed.name or "db" in deed.name
    ):
        deed.destroys("databases", "deletes documents")
        return True
    if re.search(
        r"(?:^|\.)(?:sftp|open_sftp\(\)|ftp|SFTPClient\.\w+\(\))\.(?:remove|rmdir|unlink)$",
        deed.name,
    ):
        deed.destroys("files", "removes a file at the other end")
        return True
    return False


def _bulk(deed: Deed) -> bool:
    items = deed.argument(0)
    if isinstance(items, Items) and any(
        isinstance(each, Symbol) and each.name.endswith(("DeleteMany()", "DeleteOne()"))
        for each in items.items
    ):
        deed.destroys("databases", "deletes documents")
        return True
    return False


def _truncate(deed: Deed, value: Value | None = None) -> bool:
    """A file's ``truncate(0)``; a data frame's takes dates."""
    first = deed.argument(0, "size")
    if (isinstance(first, Number) and first.number == 0) or "open()" in deed.name:
        deed.destroys("files", "empties an open file")
        return True
    return False


_METHODS = {
    "delete_many": _delete_many,
    "deleteMany": _delete_many,
    "delete_one": _delete_one,
    "find_one_and_delete": _delete_one,
    "delete": _delete,
    "drop": _drop,
    "to_sql": _to_sql,
    "mode": _mode,
    "insertInto": _insert_into,
    "vacuum": _vacuum,
    "rm": _remove_tree,
    "delete_dir": _remove_tree,
    "delete_dir_contents": _remove_tree,
    "delete_file": _remove_tree,
    "rm_file": _remove_tree,
    "update": _update,
    "remove": _remove,
    "rmdir": _remove,
    "unlink": _remove,
    "bulk_write": _bulk,
    "truncate": _truncate,
}

TABLE_NAMES = _RUN_SQL | frozenset(_ANYWHERE) | frozenset(_METHODS)
"""Every method looked at here."""

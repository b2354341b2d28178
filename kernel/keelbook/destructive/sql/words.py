"""What statements say, as data: objects that are dropped, procedures and functions that act."""

from __future__ import annotations

from keelbook.destructive.vocabulary import words

GONE = words(
    "TABLE TABLES DATABASE SCHEMA KEYSPACE COLLECTION TABLESPACE USER ROLE LOGIN OWNED BUCKET "
    "MEASUREMENT SERIES SHARD ALL NAMESPACE CATALOG CLUSTER VOLUME PLUGGABLE FILEGROUP GRAPH "
    "STREAM DATASET COLUMNFAMILY BACKUP SNAPSHOT TENANT EDGE VERTEX REPLICA PARTITION STAGE "
    "DICTIONARY ENCRYPTION CERTIFICATE CREDENTIAL CHANGEFEED SHARE DATASOURCE RESOURCE "
    "ORGANIZATION WORKSPACE PROJECT COLUMN"
)
"""Dropping one loses data or access."""

SOFT = words(
    "INDEX VIEW FUNCTION PROCEDURE PROC TRIGGER SEQUENCE TYPE DOMAIN EXTENSION POLICY RULE "
    "CONSTRAINT AGGREGATE OPERATOR CAST COLLATION CONVERSION LANGUAGE SERVER SUBSCRIPTION "
    "PUBLICATION SYNONYM EVENT STATISTICS PACKAGE LIBRARY PROFILE WAREHOUSE TASK PIPE MACRO "
    "ROUTINE TRANSFORM ACCESS TEXT WRAPPER DEFAULT QUEUE CONNECTION ALIAS INTEGRATION "
    "CONTINUOUS RETENTION FILE NETWORK MASKING ROW TAG SECRET QUOTA SETTINGS WORKLOAD"
)
"""Dropping one is a matter of making it again."""

CASCADES = words("EXTENSION TYPE DOMAIN SEQUENCE SERVER")
"""With CASCADE these take columns or tables along."""

FUNCTIONS: dict[str, str] = {
    "LO_UNLINK": "deletes a large object",
    "PG_DROP_REPLICATION_SLOT": "drops a replication slot",
    "PG_FILE_UNLINK": "deletes a file of the server",
    "DROP_CHUNKS": "drops the data of a time range",
    "DROP_PARTITION": "drops the data of a partition",
    "DROPGEOMETRYTABLE": "drops a table",
    "DROPGEOMETRYCOLUMN": "drops a column",
    "TRUNCATE_TABLES": "empties tables",
    "MASTER_DROP_ALL_SHARDS": "drops a table's shards",
    "MASTER_REMOVE_NODE": "removes a node",
    "UNDISTRIBUTE_TABLE": "rewrites a table",
    "PG_REPLICATION_SLOT_ADVANCE": "skips changes of a replica",
    "DBMS_SCHEDULER.DROP_JOB": "drops a job",
    "DBMS_STATS.DELETE_SCHEMA_STATS": "deletes statistics",
    "SYS_EXEC": "runs a command on the server",
    "PG_TERMINATE_BACKEND": "ends sessions of the database",
}
SOFT_FUNCTIONS = words(
    "PG_CANCEL_BACKEND PG_STAT_RESET SETVAL PG_SWITCH_WAL PG_ROTATE_LOGFILE LOAD_EXTENSION "
    "PG_READ_FILE PG_WRITE_FILE PG_FILE_WRITE PG_STAT_STATEMENTS_RESET"
)

PROCEDURES: dict[str, str] = {
    "SP_DROPUSER": "drops a user",
    "SP_DROPLOGIN": "drops a login",
    "SP_DROPROLEMEMBER": "takes access away",
    "SP_DROPSRVROLEMEMBER": "takes access away",
    "SP_DROPROLE": "drops a role",
    "SP_DROPSERVER": "drops a linked server",
    "SP_REVOKELOGIN": "takes access away",
    "SP_REVOKEDBACCESS": "takes access away",
    "SP_DELETE_JOB": "deletes a job",
    "SP_DELETE_BACKUPHISTORY": "deletes the record of backups",
    "SP_PURGE_JOBHISTORY": "deletes the record of jobs",
    "XP_DELETE_FILE": "deletes files of the server",
    "XP_REGDELETEKEY": "deletes a part of the registry",
    "XP_REGDELETEVALUE": "deletes a part of the registry",
    "SP_DETACH_DB": "takes a database away",
    "SP_CYCLE_ERRORLOG": "drops the oldest log",
    "MYSQL.RDS_KILL": "ends a session",
    "DBMS_SCHEDULER.DROP_JOB": "drops a job",
    "UTL_FILE.FREMOVE": "deletes a file of the server",
    "SYSTEM$ABORT_SESSION": "ends a session",
    "REMOVE_ORPHAN_FILES": "deletes files of a table",
    "EXPIRE_SNAPSHOTS": "deletes snapshots of a table",
    "DROP_STATS": "drops statistics",
    "ROLLBACK_TO_SNAPSHOT": "takes a table back",
}
RUN_TEXT = words(
    "SP_EXECUTESQL SP_MSFOREACHTABLE SP_MSFOREACHDB SYS.SP_EXECUTESQL IMMEDIATE DBLINK_EXEC "
    "DBLINK SP_EXECUTE OPENQUERY DBMS_SQL.PARSE SP_MSFOREACH_WORKER SP_PREPEXEC SP_SQLEXEC"
)
"""Their texts are SQL."""

RUN_SHELL = words(
    "XP_CMDSHELL SYS.XP_CMDSHELL MASTER..XP_CMDSHELL MASTER.DBO.XP_CMDSHELL "
    "MASTER.SYS.XP_CMDSHELL SYS_EXEC SYS_EVAL"
)
"""Their texts are shell."""

PROSE = words(
    "the a an this that my your our all it them me us some any these those each every old new "
    "everything nothing please"
)
"""English after Update, Delete or Drop."""

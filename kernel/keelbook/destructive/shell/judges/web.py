"""Requests over the network: downloads, and what a DELETE or its like does at the other end.

Rules: a request is judged by its method, by the last part of its address and by the query in its
body, never by words elsewhere in the address.
"""

from __future__ import annotations

import re
from posixpath import basename

from keelbook.destructive.shell.call import Call
from keelbook.destructive.shell.flow import DOWNLOAD, Flow
from keelbook.destructive.shell.judges.removal import is_listing
from keelbook.destructive.shell.redirects import judge_overwrite
from keelbook.destructive.shell.tabled import by_table
from keelbook.destructive.shell.targets import is_sink, located
from keelbook.destructive.vocabulary import words

DELETES = "deletes something at the other end of the request"

_VERB = (
    r"(?:delete|destroy|purge|wipe|drop|terminate|erase|truncate|flush|remove|prune|reset|expunge)"
)
_ADDRESS = re.compile(
    rf"(?i)/(?:_delete_by_query|_bulk_delete|do{_VERB}|{_VERB}(?:[-_]?(?:all|batch|many|"
    rf"by[-_]?\w+|documents|data|database|index|project|user|account))?)/?(?:[?#].*)?$"
)
_DANGEROUS_END = re.compile(
    r"(?i)/(?:_shutdown|shutdown|safeexit|exit|quitquitquit|kill|reboot)/?$"
)
_MUTATION = re.compile(
    r"(?is)\bmutation\b.*?\{.*?\b(?:delete|remove|destroy|purge|drop|truncate|archive)\w*\s*[({]"
)
_CURL_VALUES = words(
    "-X -d -H -o -u -A -e -b -c -F -T -x -E -K -m -w -Q -r -y -Y -z --request --data --data-raw "
    "--data-binary --data-urlencode --header --output --user --user-agent --referer --cookie "
    "--cookie-jar --form --upload-file --proxy --cert --key --config --max-time --write-out "
    "--quote --json --url --url-query --connect-timeout --retry --retry-delay --cacert "
    "--resolve --netrc-file --postquote --prequote --dump-header -D --output-dir --interface "
    "--limit-rate --unix-socket --oauth2-bearer --connect-to --aws-sigv4 --form-string -C "
    "--continue-at --retry-max-time"
)
_BODIES = ("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "-F",
           "--form")  # fmt: skip
_SQL_SERVER = re.compile(r":(?:8123|9000|8443)(?:/|$|\?)|clickhouse|/(?:query|exec|_sql)(?:\?|$)")


def judge_request(call: Call, method: str, address: str, body: str) -> None:
    """One request."""
    if method == "DELETE":
        call.destroys("web", DELETES)
    elif method in ("POST", "PUT", "PATCH"):
        if _ADDRESS.search(address):
            call.destroys("web", DELETES)
        elif _DANGEROUS_END.search(address):
            call.may_lose("web", "stops something at the other end of the request")
        elif _MUTATION.search(body):
            call.destroys("web", DELETES)
        elif body and _SQL_SERVER.search(address):
            call.read("sql", re.sub(r"^query=", "", body))
    elif method == "PURGE":
        call.may_lose("web", "empties a cache at the other end")


def _curl(call: Call) -> Flow | None:
    given = call.arguments(_CURL_VALUES, clusters=True)
    if call.idle():
        return None
    addresses = given.operands + [value for name, value in given.values.items() if name == "--url"]
    bodies = [given.values[name] for name in _BODIES if name in given.values]
    body = " ".join(bodies)
    if body.startswith("@") or (body == "@-" and call.stdin is not None):
        body = call.stdin.text if call.stdin is not None else ""
    method = (given.value("-X", "--request") or "").upper()
    if not method:
        uploads = given.has("-T", "--upload-file")
        method = "PUT" if uploads else "POST" if bodies else "GET"
    if given.has("-G", "--get"):
        method = "GET"
    for address in addresses or [""]:
        judge_request(call, method, address, body)
    for word in (given.value("-Q", "--quote"), given.value("--postquote")):
        if word and re.match(r"[-+*]?(?:DELE|RMD|rm|rmdir)\b", word):
            call.destroys("web", DELETES)
    if any(is_listing(address) for address in addresses) and method == "DELETE":
        call.destroys("web", DELETES)
    return _saved(call, given.value("-o", "--output"), given.has("-O", "--remote-name"), addresses)


def _saved(call: Call, target: str | None, by_name: bool, addresses: list[str]) -> Flow | None:
    """Where a download goes: a file or the output."""
    if by_name and target is None:
        for address in addresses:
            call.scope.files[located(basename(address.split("?")[0]), call.folder)] = DOWNLOAD
        return None
    if target is None or target in ("-", "/dev/stdout"):
        return DOWNLOAD
    if not is_sink(target):
        judge_overwrite(call, target)
        call.scope.files[located(target, call.folder)] = DOWNLOAD
    return None


_WGET_VALUES = words(
    "-O -o -P -U -t -T -w -i -A -R -D -I -X -e -Q --output-document --output-file "
    "--directory-prefix --user-agent --method --body-data --body-file --header --post-data "
    "--post-file --user --password --tries --timeout --wait --input-file"
)


def _wget(call: Call) -> Flow | None:
    given = call.arguments(_WGET_VALUES, clusters=True)
    if call.idle() or given.has("--spider"):
        return None
    posted = given.value("--post-data", "--body-data") or ""
    method = (given.value("--method") or ("POST" if posted else "GET")).upper()
    for address in given.operands or [""]:
        judge_request(call, method, address, posted)
    target = given.value("-O", "--output-document")
    if target is None:
        folder = given.value("-P", "--directory-prefix")
        for address in given.operands:
            name = basename(address.split("?")[0])
            path = f"{folder}/{name}" if folder else name
            call.scope.files[located(path, call.folder)] = DOWNLOAD
        return None
    return _saved(call, target, False, given.operands)


def _httpie(call: Call) -> Flow | None:
    given = call.arguments(
        words(
            "-a --auth -A -o --output --session --verify --timeout -s --style -p --print "
            "--proxy --raw"
        )
    )
    operands = given.operands
    if not operands or call.idle():
        return None
    method = operands[0].upper() if operands[0].isalpha() else ""
    address = operands[1] if method and len(operands) > 1 else operands[0]
    fields = operands[2 if method else 1 :]
    data = any(re.match(r"[^:=@]+:?=", field) for field in fields) or given.has("--raw")
    if method not in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE"):
        method = "POST" if data else "GET"
    judge_request(call, method, address, " ".join(fields) + (given.value("--raw") or ""))
    return _saved(call, given.value("-o", "--output"), False, [])


def _aria(call: Call) -> None:
    given = call.arguments(words("-o -d --out --dir -x -s -j -i"))
    target = given.value("-o", "--out")
    folder = given.value("-d", "--dir")
    for address in given.operands:
        name = target or basename(address.split("?")[0])
        path = f"{folder}/{name}" if folder else name
        call.scope.files[located(path, call.folder)] = DOWNLOAD


_API_VALUES = words(
    "-X --method -f -F -H --input -q --jq --field --raw-field --header -t --hostname --form -R "
    "--repo --request -d --data --params --body"
)


def _forge(call: Call) -> Flow | None:
    """``gh api`` and ``glab api`` are requests; the rest is a table."""
    words = list(call.words[1:])
    if words[:1] == ["api"] or words[:2] == ["api", "graphql"]:
        given = call.arguments(_API_VALUES)
        if call.idle():
            return None
        fields = [words[at + 1] for at, word in enumerate(words[:-1])
                  if word in ("-f", "-F", "--field", "--raw-field", "--input")]  # fmt: skip
        method = (
            given.value("-X", "--method", "--request") or ("POST" if fields else "GET")
        ).upper()
        address = given.operands[1] if len(given.operands) > 1 else ""
        judge_request(call, method, f"/{address}", " ".join(fields))
        return DOWNLOAD if method == "GET" else None
    by_table(call)
    return None


def _invoke(call: Call) -> Flow | None:
    """PowerShell's requests."""
    words = [word.lower() for word in call.words]
    method = next((words[at + 1] for at, word in enumerate(words[:-1])
                   if word in ("-method", "-custommethod")), "get").upper()  # fmt: skip
    address = next((word for word in call.words[1:] if "://" in word), "")
    judge_request(call, method, address, "")
    target = next(
        (call.words[at + 1] for at, word in enumerate(words[:-1]) if word == "-outfile"), None
    )
    return _saved(call, target, False, [])


def _netcat(call: Call) -> Flow | None:
    """Text protocols typed by hand."""
    flow = call.stdin
    if flow is not None and flow.origin == "text":
        if re.search(r"(?im)^\s*(?:flush_all|flushall|flushdb|shutdown)\b", flow.text):
            call.destroys("databases", "empties or stops a server")
        elif re.match(r"DELETE /", flow.text):
            call.destroys("web", DELETES)
    text = call.arguments(words("-e -c --exec --sh-exec -p -w")).value("-c", "-e")
    if text:
        call.may_lose("remote code", "runs what comes from the network")
    return DOWNLOAD


def _ftp(call: Call) -> None:
    flow = call.stdin
    text = flow.text if flow is not None and flow.origin == "text" else ""
    if re.search(r"(?im)^\s*(?:delete|mdelete|rm|rmdir|dele|rmd)\s", text):
        call.destroys("files", "removes files at the other end")


JUDGES = {
    "curl": _curl,
    "wget": _wget,
    "http": _httpie,
    "https": _httpie,
    "xh": _httpie,
    "xhs": _httpie,
    "aria2c": _aria,
    "gh": _forge,
    "glab": _forge,
    "invoke-restmethod": _invoke,
    "irm": _invoke,
    "invoke-webrequest": _invoke,
    "iwr": _invoke,
    "nc": _netcat,
    "ncat": _netcat,
    "netcat": _netcat,
    "telnet": _netcat,
    "socat": _netcat,
    "ftp": _ftp,
    "sftp": _ftp,
}

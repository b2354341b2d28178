"""Clouds, clusters, services and the web from Python, by the module a receiver comes from.

Rules: a client's method deletes when its name says so. A receiver nobody knows counts only where
the name's noun is a thing of infrastructure.
"""

from __future__ import annotations

import re

from keelbook.destructive.python.deed import Deed
from keelbook.destructive.python.values import Number, Text
from keelbook.destructive.vocabulary import words

_HTTP = words(
    "requests httpx aiohttp urllib3 treq grequests niquests curl_cffi requests_html http urllib "
    "asks"
)
_SERVICES = words(
    "boto3 botocore aioboto3 aiobotocore kubernetes kubernetes_asyncio openshift google azure "
    "digitalocean hcloud linode_api4 oci openstack docker podman github gitlab stripe twilio "
    "huggingface_hub wandb mlflow slack_sdk sentry_sdk pulumi consul hvac etcd3 kazoo pika "
    "kafka confluent_kafka nats redis aioredis elasticsearch opensearchpy pinecone weaviate "
    "qdrant_client chromadb pymilvus pymongo motor cassandra influxdb influxdb_client minio "
    "b2sdk paramiko fabric jira atlassian auth0 okta cloudflare vercel netlify heroku3 jenkins "
    "ldap3 nomad ovirtsdk4 proxmoxer pyVmomi libcloud snowflake databricks prefect airflow "
    "celery rq libvirt keyring pyicloud dropbox boxsdk googleapiclient apiclient firebase_admin "
    "supabase algoliasearch meilisearch typesense tencentcloud aliyunsdkcore "
    "alibabacloud_ecs20140526 ibm_boto3 ibm_vpc scaleway vultr exoscale upcloud_api rabbitpy "
    "kombu shopify mailchimp_marketing notion_client openai anthropic replicate comet_ml "
    "neptune clearml dagshub dvc git pygit2 sagemaker winreg psutil nova keystoneclient "
    "novaclient cinderclient neutronclient"
)
_HARD = re.compile(
    r"(?:^|_|begin_)(?:delete|destroy|terminate|purge|drop|wipe|truncate|flush|prune|erase|"
    r"deregister|deprovision|hard_delete|force_delete|expunge|obliterate|schedule_key_deletion|"
    r"unpublish|rmtree)(?:_|$)|^(?:delete|destroy|terminate|purge|drop|wipe|remove|flush|rm)[A-Z]\w*"
)
_SOFT = re.compile(
    r"^(?:begin_)?(?:stop|reboot|detach|disable|revoke|reset|cancel|restart|deallocate|power_off|"
    r"suspend|rollback|uninstall|unregister|kill|shutdown|remove)(?:_|$)"
)
_TAGS = re.compile(r"(?:tag|tags|label|labels|message|comment|reaction|cookie)s?$")
_NOUNS = re.compile(
    r"^(?:batch_|begin_|force_|admin_)?(?:delete|terminate|destroy|purge|drop|wipe)_(?:"
    r"bucket|instances?|objects?|stack|table|cluster|namespaced?_?\w*|queue|topic|db_\w+|"
    r"database|collection|volume|snapshots?|vpc|subnet|security_group|load_balancer|function|"
    r"log_group|log_stream|hosted_zone|secret|key_pair|repository|nodegroup|resource_group|blobs?|"
    r"file_system|droplet|server|images?|item|domain|user_pool|stream|rule|role|policy|"
    r"distribution|certificate|endpoint|pods?|deployment|node|persistent_volume\w*|zone|record_set|"
    r"db|dataset|project|environment|backup|vault|archive|index|keyspace|job_definition|parameter"
    r")s?$"
)
SERVICE_NAMES = re.compile(
    r"(?i)delete|destroy|terminate|purge|drop|wipe|truncate|flush|prune|erase|deregister|deprov|"
    r"expunge|obliterate|deletion|unpublish|remove|\brm|stop_|reboot|detach|disable|revoke|reset|"
    r"cancel|restart|dealloc|power_off|suspend|rollback|uninstall|unregister|kill|shutdown|scale|"
    r"\b(?:request|send|urlopen|post|put|patch|clean|push|checkout|reflog|gc|stash|stream)\b"
)
"""No method outside this is looked at."""

_SESSION = re.compile(r"(?:^|\.)(?:Client|Session|AsyncClient|ClientSession|session)\(\)\.\w+$")
_ADDRESS = re.compile(
    r"(?i)/(?:_delete_by_query|(?:delete|destroy|purge|wipe|drop|terminate|erase|flush)"
    r"(?:[-_]?(?:all|batch|many|by[-_]?\w+))?)/?(?:\?.*)?$"
)
_UNSAFE_ROOTS = frozenset({"self", "cls", "?"})
_VCS = re.compile(
    r"(?:^|\.)(?:git|repo)\.(reset|clean|push|checkout|rm|branch|stash|filter_branch|update_ref|reflog|gc)$"
)


def judge_service(deed: Deed) -> None:
    """Judges a method of a client."""
    root = deed.name.partition(".")[0].removesuffix("()")
    if (root in _HTTP or _SESSION.search(deed.name)) and _request(deed):
        return
    if root in ("git", "repo") or ".git." in deed.name:
        found = _VCS.search(deed.name)
        if found:
            _git(deed, found[1])
            return
    if root in _SERVICES:
        _client(deed, root)
    elif "." in deed.name and root not in _UNSAFE_ROOTS and _NOUNS.match(deed.last):
        deed.destroys("cloud", f"calls `{deed.last}` of a client")


def _request(deed: Deed) -> bool:
    last = deed.last
    method = ""
    if last in ("request", "Request", "stream", "urlopen", "send", "open"):
        named = deed.named.get("method")
        first = deed.text(0)
        method = named.text if isinstance(named, Text) else first.text if first is not None else ""
    elif last in ("delete", "post", "put", "patch"):
        method = last
    address = deed.text(0, "url")
    if method.upper() == "DELETE":
        deed.destroys("web", "deletes something at the other end of the request")
        return True
    if last in ("post", "put", "patch") and address is not None and _ADDRESS.search(address.text):
        deed.destroys("web", "deletes something at the other end of the request")
        return True
    return last in ("get", "post", "put", "patch", "head", "options")


def _client(deed: Deed, root: str) -> None:
    last = deed.last
    kind = "containers" if root in ("docker", "podman") else "cloud"
    if root in ("kubernetes", "kubernetes_asyncio", "openshift"):
        kind = "kubernetes"
    if root == "celery":
        kind = "queues"
    if _TAGS.search(last) and last != "delete_objects":
        return
    if root in ("redis", "aioredis", "psutil"):
        if last in ("delete", "unlink", "kill", "terminate"):
            deed.may_lose("databases" if root != "psutil" else "processes", f"calls `{last}`")
        return
    if last == "remove" and root in ("docker", "podman"):
        if deed.flag("force") or "volume" in deed.name:
            deed.destroys(kind, "removes containers or volumes by force")
        else:
            deed.may_lose(kind, "removes a container or image")
    elif _HARD.search(last) or last in (
        "remove_object",
        "remove_bucket",
        "remove_objects",
        "remove_project",
    ):
        deed.destroys(kind, f"calls `{last}` of a client of {root}")
    elif _SOFT.match(last):
        deed.may_lose(kind, f"calls `{last}` of a client of {root}")
    elif last.startswith("scale") and any(
        isinstance(value, Number) and value.number == 0 for value in deed.given
    ):
        deed.may_lose(kind, "stops a workload")


def _git(deed: Deed, name: str) -> None:
    """GitPython's ``repo.git.reset('--hard')`` is the command."""
    listed = [text for value in deed.given if isinstance(value, Text) for text in [value]]
    options = [
        Text(f"--{key.replace('_', '-')}" if len(key) > 1 else f"-{key}")
        for key, value in deed.named.items()
        if isinstance(value, Number) and value.number
    ]
    if ".git." in deed.name or deed.name.startswith("git."):
        deed.run_words([Text("git"), Text(name.replace("_", "-")), *options, *listed])

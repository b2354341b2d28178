"""Other clouds, hosting platforms and object stores."""

TABLE = """
[cloud]
D mc rm|rb : deletes objects of a store
D mc mirror --remove : deletes what the source does not have
D mc undo : takes the last change back
D mc ilm|retention|legalhold|version|replicate|event|encrypt|tag|anonymous|policy|quota ... rm|\
remove|clear|reset : removes a guard
D mc admin user|group|policy|service|bucket|config|replicate|decommission|accesskey|pool|cluster|\
kms ... remove|rm|stop|start|reset|restart|disable|delete|wipe : removes users or stops the store
S mc mv : deletes the source object
C mc
D swift delete : deletes objects of a store
D s3fs,goofys,obsutil,ossutil,ossutil64,coscli,coscmd,bcecmd,tosutil,qsctl,qshell rm|delete|del|\
rb|abort|batchdelete|batch-delete|delete-bucket|clean : deletes objects of a store
D obsutil,ossutil,coscli,coscmd sync --delete : deletes what the source does not have
D b2 delete-bucket|delete-file-version|rm|delete-key|clear-account : deletes objects of a store
D b2 bucket|file|key delete|hide : deletes objects of a store
D b2 sync --delete|--keepDays|--keep-days|--replace-newer : deletes what the source does not have
C b2
D uplink rb|rm : deletes objects of a store
D duckcli,cyberduck,duck --delete : deletes files at the other end
= doctl,hcloud,linode-cli,vultr-cli,scw,civo,exo,oci,ibmcloud,aliyun,tccli,openstack,flyctl,fly,\
heroku values --context --token --access-token -o --output --format --profile --region \
--compartment-id -a --app -t -c --config -r --remote
D doctl ... delete|rm|d|destroy|delete-*|remove-*|purge|untag|detach : deletes a resource
S doctl ... power-off|shutdown|reboot|power-cycle|rebuild|restore|cancel|stop : stops a droplet
C doctl
D hcloud ... delete|rebuild|disable-protection|remove-*|reset : deletes or resets a resource
S hcloud ... poweroff|shutdown|reset|reboot|stop|detach* : stops a server
C hcloud
D linode-cli ... delete|rm|rebuild|*-delete|remove : deletes a resource
D linode-cli obj rb|rm|del : deletes objects of a store
S linode-cli ... shutdown|reboot|cancel : stops a resource
D vultr-cli ... delete|destroy|reinstall|halt|restore : deletes a resource
D scw ... delete|terminate|purge|wipe|reinstall : deletes a resource
S scw ... stop|reboot|poweroff|detach : stops a resource
D civo,exo,upctl,cloudscale,gridscale,packet,metal,equinix,kamatera,binarylane,katapult,ovhcloud,\
ionosctl,stackit,usacloud,brightbox,rack,gandi ... delete|remove|rm|destroy|terminate|reset|wipe \
: deletes a resource
D oci ... delete|terminate|bulk-delete|purge|schedule-deletion|delete-*|bulk-delete-*|remove|\
scheduledeletion : deletes a resource
S oci ... stop|reset|softstop|action|detach : stops a resource
C oci
D ibmcloud ... *-delete|*-rm|delete|*-remove|rm|service-delete|resource-delete|*-purge|\
instance-delete|object-delete|bucket-delete|key-delete|destroy|worker-rm|cluster-rm|cancel : \
deletes a resource
S ibmcloud ... *-stop|*-reboot|*-disable|stop|disable : stops a resource
C ibmcloud
D aliyun,tccli,ucloud,qingcloud ... delete*|release*|terminate*|destroy*|remove*|purge*|clear*|\
drop*|reset* : deletes a resource
D yc ... delete|purge|remove : deletes a resource
D openstack ... delete|rebuild|purge|unset|remove|abandon : deletes a resource
S openstack ... stop|reboot|suspend|pause|shelve|lock|resize|evacuate|restart : stops a resource
D nova,cinder,glance,neutron,keystone,heat,swift,ironic,trove,magnum,designate,manila,octavia \
*-delete|delete|force-delete|snapshot-delete|reset-state|rebuild|purge : deletes a resource
D nova-manage,cinder-manage,glance-manage,keystone-manage,neutron-db-manage db purge|\
archive_deleted_rows|purge_images_table : deletes records
D proxmox,govc ... destroy|delete|rm|remove : destroys a virtual machine
D govc vm.destroy|datastore.rm|snapshot.remove|snapshot.revert|pool.destroy|host.remove|\
cluster.rm|object.destroy|folder.rm|disk.rm|library.rm|datastore.remove|vm.disk.remove|\
device.remove|host.shutdown|host.reconnect|dvs.rm|role.remove|permissions.remove|*.rm|*.destroy|\
*.remove : destroys a virtual machine
S govc vm.power|vm.unregister|host.maintenance.enter : stops a virtual machine
D stackql,steampipe,cloudquery delete|uninstall : deletes a resource
[platforms]
D heroku apps:destroy|destroy|apps:delete|addons:destroy|addons:detach|config:unset|\
domains:remove|domains:clear|keys:clear|keys:remove|pipelines:destroy|spaces:destroy|\
teams:destroy|ps:kill|releases:rollback|repo:purge_cache|repo:reset|access:remove|drains:remove|\
certs:remove|webhooks:remove|buildpacks:clear|redis:reset|kafka:topics:destroy|\
kafka:consumer-groups:destroy|members:remove|authorizations:revoke|authorizations:destroy|\
clients:destroy|pipelines:remove|reviewapps:disable|labs:disable|data:labs:disable|\
data:privatelink:delete|git:reset : destroys a part of an application
S heroku ps:restart|ps:stop|restart|maintenance:on|ps:scale|rollback : stops an application
D heroku addons|apps|domains|pipelines ... destroy|delete|remove : destroys a part of an application
C heroku
D fly,flyctl apps|app|volumes|volume|vol|machines|machine|postgres|pg|redis|ips|certs|secrets|\
wireguard|tokens|orgs|storage|mpg|extensions|ext|dns-records|domains|image|services|registry|\
mysql|litefs-cloud|checks|config ... destroy|delete|rm|remove|unset|release|revoke|kill|failover|\
detach : destroys a part of an application
D fly,flyctl destroy|suspend|delete : destroys an application
D fly,flyctl scale count 0 : stops every machine
S fly,flyctl scale|restart|machine|machines|apps stop|count|restart|suspend : stops an application
C fly,flyctl
D vercel,now remove|rm : removes a deployment
D vercel project|projects|env|domains|dns|certs|alias|secrets|blob rm|remove : removes a part of \
a project
S vercel rollback|promote : takes a deployment back
C vercel,now
D netlify sites:delete|env:unset|addons:delete|blobs:delete : deletes a site
D netlify api @delete* : deletes a site
C netlify
D railway down|delete|remove : removes a deployment
D railway environment|volume|service|project delete : removes a part of a project
D render services|deploys|envs ... delete|cancel|rm : deletes a service
D wrangler delete : deletes a worker
D wrangler ... delete|bulk-delete|rm|remove|destroy|purge|revoke : deletes a part of a worker
D wrangler kv bulk|key|namespace delete : deletes keys
D wrangler kv:key|kv:bulk|kv:namespace|r2|d1|secret|queues|pages|hyperdrive|vectorize|workflows \
delete|terminate : deletes keys
S wrangler rollback : takes a deployment back
C wrangler
D flarectl,cloudflared,cfcli ... delete|rm|purge|cleanup|d : deletes names or tunnels
D cloudflared tunnel delete|cleanup : deletes tunnels
D surge teardown : removes a site
D surge ... teardown : removes a site
D eas channel:delete|branch:delete|update:delete|build:delete|metadata:delete|secret:delete|\
env:delete : deletes a part of an application
D platform,upsun environment:delete|project:delete|backup:delete|backup:restore|variable:delete|\
user:delete|domain:delete|integration:delete|organization:delete|environment:deactivate|\
certificate:delete|db:drop|environment:synchronize|subscription:delete : deletes an environment
D terminus env:wipe|site:delete|multidev:delete|env:clone-content|backup:restore|branch:delete|\
domain:remove|tag:remove|owner:set|import:database|redis:disable|solr:disable : wipes an environment
D acli,acquia ... delete|destroy|wipe|restore|purge : deletes an environment
D scalingo destroy|addons-remove|apps-destroy|domains-remove|collaborators-remove|env-unset|\
db-api|one-off-stop : destroys an application
D clever delete|addon|domain|env|unlink ... delete|rm : deletes an application
D clever delete : deletes an application
D koyeb,northflank,porter,zeabur,qovery,cyclic,deta,back4app,nhost,appwrite ... delete|destroy|rm|\
remove : deletes an application
D appwrite ... delete|deletedocument|delete-* : deletes a part of a project
D modal app|volume|secret|dict|queue|environment|container|nfs stop|delete|rm|clear : deletes a \
part of an application
D runpodctl,vastai,brev remove|destroy|down|terminate|stop|delete : ends machines
D sky down|storage|jobs|serve|autostop ... delete|down|cancel : ends machines
D sky down : ends machines
D huggingface-cli,hf repo|repo-files|delete-cache|cache|jobs|collections ... delete|rm|\
delete-files|prune : deletes a repository
D huggingface-cli delete-cache : deletes a cache
S ollama rm : removes a model
D openai ... delete|cancel : deletes files or models
D kaggle,replicate ... delete : deletes a data set
"""

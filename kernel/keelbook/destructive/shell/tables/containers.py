"""Containers and what they keep: volumes, images, registries."""

TABLE = """
[containers]
= docker,podman,nerdctl,docker-compose,podman-compose values -H --host -c --context --config -l \
--log-level --connection --url -n --namespace -f --file -p --project-name --profile --env-file \
--project-directory --ansi --parallel
D docker,podman,nerdctl system prune|reset : removes every unused container, network and image
D docker,podman,nerdctl volume rm|remove|prune : deletes volumes with their data
D docker,podman,nerdctl container prune : removes every stopped container
D docker,podman,nerdctl container rm -f|--force|-v|--volumes|-a|--all : removes running containers
D docker,podman,nerdctl rm -f|--force|-v|--volumes|-a|--all : removes running containers
M docker,podman,nerdctl rm : removes stopped containers
M docker,podman,nerdctl container rm : removes stopped containers
D docker,podman,nerdctl image|images prune : removes images
D docker,podman,nerdctl rmi -f|--force|-a|--all : removes images by force
M docker,podman,nerdctl rmi : removes images
M docker,podman,nerdctl image rm|remove : removes images
S docker,podman,nerdctl network rm|remove|prune : removes networks
S docker,podman,nerdctl builder|buildx prune|rm : removes a build cache
S docker buildx prune|rm : removes a build cache
D docker,podman compose down -v|--volumes|--rmi : removes containers with their volumes
S docker,podman compose down : removes containers
D docker,podman compose rm -f|--force|-v|--volumes : removes containers
S docker,podman compose rm|kill|stop|restart : stops containers
C docker,podman compose
D docker-compose,podman-compose down -v|--volumes|--rmi : removes containers with their volumes
S docker-compose,podman-compose down : removes containers
D docker-compose,podman-compose rm -f|--force|-v|--volumes : removes containers
S docker-compose,podman-compose rm|kill|stop|restart : stops containers
C docker-compose,podman-compose
M docker,podman,nerdctl kill|stop|restart : stops containers
M docker,podman,nerdctl container kill|stop|restart : stops containers
D docker stack rm|remove|down : removes a stack
D docker service rm|remove : removes services
S docker service scale|rollback : changes services
D docker secret|config rm|remove : deletes secrets or configurations
D podman secret|pod|kube|machine rm|down|prune|reset : removes pods, secrets or machines
D docker swarm leave -f|--force : takes a manager away from the swarm
S docker swarm leave|ca|join-token : changes the swarm
D docker node rm|remove|demote : removes nodes of the swarm
D docker checkpoint|trust|manifest rm|remove|revoke : removes what was kept
D docker plugin rm|remove -f|--force : removes plug-ins
S docker plugin rm|remove|disable : removes plug-ins
S docker context rm|remove : removes a context
D docker model rm : removes a model
C docker,podman,nerdctl
D crictl rm|rmp|rmi -a|--all|-f|--force|--prune : removes containers or images
M crictl rm|rmp|rmi|stop|stopp : removes containers or images
D ctr containers|c|images|i|snapshots|snapshot|content|leases|namespaces|ns|tasks|t rm|remove|\
delete|del|prune|kill : removes containers or images
D buildah rm|rmi|prune -a|--all|-f|--force : removes containers or images
S buildah rm|rmi|prune : removes containers or images
D lxc,incus delete|rm : deletes containers
D lxc,incus storage|image|network|profile|project|snapshot|cluster|config|remote|volume ... \
delete|rm|remove|unset : deletes what containers need
S lxc,incus stop|restart|restore : stops containers
D lxc-destroy,lxc-snapshot -n|-d|-r|--destroy|-f|--name : deletes containers
D lxc-destroy + : deletes containers
S lxc-stop : stops containers
D machinectl remove : deletes a container
D skopeo delete : deletes an image of a registry
D skopeo sync --remove : deletes images of a registry
D regctl,crane,reg,oras,gcrane tag|image|manifest|repo|blob|delete|rm delete|rm|gc : deletes an \
image of a registry
D regctl,crane,reg,oras,gcrane delete|rm|gc : deletes an image of a registry
D registry garbage-collect : deletes layers of a registry
D harbor,harbor-cli ... delete : deletes a part of a registry
S singularity,apptainer cache clean : deletes a cache
D toolbox,distrobox,distrobox-rm rm|+ : removes a container
D kind delete : deletes a cluster
D ddev,lando,wodby,docksal,fin delete|destroy|clean|poweroff|remove|system : deletes a project's \
containers and data
D dokku apps:destroy|*:destroy|cleanup|ps:stop-all|*:unlink|*:unexpose-all : destroys an application
S dokku ps:stop|ps:restart|*:unset : stops an application
D caprover,coolify,captain ... delete|uninstall|reset : destroys an application
D nomad job stop -purge|--purge : deletes a job
D nomad stop -purge : deletes a job
S nomad stop : stops a job
S nomad job stop|revert : stops a job
D nomad system gc : removes what is not used
D nomad namespace|volume|quota|acl|var|operator|server|node|sentinel|service|plugin ... delete|\
purge|deregister|force-leave|remove-peer|drain|detach : deletes a part of a cluster
S nomad alloc|node|deployment|eval stop|drain|fail|restart|eligibility : stops a job
D mesos,marathon,dcos ... remove|destroy|kill|uninstall : removes a service
"""

"""Kubernetes: kubectl and its relatives, package managers, clusters."""

TABLE = """
[kubernetes]
= kubectl,oc,k,kubecolor values -n --namespace --context --cluster --kubeconfig --user -s \
--server --token --as --as-group --request-timeout -l --selector --field-selector --grace-period \
--timeout -o --output -f --filename -k --kustomize --cascade --replicas --type -p --patch -c \
--container --resource-version --api-version
= kubectl,oc,k,kubecolor dry --dry-run=client --dry-run=server
D kubectl,oc,k,kubecolor delete : deletes resources of a cluster
D kubectl,oc,k,kubecolor drain : moves everything off a node
D kubectl,oc,k,kubecolor replace --force : deletes resources and makes them anew
D kubectl,oc,k,kubecolor apply|create|set --prune : deletes resources that are not described
D kubectl,oc,k,kubecolor patch --patch=*finalizers*null*|*finalizers*[]* : takes the guards off a \
resource
D kubectl,oc,k,kubecolor patch -p=*finalizers*null*|*finalizers*[]* : takes the guards off a \
resource
D kubectl,oc,k,kubecolor taint ... @*:NoExecute : moves everything off a node
S kubectl,oc,k,kubecolor taint|cordon : keeps work off a node
D kubectl,oc,k,kubecolor scale --replicas=0 --all : stops everything
S kubectl,oc,k,kubecolor scale --replicas=0 : stops a workload
S kubectl,oc,k,kubecolor rollout undo|restart|pause : changes a workload
S kubectl,oc,k,kubecolor patch|replace|edit|annotate|label --overwrite|-f : changes resources
D kubectl,oc,k,kubecolor config delete-context|delete-cluster|delete-user|unset : removes access \
to a cluster
D kubectl,oc,k,kubecolor certificate deny : refuses a certificate
D kubectl,k argo|rollouts|cert-manager|cnpg|krew|neat|minio|directpv|df-pv|openebs|rook-ceph|\
mayastor|hns|ns ... delete|abort|destroy|uninstall|purge|remove|drop|clean : deletes resources
D oc adm prune|drain : removes what is not used
S oc rollback|cancel-build|idle : changes a workload
C kubectl,oc,k,kubecolor
D helm,helm3 uninstall|delete|del|un : removes a release
S helm,helm3 upgrade --force|--reset-values : replaces resources by force
S helm,helm3 rollback : takes a release back
S helm,helm3 repo|plugin remove|rm|uninstall : removes a repository
C helm,helm3
D helmfile destroy|delete : removes releases
S helmfile apply|sync : changes releases
D helmsman --destroy : removes releases
D skaffold,okteto,garden,devspace,porter,acorn delete|destroy|purge|uninstall|cleanup : removes \
what was deployed
S skaffold,tilt,okteto down : removes what was deployed
D werf dismiss|purge : removes what was deployed
S werf cleanup|host : removes what is not used
D kapp delete|app-group : deletes an application
D kpt live destroy : deletes resources
D kustomize,k14s,kluctl,timoni delete|prune : deletes resources
D kluctl delete|prune|poke-images : deletes resources
D kops delete : deletes a cluster
D kops rolling-update --cloudonly|--force : replaces the nodes of a cluster
D eksctl,gkectl,aksctl delete|drain : deletes a cluster
D eksctl utils|upgrade ... delete|disassociate* : deletes a part of a cluster
D kind,k3d,kwok,kwokctl,ctlptl,minikube,vcluster,k0sctl,kurl,microk8s delete|reset|uninstall : \
deletes a cluster
D k3d cluster|node|registry|image delete|del|rm : deletes a cluster
S k3d cluster stop : stops a cluster
D kind delete cluster|clusters : deletes a cluster
D minikube delete : deletes a cluster
S minikube stop : stops a cluster
D microk8s reset|leave|remove-node|disable : resets a cluster
D kubeadm reset : takes a node out of its cluster
D kubeadm token|certs delete : deletes a token
D k3s-uninstall,k3s-killall,k3s-agent-uninstall,rke2-uninstall,rke2-killall,k3s-uninstall.sh : \
removes a cluster's software
D k3s,rke2,k0s,rke etcd-snapshot|secrets-encrypt|remove|reset|certificate delete|prune|rotate-ca \
: removes a part of a cluster
D rke remove : removes a cluster
D k0s,k0sctl,talosctl reset : resets a node
D k3s server|agent --cluster-reset : resets a cluster
D talosctl reset|shutdown|reboot|wipe : resets or stops nodes
D clusterctl delete : deletes a cluster's software
D argocd app|proj|cluster|repo|repocreds|account|appset|cert|gpg|admin ... delete|rm|remove|\
delete-token|delete-resource|remove-* : deletes an application
D argocd app sync --prune|--force|--replace : deletes resources that are not described
S argocd app rollback|terminate-op|patch : takes an application back
C argocd
D argo delete : deletes workflows
D argo cron|template|cluster-template|archive delete : deletes workflows
S argo stop|terminate|suspend : stops workflows
D flux delete|uninstall : deletes what was deployed
S flux suspend : suspends a deployment
D fleet,rancher ... rm|delete|remove : deletes clusters or projects
D istioctl uninstall|x|experimental|operator purge|uninstall|remove|remove-from-mesh : removes a \
service mesh
D istioctl uninstall : removes a service mesh
D linkerd,cilium,consul-k8s,kuma,kumactl,osm,meshctl,kn,knative uninstall|delete|cleanup|disable \
: removes a service mesh
D linkerd uninstall|viz|jaeger|multicluster|prune ... uninstall : removes a service mesh
D cilium clustermesh|hubble|bgp|endpoint ... disable|disconnect|delete : removes a service mesh
D calicoctl delete : deletes network policies
D kn service|route|revision|trigger|broker|source|domain|channel|subscription ... delete : \
deletes services
D kubectx,kubens -d : removes a context
D kubefedctl,karmadactl,clusteradm,ocm unjoin|delete|deinit|addon|clean : takes a cluster out of \
its group
D tkn ... delete|rm|cancel : deletes pipelines
D tanzu,tkg,pks,tkgi,cf ... delete|delete-cluster|uninstall : deletes a cluster
D cf delete|delete-org|delete-space|delete-service|delete-*|d|ds|purge-service-*|unbind-service|\
unmap-route : deletes an application
S cf stop|restart|restage|unshare-* : stops an application
D operator-sdk,olm cleanup|uninstall : removes an operator
D rook,kubectl-rook-ceph,kubectl-rook_ceph ... destroy-cluster|purge-osd|restore-deleted|rm : \
destroys a storage cluster
D longhornctl,longhorn ... delete|trim|remove : deletes volumes
D k6,litmusctl,chaosctl,chaosd,chaos ... attack|disk-fill|destroy|delete|disconnect : harms a \
system on purpose
D kube-burner,kwok destroy : deletes resources
D popeye,kor --delete|--force-delete|--no-interactive : deletes what is not used
"""

"""Infrastructure as code, configuration management, images, monitoring of hosts."""

TABLE = """
[infrastructure]
= terraform,tofu,terragrunt,opentofu values -chdir -var -var-file -state -backend-config -target \
-lock-timeout
D terraform,tofu,opentofu,terragrunt destroy : destroys all infrastructure of a configuration
D terraform,tofu,opentofu,terragrunt ... destroy|destroy-all : destroys all infrastructure of a \
configuration
D terraform,tofu,terragrunt apply -destroy|--destroy : destroys all infrastructure of a \
configuration
D terraform,tofu,terragrunt apply -replace|--replace|-replace-all : destroys a resource and makes \
it anew
S terraform,tofu,terragrunt apply|apply-all : changes infrastructure
S terraform,tofu,terragrunt run-all apply : changes infrastructure
D terraform,tofu,terragrunt state push : overwrites the record of infrastructure
S terraform,tofu,terragrunt state rm|mv|replace-provider : changes the record of infrastructure
D terraform,tofu,terragrunt workspace delete : deletes a workspace
S terraform,tofu,terragrunt taint|untaint|force-unlock|import|refresh : changes the record of \
infrastructure
D terraform,tofu init -force-copy -migrate-state : moves the record of infrastructure
C terraform,tofu,opentofu,terragrunt
D terramate ... destroy : destroys infrastructure
D pulumi destroy|down|dn : destroys all infrastructure of a stack
D pulumi stack rm|remove|unselect : deletes a stack
D pulumi state delete|unprotect : changes the record of infrastructure
D pulumi config|org|policy|env|schedule ... rm|rm-all|remove|disable : deletes settings
D pulumi up|update --replace|--target-replace : destroys a resource and makes it anew
S pulumi up|update|cancel|refresh|import|state : changes infrastructure
C pulumi
D cdk,cdktf,cdk8s destroy : destroys all infrastructure of a stack
S cdk,cdktf deploy : changes infrastructure
D cdk gc : deletes assets of stacks
C cdk,cdktf
D sam,samcli delete : deletes a stack
D serverless,sls,sst,osls,arc,claudia,zappa,chalice,apex remove|destroy|delete|undeploy : removes \
a deployed service
D sls,serverless remove : removes a deployed service
D copilot app|env|svc|job|pipeline|task delete : deletes an application
D amplify delete|remove : deletes an application
S amplify push : changes an application
D eb terminate|deregister|swap|abort : terminates an environment
S packer build -force : overwrites an image
D sceptre,stacker delete|destroy : deletes a stack
D aws-nuke,cloud-nuke,azure-nuke,gcp-nuke --no-dry-run|--force : deletes a whole account
D aws-nuke,cloud-nuke run|nuke|aws|gcp|azure|defaults-aws : deletes a whole account
D custodian run : applies policies that may delete
C custodian
D bosh delete-deployment|deld|delete-env|clean-up|delete-release|delete-stemcell|delete-disk|\
delete-vm|delete-* : deletes a deployment
S bosh stop|restart|recreate : changes a deployment
D juju destroy-model|destroy-controller|remove-application|kill-controller|remove-unit|\
remove-machine|destroy-* : destroys a model
S juju remove-* : removes a part of a model
D maas ... delete|release|erase : releases machines
D kayobe ... destroy|deconfigure|deprovision : destroys a cloud
D ansible-galaxy collection|role delete|remove : removes roles
D ansible-playbook @*destroy*|*teardown*|*wipe*|*delete*|*purge* !--check|-C|--syntax-check|\
--list-tasks|--list-hosts : runs a play that destroys
S ansible-playbook !--check|-C|--syntax-check|--list-tasks|--list-hosts|--version + : changes hosts
C ansible-playbook,ansible-galaxy,ansible-inventory,ansible-doc,ansible-lint,ansible-vault
D knife node|client|cookbook|role|environment|data|bag|user|acl|server|ec2|azure|google|vsphere|\
cloud|openstack|digital|ssl|supermarket ... delete|purge|remove|unshare|bulk : deletes a part of \
the fleet
D knife ... delete : deletes a part of the fleet
S chef-client,puppet,salt-minion,cf-agent !--noop|--why-run|-W : changes the host
D puppet node|cert|ca|certificate|ssl|resource clean|destroy|purge|revoke|deactivate|bootstrap : \
removes a host
D puppet resource ... ensure=absent : removes a resource
D puppetserver ca clean|revoke : removes a host
D salt-key -d|-D|--delete|--delete-all|-r|-R|--reject-all : removes hosts
D salt-cloud,salt-run -d|--destroy : destroys hosts
D salt-run cache.clear_all|manage.down|virt.purge|cloud.destroy : removes hosts
D cap,capistrano,mina,kamal,mrsk,dep,deployer,fab,pyinfra deploy:cleanup|remove|db:drop|destroy|\
app:remove : removes a deployed application
D kamal remove|app|accessory|proxy|registry ... remove : removes a deployed application
D kamal remove : removes a deployed application
S kamal,cap,dep,fab rollback|deploy:rollback : takes a deployment back
D foreman-installer,katello-installer,satellite-installer,hammer --reset|--reset-data|\
--clear-pulp-content|delete : resets an installation
D hammer ... delete : deletes a host or content
D cobbler ... remove : removes a profile
D razor,stacki,warewulf,wwctl,xcat,rmdef ... delete|remove|purge : removes nodes
D rmdef,nodepurge,rmimage + : removes nodes
D scontrol delete|shutdown|takeover|down : takes a part of a cluster away
M scancel : ends jobs
D scancel -u|--user|--me|-A|--account|-p|--partition : ends many jobs
D sacctmgr delete|remove|archive -i|--immediate : deletes accounts
D sacctmgr delete|remove : deletes accounts
M qdel,bkill,condor_rm : ends jobs
D condor_rm -all|-a : ends all jobs
D grafana-cli,grafana admin reset-admin-password|data-migration : changes a password
D grafana-cli,grafana plugins remove|uninstall : removes a plug-in
D grafanactl,grizzly,grr,tanka,tk delete|prune|remove : deletes dashboards
D zabbix_server,icingacli ... remove|delete : removes monitored hosts
D amtool silence expire : ends silences
"""

"""Microsoft's cloud: ``az GROUP... VERB``, azcopy, azd, Microsoft 365."""

TABLE = """
[cloud]
= az values --method -m --mode --delete-destination -g --resource-group -n --name --subscription \
-s -o --output --query -l --location --account-name --account-key --container-name -c \
--connection-string --sas-token --auth-mode --ids --tags
C az ... list|show|help|get|exists|list-*|show-*|get-*|wait|find|validate|what-if|download|\
download-batch|query
D az storage blob|file|fs|directory|entity|message|queue|share|table|container|account ... delete|\
delete-batch|purge|clear|delete-recursive : deletes data of a store
D az storage ... delete-batch|delete|clear : deletes data of a store
D az storage blob|fs|directory sync --delete-destination=true : deletes what the source does not \
have
D az storage blob sync --delete-destination : deletes what the source does not have
D az group delete : deletes a group with all that is in it
D az keyvault ... purge|delete : deletes secrets or keys
D az vm reimage|delete : deletes or resets a machine
S az vm|vmss|webapp|functionapp|aks|container|containerapp|postgres|mysql|synapse|sql ... stop|\
restart|deallocate|redeploy|reset : stops a resource
D az deployment group|sub create --mode=complete : deletes what is not described
D az group deployment create --mode=complete : deletes what is not described
D az resource|aks|acr|sql|cosmosdb ... delete|purge|untag : deletes a resource
D az ad user|group|app|sp ... delete|remove|revoke-sign-in|reset : takes access away
D az role assignment|definition delete : takes access away
D az lock delete : takes a guard away
D az account management-group|lock delete : takes a guard away
S az logout|account|cache|config clear|purge|unset|delete : removes what is kept here
D az devops|repos|pipelines|boards|artifacts ... delete|destroy|abandon : deletes a part of a \
project
D az backup|dataprotection|snapshot|site-recovery|recoveryservices ... delete|disable|undelete|\
stop : deletes or stops backups
D az sql db|mi|elastic-pool delete|restore : deletes a database
D az redis|eventhubs|servicebus flush|delete|force-reboot|regenerate-keys|purge : empties a cache
D az rest --method=delete : deletes something at the other end of the request
D az rest -m=delete : deletes something at the other end of the request
C az rest
D az ... delete|purge|delete-*|*-delete|destroy|clear|wipe|remove-all|terminate|deprovision|\
hard-delete|delete-batch|empty|reimage|flush|drop : deletes a resource
S az ... remove|stop|restart|disable|detach|disconnect|revoke|reset|unlink|cancel|abort|failover|\
regenerate|rotate|unset : changes or stops a resource
C az
D azcopy remove|rm : deletes data of a store
D azcopy sync --delete-destination=true|prompt : deletes what the source does not have
S azcopy jobs remove|clean : removes the record of jobs
C azcopy
D azd down : destroys what was deployed
C azd
D func azure functionapp delete : deletes a function
D func durable delete-task-hub|purge-history : deletes the record of work
D m365,o365,pac,mgc ... delete|remove|purge|reset|recyclebinitem|wipe|erase|clear : deletes a \
part of a tenant
D pac ... delete|reset : deletes an environment
D remove-az*,remove-mg*,remove-azure*,clear-az*,remove-pnp*,remove-spo*,remove-msol*,\
remove-azuread*,disable-mailbox,remove-mailbox,remove-csteams*,remove-team : deletes a resource
S stop-az*,revoke-az*,disable-az*,restore-azkeyvault* !-whatif|-WhatIf : changes or stops a resource
"""

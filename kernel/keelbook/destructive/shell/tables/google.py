"""Google's command lines: ``gcloud GROUP... VERB``, gsutil, Firebase."""

TABLE = """
[cloud]
= gcloud values --project --account --configuration --format --filter --zone --region --location \
--verbosity --impersonate-service-account --billing-project --flags-file --sort-by --limit
C gcloud help
C gcloud ... list|describe|get|get-iam-policy|read|search|lookup|get-credentials|get-value|\
print-access-token|list-*|describe-*|tail|export|cat|ls|du|wait|get-*|test-iam-permissions
C gcloud components|auth|config|topic|info|version|init|feedback|help|survey install|update|list|\
login|print-*|set|get-value
S gcloud auth|config|components revoke|unset|remove|delete|configurations : removes a setting \
kept here
D gcloud storage rm : deletes objects of a store
D gcloud storage ... delete : deletes buckets or objects
D gcloud storage rsync --delete-unmatched-destination-objects : deletes what the source does not \
have
S gcloud storage mv : deletes the source object
D gcloud kms keys versions destroy|disable : makes what a key encrypted unreadable
D gcloud kms keys ... destroy : makes what a key encrypted unreadable
D gcloud sql instances|databases|backups|users|ssl|ssl-certs restore-backup|delete|restore|\
reset-ssl-config : deletes or replaces a database
D gcloud compute instances|instance-groups ... simulate-maintenance-event|delete-instances|\
abandon-instances|recreate-instances : stops an instance
S gcloud compute instances|tpus ... stop|suspend|detach-disk|remove-*|delete-access-config : \
stops or changes an instance
S gcloud ... remove-tags|remove-labels|remove-metadata|remove-*-label* : removes labels
D gcloud container clusters resize --num-nodes=0 : removes every node
D gcloud run|functions|app ... delete|reset : deletes a service
D gcloud projects delete : deletes a project with all that is in it
D gcloud pubsub ... purge|seek|delete|drain : drops messages
D gcloud firestore ... delete|bulk-delete|restore : deletes documents
D gcloud datastore indexes cleanup : deletes indexes
D gcloud logging ... delete|purge : deletes logs
D gcloud services disable --force : turns services off with what depends on them
S gcloud services disable : turns a service off
D gcloud iam service-accounts disable|delete : takes access away
D gcloud ... remove-iam-policy-binding|set-iam-policy : takes access away
D gcloud secrets ... destroy|delete|disable : destroys secrets
D gcloud ... delete|destroy|delete-*|purge|terminate|*-delete|bulk-delete|\
remove-iam-policy-binding|wipe|drop|undeploy|deprovision|delete-all|cancel-and-delete|unprovision|\
erase : deletes a resource
S gcloud ... stop|disable|suspend|reset|cancel|remove-*|detach|rollback|restart|abandon|unset : \
changes or stops a resource
C gcloud
= gsutil values -o -h -i -u
= gsutil dry -n
D gsutil rm|rb|del|delete|remove : deletes objects of a store
D gsutil ... rm|rb $ : deletes objects of a store
D gsutil rsync -d : deletes what the source does not have
S gsutil mv : deletes the source object
D gsutil lifecycle|retention|iam|notification|hmac clear|remove|delete : clears a setting of a \
bucket
C gsutil
D firebase firestore:delete|database:remove|projects:delete|hosting:disable|functions:delete|\
apps:delete|hosting:channel:delete|auth:delete|hosting:sites:delete|remoteconfig:rollback|\
extensions:uninstall|ext:uninstall|functions:secrets:destroy|functions:secrets:prune|\
firestore:databases:delete|functions:config:unset|database:set|apptesting:delete|\
firestore:backups:delete|crashlytics:symbols:delete|apphosting:backends:delete|\
dataconnect:sql:migrate : deletes a part of a project
S firebase deploy --force : deletes functions that are not described
C firebase
D gam,gamadv-xtd3,gyb delete|undelete|wipe|deprovision|purge|suspend : deletes accounts or devices
D gam ... delete|wipe|deprovision|purge|account_wipe|admin_account_wipe : deletes accounts or \
devices
D clasp delete|undeploy|delete-file|delete-script : deletes a script
D gdrive ... delete : deletes files of a drive
D drive emptytrash|delete : deletes files of a drive
"""

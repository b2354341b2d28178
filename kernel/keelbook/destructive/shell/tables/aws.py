"""Amazon's command line. Its subcommands say ``VERB-NOUN``, so the verbs are the table."""

TABLE = """
[cloud]
= aws,awslocal values --profile --region --output --query --endpoint-url --ca-bundle --color \
--cli-input-json --cli-read-timeout --cli-connect-timeout
= aws,awslocal dry --dryrun --dry-run --generate-cli-skeleton
C aws,awslocal help
C aws,awslocal ? help
C aws,awslocal ? ? help
C aws,awslocal ? get-*|list-*|describe-*|wait|lookup-*|search-*|head-*|batch-get-*|scan|query|\
select-*|view-*|test-*|validate-*|estimate-*|simulate-*|download-*|ls|presign|tail|filter-*
D aws,awslocal s3 rm : deletes objects of a store
D aws,awslocal s3 rb : deletes a bucket
D aws,awslocal s3 sync --delete : deletes what the source does not have
D aws,awslocal s3 mv --recursive : deletes the source objects
S aws,awslocal s3 mv : deletes the source object
C aws,awslocal s3
S aws,awslocal s3api put-bucket-lifecycle-configuration|put-bucket-lifecycle : lets objects expire
S aws,awslocal s3api delete-*-tagging|delete-object-tagging|delete-bucket-tagging : removes tags
S aws,awslocal ? delete-tags|untag-*|remove-tags*|delete-*-tags|delete-message|\
remove-attributes-* : removes tags or messages
S aws,awslocal autoscaling delete-notification-configuration|delete-scheduled-action|\
delete-policy|delete-tags : removes a setting of a group
D aws,awslocal autoscaling terminate-instance-in-auto-scaling-group : terminates an instance
D aws,awslocal ecs update-service --desired-count=0 : stops every task of a service
D aws,awslocal autoscaling update-auto-scaling-group|set-desired-capacity --desired-capacity=0 : \
terminates every instance of a group
D aws,awslocal autoscaling update-auto-scaling-group --max-size=0 : terminates every instance of \
a group
D aws,awslocal kms schedule-key-deletion|disable-key|delete-* : makes what a key encrypted \
unreadable
D aws,awslocal ec2 release-address|release-hosts|deprovision-*|withdraw-* : gives an address or \
host back
S aws,awslocal ec2 stop-instances|reboot-instances|detach-*|disassociate-*|revoke-*|reset-*|\
cancel-*|disable-*|modify-* : changes instances or who reaches them
S aws,awslocal rds stop-*|reboot-*|failover-*|reset-*|modify-*|promote-*|switchover-* : stops or \
changes a database
D aws,awslocal sqs purge-queue : deletes every message of a queue
D aws,awslocal organizations close-account|leave-organization|delete-*|remove-* : closes an account
D aws,awslocal account disable-region : closes a region
D aws,awslocal backup disassociate-*|stop-* : stops backups
D aws,awslocal cloudtrail stop-logging : stops the record of who did what
D aws,awslocal guardduty|securityhub|config|macie2|inspector2|access-analyzer stop-*|disable-*|\
disassociate-* : turns a guard off
D aws,awslocal config stop-configuration-recorder : turns a guard off
S aws,awslocal logs put-retention-policy : lets logs expire
D aws,awslocal opsworks deregister-*|stop-* : takes a part away
D aws,awslocal workspaces rebuild-workspaces|restore-workspace|terminate-workspaces : takes a \
desktop back to an image
D aws,awslocal route53 change-resource-record-sets --change-batch=*delete* : deletes names
S aws,awslocal route53 change-resource-record-sets|disassociate-* : changes names
D aws,awslocal dynamodb batch-write-item --request-items=*deleterequest* : deletes items
S aws,awslocal elasticache|memorydb|redshift reset-*|decrease-*|reboot-*|pause-* : changes a cluster
D aws,awslocal iam deactivate-mfa-device : takes access away
S aws,awslocal iam remove-*|detach-*|deactivate-*|reset-*|update-access-key : takes access away
D aws,awslocal ? delete-*|terminate-*|purge-*|batch-delete-*|deregister-*|destroy-*|\
force-delete-*|admin-delete-*|schedule-*-deletion|delete|bulk-delete-*|erase-*|deprovision-*|\
release-*|discard-*|flush-*|empty-*|expire-*|decommission-*|batch-remove-*|close-*|delete|\
deactivate-organizations-access|cancel-cluster|delete_* : deletes or ends a resource
D aws,awslocal emr terminate-clusters : terminates clusters
S aws,awslocal secretsmanager|ssm put-*|update-secret* : replaces a secret
S aws,awslocal ? stop-*|disable-*|disassociate-*|detach-*|cancel-*|reboot-*|reset-*|abort-*|\
remove-*|revoke-*|unsubscribe*|rollback-*|restore-*|suspend-*|pause-*|deactivate-*|\
batch-disable-*|batch-stop-*|rotate-*|failover-* : changes or stops a resource
C aws,awslocal
D s3cmd,s5cmd,s4cmd,s3api rm|del|rb|expire|delpolicy|dellifecycle|delcors|cfdelete : deletes \
objects of a store
D s3cmd,s4cmd sync|dsync --delete-removed|--delete-after|-d|--delete : deletes what the source \
does not have
D s5cmd sync --delete : deletes what the source does not have
S s3cmd,s5cmd mv : deletes the source object
D aws-vault remove|rm|clear|rotate : removes credentials
D ecs-cli down|compose -f|--force|down|rm : deletes a cluster
"""

"""Queues, brokers, streams, workers."""

TABLE = """
[queues]
= kafka-topics,kafka-consumer-groups,kafka-acls,kafka-configs,kafka-console-consumer,\
kafka-console-producer values --bootstrap-server --topic --group --zookeeper --partitions \
--replication-factor --config --command-config --entity-type --entity-name --delete-config \
--add-config
D kafka-topics --delete : deletes topics
D kafka-consumer-groups --delete|--delete-offsets : deletes groups or their offsets
D kafka-consumer-groups --reset-offsets --execute : moves a group in its topics
C kafka-consumer-groups
D kafka-delete-records : deletes records
D kafka-acls --remove : takes access away
S kafka-configs --delete-config|--alter : changes settings
D kafka-reassign-partitions --execute : moves data between brokers
D kafka-streams-application-reset !--dry-run : resets an application's data
D kafka-storage format : formats a broker's storage
D kafka-server-stop,zookeeper-server-stop : stops a broker
D kafka-metadata-quorum remove-controller : takes a node away
C kafka-topics,kafka-acls,kafka-configs,kafka-console-*,kafka-dump-log,kafka-log-dirs,\
kafka-get-offsets
D kafkactl,kcctl,kaf,zoe,kcl,kaskade delete|reset|clean : deletes topics
D kaf topic|group delete : deletes topics
D kcl topic|group|admin delete|delete-records|delete-acls : deletes topics
D rpk ... delete|purge|trim-prefix|decommission : deletes topics
D confluent ... delete|remove|undeploy|pause : deletes a resource
D ccloud ... delete : deletes a resource
D kafka-connect,connect,kcctl ... delete : deletes a connector
= celery values -A --app -b --broker --workdir
= rabbitmqctl,rabbitmqadmin values -n --node -p --vhost -t -H -u -P -N -c
D rabbitmqctl delete_queue|purge_queue|reset|force_reset|delete_vhost|delete_user|\
clear_permissions|stop|stop_app|forget_cluster_node|clear_policy|clear_parameter|shutdown|\
force_boot|clear_global_parameter|close_all_connections|delete_shovel|clear_password|\
delete_feature|close_all_user_connections|remove_user|clear_topic_permissions|\
clear_operator_policy|clear_vhost_limits|delete_member : deletes queues or resets a broker
C rabbitmqctl
D rabbitmqadmin delete|purge|close : deletes queues
D rabbitmqadmin ... delete|purge : deletes queues
D rabbitmqadmin queues|exchanges|bindings|vhosts|users|policies|shovels|federation delete|purge|\
delete_* : deletes queues
C rabbitmqadmin
D rabbitmq-queues,rabbitmq-streams delete_member|shrink|delete_replica|reset_offset : deletes \
members
D rabbitmq-upgrade drain : takes a node away
C rabbitmq-diagnostics
D artemis queue|address|user delete|rm|purge : deletes queues
D activemq purge : deletes messages
= nats values -s --server --context --creds --user --password
D nats stream|str rm|delete|del|purge|rmm|seal|restore|peer-remove : deletes streams
D nats kv|object|obj|consumer|con rm|delete|del|purge|seal : deletes keys
S nats context rm : removes a setting
C nats
D nsq_to_file,nsqadmin,nsqctl ... delete|empty : deletes topics
D pulsar-admin topics|namespaces|tenants|clusters|subscriptions|functions|sinks|sources|schemas|\
brokers|packages|persistent|resource-groups delete|delete-*|clear-backlog*|skip-all|\
expire-messages*|unsubscribe|remove-*|delete-partitioned-topic|terminate|truncate|delete-localrun|\
unload|skip : deletes topics
D pulsar-admin ... delete|clear-backlog|truncate|terminate|delete-partitioned-topic : deletes topics
C pulsar-admin
D mqadmin,rocketmq deletetopic|deletesubgroup|deleteaccessconfig|cleanexpiredcq|wipewriteperm|\
cleanunusedtopic|resetoffsetbytime : deletes topics
D mosquitto_ctrl dynsec deleteclient|deletegroup|deleterole|removeclientrole : deletes clients
S mosquitto_pub -n -r : clears a kept message
D emqx,emqx_ctl ... delete|clean|kick|force-leave|del : removes clients
D celery purge : deletes every waiting task
S celery control|multi|amqp shutdown|stop|revoke|stopwait|queue.purge|queue.delete : stops workers
D celery amqp queue.purge|queue.delete|exchange.delete : deletes queues
C celery
D rq empty : deletes every waiting job
S rq suspend|requeue : stops workers
S sidekiqctl,sidekiq quiet|stop : stops workers
D resque,bull,bee-queue,faktory ... clear|flush|purge|clean|obliterate : deletes every waiting job
D temporal workflow|operator|schedule|batch|task-queue|worker|cloud ... terminate|delete|cancel|\
reset : ends workflows
D temporal workflow terminate|delete|reset : ends workflows
S temporal workflow cancel : cancels workflows
D tctl workflow|namespace|admin ... terminate|reset|delete|term : ends workflows
D cadence,zbctl ... terminate|delete|cancel : ends workflows
D prefect ... delete|clear|purge|cancel|remove|reset : deletes records
D prefect server database reset : drops a database
D dagster run|asset wipe|delete : deletes records
D luigi,azkaban,oozie job -kill|-delete : ends jobs
D yarn application|app|rmadmin -kill|-forcekillapplication|-destroy|-removefromclusternodelabels \
: ends an application
D yarn application|app -kill|-destroy : ends an application
D flink cancel|stop : ends a job
D spark-submit --kill : ends a job
D gearadmin --drop-function|--shutdown|--cancel-job : deletes jobs
"""

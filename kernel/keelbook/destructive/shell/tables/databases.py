"""Databases' own tools, and what frameworks do to a database."""

TABLE = """
[databases]
= psql,mysql,mariadb,mysqladmin,pg_dump,pg_restore,mysqldump,dropdb,dropuser,mongosh,mongo,\
redis-cli head
= pg_restore,dropdb,dropuser values -h -p -U -d -n -t -j -f
C psql,pgcli,mysql,mariadb,mycli,sqlite3,duckdb,sqlcmd,snowsql,clickhouse-client,cqlsh,mongosh,mongo
C usql,mysqlsh,sqlite,litecli,sqlcipher,beeline,hive,impala-shell,presto,trino,spark-sql,vsql,nzsql
C isql,osql,invoke-sqlcmd,chdb,ysqlsh,ycqlsh,gsql,cypher-shell,memgraph,mgconsole,arangosh,edgedb
C rqlite,hdbsql,bteq,sqlplus,questdb,ysql,surreal sql
D dropdb,dropuser + : drops a database or a user
D pg_restore -c|--clean : drops what it restores before
C pg_restore
D pg_resetwal,pg_resetxlog !-n|--dry-run + : resets a server's log, which may lose data
D pg_archivecleanup,pg_rewind,pg_dropcluster,pg_upgradecluster !-n|--dry-run + : removes data of \
a server
S pg_ctl,pg_ctlcluster stop|restart|promote : stops a database server
S pg_ctlcluster ? ? stop|restart : stops a database server
= mysqladmin values -u -h -P -S -p
D mysqladmin drop|shutdown|kill|flush-* : drops a database or stops the server
D mysqladmin ... drop|shutdown : drops a database or stops the server
C mysqladmin
D mysqldump --delete-master-logs|--delete-source-logs : deletes the server's logs
C mysqldump,pg_dump,pg_dumpall,mongodump,mariadb-dump,mysqlpump
D mysqlimport,mariadb-import -d|--delete|-r|--replace : empties a table before it imports
D mysql_secure_installation,mariadb-secure-installation : removes users and databases
D mysql_install_db,mysqld,mariadbd --initialize|--initialize-insecure : makes a server's data anew
D mongorestore --drop : drops what it restores before
D mongoimport --drop|--mode=delete : drops a collection before it imports
C mongoimport,mongorestore
D couchdb-cli,couchbase-cli bucket-delete|bucket-flush|server-eject|rebalance-stop|user-manage : \
deletes buckets
D cbq,cbc rm|bucket-delete|bucket-flush : deletes documents
D nodetool decommission|removenode|assassinate|clearsnapshot|drain|truncatehints|disablebinary : \
removes a node or its snapshots
D cockroach node decommission|drain : takes a node away
D cockroach debug unsafe-remove-dead-replicas|reset-quorum : removes replicas
D etcdctl del|rm|rmdir : deletes keys
D etcdctl member|user|role|lease remove|delete|revoke : removes members or keys
D etcdctl defrag|compact|compaction : removes old revisions
D etcdutl snapshot restore --bump-revision : replaces a store
D zkcli,zookeeper-shell,zk-shell,zkcli.sh ... delete|deleteall|rmr : deletes nodes
D consul kv delete : deletes keys
D consul leave|force-leave : takes a server away
D consul snapshot restore : replaces a store
D consul services|config|acl|intention|partition|namespace|peering|operator ... delete|deregister|\
remove-peer|remove : deletes a part of a cluster
C consul
D influx bucket|org|user|auth|task|v1|dashboards|secret|stacks delete|remove : deletes a bucket
D influx delete : deletes points
D influx ... delete|rm|remove : deletes a bucket
D influxd restore -portable|-full|--full : replaces a store
D influxd-ctl,influx_inspect remove-data|remove-meta|deletetsm|leave|truncate-shards : removes data
D promtool tsdb delete* : deletes series
D curator,curator_cli delete-indices|delete_indices|delete-snapshots|delete_snapshots|close|\
reindex : deletes indices
D curator --dry-run=false : deletes indices
D elasticsearch-node,elasticsearch-users,elasticsearch-keystore unsafe-bootstrap|detach-cluster|\
repurpose|override-version|remove-customs|remove-settings|userdel|remove : changes a node so that \
data may be lost
D solr delete|rm : deletes a collection
D solr zk rm|rm -r : deletes a collection
D bq rm : deletes a data set or a table
D bq cp|mk|load|query --replace|-f|--force : overwrites a table
C bq
D cbt deletetable|deletefamily|deleterow|deleteallrows|deletecolumn|deleteinstance|deletecluster|\
deleteappprofile|dropallrows|drop : deletes rows or tables
D snow object|stage|connection|streamlit|app|spcs|cortex ... drop|remove|teardown : drops an object
D snow stage remove : deletes files of a stage
D databricks fs rm : deletes files
D databricks ... delete|permanent-delete|delete-*|*-delete|uninstall : deletes an object of a \
workspace
D dbt run|build|seed|snapshot --full-refresh : drops tables and builds them again
D dbt run-operation drop_*|delete_*|truncate_* : drops tables
S dbt clean : deletes build output
C dbt
D ydb,fdbcli,aql,asadm,tikv-ctl,tiup ... drop|clearrange|truncate|destroy|prune|clean|delete|\
unsafe-recover : deletes data
D tiup cluster destroy|clean|prune|scale-in : destroys a cluster
D clickhouse-backup,chbackup delete|clean|restore|restore_remote|clean_remote_broken --rm|--drop|\
local|remote : deletes backups
D clickhouse-backup delete|clean|clean_remote_broken|clean_broken_retention : deletes backups
D clickhouse-backup restore|restore_remote --rm|--drop : drops tables before it restores
D neo4j-admin database delete|load|restore|drop : replaces a database
D neo4j-admin load|restore --force|--overwrite-destination : replaces a database
D arangorestore,arangoimport --overwrite|--create-database|--remove-attribute : overwrites a \
collection
D edgedb database|branch|instance|migration drop|destroy|wipe|reset-auth : drops a database
D gel,edgedb branch|database|instance drop|destroy|wipe : drops a database
D dolt reset --hard : throws changes away
D dolt checkout|branch|clean|table|gc|push rm|-D|-f|--force|--hard : throws changes away
D dolt branch|db -D|-d|drop : deletes a branch
D dolt table rm : drops a table
D dolt clean : drops tables that are not committed
D dolt push -f|--force : overwrites the remote's history
D rails,rake,bin/rails,bundle db:drop|db:drop:*|db:reset|db:purge|db:schema:load|db:migrate:reset|\
db:truncate_all|db:seed:replant|db:structure:load|db:drop:all|db:purge:all|db:test:purge|\
db:schema:load:*|db:truncate|db:migrate:redo|db:mongoid:drop|db:mongoid:purge|db:drop:_unsafe : \
drops or empties a database
D rails,rake ... db:drop|db:reset|db:purge|db:schema:load|db:migrate:reset|db:truncate_all|\
db:drop:* : drops or empties a database
S rails,rake db:rollback|db:migrate:down|db:migrate:down:*|tmp:clear|log:clear|assets:clobber : \
takes a migration back
S rails,rake destroy|d : removes generated files
S rake clean|clobber : deletes build output
C rails,rake
= manage.py,django-admin dry --dry-run --check --plan
D manage.py,django-admin flush|reset_db|sqlflush-run|delete_all|drop_test_database|\
clean_duplicate_history|remove_stale_contenttypes|truncate|cleardb|wipe|reset_schema|drop_*|\
delete_*|purge_*|zero : empties a database
D manage.py,django-admin migrate ? zero : takes all migrations of an app back
D manage.py,django-admin migrate zero : takes all migrations of an app back
S manage.py migrate --fake : records migrations that are not made
S manage.py clearsessions|clear_cache|changepassword : deletes sessions or caches
C manage.py,django-admin
D artisan migrate:fresh|migrate:reset|migrate:refresh|db:wipe|schema:drop|telescope:clear|\
queue:flush|passport:purge|model:prune|backup:clean|db:truncate|horizon:clear|queue:clear|\
migrate:fresh* : drops or empties a database
S artisan migrate:rollback|cache:clear|down|queue:prune-*|optimize:clear|config:clear|\
key:generate : takes a migration back
C artisan
D console,bin/console doctrine:database:drop|doctrine:schema:drop|doctrine:fixtures:load|d:d:d|\
d:s:d|doctrine:mongodb:schema:drop|doctrine:phpcr:* : drops or empties a database
D console doctrine:schema:update --force|--complete : changes a database without a migration
D doctrine,doctrine-dbal,vendor/bin/doctrine orm:schema-tool:drop|dbal:drop : drops a database
D cake,bake migrations rollback|drop : takes migrations back
D phinx rollback -t|--target|-f : takes migrations back
D spark migrate:refresh|migrate:rollback|db:drop : takes migrations back
D yii migrate/fresh|migrate/down|migrate/redo : takes migrations back
D prisma migrate reset : drops a database
D prisma db push --force-reset|--accept-data-loss : drops a database
C prisma
D sequelize,sequelize-cli db:drop|db:migrate:undo:all|db:seed:undo:all : drops a database
S sequelize,sequelize-cli db:migrate:undo|db:seed:undo : takes a migration back
D typeorm,typeorm-ts-node-commonjs,typeorm-ts-node-esm schema:drop|schema:sync : drops a schema
S typeorm migration:revert : takes a migration back
D mikro-orm schema:drop|schema:fresh|migration:fresh|database:drop : drops a schema
D knex migrate:rollback --all : takes all migrations back
S knex migrate:rollback|migrate:down : takes a migration back
D drizzle-kit drop|push --force : drops a migration
S drizzle-kit drop|push : drops a migration
D adonis,ace,node-ace migration:reset|migration:fresh|migration:refresh|db:wipe|db:truncate : \
drops a database
D ace migration:reset|migration:fresh|migration:refresh|db:wipe|db:truncate : drops a database
D alembic downgrade base : takes all migrations back
S alembic downgrade|stamp : takes a migration back
C alembic
D flask db downgrade base : takes all migrations back
S flask db downgrade|stamp : takes a migration back
D flask ... drop-db|drop_db|init-db|reset-db|drop-all|drop_all|recreate-db|recreate_db|dropdb : \
drops a database
C flask run|routes|shell|db
S yoyo rollback|reapply : takes a migration back
D superset,airflow db reset|clean|downgrade : resets a database
D airflow dags|tasks|pools|connections|variables|users|roles|backfill delete|clear : deletes records
C airflow
D mix ecto.drop|ecto.reset|ecto.rollback --all : drops a database
D mix ecto.drop|ecto.reset : drops a database
S mix ecto.rollback|clean|deps.clean : takes a migration back
C mix
D diesel database|migration reset|drop : drops a database
S diesel migration revert|redo : takes a migration back
D sqlx database|db drop|reset : drops a database
S sqlx migrate revert : takes a migration back
D sea-orm-cli,sea migrate fresh|refresh|reset|down : drops all tables
D dbmate drop : drops a database
S dbmate rollback|down : takes a migration back
= goose,migrate,sql-migrate values -path -database -source -dir --path --database -env -config
D goose reset|down-to : takes migrations back
D goose ... reset : takes migrations back
S goose ... down|redo : takes a migration back
D migrate drop|down : drops everything
D migrate ... drop : drops everything
D migrate ... down $ : takes all migrations back
S migrate ... down|force : takes migrations back
D atlas schema clean : drops everything
D atlas schema apply --auto-approve : changes a schema
S atlas schema apply : changes a schema
D flyway clean|undo : drops everything in a schema
S flyway repair|baseline : rewrites the record of migrations
D liquibase drop-all|dropall|rollback*|drop-all-foreign-key-constraints : drops everything in a \
schema
D liquibase ... drop-all|dropall : drops everything in a schema
C liquibase status|validate|history|diff|update-sql
D dotnet-ef,dotnet ef database drop : drops a database
D dotnet-ef database drop : drops a database
S dotnet-ef,dotnet ef migrations remove : removes a migration
D sqlpackage /p:DropObjectsNotInSource=True|/p:DropObjectsNotInSource=true : drops what the \
source lacks
D hasura metadata|migrate clear|delete|squash : clears metadata
D hasura migrate ... delete : deletes migrations
D supabase db reset : drops a database
D supabase projects|branches|functions|secrets|storage|orgs|domains|sso|vanity-subdomains|\
ssl-enforcement|network-bans ... delete|unset|rm|remove : deletes a project
S supabase stop : stops a database
D pscale database|branch|backup|password|service-token|org|keyspace|role delete|demote : deletes \
a database
D turso db|group|org|auth|plan destroy|invalidate|revoke|delete|api-tokens : destroys a database
D neonctl,neon projects|branches|databases|roles|operations delete|reset|restore : deletes a \
database
D heroku pg:reset|pg:kill|pg:killall|pg:restore|pg:copy|pg:unfollow|pg:credentials:destroy|\
pg:backups:delete|pg:promote|pg:push|pg:settings:reset : drops or replaces a database
D wp db reset|clean|drop : empties a database
D wp site|post|user|comment|term|plugin|theme|option|menu|widget|transient|cache|media|package|\
role|cron|rewrite|embed empty|delete|uninstall|flush|reset|delete-transients|spam|trash : deletes \
content
D wp search-replace !--dry-run : rewrites a whole database
C wp
D drush sql:drop|sql-drop|sql:create|sql-create|site:install|site-install|si|entity:delete|\
user:cancel|pm:uninstall|pmu|sql:sync|sql-sync|delete-all|edel : drops or empties a database
S drush cache:rebuild|cr|cc|state:set : empties a cache
D magento setup:uninstall|setup:rollback|module:uninstall|cache:flush --remove-data|-r|\
--clear-static-content : removes a shop's data
D magento setup:uninstall|setup:rollback : removes a shop's data
D bench drop-site|reinstall|remove-app|restore|uninstall-app : drops a site
D bench ... drop-site|reinstall|restore|uninstall-app : drops a site
D odoo-bin,odoo db drop|--db-drop : drops a database
D click-odoo-dropdb,ckan db clean|+ : drops a database
D quickwit index delete|clear : deletes an index
D vespa destroy : destroys an application
D weaviate,qdrant,milvus_cli,chroma delete|drop : deletes a collection
D milvus_cli,milvus ... delete : deletes a collection
D pgbackrest,barman,wal-g,wal-e,walg stanza-delete|expire|restore|delete|backup-delete : deletes \
backups
D repmgr,patronictl,stolonctl,pg_autoctl standby|remove|reinit|failover|init|drop|unregister|\
flush|removekeeper : removes a replica
D orchestrator-client -c=forget|reset-replica|reset-master-gtid-operations : removes a replica
D pt-archiver --purge : deletes rows
D pt-kill --kill|--kill-query : ends sessions
D pt-online-schema-change,gh-ost --execute|--drop-old-table : rewrites a table
S pt-online-schema-change,gh-ost --execute : rewrites a table
D pt-table-sync --execute : changes rows so that tables agree
D vtctl,vtctlclient,vtctldclient deletekeyspace|deleteshard|deletetablet|deletetablets|\
deletecells|deletekeyspaces|deleteshards : deletes a part of a cluster
D proxysql-admin --disable|--force-remove-cluster : removes a cluster
D memcflush,memcrm,memcached-tool + : empties a cache
D ignitectl,control.sh,ignite,hazelcast,gfsh,infinispan --destroy|destroy|drop|shutdown : \
destroys a cache
D hbase,hbck,hbck2 ... drop|truncate|disable_all|drop_all|delete_all : drops tables
D kudu table delete|drop : drops a table
D kudu ... delete|delete_column|drop_range_partition|unsafe_* : drops a table
D nessie,dremio,lakectl branch|repo|tag|fs delete|reset|rm|revert : deletes a branch
D mlflow gc|experiments|runs|models|artifacts delete : deletes records
D mlflow gc : deletes records
C mlflow
D feast teardown : destroys a feature store
C feast
D wandb sync --clean : deletes runs kept here
D wandb artifact cache cleanup : deletes a cache
C wandb
"""

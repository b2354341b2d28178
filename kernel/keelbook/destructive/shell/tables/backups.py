"""Backups and snapshots."""

TABLE = """
[backups]
= restic values -r --repo -p --password-file --repository-file -o --cache-dir --password-command \
--tag --host --keep-last --keep-daily --keep-weekly --keep-monthly --keep-yearly --path -H \
--keep-within --limit-upload
= restic dry -n
D restic key remove : takes a key's access away
D restic forget|prune|rewrite : deletes snapshots
S restic unlock|cache|migrate|self-update|restore : changes a repository
C restic
D rustic,rdedup forget|prune|repair|merge : deletes snapshots
= borg values -r --repo --rsh --remote-path --lock-wait --prefix -P -a --glob-archives \
--keep-daily --keep-weekly --keep-monthly --keep-yearly --keep-hourly --keep-last --keep-within \
-C --compression -e --exclude
= borg dry -n
D borg delete|prune|recreate|repo-delete|rdelete|compact : deletes archives
D borg check --repair : rewrites a repository
D borg key change-passphrase|remove : changes a key
C borg
D borgmatic prune|delete|repo-delete|rdelete|--prune : deletes archives
D kopia snapshot|snap|policy|blob|manifest|user|acl delete|expire|rm|remove : deletes snapshots
C kopia
D duplicity remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup --force \
: deletes backups
S duplicity remove-older-than|remove-all-but-n-full|remove-all-inc-of-but-n-full|cleanup : lists \
or deletes backups
D duplicity ... @remove-older-than|remove-all-but-n-full|cleanup --force : deletes backups
D duplicati-cli,duplicati-commandline delete|purge|repair|compact|recover|delete-filter|\
purge-broken-files : deletes backups
D duplicacy prune|wipe : deletes backups
D rdiff-backup --remove-older-than : deletes backups
D rdiff-backup remove|regress : deletes backups
D attic,obnam,bup,zbackup,hashbackup,hb,bupstash,zpaq,tarsnapper delete|forget|prune|rm|gc|expire|\
remove|retain|clear|prune-older : deletes backups
D bup rm|gc|prune-older : deletes backups
D tarsnap -d|--nuke|--fsck-prune : deletes archives
D velero backup|restore|schedule|backup-location|snapshot-location|repo|plugin delete|remove : \
deletes backups
D velero delete|uninstall : deletes backups
C velero
D k10tools,stash,kanctl,k8up,kasten ... delete|retire|remove : deletes backups
D pgbackrest stanza-delete|expire : deletes backups
D pgbackrest ... stanza-delete|expire : deletes backups
S pgbackrest restore|stop : replaces a server's data
D pgbackrest restore --delta|--force : replaces a server's data
D barman delete : deletes backups
C barman
D wal-g,wal-e delete : deletes backups
D pg_probackup delete|merge|del-instance : deletes backups
D xtrabackup,mariabackup,innobackupex --move-back|--force-non-empty-directories : replaces a \
server's data
D mydumper,myloader --overwrite-tables|-o|--purge-mode|--drop-table : drops tables before it \
restores
D bconsole purge|delete|prune : deletes backups
D rsnapshot,backintime,backuppc,vorta remove|remove-and-do-not-ask-again|smart-remove|rollback|\
delete : deletes snapshots
D backintime remove|remove-and-do-not-ask-again|smart-remove : deletes snapshots
D snapper delete|remove|rm|cleanup|undochange|rollback : deletes snapshots
D snapper ... delete|remove|rm|cleanup|rollback : deletes snapshots
C snapper
D timeshift --delete|--delete-all|--restore : deletes or restores snapshots
C timeshift
D sanoid --prune-snapshots|--force-prune : deletes snapshots
D syncoid --force-delete|--delete-target-snapshots : deletes snapshots
D zfs-prune-snapshots !-n + : deletes snapshots
D zrepl zfs-abstraction release-* : deletes snapshots
S tmutil disable|restore|exclude : changes backups
D tmutil delete|deletelocalsnapshots|thinlocalsnapshots|deleteinprogress|removedestination|\
disinheritbackup : deletes backups
C tmutil
D vssadmin delete|resize : deletes snapshots
C vssadmin
D wbadmin delete|disable|stop : deletes backups
D proxmox-backup-client snapshot|namespace|group forget|delete : deletes backups
D proxmox-backup-client,proxmox-backup-manager prune|forget : deletes backups
D urbackupclientctl remove-* : deletes backups
D nbdelete,bpexpdate,bpimage + : deletes backups
D dsmc delete|expire : deletes backups
"""

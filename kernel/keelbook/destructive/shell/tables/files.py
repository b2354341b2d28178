"""Files: mirrors, deduplicators, archives, synchronisers, version control other than git."""

TABLE = """
[files]
= rclone values --config --filter --include --exclude --max-age --min-age --transfers --checkers \
--bwlimit --log-file --log-level --backup-dir -P
= rclone dry -n
D rclone purge|delete|rmdirs|deletefile|cleanup : deletes files of a remote
D rclone sync|bisync : deletes what the source does not have
D rclone move|moveto : deletes the source files
M rclone rmdir : removes an empty folder of a remote
S rclone dedupe : removes files that are there twice
C rclone
D unison -force : replaces one side of a synchronisation by the other
D lsyncd -delete : deletes what the source does not have
D fdupes,jdupes -d|--delete : deletes files that are there twice
D rdfind -deleteduplicates=true : deletes files that are there twice
D rmlint !-o -c : deletes what it calls lint
D bleachbit -c|--clean|-s|--shred|--wipe-free-space : deletes files of many programs
D ncdu --delete : deletes files
D tmpwatch,tmpreaper !--test !-t + : deletes old files
S logrotate -f|--force : rotates logs now, dropping the oldest
D 7z,7za,7zz,7zr d : deletes members of an archive
D 7z,7za,7zz a -sdel : deletes the files after they were packed
D unrar,rar d : deletes members of an archive
D rar m|mf : deletes the files after they were packed
S gzip,bzip2,xz,zstd,lz4 --rm : deletes the files after they were packed
S unzip -o : overwrites files that are there
D ar d : deletes members of an archive
D cpio --delete : deletes members of an archive
D svn revert -R|--recursive|--depth : throws uncommitted changes away
D svn revert + : throws the uncommitted changes of files away
D svn cleanup --remove-unversioned|--remove-ignored : deletes files that are not versioned
D svn delete|del|remove|rm --force : removes files with their uncommitted changes
D svn delete|del|remove|rm @*://* : deletes something in the repository
S svn delete|del|remove|rm : removes versioned files
D svnadmin setrevprop|obliterate|rmtxns|rmlocks : rewrites what a repository keeps
D hg update|up|checkout|co -C|--clean : throws uncommitted changes away
D hg revert -a|--all|-C|--no-backup : throws uncommitted changes away
D hg strip|rollback|histedit : removes changesets from the history
D hg purge|clean !-p|--print : deletes files that are not versioned
D hg push -f|--force : makes new heads at the remote by force
S hg debugstrip : removes changesets from the history
D bzr revert : throws uncommitted changes away
D bzr uncommit|clean-tree --force : removes what is not kept elsewhere
D p4 obliterate -y : deletes files and their history
D p4 revert : throws uncommitted changes away
D p4 client|depot|branch|label|user|group -d : deletes an object of the server
D p4 clean !-n : deletes files that are not versioned
D fossil purge|shun|revert|clean !-n : removes what is not kept elsewhere
D jj abandon : abandons commits
D jj git push --deleted|--delete : deletes branches of the remote
S jj restore|undo|op : changes the working copy
D cvs admin -o : deletes revisions
D dvc gc -f|--force|-w|--workspace|-a|-T : deletes cached data
D dvc destroy : removes a data repository
S dvc gc|remove : removes cached data
D git-annex drop|dropunused --force : drops content without a copy elsewhere
S git-annex drop|dropunused|unannex|uninit : drops content
D git-filter-repo,bfg,git-filter-branch : rewrites the whole history
D extundelete,debugfs -w : writes into a file system behind its back
D mtools,mdel,mdeltree + : deletes files of a disk image
D hdfs,hadoop dfs|fs -rm -r|-R|-skipTrash : deletes a tree
D hdfs,hadoop dfs|fs -rmr : deletes a tree
D hdfs,hadoop dfs|fs -expunge : empties the trash
S hdfs,hadoop dfs|fs -rm : deletes a file
D hdfs namenode -format : formats a file system
D hdfs dfsadmin -deleteSnapshot|-disallowSnapshot : deletes snapshots
D hdfs,hadoop dfs|fs -deleteSnapshot : deletes a snapshot
D hdfs,hadoop dfs|fs -chmod|-chown -R : changes access to a whole tree
D ipfs repo gc : deletes blocks that are not pinned
S ipfs pin rm : unpins content
D ipfs files|key rm : deletes content
D syncthing cli ... reset : forgets an index
D dropbox,onedrive --resync : takes one side for the other
D maestral unlink : unlinks an account
S exiftool -overwrite_original|-overwrite_original_in_place : rewrites files without a copy
S mogrify + : rewrites images in place
S detox,rename,prename -f|--force : may overwrite files
"""

"""What calls of other languages do, by the last part of their dotted name.

A line is ``MARK LANGUAGE[,LANGUAGE] NAME... : WORDS``; ``*`` is every language. ``D`` destructive,
``S`` debatable, ``R`` runs its strings as shell, ``Q`` runs them as SQL, ``E`` runs them in the
same language. A name with a dot must match that many last parts; one with ``^`` begins a statement.
"""

TABLE = """
D perl,php unlink : deletes files
D perl rmtree remove_tree File.Path.rmtree File.Path.remove_tree : removes a directory tree
S perl,php rmdir : removes an empty folder
S perl truncate rename : cuts a file
D php ftruncate : cuts a file
R perl,ruby,php system exec popen proc_open pcntl_exec shell_exec passthru spawn IO.popen \
Kernel.system Kernel.exec Open3.capture2 Open3.capture3 Open3.popen3 Process.spawn sh
E perl,ruby,php eval instance_eval class_eval assert create_function
D ruby FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_dir FileUtils.remove_entry rm_rf rm_r \
rmtree remove_entry_secure remove_entry FileUtils.rmtree FileUtils.remove_entry_secure : removes \
a directory tree
D ruby File.delete File.unlink FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink \
Pathname.delete unlink rm_f File.truncate : deletes files
D ruby Dir.rmdir Dir.delete Dir.unlink Pathname.rmtree : removes a directory
D ruby delete_all destroy_all drop_database drop_table truncate_tables drop_all truncate : \
deletes records or tables
S ruby destroy destroy! delete_by destroy_by drop_column remove_column update_all : changes records
Q ruby execute exec_query exec_update exec_delete select_all find_by_sql
D ruby delete_object delete_bucket terminate_instances delete_stack : deletes a resource of a cloud
D javascript rmSync rmdirSync unlinkSync rimraf rimrafSync rimraf.sync fs.rm fs.rmdir fs.unlink \
fs.promises.rm fs.promises.unlink fs.promises.rmdir fsPromises.rm fsPromises.unlink promises.rm \
promises.unlink promises.rmdir removeSync fs.remove fs.emptyDir emptyDirSync emptyDir fse.remove \
truncateSync fs.truncate delSync deleteSync deleteAsync shell.rm shelljs.rm Deno.remove \
Deno.removeSync Deno.truncate trash.sync unlink : deletes files
S javascript writeFileSync renameSync fs.writeFile fs.rename Deno.writeTextFile : may overwrite a \
file
R javascript execSync exec spawn spawnSync execFile execFileSync execa execaSync \
child_process.exec child_process.execSync child_process.spawn shell.exec shelljs.exec Bun.spawn \
Bun.spawnSync $ Deno.Command Deno.run command
E javascript eval Function vm.runInNewContext runInThisContext
Q javascript query execute raw $executeRawUnsafe $queryRawUnsafe executeRaw $executeRaw runSql
D javascript dropDatabase drop deleteMany dropUser dropAllUsers dropAllRoles dropRole dropIndexes \
shutdownServer dropCollection remove_all dropSchema dropTable dropAllTables deleteCollection \
deleteBucket deleteObjects terminateInstances flushall flushdb flushAll flushDb destroyAll : \
deletes data
D javascript rs.remove db.adminCommand.shutdown sh.removeShard : takes a server away
S javascript deleteOne findOneAndDelete findAndModify dropIndex bulkWrite updateMany deleteRecord \
deleteFile findByIdAndDelete replaceOne : deletes or changes records
D php Schema.drop Schema.dropIfExists dropIfExists dropAllTables forceDelete DB.table.truncate \
truncate array_map_unlink dropDatabase : deletes records or tables
Q php DB.statement DB.unprepared DB.delete mysqli_query query pg_query statement unprepared exec
S php delete rename file_put_contents destroy : deletes or overwrites something
D lua os.remove fs.delete lfs.rmdir fs.rmdir : deletes files
R lua os.execute io.popen
S lua os.rename : moves a file
D r unlink file.remove file_delete dir_delete fs.file_delete fs.dir_delete dbRemoveTable : \
deletes files
R r system system2 shell
Q r dbExecute dbSendQuery dbGetQuery dbSendStatement
D julia rm Base.rm : deletes files
R julia run
D elixir File.rm_rf File.rm_rf! File.rm File.rm! File.rmdir Repo.delete_all delete_all : deletes \
files or records
R elixir System.cmd System.shell os.cmd cmd
D groovy,scala deleteDir delete deleteRecursively deleteDirectory deleteIfExists Files.delete \
Files.deleteIfExists FileUtils.deleteDirectory FileUtils.cleanDirectory forceDelete deleteTree \
os.remove.all : deletes files
R groovy,scala execute sh Runtime.getRuntime exec Process !
D tcl ^file.delete : deletes files
R applescript ^do ^script ^shell
R awk system
"""

"""macOS: disks, backups, settings, services."""

TABLE = """
[macos]
D diskutil erasedisk|erasevolume|eraseoptical|partitiondisk|zerodisk|randomdisk|secureerase|\
reformat|mergepartitions|splitpartition|resizevolume|createraid|appleraid|corestorage|cs : erases \
or changes a disk
D diskutil apfs|ap delete*|erase*|deletecontainer|deletevolume|deletevolumegroup|deletesnapshot|\
resizecontainer|encryptvolume|decryptvolume|convert : erases or changes a disk
D diskutil appleraid|ar|corestorage|cs|coreraid delete*|destroy*|remove* : erases or changes a disk
S diskutil unmount*|eject|repairdisk|repairvolume|umount* : takes a disk away
C diskutil
D newfs_apfs,newfs_hfs,newfs_msdos,newfs_exfat + : makes a new, empty file system
D asr -erase|--erase : erases a disk
D hdiutil erasekeys|resize|compact|eraseall : changes a disk image
S hdiutil detach|unmount : takes a disk image away
C hdiutil
D gpt destroy|remove|create : changes the partitions of a disk
D csrutil disable|clear|authenticated-root : turns a protection off
D spctl --master-disable|--global-disable|--disable|--reset-default : turns a protection off
S defaults delete|delete-all : resets settings
D defaults delete $ : resets settings
C defaults
D tccutil reset : forgets who was allowed what
D launchctl reboot : stops the host
S launchctl unload|remove|bootout|disable|stop|kill|kickstart : stops services
D launchctl reboot : stops the host
C launchctl
D dscl ... -delete|delete : deletes users or groups
D dscl -delete : deletes users or groups
D dscl @/Users/*|/Groups/* -delete : deletes users or groups
D dseditgroup -o=delete : deletes a group
D sysadminctl -deleteuser|-secureTokenOff|-resetPasswordFor : deletes a user
D fdesetup disable|remove|removerecovery|destroyrecovery|changerecovery : changes an encrypted disk
S pmset sleepnow|restoredefaults : suspends the host
D nvram -c|-d : erases settings of the firmware
D bless --setboot : changes how the host boots
D xcrun simctl delete|erase : erases simulators
C xcrun
D profiles remove|-R|-D|-r : removes profiles
D mas uninstall : removes a program
D pkgutil --forget : forgets a package
S xattr -c|-cr|-rc : removes attributes
D chflags -R + : changes access to a whole tree
D eraseinstall,startosinstall --eraseinstall : erases the host
S plutil -remove|-replace : changes a file
D log erase : deletes logs
C log
"""

"""Disks, partitions, volumes, file systems, flash."""

TABLE = """
[disks]
= mkfs,mkfs.* dry -n -N
C mkfs,mkfs.*,mke2fs,mkswap,wipefs -V $ : says its version
D mkfs,mkfs.*,newfs,newfs_*,mke2fs,mkntfs,mkdosfs,mkexfatfs,mkreiserfs,mkudffs + : makes a new, \
empty file system
D mkswap,mformat + : makes a new, empty file system
D wipefs !-n|--no-act -a|--all|-o|--offset|-af|-fa : erases the signatures of a disk
C wipefs
C fdisk,gdisk,cfdisk,sgdisk,sfdisk -l|--list|-p|--print|-x|--list-details|-s|-d|--dump|-V \
!--delete !-Z|-o|-n : lists partitions
D sfdisk -X|--delete|--relocate|-A|--wipe : changes the partitions of a disk
D sfdisk + : changes the partitions of a disk
D sgdisk -Z|-z|--zap-all|--zap|-o|--clear|-d|--delete|-n|--new|-R|-g|-l|--load-backup|-G : \
changes the partitions of a disk
S fdisk,gdisk,cfdisk,cgdisk + : opens the partitions of a disk for change
= parted values -a --align
D parted ? rm|mklabel|mktable|mkpart|resizepart|rescue|mkpartfs|resize : changes the partitions \
of a disk
C parted
D partx,delpart -d|--delete : forgets partitions
D delpart,addpart,resizepart + : changes the partitions of a disk
D gpart destroy|delete|create|bootcode|restore|recover : changes the partitions of a disk
D blkdiscard + : discards all that is on a device
D hdparm --security-erase|--security-erase-enhanced|--trim-sector-ranges|--make-bad-sector|\
--sanitize-block-erase|--sanitize-crypto-scramble|--sanitize-overwrite|--write-sector|\
--repair-sector|--security-set-pass|--fwdownload : erases or changes a disk
C hdparm
D nvme format|sanitize|delete-ns|write-zeroes|write|write-uncor|dsm|reset|fw-commit|detach-ns : \
erases a disk
C nvme
D badblocks -w|-n|-wsv|-wv|-svw : overwrites a disk to test it
D lvremove,vgremove,pvremove,lvreduce,vgreduce + : removes logical volumes
D lvresize -r : changes a logical volume's size
S lvresize,lvconvert,pvmove,vgsplit,vgmerge,vgexport,pvcreate + : changes logical volumes
D pvcreate -f|-ff|-y : takes a disk for logical volumes
D lvm lvremove|vgremove|pvremove|lvreduce|vgreduce : removes logical volumes
= mdadm values -n -l -x -c --level --raid-devices
D mdadm --zero-superblock|--create|-C|--build|-B|--kill-subarray : writes over the disks of an array
D mdadm --stop|-S|--remove|-r|--fail|-f : takes an array or its disks away
D cryptsetup luksFormat|luksformat|erase|luksErase|luksKillSlot|luksRemoveKey|luksremovekey|\
reencrypt|lukskillslot|lukserase|reencrypt : makes an encrypted disk unreadable
C cryptsetup
D zpool destroy|labelclear|remove|offline|split|detach|replace : destroys or weakens a pool
D zpool create -f : takes disks for a pool
S zpool export|clear|upgrade : changes a pool
= zfs dry -n -nv -nvr -vn -rn
D zfs destroy|rollback : destroys data sets or snapshots
D zfs receive|recv -F : rolls a data set back to receive another
S zfs unmount|promote|release : changes a data set
D btrfs subvolume|sub|su delete|del : deletes a subvolume
D btrfs device|dev delete|remove|del : takes a disk away
D btrfs rescue|check --repair|--clear-space-cache|--init-csum-tree|--init-extent-tree : rewrites \
a file system
D btrfs rescue|restore zero-log|clear-uuid-tree|fix-device-size : rewrites a file system
D btrfs-convert,btrfstune + : rewrites a file system
D xfs_repair -L : throws a file system's log away
D xfs_db -x : writes into a file system behind its back
S xfs_repair,e2fsck,fsck,fsck.*,reiserfsck,ntfsfix,tune2fs,resize2fs,xfs_growfs,xfs_admin,\
dosfslabel !-n|-N + : changes a file system
D reiserfsck --rebuild-tree|--rebuild-sb : rewrites a file system
D resize2fs -M : shrinks a file system
D dmsetup remove|remove_all|wipe_table|clear : removes mapped devices
S losetup -d|-D|--detach|--detach-all : detaches loop devices
S kpartx -d : removes mapped partitions
D sg_format,sg_sanitize,sg_unmap,sg_write_same + : erases a disk
D ddrescue,dd_rescue,safecopy @/dev/sd*|/dev/nvme*|/dev/disk*|/dev/mmc* -f|--force : writes onto \
a device
D ceph osd purge|destroy|rm|out|lost|crush : removes a disk of the cluster
D ceph osd pool delete|rm : deletes a pool
D ceph osd pool ... delete|rm : deletes a pool
D ceph fs rm|reset|new : removes a file system
D ceph auth del|rm : deletes access keys
D ceph mon|mgr|mds|orch|device|config-key rm|remove|zap|del : removes a part of the cluster
D ceph-volume lvm zap : erases a disk
D ceph-disk zap : erases a disk
D ceph-deploy purge|purgedata|forgetkeys : removes a cluster
D cephadm rm-cluster|zap-osds : removes a cluster
D rados rm|rmpool|purge|cleanup|truncate|clearomap : deletes objects
D rbd rm|remove : deletes a disk image
D rbd snap|snapshot|trash|group|namespace|mirror purge|rm|remove|rollback|revert : deletes or \
rolls back snapshots
D rbd resize --allow-shrink : shrinks a disk image
D radosgw-admin ... rm|purge|unlink : deletes something of the object store
D radosgw-admin --purge-data|--purge-objects|--bypass-gc : deletes data of the object store
D gluster volume delete|remove-brick|reset-brick|reset : removes a volume or its bricks
S gluster volume stop : stops a volume
D gluster snapshot delete|restore : deletes or restores snapshots
D gluster peer detach : detaches a server
D drbdadm wipe-md|create-md|invalidate|invalidate-remote : makes a replica worthless
D drbdsetup forget-peer|del-minor : makes a replica worthless
D beegfs-ctl --removetarget|--removenode|--removemirrorgroup : removes storage
D lfs rm_entry|mirror delete : removes a part of a file
D lctl conf_param|destroy : changes a file system
D mmdelfs,mmdeldisk,mmdelnode,mmdelsnapshot,mmdelfileset,mmdelnsd : removes a part of a file system
D multipath -F|-w : forgets multipath devices
D iscsiadm -o=delete : forgets a target
D iscsiadm -m ... @delete : forgets a target
D targetcli clearconfig|*delete* : removes storage targets
D tgtadm --op=delete|unbind : removes a storage target
D megacli,megacli64,storcli,storcli64,perccli,arcconf,hpssacli,ssacli ... @delete|del|-cfglddel|\
-cfgclr|erase|initialize|*delete*|*clr* : removes a disk array
D tw_cli ... del|remove : removes a disk array
D vgcfgrestore,pvck + : rewrites the description of logical volumes
D dumpe2fs -ob : writes into a file system behind its back
D e2image -I|-r : writes into a file system behind its back
D fstransform,fstrim -f : rewrites a file system
S swapoff -a|--all : turns all swap off
S umount -a|-l|-f|--all|--lazy|--force : unmounts file systems
D flash_erase,flash_eraseall,nandwrite,flashcp,mtd_debug,ubiformat,ubirmvol + : overwrites flash
D mtd erase|write : overwrites flash
D flashrom,flashprog -w|--write|-E|--erase : overwrites flash
D fastboot erase|flash|format|flashall|update|oem|flashing|wipe-super|delete-logical-partition : \
overwrites a device
D fastboot -w : erases a device
D heimdall,odin4 flash : overwrites a device
D esptool,esptool.py,espefuse.py,espefuse,idf.py erase_flash|erase_region|erase-flash|\
erase-region|write_flash|write-flash|burn_efuse|burn_key|burn-efuse : overwrites a device
D st-flash,stm32flash,openocd,pyocd,probe-rs,nrfjprog erase|mass_erase|chip|reset : erases a device
D nrfjprog --eraseall|-e|--recover : erases a device
D avrdude -e|-U : overwrites a device
D dfu-util -D|--download : overwrites a device
D picotool erase|load -a|-f : overwrites a device
D tpm2_clear,tpm2_nvundefine,tpm2_evictcontrol : erases keys of a chip
D tpm_clear + : erases keys of a chip
D qemu-img resize --shrink : shrinks a disk image
D qemu-img commit|rebase|amend|snapshot -d|-a|-f|-u|--force : changes a disk image
S qemu-img commit|rebase|amend : changes a disk image
C qemu-img
D qemu-nbd -d|--disconnect : takes a disk away
D vboxmanage closemedium|unregistervm|unattended|natnetwork --delete : deletes a virtual machine \
or disk
D vboxmanage unregistervm|snapshot|extpack ... --delete|--delete-all : deletes a virtual machine
D vboxmanage snapshot ? delete|restore|restorecurrent : deletes or restores a snapshot
S vboxmanage unregistervm|controlvm : stops or forgets a virtual machine
D virsh undefine|vol-delete|vol-wipe|pool-delete|pool-undefine|snapshot-delete|snapshot-revert|\
checkpoint-delete|net-undefine|secret-undefine|blockcommit|detach-disk|pool-destroy|net-destroy|\
destroy : destroys a virtual machine or its disks
D virsh managedsave-remove|iface-undefine|nwfilter-undefine|save-image-edit : removes a part of a \
virtual machine
S virsh shutdown|reboot|reset|suspend : stops a virtual machine
C virsh
D virt-sysprep,virt-sparsify,virt-format,virt-make-fs --in-place|-a|-d|--format : rewrites a disk \
image
D guestfish,virt-rescue --rw|-w : opens a disk image for change
D vmkfstools -U|--deletevirtualdisk|-C|--createfs|-w|-d : destroys a disk
D esxcli ... delete|destroy|remove|unmount|shutdown|reboot : removes a part of a host
D vim-cmd vmsvc/destroy|vmsvc/unregister|vmsvc/snapshot.removeall|vmsvc/snapshot.revert|\
vmsvc/power.off|vmsvc/snapshot.remove : destroys a virtual machine
D qm,pct destroy|delsnapshot|rollback|unlink|template : destroys a virtual machine or its snapshots
S qm,pct stop|shutdown|reset|reboot|suspend : stops a virtual machine
D pvesm free|remove : deletes a volume
D pveceph,pvecm,pvesh,pveum destroy|delete|delnode|purge|osd ... : removes a part of a cluster
D pvesh delete : removes a part of a cluster
D xe vm-destroy|vm-uninstall|vdi-destroy|sr-destroy|sr-forget|snapshot-uninstall|\
vm-snapshot-revert|host-forget|pool-eject : destroys a virtual machine or its disks
D vmctl,bhyvectl,iocage,bastille,ezjail-admin,cbsd,vm destroy|delete|--destroy : destroys a \
virtual machine
D bhyvectl --destroy : destroys a virtual machine
D multipass delete|purge : deletes a virtual machine
D limactl,colima,orbctl,orb,lima delete|rm|factory-reset|reset : deletes a virtual machine
S vagrant halt|suspend|reload : stops a virtual machine
D vagrant destroy : destroys a virtual machine
D vagrant box|snapshot remove|delete|restore|prune : deletes boxes or snapshots
D vagrant cloud ... delete : deletes a published box
D ipmitool ... power|chassis off|cycle|reset|bootdev|soft|policy : powers a host off
D ipmitool ... @off|cycle|reset|clear : powers a host off or clears its log
D racadm,racadm7 serveraction|racreset|racresetcfg|raid|storage|systemerase|clrsel|sslresetcfg : \
resets a host
"""

"""Windows: its own command lines, and PowerShell's cmdlets by name (in small letters)."""

TABLE = """
[windows]
D reg delete : deletes a part of the registry
D reg import|restore|unload : overwrites a part of the registry
C reg
D regedit /s : overwrites a part of the registry
D vssadmin delete|resize : deletes snapshots
D wmic ... delete|terminate|uninstall : deletes what it names
D bcdedit /delete : changes how the host boots
D bootrec,bootsect,bcdboot + : changes how the host boots
D cipher /w:* : overwrites free space
D sc,sc.exe delete : deletes a service
S sc,sc.exe stop|config : stops a service
D schtasks @/delete|/Delete : deletes a scheduled task
D net @/delete|/DELETE|/del : deletes users or shares
S net stop : stops a service
C net
M taskkill,tskill : ends a process
D wevtutil cl|clear-log|um|sl : clears a log
C wevtutil
D fsutil usn|file|reparsepoint|quota|volume deletejournal|setzerodata|delete|dismount|\
setvaliddata : deletes what a volume keeps
D diskshadow,mountvol,subst /s|/d|/D|delete : takes volumes away
D icacls,cacls,takeown @/reset|/Reset @/t|/T : changes access to a whole tree
S icacls,cacls,takeown : changes access
S attrib + : changes files
D dism,dism.exe @/cleanup-image|/Cleanup-Image @/resetbase|/ResetBase : takes a way back away
S dism : changes the system
D sfc /purgecache : takes a way back away
D systemreset,rstrui,recdisc -factoryreset|+ : takes the host back to how it was delivered
D wsl --unregister : deletes a system with all its files
S wsl --shutdown|--terminate|-t : stops a system
C wsl
D logoff,tsdiscon,rwinsta + : ends a session
D dsrm,dsmod,dsmove,ntdsutil,csvde + : deletes a part of the directory
S dsmod,dsmove,csvde : changes the directory
D certutil -delstore|-delkey|-deletehellocontainer : deletes certificates
D netsh ... delete|reset : changes the network
S netsh advfirewall set : changes the firewall
S ipconfig /release|/flushdns : gives an address back
D manage-bde -off|-delete|-forcerecovery|-wipefreespace|-changekey : changes an encrypted disk
D appcmd delete : deletes a site
D msiexec /x|/X : removes a program
S msiexec : installs a program
D powercfg /delete|-delete|/h : removes a power plan
D pnputil /delete-driver|/remove-device : removes a driver
D format-volume,clear-disk,initialize-disk,remove-partition,remove-physicaldisk,\
remove-virtualdisk,remove-volume,reset-physicaldisk,set-disk,clear-storagediagnosticinfo,\
resize-partition,remove-storagepool,optimize-volume,dismount-diskimage !-whatif|-WhatIf : erases \
or changes a disk
D clear-content,clc,clear-item,cli,clear-itemproperty,remove-itemproperty,rp !-whatif|-WhatIf + : \
empties files or items
D clear-eventlog,remove-eventlog,limit-eventlog : clears a log
D clear-history,clhy : clears the shell's history
D clear-recyclebin : empties the recycle bin
D stop-computer,restart-computer,stop-vm,checkpoint-computer !-whatif|-WhatIf : stops the host
S stop-vm,restart-vm,suspend-vm : stops a machine
M stop-process,spps,stop-service,spsv,restart-service,suspend-service,stop-job : ends a process \
or service
S disable-*,stop-* !-whatif|-WhatIf : turns something off
D remove-vm,remove-vhd,remove-vmsnapshot,remove-vmcheckpoint,restore-vmsnapshot,remove-cluster,\
remove-clusternode,remove-dfsn*,remove-dfsrmember : deletes a machine or its disks
D remove-aduser,remove-adgroup,remove-adobject,remove-adcomputer,remove-adorganizationalunit,\
remove-adgroupmember,disable-adaccount,remove-localuser,remove-localgroup,remove-localgroupmember,\
disable-localuser : deletes users
D remove-smbshare,remove-service,remove-website,remove-webapppool,remove-iissite,remove-printer,\
remove-netfirewallrule,remove-netroute,remove-netipaddress,remove-dnsserverzone,\
remove-dnsserverresourcerecord,remove-dhcpserverv4scope,remove-gpo,remove-windowsfeature,\
remove-appxpackage,remove-computer,remove-hotfix,remove-certificate : removes a part of the host
D unregister-scheduledtask,uninstall-windowsfeature,uninstall-package,uninstall-module,\
disable-computerrestore : removes a part of the host
D set-mppreference -disablerealtimemonitoring : turns a protection off
"""

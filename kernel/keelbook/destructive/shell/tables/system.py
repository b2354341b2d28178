"""The host: services, power, users, network, logs, kernel."""

TABLE = """
[power]
C shutdown -c $ : takes a shutdown back
S shutdown -c : takes a shutdown back
S shutdown /a : takes a shutdown back
C shutdown -k|--show : only warns
D shutdown : stops the host
D reboot,halt,poweroff,pm-hibernate,pm-suspend,kexec-reboot : stops the host
D init,telinit 0|1|6|s : stops the host
D kexec -e|--exec : starts another kernel
D systemctl reboot|poweroff|halt|kexec|emergency|rescue|soft-reboot|exit|default|switch-root : \
stops the host
S systemctl suspend|hibernate|hybrid-sleep|sleep : suspends the host
D rtcwake -m=off : stops the host
D xfce4-session-logout,gnome-session-quit,loginctl-kill --halt|--reboot|--power-off : stops the host
D busctl call ... @*Reboot*|*PowerOff*|*Halt* : stops the host
D dbus-send @*Reboot*|*PowerOff*|*PowerOff|*.Stop : stops the host
[system]
= systemctl values -t --type -H --host -M -s --signal --kill-who -n -o --state
D systemctl isolate rescue.target|emergency.target|poweroff.target|reboot.target|halt.target : \
stops the host
D systemctl kill|stop|disable|mask ... sshd|sshd.service|ssh|ssh.service|network|networking|\
networkmanager|systemd-networkd|docker.socket : cuts the way to the host
S systemctl stop|restart|disable|mask|kill|isolate|reset-failed|revert|try-restart|unmask|clean : \
stops or changes services
D systemctl clean|revert --what=all|state : deletes what a service keeps
C systemctl
S service,rc-service,invoke-rc.d,initctl ? stop|restart : stops a service
S service,rc-service,invoke-rc.d,initctl stop|restart : stops a service
S rc-update,update-rc.d,chkconfig,insserv del|delete|remove|disable : disables a service
S update-rc.d,chkconfig ? remove|disable|off : disables a service
S update-rc.d -f : disables a service
S supervisorctl stop|restart|shutdown|remove|clear : stops services
S monit,sv,s6-rc,rcctl,svcadm,pm2,forever,circusctl stop|restart|disable|down|kill|quit|unmonitor|\
stopall : stops services
D pm2 delete|kill : removes services
D svcadm,svccfg delete : removes a service
D loginctl terminate-user|terminate-session|kill-user|kill-session|terminate-seat : ends a user's \
session
D machinectl remove|terminate|poweroff|clean|kill : ends or removes a machine
D portablectl detach : removes a service
S homectl lock|deactivate : locks a home
D homectl remove : deletes a home
S bootctl remove : removes the boot loader
D efibootmgr -B|--delete-bootnum|-O|--delete-bootorder : deletes a boot entry
S grub-install,update-grub,grub-mkconfig,lilo,dracut,mkinitcpio,update-initramfs,extlinux \
!--version : changes how the host boots
D update-initramfs,kernel-install,dracut -d|remove : removes a kernel's boot image
S modprobe -r|--remove : removes a kernel module
S rmmod,insmod + : changes the running kernel
S sysctl -w|-p|--system|--write|--load : changes the running kernel
C sysctl
S setenforce 0|permissive : turns a protection off
D semanage ... -D|--deleteall : removes policies
S semodule,semanage -r|-d|--remove|--delete|-D : removes a policy
S aa-teardown,aa-disable,aa-remove-unknown,apparmor_parser -R|--remove : turns a protection off
S aa-teardown : turns a protection off
S update-alternatives --remove|--remove-all : removes an alternative
S hwclock,timedatectl,date -w|--systohc|--set|-s|set-time|set-ntp : changes the clock
D gsettings reset-recursively|reset : resets settings
D dconf reset|load : resets settings
D gconftool-2 --recursive-unset|--unset : resets settings
D xfconf-query -R -r|--reset : resets settings
D kwriteconfig5,kwriteconfig6 --delete : resets settings
D nvram -c|-d|-m : erases settings of the firmware
S fwupdmgr,fwupdtool install|update|downgrade|reinstall|clear-history|clear-results : changes \
firmware
D factory-reset,firstboot,jffs2reset : takes the host back to how it was delivered
D systemd-firstboot --reset : takes the host back to how it was delivered
D uci delete|revert : removes settings
S snapper undochange : changes files back
D timeshift,snapper --delete|--delete-all|--restore|delete|rollback|cleanup : deletes or restores \
snapshots
D ostree admin undeploy|cleanup : removes a deployment
D ostree prune|refs --refs-only|--delete : removes commits
S rpm-ostree reset|cleanup|rollback : removes a deployment
[history]
D journalctl --vacuum-size|--vacuum-time|--vacuum-files : deletes logs
D journalctl --flush|--relinquish-var --vacuum-size : deletes logs
S journalctl --rotate : rotates logs
C journalctl
D dmesg -C|-c|--clear|--read-clear : clears the kernel's log
D auditctl -D|-d|-e : removes the rules of the audit
D utmpdump -r : rewrites the record of logins
D atuin,hstr,mcfly history prune|delete|dedup : deletes history
D atuin search --delete|--delete-it-all : deletes history
D atuin account delete : deletes history
D lastlog -C|--clear : clears the record of logins
D faillock,pam_tally2 --reset : clears the record of failed logins
D last,lastb --clear : clears the record of logins
[users]
D userdel,deluser,groupdel,delgroup,rmuser + : deletes a user or group
D gpasswd -d|--delete|-r|--remove-password|-R : takes a user's access away
D passwd -d|--delete|-l|--lock|-e : takes a user's password away
D usermod -L|--lock : locks a user
D usermod -G|--groups !-a|--append|-aG : replaces a user's groups
S chpasswd,newusers + : changes users' passwords
D pw userdel|groupdel|usermod -n : deletes a user or group
D pw userdel|groupdel : deletes a user or group
S chage,chsh,chfn + : changes a user
D smbpasswd -x|-d : takes a user's access away
D pdbedit -x|--delete : deletes a user
D htpasswd -D : deletes a user
D samba-tool user|group|computer|domain|ou|dns|gpo|contact delete|del|demote|removemembers|\
disable|remove : deletes a part of the directory
D ldapdelete + : deletes entries of the directory
S ldapmodify,ldapmodrdn : changes the directory
D dsidm,dsctl,dsconf ... delete|remove : deletes a part of the directory
D ipa *-del|*-remove-member|*-disable : deletes a part of the directory
D kadmin,kadmin.local -q : changes principals
D kadmin,kadmin.local delprinc|delete_principal|delpol|ktremove|purgekeys : deletes principals
D kdb5_util destroy|purge_mkeys : destroys the database of principals
S kdestroy : destroys tickets
D net rpc|ads|user|group|share|localgroup|conf|registry ... delete|deldriver|drop|leave : deletes \
users or shares
D realm leave : leaves the directory
D adcli delete-computer|delete-user|delete-group : deletes a part of the directory
D authconfig,authselect,pam-auth-update --remove|--disable*|uninstall : changes how users log in
[network]
D iptables,ip6tables,iptables-legacy,ip6tables-legacy,ebtables,arptables,iptables-nft -F|--flush|\
-X|--delete-chain : flushes the firewall
D iptables,ip6tables -P @DROP|drop : closes the host to the network
S iptables,ip6tables,ebtables,arptables -D|--delete|-R|-P : removes a rule of the firewall
C iptables,ip6tables,ebtables,arptables
D iptables-restore,ip6tables-restore !-t|--test !-n|--noflush : replaces the firewall
D nft flush|destroy : flushes the firewall
D nft delete table|chain|ruleset|set|rule|map|element : flushes the firewall
D ipset destroy|flush|x|f : empties sets of the firewall
D ufw reset : resets the firewall
S ufw disable|delete|deny|route : changes the firewall
D ufw --force reset|disable|delete : resets the firewall
S firewall-cmd --panic-on|--remove-service|--remove-port|--remove-rich-rule|--complete-reload : \
changes the firewall
D firewall-cmd --delete-zone|--delete-service|--delete-policy|--reset-to-defaults|\
--load-zone-defaults : removes a part of the firewall
D pfctl -F|-d : flushes the firewall
D ip link|l delete|del|d : deletes a network interface
D ip address|addr|a|route|r|rule|ru|neigh|n|neighbour|xfrm flush|delete|del : removes addresses \
or routes
D ip netns|tunnel|tuntap|maddress|xfrm delete|del|deleteall|flush : removes a part of the network
S ip link set ... down : takes a network interface down
C ip
S ifconfig ... down|delete|-alias|destroy : takes a network interface down
S ifdown + : takes a network interface down
S route del|delete|flush : removes a route
S arp -d|-D : removes an entry
D tc qdisc|filter|class del|delete : removes traffic rules
D brctl delbr|delif : removes a bridge
D ovs-vsctl del-br|del-port|del-controller|emer-reset|clear|destroy : removes a part of a switch
D ovs-ofctl del-flows|del-groups|del-meters : removes flows
D ovn-nbctl,ovn-sbctl *-del|destroy|clear : removes a part of the network
D bridge fdb|vlan|mdb|link del|delete|flush : removes entries of a bridge
D nmcli connection|con|c|device|dev|d delete|del : deletes a connection
S nmcli connection|con|c|device|dev|d|networking|radio down|disconnect|off : takes a connection down
C nmcli
S wg-quick down : takes a tunnel down
D wg set ... @remove : removes a peer
S networkctl down|reconfigure : changes a network interface
D tailscale logout|lock : leaves the network
S tailscale down : leaves the network
D zerotier-cli leave : leaves the network
S resolvectl,systemd-resolve flush-caches|--flush-caches|reset-statistics : flushes a cache
D conntrack -F|-D|--flush|--delete : drops connections
D rndc delzone|flush|stop|halt : removes a zone
D pdnsutil delete-zone|delete-rrset|deactivate-tsig-key|remove-zone-key|clear-zone|\
deactivate-zone-key : deletes names
D certbot delete|revoke|unregister : deletes or revokes certificates
D acme.sh --remove|--revoke|--deactivate|--uninstall : deletes or revokes certificates
D step ca revoke : revokes certificates
D easyrsa,pivpn init-pki|revoke|revoke-issued|-r : deletes or revokes certificates
D certutil -D|-delstore|-F : deletes certificates
S update-ca-certificates -f|--fresh : makes the list of certificates anew
D trust anchor --remove : removes certificates
D keytool -delete : deletes a key
[printing]
D lprm,cancel -a|-|ALL : removes all print jobs
S lprm,cancel : removes print jobs
D lpadmin -x : deletes a printer
[mail]
D postsuper,mailq -d : deletes mail
D exim,exim4 -Mrm|-Mg : deletes mail
D doveadm expunge|purge|deduplicate : deletes mail
D doveadm mailbox delete : deletes mail
D postqueue,qshape -d : deletes mail
D mailman,list_members remove|rmlist : deletes a list
D rmlist + : deletes a list
"""

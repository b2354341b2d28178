"""Developers' tools, phones, games of the command line, data, notebooks, network gear."""

TABLE = """
[develop]
S make,gmake,ninja,just,task,mage,rake,invoke,inv,nox,tox,doit,scons clean|distclean|mrproper|\
clobber|realclean|maintainer-clean|cleanall|clean-all|purge|uninstall|clean_all : deletes build \
output
= make,gmake,just,task dry -n --dry-run --just-print --recon --dry
= make,gmake values -C -f -j -I -l -o
D make,gmake,just,task,mage,invoke,inv destroy|nuke|drop|reset-db|db-reset|dropdb|drop-db|wipe|\
teardown|db-drop|destroy-*|delete-*|wipe-*|nuke-*|drop-*|db:drop|db-wipe|reset-database|\
terraform-destroy|tf-destroy|infra-destroy : runs a target that destroys
C make,gmake,just,mage,invoke,inv
D npm,yarn,pnpm,bun run *:drop|db:reset|*:nuke|db:drop|*:destroy|destroy|nuke|db:wipe|*:wipe|\
drop-db|reset-db|*:delete : runs a script that destroys
S adb uninstall|root|remount|disable-verity : changes a device
S adb reboot : restarts a device
D adb emu kill : ends an emulator
D pm clear|uninstall : deletes an application's data
D avdmanager delete : deletes a device
S sdkmanager --uninstall : removes a package
D emulator -wipe-data : deletes a device's data
D cfgutil erase|remove-app|restore : erases a device
S jupyter kernelspec|labextension|lab uninstall|remove|clean : removes a kernel
S jupyter nbconvert --clear-output|--inplace|--in-place : rewrites a notebook
S nbstripout + : rewrites a notebook
C jupyter,jupytext
S pre-commit clean|gc|uninstall : removes a cache
C pre-commit,black,isort,ruff,prettier,eslint,pytest,tox,nox,mypy,jest,vitest,mocha,playwright,\
cypress
S playwright uninstall : removes browsers
S ccache,sccache -C|--clear|-c : empties a cache
S nvidia-smi --gpu-reset|-r : resets a card
C nvidia-smi
D rocm-smi --resetgpu|--gpureset|-r : resets a card
S xset,xrandr,setxkbmap,wmctrl,xkill,xdotool -c|kill|windowkill|windowclose : closes windows
D tmux kill-server : ends sessions
S tmux kill-session|kill-window|kill-pane|kill-server|clear-history : ends sessions
C tmux
S screen -X|-wipe : ends a session
C screen
D zellij delete-all-sessions|kill-all-sessions : ends sessions
S zellij delete-session|kill-session|kill-sessions : ends a session
S mpc clear|rm|del|crop : clears a playlist
D beet remove|rm -d : deletes files of a library
S beet remove|rm : removes songs
C beet,mpc
D calibredb remove|remove_format|clone|restore_database : deletes books
D notmuch,mu,neomutt,himalaya,mbsync ... delete|expunge|purge : deletes mail
D mbsync --expunge|-X : deletes mail
D offlineimap,imapfilter,imapsync,fdm --delete1|--delete2|--expunge1|--expunge2 : deletes mail
D gcalcli delete : deletes dates
D calcurse -P|--purge : deletes dates
D nb delete : deletes notes
D transmission-remote --remove-and-delete|-rad : deletes downloads with their data
S transmission-remote -r|--remove : removes downloads
D qbt,deluge-console,rtorrent,aria2rpc ... delete|rm|erase : deletes downloads
D pihole,adguard ... flush|-f|uninstall|arpflush : clears logs
D snmpset + : changes a device
D ha host|os|backups|addons ... wipe|remove|uninstall|shutdown|reboot : removes a part of a \
home's system
S rcon-cli,mcrcon ... stop|kill|ban : stops a server
D fail2ban-client unban|stop|reload --all : forgets bans
S react-native,cordova,ionic,expo ... clean|rm|remove : removes a platform
"""

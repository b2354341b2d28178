"""Commands that run the command in their own words.

A line is ``PROGRAM[,PROGRAM] [SUBCOMMAND|SUBCOMMAND...] : WORD... [; WORD...]``:

- ``values -u -g``: options that take the next word;
- ``skip N``: so many operands come before the command;
- ``assigns``: ``NAME=value`` may stand before it; ``joined``: the words are one shell text;
- ``single``: one word is a shell text, several are a command;
- ``after --``: the command is what follows ``--``; with ``maybe`` it may also just follow;
- ``text -c --command``: the value of one of these is a shell text;
- ``only``: nothing but that text is run, and its option may stand anywhere;
- ``stop -l -v``: with one of these nothing is run; ``rename kubectl``: the rest is a kubectl call.

The first line that gives something counts, longer subcommands before shorter ones.
"""

TABLE = """
sudo,doas,sudo-rs,run0 : assigns ; stop -l --list -v -V -K -k ; values -u -g -h -p -C -D -r -t -T \
-U -R --user --group --host --prompt --chdir --chroot --role --type --close-from --other-user
su,runuser : text -c --command --session-command ; values -s --shell -g -G -w -u --user ; skip 1
pkexec,dzdo : values --user -u
gosu,su-exec,setuidgid,s6-setuidgid : skip 1
chpst : values -u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c
sg : skip 1 ; text -c
setpriv : values --reuid --regid --groups --securebits --pdeathsig
env,genv : assigns ; text -S --split-string ; values -u -C --unset --chdir
nice,gnice : values -n --adjustment
ionice : values -c -n -P -u --class --classdata ; stop -p --pid
chrt : values -T -P -D ; skip 1 ; stop -p
taskset : skip 1 ; stop -p
numactl : values -m -N -C -i -p --cpunodebind --membind --physcpubind --interleave
timeout,gtimeout : values -k -s --kill-after --signal ; skip 1
nohup,setsid,unbuffer,fakeroot,builtin,coproc,noglob,nocorrect,torsocks,torify,tsocks,rlwrap : \
skip 0
dbus-run-session,dbus-launch,eatmydata,nocache,chronic,tini,dumb-init,catatonit,cronic : skip 0
setarch,linux32,linux64,i386,arch,firejail,winpty,caffeinate : values -t -w -e
xvfb-run : values -n -s -e -f -p -w --server-args --server-num
systemd-inhibit : values --what --who --why --mode
cpulimit : values -l -p -e --limit ; after -- maybe
prlimit : values -p --pid
choom : values -n -p ; after -- maybe
cgexec : values -g
trickle : values -d -u -w -t -l -n
command : stop -v -V
exec : values -a
time,gtime : values -f -o --format --output
stdbuf,gstdbuf : values -i -o -e --input --output --error
script : text -c --command
chroot,gchroot,arch-chroot : values --userspec --groups ; skip 1
fakechroot : skip 0
unshare : values --map-user --map-group -S -G -w --root --wd --propagation --setgroups -R
nsenter : values -t -S -G --target
bwrap : after --
bwrap : values --chdir --dev --proc --tmpfs --unshare-all
proot : values -r -b -w -S -R
flock : values -w -E --timeout --wait --conflict-exit-code ; text -c --command ; skip 1
watch,viddy,hwatch : values -n --interval ; joined
ssh,slogin,rsh,mosh,autossh,remsh,dbclient : skip 1 ; joined ; stop -V -G -Q ; values -B -b -c -D \
-E -e -F -I -i -J -L -l -M -m -O -o -p -P -Q -R -S -W -w --port --ssh --predict --server
tsh ssh : values -p -l -i -J --proxy --cluster ; skip 1 ; joined
tailscale ssh : skip 1 ; joined
sshpass : values -p -f -d -P
pdsh,clush,dsh,pssh,parallel-ssh,mpssh : values -w -h -H -l -p -t -x -g -X -o -e -m -R -F -n ; \
joined
tmux new-session|new|new-window|neww|split-window|splitw|run-shell|run|popup|display-popup : \
joined ; values -s -n -c -t -x -y -F -e -l -p -w -h
tmux respawn-pane|respawn-window|respawnp|respawnw|pipe-pane|pipep : values -c -t -e ; single
tmux if-shell|if : values -t ; skip 1 ; single
screen : values -S -t -T -c -e -h -p -s ; single ; stop -r -x -ls -list -wipe -X
dtach,abduco : values -A -n -c -e -r -E ; skip 1
systemd-run : values -p -t -M -u --unit --property --slice --description --on-active \
--on-calendar --on-boot --uid --gid --setenv -E --working-directory --machine --nice \
--service-type -H
systemd-nspawn : values -D -M -u -E --bind --bind-ro --directory --machine --user --image --setenv
machinectl shell : skip 1
strace,ltrace : values -e -o -s -u -E -P -S -a -b -I -O -U ; stop -p
perf stat|record|trace : values -e -o -F -c -C -r -I
valgrind,heaptrack : values --log-file
rr record : skip 0
gdb,lldb : after --args
lldb : after --
hyperfine : single ; values -w -r -m -M -s -p -c -L -P -n -S --warmup --runs --prepare \
--export-json --export-markdown
entr : skip 0
nodemon : text --exec -x ; values -w -e -i ; only
watchexec : values -w -e -i -d -s --watch --exts --filter ; joined
chokidar : text -c --command ; only
concurrently : values -n -c -k --names ; single
cargo watch : text -s --shell ; values -w -i ; only
wait-for-it,wait-for-it.sh,dockerize : after --
cross-env,cross-env-shell,env-cmd,dotenv : assigns ; values -f -e --file ; after -- maybe
dotenvx run : values -f ; after --
proxychains,proxychains4,graftcp : values -f
faketime,datefudge : skip 1
npx,bunx,pnpx : values -p --package ; text -c --call
uvx : values --from --with --python -p
npm exec|x : values -p --package ; text -c --call ; after -- maybe
pnpm exec|dlx : values --filter -C --dir --package ; after -- maybe
yarn exec|dlx|run : values -p --cwd ; after -- maybe
bun x|run : after -- maybe
bundle exec : after -- maybe
rbenv exec : after -- maybe
asdf exec : after -- maybe
mise exec|x : after -- maybe
composer exec : after -- maybe
pyenv exec : after -- maybe
poetry run : values -C -P --project --directory
pipenv run : skip 0
pdm run : values -p --project --venv
hatch run : values -e --env -p
rye run : skip 0
pixi run : values -e --environment --manifest-path
direnv exec : skip 1
devbox run : after -- maybe
uv run : values --with --python -p --project --directory --env-file --package --extra --group \
--index --with-requirements
uv tool run : values --from --with --python -p
pipx run : values --spec --python
micromamba run : values -n -p --name --prefix --cwd
conda run : values -n -p --name --prefix --cwd
mamba run : values -n -p --name --prefix --cwd
nix-shell : text --run --command ; only
nix shell|develop : after -c maybe
nix shell|develop : after --command maybe
guix shell|environment|time-machine : after --
flox activate : after --
doppler run : values -p -c -t --project --config --token ; text --command ; after -- maybe
op run : values --env-file ; after -- maybe
infisical run : values -e --env --path --projectId ; text --command ; after -- maybe
teller run : values -c ; after -- maybe
envchain : skip 1
summon : values -f -p -e -D ; after -- maybe
envconsul : values -prefix -secret -config -once ; after -- maybe
chamber exec : after --
aws-vault exec : values -d --duration --ecs-server ; after -- maybe ; skip 1
sops exec-env|exec-file : skip 1 ; joined
docker exec : skip 1 ; values -e -u -w --env --user --workdir --env-file --detach-keys
podman exec : skip 1 ; values -e -u -w --env --user --workdir --env-file --detach-keys
nerdctl exec : skip 1 ; values -e -u -w --env --user --workdir --env-file
docker container exec : skip 1 ; values -e -u -w --env --user --workdir --env-file
podman container exec : skip 1 ; values -e -u -w --env --user --workdir --env-file
docker run|create : skip 1 ; values -v -p -e -u -w -h -l -m -a -c --volume \
--publish --env --user --workdir --name --network --net --hostname --label --memory --cpus \
--entrypoint --mount --restart --env-file --add-host --device --ip --dns --gpus --platform --pull \
--shm-size --ulimit --tmpfs --cap-add --cap-drop --security-opt --log-driver --log-opt --ipc --pid \
--userns --runtime --expose --link --group-add --volumes-from --cidfile --stop-signal
podman run|create : skip 1 ; values -v -p -e -u -w -h -l -m -a -c --volume \
--publish --env --user --workdir --name --network --net --hostname --label --memory --cpus \
--entrypoint --mount --restart --env-file --add-host --device --ip --dns --gpus --platform --pull \
--shm-size --ulimit --tmpfs --cap-add --cap-drop --security-opt --log-driver --log-opt --ipc --pid \
--userns --runtime --expose --link --group-add --volumes-from --cidfile --stop-signal
nerdctl run|create : skip 1 ; values -v -p -e -u -w -h -l -m -a -c --volume \
--publish --env --user --workdir --name --network --net --hostname --label --memory --cpus \
--entrypoint --mount --restart --env-file --add-host --device --ip --dns --gpus --platform --pull \
--shm-size --ulimit --tmpfs --cap-add --cap-drop --security-opt --log-driver --log-opt --ipc --pid \
--userns --runtime --expose --link --group-add --volumes-from --cidfile --stop-signal
docker container run|create : skip 1 ; values -v -p -e -u -w -h -l -m -a -c --volume \
--publish --env --user --workdir --name --network --net --hostname --label --memory --cpus \
--entrypoint --mount --restart --env-file --add-host --device --ip --dns --gpus --platform --pull \
--shm-size --ulimit --tmpfs --cap-add --cap-drop --security-opt --log-driver --log-opt --ipc --pid \
--userns --runtime --expose --link --group-add --volumes-from --cidfile --stop-signal
docker compose exec : skip 1 ; values -e -u -w --env --user --workdir --index
podman compose exec : skip 1 ; values -e -u -w --env --user --workdir --index
docker-compose exec : skip 1 ; values -e -u -w --env --user --workdir --index
podman-compose exec : skip 1 ; values -e -u -w --env --user --workdir --index
docker compose run : skip 1 ; values -e -u -w -v -p -l --env --user --workdir --name --entrypoint \
--volume --publish --label
docker-compose run : skip 1 ; values -e -u -w -v -p -l --env --user --workdir --name --entrypoint \
--volume --publish --label
crictl exec : skip 1
ctr tasks|task|t exec : skip 1 ; values --exec-id --user --cwd
lxc exec : skip 1 ; after -- maybe ; values --env --user --cwd
incus exec : skip 1 ; after -- maybe ; values --env --user --cwd
lxc-attach : values -n --name -u -v ; after -- maybe
pct exec : skip 1 ; after -- maybe
vzctl exec : skip 1 ; joined
jexec : skip 1 ; values -U -u
buildah run : skip 1 ; after -- maybe ; values --user -v --volume
runc exec : skip 1 ; values -e -u --cwd --user
crun exec : skip 1 ; values -e -u --cwd --user
singularity exec : skip 1 ; values -B --bind --pwd --env -H -W
apptainer exec : skip 1 ; values -B --bind --pwd --env -H -W
distrobox enter : values -n --name ; after --
distrobox-enter : values -n --name ; after --
toolbox run : values -c --container -d -r
schroot : values -c -u -d ; after -- maybe
limactl shell : skip 1 ; values --workdir
lima : skip 0
multipass exec : skip 1 ; after -- maybe
colima ssh : after -- maybe
orb : values -m -u -w
podman machine ssh : skip 1 ; joined
wsl : values -d -u --distribution --user --cd ; text -e --exec ; after -- maybe
kubectl exec : skip 1 ; after -- maybe ; values -n -c --namespace --container --context -f
k exec : skip 1 ; after -- maybe ; values -n -c --namespace --container --context -f
oc exec|rsh : skip 1 ; after -- maybe ; values -n -c --namespace --container --context -f --shell
kubectl run|debug : after --
oc run|debug : after --
microk8s kubectl : rename kubectl
microk8s.kubectl : rename kubectl
k3s kubectl : rename kubectl
minikube kubectl : after -- maybe ; rename kubectl
rke2 kubectl : rename kubectl
k0s kubectl : rename kubectl
minikube ssh : after -- maybe
vagrant ssh : text -c --command ; only
heroku run|run:detached : joined ; values -a --app -s --size -r --remote -e --env
scalingo run : joined ; values -a --app
dokku run|enter : skip 1 ; joined
railway run : values -s -e -p
platform ssh|environment:ssh : joined ; values -p -e -A
upsun ssh|environment:ssh : joined ; values -p -e -A
eb ssh : text --command -c ; only
cf ssh : text --command -c ; only
gcloud compute ssh : text --command ; only
gcloud compute tpus tpu-vm ssh : text --command ; only
gcloud cloud-shell ssh : text --command ; only
doctl compute ssh : text --ssh-command ; only
az vm|vmss run-command : text --scripts ; only
az containerapp exec : text --command ; only
az container exec : text --exec-command ; only
aws ecs execute-command : text --command ; only
gh codespace|cs ssh : joined ; values -c --codespace -R --repo
lftp : text -e -c ; only
adb shell : joined ; values -s -t
xterm,konsole,urxvt,st,alacritty : after -e
kitty,foot : values -T --title -o
gnome-terminal,xfce4-terminal,mate-terminal,tilix : after --
foreman run : values -e -f -p --env
honcho run : values -e -f -p --env
pm2 start : values -n --name ; joined
envdir,setlock : skip 1
daemonize : values -a -c -e -o -p -l -u -E
daemon : values -p -P -r -t -u -o -n ; after -- maybe
start-stop-daemon : after --
git bisect run : skip 0
git submodule foreach : joined
busybox,toybox,coreutils : skip 0
"""

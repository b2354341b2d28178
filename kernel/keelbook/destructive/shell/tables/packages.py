"""Package managers: what is removed comes back, what is purged or unpublished does not."""

TABLE = """
[packages]
= apt,apt-get,aptitude dry -s --simulate --just-print --dry-run --recon --no-act -d \
--download-only --print-uris
= apt,apt-get,aptitude values -t -o -c --target-release
D apt,apt-get,aptitude,nala,pkcon purge : removes packages with their settings
D apt,apt-get,aptitude,nala remove|autoremove|autopurge|install --purge : removes packages with \
their settings
D apt,apt-get autopurge : removes packages with their settings
D apt,apt-get install|upgrade|dist-upgrade|remove --allow-remove-essential|--force-yes : may \
remove what the system needs
S apt,apt-get,aptitude,nala remove|autoremove|uninstall : removes packages
S apt,apt-get clean|autoclean : removes downloaded packages
C apt,apt-get,aptitude,apt-cache,apt-mark,apt-key,add-apt-repository,apt-file
= dpkg dry --dry-run --no-act --simulate
D dpkg -P|--purge : removes packages with their settings
D dpkg -r|--remove --force-all|--force-depends|--force-remove-essential|--force-remove-reinstreq \
: removes what others need
S dpkg -r|--remove : removes packages
C dpkg,dpkg-query,dpkg-deb
D yum,dnf,dnf5,microdnf,zypper remove|erase|autoremove @glibc|kernel|bash|systemd|sudo|openssh*|\
rpm|yum|dnf|python3|coreutils : removes what the system needs
S yum,dnf,dnf5,microdnf,zypper remove|erase|autoremove|rm|swap|downgrade|distro-sync : removes \
packages
S yum,dnf,dnf5 history undo|rollback : takes packages back
S yum,dnf,dnf5,zypper clean : removes downloaded packages
C yum,dnf,dnf5,microdnf,zypper
= rpm dry --test
D rpm -e|--erase|-ev --nodeps|--allmatches : removes what others need
S rpm -e|--erase|-ev|-evh : removes packages
C rpm,rpmbuild
= pacman,yay,paru dry -p --print
D pacman,yay,paru -Rns|-Rnsc|-Rdd|-Rsc|-Rscn|-Rcns|-Rcs|-Rsn|-Rnc|-Rn|-Rncs|-Rddns : removes \
packages with their settings
D pacman,yay,paru -R|--remove --nosave|-n|--nodeps|--cascade|-c : removes packages with their \
settings
S pacman,yay,paru -R|-Rs|-Rsu|-Ru|--remove : removes packages
S pacman,yay,paru -Sc|-Scc : removes downloaded packages
C pacman,yay,paru,makepkg
D apk del --purge : removes packages with their settings
S apk del : removes packages
C apk
D emerge -C|--unmerge|--depclean|-c !-p|--pretend : removes packages
D emerge --unmerge !-p|--pretend : removes packages
C emerge
S pkg,pkg_delete,pkgin delete|remove|autoremove|rm|+ : removes packages
D pkg delete|remove -a|--all|-f|--force : removes packages
S opkg,ipkg,slackpkg,removepkg,xbps-remove,eopkg,swupd,urpme,tazpkg,sbopkg,cards,guix-remove \
remove|+|-R : removes packages
D snap remove --purge : removes a package with its data
S snap remove|revert|disable : removes a package
D snap forget : deletes a snapshot
C snap
D flatpak uninstall|remove --delete-data : removes a package with its data
D flatpak uninstall|remove --all : removes all packages
S flatpak uninstall|remove|repair|remote-delete : removes a package
C flatpak
D brew uninstall|rm|remove --zap|--ignore-dependencies|--force|-f : removes a package with its data
D brew bundle cleanup --force|-f : removes packages
S brew uninstall|rm|remove|cleanup|autoremove|untap|unlink|unpin : removes packages
C brew
S port uninstall|clean|reclaim : removes packages
D nix-collect-garbage -d|--delete-old|--delete-older-than : deletes old generations
S nix-collect-garbage : deletes what is not used
D nix-env --delete-generations|-e|--uninstall : deletes old generations
D nix-store --delete|--gc : deletes what is not used
D nix profile|store wipe-history|delete|gc : deletes old generations
S nix profile remove : removes a package
C nix,nix-env,nix-store,nix-build
D guix gc|package|system|home --delete-generations|-d|-D|delete-generations : deletes old \
generations
S guix gc|remove : deletes what is not used
S nixos-rebuild switch|boot|--rollback : changes the system
S pip,pipx,uv,conda,mamba,micromamba uninstall|remove|rm : removes packages
S pip cache|config purge|remove|unset : removes a cache
S uv pip|tool|cache|python uninstall|clean|prune|remove : removes packages
S pipx uninstall-all|reinstall-all : removes packages
D conda,mamba,micromamba env remove : removes an environment
D conda,mamba,micromamba remove|uninstall --all : removes an environment
D micromamba env remove : removes an environment
S conda,mamba,micromamba clean : removes downloaded packages
C pip,pipx,uv,conda,mamba,micromamba
S poetry remove|cache : removes packages
D poetry env remove --all : removes environments
S poetry env remove : removes an environment
S poetry publish : publishes a package
S pipenv uninstall|clean|--rm : removes packages
S pdm,rye,hatch,pixi remove|env|clean|prune|cache : removes packages
D pyenv,rbenv,nodenv,jenv uninstall -f : removes a version
S pyenv,rbenv,nodenv,nvm,asdf,mise,rustup,sdk,volta,fnm,n uninstall|rm|prune|remove : removes a \
version
D rustup self uninstall : removes all versions
S rustup toolchain|target|component uninstall|remove : removes a version
D ghcup nuke : removes all versions
D npm,pnpm,yarn,bun unpublish : takes a published package away
D npm token|team|org|owner|hook revoke|rm|remove|destroy : takes access away
S npm dist-tag|deprecate rm|+ : changes a published package
S npm publish|unlink : publishes a package
S npm,pnpm,yarn,bun uninstall|remove|rm|un|r|unlink|prune|deprecate|publish : removes packages
S npm,pnpm,yarn cache clean|clear|prune : removes downloaded packages
S pnpm store prune : removes downloaded packages
C npm,pnpm,yarn,bun,npx
S lerna clean|publish : removes installed packages
D cargo yank : takes a published version away
S cargo clean|uninstall|remove|rm|publish|sweep|cache : removes build output or packages
C cargo,rustc,rustup
S go clean : deletes build output
C go,gofmt
D gem yank : takes a published version away
S gem uninstall|cleanup|push|owner : removes packages
C gem
S bundle,bundler clean|remove|cache : removes packages
C bundle,bundler
S composer remove|clear-cache|global|uninstall : removes packages
C composer
S twine upload : publishes a package
C twine
D nuget,dotnet delete : takes a published version away
D dotnet nuget delete : takes a published version away
S dotnet nuget locals|push : removes a cache
S dotnet clean|remove|tool : deletes build output
D mvn,mvnw dependency:purge-local-repository|flyway:clean|liquibase:dropall|release:rollback|\
sql:execute|hibernate3:hbm2ddl : deletes packages or a database
D gradle,gradlew flywayclean|dropall|liquibasedropall : drops everything in a schema
S mvn,mvnw,gradle,gradlew,sbt,ant,bazel,bazelisk,buck,pants,ninja,cmake,meson,xcodebuild,scons,\
lein,stack,cabal,rebar3,dune,zig,flutter,dart,swift clean|clobber|expunge|distclean : deletes \
build output
S bazel,bazelisk clean --expunge : deletes build output
C mvn,mvnw,gradle,gradlew,sbt,bazel,ninja,cmake,meson,stack,cabal,flutter,dart,swift
S cabal,stack,opam,raco,cpan,cpanm,luarocks,conan,vcpkg,hex,pod,carthage,spack,julia,cs,nimble,\
elm,bower,jspm,apm,code,codium,cursor,vsce remove|uninstall|unregister|gc|--uninstall-extension : \
removes packages
D vsce unpublish : takes a published extension away
D conan remove|cache|remote -f|--force|-c|--confirm : removes packages
D pod trunk delete : takes a published version away
D mix hex.publish|hex.user|hex.organization --revert|revoke|deauth : takes a published version away
D spack uninstall|gc|clean -f|--force|-a|--all|-y : removes packages
D winget,choco,scoop uninstall|remove|purge --purge|-p|--force : removes packages with their \
settings
S winget,choco,scoop uninstall|remove|cleanup|rm : removes packages
S cpan,cpanm -U|--uninstall : removes packages
S code,codium,cursor --uninstall-extension : removes an extension
D jf,jfrog rt del|delete|delete-props|build-discard|build-promote|rpldel|repo-delete|users-delete|\
group-delete|permission-target-delete : deletes artifacts
D nexus3,nexus-cli,artifactory,cloudsmith,packagecloud,gemfury,fury ... delete|del|yank|rm|purge \
: deletes artifacts
D package_cloud,cloudsmith yank|delete|rm : deletes artifacts
"""

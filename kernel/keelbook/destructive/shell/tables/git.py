"""git, where options and subcommands say all. ``judges.versions`` has the rest."""

TABLE = """
[git]
= git values -C -c --git-dir --work-tree --namespace
= git dry --dry-run
D git stash drop|clear : throws stashed changes away
C git stash
D git branch -D -r|--remotes : deletes branches
M git branch -D : deletes a branch that may not be merged
M git branch -d|--delete -f|--force : deletes a branch that may not be merged
S git branch -M|-C|-f|--force : moves a branch over another
S git branch -d|--delete : deletes a merged branch
C git branch
M git tag -d|--delete : deletes a tag
S git tag -f|--force : moves a tag
C git tag
S git commit --amend|--fixup=amend* : rewrites the last commit
C git commit
D git reflog expire|delete : deletes what a lost commit could be found by
C git reflog
D git gc --prune=now|all : deletes commits no branch has
D git gc --aggressive --prune=* : deletes commits no branch has
C git gc
D git prune !-n|--dry-run : deletes commits no branch has
D git update-ref -d|--delete|--stdin : deletes a reference
D git symbolic-ref -d|--delete : deletes a reference
D git replace --graft|-d|--delete|--edit|-f : rewrites history
D git worktree remove -f|--force : deletes a work tree with its uncommitted changes
S git worktree remove|prune : removes a work tree
C git worktree
D git checkout-index -f|--force : overwrites files with what is staged
D git read-tree --reset -u : throws uncommitted changes away
D git read-tree -u : may overwrite files of the work tree
S git remote rm|remove|prune : removes a remote
C git remote
S git notes remove|prune : removes notes
D git svn reset|gc : moves what was fetched
D git lfs prune -f|--force : deletes large files kept here
S git lfs prune|uninstall : deletes large files kept here that the remote has
C git lfs
S git merge|rebase|cherry-pick|revert|am --abort : throws what was begun away
S git config --remove-section|--unset-all : removes settings
S git config unset|remove-section : removes settings
C git config
S git fetch -f|--force + : overwrites branches kept here
C git fetch|pull|log|show|diff|status|add|clone|init|blame|grep|describe|shortlog|archive|bisect
C git cherry-pick|revert|merge|am|apply|format-patch|ls-files|rev-parse|rev-list|cat-file|mv
C git whatchanged|show-ref|for-each-ref|name-rev|verify-commit|help|version|maintenance|fsck|notes
C git sparse-checkout|bundle|credential|mergetool|difftool|range-diff|request-pull|send-email
D git annex drop|dropunused -f|--force : drops content without a copy elsewhere
S git annex drop|dropunused|uninit : drops content
D git flow ... delete|finish -f|-D|-F : deletes branches
S git flow ... delete : deletes branches
D git obliterate|delete-merged-branches|delete-branch|delete-tag|delete-submodule : deletes \
branches or history
D git undo|reset-file -h|--hard : throws commits away
D git nuke|wipe|obliterate : deletes branches or history
D git town|machete kill|delete|slide-out : deletes branches
D gitlab-rake,gitlab-ctl cleanse|reset-grafana|remove-accounts|uninstall : removes a server's data
D gitea,forgejo admin ... delete : deletes users or repositories
S repo abandon|prune : deletes branches
D repo sync --force-remove-dirty|--force-sync : throws uncommitted changes away
D gt branch|b delete : deletes a branch
D git-delete-branch,git-obliterate,git-nuke : deletes branches or history
"""

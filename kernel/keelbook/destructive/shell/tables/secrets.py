"""Secrets, keys, vaults, password stores."""

TABLE = """
[secrets]
= vault,bao values -address -namespace -mount -format -field -ca-cert -method
D vault,bao kv delete|destroy|metadata|rollback : deletes secrets
D vault,bao delete : deletes secrets
D vault,bao secrets|auth|audit disable : deletes all that a mount holds
S vault,bao secrets|auth move|tune : changes a mount
D vault,bao lease revoke : revokes leases
D vault,bao token revoke : revokes tokens
D vault,bao policy|namespace|plugin|transit|transform delete|deregister : deletes policies
D vault,bao operator seal|rekey : seals a vault
S vault,bao operator rotate|step-down : changes a vault
D vault,bao write ... @*/config/purge*|*/tidy* : purges secrets
D vault,bao unwrap -revoke : revokes tokens
C vault,bao
D doppler secrets|projects|configs|environments|groups|service-accounts|project delete|remove : \
deletes secrets
D doppler configs ... revoke|delete : revokes tokens
S doppler configure|logout|activity unset|reset : removes a setting
C doppler
D infisical secrets delete : deletes secrets
C infisical
D chamber delete|prune : deletes secrets
D teller delete : deletes secrets
D akeyless delete-item|delete-items|delete-* : deletes secrets
D credstash delete|deleteall|cleanup : deletes secrets
D sops --rm-kms|--rm-pgp|--rm-age|--rm-gcp-kms : takes a key's access away
S sops --rotate|-r|rotate : changes keys
C sops
D berglas delete|revoke|cleanup|bootstrap : deletes secrets
D conjur policy|secret|user|host|hostfactory|role ... delete|replace|destroy|revoke|\
rotate-api-key|tokens : deletes secrets
D keeper ... rm|delete|remove|delete-all|purge : deletes secrets
D op item|vault|document|user|group|account|connect|service-account|events-api|plugin delete|\
forget|suspend|revoke|clear|rm : deletes secrets
C op
D bw delete : deletes secrets
C bw
D bws secret|project delete : deletes secrets
D lpass rm|rmfolder : deletes secrets
C lpass
D pass rm|remove|delete : deletes secrets
S pass init|generate -f|--force : overwrites secrets
C pass
D gopass rm|remove|delete|rmdir : deletes secrets
D gopass recipients|mounts|store rm|remove|unmount|delete : deletes secrets
C gopass
D keepassxc-cli,kpcli,kpscript rm|rmdir|-c:deleteentry|-c:deleteallentries : deletes secrets
D rbw remove|rm|purge : deletes secrets
D dcli,dashlane devices|team ... remove|revoke : takes access away
D secret-tool clear : deletes secrets
D keyring del : deletes secrets
D keyctl clear|invalidate|purge|revoke|unlink|reap : deletes keys
= gpg,gpg2 values -u --local-user -r --recipient -o --output --homedir --keyserver
= gpg,gpg2 dry -n
D gpg,gpg2 --delete-secret-keys|--delete-secret-key|--delete-keys|--delete-key|\
--delete-secret-and-public-key|--delete-secret-and-public-keys|--gen-revoke|--quick-revoke-uid|\
--quick-revoke-sig : deletes keys
C gpg,gpg2
S gpgconf --kill|-K : stops an agent
D ykman ... reset|delete : erases a token
D yubico-piv-tool -a=reset|delete-certificate : erases a token
D yubico-piv-tool -areset|--action=reset : erases a token
D pkcs15-init -E|--erase-card|-D|--delete-objects : erases a token
D pkcs11-tool --delete-object|-b|--init-token : erases a token
S ssh-add -D|-d : takes keys out of an agent
S ssh-keygen -R : removes a host's key
C ssh-keygen,ssh-add,ssh-copy-id
D security delete-generic-password|delete-internet-password|delete-keychain|delete-certificate|\
delete-identity|remove-trusted-cert|delete-key : deletes keys
C security
D geth removedb : deletes a chain's data
S solana program close : closes a program
D bitcoin-cli removeprunedfunds|abandontransaction : removes transactions
D tctl rm : deletes a resource
D tctl users|tokens|bots|nodes|sso|lock rm : takes access away
D boundary ... delete|cancel|remove-* : takes access away
D spire-server entry|agent|bundle|federation delete|ban|evict : takes access away
D hcp ... delete|destroy : deletes a resource
D cosign clean : deletes signatures
D notation key|cert|signature delete : deletes signatures
"""

"""Services with a command line: forges, trackers, flags, CI, payments, chat, monitoring."""

TABLE = """
[services]
= gh values -R --repo -X --method -H -f -F -b --body -t --title --json --jq -q -m
D gh repo|release|gist|issue|codespace|cs|run|cache|ssh-key|gpg-key|label|project|ruleset|org \
delete|delete-asset|remove : deletes a part of a repository
S gh extension|auth|alias delete|remove|logout : deletes a setting
D gh secret|variable delete|remove : deletes a setting
D gh project|label ... delete|item-delete|field-delete : deletes a part of a project
S gh repo archive|rename|edit : changes a repository
S gh workflow|run|pr|issue disable|cancel|close|lock|merge : closes or cancels something
C gh
= glab values -R --repo -g --group -X --method -F -f -H
D glab ... delete|rm|remove|revoke : deletes a part of a project
S glab mr|issue|ci|repo close|cancel|archive|merge : closes or cancels something
C glab
D tea,hut,berg,codeberg ... delete|rm|del|d : deletes a part of a repository
D bb,bitbucket ... delete|remove : deletes a part of a repository
D jira issue|sprint|epic|board delete|rm|remove : deletes issues
D jira ... delete|rm : deletes issues
C jira
D acli jira|confluence ... delete|remove : deletes issues
D linear,asana,trello,clickup,notion,monday,todoist,task,taskell issue|card|project ... delete|rm|\
remove : deletes items
D task ... delete|purge : deletes items
D ldcli ... delete|archive : deletes a flag
S ldcli flags update|toggle-off|toggle-on : changes a flag
C ldcli
D flipt,unleash,split,splits,statsig,optimizely,growthbook,configcat,flagsmith,posthog,flagd ... \
delete|remove|archive|purge|rm : deletes a flag
S flipt,unleash,split,splits,statsig,configcat,flagsmith ... disable|kill|toggle|off|kill-split|\
archive : turns a flag off
C split + : splits a file
D circleci ... delete|delete-* : deletes a part of a project
C circleci
D travis cache|env|repositories|token|sshkey|settings|accounts -d|--delete|--delete-all|unset|\
clear : deletes a part of a project
D travis cache --delete|-d : deletes a cache
S travis cancel|disable : cancels builds
D bk,buildkite-agent,drone,woodpecker-cli,gitlab-runner,concourse,fly-ci,semaphore,sem,appcenter,\
bitrise,codeship,tfe,tfc-agent,spacelift,spacectl,harness,octopus,octo,teamcity,go-cd,jfrog-ci \
... delete|rm|destroy|destroy-pipeline|remove|purge|unregister|destroy-team|delete-* : deletes a \
pipeline
D fly destroy-pipeline|destroy-team|dp|archive-pipeline|clear-task-cache|clear-versions|\
clear-resource-cache : destroys a pipeline
D gitlab-runner unregister --all-runners : forgets runners
S gitlab-runner unregister|stop : forgets a runner
D jenkins-cli,jenkins delete-job|delete-builds|delete-node|delete-view|delete-credentials|\
delete-*|clear-queue|shutdown|safe-shutdown|restart|safe-restart|quiet-down|groovy|groovysh|\
reload-job : deletes jobs or stops a server
D java @*jenkins-cli* @delete-*|shutdown|safe-shutdown|clear-queue|restart|safe-restart : deletes \
jobs or stops a server
D java @*liquibase* @dropAll|drop-all|dropall|rollback : drops everything in a schema
D java @*flyway* @clean : drops everything in a schema
C java,javac,javap,jar
D sentry-cli,sentry releases|release|debug-files|sourcemaps|monitors|projects|organizations ... \
delete|archive : deletes a release
D sentry cleanup : deletes old events
C sentry-cli
D newrelic,datadog,dog,datadog-ci,honeycomb,hcp,lightstep,signoz,checkly,pingdom,statuscake,\
uptimerobot,opsgenie,oncall,pagerduty,pd,victorops,squadcast ... delete|destroy|remove|mute_all : \
deletes monitors
D dog monitor|timeboard|screenboard|dashboard|tag|downtime delete|mute_all|cancel_downtime|detach \
: deletes monitors
S pd incident ... resolve|ack : closes incidents
D stripe ... delete|cancel : deletes objects of an account
D stripe delete : deletes objects of an account
C stripe
D twilio ... remove|delete|*:remove|*:delete : deletes a part of an account
D twilio *:remove|*:delete|*:delete:* : deletes a part of an account
D sendgrid,mailgun,postmark,resend,mailchimp,mandrill ... delete|remove : deletes a part of an \
account
D slack,slack-cli,discord,mattermost,mmctl,rocketchat,zulip ... delete|archive|purge|uninstall|\
remove|permanent|deactivate : deletes users, channels or messages
D mmctl user|channel|team|post|command|plugin|bot|group|webhook|permissions|compliance-export \
delete|deleteall|archive|remove|disable|reset : deletes users or channels
D slack delete|uninstall : deletes an application
D shopify ... delete|theme:delete|remove|destroy : deletes a theme
D shopify theme delete : deletes a theme
D sfdx,sf ... delete|force:org:delete|force:data:*:delete|force:source:delete|*:delete|*:delete:* \
: deletes an environment or records
D sf org|data|project|package delete : deletes an environment or records
D sf project deploy start --post-destructive-changes|--pre-destructive-changes|--purge-on-delete \
: deletes metadata
D hubspot,hs,contentful,sanity,prismic,strapi,directus,ghost,wordpress ... delete|remove|rm|\
uninstall|destroy|wipe|undeploy : deletes content
D sanity dataset|documents|backup|cors|hook|users delete|disable|remove : deletes content
D sanity undeploy : removes a studio
D contentful space|environment|alias|content-type|organization delete|remove|reset : deletes content
D algolia indices|objects|rules|synonyms|apikeys|dictionary delete|clear : deletes an index
D ghost uninstall : removes a site
D auth0,okta,clerk,keycloak,kcadm,kcadm.sh,zitadel,fusionauth,ory,kratos,hydra ... delete|remove|\
rm|deactivate|revoke : deletes users or applications
D kcadm delete : deletes users or realms
D kong migrations reset : drops everything in a database
S kong migrations down|stop : changes a database
S kong stop|quit|restart : stops a gateway
C kong
= deck values -s --state --kong-addr --headers --select-tag --workspace
D deck reset : deletes all of a gateway's settings
D deck gateway reset : deletes all of a gateway's settings
S deck sync : changes a gateway's settings
S deck gateway sync|apply : changes a gateway's settings
C deck
D apigeecli,apigee,apictl,tyk,gravitee,krakend ... delete|undeploy|remove|del : deletes an interface
D fastly,cloudinary,imgix,akamai,bunny ... delete|purge|remove|destroy|undelete|deactivate : \
deletes or empties a service
D fastly purge --all : empties a cache
D akamai purge delete : empties a cache
D zapier delete : deletes an integration
D box files|folders|users|groups|retention-policies|webhooks|shared-links:* delete : deletes \
files of a drive
D box *:delete|trash:* : deletes files of a drive
D dbxcli rm : deletes files of a drive
D onedrive --logout : forgets an account
D megarm,mega-rm,mega-deleteversions,mega-killsession + : deletes files of a drive
D nextcloud,occ user:delete|group:delete|files:cleanup|trashbin:cleanup|versions:cleanup|\
app:remove|files:delete|maintenance:repair|db:* : deletes users or files
"""

#!/bin/sh
# Our hub that delivers into Dovecot by LMTP, for `hubmark users`; takes root.
#   hub-dovecot.sh USERS FOLDER    runs both in the foreground, with all their files below FOLDER
# Needs Dovecot (apt-get install dovecot-imapd dovecot-lmtpd); what is installed and configured here is
# left alone.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"
hubmark=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)/hubmark

takes_users_and_folder "$@"
need_program dovecot 'dovecot-imapd dovecot-lmtpd'
need_program openssl openssl
make_folder
start_dovecot
mkdir "$data/hub"
"$hubmark" serve --listen "127.0.0.1:$smtp" --deliver "lmtp://127.0.0.1:$lmtp" \
    --log-volume "$data/hub/log" --queue-volume "$data/hub/queue" \
    --tracking-volume "$data/hub/tracking" >"$data/log/hub.log" 2>&1 &
children="$! $children"
run_until_interrupted

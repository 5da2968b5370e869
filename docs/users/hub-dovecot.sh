#!/bin/sh
# Our hub that delivers into Dovecot by LMTP, for `hubmark users`; takes root.
#   hub-dovecot.sh USERS FOLDER    runs both in the foreground, with all their files below FOLDER
# Needs Dovecot (apt-get install dovecot-imapd dovecot-lmtpd); what is installed and configured here is
# left alone.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"

takes_users_and_folder "$@"
need_program dovecot 'dovecot-imapd dovecot-lmtpd'
need_program openssl openssl
make_folder
make_certificate
start_dovecot
start_hub
run_until_interrupted

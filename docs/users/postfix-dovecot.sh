#!/bin/sh
# Postfix that delivers into Dovecot by LMTP, for `hubmark users`; takes root.
#   postfix-dovecot.sh USERS FOLDER    runs both in the foreground, with all their files below FOLDER
# Needs both (apt-get install postfix dovecot-imapd dovecot-lmtpd); what is installed and configured
# here is left alone.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"

start_postfix() {
    mkdir -p "$data/postfix" "$data/spool" "$data/lib"
    : >"$data/log/postfix.log"
    chown postfix "$data/lib"
    cat >"$data/postfix/main.cf" <<END
compatibility_level = 3.6
queue_directory = $data/spool
data_directory = $data/lib
myhostname = mail.example.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
smtpd_tls_security_level = may
smtpd_tls_cert_file = $data/certificate.pem
smtpd_tls_key_file = $data/key.pem
smtpd_recipient_limit = 5000
message_size_limit = 50000000
default_process_limit = $((users + 200))
virtual_mailbox_domains = example.test
virtual_transport = lmtp:inet:127.0.0.1:$lmtp
alias_maps =
alias_database =
maillog_file = $data/log/postfix.log
maillog_file_prefixes = $data/log
END
    cat >"$data/postfix/master.cf" <<END
127.0.0.1:$smtp inet n - n - - smtpd
127.0.0.1:$smtps inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup   unix n - n 60  1 pickup
cleanup  unix n - n -   0 cleanup
qmgr     unix n - n 300 1 qmgr
tlsmgr   unix - - n 1000? 1 tlsmgr
rewrite  unix - - n -   - trivial-rewrite
bounce   unix - - n -   0 bounce
defer    unix - - n -   0 bounce
trace    unix - - n -   0 bounce
verify   unix - - n -   1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n -   - proxymap
lmtp     unix - - n -   20 lmtp
error    unix - - n -   - error
retry    unix - - n -   - error
discard  unix - - n -   - discard
anvil    unix - - n -   1 anvil
scache   unix - - n -   1 scache
postlog  unix-dgram n - n - 1 postlogd
END
    postfix -c "$data/postfix" start-fg >/dev/null 2>&1 &
    children="$! $children"
}

stop_more() {
    [ ! -d "$data/postfix" ] || postfix -c "$data/postfix" stop >/dev/null 2>&1 || true
}

takes_users_and_folder "$@"
need_program postfix postfix
need_program dovecot 'dovecot-imapd dovecot-lmtpd'
need_program openssl openssl
make_folder
make_certificate
start_dovecot
start_postfix
run_until_interrupted

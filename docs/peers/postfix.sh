#!/bin/sh
# A Postfix of its own, on the loopback address, beside whatever Postfix is installed here; takes root.
#   postfix.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   postfix.sh read DATA TO       writes each message in its queue as a file into TO
#   postfix.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Everything is held, so that nothing leaves the queue. Long queue ids sort by time of arrival.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=postfix

fetch() {
    fetch_packages postfix
}

version() {
    package_version postfix
}

configure() {
    mkdir -p "$data/etc" "$data/spool" "$data/lib" "$data/log"
    add_user postfix 64990
    add_group postdrop 64989
    # postsuper, which mends the queue after a crash, writes its own lines to the log as this user.
    : >>"$data/log/mail.log"
    chown postfix "$data/lib" "$data/log" "$data/log/mail.log"
    chmod 755 "$data" "$data/etc" "$data/spool" "$data/log"
    cat >"$data/etc/main.cf" <<END
compatibility_level = 3.6
queue_directory = $data/spool
data_directory = $data/lib
myhostname = ledger.example
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = check_client_access static:HOLD, permit_mynetworks, reject
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
smtpd_banner = ledger.example ESMTP
enable_long_queue_ids = yes
alias_maps =
alias_database =
maillog_file = $data/log/mail.log
maillog_file_prefixes = $data/log
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C LD_PRELOAD HUBMARK_DEVICES HUBMARK_FAULTS HUBMARK_FAULTS_BELOW
END
    cat >"$data/etc/master.cf" <<END
127.0.0.1:$port inet n - n - - smtpd
pickup   unix n - n 60  1 pickup
cleanup  unix n - n -   0 cleanup
qmgr     unix n - n 300 1 qmgr
rewrite  unix - - n -   - trivial-rewrite
bounce   unix - - n -   0 bounce
defer    unix - - n -   0 bounce
trace    unix - - n -   0 bounce
verify   unix - - n -   1 verify
flush    unix n - n 1000? 0 flush
proxymap unix - - n -   - proxymap
smtp     unix - - n -   - smtp
error    unix - - n -   - error
retry    unix - - n -   - error
discard  unix - - n -   - discard
anvil    unix - - n -   1 anvil
scache   unix - - n -   1 scache
postlog  unix-dgram n - n - 1 postlogd
END
}

start() {
    configure
    # What SIGKILL left of the last one.
    rm -f "$data/spool/pid/master.pid" "$data/lib/master.lock"
    exec postfix -c "$data/etc" start-fg
}

read_back() {
    add_user postfix 64990
    add_group postdrop 64989
    python3 "$peers/read.py" postfix "$data" "$to"
}

peer "$@"

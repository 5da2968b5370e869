#!/bin/sh
# An Exim of its own, on the loopback address; takes root.
#   exim.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   exim.sh read DATA TO       writes each message in its queue as a file into TO
#   exim.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Mail is queued and never looked at again (queue_only, no queue runner). Ids sort by time of arrival.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=exim4

fetch() {
    fetch_packages exim4-daemon-light exim4-base libgnutls-dane0 libidn12 libunbound8
}

version() {
    package_version exim4-daemon-light
}

configure() {
    mkdir -p "$data/spool" "$data/log"
    chmod 755 "$data"
    add_user Debian-exim 64991
    chown -R Debian-exim "$data/spool" "$data/log"
    cat >"$data/exim.conf" <<END
primary_hostname = ledger.example
spool_directory = $data/spool
log_file_path = $data/log/%slog
split_spool_directory = true
queue_only = true
host_lookup =
rfc1413_hosts =
tls_advertise_hosts =
keep_environment = LD_PRELOAD : HUBMARK_FAULTS : HUBMARK_FAULTS_BELOW
message_size_limit = 150M
smtp_accept_max = 0
smtp_accept_max_per_connection = 1000000000
acl_smtp_rcpt = accept
acl_smtp_data = accept
begin routers
begin transports
END
}

start() {
    configure
    exec exim4 -C "$data/exim.conf" -bdf -oX "127.0.0.1.$port"
}

read_back() {
    python3 "$peers/read.py" exim "$data" "$to"
}

peer "$@"

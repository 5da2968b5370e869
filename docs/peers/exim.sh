#!/bin/sh
# An Exim of its own, on the loopback address; takes root.
#   exim.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   exim.sh read DATA TO       writes each message in its queue as a file into TO
# Needs Exim 4 (apt-get install exim4-daemon-light), by EXIM=PROGRAM or on PATH.
# Mail is queued and never looked at again (queue_only, no queue runner). Ids sort by time of arrival.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"
exim=${EXIM:-exim4}

configure() {
    mkdir -p "$data/spool" "$data/log"
    chmod 755 "$data"
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

case ${1-} in
    start)
        [ $# = 3 ] || usage
        need_root
        need_program "$exim" 'apt-get install exim4-daemon-light, or set EXIM'
        in_own_mounts "$@"
        port=$2
        data=$3
        mkdir -p "$data"
        add_user Debian-exim 64991 "$data"
        configure
        exec "$exim" -C "$data/exim.conf" -bdf -oX "127.0.0.1.$port"
        ;;
    read)
        [ $# = 3 ] || usage
        in_own_mounts "$@"
        data=$2
        to=$3
        add_user Debian-exim 64991 "$data"
        # The header file is written last; a message without one was never accepted.
        find "$data/spool/input" -name '*-H' | while read -r file; do
            id=${file##*/}
            "$exim" -C "$data/exim.conf" -Mvc "${id%-H}" >"$to/${id%-H}"
        done
        ;;
    *)
        usage
        ;;
esac

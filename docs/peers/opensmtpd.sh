#!/bin/sh
# An OpenSMTPD of its own, on the loopback address; takes root.
#   opensmtpd.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   opensmtpd.sh read DATA TO       writes each message in its queue as a file into TO
# Needs OpenSMTPD (apt-get install opensmtpd), by SMTPD=PROGRAM or on PATH.
# Mail is queued for a next hop and delivery stands still (-P mta). The folders that are built into the
# program are those below DATA for its processes alone.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"
smtpd=${SMTPD:-smtpd}

configure() {
    mkdir -p "$data/spool"
    chmod 711 "$data" "$data/spool"
    # Or it asks a name server about each client before it greets it.
    echo 'lookup file' >"$data/resolv.conf"
    mount --bind "$data/resolv.conf" /etc/resolv.conf
    mount -t tmpfs -o mode=755 tmpfs /var/lib
    mkdir -p /var/lib/opensmtpd/empty
    mount -t tmpfs -o mode=755 tmpfs /run
    mkdir -p /run/opensmtpd
    cat >"$data/smtpd.conf" <<END
smtp limit max-mails 1000000000
smtp max-message-size 150M
listen on 127.0.0.1 port $port hostname ledger.example
action "hold" relay host smtp://127.0.0.1:9
match from any for any action "hold"
END
    # Else a group that others may write to, as root's is here and there, stops it.
    chmod 644 "$data/smtpd.conf"
}

# The program has its spool in /var/spool/smtpd and takes no other.
mount_spool() {
    mkdir -p "$data/spool"
    mount --bind "$data/spool" /mnt
    mount -t tmpfs -o mode=755 tmpfs /var/spool
    mkdir /var/spool/smtpd
    mount --move /mnt /var/spool/smtpd
}

case ${1-} in
    start)
        [ $# = 3 ] || usage
        need_root
        need_program "$smtpd" 'apt-get install opensmtpd, or set SMTPD'
        in_own_mounts "$@"
        port=$2
        data=$3
        case $data in
            /var/lib/* | /var/spool/* | /run/*) fail "$data: not below /var/lib, /var/spool or /run" 2 ;;
        esac
        mkdir -p "$data"
        add_user opensmtpd 64992 "$data"
        add_user opensmtpq 64993 "$data"
        mount_spool
        configure
        exec "$(command -v "$smtpd")" -d -P mta -f "$data/smtpd.conf"
        ;;
    read)
        [ $# = 3 ] || usage
        data=$2
        to=$3
        # A message is in the queue when its folder is; its files have the time of their arrival.
        find "$data/spool/queue" -name message -printf '%T@ %p\n' | while read -r time file; do
            cp "$file" "$to/$time-$(basename "$(dirname "$file")")"
        done
        ;;
    *)
        usage
        ;;
esac

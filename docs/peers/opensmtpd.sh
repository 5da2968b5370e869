#!/bin/sh
# An OpenSMTPD of its own, on the loopback address; takes root.
#   opensmtpd.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   opensmtpd.sh read DATA TO       writes each message in its queue as a file into TO
#   opensmtpd.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Mail is queued for a next hop and delivery stands still (-P mta). The folders that are built into the
# program are those below DATA for its processes alone.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=smtpd

fetch() {
    fetch_packages opensmtpd libevent-2.1-7
}

version() {
    package_version opensmtpd
}

configure() {
    mkdir -p "$data/spool"
    chmod 711 "$data" "$data/spool"
    add_user opensmtpd 64992
    add_user opensmtpq 64993
    # Else it asks a name server about each client before it greets it.
    echo 'lookup file' >/etc/resolv.conf
    mkdir -p /var/lib/opensmtpd/empty /run/opensmtpd
    # The program has its spool here and takes no other.
    put_spool /var/spool/smtpd
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

start() {
    configure
    # When it ends, it signals all of its process group.
    exec setsid --wait "$(command -v smtpd)" -d -P mta -f "$data/smtpd.conf"
}

read_back() {
    python3 "$peers/read.py" opensmtpd "$data" "$to"
}

peer "$@"

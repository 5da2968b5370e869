#!/bin/sh
# A Courier of its own, on the loopback address; takes root.
#   courier.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   courier.sh read DATA TO       writes each message in its queue as a file into TO
#   courier.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Its SMTP server queues mail, and its scheduler, which would deliver it, does not run. Settings are those
# of the package, except what is set below. Ids sort by inode.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=couriertcpd

fetch() {
    fetch_packages courier-mta courier-base courier-authlib courier-authdaemon libcourier-unicode4 \
        libidn12 libltdl7 libpcre3 libgamin0 libgdbm6
}

version() {
    package_version courier-mta
}

configure() {
    add_user courier 64994
    put_spool /var/lib/courier
    no_name_server
    for folder in allfilters filters msgq msgs tmp track; do
        mkdir -p "/var/lib/courier/$folder"
    done
    chmod 755 "$data" "$data/spool"
    chown -R courier:courier "$data/spool"
    mkdir -p /run/courier
    chown courier:courier /run/courier
    echo ledger.example >/etc/courier/me
    echo ledger.example >/etc/courier/locals
    echo 157286400 >/etc/courier/sizelimit
    rm -f /etc/courier/enablefiltering
    chown -R courier:courier /etc/courier
}

start() {
    configure
    set -a
    sysconfdir=/etc/courier
    . /etc/courier/esmtpd
    RELAYCLIENT=
    BOFHCHECKDNS=0
    TARPIT=0
    PATH=/usr/sbin:/usr/bin:/sbin:/bin
    cd /usr
    # The package's limits are 40 processes and 5 for an address.
    exec couriertcpd -noidentlookup -nodnslookup -user=courier -group=courier -address=127.0.0.1 \
        -maxprocs=100 -maxperc=100 -maxperip=100 "$port" /usr/sbin/courieresmtpd
}

read_back() {
    python3 "$peers/read.py" courier "$data" "$to"
}

peer "$@"

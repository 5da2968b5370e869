#!/bin/sh
# Our hub that delivers into Cyrus by LMTP, for `hubmark users`; takes root.
#   hub-cyrus.sh USERS FOLDER    runs both in the foreground, with all their files below FOLDER
# Needs Cyrus (apt-get install cyrus-imapd sasl2-bin); what is installed and configured here is left
# alone.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"

start_cyrus() {
    for folder in log lib lib/socket proc lock mail socket; do
        mkdir -p "$data/$folder"
    done
    cat >"$data/imapd.conf" <<END
configdirectory: $data/lib
proc_path: $data/proc
mboxname_lockpath: $data/lock
defaultpartition: default
partition-default: $data/mail
lmtpsocket: $data/socket/lmtp
idlesocket: $data/socket/idle
idlemethod: idled
notifysocket: $data/socket/notify
virtdomains: userid
defaultdomain: nowhere.example
altnamespace: yes
unixhierarchysep: yes
# A mailbox comes into being with its first message or when its user logs on.
autocreate_quota: 0
autocreate_post: yes
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: $data/sasldb2
sasl_mech_list: PLAIN
tls_server_cert: $data/certificate.pem
tls_server_key: $data/key.pem
END
    # LMTP says who it is, so that it may deliver to anybody without a password.
    cat >"$data/cyrus.conf" <<END
START {
  recover cmd="ctl_cyrusdb -C $data/imapd.conf -r"
  idled cmd="idled -C $data/imapd.conf"
}
SERVICES {
  imap cmd="imapd -C $data/imapd.conf" listen="127.0.0.1:$imap" prefork=5 maxchild=$((2 * users + 100))
  imaps cmd="imapd -s -C $data/imapd.conf" listen="127.0.0.1:$imaps" prefork=1 maxchild=$((2 * users + 100))
  lmtp cmd="lmtpd -C $data/imapd.conf -a" listen="127.0.0.1:$lmtp" prefork=1 maxchild=50
}
EVENTS {
  checkpoint cmd="ctl_cyrusdb -C $data/imapd.conf -c" period=30
}
END
    n=1
    while [ "$n" -le "$users" ]; do
        echo hubmark | saslpasswd2 -f "$data/sasldb2" -p -c -u example.test "user$n"
        n=$((n + 1))
    done
    chown -R cyrus "$data/lib" "$data/proc" "$data/lock" "$data/mail" "$data/socket" \
        "$data/sasldb2" "$data/key.pem"
    cyrmaster -C "$data/imapd.conf" -M "$data/cyrus.conf" -p "$data/lib/master.pid" \
        >"$data/log/cyrus.log" 2>&1 &
    children="$! $children"
    wait_for "$imap"
    wait_for "$lmtp"
}

takes_users_and_folder "$@"
need_program cyrmaster cyrus-imapd
need_program saslpasswd2 sasl2-bin
need_program openssl openssl
make_folder
make_certificate
start_cyrus
start_hub
run_until_interrupted

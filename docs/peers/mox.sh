#!/bin/sh
# A mox of its own, on the loopback address; takes root.
#   mox.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   mox.sh read DATA TO       writes each message in its mailboxes as a file into TO
#   mox.sh fetch | version    builds it without installing it (see common.sh); prints its version
# Building needs Go. Mail is delivered into the mailbox of one account, as 'mox localserve' does with mail
# for anybody. Its limit of messages a minute from one address can't be set, so it is taken out of the
# source (fetch, below): else it refuses all but 500 a minute.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
PATH=$files/bin:$PATH
module=github.com/mjl-/mox
release=v0.0.15

fetch() {
    fetch_module
    sed -i -e '/check\(Count\|Size\) := func(/a return' "$files/source/smtpserver/analyze.go"
    build_module .
}

version() {
    echo "$release"
}

configure() {
    no_name_server
    [ ! -e "$data/mox/domains.conf" ] || return 0
    rm -rf "$data/mox"
    mox localserve -dir "$data/mox" -ip 127.0.0.1 -initonly
    # Only SMTP is needed, on the given port.
    sed -i -e "s/Port: 1025/Port: $port/" "$data/mox/mox.conf"
}

start() {
    need_program mox
    configure
    exec mox -loglevel error localserve -dir "$data/mox"
}

read_back() {
    # The server has the database open; nothing writes to it now, so a copy is whole.
    copy=$(mktemp -d)
    account=$data/mox/accounts/mox
    cp "$account/index.db" "$copy"
    ln -s "$account/msg" "$copy/msg"
    mox export maildir "$copy/maildir" "$copy"
    find "$copy/maildir" -path '*/new/*' -type f -exec mv -t "$to" {} +
    find "$copy/maildir" -path '*/cur/*' -type f -exec mv -t "$to" {} +
    rm -r "$copy"
}

peer "$@"

#!/bin/sh
# A mox of its own, on the loopback address; takes root.
#   mox.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   mox.sh read DATA TO       writes each message in its mailboxes as a file into TO
#   mox.sh fetch | version    builds it without installing it (see common.sh); prints its version
# Building needs Go. Mail is delivered into the mailbox of one account, as 'mox localserve' does with mail
# for anybody. Three checks can't be set, so they are taken out of the source (fetch, below): it refuses more
# than 500 messages a minute and more than 30 connections from one address, and a sender whose domain no name
# server knows.
set -eu
. "$(dirname -- "$0")/common.sh"
own_mounts=yes
program=mox
PATH=$files/bin:$PATH
module=github.com/mjl-/mox
release=v0.0.15

fetch() {
    fetch_module
    sed -i '/check\(Count\|Size\) := func(/a return' "$files/source/smtpserver/analyze.go"
    sed -i 's/Limits: \[...\]int64{.*}/Limits: [...]int64{1e9, 1e9, 1e9}/' "$files/source/smtpserver/server.go"
    sed -i 's/if !c.submission && !rpath.IPDomain.Domain.IsZero() {/if false {/' "$files/source/smtpserver/server.go"
    build_module .
}

version() {
    echo "$release"
}

configure() {
    no_name_server
    # The mark comes last: a power cut may leave anything of what was not synced.
    [ ! -e "$data/configured" ] || return 0
    rm -rf "$data/mox"
    mox localserve -dir "$data/mox" -ip 127.0.0.1 -initonly
    # Its filter takes mail for junk while it has learned nothing. Of the listeners only SMTP is needed.
    sed -i '/^\t\tJunkFilter:/,/^\t\tNoFirst/{/NoFirst/!d};/^WebHandlers:/,$d' "$data/mox/domains.conf"
    cp "$data/mox/mox.conf" "$data/mox.conf"
    sync -f "$data"
    touch "$data/configured"
}

start() {
    configure
    sed "/^\t\tSMTP:/,/Port:/{s/Port: .*/Port: $port/;b};s/Enabled: true/Enabled: false/" \
        "$data/mox.conf" >"$data/mox/mox.conf"
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

#!/bin/sh
# A Maddy of its own, on the loopback address.
#   maddy.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   maddy.sh read DATA TO       writes each message that it holds as a file into TO
#   maddy.sh fetch | version    builds it without installing it (see common.sh); prints its version
# Building needs Go and a C compiler. Mail goes into a mailbox, whose index is in SQLite. As shipped, SQLite
# runs with WAL and synchronous NORMAL, and so does not sync each transaction. PEER_SETTINGS=durable: FULL,
# which the driver of SQLite takes as a parameter, and which its manual gives for transactions that last. By
# this name of the parameter, since Maddy adds _sync=NORMAL behind it, and of two the first counts.
set -eu
. "$(dirname -- "$0")/common.sh"
program=maddy
PATH=$files/bin:$PATH
module=github.com/foxcpp/maddy
release=v0.8.1

fetch() {
    fetch_module
    build_module ./cmd/maddy
}

version() {
    echo "$release"
}

configure() {
    mkdir -p "$data/state" "$data/run"
    case $settings in
        durable) options='?_sync=FULL' ;;
        *) options= ;;
    esac
    cat >"$data/maddy.conf" <<END
state_dir $data/state
runtime_dir $data/run
hostname ledger.example
tls off
log stderr
storage.imapsql local_mailboxes {
    driver sqlite3
    dsn $data/state/imapsql.db$options
}
smtp tcp://127.0.0.1:$port {
    max_message_size 150M
    deliver_to &local_mailboxes
}
END
    for user in ledger@recipient.example mailbox@load.hubmark.example; do
        maddy --config "$data/maddy.conf" imap-acct create "$user" 2>/dev/null || true
    done
}

start() {
    configure
    exec maddy --config "$data/maddy.conf" run
}

read_back() {
    # The index names the file of each message; Maddy's own command takes a process for each.
    python3 - "$data/state" "$to" <<'END'
import os, shutil, sqlite3, sys
state, to = sys.argv[1:]
index = sqlite3.connect(f"file:{state}/imapsql.db?mode=ro", uri=True)
for number, name in index.execute("SELECT msgId, extBodyKey FROM msgs"):
    if os.path.exists(f"{state}/messages/{name}"):
        shutil.copy(f"{state}/messages/{name}", f"{to}/{number:09}-{name}")
END
}

peer "$@"

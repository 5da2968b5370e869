#!/bin/sh
# A Haraka of its own, on the loopback address.
#   haraka.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   haraka.sh read DATA TO       writes each message in its queue as a file into TO
#   haraka.sh fetch | version    gets it without installing it (see common.sh); prints its version
# Needs Node.js. HARAKA_NODES=cpus makes it a process for each core; its own default is one for all.
# Mail goes into its outbound queue, where a plugin delays each delivery by a year.
set -eu
. "$(dirname -- "$0")/common.sh"
program=haraka
PATH=$files/node_modules/.bin:$PATH

fetch() {
    (cd "$files" && npm install --no-audit --no-fund --before=2026-11-01 Haraka@3.3.4 >&2)
}

version() {
    haraka -v | sed 's/.*Version: //'
}

configure() {
    # Anew each time: an installation's files are older than any power cut.
    rm -rf "$data/config" "$data/plugins"
    haraka -i "$data" >/dev/null
    mkdir -p "$data/plugins" "$data/queue"
    cat >"$data/config/smtp.ini" <<END
listen=127.0.0.1:$port
nodes=${HARAKA_NODES:-0}
END
    echo hold >"$data/config/plugins"
    echo ledger.example >"$data/config/me"
    echo WARN >"$data/config/loglevel"
    cat >"$data/plugins/hold.js" <<'END'
'use strict'
const year = 365 * 86400
exports.hook_rcpt = (next, connection) => {
    connection.relaying = true
    next(OK)
}
exports.hook_send_email = (next) => next(DELAY, year)
END
}

start() {
    configure
    exec haraka -c "$data"
}

read_back() {
    python3 "$peers/read.py" haraka "$data" "$to"
}

peer "$@"

#!/bin/sh
# A Haraka of its own, on the loopback address.
#   haraka.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   haraka.sh read DATA TO       writes each message in its queue as a file into TO
# Needs Haraka (npm install Haraka, Node.js 20 or newer), by HARAKA=PROGRAM or on PATH.
# HARAKA_NODES=cpus makes it a process for each core; its own default is one for all.
# Mail goes into its outbound queue, where a plugin delays each delivery by a year.
set -eu
. "$(dirname -- "$0")/common.sh"
haraka=${HARAKA:-haraka}

configure() {
    if ! [ -e "$data/config/plugins" ]; then
        "$haraka" -i "$data" >/dev/null
    fi
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

case ${1-} in
    start)
        [ $# = 3 ] || usage
        need_program "$haraka" 'npm install Haraka, or set HARAKA'
        port=$2
        data=$3
        configure
        exec "$haraka" -c "$data"
        ;;
    read)
        [ $# = 3 ] || usage
        data=$2
        to=$3
        # Four bytes of length, so much JSON, then the message. Complete is what doesn't begin with a dot.
        find "$data/queue" -type f ! -name '.*' | while read -r file; do
            length=$(od -An -N4 -tu4 --endian=big "$file" | tr -d ' ')
            tail -c "+$((length + 5))" "$file" >"$to/${file##*/}"
        done
        ;;
    *)
        usage
        ;;
esac

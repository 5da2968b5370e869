#!/bin/sh
# A Hubmark of its own, on the loopback address, as any other server.
#   hubmark.sh start PORT DATA    runs it in the foreground, with all its files below DATA
#   hubmark.sh read DATA TO       writes each message in its queue as a file into TO
#   hubmark.sh fetch | version    does nothing; prints its version
set -eu
. "$(dirname -- "$0")/common.sh"
program=$hubmark

fetch() {
    "$hubmark" --version >/dev/null
}

version() {
    "$hubmark" --version | sed 's/^hubmark //'
}

start() {
    # The volumes on which power cuts are tried are too small for the depth that it ships.
    depth=512MiB
    [ "$(df --output=avail -BG "$data" | tail -n 1 | tr -dc 0-9)" -ge 2 ] || depth=16MiB
    exec "$hubmark" serve --listen "127.0.0.1:$port" --deliver hold --checkpoint-depth "$depth" \
        --log-volume "$data/log" --queue-volume "$data/queue" --tracking-volume "$data/tracking"
}

read_back() {
    "$hubmark" queue export --log-volume "$data/log" --queue-volume "$data/queue" --to "$to"
    rm -f "$to"/*.json
}

peer "$@"

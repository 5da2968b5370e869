#!/bin/sh
# Counts, with strace, the syncs between the end of a message and its 250; takes root.
#   syncs.sh SERVER [SIZE]
# Sends ten messages of SIZE (57KB), one after the other, and prints for each how many syncs ended
# between its 354 and its 250, then what they were for the last one.
# PORT, VOLUME_SIZE (1GB) and WORK may be set; TRACE=FILE keeps the trace.
set -eu
. "$(dirname -- "$0")/common.sh"

count_syncs() {
    awk '
        # Who has a call under way, and which.
        / <unfinished \.\.\.>$/ { begun[$1] = $0 }
        / resumed>/ { call = begun[$1] }
        ! / resumed>/ { call = $0 }
        / openat\(/ && /O_D?SYNC/ && match($0, /= [0-9]+<[^>]*>/) {
            path = substr($0, RSTART, RLENGTH)
            sub(/^= [0-9]+/, "", path)
            through[path] = 1
        }
        ! /unfinished/ && call ~ / (fsync|fdatasync|sync_file_range|syncfs|sync|msync)\(/ {
            syncs++
            last = last "  " call "\n"
        }
        ! /unfinished/ && call ~ / p?writev?(64|2)?\(/ && match(call, /<[^>]*>/) {
            if (substr(call, RSTART, RLENGTH) in through) {
                syncs++
                last = last "  " call "\n"
            }
        }
        ! / resumed>/ && / (write|writev|sendto|sendmsg)\(/ && /[" n]354 / {
            inside = 1
            syncs = 0
            last = ""
            next
        }
        inside && ! / resumed>/ && / (write|writev|sendto|sendmsg)\(/ && /"250 / {
            inside = 0
            counts = counts " " syncs + 0
            lines = last "  " $0 "\n"
        }
        END {
            print "syncs before the 250 of each message:" counts
            print "of the last one:"
            printf "%s", lines
        }
    ' "$1"
}

[ $# -ge 1 ] || fail 'usage: syncs.sh SERVER [SIZE]' 2
[ "$(id -u)" = 0 ] || fail 'takes root'
command -v strace >/dev/null || fail 'strace not found; apt-get install strace'
work=$(mktemp -d "${WORK:-/var/tmp}/hubmark-peers.XXXXXX")
chmod 755 "$work" # Most servers give up root.
trap 'end_all "$work"' EXIT
trap 'exit 130' INT TERM
data=$work/volume/data
trace=${TRACE:-$work/trace}
command=$(server_command "$1" "$data")
make_volume "$work" "${VOLUME_SIZE:-1GB}"
mkdir "$data"
make_group
calls=openat,write,writev,pwrite64,pwritev,pwritev2,sendto,sendmsg
calls=$calls,fsync,fdatasync,sync_file_range,syncfs,sync,msync
start_server "strace -f -y -s 200 -e trace=$calls -o '$trace' $command" "$work/volume/server.log"
# 3 is a rate that is not valid; only the calls matter here.
"$hubmark" load --target "127.0.0.1:$port" --sizes "${2:-57KB}" --count 10 --repeat 1 --connections 1 --quiet ||
    [ $? -eq 3 ]
stop_server
count_syncs "$trace"

#!/bin/sh
# Measures a mail server that keeps what it takes, on a fresh volume; takes root.
#   measure.sh postfix|exim|opensmtpd|haraka|hubmark [OPTION OF hubmark run]...
# Everything else is as run.properties says. Ends the server and removes the volume.
# PORT (2526), VOLUME_SIZE (16GB) and WORK (/var/tmp, for the volume's image) may be set.
set -eu
PATH=$PATH:/usr/sbin:/sbin
. "$(dirname -- "$0")/common.sh"

# Writes and flushes of the device below the folder so far.
device_counts() {
    name=$(findmnt -n -o SOURCE --target "$1")
    awk '{ print $5, $16 }' "/sys/class/block/${name##*/}/stat"
}

[ $# -ge 1 ] || fail 'usage: measure.sh postfix|exim|opensmtpd|haraka|hubmark [OPTION OF hubmark run]...' 2
need_root
server=$1
shift
work=$(mktemp -d "${WORK:-/var/tmp}/hubmark-peers.XXXXXX")
chmod 755 "$work" # Most servers give up root.
trap 'end_all "$work"' EXIT
trap 'exit 130' INT TERM
data=$work/volume/data
command=$(server_command "$server" "$data")
make_volume "$work" "${VOLUME_SIZE:-16GB}"
mkdir "$data"
make_group
start_server "$command" "$work/volume/server.log"
before=$(device_counts "$data")
code=0
"$hubmark" run --config "$peers/run.properties" --target "127.0.0.1:$port" \
    --target-cgroup "$group" --target-volume "$data" "$@" || code=$?
after=$(device_counts "$data")
echo "$before $after" | awk '{ print "device: " $3 - $1 " writes, " $4 - $2 " flushes, warm-ups included" }'
exit "$code"
